// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package decide says when the model is learnt again, and when a target is chosen.
package decide

import (
	"errors"
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/pilot"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/explorer/team"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
)

// Decider handles observations, and decides. One task at a time learns and chooses on a snapshot, concurrently with the callbacks. Use it
// only from its node's executor.
type Decider struct {
	Parts
	tell            func(mission.Event)
	idle            func()
	warn, warnPiece ros.Throttle // warnPiece: of observations while the robot drives
	warnHeard       ros.Throttle // of values of the second sensor

	working  bool          // a task is under way
	took     time.Duration // of the last task, by the wall clock
	planned  int           // number of the last plan that the mission has requested
	held     *learn.Task   // a decision that waits for team mates; nil: none
	wanted   bool          // a target is wanted, and none is being chosen
	unlogged bool          // the newest sample is not in the log yet
}

// Parts are what a decider uses.
type Parts struct {
	Node    *ros.Node
	Config  *settings.Config
	Ground  *ground.Ground
	Sense   *sense.Sense
	Team    *team.Team
	Learner *learn.Learner
	Book    *logbook.Logbook
	Show    *show.Show
	Pilot   *pilot.Pilot // nil: the mode only suggests targets

	Mode    mission.Mode
	Account *mission.Account // the mission, as far as it can be asked
}

// Log logs a line of the mission.
func (p *Parts) Log(format string, args ...any) { p.Node.Logger().Info(fmt.Sprintf(format, args...)) }

// New returns an idle decider. It passes events to the mission by tell, and calls idle when a task has ended and no other begins.
func New(p Parts, tell func(mission.Event), idle func()) *Decider {
	return &Decider{Parts: p, tell: tell, idle: idle, warn: p.Node.NewThrottle(time.Second), warnPiece: p.Node.NewThrottle(time.Second), warnHeard: p.Node.NewThrottle(time.Second)}
}

// Working reports whether a task is under way.
func (d *Decider) Working() bool { return d.working }

// Took returns the duration of the last task, by the wall clock.
func (d *Decider) Took() time.Duration { return d.took }

// Observed handles an observation, with the values of other quantities there.
func (d *Decider) Observed(o localization.Observation, also []*record.Value) {
	if d.Mode.Pieces {
		d.passed(o, also)
	} else {
		d.sampled(o, also)
	}
}

// sampled handles the observation of a stop at a target.
func (d *Decider) sampled(o localization.Observation, also []*record.Value) {
	now := d.Node.Now()
	approach := d.Pilot.Approach
	approach.GaveUp = d.Account.Status().Drive == mission.DriveGivenUp
	if err := d.Learner.Observe(o, also, d.Pilot.Target, &approach); err != nil {
		d.tell(mission.EventSampleFailed{Stamp: now, Reason: err.Error()})
		return
	}
	d.showSamples()
	taken := d.Book.Record().Observations
	d.unlogged = taken[len(taken)-1].Struck == "" // else the log has it already
	if d.Account.Status().RemainingSamples == 1 { // what comes next does not wait for the model
		d.logSample(false)
	}
	d.tell(mission.EventSampled{Stamp: now, Again: record.AsksAgain(taken)})
	d.Think()
}

// passed handles the observation of a piece of path, or of a halt away from the targets.
func (d *Decider) passed(o localization.Observation, also []*record.Value) {
	if err := d.Learner.Observe(o, also, orb.Point{o.Belief.X, o.Belief.Y}, nil); err != nil {
		d.warnPiece.Warn("an observation is not used", "error", err.Error())
		return
	}
	d.tell(mission.EventSampled{Stamp: d.Node.Now()})
	if !d.Mode.Suggests {
		d.knowsMore()
	} else if o.Path == nil || d.Learner.MuchNew() {
		d.showSamples()
		d.wanted = true
		d.Think()
	}
}

// Heard handles a value of the second sensor. It causes no decision: the next task uses it.
func (d *Decider) Heard(o localization.Observation) {
	if err := d.Learner.Heard(o); err != nil {
		d.warnHeard.Warn("a value of the second sensor is not used", "error", err.Error())
	}
}

// LearnOfMate handles an observation of a team mate.
func (d *Decider) LearnOfMate(robot string, o record.Observation) error {
	err := d.Learner.Mate(robot, o)
	if err == nil {
		d.knowsMore()
	}
	return err
}

// StrikeOfMate is called when a team mate has struck an observation, or restored it.
func (d *Decider) StrikeOfMate(robot string, sequence int, struck bool) {
	d.Learner.StrikeOfMate(robot, sequence, struck)
	if d.Learner.Restruck() {
		d.Think()
	}
}

// Strike strikes a sample, or restores it if the reason is empty, and the model is learnt again.
func (d *Decider) Strike(sequence int, why record.Struck) (text string, err error) {
	if text, err = d.Learner.Strike(sequence, why); err != nil {
		return "", err
	}
	d.showSamples()
	d.Think()
	return text, nil
}

// knowsMore starts a new choice of the target, or learning, if there are enough new observations.
func (d *Decider) knowsMore() {
	state := d.Account.State()
	switch {
	case !d.Mode.Pieces:
		if state != mission.StateIdle { // the first decision uses it
			d.Think()
		}
	case !d.Learner.MuchNew():
	case d.Mode.Suggests:
		if d.Sense.HasPose() {
			d.wanted = true
			d.Think()
		}
	case state == mission.StateTravelling:
		d.tell(mission.EventReconsider{Stamp: d.Node.Now()})
	case state == mission.StateReturning:
		d.asked()
		d.Think()
	}
}

// asked notes and shows that the present observations are being learnt.
func (d *Decider) asked() {
	d.Learner.Asked()
	d.showSamples()
}

// Plan starts the choice of a target for the mission's plan with a number.
func (d *Decider) Plan(number int) {
	d.wanted, d.planned = true, number
	d.held = nil // a held decision was for an earlier plan
	d.Team.Ask()
	d.Think()
}

// Forget drops pending requests, because a person has given a target.
func (d *Decider) Forget() { d.wanted, d.held = false, nil }

// Finish starts learning of what is left at the end of a mission with pieces of path.
func (d *Decider) Finish() {
	switch {
	case !d.Mode.Suggests:
		d.asked()
	case !d.working:
		d.Learner.Arrived(d.Sense.Probe())
	}
	if d.Learner.Behind() {
		d.Think()
	}
}

// Think runs a task on a snapshot: after each sample, and when the mission wants a target.
func (d *Decider) Think() {
	if d.working {
		return // its end asks again
	}
	t := &learn.Task{Own: len(d.Book.Record().Observations), Team: len(d.Book.Record().Team)}
	d.Learner.Expect(d.Node.Now())
	var wish *planner.TargetRequest
	if d.wanted {
		d.wanted, wish = false, d.wish(t)
	}
	t.Job = d.Learner.Job(wish)
	d.working = true
	d.Node.Async(func() {
		began := d.Config.Wall()
		t.Run()
		t.Took = d.Config.Wall().Sub(began)
	}, func() { d.thought(t) })
}

// thought handles the result of a task.
func (d *Decider) thought(t *learn.Task) {
	d.working, d.took = false, t.Took
	if t.Err != nil {
		d.Node.Logger().Error("the model cannot be computed", "error", t.Err.Error())
		wanted := d.wanted || t.Request() != nil
		d.wanted = false
		d.logSample(false)
		if wanted && !d.Mode.Suggests {
			d.tell(mission.EventPlanFailed{Stamp: d.Node.Now(), Plan: d.planned, Reason: t.Err.Error()})
		}
		d.idle()
		return
	}
	if d.Learner.Outdated(t.Job) { // a result based on a struck sample is not used
		d.wanted = d.wanted || t.Request() != nil
		d.Think()
		return
	}
	more := d.Learner.Adopt(t.Job)
	if more {
		d.Learner.Note(t)
		if t.Own > 0 && t.Own == len(d.Book.Record().Observations) {
			d.logSample(true)
		}
		d.Show.Status()
	}
	if t.Request() != nil {
		d.decided(t)
	}
	if more { // the robot is on its way while they are computed
		d.Show.Maps()
	}
	// With pieces of path, a decision learns many samples at once.
	done := d.Account.State() == mission.StateDone
	if d.wanted || !d.Mode.Pieces && d.Learner.Len() > t.Samples || d.Learner.Restruck() || done && d.Learner.Behind() {
		d.Think()
		return
	}
	d.idle()
}

// wish returns the request for a target, if one is wanted.
func (d *Decider) wish(t *learn.Task) *planner.TargetRequest {
	if d.Mode.Suggests {
		d.Learner.Asked()
		at := d.Sense.Probe()
		d.Learner.Arrived(at)
		return &planner.TargetRequest{Robot: at[:], Reach: acquire.Anywhere(), Price: d.Config.Price(mission.Ledger{}), Pending: d.Team.Targets()}
	}
	t.Plan = d.planned
	at, home, ledger := d.Sense.Place(), d.Ground.Home(), d.Account.Ledger()
	w := &planner.TargetRequest{
		Robot: at[:],
		Price: d.Config.Price(ledger),
		Reach: acquire.Reach{
			Range: ledger.Range(), Home: home[:], Allowed: d.Pilot.Inset(d.Learner.Expectation()),
			Avoid: append(d.Ground.Skipped(d.Node.Now()), d.Learner.Discs()...),
		},
		Pending: d.Team.Targets(),
	}
	if !d.Mode.Pieces {
		return w
	}
	d.asked()
	// A target near the robot would be reached at once, so that it might stay where it is for ever. A grid has each point once.
	if d.Config.Method != settings.MethodGrid && d.Config.Method != settings.MethodLines {
		w.Reach.Avoid = append(w.Reach.Avoid, acquire.Disc{Centre: w.Robot, Radius: max(d.Config.Path.Length, 1.5*d.Config.Mission.Lead())})
	}
	return w
}

// HeldDue carries out the decision that waits for team mates, once it need not wait any more.
func (d *Decider) HeldDue() {
	t := d.held
	if t == nil || d.Team.Awaits() {
		return
	}
	d.held = nil
	if d.decided(t); d.wanted {
		d.Think()
	}
}

// decided carries out a decision, unless it is too late or must wait for team mates.
func (d *Decider) decided(t *learn.Task) {
	now := d.Node.Now()
	switch {
	case d.Mode.Suggests:
		d.suggested(t)
		return
	case !d.Account.Awaits(t.Plan): // another one was requested, or none is wanted any more
		d.Node.Logger().Info("a decision came too late and is dropped", "plan", t.Plan, "state", string(d.Account.State()))
		return
	case d.Team.Awaits():
		d.held = t
		return
	case d.Team.Outdated(t.Request().Pending):
		d.wanted = true
		return
	case d.relaxes(t):
		d.wanted = true
		d.Think()
		return
	}
	d.Learner.Decide(t.Job)
	number := d.Learner.Decisions()
	if t.NoTarget != nil {
		d.Book.Decided(number, nil)
		reason, exhausted := t.NoTarget.Error(), false
		if none := new(acquire.NoTargetError); errors.As(t.NoTarget, &none) {
			reason, exhausted = none.Why(), true
		}
		d.tell(mission.EventPlanFailed{Stamp: now, Plan: t.Plan, Reason: reason, Exhausted: exhausted})
		return
	}
	x := orb.Point(t.Target.X)
	if _, err := d.Ground.PathTo(d.Sense.Place(), x); err != nil {
		d.Book.Decided(number, nil)
		d.Pilot.Skip(mission.CommandSkipped{Target: x, Reason: err.Error()})
		d.tell(mission.EventPlanFailed{Stamp: now, Plan: t.Plan, Reason: err.Error()})
		return
	}
	d.Book.Decided(number, &record.Decision{
		Samples: t.Own, Target: x, Acquisition: t.Target.Acquisition,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
	})
	expected := ""
	if t.Samples > 0 {
		expected = ", expected " + d.Book.Record().Expected(t.Target.Mean, t.Target.StdDev)
	}
	if !d.Mode.Pieces {
		number = d.Account.Status().Samples + 1
	}
	d.Log("target %d: %s, %s of path%s", number, show.Place(x), show.Metres(t.Target.Length), expected)
	d.tell(mission.EventPlanned{
		Stamp: now, Plan: t.Plan, Target: x, PathLength: t.Target.Length, HomeDistance: d.Ground.PathLengthHome(x),
	})
}

// relaxes reports whether no place was left for a decision, and rules are relaxed for the next one: first those about edges, and at the end
// of a grid those about places that were given up, if it has points that were never chosen or were given up once.
func (d *Decider) relaxes(t *learn.Task) bool {
	none := new(acquire.NoTargetError)
	switch {
	case !errors.As(t.NoTarget, &none):
		return false
	case t.Request().Reach.Allowed != nil:
		d.Pilot.Edge.Bold()
		return true
	}
	return none.GridTaken < none.GridSize && d.Ground.Readmit()
}

// suggested publishes the goal to which a driving mode would have sent the robot.
func (d *Decider) suggested(t *learn.Task) {
	d.Learner.Decide(t.Job)
	if t.NoTarget != nil {
		d.warn.Warn("no goal was found to suggest", "error", t.NoTarget.Error())
		return
	}
	s := d.Learner.Suggest(t, d.Node.Now())
	d.Log("after %d observations: suggesting %s, %s away, expected %s", s.Samples, show.Place(orb.Point(s.Target)), show.Metres(s.Path), d.Book.Record().Expected(s.Mean, s.StdDev))
}

func (d *Decider) showSamples() { d.Show.Samples(d.Book.Record().Observations) }

// logSample logs the newest sample, if it is not logged yet. known says whether the model
// knows it already.
func (d *Decider) logSample(known bool) {
	if d.unlogged {
		d.unlogged = false
		d.Log("%s", show.Sample(d.Book.Record(), d.Account.Status(), known))
	}
}
