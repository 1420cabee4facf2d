package explorer

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/journal"
	"ugp_explorer/node/recorder"
)

// bagName is what bags are called in the mission's folder.
var bagName = regexp.MustCompile(`^bag_([1-9][0-9]{0,8})$`)

func (e *Explorer) openRecorder() (err error) {
	cfg := e.cfg.Record
	if e.cfg.OutputDir == "" || e.cfg.Alone {
		cfg.Topics = recorder.None
	}
	e.bags, err = recorder.New(e.node, "~/command", cfg)
	return err
}

// beginBag begins the next bag of the mission that is under way, in place of the
// one before.
func (e *Explorer) beginBag() {
	if !e.bags.On() || !e.book.begun {
		return
	}
	name := e.nextBag()
	e.note(journal.Bag{Stamp: e.node.Now(), Name: name})
	if err := e.bags.Start(filepath.Join(e.cfg.OutputDir, name)); err != nil {
		e.watchRecording()
	}
}

// nextBag returns a name that is not taken in the mission's folder.
func (e *Explorer) nextBag() string {
	last := 0
	for _, name := range e.bagsThere() {
		n, _ := strconv.Atoi(bagName.FindStringSubmatch(name)[1]) // of at most nine digits
		last = max(last, n)
	}
	return fmt.Sprintf("bag_%d", last+1)
}

// bagsThere returns the names of the bags in the mission's folder, none when it
// cannot be read.
func (e *Explorer) bagsThere() (names []string) {
	files, _ := os.ReadDir(e.cfg.OutputDir)
	for _, f := range files {
		if bagName.MatchString(f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names
}

// removeBags removes the bags of a mission that is replaced.
func (e *Explorer) removeBags(names []string) {
	for _, name := range names {
		if !bagName.MatchString(name) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(e.cfg.OutputDir, name)); err != nil {
			e.node.Logger().Warn("a bag of the mission before is left", "error", err.Error())
		}
	}
}

// endBag ends the bag with the mission.
func (e *Explorer) endBag() {
	if err := e.bags.Close(); err == nil && e.bags.Status().Bag != "" && e.bags.Status().Err == nil {
		e.node.Logger().Info("the bag is written", "folder", e.bags.Status().Bag, "recording", e.bags.Status().String())
	}
	e.watchRecording()
}

// watchRecording says in the log when the recording stops or loses messages.
func (e *Explorer) watchRecording() {
	was, s := e.bagTrouble, e.bags.Status()
	if s.Bag != was.Bag {
		was = recorder.Status{}
	}
	if s.Err != nil && was.Err == nil {
		e.node.Logger().Error("recording has stopped; the mission goes on", "folder", s.Bag, "error", s.Err.Error())
	}
	if s.Dropped > was.Dropped {
		e.warn.Warn("messages are not recorded: the disk is too slow", "folder", s.Bag, "dropped", s.Dropped)
	}
	e.bagTrouble = s
}

// recordingDiagnostic says how the recording goes.
func (e *Explorer) recordingDiagnostic() diagnostic_msgs.DiagnosticStatus {
	s := e.bags.Status()
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: e.node.Name() + ": recording", HardwareID: "none", Message: s.String(),
		Values: []diagnostic_msgs.KeyValue{
			{Key: "bag", Value: s.Bag},
			{Key: "messages", Value: strconv.FormatInt(s.Messages, 10)},
			{Key: "bytes", Value: strconv.FormatInt(s.Bytes, 10)},
			{Key: "dropped", Value: strconv.FormatInt(s.Dropped, 10)},
		},
	}
	if s.Err != nil || s.Dropped > 0 {
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	return d
}
