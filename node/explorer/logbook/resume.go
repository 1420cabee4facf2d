// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package logbook

import (
	"strings"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// unremarked are parameters whose changes between runs are not reported.
var unremarked = []string{"output_dir", "existing_mission", "auto_start", "auto_resume"}

// Changed returns the parameters of this node that differ from those of the previous run.
func (l *Logbook) Changed(found *journal.State) []record.Change {
	n := len(found.Runs)
	if n == 0 {
		return nil
	}
	return record.Changes(found.Runs[n-1].Settings[l.node.Name()], l.settings[l.node.Name()], unremarked...)
}

// Restore restores the record of an earlier run; at is the status of its mission.
func (l *Logbook) Restore(found *journal.State, at mission.Status) {
	r := &l.record
	r.Started = time.Duration(found.Started.Stamp).Seconds()
	for _, run := range found.Runs[min(1, len(found.Runs)):] {
		r.Resumed = append(r.Resumed, time.Duration(run.Stamp).Seconds())
	}
	l.startWall = time.Unix(0, found.Started.Wall)
	r.Observations = found.Observations
	if r.Secondary != nil {
		r.Secondary.Heard = found.Heard
	}
	for _, k := range found.Skipped {
		r.Skipped = append(r.Skipped, record.Skipped{Target: k.Target, Reason: k.Reason, Stamp: time.Duration(k.Stamp).Seconds()})
	}
	r.Decisions = found.Decisions
	for _, h := range found.Hyper {
		r.Hyper = latest(r.Hyper, h, func(h record.HyperAt) int { return h.Samples })
	}
	for _, at := range found.Recommended {
		r.Recommended = latest(r.Recommended, at, func(r record.RecommendedAt) int { return r.Samples })
	}
	if n := len(r.Recommended); n > 0 {
		l.recommend(r.Recommended[n-1])
	}
	if found.Mission.State == mission.StateDone {
		r.Outcome = found.Mission.Ending
	}
	l.tracks.Estimated = found.Track
	l.trackStdDev = found.StdDevs
	l.countsBefore, l.kept = found.Counts, found.Saved
	l.Journal.begun, l.progress, l.tracked = true, at, len(l.tracks.Estimated)
}

// Resume notes that the mission continues now.
func (l *Logbook) Resume(at mission.Status) {
	l.record.Resumed = append(l.record.Resumed, time.Duration(l.node.Now()).Seconds())
	l.progress = at
	l.Journal.Note(l.thisRun())
}

// Resumes logs the mission of an earlier run, damage to its journal and changed parameters. It returns an error if that mission cannot
// continue here: its quantity and field must be the same.
func (l *Logbook) Resumes(found *journal.State) error {
	now := l.beginning()
	if err := found.Begin.CheckSame(&now); err != nil {
		return err
	}
	log := l.node.Logger()
	for _, problem := range found.Problems {
		log.Warn("the journal is damaged", "problem", problem)
	}
	if n := len(found.Observations); n > 0 && found.Observations[n-1].Sequence != n {
		log.Error("observations are missing from the journal", "found", n, "taken", found.Observations[n-1].Sequence)
	}
	log.Warn("the mission of an earlier run is restored"+continues(l.cfg, found.Mission), "folder", l.cfg.OutputDir, "run", len(found.Runs)+1,
		"state", string(found.Mission.State), "samples", len(found.Observations), "driven_m", found.Mission.UsedDistance)
	if list := l.Changed(found); len(list) > 0 {
		texts := make([]string, len(list))
		for i, c := range list {
			texts[i] = c.String()
		}
		log.Warn("the mission continues with changed parameters", "changed", strings.Join(texts, "; "))
	}
	if n := len(found.Runs); n > 0 {
		if was := found.Runs[n-1].Settings[l.node.Name()]["earlier.file"]; was != nil && was != l.cfg.Earlier {
			log.Warn("earlier.file is read only at the start of a mission; the resumed mission keeps the earlier samples with which it began",
				"was", was, "is", l.cfg.Earlier, "samples", len(found.Begin.Earlier))
		}
	}
	return nil
}

// continues says what a mission that an earlier run left at s needs to continue.
func continues(c *settings.Config, s mission.Status) string {
	interrupted := s.Resumable()
	switch {
	case c.Passive:
		return ""
	case s.State == mission.StateDone:
		return ": it is over; ~/more continues it, and another output_dir begins a new mission"
	case c.AutoResume && interrupted:
		return "; it continues with the first pose"
	case c.AutoStart:
		return "; auto_start does not continue it: it waits for a person to resume it"
	}
	return "; it waits for a person to resume it"
}
