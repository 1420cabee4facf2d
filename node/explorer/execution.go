package explorer

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/execution"
)

// Values of execution.located.
const (
	locatedFiltered = "filtered"
	locatedMeasured = "measured"
)

// LearnConfig says whether and how the execution noise is learnt, beginning with
// Config.Execution.
type LearnConfig struct {
	On          bool
	Factor      float64 // within which Config.Execution is taken to be right
	Weight      float64 // of the prior, in samples
	Located     string  // how the belief about a sample's place comes about
	Directional bool    // along and across the approach
	Growing     bool    // with the length of the way
	Local       bool    // with how well places were known nearby
}

// aim returns what package planner is told of it.
func (c *Config) aim() execution.AimConfig {
	l := execution.AimConfig{Learn: c.Learn.On, Local: c.Learn.Local, Config: execution.Config{
		StdDev: c.Execution, Factor: c.Learn.Factor, Weight: c.Learn.Weight,
		Directional: c.Learn.Directional, Growing: c.Learn.Growing,
	}}
	if c.Learn.Located == locatedMeasured {
		l.Locating = execution.LocatingMeasured
	}
	return l
}

func (c *Config) validateLearning() error {
	if !c.Learn.On {
		return nil
	}
	if c.Execution == 0 {
		return errors.New("execution.stddev is 0, and with execution.learn it is what learning begins with: want more than 0")
	}
	if c.Learn.Local && c.Learn.Located == locatedMeasured {
		return fmt.Errorf("execution.local is true and execution.located is %s: a robot that does not steer by its pose ends up no further off where that is poor", locatedMeasured)
	}
	return c.aim().Validate()
}

// arrival returns what a sample teaches of the execution noise.
func arrival(o *report.Observation) execution.Arrival {
	return execution.Arrival{
		Target: []float64{o.Target[0], o.Target[1]}, Located: located(o),
		Direction: []float64{math.Cos(o.Approach.Heading), math.Sin(o.Approach.Heading)}, Length: o.Approach.Length,
	}
}

// located returns P^L.
func located(o *report.Observation) gp.Belief {
	return gp.Belief{
		Mean: []float64{o.Belief.X, o.Belief.Y},
		Cov:  mat.NewSymDense(2, []float64{o.Belief.XX, o.Belief.XY, o.Belief.XY, o.Belief.YY}),
	}
}

// approachTo returns how a way arrives, for the record.
func approachTo(path []orb.Point) report.Approach {
	a := report.Approach{}
	for i := 1; i < len(path); i++ {
		dx, dy := path[i][0]-path[i-1][0], path[i][1]-path[i-1][1]
		a.Length += math.Hypot(dx, dy)
		a.Heading = math.Atan2(dy, dx)
	}
	return a
}
