// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package execution

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
)

// errExecution is wrapped by the errors about the execution noise.
var errExecution = errors.New("planner: invalid execution noise")

// Arrival is a sample from which execution noise is learnt. The belief about its place is the
// posterior of the filter by which the robot steers. So the true place is x̃ = x̂ + l with
// l ~ N(0, Σ_L), and l is uncorrelated with x̂ - x: both x̂ and x are known, and E[l] is 0 given
// all that is known. Σ_L is added:
//
//	Cov(x̃ - x) = Cov(x̂ - x) + E[Σ_L]
//
// The robot brings x̂ to x as well as its control allows, and the error of the estimate adds to
// that.
type Arrival struct {
	Target  []float64 // x, m
	Located gp.Belief // P^L = N(x̂, Σ_L), the belief about the place where it was taken
}

// Validate returns an error, wrapping [gp.ErrBelief], unless the target is a place in dim dimensions and
// the belief a Gaussian there.
func (a Arrival) Validate(dim int) error {
	if err := gp.Point(a.Target...).Validate(dim); err != nil {
		return fmt.Errorf("%w: target: %w", errExecution, err)
	}
	if err := a.Located.Validate(dim); err != nil {
		return fmt.Errorf("%w: %w", errExecution, err)
	}
	return nil
}

// noise is the distribution of the true place of a sample with target x: x̃ ~ N(x + b, Σ̂).
type noise struct {
	Bias []float64     // b, m
	Cov  *mat.SymDense // Σ̂, m²
}

// Config is the prior of the execution noise.
type Config struct {
	StdDev float64 // σ_0 > 0, m, prior median of the standard deviation in each coordinate
	Factor float64 // > 1, one prior standard deviation of log σ is log Factor
	Weight float64 // ν > 0, number of samples that the prior of a round noise without bias counts for
}

// DefaultConfig returns a weak prior, which the first few samples outweigh.
func DefaultConfig(stdDev float64) Config {
	return Config{StdDev: stdDev, Factor: 3, Weight: 4}
}

// validate returns an error that wraps [errExecution] and names the first field outside its
// range.
func (c Config) validate() error {
	switch {
	case !num.Finite(c.StdDev) || c.StdDev <= 0:
		return fmt.Errorf("%w: StdDev is %g m, want a finite number > 0", errExecution, c.StdDev)
	case !num.Finite(c.Factor) || c.Factor <= 1:
		return fmt.Errorf("%w: Factor is %g, want a finite number > 1", errExecution, c.Factor)
	case !num.Finite(c.Weight) || c.Weight <= 0:
		return fmt.Errorf("%w: Weight is %g samples, want a finite number > 0", errExecution, c.Weight)
	}
	return nil
}

const (
	maxRounds = 500  // largest number of iterations; tens are typical
	tolerance = 1e-6 // relative change at which the iteration ends
)

// learn returns the most probable execution noise in dim dimensions after the arrivals, or
// the prior's if there are none. With d = x̂ - x,
//
//	b | Σ ~ N(0, Σ/ν),  Σ | s ~ IW(ν, νsI),  log s ~ N(log σ_0², (2 log Factor)²)
//	d + l ~ N(b, Σ),  l ~ N(0, Σ_L)
//
// so few samples outweigh a wrong σ_0, while Σ stays round until there are more. d tells
// nothing about l. The iteration is over Σ and s; log Σ is at the mode of its density, with b
// integrated out.
// cfg must be valid.
func learn(cfg Config, dim int, arrivals []Arrival) (noise, error) {
	sum, moments := mat.NewVecDense(dim, nil), mat.NewSymDense(dim, nil) // Σ d and Σ (Σ_L + d dᵀ)
	if err := validate(arrivals, dim); err != nil {
		return noise{}, err
	}
	for _, a := range arrivals {
		off := mat.NewVecDense(dim, nil)
		off.SubVec(mat.NewVecDense(dim, a.Located.Mean), mat.NewVecDense(dim, a.Target))
		sum.AddVec(sum, off)
		if a.Located.Cov != nil {
			moments.AddSym(moments, a.Located.Cov)
		}
		moments.SymRankOne(moments, 1, off)
	}
	n, nu := float64(len(arrivals)), cfg.Weight
	bias := mat.NewVecDense(dim, nil)
	bias.ScaleVec(1/(nu+n), sum)
	moments.SymRankOne(moments, -(nu + n), bias) // the scatter about b, b's prior included
	logScale := 2 * math.Log(cfg.StdDev)
	cov := isotropicCov(dim, math.Exp(logScale))
	for range maxRounds {
		next := isotropicCov(dim, nu*math.Exp(logScale))
		next.AddSym(next, moments)
		next.ScaleSym(1/(nu+n), next)
		change := 0.0
		for i := range dim {
			change = max(change, math.Abs(next.At(i, i)/cov.At(i, i)-1))
		}
		cov = next
		var chol mat.Cholesky
		var inverse mat.SymDense
		if !chol.Factorize(cov) || chol.InverseTo(&inverse) != nil {
			return noise{}, fmt.Errorf("%w: the covariance is not positive definite after %d arrivals", errExecution, len(arrivals))
		}
		last := logScale
		logScale = cfg.scale(logScale, dim, mat.Trace(&inverse))
		if change < tolerance && math.Abs(logScale-last) < tolerance {
			break
		}
	}
	return noise{Bias: bias.RawVector().Data, Cov: cov}, nil
}

// validate returns the error of the first arrival that is not valid in dim dimensions.
func validate(arrivals []Arrival, dim int) error {
	for i, a := range arrivals {
		if err := a.Validate(dim); err != nil {
			return fmt.Errorf("arrival %d of %d: %w", i+1, len(arrivals), err)
		}
	}
	return nil
}

// scale returns the log s with the largest density given tr Σ⁻¹ in dim dimensions, which is
// concave in it, by Newton's method from a start:
// ν/2 (d log s - s tr Σ⁻¹) - (log s - log σ_0²)²/2(2 log Factor)².
func (c Config) scale(from float64, dim int, trace float64) float64 {
	nu, d, prior, spread := c.Weight, float64(dim), 2*math.Log(c.StdDev), 2*math.Log(c.Factor)
	for range 50 {
		share := nu / 2 * math.Exp(from) * trace
		step := (nu/2*d - share - (from-prior)/(spread*spread)) / (share + 1/(spread*spread))
		from += min(max(step, -2), 2)
		if math.Abs(step) < tolerance {
			break
		}
	}
	return from
}

func isotropicCov(d int, variance float64) *mat.SymDense {
	s := mat.NewSymDense(d, nil)
	for i := range d {
		s.SetSym(i, i, variance)
	}
	return s
}
