// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"fmt"
	"time"

	"ugp_explorer/planner/mission"
)

// Outside detects a robot that leaves the field by its own pose. Its paths do not lead there, so its position or heading is wrong, or the
// node that drives it does not follow the path.
type Outside struct {
	known  bool
	least  float64 // least distance outside since the mission continues, m
	last   int64   // when that was last looked at, node's time, ns
	beyond int64   // for how long the robot was farther out than its uncertainty explains, or back since a fault, ns
	back   float64 // distance outside below which the robot is back after a fault, m
}

const (
	// A robot has left the field if, for outsideTime, it is farther outside than before by outsideDistance and outsideSigmas standard
	// deviations. A robot that starts outside may need a metre to turn. The times add up, since the uncertainty of a wrong filter rises and
	// falls.
	outsideDistance, outsideSigmas = 1.0, 3.0
	outsideTime                    = time.Second
	// backTime is how long a robot that stands after such a fault must be back inside: errors of receivers come and go.
	backTime = 10 * time.Second
	// After a turn by hand, a carry or wheel slip, the heading is corrected once or twice. With a wrong gyroscope or encoder, it is
	// corrected every 2 m to 15 m.
	mostCorrections, correctionsDistance = 3, 100.0
)

// Watch returns a fault if a drive, or sampling, leads out of the field, and the end of that fault when the standing robot is back inside
// by its own pose, because then only the pose was outside. Otherwise it returns nil. out is how far the robot is outside, m. A person who
// lets the mission continue accepts the robot's position.
func (g *Outside) Watch(r *Robot, out float64) mission.Event {
	state, stdDev, now := r.Mission.State, r.StdDev, r.Now
	passed := min(max(now-g.last, 0), int64(outsideTime/2)) // one pose is not enough
	g.last = now
	if r.Mission.Passes(mission.CauseOutside) && out <= g.back {
		if g.beyond += passed; g.beyond >= int64(backTime) {
			*g = Outside{}
			return mission.EventRecovered{Stamp: now, Cause: mission.CauseOutside}
		}
		return nil
	} else if !state.Active() {
		*g = Outside{last: now, back: g.back}
		return nil
	}
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
		why := fmt.Sprintf("according to its pose, the robot is leaving the field: (%.1f, %.1f) m is %.1f m farther outside, or inside a keep-out, than before, with a standard deviation of %.2g m. "+
			"Its position or heading is wrong, or its controller does not follow the path: look at the robot, and send /initialpose if its pose is wrong", r.Pose.X, r.Pose.Y, out-g.least, stdDev)
		*g = Outside{last: now, back: g.least + outsideDistance}
		return mission.EventFault{Stamp: now, Reason: why, Cause: mission.CauseOutside}
	}
	return nil
}

// Corrections detects a robot whose heading is corrected again and again: it would be wrong again after each correction.
type Corrections struct {
	driven []float64 // its odometer at each correction since a person let it continue, m
}

// Forget forgets the corrections: a person lets the robot continue.
func (c *Corrections) Forget() { c.driven = nil }

// Corrected returns why a mission must not continue after another correction at a driven distance, m; "" if it may.
func (c *Corrections) Corrected(driven float64) (why string) {
	c.driven = append(c.driven, driven)
	first := len(c.driven) - mostCorrections
	if first < 0 || driven-c.driven[first] > correctionsDistance {
		return ""
	}
	return fmt.Sprintf("the heading was wrong and has been corrected %d times within %.0f m: a sensor is wrong, fixes have far larger errors than they state, or the robot's geometry is configured wrongly. "+
		"Compare how the robot turns with the gyroscope, the wheel odometry (wheel separation) and the position fixes (antenna.x, antenna.y)", mostCorrections, driven-c.driven[first])
}
