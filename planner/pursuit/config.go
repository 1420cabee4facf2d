package pursuit

import (
	"fmt"
	"math"
)

// Config holds a follower's parameters, in SI units and radians.
type Config struct {
	MaxSpeed        float64 // > 0, m/s
	MaxTurnRate     float64 // > 0, rad/s, in curves and on the spot
	Acceleration    float64 // > 0, m/s², gaining speed
	Deceleration    float64 // > 0, m/s², losing speed
	TurnRateChange  float64 // > 0, rad/s², gaining and losing turn rate
	MaxStepInterval float64 // > 0, s; a longer interval between two steps counts as this long

	LookaheadTime float64 // ≥ 0, s; the lookahead distance is speed × this, between the two below
	LookaheadMin  float64 // > 0, m
	LookaheadMax  float64 // ≥ LookaheadMin, m

	CurveRadius      float64 // > 0, m; on arcs of a smaller radius R the speed is at most MaxSpeed·R/CurveRadius,
	CurveSpeed       float64 // but at least this: > 0, ≤ MaxSpeed, m/s
	ApproachDistance float64 // > 0, m; at r < ApproachDistance from a stop the speed is at most MaxSpeed·r/ApproachDistance,
	ApproachSpeed    float64 // but at least this: > 0, ≤ MaxSpeed, m/s

	TurnEnter float64 // > TurnExit, < π/2; with the lookahead point further to the side the robot stops and turns on the spot,
	TurnExit  float64 // > 0, rad, until it is less than this to the side
	TurnGain  float64 // > 0, 1/s; turn rate on the spot per radian still to turn, up to MaxTurnRate
	CuspAngle float64 // > 0, ≤ π; the path is driven to its end and the robot stopped at corners sharper than this

	GoalTolerance float64 // > 0, < LookaheadMin, m; how near the robot comes to the end of the path, and to each cusp
	YawTolerance  float64 // > 0, ≤ π; how near it comes to the final heading, where one is given
	StandSpeed    float64 // > 0, m/s of measured speed below which the robot stands, so that it may have arrived

	MaxPoseAge float64 // > 0, s; with an older pose, or one so far in the future, the command is zero
}

// DefaultConfig returns parameters for a skid-steered robot of the ATRV's size.
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

// Validate returns an error that names the first field outside its range, with its value and what is allowed, or nil.
func (c Config) Validate() error {
	inf := math.Inf(1)
	for _, f := range []struct {
		name     string
		x        float64
		above    float64
		atMost   float64
		zeroToo  bool
		strictly bool   // below atMost
		limit    string // the field that is atMost
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
	// The robot begins to stop within half the tolerance and has the other half to stop in.
	if way := c.ApproachSpeed * c.ApproachSpeed / (2 * c.Deceleration); way > c.GoalTolerance/2 {
		return fmt.Errorf("pursuit: ApproachSpeed is %g: stopping at Deceleration %g takes %.3g m, more than half of GoalTolerance %g",
			c.ApproachSpeed, c.Deceleration, way, c.GoalTolerance)
	}
	return nil
}
