package recorder

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
)

// bagName is what bags are called in the mission's folder.
var bagName = regexp.MustCompile(`^bag_([1-9][0-9]{0,8})$`)

// Folder records the bags in a mission's folder, one for each run of the node and another
// when time is set back. Only callbacks of the node may call its methods.
type Folder struct {
	node     *ros.Node
	warn     ros.Throttle
	dir      string
	limit    int64 // size of all bags above which the oldest are removed, bytes; 0: none
	recorder *Recorder
	said     Status   // as last logged
	replaced []string // bags of an earlier mission, removed when this one begins
}

// NewFolder records a node in a folder; Begin begins the first bag. command is that of New.
func NewFolder(node *ros.Node, dir, command string, cfg Config) (*Folder, error) {
	r, err := New(node, command, cfg)
	return &Folder{node: node, warn: node.NewThrottle(time.Second), dir: dir, limit: cfg.Limit * 1e6, recorder: r}, err
}

// On reports whether anything is recorded.
func (f *Folder) On() bool { return f.recorder.On() }

// Begin begins a bag of the given name, in place of the one before.
func (f *Folder) Begin(name string) {
	if err := f.recorder.Start(filepath.Join(f.dir, name)); err != nil {
		f.Watch()
	}
}

// Next returns a name that is not taken in the mission's folder.
func (f *Folder) Next() string {
	last := 0
	for _, name := range f.Names() {
		n, _ := strconv.Atoi(bagName.FindStringSubmatch(name)[1]) // of at most nine digits
		last = max(last, n)
	}
	return fmt.Sprintf("bag_%d", last+1)
}

// Names returns the names of the bags in the mission's folder, none when it cannot be
// read.
func (f *Folder) Names() (names []string) {
	files, _ := os.ReadDir(f.dir)
	for _, file := range files {
		if bagName.MatchString(file.Name()) {
			names = append(names, file.Name())
		}
	}
	return names
}

// Replace tells the names of the bags of an earlier mission, which this one replaces when it
// begins.
func (f *Folder) Replace(names []string) { f.replaced = names }

// RemoveReplaced removes the bags of a mission that is replaced.
func (f *Folder) RemoveReplaced() {
	for _, name := range f.replaced {
		if !bagName.MatchString(name) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(f.dir, name)); err != nil {
			f.node.Logger().Warn("a bag of the mission before is left", "error", err.Error())
		}
	}
}

// limitShares is how many bags the recording consists of when it is as large as its limit: the
// fewer there are, the more is lost with the oldest.
const limitShares = 4

// Full reports whether the recording should go on in the next bag, so that the limit can be
// kept by removing whole bags.
func (f *Folder) Full() bool {
	s := f.recorder.Status()
	return f.limit > 0 && s.Bag != "" && s.Err == nil && size(s.Bag) > f.limit/limitShares
}

// Trim removes the oldest bags while all are larger than the limit, but not the newest.
func (f *Folder) Trim() {
	if f.limit == 0 {
		return
	}
	names, all := f.Names(), int64(0)
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) // by number
	sizes := make([]int64, len(names))
	for i, name := range names {
		sizes[i] = size(filepath.Join(f.dir, name))
		all += sizes[i]
	}
	for i := 0; i < len(names)-1 && all > f.limit; i++ {
		if err := os.RemoveAll(filepath.Join(f.dir, names[i])); err != nil {
			f.warn.Warn("the oldest bag cannot be removed, and the bags are larger than record.limit", "error", err.Error())
			return
		}
		all -= sizes[i]
		f.node.Logger().Info("the oldest bag is removed: the bags are larger than record.limit", "folder", filepath.Join(f.dir, names[i]), "bytes", sizes[i])
	}
}

// size returns the size of the files in a folder, bytes; what cannot be read counts as none.
func size(dir string) (bytes int64) {
	files, _ := os.ReadDir(dir)
	for _, file := range files {
		if info, err := file.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// End ends the bag with the mission.
func (f *Folder) End() {
	err, s := f.recorder.Close(), f.recorder.Status()
	if err == nil && s.Bag != "" && s.Err == nil {
		f.node.Logger().Debug("the bag is written", "folder", s.Bag, "recording", s.String())
	}
	f.Watch()
}

// Watch finds topics to record, and says in the log when the recording stops, or loses or
// refuses messages.
func (f *Folder) Watch() {
	f.recorder.Look()
	was, s := f.said, f.recorder.Status()
	if s.Bag != was.Bag {
		was = Status{}
	}
	if s.Err != nil && was.Err == nil {
		f.node.Logger().Error("recording has stopped; the mission goes on", "folder", s.Bag, "error", s.Err.Error())
	}
	if s.Dropped > was.Dropped {
		f.warn.Warn("messages are not recorded: the disk is too slow", "folder", s.Bag, "dropped", s.Dropped)
	}
	if s.Refused > was.Refused {
		f.warn.Warn("a message cannot be recorded; the recording goes on", "folder", s.Bag, "error", s.Refusal.Error(), "refused", s.Refused)
	}
	f.said = s
}

// Status returns the state of the recording.
func (f *Folder) Status() Status { return f.recorder.Status() }

// Diagnostic says how the recording goes.
func (f *Folder) Diagnostic() diagnostic_msgs.DiagnosticStatus {
	s := f.recorder.Status()
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: f.node.Name() + ": recording", HardwareID: "none", Message: s.String(),
		Values: []diagnostic_msgs.KeyValue{
			{Key: "bag", Value: s.Bag},
			{Key: "messages", Value: strconv.FormatInt(s.Messages, 10)},
			{Key: "bytes", Value: strconv.FormatInt(s.Bytes, 10)},
			{Key: "dropped", Value: strconv.FormatInt(s.Dropped, 10)},
			{Key: "refused", Value: strconv.FormatInt(s.Refused, 10)},
		},
	}
	if s.Err != nil || s.Dropped > 0 || s.Refused > 0 {
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	return d
}
