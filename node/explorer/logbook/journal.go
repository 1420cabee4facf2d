// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package logbook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
)

// Journal is the journal of a mission and its bags, in the mission's folder.
type Journal struct {
	Bags *recorder.Folder

	node    *ros.Node
	cfg     *settings.Config
	broken  func(reason string) // is called when the journal cannot be written
	file    *journal.Journal    // nil: none is kept
	begun   bool
	useless bool // the folder has a journal that cannot be used, which this mission replaces when it begins
	stuck   bool // the mission was told that the journal cannot be written
}

// Open opens the journal in the mission's folder. It returns the mission to resume, nil if there is none, or an error if that cannot be
// resumed; the caller must then call Abandon.
func (j *Journal) Open() (*journal.State, error) {
	dir := j.cfg.OutputDir
	if dir == "" || j.cfg.Alone && j.cfg.Passive { // a replay can be had again
		return nil, nil
	}
	file, found, err := journal.Open(j.cfg.Disk, dir)
	if j.cfg.Existing == settings.ExistingReplace && errors.Is(err, journal.ErrUnreadable) {
		j.useless = true
		j.Bags.Replace(j.Bags.Names()) // it cannot tell which are its own
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("explorer: output_dir: %w", err)
	}
	j.file = file
	return j.resumable(found)
}

// Abandon closes the journal of a mission that does not begin.
func (j *Journal) Abandon() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}

// resumable returns the mission that was found in the folder if it can be resumed, and nil otherwise. The error says why there can be no
// mission in that folder.
func (j *Journal) resumable(found *journal.State) (*journal.State, error) {
	dir, again := j.cfg.OutputDir, "give another output_dir, or set existing_mission to replace to delete it and begin a new mission"
	_, err := os.Stat(filepath.Join(dir, record.MissionFile))
	recorded := err == nil
	switch {
	case j.cfg.Existing == settings.ExistingReplace:
		if found != nil {
			j.Bags.Replace(found.Bags)
		} else if recorded { // by a mission without a journal
			j.Bags.Replace(j.Bags.Names())
		}
		return nil, nil
	case found == nil, found.Started == nil, found.Saved && len(found.Observations) == 0:
		if recorded {
			return nil, fmt.Errorf("explorer: output_dir %s has the %s of a mission that cannot be resumed because it has no journal: %s", dir, record.MissionFile, again)
		}
		return nil, nil
	case found.Saved && (j.cfg.Existing == settings.ExistingRefuse || j.cfg.Passive):
		return nil, fmt.Errorf("explorer: output_dir %s has a mission that is over (%s): %s", dir, found.Mission.Ending, again)
	case j.cfg.Existing == settings.ExistingRefuse:
		return nil, fmt.Errorf("explorer: output_dir %s has a mission that is not over, with %d samples, and existing_mission is %s: "+
			"set existing_mission to resume to continue it, or %s", dir, len(found.Observations), settings.ExistingRefuse, again)
	}
	return found, nil
}

// begin starts the journal, and deletes the bags of an earlier mission in the folder, which existing_mission allows.
func (j *Journal) begin(mission journal.Begin, run journal.Run, start journal.Start) (err error) {
	if j.useless {
		if err := j.cfg.Disk.Remove(filepath.Join(j.cfg.OutputDir, journal.FileName)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if j.file, _, err = journal.Open(j.cfg.Disk, j.cfg.OutputDir); err != nil {
			return err
		}
		j.useless = false
	}
	if j.file == nil || j.begun {
		return nil
	}
	if err := j.file.Start(mission, run, start); err != nil {
		return err
	}
	j.begun = true
	j.Bags.RemoveReplaced()
	j.BeginBag()
	return nil
}

// reopen opens the journal of a mission that began at a wall time, ns, and is over and written.
func (j *Journal) reopen(began int64) error {
	if j.file != nil || j.cfg.OutputDir == "" {
		return nil
	}
	file, found, err := journal.Open(j.cfg.Disk, j.cfg.OutputDir)
	if err != nil {
		return fmt.Errorf("output_dir: %w", err)
	}
	j.file = file
	if found == nil || found.Started == nil || found.Started.Wall != began {
		return errors.Join(fmt.Errorf("output_dir %s no longer has the journal of this mission", j.cfg.OutputDir), j.Abandon())
	}
	j.begun = true
	return nil
}

// commit adds an entry that is on the disk when commit returns.
func (j *Journal) commit(entry any) error {
	if !j.begun {
		return nil
	}
	return j.file.Commit(entry)
}

// check handles an error of the latest writes.
func (j *Journal) check() {
	if j.file != nil {
		j.failed(j.file.Err())
	}
}

// retry reports whether a journal that could not be written can be written again.
func (j *Journal) retry() bool {
	if j.file == nil || j.file.Retry() != nil {
		return false
	}
	j.stuck = false
	j.node.Logger().Info("the journal can be written again", "folder", j.cfg.OutputDir)
	return true
}

// Begun reports whether the journal has a mission.
func (j *Journal) Begun() bool { return j.begun }

// Stuck reports whether the journal cannot be written.
func (j *Journal) Stuck() bool { return j.stuck }

// close completes and closes the journal and the bag; discard removes the journal of a mission that has begun.
// The journal of an earlier mission stays if this one has not begun.
func (j *Journal) close(discard bool) error {
	end := j.file.Close
	switch {
	case !j.begun:
		j.node.Logger().Info("the mission has not begun, so nothing is saved", "folder", j.cfg.OutputDir)
	case discard:
		j.node.Logger().Info("no sample was taken: the journal is removed, and also its folder if it is empty", "folder", j.cfg.OutputDir)
		end = j.file.Discard
	}
	j.Bags.End()
	err := end()
	j.begun, j.file = false, nil
	if err != nil {
		j.node.Logger().Error("the journal is incomplete: its last entries could not be written", "error", err.Error())
	}
	return err
}

// failed handles the result of writing to the journal. While the journal cannot be
// written, the robot stands, or returns home if it is told to.
func (j *Journal) failed(err error) {
	if err == nil {
		return
	}
	if !j.stuck {
		j.stuck = true
		j.node.Logger().Error("the journal cannot be written: new samples would not be saved", "folder", j.cfg.OutputDir, "error", err.Error())
	}
	j.broken("the journal cannot be written: " + err.Error() + "; make room in " + j.cfg.OutputDir + ", or make it writable")
}

// Note adds an entry to the journal.
func (j *Journal) Note(entry any) {
	if j.begun {
		j.failed(j.file.Append(entry))
	}
}

// BeginBag starts the next bag of the mission and ends the one before.
func (j *Journal) BeginBag() {
	if !j.Bags.On() || !j.begun {
		return
	}
	name := j.Bags.Next()
	j.Note(journal.Bag{Stamp: j.node.Now(), Name: name})
	j.Bags.Begin(name)
}

// WatchBags keeps the bags within their limit.
func (j *Journal) WatchBags() {
	j.Bags.Watch()
	if !j.begun {
		return
	}
	if j.Bags.Full() {
		j.BeginBag()
	}
	j.Bags.Trim()
}
