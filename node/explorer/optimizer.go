package explorer

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
)

// NewOptimizer returns the optimiser, which learns and decides, for a region.
func (c *Config) NewOptimizer(region *field.Region) (*planner.Optimizer, error) {
	o, err := planner.NewOptimizer(region, planner.OptimizerConfig{
		Catalogue: c.Catalogue, Method: c.Method, Beta: c.Beta,
		Strategy: c.strategy(), Aim: c.aim(), Model: c.model(region.Area()),
		Random: planner.Seeded(c.Seed),
	})
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return o, nil
}

// sample returns an observation of this robot in the optimiser's form.
func sample(o *record.Observation) planner.Sample {
	s := planner.Sample{
		Target: []float64{o.Target[0], o.Target[1]}, Located: located(o), Value: o.ModelValue, Variance: o.ModelVariance,
	}
	if o.Approach != nil && !o.Approach.GaveUp { // otherwise the robot did not stop where it was meant to
		a := arrival(o)
		s.Arrival = &a
	}
	return s
}

// foreign returns an observation of another robot, or from before the mission, in the
// optimiser's form. Its target may be one to which this robot would not be sent, and the error
// of another's arrival teaches nothing about this one's.
func foreign(o *record.Observation) planner.Sample {
	s := sample(o)
	s.Arrival, s.Foreign = nil, true
	return s
}

// arrival returns what a sample teaches about the execution noise.
func arrival(o *record.Observation) execution.Arrival {
	return execution.Arrival{
		Target: []float64{o.Target[0], o.Target[1]}, Located: located(o),
		Direction: []float64{math.Cos(o.Approach.Heading), math.Sin(o.Approach.Heading)}, Length: o.Approach.Length,
	}
}

// located returns P^L, the belief about the place of an observation.
func located(o *record.Observation) gp.Belief {
	return gp.Belief{
		Mean: []float64{o.Belief.X, o.Belief.Y},
		Cov:  mat.NewSymDense(2, []float64{o.Belief.XX, o.Belief.XY, o.Belief.XY, o.Belief.YY}),
	}
}
