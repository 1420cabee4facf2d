package explorer

import (
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/pursuit"
)

const (
	// expectTime is the time of driving over which the mean uncertainty is taken, s.
	expectTime = 60.0
	// usualFactor is the factor on that mean up to which a position is as certain as usual.
	usualFactor = 1.5
	// reaction is the time until a robot that is halted begins to brake, s, and deceleration that
	// of this package's follower, m/s².
	reaction, deceleration = 0.3, 0.8
	// moreCertain is the factor on the standard deviation with which the room must suffice
	// before a robot that waits drives on. With 1 it would stop again at once.
	moreCertain = 1.25
	// onTheWayHome is the factor on it where a robot that returns home has no more room and gains nothing by waiting: to stand
	// there for ever is no safer.
	onTheWayHome = 0.5
	// inwardsDistance is the length of the path ahead that must lead inwards, m.
	inwardsDistance = 2.0
	// askPath is the time between two looks for a path while the robot waits.
	askPath = time.Second
	// longestWait is the time of such a wait after which any position counts as usual, in
	// time limits of a goal. An outage of the fixes is over by then.
	longestWait = 10
	// tellWait is the least time between two lines of the log about waits: a robot that goes
	// along an edge may wait every few metres.
	tellWait = 30 * time.Second
	// longestStep is the longest time between two poses that counts for the mean, s.
	longestStep = 1.0
	// A wait during which the standard deviation has not shrunk by a share of noGain in noGainTime
	// does not help.
	noGain, noGainTime = 0.05, 10 * time.Second
)

// edge keeps a robot whose position is uncertain away from edges and keep-outs.
//
// The robot waits while the ellipse of its position and its body do not fit before the edge,
// unless its path leads inwards and the position is as certain as it usually is: a filter in doubt does
// not know where inwards is. A localisation that learns nothing while the robot stands, such
// as AMCL, would make it wait for ever. So if waiting does not help and the position is as
// certain as it usually is, the robot may leave a narrow place for one with enough room, and
// otherwise gives up its target. On the way home it goes on with less room.
type edge struct {
	usualStdDev float64 // mean standard deviation of the position while it drives, in the direction in which it is largest, m
	last        int64   // stamp of the newest pose, ns
	bold        bool    // the next target need only keep the margin: no other place is left
	leaving     bool    // the robot leaves a narrow place
	homeward    bool    // it drives home with less room than it needs: to wait does not help
	cramped     string  // why the mission does not start by itself: there is too little room for so uncertain a position

	log, logOn ros.Throttle

	// Of a wait:
	began  int64   // ns, like the next two the node's time: stamps may be of another clock
	next   int64   // when a path is looked for again, ns
	since  int64   // when the standard deviation was last compared, ns
	stdDev float64 // the largest standard deviation then, m
}

// watchEdge halts the robot while it may have come to an edge or a keep-out without knowing.
func (a *active) watchEdge() {
	status := a.mission.Status()
	switch {
	case a.cfg.Field.Sigmas == 0:
	case status.Waiting != "":
		a.watchEdgeWaiting(&status)
	case status.State == mission.StateTravelling && status.Drive != mission.DriveGivenUp, status.State == mission.StateReturning:
		a.watchEdgeDriving(&status)
	}
}

// watchEdgeDriving makes a robot that drives wait where there is not enough room.
func (a *active) watchEdgeDriving(status *mission.Status) {
	s, g := a.sense, &a.edge
	now, stdDev := a.now(), s.StdDev()
	g.take(s.Pose().Stamp, stdDev)
	g.since, g.stdDev = now, stdDev
	room, fits := a.room(status, 1)
	if g.homeward = g.homeward && !fits && g.asUsual(stdDev) && goesHome(status); g.homeward {
		_, fits = a.room(status, onTheWayHome)
	}
	g.leaving = g.leaving && !fits && g.asUsual(stdDev)
	path := a.driver.Path()
	if fits || g.asUsual(stdDev) && a.inwards(path) || g.leaving && a.ground.WayOut(s.Pose(), pursuit.Ahead(path, s.Place(), 0)) {
		return
	}
	g.leaving, g.homeward, g.began = false, false, now
	g.log.Warn("the robot waits for a more certain position: it may be nearer to an edge than it knows",
		"x_m", s.Pose().X, "y_m", s.Pose().Y, "edge_m", room.Distance, "sigmas_m", room.Spread, "robot_m", room.Body)
	a.tell(mission.EventUncertain{Stamp: now, Reason: a.lacking(room, 1)})
}

// watchEdgeWaiting lets a robot that waits drive on when there is enough room or another way on,
// and gives its target up when waiting does not help.
func (a *active) watchEdgeWaiting(status *mission.Status) {
	s, g := a.sense, &a.edge
	now, stdDev := a.now(), s.StdDev()
	room, fits := a.room(status, moreCertain)
	asUsual := g.asUsual(stdDev)
	g.leaving = g.leaving && !fits && asUsual
	switch {
	case math.Abs(s.Speed()) > a.cfg.Mission.ArrivalSpeed: // it has not stopped yet
		return
	case fits:
		a.driveOn("the position is certain enough again")
		return
	case now < g.next:
		return
	}
	g.next = now + int64(askPath)
	var path []orb.Point // nil: there is none
	if goesHome(status) {
		path, _ = a.ground.PathHome(s.Place())
	} else {
		path, _ = a.ground.PathTo(s.Place(), a.target)
	}
	helps := g.helps(now, stdDev)
	if !helps && now-g.began > int64(ros.Duration(longestWait*a.cfg.Mission.GoalTimeoutBase)) {
		g.usualStdDev, asUsual = max(g.usualStdDev, stdDev), true // it will not be better here
	}
	g.leaving = !helps && asUsual && a.ground.WayOut(s.Pose(), path)
	if !helps && asUsual && goesHome(status) {
		_, g.homeward = a.room(status, onTheWayHome)
	}
	switch {
	case g.leaving, asUsual && a.inwards(path):
		a.driveOn("the way on leads away from the edge")
	case g.homeward && path != nil:
		a.driveOn("waiting does not help on the way home")
	case !helps && asUsual && status.State != mission.StateFault:
		a.tell(mission.EventDriveFailed{Stamp: now, Reason: "the position does not become more certain: " + a.lacking(room, moreCertain)})
	default:
		a.tell(mission.EventUncertain{Stamp: now, Reason: a.lacking(room, moreCertain)})
	}
}

// goesHome reports whether the mission returns home, or was interrupted while it did.
func goesHome(s *mission.Status) bool {
	return s.State == mission.StateReturning || s.Interrupted == mission.StateReturning
}

// room returns the lesser of the rooms where the robot is and where it would stand if it were
// halted now, with standard deviations multiplied by a factor; and whether the robot fits there.
func (a *active) room(status *mission.Status, factor float64) (room ground.Room, fits bool) {
	g, at := a.ground, a.sense.Pose()
	room = g.Room(at, factor)
	if stop := a.standstill(); g.Room(&stop, factor).Lacks() > room.Lacks() {
		room = g.Room(&stop, factor)
	}
	return room, room.Fits() || goesHome(status) && g.AtHome(at)
}

// lacking says which room there is, rounded down, and which is needed, rounded up: they are never the same.
func (a *active) lacking(room ground.Room, factor float64) string {
	return fmt.Sprintf("%.1f m to the edge of the field or a keep-out, and %.1f m are needed: %.3g standard deviations of the position and %.2g m for the robot",
		math.Floor(10*room.Distance)/10, math.Ceil(10*(room.Body+room.Spread))/10, factor*a.cfg.Field.Sigmas, room.Body)
}

// standstill returns the pose at which the robot would stand if it were halted now: straight
// ahead, but no farther away than the next corner of its path.
func (a *active) standstill() localization.Pose {
	s := a.sense
	at, v := *s.Pose(), math.Abs(s.Speed())
	left := 0.0
	if path := a.driver.Path(); len(path) > 0 {
		corner, corners := pursuit.PlaceAhead(path, s.Place(), 0)
		if len(corners) > 0 {
			corner = corners[0]
		}
		left = planar.Distance(s.Place(), corner)
	}
	way := math.Copysign(min(v*reaction+v*v/(2*deceleration), left), s.Speed())
	sin, cos := math.Sincos(at.Yaw)
	at.X, at.Y = at.X+way*cos, at.Y+way*sin
	return at
}

// driveOn ends a wait.
func (a *active) driveOn(why string) {
	a.edge.logOn.Log(slog.LevelInfo, "the robot drives on: "+why, "waited_s", time.Duration(a.now()-a.edge.began).Seconds())
	a.tell(mission.EventCertain{Stamp: a.now()})
}

// inwards reports whether a path leads the robot away from the edges.
func (a *active) inwards(path []orb.Point) bool {
	if len(path) == 0 {
		return false
	}
	s := a.sense
	on, _ := pursuit.PlaceAhead(path, s.Place(), inwardsDistance)
	return a.ground.Inwards(s.Pose(), on)
}

// take takes up the standard deviation, m, of a pose on a drive.
func (g *edge) take(stamp int64, stdDev float64) {
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
func (g *edge) asUsual(stdDev float64) bool { return stdDev <= usualFactor*g.usualStdDev }

// helps reports whether the standard deviation, m, shrinks while the robot waits.
func (g *edge) helps(now int64, stdDev float64) bool {
	if stdDev < (1-noGain)*g.stdDev {
		g.since, g.stdDev = now, stdDev
	}
	return now-g.since < int64(noGainTime)
}

// inset returns which places uncertainty and the guard leave for a target; nil: all of them.
func (a *active) inset() func(x []float64) bool {
	// A point of the grid that is refused once is passed over for good.
	bold, region := a.edge.bold || a.cfg.Method == settings.MethodGrid, a.ground.Region()
	a.edge.bold = false
	certain := a.certain(bold)
	need, _ := a.guarded()
	if need == 0 || bold {
		return certain
	}
	return func(x []float64) bool {
		return region.SignedDistance(orb.Point(x)) >= need && (certain == nil || certain(x))
	}
}

// guarded returns how far inside the field a target must be for the guard to let the robot there and back,
// m, 0 if no place is or all are, and what a person should know of that.
func (a *active) guarded() (need float64, why string) {
	need, region := a.guard.Needs(), a.ground.Region()
	most := region.SignedDistance(orb.Point(region.Centre()))
	const raise = "with such position fixes the guard lets the robot reach, and leave again, only places %.1f m inside the field, and %s: raise allowance of the guard by %.1f m, or use a better receiver"
	more := math.Ceil(need - region.Margin())
	switch {
	case !(need > region.Margin()):
		return 0, ""
	case need > most:
		return 0, fmt.Sprintf(raise, need, fmt.Sprintf("none is farther inside than %.1f m", most), more)
	case need > 2*region.Margin(): // less is no news
		why = fmt.Sprintf(raise, need, fmt.Sprintf("the margin is %.1f m", region.Margin()), more)
	}
	return need, why
}

// certain makes the next targets and paths keep so far away from edges that the robot can
// probably drive there, and returns which places that leaves for a target; nil: all of them.
func (a *active) certain(bold bool) func(x []float64) bool {
	g := a.ground
	if a.cfg.Field.Sigmas == 0 && !a.driver.ByAction() {
		return nil
	}
	stdDev := a.edge.usualStdDev
	if stdDev == 0 {
		stdDev = a.sense.StdDev()
	}
	if expected := a.expectation; expected != nil && a.optimizer.Learnt().Aim.ByPlace() {
		g.Expect(math.Sqrt(expected.Mean()))
		if bold {
			return nil
		}
		return g.Certain(a.sense.Place(), expected)
	}
	g.Expect(stdDev)
	distance, more := g.Inset()
	if !more || bold {
		return nil
	}
	region := g.Region()
	return func(x []float64) bool { return region.SignedDistance(orb.Point(x)) >= distance }
}

// outside notices a robot that leaves the field by its own pose. Its paths do not lead there, so its
// position or its heading is wrong, or what drives it does not follow the path.
type outside struct {
	known  bool
	least  float64 // least distance outside since the mission goes on, m
	last   int64   // when that was last looked at, node's time, ns
	beyond int64   // for how long the robot was farther out than it can explain, ns
}

const (
	// A robot that is outside by outsideDistance and outsideSigmas standard deviations more than it
	// was for outsideTime has left the field. One that starts outside may need a metre to turn. The times add
	// up, since the uncertainty of a filter that is wrong rises and falls.
	outsideDistance, outsideSigmas = 1.0, 3.0
	outsideTime                    = time.Second
	// A robot that is turned by hand or carried, or whose wheels slip, has its heading corrected once or
	// twice. One with a gyroscope or an encoder that lies has it corrected every 2 m to 15 m.
	mostCorrections, correctionsDistance = 3, 100.0
)

// watchOutside ends a drive, and sampling, that lead out of the field. A person who lets the mission
// go on accepts where the robot is.
func (a *active) watchOutside() {
	g, s := &a.outside, a.sense
	state := a.state()
	if !state.Active() {
		*g = outside{}
		return
	}
	out, stdDev, now := a.ground.Outside(s.Place()), s.StdDev(), a.now()
	passed := min(max(now-g.last, 0), int64(outsideTime/2)) // one pose is not enough
	g.last = now
	if !g.known || out < g.least {
		g.known, g.least = true, out
	}
	switch farther := out - g.least - outsideDistance; {
	case state == mission.StatePlanning, farther <= 0:
		g.beyond = 0
	case farther <= outsideSigmas*stdDev:
	case g.beyond+passed < int64(outsideTime):
		g.beyond += passed
	default:
		why := fmt.Sprintf("by its own pose the robot leaves the field: (%.1f, %.1f) m is %.1f m farther outside or in a keep-out than before, with a standard deviation of %.2g m. "+
			"Its position or its heading is wrong, or what drives it does not follow its path: look at it, send /initialpose if its pose is wrong, then call ~/resume", s.Pose().X, s.Pose().Y, out-g.least, stdDev)
		*g = outside{}
		a.tell(mission.EventFault{Stamp: now, Reason: why})
	}
}

// onCorrection ends a drive, and sampling, of a robot whose heading turns out wrong again and again:
// after each correction it would be lost anew.
func (a *active) onCorrection(*std_msgs.Empty, ros.MessageInfo) {
	if !a.state().Active() {
		return
	}
	driven := a.mission.Status().UsedDistance
	a.corrected = append(a.corrected, driven)
	first := len(a.corrected) - mostCorrections
	if first < 0 || driven-a.corrected[first] > correctionsDistance {
		return
	}
	a.tell(mission.EventFault{Stamp: a.now(), Reason: fmt.Sprintf("the heading was wrong and has been corrected %d times within %.0f m: a sensor lies, or the robot's geometry is set wrong. "+
		"Look at how the robot turns and at what gyroscope, wheel odometry (wheel separation) and position fixes (antenna.x, antenna.y) say of it, then call ~/resume", mostCorrections, driven-a.corrected[first])})
}
