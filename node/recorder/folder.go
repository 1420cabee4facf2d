package explorer

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
)

// bagName is what bags are called in the mission's folder.
var bagName = regexp.MustCompile(`^bag_([1-9][0-9]{0,8})$`)

// bags are the recordings in the mission's folder.
type bags struct {
	node     *ros.Node
	warn     ros.Throttle
	dir      string
	recorder *recorder.Recorder
	said     recorder.Status // as last logged
	replaced []string        // bags of an earlier mission, removed when this one begins
}

func newBags(node *ros.Node, cfg *Config) (*bags, error) {
	record := cfg.Record
	if cfg.OutputDir == "" || cfg.Alone {
		record.Topics = recorder.None
	}
	r, err := recorder.New(node, "~/command", record)
	return &bags{node: node, warn: newThrottle(node), dir: cfg.OutputDir, recorder: r}, err
}

// on reports whether anything is recorded.
func (b *bags) on() bool { return b.recorder.On() }

// begin begins a bag of the given name, in place of the one before.
func (b *bags) begin(name string) {
	if err := b.recorder.Start(filepath.Join(b.dir, name)); err != nil {
		b.watch()
	}
}

// next returns a name that is not taken in the mission's folder.
func (b *bags) next() string {
	last := 0
	for _, name := range b.there() {
		n, _ := strconv.Atoi(bagName.FindStringSubmatch(name)[1]) // of at most nine digits
		last = max(last, n)
	}
	return fmt.Sprintf("bag_%d", last+1)
}

// there returns the names of the bags in the mission's folder, none when it cannot be
// read.
func (b *bags) there() (names []string) {
	files, _ := os.ReadDir(b.dir)
	for _, f := range files {
		if bagName.MatchString(f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names
}

// removeReplaced removes the bags of a mission that is replaced.
func (b *bags) removeReplaced() {
	for _, name := range b.replaced {
		if !bagName.MatchString(name) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(b.dir, name)); err != nil {
			b.node.Logger().Warn("a bag of the mission before is left", "error", err.Error())
		}
	}
}

// end ends the bag with the mission.
func (b *bags) end() {
	err, s := b.recorder.Close(), b.recorder.Status()
	if err == nil && s.Bag != "" && s.Err == nil {
		b.node.Logger().Debug("the bag is written", "folder", s.Bag, "recording", s.String())
	}
	b.watch()
}

// watch finds topics to record, and says in the log when the recording stops or loses
// messages.
func (b *bags) watch() {
	b.recorder.Look()
	was, s := b.said, b.recorder.Status()
	if s.Bag != was.Bag {
		was = recorder.Status{}
	}
	if s.Err != nil && was.Err == nil {
		b.node.Logger().Error("recording has stopped; the mission goes on", "folder", s.Bag, "error", s.Err.Error())
	}
	if s.Dropped > was.Dropped {
		b.warn.Warn("messages are not recorded: the disk is too slow", "folder", s.Bag, "dropped", s.Dropped)
	}
	b.said = s
}

// diagnostic says how the recording goes.
func (b *bags) diagnostic() diagnostic_msgs.DiagnosticStatus {
	s := b.recorder.Status()
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: b.node.Name() + ": recording", HardwareID: "none", Message: s.String(),
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
