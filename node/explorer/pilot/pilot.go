// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package pilot sends a robot to its target: it chooses the path and its distance from edges, and detects the end of the drive.
package pilot

import (
	"fmt"
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/edge"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/heading"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/pursuit"
)

// Pilot drives the robot. Use it only from its node's executor.
type Pilot struct {
	Driver  *drive.Driver
	Heading *heading.Finder
	Edge    *edge.Edge // keeps the robot away from edges while its position is uncertain

	// Target is the place to which the robot drives, or where it samples, and Approach is how it arrives there.
	Target   orb.Point
	Approach record.Approach

	node    *ros.Node
	cfg     *settings.Config
	sense   *sense.Sense
	ground  *ground.Ground
	guard   *drive.Guard
	book    *logbook.Logbook
	warn    ros.Throttle
	mission Mission

	setOut    *orb.Point // where the probe was when the robot first set out to the target; nil: in an earlier run
	onPath    onPath     // where on its path the robot is
	outside   edge.Outside
	corrected edge.Corrections
}

// Mission has a pilot's questions and reports to the mission.
type Mission struct {
	*mission.Account
	Tell    func(mission.Event)
	Starts  func() bool // reports whether it starts by itself with the first pose
	Changed func()      // is called when a drive for the heading begins or ends
}

// onPath is the position on its path of a robot that follows the path by itself.
type onPath struct {
	at    orb.Point // point of the path nearest to the newest position, m
	stamp int64     // of that position, ns
}

// New advertises the goal.
func New(node *ros.Node, cfg *settings.Config, s *sense.Sense, g *ground.Ground, guard *drive.Guard, book *logbook.Logbook, m Mission) (*Pilot, error) {
	p := &Pilot{
		node: node, cfg: cfg, sense: s, ground: g, guard: guard, book: book, mission: m, warn: node.NewThrottle(time.Second), Edge: edge.New(node, cfg, g, guard),
	}
	var err error
	p.Driver, err = drive.New(node, drive.Config{
		Action: cfg.Interface == settings.GoalAction, Frame: cfg.Frame, Period: cfg.GoalPeriod,
		Tolerance: cfg.Mission.ArrivalTolerance, Timeout: cfg.Mission.GoalTimeoutBase, Legs: cfg.Legs, MaxLeg: cfg.MaxLeg,
	}, g, drive.Robot{At: s.Place, Yaw: func() float64 { return s.Pose().Yaw }, Tell: m.Tell, Note: book.Journal.Note, Held: guard.Stops})
	if err != nil {
		return nil, err
	}
	if _, err = ros.Subscribe(node, "ekf/heading_corrected", ros.DefaultQoS(), p.onCorrection); err != nil {
		return nil, err
	}
	p.Heading, err = heading.New(node, cfg, s, g, guard, heading.Mission{
		GoesOn: m.EndsByItself, Starts: func() bool { return m.Starts() && p.Rival() == "" }, Changed: m.Changed, Failed: p.fault,
	})
	return p, err
}

func (p *Pilot) fault(reason string) {
	p.mission.Tell(mission.EventFault{Stamp: p.node.Now(), Reason: reason})
}

// DriveTo sends the robot to the place where its probe is on the target.
func (p *Pilot) DriveTo(target orb.Point) {
	from := p.sense.Place()
	path, err := p.ground.PathTo(from, target)
	if err != nil {
		p.fault("no path to the target: " + err.Error())
		return
	}
	if target != p.Target {
		probe := p.sense.Probe()
		p.setOut = &probe
	}
	p.Target, p.Approach = target, approach(append([]orb.Point{from}, path...))
	p.onPath = onPath{at: from, stamp: p.sense.Pose().Stamp}
	p.Driver.Drive(from, path)
}

// DriveHome sends the robot home. If the guard lets it drive only inwards, the robot first drives as far inside as the guard needs, or to
// the middle if no place is that far inside. If a drive home has already failed because of edges, home becomes the nearest place that the
// guard now lets the robot reach.
func (p *Pilot) DriveHome() {
	from := p.sense.Place()
	fenced := p.guard.Fence() != "" && !p.ground.IsHome(from)
	if fenced && p.guard.AtEdge() && p.mission.Status().HomeFailures > 0 {
		p.moveHome()
	}
	via, lead := from, []orb.Point(nil)
	if fenced {
		inside := p.ground.Inside(from, p.guard.NeedsAlways())
		if inside == from {
			inside = orb.Point(p.ground.Region().Centre())
		}
		if in, no := p.ground.PathTo(from, inside); no == nil {
			via, lead = inside, in
		}
	}
	p.Edge.ExpectHome(p.sense.StdDev())
	home, err := p.ground.PathHome(via)
	if err != nil {
		p.fault("no path home: " + err.Error())
		return
	}
	p.onPath = onPath{at: from, stamp: p.sense.Pose().Stamp}
	p.Driver.Drive(from, append(lead, home...))
}

// moveHome moves home to the nearest place that the guard lets the robot reach and leave, if that is another place.
func (p *Pilot) moveHome() {
	was := p.ground.Home()
	home := p.ground.Inside(was, p.guard.NeedsAlways())
	if home == was {
		return
	}
	p.ground.SetHome(home)
	p.book.SetHome(home)
	p.node.Logger().Warn("home is closer to the edge than the guard now lets the robot drive: it returns to the nearest place inside", "home_x_m", was[0], "home_y_m", was[1],
		"x_m", home[0], "y_m", home[1])
}

// Halt makes the robot stay where it is.
func (p *Pilot) Halt() {
	p.Heading.End()
	if !p.sense.HasPose() {
		p.Driver.Halt(nil)
		return
	}
	at := p.sense.Place()
	p.Driver.Halt(&at)
}

// skipUntil returns the end, ns, of an exclusion that begins now and lasts for SkipTime.
func (p *Pilot) skipUntil() int64 {
	return p.node.Now() + int64(ros.Duration(p.cfg.SkipTime))
}

// Detour makes the next paths avoid the place where the robot is stuck.
func (p *Pilot) Detour() {
	until := p.skipUntil()
	centre, radius := p.ground.Obstructed(p.sense.Place(), p.sense.Pose().Yaw, until)
	p.book.Journal.Note(journal.Stuck{Centre: centre, Radius: radius, Stamp: p.node.Now(), Until: until})
	p.node.Logger().Warn("the robot is stuck, and the next paths avoid the area in front of it", "x_m", centre[0], "y_m", centre[1], "radius_m", radius)
}

// Skip leaves a target out of the search for a while.
func (p *Pilot) Skip(c mission.CommandSkipped) {
	p.Edge.GivenUp()
	s := journal.Skipped{Target: c.Target, Reason: c.Reason, Stamp: p.node.Now(), Until: p.skipUntil(), ByPerson: c.ByPerson}
	p.leaveOut(&s)
	p.node.Logger().Warn("a target is given up", "x_m", s.Target[0], "y_m", s.Target[1], "reason", s.Reason)
	p.book.Skipped(s)
}

// leaveOut leaves out the surroundings of a skipped target: more for a person, who wants the robot to go elsewhere
// and not next to it.
func (p *Pilot) leaveOut(s *journal.Skipped) {
	radius := p.cfg.SkipRadius
	if s.ByPerson {
		radius *= 3
	}
	p.ground.Skip(s.Target, radius, s.Until, s.ByPerson)
}

// Resume continues from where an earlier run has left the robot.
func (p *Pilot) Resume(found *journal.State) {
	p.Target = found.Mission.Target
	p.Driver.Inherit(found.Goal)
	for i := range found.Skipped {
		p.leaveOut(&found.Skipped[i])
	}
	for _, k := range found.Stuck {
		p.ground.Avoid(k.Centre, k.Radius, k.Until)
	}
}

// Way returns the length of the rest of the present path to a target, m, or of the path that would be driven.
func (p *Pilot) Way(target orb.Point) float64 {
	at := p.sense.Place()
	if path := p.Driver.Path(); path != nil {
		return planar.Length(orb.LineString(pursuit.Ahead(path, at, 0)))
	}
	_, length, err := p.ground.Region().Path(at, target)
	if err != nil {
		return planar.Distance(at, target)
	}
	return length
}

// TargetDistance returns how far the probe is from the target, m.
func (p *Pilot) TargetDistance() float64 {
	probe := p.sense.Probe()
	return math.Hypot(probe[0]-p.Target[0], probe[1]-p.Target[1])
}

// Useless says why a sample is useless where the robot has stopped short of its target. It is "" if the robot has come closer to the target
// and no earlier sample there counts.
func (p *Pilot) Useless(taken []record.Observation) string {
	tolerance, left := p.cfg.Mission.ArrivalTolerance, p.TargetDistance()
	if left <= tolerance {
		return ""
	}
	if from := p.setOut; from != nil && left > planar.Distance(*from, p.Target)-tolerance {
		return fmt.Sprintf("the robot has come no nearer to the target, and stands %.3g m short of it", left)
	}
	at := p.sense.Probe()
	for _, o := range taken {
		if o.Struck == "" && planar.Distance(at, orb.Point{o.Belief.X, o.Belief.Y}) <= tolerance {
			return fmt.Sprintf("the robot stands %.3g m short of the target, where sample %d was taken", left, o.Sequence)
		}
	}
	return ""
}

// WatchEdges halts a robot that may have reached an edge unnoticed, or that leaves the field.
func (p *Pilot) WatchEdges() {
	robot := p.robot()
	if event := p.Edge.Watch(&robot); event != nil {
		p.mission.Tell(event)
		robot = p.robot()
	}
	if event := p.outside.Watch(&robot, p.ground.Outside(p.sense.Place())); event != nil {
		p.mission.Tell(event)
	}
}

// WatchPath gives the robot another path when its localisation shows that it is off its path. A follower returns to its path in a straight
// line, which may leave the field or cross a keep-out. Nav2's goals are watched by package drive.
func (p *Pilot) WatchPath() {
	path, s, region := p.Driver.Path(), p.sense, p.ground.Region()
	if path == nil || p.Driver.ByAction() {
		return
	}
	at := s.Place()
	dt := max(0, time.Duration(s.Pose().Stamp-p.onPath.stamp).Seconds())
	usual := region.Margin()/2 + 2*math.Abs(s.Speed())*dt
	off := planar.Distance(at, p.onPath.at)
	if off <= usual || region.Clear(at, p.onPath.at, 0) {
		on, _ := pursuit.PlaceAhead(path, at, 0)
		p.onPath = onPath{at: on, stamp: s.Pose().Stamp}
		return
	}
	p.warn.Warn("the robot has left its path, and a straight line back to it would leave the field or cross a keep-out: a new path is planned",
		"x_m", at[0], "y_m", at[1], "off_m", off)
	switch p.mission.Status().State {
	case mission.StateTravelling:
		p.DriveTo(p.Target)
	case mission.StateReturning:
		p.DriveHome()
	}
}

// ClockChanged is called after the clock was shifted by a number of ns.
func (p *Pilot) ClockChanged(by int64) {
	p.Heading.ClockChanged(by)
	p.Edge.ClockChanged(by)
	p.ground.Shift(by)
}

// approach returns how a path arrives, for the record.
func approach(path []orb.Point) record.Approach {
	r := record.Approach{}
	for i := 1; i < len(path); i++ {
		dx, dy := path[i][0]-path[i-1][0], path[i][1]-path[i-1][1]
		r.Length += math.Hypot(dx, dy)
		r.Heading = math.Atan2(dy, dx)
	}
	return r
}

// robot returns the input of the rules for edges.
func (p *Pilot) robot() edge.Robot {
	s := p.sense
	return edge.Robot{Now: p.node.Now(), Pose: s.Pose(), StdDev: s.StdDev(), Speed: s.Speed(), Path: p.Driver.Path(), Mission: p.mission.Status(), Target: p.Target}
}

// Inset returns which places uncertainty and the guard allow as targets; nil: all of them.
func (p *Pilot) Inset(expected *localizability.Expectation) func(x []float64) bool {
	return p.Edge.Inset(p.sense.Place(), p.sense.StdDev(), expected)
}

// coarse is the standard deviation of fixes that may wander as fast as a robot drives, m: their errors look like another heading.
const coarse = 0.4

// onCorrection ends a drive on which the heading is corrected again and again. With a coarse receiver and a guard, the next drive may go
// better; otherwise a person has to look at the robot, and sampling ends, too.
func (p *Pilot) onCorrection(*std_msgs.Empty, ros.MessageInfo) {
	s := p.mission.Status()
	if !s.State.Active() {
		return
	}
	why := p.corrected.Corrected(s.UsedDistance)
	stated, _ := p.guard.Fixes()
	if why == "" {
		return
	} else if stated < coarse || p.guard.Gone() != "" {
		p.fault(why)
		return
	}
	p.corrected.Forget()
	p.mission.Tell(mission.EventDriveFailed{Stamp: p.node.Now(), Reason: why})
}

// LetGo is called when the mission continues.
func (p *Pilot) LetGo() { p.corrected.Forget() }

// Vouched is called when a person lets the robot continue although its position may be too uncertain.
func (p *Pilot) Vouched() {
	p.Edge.Vouched(p.mission.Status())
}

// WayTo returns the length of the path to a place that a person has chosen, and of the way home from there, m, or why the place cannot be a
// target.
func (p *Pilot) WayTo(target orb.Point) (length, home float64, why string) {
	region, outline := p.ground.Region(), p.ground.Outline()
	if !region.Contains(target[:]) {
		for i, k := range outline.KeepOuts {
			if planar.PolygonContains(k, target) {
				return 0, 0, "it is in " + outline.KeepOut(i)
			}
		}
		free := region.SignedDistance(target)
		if free < 0 {
			return 0, 0, fmt.Sprintf("it is outside the field, by %s", show.Metres(-free))
		}
		return 0, 0, fmt.Sprintf("it is %s from the edge of the field or of a keep-out, and field.margin is %s", show.Metres(free), show.Metres(region.Margin()))
	}
	from := p.sense.Place()
	path, err := p.ground.PathTo(from, target)
	if err != nil {
		return 0, 0, "there is no path: " + err.Error()
	}
	length = planar.Length(orb.LineString(append([]orb.Point{from}, path...)))
	return length, p.ground.PathLengthHome(target), ""
}

// Roomy reports whether a mission that starts by itself may do so now.
func (p *Pilot) Roomy() bool {
	ok, news := p.Edge.Roomy(p.node.Now(), p.sense.Place(), p.sense.StdDev())
	if news != "" {
		p.node.Logger().Warn("the mission waits for a more certain position: " + news)
	}
	return ok
}

// CutOff says that the robot could not return home from its position, or "".
func (p *Pilot) CutOff() string {
	if _, err := p.ground.PathHome(p.sense.Place()); err != nil && !p.ground.AtHome(p.sense.Pose()) {
		return "the robot could not return home: " + err.Error() + "; start where home is, or change home or the keep-outs"
	}
	return ""
}

// Unmoved names the silent node when the robot has not moved for long on a drive, or "". A guard that stops the robot states its own
// reason, and Nav2 repeats its goals and gives them up. A robot that stands at the end of its path has done its drive: the probe may be
// farther from the target than goal.tolerance, since the follower has a tolerance of its own, or the path ends where the guard allows it.
func (p *Pilot) Unmoved() string {
	status, s := p.mission.Status(), p.sense
	if !status.State.OnTheWay() || status.Waiting != "" || p.guard.Trouble() != "" && p.guard.Stops() != "" || p.Driver.ByAction() {
		p.Driver.Moves()
		return ""
	}
	why := p.Driver.Unmoved(drive.Motion{At: s.Place(), Yaw: s.Pose().Yaw, StdDev: s.StdDev(), Speed: s.Speed()})
	if why != "" && status.Drive == mission.DriveUnderWay && p.Driver.Ended(p.cfg.Radius) {
		p.mission.Tell(mission.EventDriveDone{Stamp: p.node.Now()})
		return ""
	}
	return why
}

// Arrival says that the robot stands and samples.
func (p *Pilot) Arrival() string {
	word, status := "arrived", p.mission.Status()
	if status.Drive == mission.DriveGivenUp {
		word = "standing"
	}
	return fmt.Sprintf("%s at %s, %s from target %d", word, show.Place(p.sense.Probe()), show.Metres(p.TargetDistance()), status.Samples+1)
}
