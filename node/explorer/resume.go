package explorer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
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
func (c *core) takeUp(found *journal.State) error {
	now := c.memory.beginning()
	if err := found.Begin.CheckSame(&now); err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s cannot be resumed: %w", c.cfg.OutputDir, err)
	}
	c.reportFound(found)
	at, err := c.mode.restore(found)
	if err == nil {
		c.restoreRecord(found)
		err = c.keepKnowing(found)
	}
	if err == nil {
		err = c.restoreModel(found)
	}
	if err != nil {
		return fmt.Errorf("explorer: the mission in output_dir %s: %w", c.cfg.OutputDir, err)
	}
	c.resumption = resumption{at: at, pending: true}
	c.setHome(found.Started.Home)
	c.finished = at.State == mission.StateDone
	c.memory.begun, c.memory.progress, c.memory.tracked = true, at, len(c.memory.tracks.Estimated)
	return nil
}

// reportFound logs the resumed mission, damage to its journal and changed parameters.
func (c *core) reportFound(found *journal.State) {
	log := c.node.Logger()
	for _, problem := range found.Problems {
		log.Warn("the journal is damaged", "problem", problem)
	}
	if n := len(found.Observations); n > 0 && found.Observations[n-1].Sequence != n {
		log.Error("observations are missing in the journal", "found", n, "taken", found.Observations[n-1].Sequence)
	}
	log.Warn("the mission of an earlier run is taken up"+c.cfg.continues(found.Mission), "folder", c.cfg.OutputDir, "run", len(found.Runs)+1,
		"state", string(found.Mission.State), "samples", len(found.Observations), "driven_m", centimetres(found.Mission.UsedDistance))
	if list := c.changed(found); len(list) > 0 {
		log.Warn("the mission continues with changed parameters", "changed", strings.Join(list, "; "))
	}
}

// continues says what a mission needs to continue that an earlier run left at s.
func (c *Config) continues(s mission.Status) string {
	interrupted := s.State.Active() || s.FaultKind != mission.FaultReported
	switch {
	case c.Passive, s.State == mission.StateDone:
		return ""
	case c.AutoResume && interrupted:
		return "; it goes on with the first pose"
	case c.AutoStart:
		return "; auto_start does not continue it: call ~/resume"
	}
	return "; call ~/resume to continue it"
}

// unremarked are parameters whose changes between runs are not reported.
var unremarked = []string{"output_dir", "existing_mission", "auto_start", "auto_resume"}

// changed returns which of the explorer's parameters differ from the last run's.
func (c *core) changed(found *journal.State) []string {
	n := len(found.Runs)
	if n == 0 {
		return nil
	}
	return record.Changes(found.Runs[n-1].Settings[c.node.Name()], c.memory.settings[c.node.Name()], unremarked...)
}

func (c *core) restoreRecord(found *journal.State) {
	r := &c.memory.record
	r.Started = stampSeconds(found.Started.Stamp)
	for _, run := range found.Runs[min(1, len(found.Runs)):] {
		r.Resumed = append(r.Resumed, stampSeconds(run.Stamp))
	}
	c.memory.startWall = time.Unix(0, found.Started.Wall)
	r.Observations = found.Observations
	for _, k := range found.Skipped {
		r.Skipped = append(r.Skipped, record.Skipped{Target: k.Target, Reason: k.Reason, Stamp: stampSeconds(k.Stamp)})
	}
	r.Decisions = found.Decisions
	for _, h := range found.Hyper {
		r.Hyper = latest(r.Hyper, h, func(h record.HyperAt) int { return h.Samples })
	}
	for _, at := range found.Recommended {
		r.Recommended = latest(r.Recommended, at, func(r record.RecommendedAt) int { return r.Samples })
	}
	if n := len(r.Recommended); n > 0 {
		c.memory.recommend(r.Recommended[n-1])
	}
	if found.Mission.State == mission.StateDone {
		r.Outcome = found.Mission.Ending
	}
	c.memory.tracks.Estimated = found.Track
	for _, known := range found.Precision {
		c.memory.trackStdDev = append(c.memory.trackStdDev, known.StdDev)
	}
	for _, l := range found.Localised {
		c.localised.Add(l.Stamp, l.Seen)
	}
	c.memory.countsBefore = found.Counts
}

// restoreModel restores the optimiser's observations and decisions. It uses the
// hyper-parameters of the last fit, and there is another one only if it is due without the
// interruption, too, so that the next decision is the same.
func (c *core) restoreModel(found *journal.State) error {
	for i := range found.Observations {
		o := &found.Observations[i]
		s := sample(o)
		if err := c.optimizer.Check(s); err != nil {
			return fmt.Errorf("observation %d: %w", o.Sequence, err)
		}
		c.optimizer.Add(s)
	}
	past := planner.Past{Decisions: found.Decided}
	for _, d := range found.Decisions {
		past.Chosen = append(past.Chosen, []float64{d.Target[0], d.Target[1]})
	}
	if n := len(found.Hyper); n > 0 {
		last := found.Hyper[n-1]
		h, err := last.GP()
		if err != nil {
			return err
		}
		past.Hyper = &h
		if !slices.ContainsFunc(c.changed(found), func(change string) bool { // of a parameter that has a say in what is learnt
			return strings.HasPrefix(change, "model.") || strings.HasPrefix(change, "execution.") || strings.HasPrefix(change, "method:")
		}) {
			past.Whole = last.Samples == len(found.Observations)
			for past.Fitted = last.Samples; n > 1 && found.Hyper[n-2].Equal(last.Hyper); n-- {
				past.Fitted = found.Hyper[n-2].Samples // no fit has been made since
			}
			past.Fitted += len(found.Begin.Earlier)
		}
	}
	if err := c.optimizer.Resume(past); err != nil {
		return err
	}
	c.memory.record.Noise = c.noiseRecord()
	return nil
}

// timeCame resumes the mission once the time is known. The time since the last journal
// entry counts against the budget unless the clock was set in between.
func (c *core) timeCame() {
	gap := c.node.Now() - c.resumption.at.Stamp
	counted := gap >= 0 && time.Duration(gap) <= longestGap
	if err := c.mode.resume(c.resumption.at, gap, counted); err != nil { // the status was valid when it was read
		panic(err)
	}
	c.resumption.pending = false
	m := c.memory
	m.record.Resumed = append(m.record.Resumed, stampSeconds(m.node.Now()))
	m.progress = m.status()
	m.note(m.thisRun())
	if !c.finished {
		m.beginBag()
	}
	for _, o := range m.record.Observations {
		c.publishObservation(o)
	}
	c.publishSamples()
	if c.optimizer.Learnt().Posterior != nil {
		c.publishMaps()
	}
	c.publishStatus()
	if c.finished || c.optimizer.Modelled() < c.optimizer.Len() {
		c.think()
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
	s.PoseAge = max(s.PoseAge, int64(seconds(a.cfg.Mission.PoseTimeout)+time.Millisecond))
	if a.mission, err = mission.Restore(a.cfg.mission(), s); err != nil {
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
	for _, k := range found.Skipped {
		a.ground.Skip(k.Target, a.cfg.SkipRadius, k.Until)
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
	a.mission, err = mission.Restore(a.cfg.mission(), s)
	return err
}

// handheld is the standard deviation of a place of which the file states none, m: that of a
// hand-held satellite receiver.
const handheld = 3

// startKnowing reads the samples from before a mission that begins now. Places farther from the
// field than the field is large are refused: they are in other coordinates.
func (c *core) startKnowing() error {
	cfg := c.cfg
	if cfg.Earlier == "" {
		return nil
	}
	datum, err := convert.Datum("field.datum", cfg.Field.Datum)
	if err != nil {
		return fmt.Errorf("explorer: %w", err)
	}
	near := c.ground.Outline().Boundary.Bound()
	list, err := samples.Read(cfg.Earlier, samples.Rules{
		Datum: datum, Units: cfg.Units, Transform: record.Transform(cfg.Reading.Transform),
		StdDev: cfg.Reading.StdDev, PlaceStdDev: handheld,
		Near: near.Pad(max(near.Max[0]-near.Min[0], near.Max[1]-near.Min[1])),
	})
	if err != nil {
		return fmt.Errorf("explorer: earlier.file: %w", err)
	}
	if len(list) > 0 {
		c.node.Logger().Info("the model knows samples from before the mission", "file", cfg.Earlier, "samples", len(list))
	}
	return c.learnEarlier(list)
}

// keepKnowing takes the samples from before a mission that is resumed from its journal: the
// file may have changed since, or be gone.
func (c *core) keepKnowing(found *journal.State) error {
	list := found.Begin.Earlier
	if n := len(found.Runs); n > 0 {
		if was := found.Runs[n-1].Settings[c.node.Name()]["earlier.file"]; was != nil && was != c.cfg.Earlier {
			c.node.Logger().Warn("earlier.file is read at the start of a mission only; the resumed mission keeps the earlier samples that it began with",
				"was", was, "is", c.cfg.Earlier, "samples", len(list))
		}
	}
	return c.learnEarlier(list)
}

// learnEarlier adds samples from before the mission to the model and to the record. The
// model must have no others yet.
func (c *core) learnEarlier(list []record.Observation) error {
	for i := range list {
		s := foreign(&list[i])
		if err := c.optimizer.Check(s); err != nil {
			return fmt.Errorf("explorer: earlier.file: sample %d: %w", list[i].Sequence, err)
		}
		c.optimizer.Add(s)
	}
	c.memory.record.Earlier = list
	return nil
}
