package follower

import (
	"log/slog"

	"ugp_explorer/node/ros/param"
)

// defaultRadius is the radius of the robot for which the lengths and the speed in scaled
// were chosen, m: an ATRV, 1.35 × 0.75 m.
const defaultRadius = 0.8

// leastShare is the least share of those lengths and of that speed: the lowest speeds on
// arcs and before stops leave no room for less.
const leastShare = 1.0 / 8

// scaled are the parameters that follow the robot's size while no value is given: a smaller
// robot is slower and turns in less room. Larger robots do not look further ahead, because
// the position's noise, which the lookahead distance has to exceed, does not grow.
var scaled = param.DerivedSet[Config, float64]{
	param.Derive("max_speed", func(c *Config) *float64 { return &c.Pursuit.MaxSpeed }, share(1.6, 0),
		"1.6 m/s, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.2 m/s"),
	param.Derive("lookahead.min", func(c *Config) *float64 { return &c.Pursuit.LookaheadMin }, share(1.5, 0),
		"1.5 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.19 m"),
	param.Derive("lookahead.max", func(c *Config) *float64 { return &c.Pursuit.LookaheadMax }, share(4, 0),
		"4 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.5 m"),
	param.Derive("curve.radius", func(c *Config) *float64 { return &c.Pursuit.CurveRadius }, share(2, 0),
		"2 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.25 m"),
	param.Derive("approach.distance", func(c *Config) *float64 { return &c.Pursuit.ApproachDistance }, share(2, 0),
		"2 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.25 m"),
	// A robot whose position moves by 5 cm with each fix does not find a smaller circle.
	param.Derive("goal.tolerance", func(c *Config) *float64 { return &c.Pursuit.GoalTolerance }, share(0.5, 0.1),
		"0.5 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.1 m"),
}

// share returns the value for a robot's radius: the value for defaultRadius and larger robots,
// in proportion to the radius of smaller ones, and at least least.
func share(value, least float64) func(radius float64) float64 {
	return func(radius float64) float64 {
		return max(least, min(1, max(leastShare, radius/defaultRadius))*value)
	}
}

// resolve gives a value to each parameter that follows the robot's size and has none.
func (c *Config) resolve() { scaled.Resolve(c, c.Radius) }

// logScaled logs the parameters that follow the robot's size, in one line.
func (c *Config) logScaled(log *slog.Logger) {
	args := []any{"robot.radius", c.Radius}
	args = append(args, scaled.Values(c, func(string) bool { return true })...)
	log.Info("speed and distances for the size of the robot", args...)
}
