// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package execution

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
	"ugp_explorer/planner/field/localizability"
)

// NoiseConfig is the prior of the execution noise, and whether the noise is learnt.
type NoiseConfig struct {
	Learn bool // learn the noise from arrivals; otherwise only StdDev is used
	Local bool // judge targets by what is expected of the localisation there, where that matters
	Config
}

// localShare is the standard deviation of localisation, in length-scales of the field, below
// which a map of it does not help: with a tenth of a length-scale, robots with the map found
// no better places than robots without it.
const localShare = 0.1

// Validate returns an error that names the first field outside its range.
func (c NoiseConfig) Validate() error {
	switch {
	case !c.Learn && (!num.Finite(c.StdDev) || c.StdDev < 0):
		return fmt.Errorf("%w: StdDev is %g m, want a finite number ≥ 0", errExecution, c.StdDev)
	case !c.Learn:
		return nil
	}
	return c.Config.validate()
}

// Noise is the distribution of the place of a sample with target x: N(x + Bias, Cov), or where the
// noise depends on the place N(x + Bias, Σ̂(x)), see [Noise.Placing].
type Noise struct {
	Bias []float64     // m
	Cov  *mat.SymDense // Σ̂, m²; the mean over the field if it depends on the place

	control      *mat.SymDense               // Σ̂ without the share of the localisation, m²; used with localisation
	localisation *localizability.Expectation // nil: it plays no part
	arrived      map[[2]float64]gp.Belief    // Located of the sample with this target; used with localisation
}

// Noise returns the noise before anything is learnt, in dim dimensions.
func (c NoiseConfig) Noise(dim int) Noise {
	return Noise{Bias: make([]float64, dim), Cov: isotropicCov(dim, c.StdDev*c.StdDev)}
}

// LearnNoise learns the noise from arrivals in dim dimensions, and from what is expected of the
// localisation, nil if nothing is. scale is the length-scale of the field, m. Local noise adds
// the expected variance at a target to the noise, which is then the control error alone: how
// well the robot brings its estimate to the target. It does so only if the localisation is
// anywhere so poor that it matters. The map has one variance for both coordinates of a place.
// At the target of a sample that was taken, the covariance of the last sample there is added
// instead: a map of cells cannot show on which side of an edge a target lies. c must be valid.
// The error says which arrival is not a Gaussian in dim dimensions, or that the map, which is of
// the plane, would be needed in another number of dimensions.
func LearnNoise(c NoiseConfig, dim int, arrivals []Arrival, localisation *localizability.Expectation, scale float64) (a Noise, err error) {
	if c.Local && localisation != nil && localisation.Highest() > localShare*scale*localShare*scale {
		if dim != 2 {
			return Noise{}, fmt.Errorf("%w: a map of the localisation is for 2 dimensions, not %d: set Local to false", errExecution, dim)
		}
		if err := validate(arrivals, dim); err != nil {
			return Noise{}, err
		}
		a.localisation, a.arrived = localisation, map[[2]float64]gp.Belief{}
		certain := make([]Arrival, len(arrivals))
		for i, r := range arrivals {
			certain[i] = Arrival{Target: r.Target, Located: gp.Point(r.Located.Mean...)}
			a.arrived[[2]float64(r.Target)] = r.Located
		}
		arrivals = certain
	}
	prior := c.Noise(dim)
	a.Bias, a.Cov = prior.Bias, prior.Cov
	if c.Learn {
		noise, err := learn(c.Config, dim, arrivals)
		if err != nil {
			return Noise{}, fmt.Errorf("learning the execution noise: %w", err)
		}
		a.Bias, a.Cov = noise.Bias, noise.Cov
	}
	if a.localisation != nil {
		a.control, a.Cov = a.Cov, mat.NewSymDense(dim, nil)
		widened(a.Cov, a.control, a.localisation.Mean())
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
func (a *Noise) ByPlace() bool { return a.localisation != nil }

// Biased reports whether the bias is not zero.
func (a *Noise) Biased() bool {
	for _, b := range a.Bias {
		if b != 0 {
			return true
		}
	}
	return false
}

// Placing returns P̂_x as a function of the target, for a model whose places are shifted by
// the bias; nil if P̂_x depends on x through its mean alone. A belief that the function returns
// is valid until its next call.
func (a *Noise) Placing() func(x []float64) gp.Belief {
	if a.localisation == nil {
		return nil
	}
	sum := mat.NewSymDense(len(a.Bias), nil)
	return func(x []float64) gp.Belief {
		switch located, known := a.arrived[[2]float64(x)]; {
		case !known:
			widened(sum, a.control, a.localisation.Variance(x))
		case located.Cov == nil:
			sum.CopySym(a.control)
		default:
			sum.AddSym(a.control, located.Cov)
		}
		return gp.Belief{Mean: x, Cov: sum}
	}
}
