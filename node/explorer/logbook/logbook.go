// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package logbook keeps a mission: its record in memory, and its journal, bags, record and report in the mission's
// folder. Nothing else writes them.
package logbook

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// program names the writer of a record.
const program = "ugp_explorer"

// Logbook keeps a mission. Nothing else writes to the mission's folder while the mission is under way. Without a
// folder it has no journal. Use it only from its node's executor.
type Logbook struct {
	Journal Journal

	node    *ros.Node
	cfg     *settings.Config
	mission Mission

	draft
	countsBefore map[string]int64 // of the runs before this one, by name
	startWall    time.Time
	kept         bool    // the mission was over and written before this run; it is only shown
	resultLogged bool    // the mission's result has been logged
	err          error   // why the record could not be written
	writing      *Report // under way; nil: none

	progress mission.Status // as last written to the journal
	tracked  int            // points of the track that are written there
}

// Mission has a logbook's questions and reports to the mission.
type Mission struct {
	*mission.Account
	Text   func() string // says what the mission is doing
	Report func() *Report
	Counts func() []show.Count
	Broken func(reason string) // is called when the journal cannot be written
}

// draft is the record so far, in memory.
type draft struct {
	record      record.Mission
	settings    record.Settings
	tracks      record.Tracks
	trackStdDev []float64 // standard deviation of the position at each point of the estimated path, m
	spacing     float64   // least distance between two points of a track, m
	saved       bool      // the record on disk is the newest
}

// New returns the logbook of a mission on a ground; used has the record's entries for the covariate rasters.
func New(node *ros.Node, cfg *settings.Config, ground *ground.Ground, used []record.Covariate, spacing float64, m Mission) (*Logbook, error) {
	l := &Logbook{
		node: node, cfg: cfg, mission: m, Journal: Journal{node: node, cfg: cfg, broken: m.Broken}, startWall: cfg.Wall(),
		draft: draft{spacing: spacing, settings: record.Settings{}, record: record.Mission{
			Version: record.Version, Program: program, Covariates: used,
			Also: cfg.OtherQuantities(), Method: cfg.Method, OnePlace: cfg.Model.OnePlace, Seed: uint64(cfg.Seed), Passive: cfg.Passive, Frame: cfg.Frame,
			Objective: record.Objective(cfg.Objective), Quantity: cfg.Quantity, Units: cfg.Units, Transform: record.Transform(cfg.Reading.Transform),
			Field: convert.FieldRecord(ground.Outline(), cfg.Field.Name, ground.Region().Margin()),
		}},
	}
	if cfg.Objective == planner.ObjectiveThreshold {
		reading, _, _ := cfg.Levels() // Validate has checked it
		l.record.Threshold = &reading
	}
	if s := &cfg.Secondary; s.Type != "" {
		l.record.Secondary = &record.Secondary{Quantity: s.Quantity, Units: s.Units}
	}
	var err error
	recorded := cfg.Record
	if cfg.OutputDir == "" || cfg.Alone {
		recorded.Topics = recorder.None
	}
	l.Journal.Bags, err = recorder.New(node, cfg.OutputDir, "~/command", recorded)
	return l, err
}

// Record returns the record so far, which changes only here. [Logbook.Mission] completes it.
func (d *draft) Record() *record.Mission { return &d.record }

// Now returns a copy of the record so far, with the parameters.
func (d *draft) Now() record.Mission {
	m := d.record
	m.Settings = d.settings
	return m
}

// Tracks returns the path that was driven.
func (d *draft) Tracks() record.Tracks { return d.tracks }

// AddSettings puts the parameters of a node into the record.
func (d *draft) AddSettings(node string, set *param.Set) {
	values := map[string]any{}
	for _, name := range set.Names() {
		if v, ok := set.Get(name); ok {
			values[name] = v.Any()
		}
	}
	d.settings[node] = values
}

// Started records that the mission starts now.
func (l *Logbook) Started() {
	l.startWall, l.record.Started = l.cfg.Wall(), time.Duration(l.node.Now()).Seconds()
}

// Err returns why the record could not be written, or nil.
func (l *Logbook) Err() error { return l.err }

// SetHome records the robot's home.
func (d *draft) SetHome(home record.Place) { d.record.Home = &home }

// SetSource notes the bag that is replayed.
func (d *draft) SetSource(s *record.Source) { d.record.Source = s }

// SetOutcome notes why the mission is over.
func (d *draft) SetOutcome(reason string) { d.record.Outcome = reason }

// SetEarlier notes the samples from before the mission.
func (d *draft) SetEarlier(o []record.Observation) { d.record.Earlier = o }

// SetNoise records the Σ̂ by which targets are judged now.
func (d *draft) SetNoise(noise *record.Covariance) { d.record.Noise, d.saved = noise, false }

// Suggested adds a suggestion.
func (d *draft) Suggested(s record.Suggestion) {
	d.record.Suggestions = append(d.record.Suggestions, s)
}

// Went records where the robot went instead of to the last suggestion, with the posterior there at the time of the suggestion.
func (d *draft) Went(at record.Place, mean, stdDev float64) {
	s := &d.record.Suggestions[len(d.record.Suggestions)-1]
	s.Went, s.WentMean, s.WentStdDev = &at, mean, stdDev
}

// Mate adds an observation of a team mate. It is not in the journal: the mate has it in its own, and publishes it
// again when either explorer restarts.
func (d *draft) Mate(robot string, o record.Observation) {
	d.record.Team, d.saved = append(d.record.Team, record.TeamSample{Robot: robot, Observation: o}), false
}

// Observed adds an observation, which restores the one that it confirms. It is on the disk before it is published.
func (l *Logbook) Observed(o record.Observation) error {
	if err := l.Journal.commit(o); err != nil {
		l.Journal.failed(err)
		return err
	}
	if o.Confirms > 0 {
		l.restrike(o.Confirms, "")
	}
	l.record.Observations = append(l.record.Observations, o)
	l.saved = false
	return nil
}

// Heard adds a value of the second sensor, also to the journal. A crash of the computer may lose the values of the last second.
func (l *Logbook) Heard(h record.Heard) {
	l.Journal.Note(h)
	s := *l.record.Secondary // holders of the previous record keep it
	s.Heard = append(s.Heard, h)
	l.record.Secondary = &s
	l.saved = false
}

// restrike strikes an own sample, or restores it if the reason is empty, and returns it.
func (l *Logbook) restrike(sequence int, why record.Struck) *record.Observation {
	l.record.Observations = slices.Clone(l.record.Observations) // holders of the previous ones keep them
	i := slices.IndexFunc(l.record.Observations, func(o record.Observation) bool { return o.Sequence == sequence })
	o := &l.record.Observations[i]
	o.Restrike(why)
	return o
}

// Struck strikes an own sample for a reason, or restores it if the reason is empty, and returns it. The change is on the disk when Struck
// returns. If the mission is over and written, its journal is opened again, and its results must be written again.
func (l *Logbook) Struck(sequence int, why record.Struck) (*record.Observation, error) {
	if l.complete() && !(l.cfg.Alone && l.cfg.Passive) {
		if err := l.Journal.reopen(l.startWall.UnixNano()); err != nil {
			return nil, err
		}
	}
	if err := l.Journal.commit(journal.Struck{Stamp: l.node.Now(), Sample: sequence, Why: why}); err != nil {
		l.Journal.failed(err)
		return nil, fmt.Errorf("the journal cannot be written: %w", err)
	}
	l.saved, l.kept, l.resultLogged = false, false, false
	return l.restrike(sequence, why), nil
}

// StruckByMate records that another robot has struck one of its samples, or restored it.
func (d *draft) StruckByMate(robot string, sequence int, struck bool) {
	d.record.Team, d.saved = slices.Clone(d.record.Team), false
	why := record.Struck("")
	if struck {
		why = record.StruckByRobot
	}
	for i, s := range slices.Backward(d.record.Team) { // an earlier mission of that robot may have had a sample of this number, too
		if s.Robot == robot && s.Observation.Sequence == sequence {
			d.record.Team[i].Observation.Struck = why
			return
		}
	}
}

// Learnt adds the results learnt from the own samples so far. It replaces an entry for the same number of own samples, which was based on
// fewer samples of team mates. hyper is nil if it has not changed.
func (l *Logbook) Learnt(at record.RecommendedAt, hyper *record.HyperAt) {
	if hyper != nil {
		l.record.Hyper = latest(l.record.Hyper, *hyper, func(h record.HyperAt) int { return h.Samples })
	}
	l.record.Recommended = latest(l.record.Recommended, at, func(r record.RecommendedAt) int { return r.Samples })
	l.Journal.Note(journal.Learnt{Recommended: at, Hyper: hyper})
	l.recommend(at)
}

// recommend names a place as the best, or none.
func (d *draft) recommend(at record.RecommendedAt) {
	if at.Target == nil {
		d.record.Recommendation = nil
		return
	}
	d.record.Recommendation = d.record.NewRecommendation(*at.Target, at.Mean, at.StdDev, at.Samples)
	d.record.Recommendation.AfterTeam = at.Team
}

// latest adds an entry to a list that has one entry for each number of samples.
func latest[T any](list []T, entry T, samples func(T) int) []T {
	if n := len(list); n > 0 && samples(list[n-1]) == samples(entry) {
		list[n-1] = entry
		return list
	}
	return append(list, entry)
}

// Decided adds a decision, counted from 1; choice is nil if it found no target.
func (l *Logbook) Decided(number int, choice *record.Decision) {
	if choice != nil {
		l.record.Decisions = append(l.record.Decisions, *choice)
	}
	l.Journal.Note(journal.Decision{Number: number, Choice: choice})
}

// Skipped adds a target that was given up.
func (l *Logbook) Skipped(s journal.Skipped) {
	l.record.Skipped = append(l.record.Skipped, record.Skipped{Target: s.Target, Reason: s.Reason, Stamp: time.Duration(s.Stamp).Seconds()})
	l.Journal.Note(s)
}

// Track adds a place, known to a standard deviation, m, to the estimated path.
func (d *draft) Track(at record.Place, stdDev float64) {
	d.tracks.Estimated = record.AppendApart(d.tracks.Estimated, at, d.spacing)
	if len(d.tracks.Estimated) > len(d.trackStdDev) {
		d.trackStdDev = append(d.trackStdDev, math.Round(1000*stdDev)/1000)
	}
}

// Begin starts the journal with the mission, homeDistance metres from home, and reports whether it could.
func (l *Logbook) Begin(homeDistance float64) bool {
	start := journal.Start{Stamp: l.node.Now(), Wall: l.startWall.UnixNano(), HomeDistance: homeDistance}
	if l.record.Home != nil {
		start.Home = *l.record.Home
	}
	err := l.writeDrawn()
	if err == nil {
		err = l.Journal.begin(l.beginning(), l.thisRun(), start)
	}
	l.Journal.failed(err)
	return err == nil
}

// writeDrawn writes the rasters that a simulation has drawn, which the record names, into the mission's folder.
func (l *Logbook) writeDrawn() error {
	if l.cfg.OutputDir == "" || len(l.cfg.Drawn) == 0 {
		return nil
	}
	var files []record.File
	for file, table := range l.cfg.Drawn {
		files = append(files, record.File{Name: filepath.Base(file), Data: table})
	}
	return record.WriteFiles(l.cfg.OutputDir, files)
}

// beginning returns the journal's first entry.
func (l *Logbook) beginning() journal.Begin {
	cfg := l.cfg
	begin := journal.Begin{
		Version: journal.Version, Program: program, Passive: cfg.Passive, Frame: cfg.Frame, Quantity: cfg.Quantity, Units: cfg.Units,
		Transform: record.Transform(cfg.Reading.Transform), Reading: cfg.Reading.Type, Field: l.record.Field, Covariates: l.record.Covariates, Earlier: l.record.Earlier,
	}
	if s := &cfg.Secondary; s.Type != "" {
		begin.Secondary = &journal.Secondary{Reading: s.Type, Quantity: s.Quantity, Units: s.Units}
	}
	begin.Also = cfg.Also
	return begin
}

func (l *Logbook) thisRun() journal.Run {
	return journal.Run{Stamp: l.node.Now(), Wall: l.cfg.Wall().UnixNano(), Settings: l.settings}
}

// More notes that the mission continues with larger limits. The journal of one that is over and written is opened again.
func (l *Logbook) More(added mission.Budget) error {
	if err := l.Journal.reopen(l.startWall.UnixNano()); err != nil {
		return err
	}
	if err := l.Journal.commit(journal.More{Stamp: l.node.Now(), Added: added}); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	l.saved, l.kept, l.resultLogged, l.record.Outcome = false, false, false, ""
	return nil
}

// NoteStatus adds the mission's state. A state in which the robot stands is written to the disk at once: without it the robot might drive
// off when the power returns.
func (l *Logbook) NoteStatus() {
	if !l.Journal.begun {
		return
	}
	l.noteProgress(l.mission.Status())
	if l.cfg.Passive { // its state does not change
		return
	}
	at := l.mission.Status() // noteProgress may have changed the state: the journal cannot be written then
	l.progress = at
	at.Stamp += l.node.ClockSet() // for the next run, whose time begins with what the clock shows then
	s := journal.Status{Mission: at, Text: l.mission.Text(), Counts: l.counts()}
	switch at.State {
	case mission.StatePaused, mission.StateFault, mission.StateDone:
		if !l.Journal.stuck {
			l.Journal.failed(l.Journal.commit(s))
			return
		}
	}
	l.Journal.Note(s)
}

// noteProgress adds the distance driven since the last entry.
func (l *Logbook) noteProgress(s mission.Status) {
	if !l.Journal.begun || l.Journal.stuck || s.UsedDistance == l.progress.UsedDistance {
		return
	}
	elapsed, track, stdDev := s.Elapsed, l.tracks.Estimated[l.tracked:], l.trackStdDev[l.tracked:]
	if l.cfg.Passive {
		elapsed = 0 // it follows from the stamps
	}
	l.progress, l.tracked = s, len(l.tracks.Estimated)
	l.Journal.Note(journal.Progress{Stamp: s.Stamp + l.node.ClockSet(), Elapsed: elapsed, Driving: s.Driving, Distance: s.UsedDistance, HomeDistance: s.HomeDistance, Track: track, StdDev: stdDev})
}

// Watch records the driven distance. If the journal could not be written, it tries again, and reports whether that succeeds: the caller
// must then note the status.
func (l *Logbook) Watch(s mission.Status) (mended bool) {
	if !l.Journal.stuck {
		if s.State != mission.StateDone { // that distance does not belong to the mission
			l.noteProgress(s)
		}
		l.Journal.check()
		return false
	}
	return l.Journal.retry()
}

// Close ends the journal of a mission that is over, or interrupted. Without
// a sample the journal is removed if the mission cannot be resumed.
func (l *Logbook) Close(interrupted bool) {
	if l.Journal.file == nil {
		return
	}
	if interrupted {
		l.NoteStatus()
	}
	begins := l.cfg.Existing == settings.ExistingReplace
	discard := (!interrupted || begins) && len(l.record.Observations) == 0
	begun := l.Journal.Begun()
	if err := l.Journal.close(discard); err != nil {
		l.err = errors.Join(l.err, err)
	}
	if interrupted && begun && !discard && l.err == nil {
		text := "the interrupted mission is saved"
		if !begins {
			text += ", and continues when the explorer is started again with the same output_dir"
		}
		l.node.Logger().Info(text, "folder", l.cfg.OutputDir)
	}
}
