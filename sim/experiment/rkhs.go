// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"ugp_explorer/gp"
)

// supports is m of the paper, the number of kernels that a function is made of.
const supports = 30

// RKHS is the paper's first experiment: f = Σ α_i k(·, x_i), α uniform in [-1, 1],
// x_i in the unit square.
func RKHS() *Problem {
	return &Problem{
		Name: "rkhs", Description: "Functions of the kernel's own space on the unit square.",
		Lo: []float64{0, 0}, Hi: []float64{1, 1},
		Execution: 0.1, Localisation: 0.05, Reading: 0.1, Delta: 0.4,
		Hyper:      gp.Hyper{SignalVariance: 1, LengthScales: []float64{0.1, 0.1}},
		Iterations: 400, Ratios: []float64{1}, Betas: []string{"theorem", "1"},
		Draw: func(rng *rand.Rand) Objective { return newExpansion(rng) },
	}
}

// expansion is f(x) = Σ α_i exp(-|x - a_i|²/2ℓ²) over the unit cube.
type expansion struct {
	alpha []float64
	at    [][]float64 // a
	scale float64     // ℓ
	dim   int
}

// newExpansion draws the weights from [-1, 1] and the places from the unit square.
func newExpansion(rng *rand.Rand) *expansion {
	f := &expansion{scale: 0.1, dim: 2}
	for range supports {
		f.alpha = append(f.alpha, 2*rng.Float64()-1)
		f.at = append(f.at, uniform([]float64{0, 0}, []float64{1, 1}, rng))
	}
	return f
}

func square(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += (x[k] - y[k]) * (x[k] - y[k])
	}
	return s
}

func (f *expansion) value(x []float64) float64 { return f.expected(x, 0) }

// expected widens each kernel by the variance.
func (f *expansion) expected(x []float64, stdDev float64) float64 {
	s := 0.0
	for i, a := range f.at {
		s += f.alpha[i] * gaussian(square(x, a), f.scale*f.scale, stdDev*stdDev, f.dim)
	}
	return s
}

// expectedSquare returns E[f(x̃)²]. The product of two kernels is one of half the
// square of the length-scale in the middle between them, times exp(-|a-b|²/4ℓ²).
func (f *expansion) expectedSquare(x []float64, stdDev float64) float64 {
	s, l2 := 0.0, f.scale*f.scale
	middle := make([]float64, f.dim)
	for i, a := range f.at {
		for j, b := range f.at[:i+1] {
			for k := range middle {
				middle[k] = (a[k] + b[k]) / 2
			}
			v := f.alpha[i] * f.alpha[j] * math.Exp(-square(a, b)/(4*l2)) * gaussian(square(x, middle), l2/2, stdDev*stdDev, f.dim)
			if j < i {
				v *= 2
			}
			s += v
		}
	}
	return s
}

// residual averages E[f(x̃)²] - E[f(x̃)]² over a lattice of cells.
func (f *expansion) residual(stdDev float64) float64 {
	const cells = 24 // of a side: a cell is less than half a length-scale wide
	total, n := 0.0, 0
	x := make([]float64, f.dim)
	lattice(cells, x, func() {
		mean := f.expected(x, stdDev)
		total += f.expectedSquare(x, stdDev) - mean*mean
		n++
	})
	return total / float64(n)
}

// maximum improves the best places of a lattice by compass search. Ten steps of
// the lattice make a length-scale, so that it is within half a percent of the top
// of any hill, and those that could be the highest are climbed.
func (f *expansion) maximum(stdDev float64) float64 {
	return highest(func(x []float64) float64 { return f.expected(x, stdDev) }, f.dim, 100, 100, 1e-8)
}

// highest returns the largest value of u over the unit cube of dim dimensions: compass
// search to the tolerance from the best places, of the given number, of a lattice with
// the given number of cells to a side.
func highest(u func([]float64) float64, dim, cells, places int, tolerance float64) float64 {
	type place struct {
		x     []float64
		value float64
	}
	var all []place
	x := make([]float64, dim)
	lattice(cells, x, func() { all = append(all, place{slices.Clone(x), u(x)}) })
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.value, a.value) })
	lo, hi := make([]float64, dim), slices.Repeat([]float64{1}, dim)
	best := math.Inf(-1)
	for _, at := range all[:places] {
		best = max(best, compass(u, at.x, lo, hi, 1/float64(cells), tolerance))
	}
	return best
}

// lattice calls visit with x at the centre of each cell of the unit cube, which has the
// given number of cells to a side.
func lattice(cells int, x []float64, visit func()) {
	all := 1
	for range x {
		all *= cells
	}
	for n := range all {
		for k := len(x) - 1; k >= 0; k-- {
			x[k] = (float64(n%cells) + 0.5) / float64(cells)
			n /= cells
		}
		visit()
	}
}

// norm returns √(αᵀKα).
func (f *expansion) norm() float64 {
	s := 0.0
	for i, a := range f.at {
		for j, b := range f.at {
			s += f.alpha[i] * f.alpha[j] * gaussian(square(a, b), f.scale*f.scale, 0, f.dim)
		}
	}
	return math.Sqrt(s)
}
