// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"

	"ugp_explorer/gp"
)

// Michalewicz is the paper's second experiment. The paper names neither its
// observation noise nor its length-scale: the noise is that of the first
// experiment, and the length-scale half a unit; README.md has what others do.
func Michalewicz() *Problem {
	const d = 4
	return &Problem{
		Name: "michalewicz", Description: "The Michalewicz function in four dimensions, upside down.",
		Lo: make([]float64, d), Hi: slices.Repeat([]float64{math.Pi}, d),
		Execution: 0.1, Localisation: 0.05, Reading: 0.1, Delta: 0.4,
		Hyper:      gp.Hyper{SignalVariance: 1, LengthScales: slices.Repeat([]float64{0.5}, d)},
		Iterations: 300, Ratios: []float64{1}, Betas: []string{"1", "3", "5"},
		Draw: func(*rand.Rand) Objective { return ridges(d) },
	}
}

// ridges is Σ sin(x_i) sin²⁰(i x_i²/π) over [0, π]^d, i from 1: the Michalewicz
// function with m = 10, whose minimum is sought, times -1.
type ridges int

// steepness is m of the function.
const steepness = 10

// ridge returns the i-th term, i from 0.
func ridge(i int, x float64) float64 {
	return math.Sin(x) * math.Pow(math.Sin(float64(i+1)*x*x/math.Pi), 2*steepness)
}

func (n ridges) value(x []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += ridge(i, v)
	}
	return s
}

// expected adds up the terms' expected values.
func (n ridges) expected(x []float64, stdDev float64) float64 {
	s := 0.0
	for i, v := range x {
		s += expectedRidge(i, v, stdDev)
	}
	return s
}

// fourier has the coefficients of sin²ᵐ θ = Σ_k c_k cos 2kθ, c_0 = C(2m, m)/4ᵐ and
// c_k = 2(-1)ᵏ C(2m, m-k)/4ᵐ.
var fourier = func() (c [steepness + 1]float64) {
	binomial := 1.0 // C(2m, m-k) for k = m, m-1, …
	for k := steepness; k >= 0; k-- {
		c[k] = 2 * binomial / math.Pow(4, steepness)
		if k%2 == 1 {
			c[k] = -c[k]
		}
		chosen := steepness - k
		binomial = binomial * float64(2*steepness-chosen) / float64(chosen+1)
	}
	c[0] /= 2
	return c
}()

// expectedRidge returns E[ridge(i, x̃)], x̃ ~ N(x, s²). By the Fourier series of the
// power it is a sum of products sin(x̃)·cos(2ka x̃²), a = (i+1)/π, and these are
// imaginary parts of
//
//	E[exp(j(q x̃² + b x̃))] = exp((jqx² + jbx - b²s²/2)/(1 - 2jqs²))/√(1 - 2jqs²)
//
// with q = ±2ka and b = 1: completing the square under the Gaussian integral.
func expectedRidge(i int, x, s float64) float64 {
	a := float64(i+1) / math.Pi
	sum := 0.0
	for k, c := range fourier {
		q := 2 * float64(k) * a
		sum += c / 2 * (imagMoment(q, x, s) + imagMoment(-q, x, s))
	}
	return sum
}

func imagMoment(q, x, s float64) float64 {
	w := complex(1, -2*q*s*s)
	return imag(cmplx.Exp(complex(-s*s/2, q*x*x+x)/w) / cmplx.Sqrt(w))
}

// residual adds up the terms' mean variances, by the midpoint rule over targets
// and over ±6 deviations about each.
func (n ridges) residual(stdDev float64) float64 {
	const targets, places = 400, 200
	total := 0.0
	for i := range int(n) {
		for t := range targets {
			x := (float64(t) + 0.5) / targets * math.Pi
			var s, s2, weight float64
			for p := range places {
				z := 12*(float64(p)+0.5)/places - 6
				w := math.Exp(-z * z / 2)
				v := ridge(i, x+stdDev*z)
				weight, s, s2 = weight+w, s+w*v, s2+w*v*v
			}
			s, s2 = s/weight, s2/weight
			total += (s2 - s*s) / targets
		}
	}
	return total
}

// maximum adds up the terms' maxima, each by compass search from the best place of
// a lattice of which twenty steps and more go to the narrowest ridge.
func (n ridges) maximum(stdDev float64) float64 {
	const cells = 2000
	total := 0.0
	for i := range int(n) {
		along := func(x []float64) float64 { return expectedRidge(i, x[0], stdDev) }
		top := []float64{0}
		for k := range cells + 1 {
			if x := []float64{float64(k) / cells * math.Pi}; along(x) > along(top) {
				top = x
			}
		}
		total += compass(along, top, []float64{0}, []float64{math.Pi}, math.Pi/cells, 1e-9)
	}
	return total
}

// norm returns NaN: the function is not of the kernel's space.
func (n ridges) norm() float64 { return math.NaN() }
