package logbook

import (
	"time"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// Resumes returns an error if the mission of an earlier run cannot continue as this one: what it measures and where must be
// the same. Changed returns which parameters of this node differ from that run's.
func (l *Logbook) Resumes(found *journal.State) error {
	now := l.beginning()
	return found.Begin.CheckSame(&now)
}

// unremarked are parameters whose changes between runs are not reported.
var unremarked = []string{"output_dir", "existing_mission", "auto_start", "auto_resume"}

// Changed returns the parameters that differ from those of the run before.
func (l *Logbook) Changed(found *journal.State) []record.Change {
	n := len(found.Runs)
	if n == 0 {
		return nil
	}
	return record.Changes(found.Runs[n-1].Settings[l.node.Name()], l.settings[l.node.Name()], unremarked...)
}

// Restore restores the record of an earlier run, whose mission has a status.
func (l *Logbook) Restore(found *journal.State, at mission.Status) {
	r := &l.record
	r.Started = time.Duration(found.Started.Stamp).Seconds()
	for _, run := range found.Runs[min(1, len(found.Runs)):] {
		r.Resumed = append(r.Resumed, time.Duration(run.Stamp).Seconds())
	}
	l.startWall = time.Unix(0, found.Started.Wall)
	r.Observations = found.Observations
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
	for _, known := range found.Precision {
		l.trackStdDev = append(l.trackStdDev, known.StdDev)
	}
	l.countsBefore, l.kept = found.Counts, found.Saved
	l.Journal.begun, l.progress, l.tracked = true, at, len(l.tracks.Estimated)
}

// Resume notes that the mission continues now.
func (l *Logbook) Resume(at mission.Status) {
	l.record.Resumed = append(l.record.Resumed, time.Duration(l.node.Now()).Seconds())
	l.progress = at
	l.Journal.Note(l.thisRun())
}
