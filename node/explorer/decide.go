// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"errors"

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
	now := l.Now()
	approach := l.Pilot.Approach
	approach.GaveUp = l.Mission.Status().Drive == mission.DriveGivenUp
	if err := l.Learner.Observe(o, l.Pilot.Target, &approach, l.Truth.Place(o.Stamp)); err != nil {
		l.tell(mission.EventSampleFailed{Stamp: now, Reason: err.Error()})
		return
	}
	l.publishSamples()
	taken := l.Book.Record().Observations
	l.unlogged = taken[len(taken)-1].Struck == "" // else the log has it already
	if l.Mission.Status().RemainingSamples == 1 { // what comes next does not wait for the model
		l.logSample(false)
	}
	l.tell(mission.EventSampled{Stamp: now, Again: record.AsksAgain(taken)})
	l.think()
}

// passed takes up the observation of a piece of path, or of a halt to which nobody sent the robot.
func (l *loop) passed(o localization.Observation) {
	if err := l.Learner.Observe(o, orb.Point{o.Belief.X, o.Belief.Y}, nil, l.Truth.Place(o.Stamp)); err != nil {
		l.warnPiece.Warn("an observation is not used", "error", err.Error())
		return
	}
	l.tell(mission.EventSampled{Stamp: l.Now()})
	if !l.Mode.Suggests {
		l.knowsMore()
	} else if o.Path == nil || l.Learner.MuchNew() {
		l.publishSamples()
		l.wanted = true
		l.think()
	}
}

// learnOfMate takes up an observation of a team mate.
func (l *loop) learnOfMate(robot string, o record.Observation) error {
	err := l.Learner.Mate(robot, o)
	if err == nil {
		l.knowsMore()
	}
	return err
}

// strikeOfMate takes up that a team mate has struck an observation, or restored it.
func (l *loop) strikeOfMate(robot string, sequence int, struck bool) {
	l.Learner.StrikeOfMate(robot, sequence, struck)
	if l.Learner.Restruck() {
		l.think()
	}
}

// strike strikes a sample, or restores it without a reason, and has the model learnt again.
func (l *loop) strike(sequence int, why record.Struck) (text string, err error) {
	if text, err = l.Learner.Strike(sequence, why); err != nil {
		return "", err
	}
	l.publishSamples()
	l.think()
	return text, nil
}

// knowsMore has the target chosen anew, or the observations learnt, when there are enough since
// the last time.
func (l *loop) knowsMore() {
	state := l.Mission.State()
	switch {
	case !l.Mode.Pieces:
		if state != mission.StateIdle { // the first decision learns of it
			l.think()
		}
	case !l.Learner.MuchNew():
	case l.Mode.Suggests:
		if l.Sense.HasPose() {
			l.wanted = true
			l.think()
		}
	case state == mission.StateTravelling:
		l.tell(mission.EventReconsider{Stamp: l.Now()})
	case state == mission.StateReturning:
		l.Learner.Asked()
		l.publishSamples()
		l.think()
	}
}

// think runs a task on what is known now: after each sample, and when the mission wants
// a target.
func (l *loop) think() {
	if l.Working {
		return // its end asks again
	}
	t := &learn.Task{Own: len(l.Book.Record().Observations), Team: len(l.Book.Record().Team)}
	l.Learner.Expect(l.Now())
	var wish *planner.TargetRequest
	if l.wanted {
		l.wanted, wish = false, l.wish(t)
	}
	t.Job = l.Learner.Job(wish)
	l.Working = true
	l.Node.Async(func() {
		began := l.Config.Wall()
		t.Run()
		t.Took = l.Config.Wall().Sub(began)
	}, func() { l.thought(t) })
}

// thought takes over what a task has found.
func (l *loop) thought(t *learn.Task) {
	l.Working, l.Took = false, t.Took
	if t.Err != nil {
		l.Node.Logger().Error("the model cannot be computed", "error", t.Err.Error())
		wanted := l.wanted || t.Request() != nil
		l.wanted = false
		l.logSample(false)
		if wanted && !l.Mode.Suggests {
			l.tell(mission.EventPlanFailed{Stamp: l.Now(), Plan: l.planned, Reason: t.Err.Error()})
		}
		if l.Finished && !l.Working {
			l.save()
		}
		return
	}
	if l.Learner.Outdated(t.Job) { // nothing of a sample that is struck is believed any more
		l.wanted = l.wanted || t.Request() != nil
		l.think()
		return
	}
	more := l.Learner.Adopt(t.Job)
	if more {
		l.Learner.Note(t)
		if t.Own > 0 && t.Own == len(l.Book.Record().Observations) {
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
	atOnce := l.Finished || !l.Mode.Pieces
	if l.wanted || atOnce && l.Learner.Len() > t.Samples || l.Learner.Restruck() {
		l.think()
		return
	}
	if l.Finished {
		l.save()
	}
}

// wish returns what a task is to decide, when a target is wanted.
func (l *loop) wish(t *learn.Task) *planner.TargetRequest {
	if l.Mode.Suggests {
		l.Learner.Asked()
		at := l.Sense.Probe()
		l.Learner.Arrived(at)
		return &planner.TargetRequest{Robot: at[:], Reach: acquire.Anywhere(), Price: l.Config.Price(mission.Ledger{}), Pending: l.Team.Targets()}
	}
	t.Plan = l.planned
	at, home, ledger := l.Sense.Place(), l.Ground.Home(), l.Mission.Ledger()
	w := &planner.TargetRequest{
		Robot: at[:],
		Price: l.Config.Price(ledger),
		Reach: acquire.Reach{
			Range: ledger.Range(), Home: home[:], Allowed: l.Pilot.Inset(l.Learner.Expectation(), l.Guard.NeedsAlways()),
			Avoid: append(l.Ground.Skipped(l.Now()), l.Learner.Discs()...),
		},
		Pending: l.Team.Targets(),
	}
	if !l.Mode.Pieces {
		return w
	}
	l.Learner.Asked()
	l.publishSamples()
	// A target near the robot would be reached at once, so that it might stay where it is for ever. A grid has each point once.
	if l.Config.Method != settings.MethodGrid && l.Config.Method != settings.MethodLines {
		w.Reach.Avoid = append(w.Reach.Avoid, acquire.Disc{Centre: w.Robot, Radius: max(l.Config.Path.Length, 1.5*l.Config.Mission.Lead())})
	}
	return w
}

// heldDue takes up the decision that waits for team mates, once it need not wait any more.
func (l *loop) heldDue() {
	t := l.held
	if t == nil || l.Team.Awaits() {
		return
	}
	l.held = nil
	if l.decided(t); l.wanted {
		l.think()
	}
}

// decided carries out a decision, unless it is too late or must wait for team mates.
func (l *loop) decided(t *learn.Task) {
	now := l.Now()
	switch {
	case l.Mode.Suggests:
		l.suggested(t)
		return
	case !l.Mission.Awaits(t.Plan): // it was made anew, or is not wanted any more
		l.Node.Logger().Info("a decision comes too late and is dropped", "plan", t.Plan, "state", string(l.Mission.State()))
		return
	case l.Team.Awaits():
		l.held = t
		return
	case l.Team.Outdated(t.Request().Pending):
		l.wanted = true
		return
	case t.Request().Reach.Allowed != nil && errors.Is(t.NoTarget, acquire.ErrNoTarget):
		l.Pilot.Edge.Bold()
		l.wanted = true
		l.think()
		return
	}
	l.Learner.Decide(t.Job)
	number := l.Learner.Decisions()
	if t.NoTarget != nil {
		l.Book.Decided(number, nil)
		reason, exhausted := t.NoTarget.Error(), false
		if none := new(acquire.NoTargetError); errors.As(t.NoTarget, &none) {
			reason, exhausted = none.Why(), true
		}
		l.tell(mission.EventPlanFailed{Stamp: now, Plan: t.Plan, Reason: reason, Exhausted: exhausted})
		return
	}
	x := orb.Point(t.Target.X)
	path, err := l.Ground.PathTo(l.Sense.Place(), x)
	if err != nil {
		l.Book.Decided(number, nil)
		l.Book.Skipped(l.Pilot.Skip(mission.CommandSkipped{Target: x, Reason: err.Error()}))
		l.tell(mission.EventPlanFailed{Stamp: now, Plan: t.Plan, Reason: err.Error()})
		return
	}
	l.Book.Decided(number, &record.Decision{
		Samples: t.Own, Target: x, Acquisition: t.Target.Acquisition,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
	})
	l.Log("%s", l.TargetLine(t))
	l.Pilot.Tell(path, mission.EventPlanned{
		Stamp: now, Plan: t.Plan, Target: x, PathLength: t.Target.Length, HomeDistance: l.Ground.PathLengthHome(x),
	})
}

// suggested publishes the goal to which a mode that drives would have sent the robot.
func (l *loop) suggested(t *learn.Task) {
	l.Learner.Decide(t.Job)
	if t.NoTarget != nil {
		l.warn.Warn("no goal can be suggested", "error", t.NoTarget.Error())
		return
	}
	s := l.Learner.Suggest(t, l.Now())
	l.Log("after %d observations: suggesting %s, %s away, expected %s", s.Samples, show.Place(orb.Point(s.Target)), show.Metres(s.Path), l.Book.Record().Expected(s.Mean, s.StdDev))
}

// logSample logs the newest sample, if it is not logged yet. known says whether the model
// knows it already.
func (l *loop) logSample(known bool) {
	if l.unlogged {
		l.unlogged = false
		l.Log("%s", l.Snapshot().Sample(known))
	}
}
