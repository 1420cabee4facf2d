package explorer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/journal"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/mission"
)

// Values of the parameter existing_mission: what becomes of a mission in the folder.
const (
	ExistingResume  = "resume"
	ExistingRefuse  = "refuse"
	ExistingReplace = "replace"
)

// logbook is the mission's journal as the explorer keeps it. Without a folder for
// the mission it has no journal, and does nothing.
type logbook struct {
	*journal.Journal
	begun  bool
	broken bool // the mission was told that it cannot be written

	progress mission.Status // as last written
	tracked  int            // points of the track that are written
}

// openJournal opens the journal in the mission's folder and takes up the mission
// that is there, or refuses to.
func (e *Explorer) openJournal() error {
	dir := e.cfg.OutputDir
	if dir == "" || e.cfg.Alone && e.cfg.Passive { // a replay can be had again
		return nil
	}
	j, found, err := journal.Open(dir)
	if err != nil && (e.cfg.Existing != ExistingReplace || errors.Is(err, journal.ErrInUse)) {
		return fmt.Errorf("explorer: output_dir: %w", err)
	}
	if err != nil { // it cannot be read, and need not be
		e.replaced = e.bagsThere() // it cannot tell which are its own
		if err = os.Remove(filepath.Join(dir, journal.FileName)); err == nil {
			j, found, err = journal.Open(dir)
		}
		if err != nil {
			return fmt.Errorf("explorer: output_dir: %w", err)
		}
	}
	e.book.Journal = j
	if err := e.takeUp(found); err != nil {
		return errors.Join(err, j.Close())
	}
	return nil
}

// takeUp decides what becomes of the mission that was found in the folder.
func (e *Explorer) takeUp(found *journal.State) error {
	dir, again := e.cfg.OutputDir, "give another output_dir, or set existing_mission to replace to begin anew and lose it"
	_, err := os.Stat(filepath.Join(dir, report.MissionFile))
	recorded := err == nil
	if e.cfg.Existing == ExistingReplace {
		switch {
		case found != nil:
			e.replaced = found.Bags
		case recorded: // of a mission without a journal
			e.replaced = e.bagsThere()
		}
		return nil
	}
	if found == nil || found.Started == nil || found.Saved && len(found.Observations) == 0 {
		if recorded {
			return fmt.Errorf("explorer: output_dir %s has the %s of a mission that cannot be taken up, as it has no journal: %s", dir, report.MissionFile, again)
		}
		return nil
	}
	if found.Saved {
		return fmt.Errorf("explorer: output_dir %s has a mission that is over (%s): %s", dir, found.Mission.Ending, again)
	}
	if e.cfg.Existing == ExistingRefuse {
		return fmt.Errorf("explorer: output_dir %s has a mission that is not over, with %d samples, and existing_mission is %s: "+
			"set it to resume to go on with that, or %s", dir, len(found.Observations), ExistingRefuse, again)
	}
	return e.resume(found)
}

// beginning is what the journal says of the mission first.
func (e *Explorer) beginning() journal.Begin {
	cfg := e.cfg
	return journal.Begin{
		Version: journal.Version, Program: program, Passive: cfg.Passive, Frame: cfg.Frame, Quantity: cfg.Quantity, Units: cfg.Units,
		Transform: report.Transform(cfg.Reading.Transform), Reading: cfg.Reading.Type,
		Field: convert.FieldRecord(e.outline, cfg.Field.Name, cfg.Field.Margin),
	}
}

func (e *Explorer) thisRun() journal.Run {
	return journal.Run{Stamp: e.node.Now(), Wall: e.cfg.Wall().UnixNano(), Settings: e.settings}
}

// beginJournal begins the journal with the mission. What a mission before has left
// in the folder is lost, which existing_mission had to allow.
func (e *Explorer) beginJournal() error {
	if e.book.Journal == nil || e.book.begun {
		return nil
	}
	start := journal.Start{
		Stamp: e.node.Now(), Wall: e.startWall.UnixNano(), Home: e.home, HomeDistance: e.homeDistance(),
	}
	if err := e.book.Start(e.beginning(), e.thisRun(), start); err != nil {
		return err
	}
	e.book.begun = true
	e.removeBags(e.replaced)
	e.beginBag()
	return nil
}

// wrote takes care of what came of writing to the journal: as long as it cannot be
// written, the robot stands, or goes home when it is told to.
func (e *Explorer) wrote(err error) {
	if err == nil {
		return
	}
	if !e.book.broken {
		e.book.broken = true
		e.node.Logger().Error("the journal cannot be written: nothing that is sampled would be safe", "folder", e.cfg.OutputDir, "error", err.Error())
	}
	switch s := e.mission.Status(); {
	case e.cfg.Passive, s.State == mission.StateReturning, s.State == mission.StateDone, s.State == mission.StateFault && !s.StalePose:
	default:
		e.tell(mission.EventFault{Stamp: e.node.Now(), Reason: "the journal cannot be written: " + err.Error()})
	}
}

// note adds an entry to the journal.
func (e *Explorer) note(entry any) {
	if e.book.begun {
		e.wrote(e.book.Append(entry))
	}
}

// noteStatus adds the mission's state. When the robot is to stay it is on the disk
// at once, or the power's return might set it going.
func (e *Explorer) noteStatus() {
	if !e.book.begun {
		return
	}
	e.noteProgress()
	if e.cfg.Passive { // it has but one
		return
	}
	s := journal.Status{Mission: e.mission.Status(), Counts: e.counted()}
	e.book.progress = s.Mission
	switch s.Mission.State {
	case mission.StatePaused, mission.StateFault, mission.StateDone:
		if !e.book.broken {
			e.wrote(e.book.Commit(s))
			return
		}
	}
	e.note(s)
}

// noteProgress adds what was driven since the last entry.
func (e *Explorer) noteProgress() {
	s := e.status()
	if e.cfg.Passive {
		s.Stamp = e.node.Now()
	}
	if !e.book.begun || e.book.broken || s.State == mission.StateDone || s.UsedDistance == e.book.progress.UsedDistance {
		return
	}
	track := e.tracks.Estimated[e.book.tracked:]
	e.book.progress, e.book.tracked = s, len(e.tracks.Estimated)
	e.note(journal.Progress{Stamp: s.Stamp, Elapsed: s.Elapsed, Distance: s.UsedDistance, HomeDistance: s.HomeDistance, Track: track})
}

// watchJournal has the journal written again once that is possible, and tells the
// mission.
func (e *Explorer) watchJournal() {
	switch {
	case e.book.Journal == nil:
		return
	case !e.book.broken:
		e.noteProgress()
		e.wrote(e.book.Err())
		return
	case e.book.Retry() != nil:
		return
	}
	e.book.broken = false
	e.node.Logger().Info("the journal can be written again", "folder", e.cfg.OutputDir)
	e.noteStatus()
	if !e.book.broken && !e.cfg.Passive {
		e.tell(mission.EventRecovered{Stamp: e.node.Now()})
	}
}

// noteSaved notes that the mission is over and written, and ends the journal.
func (e *Explorer) noteSaved() {
	e.note(journal.Saved{Stamp: e.node.Now()})
	if !e.book.broken {
		e.closeJournal()
	}
}

// closeJournal writes what the journal lacks and closes it. A mission that took no
// sample leaves none when nobody can go on with it.
func (e *Explorer) closeJournal() {
	if e.book.Journal == nil {
		return
	}
	if e.book.begun && !e.finished {
		e.noteStatus()
	}
	end := e.book.Close
	if len(e.record.Observations) == 0 && (e.finished || e.cfg.Existing == ExistingReplace) {
		end = e.book.Discard
	}
	e.endBag()
	err := end()
	e.book.begun, e.book.Journal = false, nil
	if err != nil {
		e.saveError = errors.Join(e.saveError, err)
		e.node.Logger().Error("the journal was not written to its end", "error", err.Error())
	}
}
