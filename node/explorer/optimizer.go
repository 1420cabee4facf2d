package explorer

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
)

// newOptimizer returns what learns and decides over a region.
func (c *Config) newOptimizer(region *field.Region) (*planner.Optimizer, error) {
	length := c.Model.LengthScale
	if length == 0 {
		length = math.Sqrt(region.Area()) / 6
	}
	o, err := planner.NewOptimizer(region, planner.OptimizerConfig{
		Catalogue: c.Catalogue, Method: c.Method, Beta: c.Beta,
		Strategy: planner.StrategyConfig{
			TravelWeight: c.Travel / 1000, Search: c.Search, GridPoints: max(c.Mission.Budget.Samples, 1),
			Spread: c.spread(), Recommend: c.Recommend, Objective: c.Objective, Level: c.level(),
		},
		Aim: c.aim(),
		Model: planner.ModelConfig{
			Fit: c.Model.Fit, Kinds: c.Model.kinds(), Isotropic: c.Model.Isotropic,
			SignalStdDev: c.Model.SignalStdDev, LengthScale: length, NoiseStdDev: c.Model.NoiseStdDev, Mean: c.Model.Mean,
			Average: c.Model.Average, ExactLimit: c.Model.ExactLimit, Prior: c.Model.Prior,
			Rarely: c.Passive, // nothing waits for a fit, but observations come faster than fits
		},
		Random: planner.Seeded(c.Seed),
	})
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return o, nil
}

// sample is an own observation as the optimiser takes it.
func sample(o *record.Observation) planner.Sample {
	s := planner.Sample{
		Target: []float64{o.Target[0], o.Target[1]}, Located: located(o), Value: o.ModelValue, Variance: o.ModelVariance,
	}
	if o.Approach != nil && !o.Approach.GaveUp { // or it did not end where the robot was to end up
		a := arrival(o)
		s.Arrival = &a
	}
	return s
}

// foreign is an observation of another robot. Its target may be one that this robot would
// not be sent to; how that robot misses its targets says nothing of this one.
func foreign(o *record.Observation) planner.Sample {
	s := sample(o)
	s.Arrival, s.Foreign = nil, true
	return s
}

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
func arrival(o *record.Observation) execution.Arrival {
	return execution.Arrival{
		Target: []float64{o.Target[0], o.Target[1]}, Located: located(o),
		Direction: []float64{math.Cos(o.Approach.Heading), math.Sin(o.Approach.Heading)}, Length: o.Approach.Length,
	}
}

// located returns P^L.
func located(o *record.Observation) gp.Belief {
	return gp.Belief{
		Mean: []float64{o.Belief.X, o.Belief.Y},
		Cov:  mat.NewSymDense(2, []float64{o.Belief.XX, o.Belief.XY, o.Belief.XY, o.Belief.YY}),
	}
}

// The choices of kernels, of those of gp.ParseKinds, that this package names itself.
const (
	kernelMatern = "matern"
	kernelAuto   = "auto"
)

// kinds returns the kernels that the fit chooses from. The first is that of the
// model before there is a fit.
func (m *ModelConfig) kinds() []gp.Kind {
	kinds, err := gp.ParseKinds(m.Kernel)
	if err != nil {
		panic(err) // Validate lets no such name pass
	}
	return kinds
}
