package execution

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/internal/valid"
)

// AimConfig says how far off its target a sample is taken, and whether that is learnt.
type AimConfig struct {
	Learn bool
	Local bool // learning: targets are judged by how well places were known where samples were taken nearby
	Config
}

// Validate returns an error, wrapping [ErrExecution], that names the first field out of
// its range.
func (c AimConfig) Validate() error {
	switch {
	case !c.Learn && (!valid.Finite(c.StdDev) || c.StdDev < 0):
		return fmt.Errorf("%w: StdDev is %g m, want a finite number ≥ 0", ErrExecution, c.StdDev)
	case !c.Learn:
		return nil
	case c.Local && c.Locating == LocatingMeasured:
		return fmt.Errorf("%w: Local is set and Locating is LocatingMeasured: a robot that does not steer by its pose ends up no further off where that is poor", ErrExecution)
	}
	return c.Config.Validate()
}

// Aim is where a sample is taken that was meant for x: N(x + Bias, Cov) whatever the
// path there.
type Aim struct {
	Bias []float64     // m
	Cov  *mat.SymDense // Σ̂, m²

	by     Noise
	around *Surroundings // how well places were known; nil: that plays no part
}

// Aim returns what is known before anything is learnt, in dim dimensions.
func (c AimConfig) Aim(dim int) Aim {
	a := Aim{by: Noise{Bias: make([]float64, dim), Cov: isotropicCov(dim, c.StdDev*c.StdDev)}}
	a.Bias, a.Cov = a.by.Overall()
	return a
}

// LearnAim returns what the arrivals show. Localisation is taken to stay alike over
// reach metres, where its share counts as that of a place.
func LearnAim(c AimConfig, dim int, arrivals []Arrival, reach float64) (a Aim, err error) {
	if c.Local {
		if a.around, err = NewSurroundings(dim, arrivals, reach); err != nil {
			return Aim{}, err
		}
		arrivals = Controlled(arrivals)
	}
	if a.by, err = Learn(c.Config, dim, arrivals); err != nil {
		return Aim{}, fmt.Errorf("the execution noise cannot be learnt: %w", err)
	}
	a.Bias, a.Cov = a.by.Overall()
	if a.around != nil {
		sum := mat.NewSymDense(dim, nil)
		sum.AddSym(a.Cov, a.around.Mean())
		a.Cov = sum
	}
	return a, nil
}

// Biased reports whether there is a bias.
func (a *Aim) Biased() bool {
	for _, b := range a.Bias {
		if b != 0 {
			return true
		}
	}
	return false
}

// ByPath reports whether the path to a target changes where its sample is taken.
func (a *Aim) ByPath() bool { return a.by.Directional || a.by.Growth > 0 }

// Placing returns P̂_x, in a model whose places are shifted by the bias, where it depends
// on x by more than its mean; nil where it does not. travel is from where the robot is;
// nil: the approach is not known. The result is lent until the next call.
func (a *Aim) Placing(travel field.Travel) func(x []float64) gp.Belief {
	along := travel != nil && a.ByPath()
	if !along && a.around == nil {
		return nil
	}
	_, overall := a.by.Overall()
	dim := len(a.Bias)
	nearby, sum, direction := mat.NewSymDense(dim, nil), mat.NewSymDense(dim, nil), make([]float64, dim)
	return func(x []float64) gp.Belief {
		b := gp.Belief{Mean: x, Cov: overall}
		if along {
			length := travel.LengthGrad(direction, x)
			// At the robot itself, and where there is no path, there is no direction.
			if direction[0] != 0 || direction[1] != 0 {
				var bias []float64
				if bias, b.Cov = a.by.At(direction, length); a.by.Directional {
					b.Mean = []float64{x[0] + bias[0], x[1] + bias[1]}
				}
			}
		}
		if a.around != nil {
			a.around.Cov(nearby, x)
			sum.AddSym(b.Cov, nearby)
			b.Cov = sum
		}
		return b
	}
}
