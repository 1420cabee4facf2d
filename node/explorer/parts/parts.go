// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package parts has what an explorer is made of, and what others see of it.
package parts

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/gather"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/pilot"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/explorer/team"
	"ugp_explorer/node/explorer/truth"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/mission"
)

// Parts are what an explorer is made of, and how far it has come. Their methods change nothing.
type Parts struct {
	Node    *ros.Node
	Config  *settings.Config
	Ground  *ground.Ground
	Sense   *sense.Sense
	Team    *team.Team
	Learner *learn.Learner
	Book    *logbook.Logbook
	Show    *show.Show
	Guard   *drive.Guard
	Watch   *watch.Watch
	Truth   *truth.Truth // nil: it is not followed
	Pilot   *pilot.Pilot // nil: the mode only suggests targets

	Mission *mission.Mission
	Mode    mission.Mode
	Gather  *gather.Gatherer

	Startup  mission.Startup
	Finished bool
	Working  bool          // a task is under way, or the record is being written
	Took     time.Duration // of the last round of learning and deciding, by the wall clock

	Photo   *painter.Photo      // below the maps of page and report; nil: none
	Rasters []*covariate.Raster // that the field may go with
}

// TimeKnown reports whether the time is known. With use_sim_time it is not before the
// first message on /clock; a mission that began earlier would seem decades old after it.
func (p *Parts) TimeKnown() bool { return p.Now() > 0 }

// Now returns the node's time, ns.
func (p *Parts) Now() int64 { return p.Node.Now() }

// HomeDistance returns the drivable distance home from where the robot is, m; ok is false while that
// is not known.
func (p *Parts) HomeDistance() (metres float64, ok bool) {
	return p.Ground.HomeDistance(p.Sense.Place()), p.Sense.HasPose()
}

// CutOff says that the robot could not return home from where it is, or "".
func (p *Parts) CutOff() string {
	if _, err := p.Ground.PathHome(p.Sense.Place()); err != nil && !p.Ground.AtHome(p.Sense.Pose()) {
		return "the robot could not return home: " + err.Error()
	}
	return ""
}

// StateHeading is the state that others see while a drive finds the heading. The mission's is another:
// it has not begun, or waits for poses.
const StateHeading mission.State = "heading"

// State is StateHeading while a drive finds the heading: who reads idle or fault there would not expect
// the robot to move.
func (p *Parts) State() mission.State {
	if p.Pilot != nil && p.Pilot.Heading.Drive() != "" {
		return StateHeading
	}
	return p.Mission.State()
}

// Text says in a line what the mission is doing.
func (p *Parts) Text() string {
	text, state := p.Mission.Text(), p.Mission.State()
	if p.Pilot == nil {
		return text
	}
	if other := p.notYet(); other != "" {
		text = other
	} else if state == mission.StateFault && p.Mission.Status().FaultKind == mission.FaultNoPose {
		text += ": " + p.noPose()
	}
	if why := p.Pilot.Driver.DrivesOn(math.Abs(p.Sense.Speed()) > p.Config.Mission.ArrivalSpeed); why != "" {
		text += "; " + why
	}
	return text
}

// notYet says what the robot does, or may do, while its mission has not begun or is not truly paused yet; "" for nothing.
func (p *Parts) notYet() string {
	switch {
	case p.Pilot == nil:
		return ""
	case p.Mission.State() == mission.StatePaused && p.Pilot.Driver.StaleGoal() != "":
		return p.Pilot.Driver.StaleGoal()
	}
	return p.Pilot.Heading.Drive()
}

// Line says the same, with the state.
func (p *Parts) Line() string {
	if p.notYet() != "" {
		return string(p.Mission.State()) + ": " + p.Text()
	}
	return p.Text()
}

// Trouble returns the most urgent problem that the mission's text does not name, "" if there is none.
func (p *Parts) Trouble() string {
	var cause mission.FaultCause
	var named []string // checks
	s := p.Mission.Status()
	switch {
	case p.Pilot == nil:
	case p.notYet() != "":
		if s.State == mission.StatePaused {
			named = []string{drive.GoalCheck}
		}
	case s.FaultKind == mission.FaultNoPose && !p.Pilot.Heading.Lacks() && p.Sense.Refusal() == nil:
		named = []string{sense.PoseCheck, sense.TFCheck, sense.CovarianceCheck}
	case s.State == mission.StateFault && s.FaultKind == mission.FaultReported:
		if cause = s.FaultCause; cause == mission.CauseNav2 {
			named = []string{drive.GoalCheck, drive.Nav2Check}
		}
	case s.State == mission.StateReturning && s.AfterFailures && s.FailedBy == mission.CauseReading:
		named = []string{sense.ReadingCheck}
	}
	unguarded, guard := p.Unguarded(), ""
	if cause == mission.CauseNoGuard {
		unguarded = ""
	}
	if cause != mission.CauseGuard {
		guard, _ = p.Guard.Trouble()
	}
	return cmp.Or(unguarded, guard, p.Watch.Text(named...))
}

// noPose says why a mission under way has no pose, and what to do.
func (p *Parts) noPose() string {
	switch refusal := p.Sense.Refusal(); {
	case p.Pilot.Heading.Lacks():
		return p.Pilot.Heading.Advice()
	case refusal != nil:
		return "the poses cannot be used: " + refusal.Error()
	}
	return p.Sense.WhyNoPose()
}

// wantedPose says which pose is waited for while there is none.
func (p *Parts) wantedPose() string {
	if refusal := p.Sense.Refusal(); refusal != nil {
		return "a pose that can be used: " + refusal.Error()
	}
	return "a pose"
}

// EndsByItself reports whether the mission is in no fault, or in one that ends when its cause does.
func (p *Parts) EndsByItself() bool { return p.Mission.Status().FaultKind != mission.FaultReported }

// Lacks returns what a mission waits for that has not begun, and what a person is to do for it to go
// on; each is "" for nothing.
func (p *Parts) Lacks() (waits, advice string) {
	const takenUp, start = "taken up after an interruption, ~/resume goes on with it", "call ~/start to begin"
	idle, byItself := p.Mission.State() == mission.StateIdle, p.Startup == mission.StartAtPose
	if p.Pilot == nil {
		if idle {
			waits = p.wantedPose()
		}
		return waits, ""
	}
	driver, heading, edge := p.Pilot.Driver, p.Pilot.Heading, p.Pilot.Edge
	if heading.Lacks() && heading.Drive() == "" && !p.EndsByItself() { // otherwise the status says it
		advice = heading.Advice()
	}
	switch {
	case p.Startup == mission.ResumeByHand && advice != "":
		return "", takenUp + "; " + advice
	case p.Startup == mission.ResumeByHand:
		return "", takenUp
	case !idle && advice == "" && p.Mission.State() == mission.StateFault && !p.EndsByItself():
		return "", "then call ~/resume to go on"
	case !idle:
		return "", advice
	case p.Sense.HasPose() && byItself && driver.Missing() != "":
		return "something that drives: " + driver.Missing(), advice
	case heading.Lacks():
		return "a pose: " + heading.Advice(), advice
	case !p.Sense.HasPose():
		return p.wantedPose(), ""
	case byItself && edge.Lacks() != "":
		return "a more certain position: " + edge.Lacks(), edge.Lacks()
	case byItself, heading.Drive() != "", driver.Missing() != "":
		return "the start", ""
	case driver.Stranded() != "":
		return "the start", driver.Stranded() + ", then " + start
	}
	return "the start", start
}

// Rest returns what is left of the mission; ok is false while nothing is known of its end.
func (p *Parts) Rest() (rest mission.Rest, ok bool) {
	if p.Pilot == nil {
		return mission.Rest{}, false
	}
	w := mission.Way{Leg: p.Config.Mission.ExpectedLeg(p.Config.Pace.Density), Home: p.Ground.TypicalHome()}
	if target, ok := p.Mission.Status().UnderWay(); ok {
		w.ToTarget, w.HomeFromTarget = p.Pilot.Way(target), p.Ground.HomeDistance(target)
	}
	return p.Mission.Rest(w)
}

// Unguarded says that a guard that was there is gone, or "".
func (p *Parts) Unguarded() string { return p.UnlessOver(p.Guard.Gone)() }

// UnlessOver returns a check that finds nothing wrong any more when the mission is over.
func (p *Parts) UnlessOver(check func() string) func() string {
	return func() string {
		if p.Finished {
			return ""
		}
		return check()
	}
}

// Over reports whether the mission is over and its record written.
func (p *Parts) Over() bool { return p.Finished && !p.Working && !p.Show.Busy() }

// Facts returns the part of a snapshot that needs neither the graph nor the executor.
func (p *Parts) Facts() *show.Snapshot {
	return &show.Snapshot{
		Mission: p.Mission.Status(), Record: p.Book.Now(), Known: *p.Learner.Learnt(), QueryCov: p.Learner.QueryCov(), Counts: p.tally(),
	}
}

// Snapshot returns the mission as it is now.
func (p *Parts) Snapshot() *show.Snapshot {
	s := p.Facts()
	s.State, s.Text, s.Trouble = p.State(), p.Text(), p.Trouble()
	s.Waits, s.Advice = p.Lacks()
	s.Guard, s.StoppedBy, s.Commands, s.Inputs = p.Guard.Stops(), p.stoppedBy(), p.Commands(), p.Watch.Inputs()
	if rest, ok := p.Rest(); ok {
		s.Rest = &rest
	}
	s.Over = p.Over()
	s.Files = s.Over && p.Book.Saved() && p.Config.OutputDir != ""
	return s
}

// CloseUp returns a snapshot with what diagnostics and the page show besides.
func (p *Parts) CloseUp() *show.Snapshot {
	s := p.Snapshot()
	s.Close = &show.CloseUp{Checked: p.Watched(), Took: p.Took}
	return s
}

// stoppedBy returns who keeps the robot from driving, as a MissionStatus has it.
func (p *Parts) stoppedBy() string {
	s := p.Mission.Status()
	switch onTheWay := s.State == mission.StateTravelling || s.State == mission.StateReturning; {
	case s.State == mission.StatePaused:
		return ugp_explorer_msgs.MissionStatusStoppedByPerson
	case onTheWay && p.Guard.Stops() != "",
		s.State == mission.StateFault && s.FaultKind == mission.FaultReported && (s.FaultCause == mission.CauseGuard || s.FaultCause == mission.CauseNoGuard):
		return ugp_explorer_msgs.MissionStatusStoppedByGuard
	case s.State == mission.StateFault, s.Waiting != "":
		return ugp_explorer_msgs.MissionStatusStoppedByMission
	}
	return ugp_explorer_msgs.MissionStatusStoppedByNobody
}

// Plan returns the path that the page shows, m; nil: none.
func (p *Parts) Plan() []record.Place {
	if p.Pilot != nil {
		return p.Pilot.Driver.Path()
	}
	if list := p.Book.Record().Suggestions; len(list) > 0 {
		return []record.Place{p.Sense.Place(), list[len(list)-1].Target}
	}
	return nil
}

// Watched returns everything that is checked, each with what is wrong with it.
func (p *Parts) Watched() []watch.Finding {
	all := p.Watch.Findings()
	if p.Book.Journal.Bags.On() {
		all = append(all, p.Book.Journal.Bags.Finding())
	}
	return all
}

// tally returns all counts, in a fixed order.
func (p *Parts) tally() []show.Count {
	n := p.Sense.Counts()
	others := []show.Count{
		{Name: "samples without a logarithm", N: p.Learner.Transformed},
		{Name: "samples refused by the model", N: p.Learner.Refused},
		{Name: "poses in another frame", N: n.Frames},
		{Name: "poses not usable", N: n.Poses},
		{Name: "poses out of order", N: n.OutOfOrder},
		{Name: "covariances accepted", N: int64(n.Covariances.Accepted)},
	}
	if unusable, repeated := p.Team.Refused(); len(p.Config.Team) > 0 {
		others = append(others, show.Count{Name: "observations of team mates not usable", N: unusable}, show.Count{Name: "observations of team mates repeated", N: repeated})
	}
	return p.Book.Tally(&n, others...)
}

// Arrival tells that the robot stands and samples.
func (p *Parts) Arrival() string {
	at, now := p.Sense.Probe(), p.Mission.Status()
	word := "arrived"
	if now.Drive == mission.DriveGivenUp {
		word = "standing"
	}
	return fmt.Sprintf("%s at %s, %s from target %d", word, show.Place(at), show.Metres(p.Pilot.TargetDistance()), now.Samples+1)
}

// Recorded returns the mission's present record. The result shares the record's slices.
func (p *Parts) Recorded() *record.Mission {
	m := p.Book.Mission(p.Facts())
	m.Truth, m.Consistency = p.Truth.Evaluate(m), p.Truth.Consistency()
	return m
}

// NewReport returns what the report of the mission is made from.
func (p *Parts) NewReport() *logbook.Report {
	r := &logbook.Report{Mission: p.Recorded(), Tracks: p.Book.Tracks(), Mapping: p.Show.Mapping(p.Facts()), Photo: p.Photo, Rasters: p.Rasters}
	r.Field, r.Tracks.True = p.Truth.Field()
	return r
}

// Commands returns the commands without a place that do something now. A pause keeps a mission that begins by itself, or goes on by itself after a fault, from doing so.
func (p *Parts) Commands() []string {
	state, s := p.State(), p.Mission.Status()
	if p.Mode.Suggests {
		if state != mission.StatePassive {
			return nil
		}
		return []string{"stop"}
	}
	byItself := state == mission.StateFault && s.FaultKind != mission.FaultReported
	var list []string
	offer := func(word string, possible bool) {
		if possible {
			list = append(list, word)
		}
	}
	offer("start", state == mission.StateIdle)
	offer("resume", state == mission.StatePaused || state == mission.StateFault && !byItself || p.Mission.Recallable() && state == mission.StateReturning)
	offer("pause", state.Active() || state == StateHeading || byItself)
	offer("home", state == mission.StatePaused || state == mission.StateFault || state.Active() && state != mission.StateReturning)
	offer("skip", p.Mission.RefusesSkip() == "")
	offer("more", (state == mission.StateReturning || state == mission.StateDone) && len(p.Book.Record().Observations) > 0)
	offer("stop", state != mission.StateIdle && state != mission.StateDone)
	return list
}

// WayTo returns the path to a person's place, its length and that of the way home from there, m, or why
// it cannot be the next target.
func (p *Parts) WayTo(target orb.Point) (path []orb.Point, length, home float64, why string) {
	if !p.Sense.HasPose() {
		return nil, 0, 0, "there is no pose yet: " + p.Sense.WhyNoPose()
	}
	if path, length, home, why = p.Pilot.WayTo(target); why != "" {
		return nil, 0, 0, why
	}
	return path, length, home, p.Mission.RefusesTarget(target, length, home)
}

// HomeAt returns the home of a robot that starts at a place.
func (p *Parts) HomeAt(home orb.Point) orb.Point {
	if len(p.Config.Home) == 2 {
		home = orb.Point(p.Config.Home)
	}
	// Nav2 drives to the free cells of ~/keepout only. Where a robot in the nearest one would not count
	// as home, that is home instead.
	if p.Config.Interface == settings.GoalAction && !p.Mode.Suggests {
		free := p.Ground.Allowed(home)
		if d := planar.Distance(home, free); d > p.Config.Mission.HomeTolerance/2 {
			p.Node.Logger().Warn("home lies outside the field or within field.margin of its edge, where Nav2 does not go: the robot returns to the free place nearest to it",
				"home_x_m", home[0], "home_y_m", home[1], "x_m", free[0], "y_m", free[1], "apart_m", d)
			home = free
		}
	}
	return home
}

// TargetLine tells of a target that the robot is sent to.
func (p *Parts) TargetLine(t *learn.Task) string {
	expected := ""
	if t.Samples > 0 {
		expected = ", expected " + p.Book.Record().Expected(t.Target.Mean, t.Target.StdDev)
	}
	number := p.Mission.Status().Samples + 1
	if p.Mode.Pieces {
		number = p.Learner.Decisions()
	}
	return fmt.Sprintf("target %d: %s, %s of path%s", number, show.Place(orb.Point(t.Target.X)), show.Metres(t.Target.Length), expected)
}

// Log logs a line of the mission.
func (p *Parts) Log(format string, args ...any) {
	p.Node.Logger().Info(fmt.Sprintf(format, args...))
}
