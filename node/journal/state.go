package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ugp_explorer/node/report"
	"ugp_explorer/planner/mission"
)

// State is what the lines of a journal add up to.
type State struct {
	Begin        Begin
	Runs         []Run
	Bags         []string // names of the bags' folders
	Started      *Start   // nil: the mission had not begun
	Observations []report.Observation
	Skipped      []Skipped
	Decisions    []report.Decision
	Decided      int // decisions made, those without a choice too
	Hyper        []report.HyperAt
	Recommended  []report.RecommendedAt
	Track        []report.Place
	Counts       map[string]int64 // what was dropped or refused

	// Mission is the mission as of the last line: a snapshot with what came after it
	// booked. It is of no use before the start.
	Mission mission.Status
	Saved   bool // the mission is over, and record and report are written

	// Problems says what of the file could not be used.
	Problems []string

	lines int // number of the last line
}

// Over reports whether the mission has ended.
func (s *State) Over() bool { return s.Started != nil && s.Mission.State == mission.StateDone }

// Read reads the journal of a mission's folder, which may be in use, and changes
// nothing. The error wraps [os.ErrNotExist] when there is none, or none that was
// begun.
func Read(dir string) (*State, error) {
	data, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		return nil, fmt.Errorf("the journal of a mission: %w", err)
	}
	s, _, err := read(data)
	if err == nil && s == nil {
		err = fmt.Errorf("the mission was not begun: %w", os.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("the journal of the mission in %s: %w", dir, err)
	}
	return s, nil
}

// read returns what a journal's lines add up to, nil when not one was written, and
// how many bytes there are up to the end of the last line that can be used.
func read(data []byte) (s *State, whole int, err error) {
	s = new(State)
	var torn []string // lines that cannot be used, since the last that can
	for at, line := 0, 1; ; line++ {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			break
		}
		e, err := parseLine(data[at : at+end])
		at += end + 1
		if err != nil {
			torn = append(torn, fmt.Sprintf("line %d is left out: %v", line, err))
			continue
		}
		if whole == 0 && e.Begin == nil {
			return nil, 0, fmt.Errorf("its first line that can be read is not the beginning of a mission: %s", hint)
		}
		s.Problems = append(s.Problems, torn...)
		if n := e.Number - s.lines - 1 - len(torn); n != 0 {
			s.Problems = append(s.Problems, fmt.Sprintf("line %d has the number %d, after %d", line, e.Number, s.lines))
		}
		if err := s.book(e); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", line, err)
		}
		torn, whole, s.lines = nil, at, e.Number
	}
	switch n := len(data) - whole; {
	case whole == 0 && bytes.IndexByte(data, '\n') >= 0:
		return nil, 0, fmt.Errorf("not one of its lines can be read: %s", hint)
	case whole == 0: // the process ended as it wrote the first line
		return nil, 0, nil
	case n > 0:
		s.Problems = append(s.Problems, fmt.Sprintf("its last %d bytes were not written to their end, and are cut off", n))
	}
	return s, whole, nil
}

// hint is what helps with a journal that cannot be read.
const hint = "give another output_dir, or replace the mission"

// errRepeated is an observation that is there already.
var errRepeated = errors.New("it has an observation that an earlier line has")

// book takes an entry into account.
func (s *State) book(e Entry) error {
	switch {
	case e.Begin != nil:
		if e.Begin.Version != Version {
			return fmt.Errorf("its layout is version %d: this program reads version %d", e.Begin.Version, Version)
		}
		s.Begin = *e.Begin
	case e.Run != nil:
		s.Runs = append(s.Runs, *e.Run)
	case e.Bag != nil:
		s.Bags = append(s.Bags, e.Bag.Name)
	case e.Start != nil:
		s.Started = e.Start
		s.Mission = mission.Status{State: mission.StatePlanning, Stamp: e.Start.Stamp, HomeDistance: e.Start.HomeDistance}
	case e.Status != nil:
		s.Mission, s.Counts = e.Status.Mission, e.Status.Counts
	case e.Progress != nil:
		m := &s.Mission
		m.Stamp, m.Elapsed, m.UsedDistance, m.HomeDistance = e.Progress.Stamp, e.Progress.Elapsed, e.Progress.Distance, e.Progress.HomeDistance
		s.Track = append(s.Track, e.Progress.Track...)
	case e.Decision != nil:
		s.Decided = e.Decision.Number
		if e.Decision.Choice != nil {
			s.Decisions = append(s.Decisions, *e.Decision.Choice)
		}
	case e.Learnt != nil:
		s.Recommended = append(s.Recommended, e.Learnt.Recommended)
		if e.Learnt.Hyper != nil {
			s.Hyper = append(s.Hyper, *e.Learnt.Hyper)
		}
	case e.Skipped != nil:
		s.Skipped = append(s.Skipped, *e.Skipped)
	case e.Observation != nil:
		return s.observe(*e.Observation)
	case e.Saved != nil:
		s.Saved = true
	}
	return nil
}

// observe books an observation. It counts from its line on, whether the process
// came to telling the mission or not.
func (s *State) observe(o report.Observation) error {
	if n := len(s.Observations); n > 0 && o.Sequence <= s.Observations[n-1].Sequence {
		return errRepeated
	}
	s.Observations = append(s.Observations, o)
	m := &s.Mission
	m.Samples, m.Failures = o.Sequence, 0
	if m.State == mission.StateSampling {
		m.State, m.PhaseTime, m.Standing, m.StandTime = mission.StatePlanning, 0, false, 0
	}
	return nil
}
