// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"math"

	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/pursuit"
)

// defaultRadius is the radius of the robot for which the lengths and the speed in scaled
// were chosen, m: an ATRV, 1.35 × 0.75 m.
const defaultRadius = 0.8

// leastShare is the least share of those lengths and of that speed: the lowest speeds on
// arcs and before stops leave no room for less.
const leastShare = 1.0 / 8

// scaled are the lengths and the speed that follow the robot's size: a smaller robot is slower and
// turns in less room. Larger robots do not look further ahead, because the position's noise, which
// the lookahead distance has to exceed, does not grow.
var scaled = param.DerivedSet[pursuit.Config, float64]{
	share("max_speed_m_s", func(c *pursuit.Config) *float64 { return &c.MaxSpeed }, 1.6, 0),
	share("lookahead_min_m", func(c *pursuit.Config) *float64 { return &c.LookaheadMin }, 1.5, 0),
	share("lookahead_max_m", func(c *pursuit.Config) *float64 { return &c.LookaheadMax }, 4, 0),
	share("curve_radius_m", func(c *pursuit.Config) *float64 { return &c.CurveRadius }, 2, 0),
	share("approach_distance_m", func(c *pursuit.Config) *float64 { return &c.ApproachDistance }, 2, 0),
	// A robot whose position moves by 5 cm with each fix does not find a smaller circle.
	share("goal_tolerance_m", func(c *pursuit.Config) *float64 { return &c.GoalTolerance }, 0.5, 0.1),
}

// share derives a field from the robot's radius: it has the value for defaultRadius and larger robots,
// is in proportion to the radius of smaller ones, and at least least.
func share(name string, field func(*pursuit.Config) *float64, value, least float64) param.Derived[pursuit.Config, float64] {
	return param.Derive(name, field, func(radius float64) float64 {
		return max(least, min(1, max(leastShare, radius/defaultRadius))*value)
	}, "")
}

// pursuit returns the configuration of the path follower. The lowest speeds on arcs and before stops
// are lower for a slow robot, and for one that brakes slowly: it begins to stop within half the
// tolerance, and the other half is left for stopping.
func (c *Config) pursuit() pursuit.Config {
	p := c.Pursuit
	p.CurveSpeed = min(p.CurveSpeed, p.MaxSpeed)
	p.ApproachSpeed = min(p.ApproachSpeed, p.MaxSpeed, 0.99*math.Sqrt(p.Deceleration*p.GoalTolerance))
	return p
}
