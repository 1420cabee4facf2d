// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// defaultRadius is the radius of an ATRV, 1.35 × 0.75 m.
const defaultRadius = 0.8

// The least automatic margin is the robot's radius, half as much again for the follower's deviation from its path in curves, and clearance:
// two standard deviations of a position from AMCL or from GPS with corrections. In the simulator, a robot of 0.2 m with this margin stayed
// inside an arena of 5 m with its whole body; with 0.1 m less it did not. A robot with a worse position needs more, and has more on fields
// larger than some metres.
const (
	swing     = 1.5
	clearance = 0.1
)

// mostMargin is the largest automatic margin, m, unless the robot itself is larger.
const mostMargin = 2

// edgeSigmas is the distance of the region from an outline's edges in addition to the margin, in standard deviations of these edges.
const edgeSigmas = 2

// mostUncertain is the largest automatic limit of a position's standard deviation, m.
const mostUncertain = 50

// Size has what automatic values depend on: the sizes of robot and field, and the mission's budget.
type Size struct {
	Radius    float64 // of the robot, m
	Limited   bool    // the price of distance depends on a budget of samples, distance or time
	Path      float64 // path of a mission whose distance alone is limited, or whose limit of samples does not bind, m; 0: another budget
	Driving   bool    // the mission samples while it drives
	Inscribed float64 // radius of the largest circle between the field's edges and keep-outs, m

	// These three are known once the margin is.
	Room float64 // radius of the largest circle in the region, m
	Side float64 // of a square of the region's area, m
	Box  float64 // side of a square of the area of the region's bounding box, m
}

// Spacious returns the size of a field on which all automatic values are the largest, for
// checks and conversions before the field is known.
func Spacious(radius float64) Size {
	return Size{Radius: radius, Inscribed: 200, Room: 200, Side: 900, Box: 1000}
}

// automatics are the explorer's parameters that depend on the sizes of robot and field if no value is given. Their largest values suit
// fields of many hectares and metre-level localisation. Small fields need better localisation, since a position that is uncertain by a
// metre is useless on a field of five metres. The values therefore depend on the field, except where the robot's body or its follower needs
// room.
var automatics = param.DerivedSet[Config, Size]{
	param.Derive("field.margin", func(c *Config) *float64 { return &c.Field.Margin },
		func(s Size) float64 {
			least := math.Round(100*(swing*s.Radius+clearance)) / 100 // to centimetres
			return max(least, min(mostMargin, about(s.Inscribed/10)))
		},
		"2 m, or a tenth of the radius of the largest circle in the field if that is less, but at least 1.5 × robot.radius + 0.1 m"),
	// The filter's estimate moves by decimetres with each fix while the robot stands, and
	// the follower stops within half a metre of its goal, or within 0.7 radii of a small
	// robot; Nav2 stops within 0.25 m.
	param.Derive("goal.tolerance", func(c *Config) *float64 { return &c.Mission.ArrivalTolerance },
		func(s Size) float64 { return max(0.3, about(1.5*s.Radius), min(2, about(s.Inscribed/10))) },
		"2 m, or a tenth of the radius of the largest circle in the field if that is less, but at least 0.3 m and 1.5 × robot.radius"),
	param.Derive("execution.stddev", func(c *Config) *float64 { return &c.Execution },
		func(s Size) float64 { return min(1, about(s.Inscribed/25)) },
		"1 m, or a 25th of the radius of the largest circle in the field if that is less"),
	param.Derive("budget.speed", func(c *Config) *float64 { return &c.Mission.Speed },
		func(s Size) float64 { return min(1, max(1.0/8, s.Radius/defaultRadius)) },
		"1 m/s, or in proportion to robot.radius for a robot smaller than 0.8 m, but at least 0.125 m/s"),
	param.Derive("path.length", func(c *Config) *float64 { return &c.Path.Length },
		func(s Size) float64 { return min(10, about(s.Side/20)) },
		"10 m, or a 20th of the side of a square of the field's area if that is less"),
}

// derived are values that depend on the size like automatics, and that no parameter sets.
var derived = param.DerivedSet[Config, Size]{
	param.Derive("max_pose_stddev_m", func(c *Config) *float64 { return &c.Covariance.MaxPositionStdDev },
		// A less certain robot waits for better poses: its samples would say little about
		// the field, and it might leave the field.
		func(s Size) float64 { return min(mostUncertain, about(s.Inscribed)) }, ""),
	// As fine as the eye can use on a small field, and coarse enough on a large one that a map takes about a
	// second.
	param.Derive("map_cell_m", func(c *Config) *float64 { return &c.MapCell },
		func(s Size) float64 { return max(min(10, below(s.Side/75)), -below(-s.Box/300)) }, ""),
	// Five discs, as many as failures in a row are allowed, cover a third of the largest circle.
	param.Derive("skip_radius_m", func(c *Config) *float64 { return &c.SkipRadius },
		func(s Size) float64 { return min(10, about(s.Room/4)) }, ""),
	param.Derive("reserve_distance_m", func(c *Config) *float64 { return &c.Mission.ReserveDistance },
		func(s Size) float64 { return min(2, about(s.Inscribed/10)) }, ""),
	// Where nothing is known all places are equally good. At a constant price of more than a
	// 20th of a standard deviation per side, a mission would stay where it began on a large
	// field. The price that follows a budget falls when it does.
	param.Derive("travel_cost_per_km", func(c *Config) *float64 { return &c.Travel },
		func(s Size) float64 {
			switch {
			case s.Limited && s.Driving: // driving a metre gives information, too
				return about(2000 / (3 * s.Side))
			case s.Limited && s.Path > 0: // distance alone is limited, or the limit of samples does not bind
				return about(1000 * min(scarcest, max(1, ample*s.Side/s.Path)) / s.Side)
			case s.Limited:
				return about(1000 / s.Side)
			}
			return min(0.05, about(50/s.Side))
		}, ""),
}

// ample is the length of a path, in sides of a square of the field's area, from which on distance is not scarce; scarcest is the largest
// factor on the price of a shorter path. With paths of 1.8 and 3.5 sides, missions with the double price found a better place; with 7.6 and
// more, or with a limit of time, they did not (BENCHMARKS.md).
const ample, scarcest = 7, 2

// below returns the largest of ±1, ±2 and ±5 times a power of ten that is not above length,
// which is not zero. Then -below(-length) is the smallest that is not below length.
func below(length float64) float64 {
	const slack = 1e-9 // for the rounding of the quotient
	power := math.Floor(math.Log10(math.Abs(length)))
	steps := []float64{10, 5, 2, 1}
	if length < 0 {
		steps = []float64{-1, -2, -5, -10}
	}
	for _, step := range steps {
		if scaled := step * math.Pow(10, power); scaled <= length+slack*math.Abs(length) {
			if power < 0 { // a quotient of whole numbers is the nearest double
				return step / math.Pow(10, -power)
			}
			return scaled
		}
	}
	return length // not reached: the last step is not above any length of this power
}

// about rounds a length to two significant digits: the field's size is known to three.
func about(length float64) float64 {
	scale := math.Pow(10, 1-math.Floor(math.Log10(length)))
	return math.Round(length*scale) / scale
}

// Times that follow from the time that a sample takes, in multiples of it, and the least of them.
const (
	waitFactor    = 4
	leastWait     = 20 // s
	timeoutFactor = 3  // of the wait
)

// Resolve sets each parameter that depends on the size and has no value, and the values derived from parameters.
func (c *Config) Resolve(s Size) {
	automatics.Resolve(c, s)
	derived.Resolve(c, s)
	for _, v := range []struct {
		field *float64
		value float64
	}{
		{&c.Mission.HomeTolerance, max(c.Mission.ArrivalTolerance, c.Radius)}, // the follower is content with less than a radius
		{&c.Reading.Wait, max(leastWait, waitFactor*c.Mission.SampleTime)},
	} {
		if math.IsNaN(*v.field) {
			*v.field = v.value
		}
	}
	if math.IsNaN(c.Mission.SampleTimeout) {
		c.Mission.SampleTimeout = timeoutFactor * c.Reading.Wait
	}
}

// resolved returns the configuration with values for a field of that size.
func (c *Config) resolved(s Size) *Config {
	own := *c
	own.Resolve(s)
	return &own
}

// Margin returns the margin from the edges of an outline: the given or the automatic one.
func (c *Config) Margin(outline field.Field) (float64, error) {
	if !math.IsNaN(c.Field.Margin) {
		return c.Field.Margin, nil
	}
	inscribed, err := field.Inscribed(outline)
	if err != nil {
		return 0, err
	}
	return c.resolved(Size{Radius: c.Radius, Inscribed: inscribed}).Field.Margin, nil
}

// fitTo fits the configuration to a field: it sets each parameter that depends on the size, and the budget on which the price of distance
// depends. It returns the region of the field's outline, and the size.
func (c *Config) fitTo(outline field.Field) (*field.Region, Size, error) {
	margin, err := c.Margin(outline)
	if err != nil {
		return nil, Size{}, err
	}
	r, err := c.newRegion(outline, margin)
	if err != nil {
		return nil, Size{}, err
	}
	c.Field.Margin = margin
	s := Size{Radius: c.Radius, Driving: c.continuous(), Side: math.Sqrt(r.Area())}
	s.Room = r.SignedDistance(orb.Point(r.Centre())) - r.Margin()
	s.Inscribed = s.Room + r.Margin()
	s.Limited = c.limited(s.Side)
	lo, hi := r.Bounds()
	s.Box = math.Sqrt((hi[0] - lo[0]) * (hi[1] - lo[1]))
	c.pace(&s)
	c.Resolve(s)
	c.Secondary.Piece = min(mostHeard, about(heardShare*s.Side))
	if c.Pace.On {
		c.Pace.Apart = apartShare * s.Side
	}
	return r, s, c.checkLengths(&s)
}

// The least and the largest length-scale that can be meant, relative to the side of a square of the field's area. Samples would tell
// nothing about the field between them below the one, and above the other it would be the same everywhere.
const leastScale, mostScale = 1.0 / 1000, 100

// checkLengths returns an error for a length that the field contradicts: it is in another unit.
func (c *Config) checkLengths(s *Size) error {
	scale, tolerance := c.Model.LengthScale, c.Mission.ArrivalTolerance
	switch {
	case scale != 0 && (scale < leastScale*s.Side || scale > mostScale*s.Side):
		return fmt.Errorf("model.length_scale is %g m, and the field is as large as a square with sides of %.3g m: want from %.3g to %.3g m, or 0 for a sixth of these sides",
			scale, s.Side, leastScale*s.Side, mostScale*s.Side)
	case tolerance > s.Inscribed:
		return fmt.Errorf("goal.tolerance is %g m, and the largest circle in the field has a radius of %.3g m, so the robot would be at every target at once: want less, or auto",
			tolerance, s.Inscribed)
	}
	return nil
}

// newRegion returns the region that keeps a margin, m, from an outline's edges. If nothing is left, the error names the parameters that
// determine the margin.
func (c *Config) newRegion(outline field.Field, margin float64) (*field.Region, error) {
	r, err := field.NewRegion(outline, margin+edgeSigmas*outline.StdDev)
	var empty *field.EmptyRegionError
	if automatic := math.IsNaN(c.Field.Margin); automatic && errors.As(err, &empty) && empty.Inscribed > 0 {
		err = fmt.Errorf("%w, or give the robot's true size: field.margin is auto, so it is at least %g × robot.radius + %g m, and robot.radius is %g m", err, swing, clearance, c.Radius)
	}
	if errors.As(err, &empty) && outline.StdDev > 0 {
		err = fmt.Errorf("%w; %.3g m of the margin are twice the standard deviation of the outline's edges", err, edgeSigmas*outline.StdDev)
	}
	return r, err
}

// pace sets the budget on which the price of distance depends. A mission limited by distance alone also gets a budget of samples: the
// number that the distance allows.
func (c *Config) pace(s *Size) {
	c.Pace.Density = samplesPerSide / s.Side
	stops := s.Limited && !s.Driving
	if b := &c.Mission.Budget; stops && b.Distance > 0 && b.Duration == 0 {
		all := c.Mission.BudgetConfig // what the limits of distance and time suffice for; a limit of as many or more does not bind
		all.Budget.Samples = 0
		suffices := mission.Ledger{Config: all}.ExpectedSamples(c.Pace.Density)
		if b.Samples == 0 {
			b.Samples = suffices
		}
		if b.Samples >= suffices {
			s.Path = b.Distance
		}
	}
	if math.IsNaN(c.Travel) {
		c.Pace.On = stops
	}
}

// logAutomatic logs the values that depend on the size in one line, and warns if the margin takes much of the field because of the robot's
// size.
func (c *Config) logAutomatic(log *slog.Logger, s Size, names []string) {
	if len(names) == 0 {
		return
	}
	args := []any{"robot.radius", s.Radius, "largest_circle_m", about(s.Inscribed)}
	args = append(args, automatics.Values(c, func(name string) bool { return slices.Contains(names, name) })...)
	args = append(args, derived.Values(c, func(string) bool { return true })...)
	log.Info("parameters that follow the size of the field and the robot", args...)
	if slices.Contains(names, "field.margin") && c.Field.Margin > s.Inscribed/5 {
		log.Warn("the margin takes up much of the field: if the robot is smaller than robot.radius, correct that parameter",
			"robot.radius", s.Radius, "field.margin", c.Field.Margin, "largest_circle_m", about(s.Inscribed))
	}
}
