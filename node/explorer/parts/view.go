// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"cmp"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

// View is an explorer as others see it. It changes nothing.
type View struct{ *Parts }

// StateHeading is the state that others see while a drive finds the heading. The mission itself has not begun, or waits for poses.
const StateHeading mission.State = "heading"

// State returns the mission's state, or StateHeading while a drive finds the heading: a reader of idle or fault would not expect the robot
// to move.
func (v View) State() mission.State {
	if v.Pilot != nil && v.Pilot.Heading.Drive() != "" {
		return StateHeading
	}
	return v.Mission.State()
}

// Text says in a line what the mission is doing.
func (v View) Text() string {
	text, state := v.Mission.Text(), v.Mission.State()
	if v.Pilot == nil {
		return text
	}
	if other := v.notYet(); other != "" {
		text = other
	} else if state == mission.StateFault && v.Mission.Status().FaultKind == mission.FaultNoPose {
		text += ": " + v.noPose()
	}
	if why := v.Pilot.Driver.DrivesOn(math.Abs(v.Sense.Speed()) > mission.StandingSpeed); why != "" {
		text += "; " + why
	}
	return text
}

// notYet says what the robot does, or may do, while its mission has not begun or is not really paused yet, or "".
func (v View) notYet() string {
	switch {
	case v.Pilot == nil:
		return ""
	case v.Mission.State() == mission.StatePaused && v.Pilot.Driver.StaleGoal() != "":
		return v.Pilot.Driver.StaleGoal()
	}
	return v.Pilot.Heading.Drive()
}

// Line says the same, with the state.
func (v View) Line() string {
	if v.notYet() != "" {
		return string(v.Mission.State()) + ": " + v.Text()
	}
	return v.Text()
}

// Trouble returns the most urgent problem that the mission's text does not name, or "".
func (v View) Trouble() string {
	var cause mission.FaultCause
	var named []string // checks
	s := v.Mission.Status()
	switch {
	case v.Pilot == nil:
	case v.notYet() != "":
		if s.State == mission.StatePaused {
			named = []string{drive.GoalCheck}
		}
	case s.FaultKind == mission.FaultNoPose && !v.Pilot.Heading.Lacks() && v.Sense.Refusal() == nil:
		named = []string{sense.PoseCheck, sense.TFCheck, sense.CovarianceCheck}
	case s.Reported():
		if cause = s.FaultCause; cause == mission.CauseNav2 {
			named = []string{drive.GoalCheck, drive.Nav2Check}
		}
	case s.State == mission.StateReturning && s.AfterFailures && s.FailedBy == mission.CauseReading,
		s.State == mission.StateDone: // no reading is needed any more, and the reason of the end may be that none came
		named = []string{sense.ReadingCheck}
	}
	unguarded, guard := v.Unguarded(), ""
	if cause == mission.CauseNoGuard {
		unguarded = ""
	}
	if cause != mission.CauseGuard {
		guard = v.Guard.Trouble()
	}
	return cmp.Or(unguarded, guard, v.Watch.Text(named...))
}

// noPose says why a mission under way has no pose, and what to do.
func (v View) noPose() string {
	switch refusal := v.Sense.Refusal(); {
	case v.Pilot.Heading.Lacks():
		return v.Pilot.Heading.Advice()
	case refusal != nil:
		return "the poses cannot be used: " + refusal.Error()
	}
	return v.Sense.WhyNoPose()
}

// wantedPose says which pose the explorer is waiting for.
func (v View) wantedPose() string {
	if refusal := v.Sense.Refusal(); refusal != nil {
		return "a pose that can be used: " + refusal.Error()
	}
	return "a pose"
}

// Lacks returns what a mission that has not begun is waiting for, what a person has to do for it to continue, and the command that the
// person then gives; each may be "".
func (v View) Lacks() (waits, advice, next string) {
	idle, byItself := v.Mission.State() == mission.StateIdle, v.Startup == mission.StartAtPose
	if v.Pilot == nil {
		if idle {
			waits = v.wantedPose()
		}
		return waits, "", ""
	}
	driver, heading, edge := v.Pilot.Driver, v.Pilot.Heading, v.Pilot.Edge
	if heading.Lacks() && heading.Drive() == "" && !v.Mission.EndsByItself() { // otherwise the status says it
		advice = heading.Advice()
	}
	switch {
	case v.Startup == mission.ResumeByHand:
		return "", show.Clauses("restored after an interruption", advice), "resume"
	case !idle && advice == "" && v.Mission.State() == mission.StateFault && !v.Mission.EndsByItself():
		return "", "", "resume"
	case !idle:
		return "", advice, ""
	case v.Sense.HasPose() && byItself && driver.Missing() != "":
		return "something that drives the robot: " + driver.Missing(), advice, ""
	case heading.Lacks():
		return "a pose: " + heading.Advice(), advice, ""
	case !v.Sense.HasPose():
		return v.wantedPose(), "", ""
	case byItself && edge.Lacks() != "":
		return "a more certain position: " + edge.Lacks(), edge.Lacks(), ""
	case byItself, heading.Drive() != "", driver.Missing() != "", !v.TimeKnown():
		return "the start", "", ""
	case driver.Stranded() != "":
		return "the start", driver.Stranded(), "start"
	}
	return "the start", "", "start"
}

// rest returns what is left of the mission; ok is false while its end is unknown.
func (v View) rest() (rest mission.Rest, ok bool) {
	if v.Pilot == nil {
		return mission.Rest{}, false
	}
	w := mission.Way{Leg: v.Config.Mission.ExpectedLeg(v.Config.Pace.Density), Home: v.Ground.TypicalHome()}
	if target, ok := v.Mission.Status().UnderWay(); ok {
		w.ToTarget, w.HomeFromTarget = v.Pilot.Way(target), v.Ground.HomeDistance(target)
	}
	return v.Mission.Rest(w)
}

// facts returns the part of a snapshot that needs neither the graph nor the executor.
func (v View) facts() *show.Snapshot {
	return &show.Snapshot{
		Mission: v.Mission.Status(), Record: v.Book.Now(), Known: *v.Learner.Learnt(), QueryCov: v.Learner.QueryCov(),
	}
}

// Snapshot returns the mission as it is now.
func (v View) Snapshot() *show.Snapshot {
	s := v.facts()
	s.State, s.Text, s.Trouble = v.State(), v.Text(), v.Trouble()
	s.Waits, s.Advice, s.Next = v.Lacks()
	s.Guard, s.StoppedBy, s.Commands, s.Inputs = v.Guard.Stops(), v.stoppedBy(), v.Commands(), v.Watch.Inputs()
	if rest, ok := v.rest(); ok {
		s.Rest = &rest
	}
	s.Over = v.Over()
	s.Files = s.Over && v.Book.Saved() && v.Config.OutputDir != ""
	return s
}

// CloseUp returns a snapshot with the additional data for diagnostics and the page.
func (v View) CloseUp() *show.Snapshot {
	s := v.Snapshot()
	s.Close = &show.CloseUp{Checked: v.Watched(), Counts: v.Counts(), Took: v.Decider.Took()}
	return s
}

// stoppedBy returns what prevents the robot from driving, in the form of a MissionStatus.
func (v View) stoppedBy() string {
	s := v.Mission.Status()
	switch {
	case s.State == mission.StatePaused:
		return ugp_explorer_msgs.MissionStatusStoppedByPerson
	case s.State.OnTheWay() && v.Guard.Stops() != "",
		s.Reported() && (s.FaultCause == mission.CauseGuard || s.FaultCause == mission.CauseNoGuard):
		return ugp_explorer_msgs.MissionStatusStoppedByGuard
	case s.State == mission.StateFault, s.Waiting != "":
		return ugp_explorer_msgs.MissionStatusStoppedByMission
	}
	return ugp_explorer_msgs.MissionStatusStoppedByNobody
}

// Plan returns the path that the page shows, m; nil: none.
func (v View) Plan() []record.Place {
	if v.Pilot != nil {
		return v.Pilot.Driver.Path()
	}
	if list := v.Book.Record().Suggestions; len(list) > 0 {
		return []record.Place{v.Sense.Place(), list[len(list)-1].Target}
	}
	return nil
}

// Watched returns all checks with their problems.
func (v View) Watched() []watch.Finding {
	all := v.Watch.Findings()
	if v.Book.Journal.Bags.On() {
		all = append(all, v.Book.Journal.Bags.Finding())
	}
	return all
}

// Counts returns all counts, in a fixed order.
func (v View) Counts() []show.Count {
	n := v.Sense.Counts()
	others := []show.Count{
		{Name: "samples without a logarithm", N: v.Learner.Transformed},
		{Name: "samples refused by the model", N: v.Learner.Refused},
		{Name: "poses in another frame", N: n.Frames},
		{Name: "poses not usable", N: n.Poses},
		{Name: "poses out of order", N: n.OutOfOrder},
		{Name: "covariances accepted", N: int64(n.Covariances.Accepted)},
	}
	if unusable, repeated := v.Team.Refused(); len(v.Config.Team) > 0 {
		others = append(others, show.Count{Name: "observations of team mates not usable", N: unusable}, show.Count{Name: "observations of team mates repeated", N: repeated})
	}
	if n.Secondary != nil {
		others = append(others, show.Count{Name: "values of the second sensor refused by the model", N: v.Learner.Unheard})
	}
	return v.Book.Tally(&n, others...)
}

// Recorded returns the mission's present record. The result shares the record's slices.
func (v View) Recorded() *record.Mission {
	m := v.Book.Mission(v.facts())
	m.Truth, m.Consistency = v.Truth.Evaluate(m), v.Truth.Consistency()
	return m
}

// NewReport returns what the report of the mission is made from.
func (v View) NewReport() *logbook.Report {
	r := &logbook.Report{Mission: v.Recorded(), Tracks: v.Book.Tracks(), Mapping: v.Show.Mapping(v.facts()), Photo: v.Photo}
	r.Field, r.Tracks.True = v.Truth.Field()
	return r
}

// Commands returns the commands without a place that have an effect now. A pause prevents a mission from beginning by itself, or from
// continuing by itself after a fault.
func (v View) Commands() []string {
	state := v.State()
	if v.Mode.Suggests {
		if state != mission.StatePassive {
			return nil
		}
		return []string{"stop"}
	}
	byItself := state == mission.StateFault && v.Mission.EndsByItself()
	var list []string
	offer := func(word string, possible bool) {
		if possible {
			list = append(list, word)
		}
	}
	offer("start", state == mission.StateIdle)
	offer("resume", state == mission.StatePaused || state == mission.StateFault && !byItself || v.Mission.Recallable() && state == mission.StateReturning)
	offer("pause", state.Active() || state == StateHeading || byItself)
	offer("home", state == mission.StatePaused || state == mission.StateFault || state.Active() && state != mission.StateReturning)
	offer("skip", v.Mission.RefusesSkip() == "")
	offer("more", (state == mission.StateReturning || state == mission.StateDone) && len(v.Book.Record().Observations) > 0)
	offer("stop", state != mission.StateIdle && state != mission.StateDone)
	return list
}

// WayTo returns the length of the path to a place that a person has chosen, and of the way home from there, m, or why the place cannot be
// the next target.
func (v View) WayTo(target orb.Point) (length, home float64, why string) {
	if !v.Sense.HasPose() {
		return 0, 0, "there is no pose yet: " + v.Sense.WhyNoPose()
	}
	if length, home, why = v.Pilot.WayTo(target); why != "" {
		return 0, 0, why
	}
	return length, home, v.Mission.RefusesTarget(target, length, home)
}
