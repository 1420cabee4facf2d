package explorer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/node/journal"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
)

// longestGap is the longest time between two runs that counts as spent. After more
// than a day the clock was set, or the robot was put away.
const longestGap = 24 * time.Hour

// resumption is what is still to be done for a mission that was taken up.
type resumption struct {
	snapshot mission.Status
	pending  bool // the time is not known yet: the mission is told nothing
	waiting  bool // it stands until a person has it go on
	due      bool // it is to go on by itself with the first pose
}

// resume restores the mission of an earlier run from what its journal says.
func (e *Explorer) resume(found *journal.State) error {
	if err := checkSame(found.Begin, e.beginning()); err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s cannot go on: %w", e.cfg.OutputDir, err)
	}
	e.reportFound(found)
	s := found.Mission
	if e.cfg.Passive {
		s = mission.Status{State: mission.StateIdle, Stamp: s.Stamp, UsedDistance: s.UsedDistance}
		e.passive.first, e.passive.odometer = found.Started.Stamp, s.UsedDistance
	}
	if s.State == mission.StateSampling || s.Interrupted == mission.StateSampling {
		// The robot may have been moved meanwhile: it goes back to its target.
		if s.State == mission.StateSampling {
			s.State = mission.StateTravelling
		} else {
			s.Interrupted = mission.StateTravelling
		}
		s.PhaseTime, s.GaveUp, s.Standing, s.StandTime = 0, false, false, 0
	}
	restored, err := mission.Restore(e.cfg.Mission, s)
	if err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s: %w", e.cfg.OutputDir, err)
	}
	e.mission = restored
	underWay := s.State.Active() || s.StalePose
	e.resumption = resumption{snapshot: s, pending: true, waiting: underWay, due: underWay && e.cfg.AutoResume}
	e.startDue = false
	e.restoreRecord(found)
	if err := e.restoreModel(found); err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s: %w", e.cfg.OutputDir, err)
	}
	e.target = s.Target
	e.restoreHome(found.Started.Home)
	for _, k := range found.Skipped {
		e.avoid = append(e.avoid, avoided{acquire.Disc{Centre: k.Target[:], Radius: e.cfg.SkipRadius}, k.Until})
	}
	e.finished = s.State == mission.StateDone
	e.book.begun, e.book.progress = true, s
	e.book.tracked = len(e.tracks.Estimated)
	return nil
}

// reportFound says in the log what is taken up, and what of it is not as it was.
func (e *Explorer) reportFound(found *journal.State) {
	log := e.node.Logger()
	for _, problem := range found.Problems {
		log.Warn("the journal is damaged", "problem", problem)
	}
	if n := len(found.Observations); n > 0 && found.Observations[n-1].Sequence != n {
		log.Error("observations are missing in the journal", "there", n, "taken", found.Observations[n-1].Sequence)
	}
	log.Warn("a mission is taken up where it stopped", "folder", e.cfg.OutputDir, "run", len(found.Runs)+1,
		"state", string(found.Mission.State), "samples", len(found.Observations), "driven_m", found.Mission.UsedDistance)
	if list := e.changed(found); len(list) > 0 {
		log.Warn("the mission goes on with other parameters", "changed", strings.Join(list, "; "))
	}
}

// changed returns which of the explorer's parameters differ from the last run's.
func (e *Explorer) changed(found *journal.State) []string {
	n := len(found.Runs)
	if n == 0 {
		return nil
	}
	return changes(found.Runs[n-1].Settings[e.node.Name()], e.settings[e.node.Name()])
}

func (e *Explorer) restoreRecord(found *journal.State) {
	r := &e.record
	r.Started = stampSeconds(found.Started.Stamp)
	for _, run := range found.Runs[min(1, len(found.Runs)):] {
		r.Resumed = append(r.Resumed, stampSeconds(run.Stamp))
	}
	e.startWall = time.Unix(0, found.Started.Wall)
	r.Observations = found.Observations
	for _, k := range found.Skipped {
		r.Skipped = append(r.Skipped, report.Skipped{Target: k.Target, Reason: k.Reason, Stamp: stampSeconds(k.Stamp)})
	}
	r.Decisions = found.Decisions
	for _, h := range found.Hyper {
		r.Hyper = latest(r.Hyper, h, func(h report.HyperAt) int { return h.Samples })
	}
	for _, at := range found.Recommended {
		r.Recommended = latest(r.Recommended, at, func(r report.RecommendedAt) int { return r.Samples })
	}
	if n := len(r.Recommended); n > 0 {
		best := r.Recommended[n-1]
		r.Recommendation = r.NewRecommendation(best.Target, best.Mean, best.StdDev, best.Samples)
		r.Recommendation.AfterTeam = best.Team
	}
	if found.Mission.State == mission.StateDone {
		r.Outcome = found.Mission.Ending
	}
	e.tracks.Estimated = found.Track
	e.earlier = found.Counts
}

// restoreModel gives the optimiser what it has seen and decided. The hyper-parameters
// are those of the last fit, and it is not fitted again where they are of all the
// samples, so that what is decided next is what would have been decided.
func (e *Explorer) restoreModel(found *journal.State) error {
	for i := range found.Observations {
		o := &found.Observations[i]
		if err := e.optimizer.Check(sample(o)); err != nil {
			return fmt.Errorf("observation %d: %w", o.Sequence, err)
		}
		e.optimizer.Add(sample(o))
	}
	past := planner.Past{Decisions: found.Decided}
	for _, d := range found.Decisions {
		past.Chosen = append(past.Chosen, []float64{d.Target[0], d.Target[1]})
	}
	if n := len(found.Hyper); n > 0 {
		last := found.Hyper[n-1]
		h := gp.Hyper{
			SignalVariance: last.SignalVariance, LengthScales: slices.Clone(last.LengthScales),
			NoiseVariance: last.NoiseVariance, Mean: last.Mean,
		}
		var err error
		if h.Kind, err = gp.ParseKind(last.Kernel); err != nil {
			return err
		}
		past.Hyper = &h
		past.Whole = last.Samples == e.optimizer.Len() && !slices.ContainsFunc(e.changed(found), func(c string) bool {
			return strings.HasPrefix(c, "model.") || strings.HasPrefix(c, "execution.") || strings.HasPrefix(c, "method:")
		})
		for past.Fitted = last.Samples; n > 1 && sameHyper(found.Hyper[n-2], last); n-- {
			past.Fitted = found.Hyper[n-2].Samples // it was only carried on since
		}
	}
	if err := e.optimizer.Resume(past); err != nil {
		return err
	}
	e.record.Noise = e.noiseRecord()
	return nil
}

func sameHyper(a, b report.HyperAt) bool {
	return a.Kernel == b.Kernel && a.SignalVariance == b.SignalVariance && slices.Equal(a.LengthScales, b.LengthScales) &&
		a.NoiseVariance == b.NoiseVariance && a.Mean == b.Mean
}

// restoreHome makes the place where the mission began the robot's home again,
// unless another one is configured.
func (e *Explorer) restoreHome(home report.Place) {
	if len(e.cfg.Home) == 2 {
		home = report.Place(e.cfg.Home)
	}
	e.setHome(home)
}

// keepPaused has a mission that was taken up, and would go on by itself or waits to
// be told to, stay paused by a person.
func (e *Explorer) keepPaused() {
	e.resumption.waiting, e.resumption.due = false, false
	e.noteStatus()
	e.publishStatus()
}

// timeCame has a mission that was taken up go on from the present time: what has
// passed since it was last heard of is spent, as from a battery, unless the clock
// was set in between. In the journal it is still under way, so that another crash
// before it goes on changes nothing.
func (e *Explorer) timeCame() {
	now, s := e.node.Now(), e.resumption.snapshot
	gap := time.Duration(now - s.Stamp)
	switch {
	case e.cfg.Passive: // it spends nothing
		s.UsedDistance = 0
	case gap < 0 || gap > longestGap:
		for i := range e.avoid {
			if a := &e.avoid[i]; a.until != math.MaxInt64 {
				a.until += now - s.Stamp
			}
		}
		e.node.Logger().Warn("the time since the mission was interrupted is not known and is not counted", "clock_went_on_s", gap.Seconds())
		s.Stamp = now
	case s.State != mission.StateDone:
		e.node.Logger().Info("the time since the mission was interrupted counts as spent", "s", gap.Seconds())
	}
	restored, err := mission.Restore(e.cfg.Mission, s)
	if err != nil { // it was in order when it was read
		panic(err)
	}
	e.mission, e.resumption.pending = restored, false
	e.record.Resumed = append(e.record.Resumed, stampSeconds(now))
	e.book.progress = e.status()
	e.note(e.thisRun())
	if !e.finished {
		e.beginBag()
	}
	for _, o := range e.record.Observations {
		e.publishObservation(o)
	}
	e.publishSamples()
	if e.optimizer.Learnt().Posterior != nil {
		e.publishMaps()
	}
	e.publishStatus()
	if e.finished || e.optimizer.Modelled() < e.optimizer.Len() {
		e.think()
	}
}
