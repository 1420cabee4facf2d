// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
	"ugp_explorer/internal/testkit/gptest"
)

// naive is the mixture of Eq. k_use for σ_f = 1.
func naive(mix Mixture, lengthScales, x, y []float64, covX, covY *mat.SymDense) float64 {
	total := 0.0
	for _, c := range mix {
		scaled := make([]float64, len(lengthScales))
		floats.ScaleTo(scaled, c.Scale, lengthScales)
		total += c.Weight * gptest.Expected(scaled, x, y, covX, covY)
	}
	return total
}

func randomScales(rng *rand.Rand, d int) []float64 {
	scales := make([]float64, d)
	for a := range scales {
		scales[a] = 0.6 + 1.5*rng.Float64()
	}
	return scales
}

// TestUnit: values are those of the equation.
func TestUnit(t *testing.T) {
	rng := gptest.Rand(5)
	for d := 1; d <= 7; d++ { // in seven nothing is on the stack
		for round := range 40 {
			mix := Mixtures[rng.IntN(len(Mixtures))]
			lengthScales := randomScales(rng, d)
			k := NewUnit(mix, lengthScales)
			x, y := gptest.Vec(rng, d, 3), gptest.Vec(rng, d, 3)
			covX, covY := gptest.Cov(rng, d, 0.8), gptest.Cov(rng, d, 0.8)
			if round%4 == 0 {
				covX, covY = uncorrelated(covX), uncorrelated(covY)
			}
			sx, sy := make([]float64, packed.Len(d)), make([]float64, packed.Len(d))
			packed.Pack(sx, covX)
			packed.Pack(sy, covY)
			v := Cov(mix, lengthScales, x, y, covX, covY)
			gptest.Near(t, "Cov", v, naive(mix, lengthScales, x, y, covX, covY), 1e-12)
			gptest.Near(t, "Eval", k.Eval(x, y, sx, sy), v, 1e-14)
			var terms []float64 // in the plane, too
			for _, p := range k.Terms() {
				terms = p.AppendTerm(terms, x, sx, sy)
			}
			sums := make([]float64, packed.Block+1)
			Sums(sums, terms, slices.Repeat(y, len(sums)))
			for _, sum := range sums {
				gptest.Near(t, "Sums", sum, v, 1e-14)
			}
			points := make([]float64, packed.Len(d))
			for _, s := range [][]float64{sy, points} {
				want := k.Eval(x, y, sx, s)
				k.EvalAll(sums, x, slices.Repeat(y, len(sums)), sx, slices.Repeat(s, len(sums)))
				for _, got := range sums {
					gptest.Near(t, "EvalAll", got, want, 1e-14)
				}
			}
		}
	}
}

// TestNoCovariance: a matrix that is no covariance gives no number, also where nothing is correlated.
func TestNoCovariance(t *testing.T) {
	for d := 1; d <= 4; d++ {
		for _, off := range []float64{0, 0.1} {
			k := NewUnit(Mixtures[squaredExponential], slices.Repeat([]float64{1}, d))
			x, sx, none := make([]float64, d), make([]float64, packed.Len(d)), make([]float64, packed.Len(d))
			none[packed.At(d-1, d-1)] = -3
			none[packed.At(d-1, 0)] += off
			if v := k.Eval(x, x, sx, none); !math.IsNaN(v) {
				t.Errorf("d=%d: Eval is %g", d, v)
			}
			var sum [1]float64
			Sums(sum[:], k.Terms()[0].AppendTerm(nil, x, sx, none), x)
			if !math.IsNaN(sum[0]) {
				t.Errorf("d=%d: Sums is %g", d, sum[0])
			}
		}
	}
}

// TestMixtures: the weights add up to 1, and Shortest and SlopeVariance are those of the terms.
func TestMixtures(t *testing.T) {
	mix := Mixture{{Scale: 2, Weight: 0.25}, {Scale: 0.5, Weight: 0.75}}
	if s, v := mix.Shortest(), mix.SlopeVariance(); s != 0.5 || v != 0.25/4+0.75*4 {
		t.Errorf("the shortest scale is %g, the variance of the slope %g", s, v)
	}
	for i, mix := range Mixtures {
		sum := 0.0
		for _, c := range mix {
			sum += c.Weight
		}
		gptest.Near(t, "weights", sum, 1, 1e-12)
		if s := mix.Shortest(); !(s > 0) || math.IsInf(s, 0) {
			t.Errorf("mixture %d: the shortest scale is %g", i, s)
		}
	}
}

// uncorrelated returns the diagonal of a covariance, nil for nil.
func uncorrelated(cov *mat.SymDense) *mat.SymDense {
	if cov == nil {
		return nil
	}
	d := cov.SymmetricDim()
	out := mat.NewSymDense(d, nil)
	for i := range d {
		out.SetSym(i, i, cov.At(i, i))
	}
	return out
}

// TestSlope: the slope of a term is the gradient of its logarithm. An aligned term has the same slope either way, to the bit.
func TestSlope(t *testing.T) {
	rng := gptest.Rand(6)
	for d := 1; d <= 7; d++ {
		for _, correlated := range []bool{true, false} {
			k := NewUnit(Mixtures[squaredExponential], randomScales(rng, d))
			x, y, g := gptest.Vec(rng, d, 1), gptest.Vec(rng, d, 1), make([]float64, d)
			covX, covY := gptest.Cov(rng, d, 0.8), gptest.Cov(rng, d, 0.8)
			if !correlated {
				covX, covY = uncorrelated(covX), uncorrelated(covY)
			}
			sx, sy := make([]float64, packed.Len(d)), make([]float64, packed.Len(d))
			packed.Pack(sx, covX)
			packed.Pack(sy, covY)
			term := k.Terms()[0].AppendTerm(nil, x, sx, sy)
			if aligned := Aligned(term, d); !aligned && (!correlated || d == 1) {
				t.Errorf("d=%d: a term without correlations is not aligned", d)
			} else if aligned {
				half, other := make([]float64, 2), make([]float64, 2*d)
				AlignedSlopes(half, other, slices.Repeat(term, 3), 2*len(term), y)
				if s := Slope(g, term, y); half[0] != s || half[1] != s || s != Half(term, y, true) || s != Half(term, y, false) || !slices.Equal(slices.Repeat(g, 2), other) {
					t.Errorf("d=%d: slope %v of the term, %v if it is taken as aligned", d, g, other)
				}
			}
			gptest.Near(t, "value", ExpNeg(Slope(g, term, y))*term[len(term)-1], k.Eval(x, y, sx, sy), 1e-14)
			want := fd.Gradient(nil, func(y []float64) float64 { return -math.Log(k.Eval(x, y, sx, sy)) }, y, &fd.Settings{Formula: fd.Central})
			for i := range g {
				gptest.Near(t, "slope", g[i], want[i], 1e-6)
			}
		}
	}
}

// TestAllocations: up to six dimensions nothing is allocated.
func TestAllocations(t *testing.T) {
	rng := gptest.Rand(7)
	for d := 1; d <= maxStackDim; d++ {
		for _, mix := range Mixtures {
			lengthScales := randomScales(rng, d)
			k := NewUnit(mix, lengthScales)
			x, y := gptest.Vec(rng, d, 1), gptest.Vec(rng, d, 1)
			cov := gptest.Cov(rng, d, 1)
			s := make([]float64, packed.Len(d))
			packed.Pack(s, cov)
			for name, f := range map[string]func(){
				"Eval": func() { k.Eval(x, y, s, s) },
				"Cov":  func() { Cov(mix, lengthScales, x, y, cov, cov) },
			} {
				if n := testing.AllocsPerRun(10, f); n != 0 {
					t.Errorf("d=%d, %d terms: %s allocates %g times", d, len(mix), name, n)
				}
			}
		}
	}
}
