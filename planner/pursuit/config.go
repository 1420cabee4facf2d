package pursuit

import (
	"fmt"
	"math"
)

// Config holds a follower's parameters, in SI units and radians.
type Config struct {
	MaxSpeed        float64 // > 0, m/s
	MaxTurnRate     float64 // > 0, rad/s, largest turn rate in curves and on the spot
	Acceleration    float64 // > 0, m/s², largest increase of speed
	Deceleration    float64 // > 0, m/s², largest decrease of speed
	TurnRateChange  float64 // > 0, rad/s², largest change of the turn rate
	MaxStepInterval float64 // > 0, s; a longer interval between two steps counts as this one

	LookaheadTime float64 // ≥ 0, s; the lookahead distance is speed × LookaheadTime, between LookaheadMin and LookaheadMax
	LookaheadMin  float64 // > 0, m, smallest lookahead distance
	LookaheadMax  float64 // ≥ LookaheadMin, m, largest lookahead distance

	CurveRadius      float64 // > 0, m; on arcs of a smaller radius R the speed is at most max(CurveSpeed, MaxSpeed·R/CurveRadius)
	CurveSpeed       float64 // > 0, ≤ MaxSpeed, m/s, lower bound of the speed limit on arcs
	ApproachDistance float64 // > 0, m; at r < ApproachDistance from a stop the speed is at most max(ApproachSpeed, MaxSpeed·r/ApproachDistance)
	ApproachSpeed    float64 // > 0, ≤ MaxSpeed, m/s, lower bound of the speed limit near a stop

	TurnEnter float64 // > TurnExit, < π/2, rad; when the bearing to the lookahead point is larger, the robot stops and turns on the spot
	TurnExit  float64 // > 0, rad; a turn on the spot ends when the bearing is smaller
	TurnGain  float64 // > 0, 1/s; turn rate on the spot per radian left to turn, up to MaxTurnRate
	CuspAngle float64 // > 0, ≤ π, rad; a corner sharper than this is a cusp: the robot drives up to it and stops

	GoalTolerance float64 // > 0, < LookaheadMin, m; accepted distance from the end of the path and from each cusp
	YawTolerance  float64 // > 0, ≤ π, rad; accepted error of the final heading, when one is given
	StandSpeed    float64 // > 0, m/s; below this measured speed the robot counts as standing, so that it may have arrived

	MaxPoseAge float64 // > 0, s; with an older pose, or one further in the future, the command is zero
}

// DefaultConfig returns the configuration for a skid-steered robot of the size of an ATRV.
func DefaultConfig() Config {
	return Config{
		MaxSpeed:        0.8,
		MaxTurnRate:     1.0,
		Acceleration:    0.5,
		Deceleration:    0.8,
		TurnRateChange:  2.0,
		MaxStepInterval: 0.2,

		LookaheadTime: 1.5,
		LookaheadMin:  0.5,
		LookaheadMax:  1.5,

		CurveRadius:      0.9,
		CurveSpeed:       0.2,
		ApproachDistance: 1.0,
		ApproachSpeed:    0.1,

		TurnEnter: 0.8,
		TurnExit:  0.1,
		TurnGain:  1.5,
		CuspAngle: math.Pi / 2,

		GoalTolerance: 0.15,
		YawTolerance:  0.05,
		StandSpeed:    0.05,

		MaxPoseAge: 0.5,
	}
}

// validate returns an error that names the first field outside its range, its value and the allowed range, or nil.
func (c Config) validate() error {
	inf := math.Inf(1)
	for _, f := range []struct {
		name     string
		x        float64
		above    float64
		atMost   float64
		zeroToo  bool
		strictly bool   // below atMost
		limit    string // the field whose value is atMost
	}{
		{name: "MaxSpeed", x: c.MaxSpeed, atMost: inf},
		{name: "MaxTurnRate", x: c.MaxTurnRate, atMost: inf},
		{name: "Acceleration", x: c.Acceleration, atMost: inf},
		{name: "Deceleration", x: c.Deceleration, atMost: inf},
		{name: "TurnRateChange", x: c.TurnRateChange, atMost: inf},
		{name: "MaxStepInterval", x: c.MaxStepInterval, atMost: inf},
		{name: "LookaheadTime", x: c.LookaheadTime, atMost: inf, zeroToo: true},
		{name: "LookaheadMax", x: c.LookaheadMax, atMost: inf},
		{name: "LookaheadMin", x: c.LookaheadMin, atMost: c.LookaheadMax, limit: "LookaheadMax"},
		{name: "CurveRadius", x: c.CurveRadius, atMost: inf},
		{name: "CurveSpeed", x: c.CurveSpeed, atMost: c.MaxSpeed, limit: "MaxSpeed"},
		{name: "ApproachDistance", x: c.ApproachDistance, atMost: inf},
		{name: "ApproachSpeed", x: c.ApproachSpeed, atMost: c.MaxSpeed, limit: "MaxSpeed"},
		{name: "TurnEnter", x: c.TurnEnter, atMost: math.Pi / 2, strictly: true},
		{name: "TurnExit", x: c.TurnExit, atMost: c.TurnEnter, strictly: true, limit: "TurnEnter"},
		{name: "TurnGain", x: c.TurnGain, atMost: inf},
		{name: "CuspAngle", x: c.CuspAngle, atMost: math.Pi},
		{name: "GoalTolerance", x: c.GoalTolerance, atMost: c.LookaheadMin, strictly: true, limit: "LookaheadMin"},
		{name: "YawTolerance", x: c.YawTolerance, atMost: math.Pi},
		{name: "StandSpeed", x: c.StandSpeed, atMost: inf},
		{name: "MaxPoseAge", x: c.MaxPoseAge, atMost: inf},
	} {
		above, atMost := "above 0", fmt.Sprintf(" and at most %g", f.atMost)
		if f.zeroToo {
			above = "at least 0"
		}
		if f.strictly {
			atMost = fmt.Sprintf(" and below %g", f.atMost)
		}
		if math.IsInf(f.atMost, 1) {
			atMost = " and finite"
		}
		low := f.x > 0 || f.zeroToo && f.x == 0
		high := f.x < f.atMost || !f.strictly && f.x == f.atMost
		if !low || !high || math.IsInf(f.x, 0) {
			if f.limit != "" {
				atMost += ", " + f.limit
			}
			return fmt.Errorf("pursuit: %s is %g: must be %s%s", f.name, f.x, above, atMost)
		}
	}
	// The robot begins to stop within half the tolerance, and the other half is left for stopping.
	if distance := c.ApproachSpeed * c.ApproachSpeed / (2 * c.Deceleration); distance > c.GoalTolerance/2 {
		return fmt.Errorf("pursuit: ApproachSpeed is %g: stopping at Deceleration %g takes %.3g m, more than half of GoalTolerance %g",
			c.ApproachSpeed, c.Deceleration, distance, c.GoalTolerance)
	}
	return nil
}
