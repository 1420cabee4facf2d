package explorer

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
)

// sampled takes up the observation of a stop at a target.
func (l *loop) sampled(o localization.Observation) {
	now := l.now()
	approach := l.pilot.Approach
	approach.GaveUp = l.mission.Status().Drive == mission.DriveGivenUp
	if err := l.learner.Observe(o, l.pilot.Target, &approach, l.truth.Place(o.Stamp)); err != nil {
		l.tell(mission.EventSampleFailed{Stamp: now, Reason: err.Error()})
		return
	}
	l.publishSamples()
	l.unlogged = true
	if l.mission.Status().RemainingSamples == 1 { // what comes next does not wait for the model
		l.logSample(false)
	}
	l.tell(mission.EventSampled{Stamp: now})
	l.think()
}

// passed takes up the observation of a piece of path, or of a halt to which nobody sent the robot.
func (l *loop) passed(o localization.Observation) {
	if err := l.learner.Observe(o, orb.Point{o.Belief.X, o.Belief.Y}, nil, l.truth.Place(o.Stamp)); err != nil {
		l.warnPiece.Warn("an observation is not used", "error", err.Error())
		return
	}
	l.tell(mission.EventSampled{Stamp: l.now()})
	if !l.mode.Suggests {
		l.knowsMore()
	} else if o.Path == nil || l.learner.MuchNew() {
		l.publishSamples()
		l.suggest()
	}
}

// learnOfMate takes up an observation of a team mate.
func (l *loop) learnOfMate(robot string, o record.Observation) error {
	err := l.learner.Mate(robot, o)
	if err == nil {
		l.knowsMore()
	}
	return err
}

// knowsMore has the target chosen anew, or the observations learnt, when there are enough since
// the last time.
func (l *loop) knowsMore() {
	state := l.mission.State()
	switch {
	case !l.mode.Pieces:
		if state != mission.StateIdle { // the first decision learns of it
			l.think()
		}
	case !l.learner.MuchNew():
	case l.mode.Suggests:
		if l.sense.HasPose() {
			l.suggest()
		}
	case state == mission.StateTravelling:
		l.tell(mission.EventReconsider{Stamp: l.now()})
	case state == mission.StateReturning:
		l.learner.Asked()
		l.publishSamples()
		l.think()
	}
}

// suggest asks for a suggestion.
func (l *loop) suggest() {
	l.wanted = true
	l.think()
}

// think runs a task on what is known now: after each sample, and when the mission wants
// a target.
func (l *loop) think() {
	if l.working {
		return // its end asks again
	}
	t := &learn.Task{Own: len(l.book.Record().Observations)}
	l.learner.Expect(l.now())
	var wish *planner.TargetRequest
	if l.wanted {
		l.wanted, wish = false, l.wish(t)
	}
	t.Job = l.learner.Job(wish)
	l.working = true
	l.node.Async(func() {
		began := l.cfg.Wall()
		t.Run()
		t.Took = l.cfg.Wall().Sub(began)
	}, func() { l.thought(t) })
}

// thought takes over what a task has found.
func (l *loop) thought(t *learn.Task) {
	l.working, l.took = false, t.Took
	if t.Err != nil {
		l.node.Logger().Error("the model cannot be computed", "error", t.Err.Error())
		wanted := l.wanted || t.Request() != nil
		l.wanted = false
		l.failed(t, wanted)
		if l.finished && !l.working {
			l.save()
		}
		return
	}
	more := l.learner.Adopt(t.Job)
	if more {
		l.learner.Note(t)
		if t.Own > 0 && t.Own == len(l.book.Record().Observations) {
			l.logSample(true)
		}
		l.publishStatus()
	}
	if t.Request() != nil {
		l.decided(t)
	}
	if more { // the robot is on its way while they are computed
		l.publishMaps()
	}
	// With pieces of path, a decision learns many samples at once.
	atOnce := l.finished || !l.mode.Pieces
	if l.wanted || atOnce && l.learner.Len() > t.Samples {
		l.think()
		return
	}
	if l.finished {
		l.save()
	}
}

// failed tells the mission, if a target was wanted, that the model cannot be computed.
func (l *loop) failed(t *learn.Task, wanted bool) {
	if l.mode.Suggests {
		return
	}
	l.logSample(false)
	if wanted {
		l.tell(mission.EventPlanFailed{Stamp: l.now(), Plan: l.planned, Reason: t.Err.Error()})
	}
}

// wish returns what a task is to decide, when a target is wanted.
func (l *loop) wish(t *learn.Task) *planner.TargetRequest {
	if l.mode.Suggests {
		l.learner.Asked()
		at := l.sense.Probe()
		l.learner.Arrived(at)
		return &planner.TargetRequest{Robot: at[:], Reach: acquire.Anywhere(), Price: l.cfg.Price(mission.Ledger{}), Pending: l.team.Targets()}
	}
	t.Plan = l.planned
	at, home, ledger := l.sense.Place(), l.ground.Home(), l.mission.Ledger()
	w := &planner.TargetRequest{
		Robot: at[:],
		Price: l.cfg.Price(ledger),
		Reach: acquire.Reach{
			Range: ledger.Range(), Home: home[:], Allowed: l.pilot.Inset(l.learner.Expectation(), l.guard.Needs()),
			Avoid: append(l.ground.Skipped(l.now()), l.learner.Discs()...),
		},
		Pending: l.team.Targets(),
	}
	if !l.mode.Ahead {
		return w
	}
	l.learner.Asked()
	l.publishSamples()
	// A target near the robot would be reached at once, so that it might stay where it is for ever. A grid has each point once.
	if l.cfg.Method != settings.MethodGrid && l.cfg.Method != settings.MethodLines {
		w.Reach.Avoid = append(w.Reach.Avoid, acquire.Disc{Centre: w.Robot, Radius: max(l.cfg.Path.Length, 1.5*l.cfg.Mission.Lead())})
	}
	return w
}

// heldDue takes up the decision that waits for team mates, once it need not wait any more.
func (l *loop) heldDue() {
	t := l.held
	if t == nil || l.team.Awaits() {
		return
	}
	l.held = nil
	if l.decided(t); l.wanted {
		l.think()
	}
}

// decided carries out a decision, unless it is too late or must wait for team mates.
func (l *loop) decided(t *learn.Task) {
	now := l.now()
	switch {
	case l.mode.Suggests:
		l.suggested(t)
		return
	case !l.mission.Awaits(t.Plan): // it was made anew, or is not wanted any more
		l.node.Logger().Info("a decision comes too late and is dropped", "plan", t.Plan, "state", string(l.mission.State()))
		return
	case l.team.Awaits():
		l.held = t
		return
	case l.team.Outdated(t.Request().Pending):
		l.wanted = true
		return
	case t.Request().Reach.Allowed != nil && errors.Is(t.NoTarget, acquire.ErrNoTarget):
		l.pilot.Edge.Bold()
		l.wanted = true
		l.think()
		return
	}
	l.learner.Decide(t.Job)
	number := l.learner.Decisions()
	if t.NoTarget != nil {
		l.book.Decided(number, nil)
		reason, exhausted := t.NoTarget.Error(), false
		if none := new(acquire.NoTargetError); errors.As(t.NoTarget, &none) {
			reason, exhausted = none.Why(), true
		}
		l.tell(mission.EventPlanFailed{Stamp: now, Plan: t.Plan, Reason: reason, Exhausted: exhausted})
		return
	}
	x := orb.Point(t.Target.X)
	path, err := l.ground.PathTo(l.sense.Place(), x)
	if err != nil {
		l.book.Decided(number, nil)
		l.book.Skipped(l.pilot.Skip(mission.CommandSkipped{Target: x, Reason: err.Error()}))
		l.tell(mission.EventPlanFailed{Stamp: now, Plan: t.Plan, Reason: err.Error()})
		return
	}
	l.book.Decided(number, &record.Decision{
		Samples: t.Own, Target: x, Acquisition: t.Target.Acquisition,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
	})
	l.logTarget(t)
	l.pilot.Tell(path, mission.EventPlanned{
		Stamp: now, Plan: t.Plan, Target: x, PathLength: t.Target.Length, HomeDistance: l.ground.PathLengthHome(x),
	})
}

// suggested publishes the goal to which a mode that drives would have sent the robot.
func (l *loop) suggested(t *learn.Task) {
	l.learner.Decide(t.Job)
	if t.NoTarget != nil {
		l.warn.Warn("no goal can be suggested", "error", t.NoTarget.Error())
		return
	}
	s := record.Suggestion{
		Samples: t.Own, Stamp: float64(l.now()) / 1e9, Robot: record.Place(t.Request().Robot),
		Target: record.Place(t.Target.X), Path: t.Target.Length,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
		WentMean: math.NaN(), WentStdDev: math.NaN(),
	}
	l.book.Suggested(s)
	l.logLine("after %d observations: suggesting %s, %s away, expected %s", s.Samples, show.Place(orb.Point(s.Target)), show.Metres(s.Path), l.book.Record().Expected(s.Mean, s.StdDev))
	l.show.Suggestion(&s)
}

// logTarget tells of a target that the robot is sent to.
func (l *loop) logTarget(t *learn.Task) {
	expected := ""
	if t.Samples > 0 {
		expected = ", expected " + l.book.Record().Expected(t.Target.Mean, t.Target.StdDev)
	}
	number := l.mission.Status().Samples + 1
	if l.mode.Ahead {
		number = l.learner.Decisions()
	}
	l.logLine("target %d: %s, %s of path%s", number, show.Place(orb.Point(t.Target.X)), show.Metres(t.Target.Length), expected)
}

// logSample logs the newest sample, if it is not logged yet. known says whether the model
// knows it already.
func (l *loop) logSample(known bool) {
	if l.unlogged {
		l.unlogged = false
		l.logLine("%s", l.snapshot().Sample(known))
	}
}

// logLine logs a line of the mission.
func (l *loop) logLine(format string, args ...any) {
	l.node.Logger().Info(fmt.Sprintf(format, args...))
}
