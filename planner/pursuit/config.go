// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"fmt"
	"math"
)

// Config holds the follower's properties that depend on the robot, in SI units and radians.
type Config struct {
	MaxSpeed     float64 // m/s
	MaxTurnRate  float64 // rad/s, largest turn rate in curves and on the spot
	TurnRadius   float64 // m, smallest radius of a robot that steers and cannot turn on the spot, see shuntLength; 0: it can
	Acceleration float64 // m/s², largest increase of speed
	Deceleration float64 // m/s², largest decrease of speed

	LookaheadMin float64 // m, smallest lookahead distance
	LookaheadMax float64 // m, largest lookahead distance, at least LookaheadMin

	CurveRadius      float64 // m; on arcs of a smaller radius R the speed is at most max(CurveSpeed, MaxSpeed·R/CurveRadius)
	CurveSpeed       float64 // ≤ MaxSpeed, m/s, lower bound of the speed limit on arcs
	ApproachDistance float64 // m; at r < ApproachDistance from a stop the speed is at most max(ApproachSpeed, MaxSpeed·r/ApproachDistance)
	ApproachSpeed    float64 // ≤ MaxSpeed, m/s, lower bound of the speed limit near a stop; stopping from it takes at most half of GoalTolerance

	GoalTolerance float64 // < LookaheadMin, m; accepted distance from the end of the path and from each cusp
	MaxPoseAge    float64 // s; with an older pose, or one further in the future, the command is zero
}

// MaxStepInterval is the interval between two steps as which a longer one counts, s.
const MaxStepInterval = 0.2

const (
	turnRateChange = 2.0 // rad/s², largest change of the turn rate
	lookaheadTime  = 1.5 // s; the lookahead distance is speed × lookaheadTime, between LookaheadMin and LookaheadMax
	turnEnter      = 0.8 // < π/2, rad; when the bearing to the lookahead point is larger, the robot stops and turns on the spot
	turnExit       = 0.1 // rad; a turn on the spot ends when the bearing is smaller
	turnGain       = 1.5 // 1/s; turn rate on the spot per radian left to turn, up to MaxTurnRate
	// Many bases do not obey small turn rates on the spot, since wheels that are dragged stick. A robot that has turned by less than turned,
	// rad, for unturnedTime, s, drives on once the bearing is small enough to be tracked.
	turned, unturnedTime = 0.03, 1.0
	// A robot that cannot turn on the spot turns in arcs, back and forth, each shuntLength (m) long, at shuntSpeed (m/s). It stays within
	// 2 m of where it began, and goes back first, where it came from. On curves it may depart by shuntDeviation (m) from its path before
	// it turns so.
	shuntLength, shuntSpeed, shuntDeviation = 1.0, 0.8, 0.3
	cuspAngle                               = math.Pi / 2 // rad; a corner sharper than this is a cusp: the robot drives up to it and stops
	standSpeed                              = 0.05        // m/s; below this measured speed the robot counts as standing, so that it may have arrived
)

// DefaultConfig returns the configuration for a skid-steered robot of the size of an ATRV.
func DefaultConfig() Config {
	return Config{
		MaxSpeed:         0.8,
		MaxTurnRate:      1.0,
		Acceleration:     0.5,
		Deceleration:     0.8,
		LookaheadMin:     0.5,
		LookaheadMax:     1.5,
		CurveRadius:      0.9,
		CurveSpeed:       0.2,
		ApproachDistance: 1.0,
		ApproachSpeed:    0.1,
		GoalTolerance:    0.15,
		MaxPoseAge:       0.5,
	}
}

// validate returns an error that names the first field that is not a number above 0, or nil.
func (c Config) validate() error {
	for _, f := range []struct {
		name string
		x    float64
	}{
		{"MaxSpeed", c.MaxSpeed}, {"MaxTurnRate", c.MaxTurnRate}, {"Acceleration", c.Acceleration}, {"Deceleration", c.Deceleration},
		{"LookaheadMin", c.LookaheadMin}, {"LookaheadMax", c.LookaheadMax}, {"CurveRadius", c.CurveRadius}, {"CurveSpeed", c.CurveSpeed},
		{"ApproachDistance", c.ApproachDistance}, {"ApproachSpeed", c.ApproachSpeed}, {"GoalTolerance", c.GoalTolerance}, {"MaxPoseAge", c.MaxPoseAge},
	} {
		if !(f.x > 0) || math.IsInf(f.x, 1) {
			return fmt.Errorf("pursuit: %s is %g: must be above 0 and finite", f.name, f.x)
		}
	}
	if !(c.TurnRadius >= 0) || math.IsInf(c.TurnRadius, 1) {
		return fmt.Errorf("pursuit: TurnRadius is %g: must be 0 or more and finite", c.TurnRadius)
	}
	return nil
}
