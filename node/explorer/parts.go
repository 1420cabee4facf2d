package explorer

import (
	"math"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/pilot"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/explorer/team"
	"ugp_explorer/node/explorer/truth"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/mission"
)

// parts are what an explorer is made of, and how far it has come. Their methods change nothing.
type parts struct {
	node    *ros.Node
	cfg     *settings.Config
	ground  *ground.Ground
	sense   *sense.Sense
	team    *team.Team
	learner *learn.Learner
	book    *logbook.Logbook
	show    *show.Show
	guard   *drive.Guard
	watch   *watch.Watch
	truth   *truth.Truth // nil: it is not followed
	pilot   *pilot.Pilot // nil: the mode only suggests targets

	mission *mission.Mission
	mode    mission.Mode
	stops   *sense.Stops  // nil in a mode with pieces
	pieces  *sense.Pieces // nil in a mode without

	startup    mission.Startup
	resumption resumption
	finished   bool
	working    bool            // a task is under way, or the record is being written
	took       time.Duration   // of the last round of learning and deciding, by the wall clock
	ending     *logbook.Report // that is being written at the end of the mission; nil: none

	photo   *painter.Photo // below the maps of page and report; nil: none
	noPhoto string
	rasters []*covariate.Raster // that the field may go with
}

// timeKnown reports whether the time is known. With use_sim_time it is not before the
// first message on /clock; a mission that began earlier would seem decades old after it.
func (p *parts) timeKnown() bool { return p.now() > 0 }

// now returns the node's time, ns.
func (p *parts) now() int64 { return p.node.Now() }

// homeDistance returns the drivable distance home from where the robot is, m; ok is false while that
// is not known.
func (p *parts) homeDistance() (metres float64, ok bool) {
	return p.ground.HomeDistance(p.sense.Place()), p.sense.HasPose()
}

// cutOff says that the robot could not return home from where it is, or "".
func (p *parts) cutOff() string {
	if _, err := p.ground.PathHome(p.sense.Place()); err != nil && !p.ground.AtHome(p.sense.Pose()) {
		return "the robot could not return home: " + err.Error()
	}
	return ""
}

// stateHeading is the state that others see while a drive finds the heading. The mission's is another:
// it has not begun, or waits for poses.
const stateHeading mission.State = "heading"

// state is stateHeading while a drive finds the heading: who reads idle or fault there would not expect
// the robot to move.
func (p *parts) state() mission.State {
	if p.pilot != nil && p.pilot.Heading.Drive() != "" {
		return stateHeading
	}
	return p.mission.State()
}

// text says in a line what the mission is doing.
func (p *parts) text() string {
	text, state := p.mission.Text(), p.mission.State()
	if p.pilot == nil {
		return text
	}
	if drive := p.pilot.Heading.Drive(); drive != "" {
		text = drive
	} else if state == mission.StateFault && p.mission.Status().FaultKind == mission.FaultNoPose {
		text += ": " + p.noPose()
	}
	if why := p.pilot.Driver.StaleGoal(); why != "" && state == mission.StatePaused {
		text = why // it is not true yet that the mission is paused
	}
	if why := p.pilot.Driver.DrivesOn(math.Abs(p.sense.Speed()) > p.cfg.Mission.ArrivalSpeed); why != "" {
		text += "; " + why
	}
	return text
}

// line says the same, with the state.
func (p *parts) line() string { return show.Line(p.mission.State(), p.text()) }

// noPose says why a mission under way has no pose, and what to do.
func (p *parts) noPose() string {
	switch refusal := p.sense.Refusal(); {
	case p.pilot.Heading.Lacks():
		return p.pilot.Heading.Advice()
	case refusal != nil:
		return "the poses cannot be used: " + refusal.Error()
	}
	return p.sense.WhyNoPose()
}

// wantedPose says which pose is waited for while there is none.
func (p *parts) wantedPose() string {
	if refusal := p.sense.Refusal(); refusal != nil {
		return "a pose that can be used: " + refusal.Error()
	}
	return "a pose"
}

// endsByItself reports whether the mission is in no fault, or in one that ends when its cause does.
func (p *parts) endsByItself() bool { return p.mission.Status().FaultKind != mission.FaultReported }

// lacks returns what a mission waits for that has not begun, and what a person is to do for it to go
// on; each is "" for nothing.
func (p *parts) lacks() (waits, advice string) {
	const takenUp, start = "taken up after an interruption, ~/resume goes on with it", "call ~/start to begin"
	idle, byItself := p.mission.State() == mission.StateIdle, p.startup == mission.StartAtPose
	if p.pilot == nil {
		if idle {
			waits = p.wantedPose()
		}
		return waits, ""
	}
	driver, heading, edge := p.pilot.Driver, p.pilot.Heading, p.pilot.Edge
	if heading.Lacks() && heading.Drive() == "" && !p.endsByItself() { // otherwise the status says it
		advice = heading.Advice()
	}
	switch {
	case p.startup == mission.ResumeByHand && advice != "":
		return "", takenUp + "; " + advice
	case p.startup == mission.ResumeByHand:
		return "", takenUp
	case !idle:
		return "", advice
	case p.sense.HasPose() && byItself && driver.Missing() != "":
		return "something that drives: " + driver.Missing(), advice
	case heading.Lacks():
		return "a pose: " + heading.Advice(), advice
	case !p.sense.HasPose():
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

// rest returns what is left of the mission; ok is false while nothing is known of its end.
func (p *parts) rest() (rest mission.Rest, ok bool) {
	if p.pilot == nil {
		return mission.Rest{}, false
	}
	w := mission.Way{Leg: p.cfg.Mission.ExpectedLeg(p.cfg.Pace.Density), Home: p.ground.TypicalHome()}
	if target, ok := p.mission.Status().UnderWay(); ok {
		w.ToTarget, w.HomeFromTarget = p.pilot.Way(target), p.ground.HomeDistance(target)
	}
	return p.mission.Rest(w)
}

// unguarded says that a guard that was there is gone, or "".
func (p *parts) unguarded() string { return p.unlessOver(p.guard.Gone)() }

// unlessOver returns a check that finds nothing wrong any more when the mission is over.
func (p *parts) unlessOver(check func() string) func() string {
	return func() string {
		if p.finished {
			return ""
		}
		return check()
	}
}

// over reports whether the mission is over and its record written.
func (p *parts) over() bool { return p.finished && !p.working && !p.show.Busy() }

// distance returns how far two places are apart, m.
func distance(a, b orb.Point) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
