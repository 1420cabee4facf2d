package explorer

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
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

// learning returns what package planner is told of it.
func (c *Config) learning() planner.ExecutionConfig {
	l := planner.ExecutionConfig{
		StdDev: c.Execution, Factor: c.Learn.Factor, Weight: c.Learn.Weight,
		Directional: c.Learn.Directional, Growing: c.Learn.Growing,
	}
	if c.Learn.Located == locatedMeasured {
		l.Locating = planner.LocatingMeasured
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
	return c.learning().Validate()
}

// execution returns Σ̂ = σ̂²I, before anything is learnt.
func (c *Config) execution() *mat.SymDense {
	v := c.Execution * c.Execution
	return mat.NewSymDense(2, []float64{v, 0, 0, v})
}

// noise is where a sample is taken that was meant for x: N(x + bias, cov) whatever
// the way there.
type noise struct {
	planner.Execution
	bias []float64
	cov  *mat.SymDense

	around *planner.Surroundings // how well places were known; nil: that plays no part
}

func (c *Config) initialNoise() noise {
	n := noise{Execution: planner.Execution{Bias: make([]float64, 2), Cov: c.execution()}}
	n.bias, n.cov = n.Overall()
	return n
}

// learnNoise returns the execution noise that the arrivals show. Localisation is
// taken to stay alike over so many metres, where its share is to be that of a place.
func (c *Config) learnNoise(arrivals []planner.Arrival, reach float64) (n noise, err error) {
	if c.Learn.Local {
		if n.around, err = planner.NewSurroundings(2, arrivals, reach); err != nil {
			return noise{}, err
		}
		arrivals = planner.Controlled(arrivals)
	}
	if n.Execution, err = planner.LearnExecution(c.learning(), 2, arrivals); err != nil {
		return noise{}, fmt.Errorf("the execution noise cannot be learnt: %w", err)
	}
	n.bias, n.cov = n.Overall()
	if n.around != nil {
		sum := mat.NewSymDense(2, nil)
		sum.AddSym(n.cov, n.around.Mean())
		n.cov = sum
	}
	return n, nil
}

// placing returns P̂_x, in a model of samples that are aimed, where it hangs on x by
// more than its mean; nil where it does not. way is from where the robot is; nil:
// the approach is not known.
func (n *noise) placing(way planner.Travel) planner.Placing {
	along := way != nil && (n.Directional || n.Growth > 0)
	if !along && n.around == nil {
		return nil
	}
	_, overall := n.Overall()
	nearby, sum, direction := mat.NewSymDense(2, nil), mat.NewSymDense(2, nil), make([]float64, 2)
	return func(x []float64) gp.Belief {
		b := gp.Belief{Mean: x, Cov: overall}
		if along {
			length := way.LengthGrad(direction, x)
			// At the robot itself, and where there is no way, there is no direction.
			if comes := direction[0] != 0 || direction[1] != 0; comes {
				var bias []float64
				if bias, b.Cov = n.At(direction, length); n.Directional {
					b.Mean = []float64{x[0] + bias[0], x[1] + bias[1]}
				}
			}
		}
		if n.around != nil {
			n.around.Cov(nearby, x)
			sum.AddSym(b.Cov, nearby)
			b.Cov = sum
		}
		return b
	}
}

// arrival returns what a sample teaches of the execution noise.
func arrival(o *report.Observation) planner.Arrival {
	return planner.Arrival{
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

// biased reports whether there is a bias.
func (n *noise) biased() bool { return n.bias[0] != 0 || n.bias[1] != 0 }

// approachTo returns how a way arrives, for the record.
func approachTo(path [][2]float64) report.Approach {
	a := report.Approach{}
	for i := 1; i < len(path); i++ {
		dx, dy := path[i][0]-path[i-1][0], path[i][1]-path[i-1][1]
		a.Length += math.Hypot(dx, dy)
		a.Heading = math.Atan2(dy, dx)
	}
	return a
}
