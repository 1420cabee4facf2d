package explorer

import (
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/explorer/edge"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/pursuit"
)

// onPath is where on its path a robot is that follows the path by itself.
type onPath struct {
	at    orb.Point // point of the path nearest to the newest position, m
	stamp int64     // of that position, ns
}

// driveTo sends the robot to where its probe lies on the target.
func (a *active) driveTo(target orb.Point) {
	from := a.sense.Place()
	path, err := a.path, error(nil)
	if path == nil {
		path, err = a.ground.PathTo(from, target)
	}
	if err != nil {
		a.tell(mission.EventFault{Stamp: a.now(), Reason: "no path to the target: " + err.Error()})
		return
	}
	a.target, a.approached = target, approachTo(append([]orb.Point{from}, path...))
	a.onPath = onPath{at: from, stamp: a.sense.Pose().Stamp}
	a.driver.Drive(from, path)
}

func (a *active) driveHome() {
	from := a.sense.Place()
	path, err := a.ground.PathHome(from)
	if err != nil {
		a.tell(mission.EventFault{Stamp: a.now(), Reason: "no path home: " + err.Error()})
		return
	}
	a.onPath = onPath{at: from, stamp: a.sense.Pose().Stamp}
	a.driver.Drive(from, path)
}

func (a *active) halt() {
	a.heading.End()
	if !a.sense.HasPose() {
		a.driver.Halt(nil)
		return
	}
	at := a.sense.Place()
	a.driver.Halt(&at)
}

func (a *active) standStill() {
	a.heading.End()
	if a.state().Active() {
		a.halt()
	}
}

// detour makes the next paths avoid what the robot is stuck at.
func (a *active) detour() {
	until := a.skipUntil()
	centre, radius := a.ground.Obstructed(a.sense.Place(), a.sense.Pose().Yaw, until)
	a.book.Journal.Note(journal.Stuck{Centre: centre, Radius: radius, Stamp: a.now(), Until: until})
	a.node.Logger().Warn("the robot is stuck, and the next paths avoid what is in front of it", "x_m", centre[0], "y_m", centre[1], "radius_m", radius)
}

// skipUntil returns the end, in ns, of what is left out for SkipTime from now on.
func (a *active) skipUntil() int64 {
	if math.IsInf(a.cfg.SkipTime, 1) {
		return math.MaxInt64
	}
	return a.now() + int64(ros.Duration(a.cfg.SkipTime))
}

// skip leaves a target out of the search for a while.
func (a *active) skip(c mission.CommandSkipped) {
	s := journal.Skipped{Target: c.Target, Reason: c.Reason, Stamp: a.now(), Until: a.skipUntil(), ByPerson: c.ByPerson}
	a.leaveOut(&s)
	a.book.Skipped(s)
	a.node.Logger().Warn("a target is given up", "x_m", s.Target[0], "y_m", s.Target[1], "reason", s.Reason)
}

// leaveOut leaves out the surroundings of a skipped target: more for a person, who wants the robot to go elsewhere
// and not next to it.
func (a *active) leaveOut(s *journal.Skipped) {
	radius := a.cfg.SkipRadius
	if s.ByPerson {
		radius *= 3
	}
	a.ground.Skip(s.Target, radius, s.Until)
}

// watchPath gives the robot another path when its localisation finds it elsewhere. A follower
// returns to its path in a straight line, which may leave the field or cross a keep-out. Nav2's
// goals are watched by package drive.
func (a *active) watchPath() {
	path, s, region := a.driver.Path(), a.sense, a.ground.Region()
	if path == nil || a.driver.ByAction() {
		return
	}
	at := s.Place()
	dt := max(0, time.Duration(s.Pose().Stamp-a.onPath.stamp).Seconds())
	usual := region.Margin()/2 + 2*math.Abs(s.Speed())*dt
	off := planar.Distance(at, a.onPath.at)
	if off <= usual || region.Clear(at, a.onPath.at, 0) {
		on, _ := pursuit.PlaceAhead(path, at, 0)
		a.onPath = onPath{at: on, stamp: s.Pose().Stamp}
		return
	}
	a.warn.Warn("the robot is off its path, and a straight line back to it would leave the field or cross a keep-out: it gets another path",
		"x_m", at[0], "y_m", at[1], "off_m", off)
	switch a.state() {
	case mission.StateTravelling:
		a.driveTo(a.target)
	case mission.StateReturning:
		a.driveHome()
	}
}

// approachTo returns how a path arrives, for the record.
func approachTo(path []orb.Point) record.Approach {
	r := record.Approach{}
	for i := 1; i < len(path); i++ {
		dx, dy := path[i][0]-path[i-1][0], path[i][1]-path[i-1][1]
		r.Length += math.Hypot(dx, dy)
		r.Heading = math.Atan2(dy, dx)
	}
	return r
}

// robot returns what the rules of edges are told.
func (a *active) robot() *edge.Robot {
	s, status := a.sense, a.mission.Status()
	return &edge.Robot{Now: a.now(), Pose: s.Pose(), StdDev: s.StdDev(), Speed: s.Speed(), Path: a.driver.Path(), Mission: &status, Target: a.target}
}

// inset returns which places uncertainty and the guard leave for a target; nil: all of them.
func (a *active) inset() func(x []float64) bool {
	expected := a.expectation
	if !a.optimizer.Learnt().ExecutionNoise.ByPlace() {
		expected = nil
	}
	return a.edge.Inset(a.sense.Place(), a.sense.StdDev(), expected, a.guard.Needs())
}

// onCorrection ends a drive, and sampling, of a robot whose heading is corrected again and again.
func (a *active) onCorrection(*std_msgs.Empty, ros.MessageInfo) {
	if a.state().Active() {
		if why := a.corrected.Corrected(a.mission.Status().UsedDistance); why != "" {
			a.tell(mission.EventFault{Stamp: a.now(), Reason: why})
		}
	}
}

// logTarget tells of a target that the robot is sent to.
func (a *active) logTarget(t *task) {
	expected := ""
	if t.Samples > 0 {
		expected = ", expected " + a.book.Record().Expected(t.Target.Mean, t.Target.StdDev)
	}
	number := a.mission.Status().Samples + 1
	if a.cfg.Continuous() {
		number = a.optimizer.Decisions()
	}
	a.logLine("target %d: %s, %s of path%s", number, show.Place(orb.Point(t.Target.X)), show.Metres(t.Target.Length), expected)
}
