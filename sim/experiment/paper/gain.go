// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
)

// MaximumGain is the largest information gain of n observations at N(x, Σ̂) about f̂,
//
//	γ_n = max over x_1 … x_n of ½ log|I + λ⁻¹K̂|                 (Eq. uibo-mig)
//
// found by greedy choice from a finite set of places. That is at least 1 - 1/e of the
// maximum over the set (Nemhauser, Wolsey and Fisher 1978), and the paper's sources use it
// instead of the maximum too. λ is the noise variance of the hyper-parameters. γ_n does not
// bound the gain of samples whose places are known better than Σ̂, such as those at P^L.
//
// One is for one goroutine. Time grows with the square of n.
type MaximumGain struct {
	beliefs []gp.Belief
	kernel  gp.Kernel
	lambda  float64     // λ/σ_f²
	gains   []float64   // γ_0, γ_1, …
	left    []float64   // variance of each place given those chosen, over σ_f²
	told    [][]float64 // columns of the pivoted Cholesky factor: one per choice, with an entry per place
}

// NewMaximumGain returns the maximum over a number of quasi-random places of the space,
// for beliefs with the covariance cov; nil: for points. λ must be above 0.
func NewMaximumGain(space field.Space, places int, cov *mat.SymDense, hyper gp.Hyper, rng *rand.Rand) *MaximumGain {
	g := &MaximumGain{kernel: hyper.Kernel(), lambda: hyper.NoiseVariance / hyper.SignalVariance, gains: []float64{0}}
	x := space.Points(places, rng)
	for i := range places {
		b := gp.Belief{Mean: x.RawRowView(i), Cov: cov}
		g.beliefs = append(g.beliefs, b)
		g.left = append(g.left, g.kernel.Cov(b, b)/g.kernel.Variance)
	}
	return g
}

// after returns γ_n in nats.
func (g *MaximumGain) after(n int) float64 {
	for len(g.gains) <= n {
		g.choose()
	}
	return g.gains[n]
}

// choose adds the place with the largest remaining variance. A place may be chosen again.
func (g *MaximumGain) choose() {
	best := floats.MaxIdx(g.left)
	pivot := g.left[best] + g.lambda
	g.gains = append(g.gains, g.gains[len(g.gains)-1]+0.5*math.Log(pivot/g.lambda))
	c := make([]float64, len(g.beliefs))
	for i, b := range g.beliefs {
		c[i] = g.kernel.Cov(g.beliefs[best], b) / g.kernel.Variance
	}
	for _, t := range g.told {
		floats.AddScaled(c, -t[best], t)
	}
	root := math.Sqrt(pivot)
	for i := range c {
		c[i] /= root
		g.left[i] = max(g.left[i]-c[i]*c[i], 0)
	}
	g.told = append(g.told, c)
}
