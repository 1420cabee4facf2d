// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/mission"
)

// State is the state of a mission after the lines of its journal.
type State struct {
	Begin        Begin
	Runs         []Run
	Bags         []string // names of the bags' folders
	Started      *Start   // nil: the mission has not started
	Observations []record.Observation
	Heard        []record.Heard // values of the second sensor
	Skipped      []Skipped
	Stuck        []Stuck
	Localised    []Localised
	Decisions    []record.Decision
	Decided      int // number of decisions, including those without a choice
	Hyper        []record.HyperAt
	Recommended  []record.RecommendedAt
	Restruck     bool // samples were struck or restored since the last of Recommended
	Track        []record.Place
	StdDevs      []float64        // of the position at each point of Track, m; NaN: not known
	Counts       map[string]int64 // numbers of dropped or rejected data
	Goal         string           // id of the last goal that was sent to an action server; empty: none

	// Mission is the mission after the last line: the last snapshot, updated by the lines
	// after it. It is valid after the start only.
	Mission mission.Status
	Saved   bool // the mission is over and its record and report are written

	// Problems describes the parts of the file that could not be used.
	Problems []string

	lines int // number of the last line
}

// Read reads the journal in a mission's folder and changes nothing. The journal may be in
// use. The error wraps [os.ErrNotExist] if there is no journal or it has no line.
func Read(dir string) (*State, error) {
	path := filepath.Join(dir, FileName)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the journal of the mission: %w", err)
	}
	defer f.Close()
	s, _, _, err := read(f)
	if err == nil && s == nil {
		err = fmt.Errorf("it has no line: %w", os.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("the journal %s: %w", path, err)
	}
	return s, nil
}

// read returns the state after a journal's lines, nil if none was written, the number of bytes up
// to the end of the last complete line, and the number of all bytes. A mission whose beginning or
// start is damaged is an error: without them it would look like one that has not begun.
func read(from io.Reader) (s *State, whole, size int64, err error) {
	fail := func(format string, args ...any) (*State, int64, int64, error) {
		return nil, 0, 0, fmt.Errorf(format, args...)
	}
	s = new(State)
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, mostLine+1)
	rest := 0                                                    // bytes after the last complete line
	lines.Split(func(data []byte, _ bool) (int, []byte, error) { // only complete lines
		if n := bytes.IndexByte(data, '\n'); n >= 0 {
			rest = 0
			return n + 1, data[:n], nil
		}
		rest = len(data)
		return 0, nil, nil
	})
	line, torn := 1, 0 // torn is the number of invalid lines since the last valid one,
	var why error      // why the error of the first of them
	again := 0         // lines that repeat earlier ones
	for ; lines.Scan(); line++ {
		whole += int64(len(lines.Bytes())) + 1
		e, err := parseLine(lines.Bytes())
		if err != nil {
			if torn == 0 {
				why = err
			}
			torn++
			continue
		}
		if e.Number <= s.lines { // two copies of a journal in one file
			again++
			continue
		}
		if torn > 0 {
			s.Problems = append(s.Problems, ignored(line-torn, line-1, why))
		}
		if n := e.Number - s.lines - 1 - torn; n != 0 {
			s.Problems = append(s.Problems, fmt.Sprintf("line %d has the number %d, the valid line before it %d", line, e.Number, s.lines))
		}
		if err := s.book(e); err != nil {
			return fail("line %d: %w", line, err)
		}
		if s.Begin.Version == 0 && len(s.Problems) == 0 {
			s.Problems = append(s.Problems, fmt.Sprintf("line %d is not the beginning of a mission", line))
		}
		torn, s.lines = 0, e.Number
	}
	if torn > 0 { // they stay in the file, for a person to read
		s.Problems = append(s.Problems, ignored(line-torn, line-1, why))
		s.lines += torn
	}
	if again > 0 {
		s.Problems = append(s.Problems, fmt.Sprintf("%d of its lines are ignored: they repeat earlier ones", again))
	}
	size, err = whole+int64(rest), lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = errLong
	}
	switch {
	case err != nil:
		return fail("line %d: %w; %s", line, err, hint)
	case (s.Begin.Version == 0 || s.Started == nil) && len(s.Problems) > 0:
		return fail("%s; without the first lines, the mission cannot be resumed; the other lines have %d observations; %s",
			s.Problems[0], len(s.Observations), hint)
	case whole == 0: // the process ended while it wrote the first line
		return nil, 0, size, nil
	case size > whole:
		s.Problems = append(s.Problems, fmt.Sprintf("its last %d bytes are not a complete line and are cut off", size-whole))
	}
	return s, whole, size, nil
}

// ignored describes invalid lines that follow each other; why is the error of the first.
func ignored(first, last int, why error) string {
	if first == last {
		return fmt.Sprintf("line %d is ignored: %v", first, why)
	}
	return fmt.Sprintf("lines %d to %d are ignored; of the first, %v", first, last, why)
}

// hint says what to do about a journal that cannot be read. It never advises to replace
// it: most of its lines can be read.
const hint = "nothing was changed: keep this folder, and give another output_dir to begin a new mission"

// errRepeated is the error for an observation that is already in the journal.
var errRepeated = errors.New("its observation is already in an earlier line; " + hint)

// book updates the state with an entry.
func (s *State) book(e lineEntry) error {
	switch {
	case e.Begin != nil:
		if v := e.Begin.Version; v < 1 || v > Version {
			return fmt.Errorf("its layout has version %d; this program reads 1 to %d; %s", v, Version, hint)
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
		more := s.Mission.More
		if s.Mission, s.Counts = e.Status.Mission, e.Status.Counts; s.Begin.Version == 1 {
			s.Mission.More = more
		}
	case e.More != nil:
		s.Mission.More, s.Saved = e.More.Added, false
	case e.Progress != nil:
		m := &s.Mission
		m.Working += e.Progress.Driving - m.Driving // it has driven since the last status
		m.Stamp, m.Elapsed, m.Driving = e.Progress.Stamp, e.Progress.Elapsed, e.Progress.Driving
		m.UsedDistance, m.HomeDistance = e.Progress.Distance, e.Progress.HomeDistance
		s.Track = append(s.Track, e.Progress.Track...)
		for i := range e.Progress.Track {
			stdDev := math.NaN() // of an entry without one
			if i < len(e.Progress.StdDev) {
				stdDev = e.Progress.StdDev[i]
			}
			s.StdDevs = append(s.StdDevs, stdDev)
		}
	case e.Decision != nil:
		s.Decided = e.Decision.Number
		if e.Decision.Choice != nil {
			s.Decisions = append(s.Decisions, *e.Decision.Choice)
		}
	case e.Learnt != nil:
		s.Recommended, s.Restruck = append(s.Recommended, e.Learnt.Recommended), false
		if e.Learnt.Hyper != nil {
			s.Hyper = append(s.Hyper, *e.Learnt.Hyper)
		}
	case e.Skipped != nil:
		s.Skipped = append(s.Skipped, *e.Skipped)
	case e.Stuck != nil:
		s.Stuck = append(s.Stuck, *e.Stuck)
	case e.Localised != nil:
		s.Localised = append(s.Localised, *e.Localised)
	case e.Struck != nil:
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Sequence == e.Struck.Sample {
				o.Restrike(e.Struck.Why)
				s.Restruck, s.Saved = true, false // the written record differs
			}
		}
	case e.Goal != nil:
		s.Goal = e.Goal.ID
	case e.Observation != nil:
		return s.observe(*e.Observation)
	case e.Heard != nil:
		s.Heard = append(s.Heard, *e.Heard)
	case e.Saved != nil:
		s.Saved = true
	}
	return nil
}

// observe updates the state with an observation. It counts as soon as its line is written,
// even if the process ended before it told the mission.
func (s *State) observe(o record.Observation) error {
	if n := len(s.Observations); n > 0 && o.Sequence <= s.Observations[n-1].Sequence {
		return errRepeated
	}
	if n := len(s.Observations); o.Confirms > 0 && n > 0 {
		s.Observations[n-1].Restrike("")
		s.Restruck = true
	}
	s.Observations = append(s.Observations, o)
	m := &s.Mission
	m.Samples, m.Failures = o.Sequence, 0
	if m.State == mission.StateSampling && !record.AsksAgain(s.Observations) {
		m.State, m.PhaseTime, m.Standing, m.StandTime = mission.StatePlanning, 0, false, 0
	}
	return nil
}
