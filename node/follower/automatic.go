package follower

import (
	"log/slog"
	"math"

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
var scaled = []struct {
	name  string
	field func(*Config) *float64
	value float64 // for defaultRadius and larger robots
	least float64
	rule  string
}{
	{"max_speed", func(c *Config) *float64 { return &c.Pursuit.MaxSpeed }, 1.6, 0,
		"1.6 m/s, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.2 m/s"},
	{"lookahead.min", func(c *Config) *float64 { return &c.Pursuit.LookaheadMin }, 1.5, 0,
		"1.5 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.19 m"},
	{"lookahead.max", func(c *Config) *float64 { return &c.Pursuit.LookaheadMax }, 4, 0,
		"4 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.5 m"},
	{"curve.radius", func(c *Config) *float64 { return &c.Pursuit.CurveRadius }, 2, 0,
		"2 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.25 m"},
	{"approach.distance", func(c *Config) *float64 { return &c.Pursuit.ApproachDistance }, 2, 0,
		"2 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.25 m"},
	// A robot whose position moves by 5 cm with each fix does not find a smaller circle.
	{"goal.tolerance", func(c *Config) *float64 { return &c.Pursuit.GoalTolerance }, 0.5, 0.1,
		"0.5 m, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.1 m"},
}

// automatic returns the option of a parameter that follows the robot's size.
func automatic(name string) param.Option {
	for _, p := range scaled {
		if p.name == name {
			return param.Auto(p.rule)
		}
	}
	panic("follower: no rule for " + name)
}

// unset marks the parameters that follow the robot's size as not given.
func (c *Config) unset() {
	for _, p := range scaled {
		*p.field(c) = math.NaN()
	}
}

// resolve gives a value to each parameter that follows the robot's size and has none. It
// returns their names.
func (c *Config) resolve() (names []string) {
	share := min(1, max(leastShare, c.Radius/defaultRadius))
	for _, p := range scaled {
		if v := p.field(c); math.IsNaN(*v) {
			*v = max(p.least, share*p.value)
			names = append(names, p.name)
		}
	}
	return names
}

// logScaled logs the parameters that follow the robot's size, in one line.
func (c *Config) logScaled(log *slog.Logger) {
	args := []any{"robot.radius", c.Radius}
	for _, p := range scaled {
		args = append(args, p.name, *p.field(c))
	}
	log.Info("speed and distances for the size of the robot", args...)
}
