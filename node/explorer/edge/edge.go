// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package edge keeps a robot with an uncertain position away from edges and keep-outs, and detects when the robot leaves the field
// nevertheless. Its rules take what is known about the robot, and return events for the mission.
package edge

import (
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/pursuit"
)

const (
	// expectTime is the driving time over which the mean uncertainty is taken, s.
	expectTime = 60.0
	// usualFactor is the ratio to that mean up to which a position is as certain as usual.
	usualFactor = 1.5
	// reaction is the time until a halted robot begins to brake, s, and deceleration is that of our follower, m/s².
	reaction, deceleration = 0.3, 0.8
	// moreCertain is the factor on the standard deviation for which there must be room before a waiting robot continues. With 1 it would
	// stop again at once.
	moreCertain = 1.25
	// onTheWayHome is the factor on it for a robot that returns home with a position as certain as usual. The return ends the mission, and
	// most errors of fixes last for minutes: to wait longer is no safer.
	onTheWayHome = 0.5
	// inwardsDistance is the length of the path ahead that must lead inwards, m.
	inwardsDistance = 2.0
	// askPath is the time between two looks for a path while the robot waits.
	askPath = time.Second
	// longestWait is the time of such a wait after which any position is treated as usual, in time limits of a goal. An outage of the fixes
	// is over by then.
	longestWait = 5
	// tellWait is the least time between two log lines about waits: a robot along an edge may wait every few metres.
	tellWait = 30 * time.Second
	// longestStep is the longest time between two poses that counts for the mean, s.
	longestStep = 1.0
	// vouched is how far a robot with too uncertain a position may drive after a person has let it continue, m: over a shorter distance,
	// fixes and wheels that contradict each other do not show which is right.
	vouched = 5.0
	// fencedTime is how long a guard may stop the robot before it takes another way. After 14 s the guard calls a person.
	fencedTime = 6 * time.Second
	// shown is the distance after which a wrong initial heading has been detected, m: before that, the robot may mistake outwards for
	// inwards.
	shown = 10.0
	// leadsIn is how much farther inside the next target must be, as a share of the way to it; leadsOn is that share for the way to the
	// middle.
	leadsIn, leadsOn = 0.6, 0.25
	// A wait does not help if the standard deviation has not shrunk by a share of noGain in noGainTime. That time doubles with each
	// consecutive drive home that has failed in this way, up to mostDoublings: errors of receivers last for minutes, and there is no other
	// home.
	noGain, noGainTime, mostDoublings = 0.05, 10 * time.Second, 2
)

// Edge keeps a robot with an uncertain position away from edges and keep-outs. The robot waits while there is not enough room before the
// edge for its body and the ellipse of its position, unless its path leads inwards and the position is as certain as usual: a filter in
// doubt does not know where inwards is. With a localisation that learns nothing while the robot stands, such as AMCL, it would wait for
// ever. If waiting does not help and the position is as certain as usual, the robot may therefore leave a narrow place for one with enough
// room; otherwise it gives up its target. On the way home half of the room suffices.
type Edge struct {
	cfg    *settings.Config
	ground *ground.Ground
	guard  *drive.Guard

	usualStdDev float64 // mean standard deviation of the position while it drives, in the direction in which it is largest, m
	last        int64   // stamp of the newest pose, ns
	bold        bool    // the next target need only keep the margin: no other place is left
	inwardsOnly bool    // the next target has to lie inwards: the guard lets the robot drive in no other direction, or it waited for a more certain position in vain
	anyWay      bool    // the next target need not lie inwards: no such place is left
	doubt       float64 // standard deviation of the position with which the robot waited until its target was given up, m; 0: it is more certain
	waits       bool    // the robot waits on its way to a target
	failed      int     // drives home in a row that have failed because a wait did not help
	leaving     bool    // the robot leaves a narrow place
	fenced      int64   // the node's time since which the guard stops the robot during a drive, ns; 0: it does not
	fencedAt    float64 // driven distance at which a drive failed because of that, m
	until       float64 // driven distance up to which a person lets the robot continue, m
	cramped     string  // why the mission does not start by itself: there is too little room for so uncertain a position

	log, logOn ros.Throttle

	// Of a wait:
	began  int64   // ns, like the next two the node's time: stamps may be of another clock
	next   int64   // when a path is looked for again, ns
	since  int64   // when the standard deviation was last compared, ns
	stdDev float64 // the largest standard deviation then, m
}

// New returns the rules for a ground and a guard, which may stop the robot.
func New(node *ros.Node, cfg *settings.Config, g *ground.Ground, guard *drive.Guard) *Edge {
	return &Edge{cfg: cfg, ground: g, guard: guard, log: node.NewThrottle(tellWait), logOn: node.NewThrottle(tellWait)}
}

// Robot is what is known about a robot and its mission at a node's time.
type Robot struct {
	Now     int64 // ns
	Pose    *localization.Pose
	StdDev  float64     // of its position, in the direction in which it is largest, m
	Speed   float64     // m/s
	Path    []orb.Point // that it follows; nil: none
	Mission mission.Status
	Target  orb.Point // being driven to, m
}

func (r *Robot) at() orb.Point { return orb.Point{r.Pose.X, r.Pose.Y} }

// stands reports whether the robot has stopped.
func (g *Edge) stands(r *Robot) bool { return math.Abs(r.Speed) <= mission.StandingSpeed }

// Watch halts the robot while it may have reached an edge or a keep-out unnoticed. It returns the event for the mission, or nil.
func (g *Edge) Watch(r *Robot) mission.Event {
	status := &r.Mission
	switch {
	case g.fencedIn(r):
		if status.State == mission.StateReturning && g.ground.MayBeHome(r.Pose) {
			return mission.EventFault{Stamp: r.Now, Reason: g.guard.Fence(), Cause: mission.CauseGuard, AtHome: true}
		}
		return mission.EventDriveFailed{Stamp: r.Now, Reason: g.guard.Fence(), Cause: mission.CauseGuard}
	case g.cfg.Field.Sigmas == 0:
	case status.Waiting != "" && status.UsedDistance < g.until:
		return g.driveOn(r.Now, "a person lets it")
	case status.Waiting != "":
		return g.watchWaiting(r)
	case status.Drives():
		return g.watchDriving(r)
	}
	return nil
}

// fencedIn reports whether the guard has stopped the robot on a drive for so long that another way, which leads inwards, is better.
// Otherwise the guard would soon call a person. It does so if the robot has hardly moved since the last other way.
func (g *Edge) fencedIn(r *Robot) bool {
	s := &r.Mission
	another := math.Abs(s.UsedDistance-g.fencedAt) > inwardsDistance // the next mission counts from 0 again
	if !another || s.UsedDistance <= shown || !s.Drives() || !g.stands(r) || g.guard.Fence() == "" || g.guard.Stops() == "" && s.Waiting == "" {
		g.fenced = 0
	} else if g.fenced == 0 {
		g.fenced = r.Now
	} else if r.Now-g.fenced > int64(fencedTime) {
		g.fenced, g.fencedAt = 0, s.UsedDistance
		return true
	}
	return false
}

// watchDriving makes a driving robot wait where there is not enough room.
func (g *Edge) watchDriving(r *Robot) mission.Event {
	now, stdDev := r.Now, r.StdDev
	g.waits = false
	g.take(r.Pose.Stamp, stdDev)
	g.since, g.stdDev = now, stdDev
	room, fits := g.room(r, 1)
	g.leaving = g.leaving && !fits && g.asUsual(stdDev)
	if fits {
		g.failed = 0
	}
	if fits || r.Mission.UsedDistance < g.until || (g.asUsual(stdDev) || g.guard.Fence() != "") && g.inwards(r, r.Path) || g.leaving && g.ground.WayOut(r.Pose, pursuit.Ahead(r.Path, r.at(), 0)) {
		return nil
	}
	g.leaving, g.began, g.waits = false, now, true
	g.log.Warn("the robot waits for a more certain position: it may be closer to an edge than its position shows",
		"x_m", r.Pose.X, "y_m", r.Pose.Y, "edge_m", room.Distance, "sigmas_m", room.Spread, "robot_m", room.Body)
	return mission.EventUncertain{Stamp: now, Reason: g.lacking(r, room, 1)}
}

// watchWaiting lets a waiting robot continue when there is enough room or another way, and gives its target up when waiting does not help.
func (g *Edge) watchWaiting(r *Robot) mission.Event {
	now, stdDev := r.Now, r.StdDev
	room, fits := g.room(r, moreCertain)
	asUsual := g.asUsual(stdDev)
	g.leaving = g.leaving && !fits && asUsual
	switch {
	case !g.stands(r):
		return nil
	case fits:
		return g.driveOn(now, "the position is certain enough again")
	case now < g.next:
		return nil
	}
	g.next = now + int64(askPath)
	var path []orb.Point // nil: there is none
	if goesHome(&r.Mission) {
		path, _ = g.ground.PathHome(r.at())
	} else {
		path, _ = g.ground.PathTo(r.at(), r.Target)
	}
	helps, atHome := g.helps(now, stdDev), goesHome(&r.Mission) && g.ground.MayBeHome(r.Pose)
	if !helps && now-g.began > int64(ros.Duration(longestWait*g.cfg.Mission.GoalTimeoutBase)) {
		g.usualStdDev, asUsual = max(g.usualStdDev, stdDev), true // it will not be better here
	}
	g.leaving = !helps && asUsual && g.ground.WayOut(r.Pose, path)
	switch {
	case g.leaving, asUsual && g.inwards(r, path):
		return g.driveOn(now, "the path leads away from the edge")
	case !helps && asUsual && (r.Mission.State != mission.StateFault || atHome):
		if goesHome(&r.Mission) {
			g.failed++
		}
		return mission.EventDriveFailed{Stamp: now, Reason: "the position does not become more certain: " + g.lacking(r, room, moreCertain), AtHome: atHome}
	}
	return mission.EventUncertain{Stamp: now, Reason: g.lacking(r, room, moreCertain)}
}

// goesHome reports whether the mission returns home, or was interrupted while it did.
func goesHome(s *mission.Status) bool {
	return s.State == mission.StateReturning || s.Interrupted == mission.StateReturning
}

// room returns the smaller of the rooms at the robot's pose and at the pose where it would stop if it were halted now, with standard
// deviations multiplied by a factor, and whether the robot fits there. Far from all edges it fits, and no room is computed.
func (g *Edge) room(r *Robot, factor float64) (room ground.Room, fits bool) {
	factor *= g.part(r)
	if g.ground.Roomy(r.Pose, factor, r.stopping()) {
		return ground.Room{}, true
	}
	room = g.ground.Room(r.Pose, factor)
	if stop := r.standstill(); g.ground.Room(&stop, factor).Shortfall() > room.Shortfall() {
		room = g.ground.Room(&stop, factor)
	}
	return room, room.Fits() || goesHome(&r.Mission) && g.ground.AtHome(r.Pose)
}

// part returns the share of the standard deviations for which there must be room.
func (g *Edge) part(r *Robot) float64 {
	if goesHome(&r.Mission) && g.asUsual(r.StdDev) {
		return onTheWayHome
	}
	return 1
}

// lacking states the available room, rounded down, and the needed room, rounded up, so that they always differ.
func (g *Edge) lacking(r *Robot, room ground.Room, factor float64) string {
	return fmt.Sprintf("%.1f m to the edge of the field or a keep-out, and %.1f m are needed: %.3g standard deviations of the position and %.2g m for the robot",
		math.Floor(10*room.Distance)/10, math.Ceil(10*(room.Body+room.Spread))/10, factor*g.part(r)*g.cfg.Field.Sigmas, room.Body)
}

// stopping returns the longest stopping distance of the robot if it is halted now, m.
func (r *Robot) stopping() float64 {
	v := math.Abs(r.Speed)
	return v*reaction + v*v/(2*deceleration)
}

// standstill returns the pose at which the robot would stand if it were halted now: straight
// ahead, but no farther away than the next corner of its path.
func (r *Robot) standstill() localization.Pose {
	at := *r.Pose
	left := 0.0
	if len(r.Path) > 0 {
		corner, corners := pursuit.PlaceAhead(r.Path, r.at(), 0)
		if len(corners) > 0 {
			corner = corners[0]
		}
		left = planar.Distance(r.at(), corner)
	}
	way := math.Copysign(min(r.stopping(), left), r.Speed)
	sin, cos := math.Sincos(at.Yaw)
	at.X, at.Y = at.X+way*cos, at.Y+way*sin
	return at
}

// driveOn ends a wait.
func (g *Edge) driveOn(now int64, why string) mission.Event {
	g.waits = false
	g.logOn.Log(slog.LevelInfo, "the robot drives on: "+why, "waited_s", time.Duration(now-g.began).Seconds())
	return mission.EventCertain{Stamp: now}
}

// inwards reports whether a path leads the robot away from the edges.
func (g *Edge) inwards(r *Robot, path []orb.Point) bool {
	if len(path) == 0 {
		return false
	}
	on, _ := pursuit.PlaceAhead(path, r.at(), inwardsDistance)
	return g.ground.Inwards(r.Pose, on)
}

// GivenUp is called when a target is given up.
func (g *Edge) GivenUp() {
	if g.waits {
		g.doubt = g.stdDev
	}
}

// Vouched is called when a person lets the robot continue although it waits, or after its drive has failed because it waited.
func (g *Edge) Vouched(s mission.Status) {
	if s.Waiting != "" || g.waits || g.doubt > 0 {
		g.until = s.UsedDistance + vouched
	}
}

// ClockChanged is called after the clock was shifted by a number of ns.
func (g *Edge) ClockChanged(by int64) {
	g.began, g.next, g.since = g.began+by, g.next+by, g.since+by
	g.fenced = 0
}

// take adds the standard deviation, m, of a pose on a drive.
func (g *Edge) take(stamp int64, stdDev float64) {
	dt := time.Duration(stamp - g.last).Seconds()
	g.last = stamp
	switch {
	case g.usualStdDev == 0:
		g.usualStdDev = stdDev
	case dt > 0:
		g.usualStdDev += (stdDev - g.usualStdDev) * (1 - math.Exp(-min(dt, longestStep)/expectTime))
	}
}

// asUsual reports whether a position with this standard deviation, m, is as certain as usual.
func (g *Edge) asUsual(stdDev float64) bool { return stdDev <= usualFactor*g.usualStdDev }

// helps reports whether the standard deviation, m, shrinks while the robot waits.
func (g *Edge) helps(now int64, stdDev float64) bool {
	if stdDev < (1-noGain)*g.stdDev {
		g.since, g.stdDev = now, stdDev
	}
	return now-g.since < int64(noGainTime)<<min(g.failed, mostDoublings)
}

// Bold relaxes the rules for the next target because no place is left: a target that had to be inwards may be anywhere far enough inside;
// otherwise it need only keep the margin.
func (g *Edge) Bold() { g.anyWay, g.bold = g.inwardsOnly, !g.inwardsOnly }

// Inset keeps the next targets and paths far enough from edges for the robot to drive there, probably, and returns which places remain as
// targets, also with the guard's need; nil: all of them. expected is how well the robot will know its place elsewhere; nil: as well as
// usual.
func (g *Edge) Inset(at orb.Point, stdDev float64, expected *localizability.Expectation) func(x []float64) bool {
	// The points of a grid are given: none is exchanged for one that lies farther inside.
	bold, region := g.bold || g.cfg.Method == settings.MethodGrid, g.ground.Region()
	g.bold = false
	distance, fits := g.certain(at, stdDev, expected)
	if bold {
		return nil
	}
	distance = max(distance, guarded(region, g.guard.NeedsAlways()))
	g.inwardsOnly, g.anyWay = (g.guard.Fence() != "" || g.doubt > 0) && !g.anyWay, false
	if g.inwardsOnly {
		here := region.SignedDistance(at)
		in := leadsOn * (region.SignedDistance(orb.Point(region.Centre())) - here)
		return func(x []float64) bool {
			return region.SignedDistance(orb.Point(x)) >= max(distance, here+max(in, leadsIn*planar.Distance(at, orb.Point(x)))) && (fits == nil || fits(x))
		}
	}
	if distance == 0 {
		return fits
	}
	return func(x []float64) bool {
		return region.SignedDistance(orb.Point(x)) >= distance && (fits == nil || fits(x))
	}
}

// ExpectHome keeps the way home as far from edges as the present position requires: a robot that drives home would wait at each edge for a
// position that hardly becomes more certain. stdDev is of that position, m.
func (g *Edge) ExpectHome(stdDev float64) { g.ground.Expect(max(g.usualStdDev, moreCertain*stdDev)) }

// certain returns the limits that uncertainty sets for a target: the least distance to edges, m (0: none), and which places are allowed
// (nil: all).
func (g *Edge) certain(at orb.Point, stdDev float64, expected *localizability.Expectation) (distance float64, fits func(x []float64) bool) {
	if g.cfg.Field.Sigmas == 0 && g.cfg.Interface != settings.GoalAction {
		return 0, nil
	}
	usual := g.usualStdDev
	if expected != nil {
		usual, fits = math.Sqrt(expected.Mean()), g.ground.Certain(at, expected)
	}
	if stdDev < (1-noGain)*g.doubt {
		g.doubt = 0
	}
	if expected == nil && usual == 0 || g.doubt > 0 { // another target as near to the edge would fail as well
		usual = max(usual, stdDev)
	}
	g.ground.Expect(usual)
	if d, more := g.ground.Inset(); more && (expected == nil || g.doubt > 0) {
		distance = d
	}
	return distance, fits
}
