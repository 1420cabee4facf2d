package follower

import (
	"log/slog"
	"math"

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
var scaled = []struct {
	name  string
	field func(*pursuit.Config) *float64
	value func(radius float64) float64
}{
	{"max_speed_m_s", func(c *pursuit.Config) *float64 { return &c.MaxSpeed }, share(1.6, 0)},
	{"lookahead_min_m", func(c *pursuit.Config) *float64 { return &c.LookaheadMin }, share(1.5, 0)},
	{"lookahead_max_m", func(c *pursuit.Config) *float64 { return &c.LookaheadMax }, share(4, 0)},
	{"curve_radius_m", func(c *pursuit.Config) *float64 { return &c.CurveRadius }, share(2, 0)},
	{"approach_distance_m", func(c *pursuit.Config) *float64 { return &c.ApproachDistance }, share(2, 0)},
	// A robot whose position moves by 5 cm with each fix does not find a smaller circle.
	{"goal_tolerance_m", func(c *pursuit.Config) *float64 { return &c.GoalTolerance }, share(0.5, 0.1)},
}

// share returns the value for a robot's radius: the value for defaultRadius and larger robots,
// in proportion to the radius of smaller ones, and at least least.
func share(value, least float64) func(radius float64) float64 {
	return func(radius float64) float64 {
		return max(least, min(1, max(leastShare, radius/defaultRadius))*value)
	}
}

// resolve gives a value to the largest speed and each length that has none.
func (c *Config) resolve() {
	for _, s := range scaled {
		if v := s.field(&c.Pursuit); math.IsNaN(*v) {
			*v = s.value(c.Radius)
		}
	}
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

// logScaled logs what follows the robot's size, in one line.
func (c *Config) logScaled(log *slog.Logger) {
	args := []any{"robot.radius", c.Radius}
	for _, s := range scaled {
		args = append(args, s.name, *s.field(&c.Pursuit))
	}
	log.Info("speed and distances for the size of the robot", args...)
}
