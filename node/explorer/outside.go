package explorer

import (
	"fmt"
	"time"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

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
