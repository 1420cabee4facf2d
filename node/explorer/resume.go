package explorer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// longestGap is the longest time between two runs that counts against the budget. After
// more than a day the clock was set or the robot was not in use.
const longestGap = 24 * time.Hour

// resumption is the remaining work to resume a mission once the time is known.
type resumption struct {
	at      mission.Status // status at the end of the last run
	pending bool           // the time is not known yet; the mission gets no events
}

// takeUp restores the mission of an earlier run from its journal.
func (e *Explorer) takeUp(found *journal.State) error {
	if err := e.book.Resumes(found); err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s cannot be resumed: %w", e.cfg.OutputDir, err)
	}
	e.reportFound(found)
	at, err := e.mode.restore(found)
	if err == nil {
		e.book.Restore(found, at)
		for _, l := range found.Localised {
			e.localised.Add(l.Stamp, l.Seen)
		}
		err = e.keepKnowing(found)
	}
	if err == nil {
		err = e.restoreModel(found)
	}
	if err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s: %w", e.cfg.OutputDir, err)
	}
	e.resumption = resumption{at: at, pending: true}
	e.setHome(found.Started.Home)
	e.finished = at.State == mission.StateDone
	return nil
}

// reportFound logs the resumed mission, damage to its journal and changed parameters.
func (e *Explorer) reportFound(found *journal.State) {
	log := e.node.Logger()
	for _, problem := range found.Problems {
		log.Warn("the journal is damaged", "problem", problem)
	}
	if n := len(found.Observations); n > 0 && found.Observations[n-1].Sequence != n {
		log.Error("observations are missing in the journal", "found", n, "taken", found.Observations[n-1].Sequence)
	}
	log.Warn("the mission of an earlier run is taken up"+continues(e.cfg, found.Mission), "folder", e.cfg.OutputDir, "run", len(found.Runs)+1,
		"state", string(found.Mission.State), "samples", len(found.Observations), "driven_m", found.Mission.UsedDistance)
	if list := e.book.Changed(found); len(list) > 0 {
		texts := make([]string, len(list))
		for i, c := range list {
			texts[i] = c.String()
		}
		log.Warn("the mission continues with changed parameters", "changed", strings.Join(texts, "; "))
	}
}

// continues says what a mission needs to continue that an earlier run left at s.
func continues(c *settings.Config, s mission.Status) string {
	interrupted := s.State.Active() || s.FaultKind != mission.FaultReported
	switch {
	case c.Passive:
		return ""
	case s.State == mission.StateDone:
		return ": it is over; ~/more goes on with it, and another output_dir begins another one"
	case c.AutoResume && interrupted:
		return "; it goes on with the first pose"
	case c.AutoStart:
		return "; auto_start does not continue it: call ~/resume"
	}
	return "; call ~/resume to continue it"
}

// restoreModel restores the optimiser's observations and decisions. It uses the
// hyper-parameters of the last fit, and there is another one only if it is due without the
// interruption, too, so that the next decision is the same.
func (e *Explorer) restoreModel(found *journal.State) error {
	for i := range found.Observations {
		o := &found.Observations[i]
		s := sample(o)
		if err := e.optimizer.Check(s); err != nil {
			return fmt.Errorf("observation %d: %w", o.Sequence, err)
		}
		e.optimizer.Add(s)
	}
	past := planner.Past{Decisions: found.Decided}
	for _, d := range found.Decisions {
		past.Chosen = append(past.Chosen, []float64{d.Target[0], d.Target[1]})
	}
	if n := len(found.Hyper); n > 0 {
		last := found.Hyper[n-1]
		h, err := last.GP(e.cfg.Model.Covariates)
		if err != nil {
			return err
		}
		past.Hyper = &h
		if !slices.ContainsFunc(e.book.Changed(found), func(c record.Change) bool { // of a parameter that has a say in what is learnt
			group, _, _ := strings.Cut(c.Name, ".")
			return group == "model" || group == "execution" || group == "method"
		}) {
			past.Whole = last.Samples == len(found.Observations)
			for past.Fitted = last.Samples; n > 1 && found.Hyper[n-2].Equal(last.Hyper); n-- {
				past.Fitted = found.Hyper[n-2].Samples // no fit has been made since
			}
			past.Fitted += len(found.Begin.Earlier)
		}
	}
	if err := e.optimizer.Resume(past); err != nil {
		return err
	}
	e.book.SetNoise(e.noiseRecord())
	return nil
}

// timeCame resumes the mission once the time is known. The time since the last journal
// entry counts against the budget unless the clock was set in between.
func (e *Explorer) timeCame() {
	gap := e.node.Now() - e.resumption.at.Stamp
	counted := gap >= 0 && time.Duration(gap) <= longestGap
	if err := e.mode.resume(e.resumption.at, gap, counted); err != nil { // the status was valid when it was read
		panic(err)
	}
	e.resumption.pending = false
	e.book.Resume(e.mode.status())
	if !e.finished {
		e.book.Journal.BeginBag()
	}
	for _, o := range e.book.Record().Observations {
		e.show.Observation(o)
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

func (a *active) restore(found *journal.State) (s mission.Status, err error) {
	s = found.Mission
	if s.State == mission.StateSampling || s.Interrupted == mission.StateSampling {
		// The robot may have been moved in the meantime: it drives to its target again.
		if s.State == mission.StateSampling {
			s.State = mission.StateTravelling
		} else {
			s.Interrupted = mission.StateTravelling
		}
		s.PhaseTime, s.Drive, s.Standing, s.StandTime = 0, mission.DriveUnderWay, false, 0
	}
	// There is no pose of this run yet: however short the interruption was, the robot must not be
	// sent anywhere before there is one.
	s.PoseAge = max(s.PoseAge, int64(ros.Duration(a.cfg.Mission.PoseTimeout)+time.Millisecond))
	if a.mission, err = mission.Restore(a.cfg.Rules(), s); err != nil {
		return s, err
	}
	resumable := s.State.Active() || s.FaultKind != mission.FaultReported
	switch a.awaited, a.mayDrive = nothing, resumable; {
	case resumable && a.cfg.AutoResume:
		a.awaited = theResume
	case resumable:
		a.awaited = theCommand
	}
	a.target = s.Target
	a.driver.Inherit(found.Goal)
	for i := range found.Skipped {
		a.leaveOut(&found.Skipped[i])
	}
	for _, k := range found.Stuck {
		a.ground.Avoid(k.Centre, k.Radius, k.Until)
	}
	return s, nil
}

// resume restores the mission. The time since the interruption counts as used, as a battery
// would count it, unless it is not known. The journal still has the mission as under way,
// so that another crash before it continues changes nothing.
func (a *active) resume(s mission.Status, gap int64, counted bool) (err error) {
	log := a.node.Logger()
	switch {
	case !counted:
		a.ground.Shift(gap)
		log.Warn("the time since the mission was interrupted is not known and is not counted", "clock_went_on_s", time.Duration(gap).Seconds())
		s.Stamp += gap
	case s.State != mission.StateDone:
		log.Info("the time since the mission was interrupted counts as spent", "s", time.Duration(gap).Seconds())
	}
	a.mission, err = mission.Restore(a.cfg.Rules(), s)
	return err
}

// handheld is the standard deviation of a place of which the file states none, m: that of a
// hand-held satellite receiver.
const handheld = 3

// startKnowing reads the samples from before a mission that begins now. Places farther from the
// field than the field is large are refused: they are in other coordinates.
func (e *Explorer) startKnowing() error {
	cfg := e.cfg
	if cfg.Earlier == "" {
		return nil
	}
	near := e.ground.Outline().Boundary.Bound()
	file, column := record.SplitName(cfg.Earlier)
	list, none, err := samples.Read(file, samples.Rules{
		Datum: cfg.Datum(), Units: cfg.Units, Transform: record.Transform(cfg.Reading.Transform),
		StdDev: cfg.Reading.StdDev, PlaceStdDev: handheld, Column: cmp.Or(cfg.EarlierColumn, column), ColumnBy: "earlier.column",
		Near: near.Pad(max(near.Max[0]-near.Min[0], near.Max[1]-near.Min[1])),
	})
	if err != nil {
		return fmt.Errorf("explorer: earlier.file: %w", err)
	}
	if len(list) > 0 {
		e.node.Logger().Info("the model knows samples from before the mission", "file", cfg.Earlier, "samples", len(list))
	}
	if text := none.String(); text != "" {
		e.node.Logger().Warn(text, "file", cfg.Earlier)
	}
	return e.learnEarlier(list)
}

// keepKnowing takes the samples from before a mission that is resumed from its journal: the
// file may have changed since, or be gone.
func (e *Explorer) keepKnowing(found *journal.State) error {
	list := found.Begin.Earlier
	if n := len(found.Runs); n > 0 {
		if was := found.Runs[n-1].Settings[e.node.Name()]["earlier.file"]; was != nil && was != e.cfg.Earlier {
			e.node.Logger().Warn("earlier.file is read at the start of a mission only; the resumed mission keeps the earlier samples that it began with",
				"was", was, "is", e.cfg.Earlier, "samples", len(list))
		}
	}
	return e.learnEarlier(list)
}

// learnEarlier adds samples from before the mission to the model and to the record. The
// model must have no others yet.
func (e *Explorer) learnEarlier(list []record.Observation) error {
	for i := range list {
		s := foreign(&list[i])
		if err := e.optimizer.Check(s); err != nil {
			return fmt.Errorf("explorer: earlier.file: sample %d: %w", list[i].Sequence, err)
		}
		e.optimizer.Add(s)
	}
	e.book.SetEarlier(list)
	return nil
}
