// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Objective is a function whose maximum is sought where f(x̃) is observed at
// x̃ ~ N(x, σ²I) for a target x. Its methods may be called from several goroutines.
type Objective interface {
	// value returns f(x), of any x: samples may be taken outside the box.
	value(x []float64) float64

	// expected returns E[f(x̃)] for x̃ ~ N(x, σ²I).
	expected(x []float64, stdDev float64) float64

	// residual returns the mean over all targets of the variance of f(x̃).
	residual(stdDev float64) float64

	// maximum returns the largest expected over the box of the problem.
	maximum(stdDev float64) float64

	// norm returns ‖f‖_k for the kernel of the problem; NaN when f is not in its
	// space.
	norm() float64
}

// Problem is what an experiment optimises, and how well it is seen.
type Problem struct {
	Name, Description string
	Lo, Hi            []float64 // corners of the box that targets are from
	Execution         float64   // σ_x, standard deviation of x̃ from its target in each coordinate
	Localisation      float64   // standard deviation of the localisation's estimate from x̃ in each coordinate
	Reading           float64   // σ_ζ, standard deviation of the observed values from f(x̃)
	Delta             float64   // δ of the theorems
	Hyper             gp.Hyper  // of every method's model, but for λ; one length-scale for all coordinates
	Iterations        int       // the paper's
	Ratios            []float64 // σ̂/σ_x of the paper
	Betas             []string  // exploration weights of the paper

	// Draw returns a trial's function.
	Draw func(rng *rand.Rand) Objective
}

// isotropic returns σ²I in the dimensions of the problem.
func (p *Problem) isotropic(stdDev float64) *mat.SymDense {
	s := mat.NewSymDense(len(p.Lo), nil)
	for i := range p.Lo {
		s.SetSym(i, i, stdDev*stdDev)
	}
	return s
}

// compass improves x, a place of the box, until steps of tolerance in no
// coordinate make u larger, and returns u there. x is changed.
func compass(u func([]float64) float64, x, lo, hi []float64, step, tolerance float64) float64 {
	best := u(x)
	for step > tolerance {
		improved := false
		for i, at := range x {
			for _, to := range [2]float64{at - step, at + step} {
				x[i] = min(max(to, lo[i]), hi[i])
				if v := u(x); v > best {
					best, at, improved = v, x[i], true
				}
				x[i] = at
			}
		}
		if !improved {
			step /= 2
		}
	}
	return best
}

// gaussian returns exp(-r²/2w) (w/(w+v))^(d/2) with r² and variance w widened by
// v: the expected value of exp(-r²/2w) when each of d coordinates is off by N(0, v).
func gaussian(r2, w, v float64, d int) float64 {
	share := w / (w + v)
	return math.Exp(-r2/(2*(w+v))) * math.Pow(share, float64(d)/2)
}
