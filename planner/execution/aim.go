package execution

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/internal/valid"
)

// AimConfig is the prior of the execution noise, and whether the noise is learnt.
type AimConfig struct {
	Learn bool // learn the noise from arrivals; otherwise only StdDev is used
	Local bool // judge targets by what is expected of the localisation there, where that matters
	Config
}

// localShare is the standard deviation of localisation, in length-scales of the field, up to
// which it makes no difference where it is poor: with a tenth of a length-scale a robot that
// is told does no better than one that is not.
const localShare = 0.1

// Validate returns an error that wraps [ErrExecution] and names the first field outside its
// range.
func (c AimConfig) Validate() error {
	switch {
	case !c.Learn && (!valid.Finite(c.StdDev) || c.StdDev < 0):
		return fmt.Errorf("%w: StdDev is %g m, want a finite number ≥ 0", ErrExecution, c.StdDev)
	case !c.Learn:
		return nil
	case c.Local && c.Locating == LocatingMeasured:
		return fmt.Errorf("%w: Local is set and Locating is LocatingMeasured: where a robot ends up depends on localisation only if it steers by it", ErrExecution)
	}
	return c.Config.Validate()
}

// Aim is the distribution of the place of a sample with target x: N(x + Bias, Cov) for an
// unknown path to x.
type Aim struct {
	Bias []float64     // m
	Cov  *mat.SymDense // Σ̂, m²

	by           Noise
	localisation *localizability.Expectation // nil: it plays no part
	arrived      map[[2]float64]float64      // variance of the localisation of the sample with this target, m², the mean over x and y; used with localisation
}

// Aim returns the aim before anything is learnt, in dim dimensions.
func (c AimConfig) Aim(dim int) Aim {
	a := Aim{by: Noise{Bias: make([]float64, dim), Cov: isotropicCov(dim, c.StdDev*c.StdDev)}}
	a.Bias, a.Cov = a.by.Overall()
	return a
}

// LearnAim learns the aim from arrivals in dim dimensions, and from what is expected of the
// localisation, nil if nothing is. scale is the length-scale of the field, m. A local aim adds
// the expected variance at a target to the noise, which is then the control error alone: how
// well the robot brings its estimate to the target. It does so only in two dimensions, and if
// the localisation is anywhere so poor that it matters. At the target of a sample that was
// taken, the variance is that of the last sample there: a map of cells cannot show on which
// side of an edge a target lies. The error wraps [ErrExecution].
func LearnAim(c AimConfig, dim int, arrivals []Arrival, localisation *localizability.Expectation, scale float64) (a Aim, err error) {
	if c.Local && dim == 2 && localisation != nil && localisation.Highest() > localShare*scale*localShare*scale {
		a.localisation, a.arrived = localisation, map[[2]float64]float64{}
		for _, r := range arrivals {
			if len(r.Target) != dim || r.Located.Validate(dim) != nil {
				continue // Learn refuses it
			}
			v := 0.0
			if cov := r.Located.Cov; cov != nil {
				v = (cov.At(0, 0) + cov.At(1, 1)) / 2
			}
			a.arrived[[2]float64(r.Target)] = v
		}
		arrivals = Controlled(arrivals)
	}
	a.by = c.Aim(dim).by
	if c.Learn {
		if a.by, err = Learn(c.Config, dim, arrivals); err != nil {
			return Aim{}, fmt.Errorf("learning the execution noise: %w", err)
		}
	}
	a.Bias, a.Cov = a.by.Overall()
	if a.localisation != nil {
		sum := mat.NewSymDense(dim, nil)
		widened(sum, a.Cov, a.localisation.Mean())
		a.Cov = sum
	}
	return a, nil
}

// widened writes cov plus a variance in every direction into dst.
func widened(dst, cov *mat.SymDense, variance float64) {
	dst.CopySym(cov)
	for i := range dst.SymmetricDim() {
		dst.SetSym(i, i, dst.At(i, i)+variance)
	}
}

// ByPlace reports whether the noise depends on the place of a target.
func (a *Aim) ByPlace() bool { return a.localisation != nil }

// Biased reports whether the bias is not zero.
func (a *Aim) Biased() bool {
	for _, b := range a.Bias {
		if b != 0 {
			return true
		}
	}
	return false
}

// ByPath reports whether the noise depends on the path to a target.
func (a *Aim) ByPath() bool { return a.by.Directional || a.by.Growth > 0 }

// Placing returns P̂_x as a function of the target, for a model whose places are shifted by
// the bias; nil if P̂_x depends on x through its mean alone. travel measures from the
// robot's position; nil: the path is unknown. A belief that the function returns is valid
// until its next call.
func (a *Aim) Placing(travel field.Travel) func(x []float64) gp.Belief {
	along := travel != nil && a.ByPath()
	if !along && a.localisation == nil {
		return nil
	}
	_, overall := a.by.Overall()
	dim := len(a.Bias)
	sum, direction := mat.NewSymDense(dim, nil), make([]float64, dim)
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
		if a.localisation != nil {
			variance, known := a.arrived[[2]float64(x)]
			if !known {
				variance = a.localisation.Variance(x)
			}
			widened(sum, b.Cov, variance)
			b.Cov = sum
		}
		return b
	}
}
