// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros/watch"
)

// bagName is what bags are called in the mission's folder.
var bagName = regexp.MustCompile(`^bag_([1-9][0-9]{0,8})$`)

// Status is the state of a recording.
type Status struct {
	Bag      string // folder of the bag; empty before the first bag
	Messages int64  // messages accepted for recording
	Bytes    int64  // of the accepted messages
	Dropped  int64  // messages that did not fit into the queue
	Refused  int64  // messages that a bag cannot have, such as one without the header of CDR
	Refusal  error  // why the last of those was refused; nil if there is none
	Err      error  // error that stopped the recording; nil while it runs and after End
}

// String describes the recording in one line.
func (s Status) String() string {
	if s.Bag == "" {
		return "not started"
	}
	text := fmt.Sprintf("%d messages, %.1f MB", s.Messages, float64(s.Bytes)/1e6)
	if s.Err != nil {
		text = fmt.Sprintf("stopped: %v", s.Err)
	}
	if s.Dropped > 0 {
		text += fmt.Sprintf("; %d messages dropped", s.Dropped)
	}
	if s.Refused > 0 {
		text += fmt.Sprintf("; %d messages not recorded, reason of the last: %v", s.Refused, s.Refusal)
	}
	return text
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

// Replace gives the names of the bags of an earlier mission, which this one replaces when it
// begins.
func (f *Folder) Replace(names []string) { f.replaced = names }

// RemoveReplaced removes the bags of a mission that is replaced.
func (f *Folder) RemoveReplaced() {
	for _, name := range f.replaced {
		if !bagName.MatchString(name) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(f.dir, name)); err != nil {
			f.node.Logger().Warn("a bag of the previous mission could not be removed", "error", err.Error())
		}
	}
}

// limitShares is how many bags the recording consists of when it is as large as its limit: the
// fewer there are, the more is lost with the oldest.
const limitShares = 4

// Full reports whether the recording should continue in the next bag, so that the limit can be
// kept by removing whole bags.
func (f *Folder) Full() bool {
	s := f.Status()
	return s.Bag != "" && s.Err == nil && f.cfg.Limit > 0 && size(s.Bag) > f.cfg.Limit*1e6/limitShares
}

// Trim removes the oldest bags while all are larger than the limit, but not the newest.
func (f *Folder) Trim() {
	limit := f.cfg.Limit * 1e6
	if limit == 0 {
		return
	}
	names, all := f.Names(), int64(0)
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) // by number
	sizes := make([]int64, len(names))
	for i, name := range names {
		sizes[i] = size(filepath.Join(f.dir, name))
		all += sizes[i]
	}
	for i := 0; i < len(names)-1 && all > limit; i++ {
		if err := os.RemoveAll(filepath.Join(f.dir, names[i])); err != nil {
			f.warn.Warn("the oldest bag cannot be removed, so the bags are larger than record.limit", "error", err.Error())
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

// Watch finds topics to record, and says in the log when the recording stops, or loses or
// refuses messages.
func (f *Folder) Watch() {
	was, s := f.said, f.Status()
	f.mu.Lock()
	writing := f.queue != nil && s.Err == nil
	f.mu.Unlock()
	if writing {
		f.hearAlso()
	} else {
		f.ignoreAlso()
	}
	if s.Bag != was.Bag {
		was = Status{}
	}
	if s.Err != nil && was.Err == nil {
		f.node.Logger().Error("recording has stopped; the mission continues", "folder", s.Bag, "error", s.Err.Error())
	}
	if s.Dropped > was.Dropped {
		f.warn.Warn("messages are not recorded: the disk is too slow", "folder", s.Bag, "dropped", s.Dropped)
	}
	if s.Refused > was.Refused {
		f.warn.Warn("a message cannot be recorded; the recording continues", "folder", s.Bag, "error", s.Refusal.Error(), "refused", s.Refused)
	}
	f.said = s
}

// Finding says how the recording goes.
func (f *Folder) Finding() watch.Finding {
	s := f.Status()
	d := watch.Finding{
		Name: "recording", Text: s.String(), Level: slog.LevelInfo,
		Values: []diagnostic_msgs.KeyValue{
			{Key: "bag", Value: s.Bag},
			{Key: "messages", Value: strconv.FormatInt(s.Messages, 10)},
			{Key: "bytes", Value: strconv.FormatInt(s.Bytes, 10)},
			{Key: "dropped", Value: strconv.FormatInt(s.Dropped, 10)},
			{Key: "refused", Value: strconv.FormatInt(s.Refused, 10)},
		},
	}
	if s.Err != nil || s.Dropped > 0 || s.Refused > 0 {
		d.Level = slog.LevelWarn
	}
	return d
}

// Room returns an error if the disk of a folder has less than reserve MB free.
func Room(dir string, reserve int64) error {
	free, known := freeBytes(dir)
	if known && free < reserve*1e6 {
		return fmt.Errorf("the disk is nearly full: %d MB are free, less than the reserve of %d MB", free/1e6, reserve)
	}
	return nil
}
