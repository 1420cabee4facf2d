// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// hermite returns E[u(x + s·z)] for standard normal z in two dimensions.
func hermite(u func([]float64) float64, x []float64, s float64) float64 {
	const n = 60
	node, weight := make([]float64, n), make([]float64, n)
	quad.Hermite{}.FixedLocations(node, weight, math.Inf(-1), math.Inf(1))
	sum := 0.0
	for i := range n {
		for j := range n { // of the weight exp(-z²)
			sum += weight[i] * weight[j] / math.Pi * u([]float64{x[0] + math.Sqrt2*s*node[i], x[1] + math.Sqrt2*s*node[j]})
		}
	}
	return sum
}

func TestExpansionExpectations(t *testing.T) {
	f := newExpansion(newRand(1))
	rng := newRand(2)
	k := gp.Kernel{Variance: 1, LengthScales: []float64{0.1, 0.1}}
	for range 20 {
		x := []float64{rng.Float64(), rng.Float64()}
		for _, s := range []float64{0.02, 0.1, 0.15} {
			if got, want := f.expected(x, s), hermite(f.value, x, s); math.Abs(got-want) > 1e-9 {
				t.Errorf("E[f] about %v with %g is %.12g, by quadrature %.12g", x, s, got, want)
			}
			square := func(x []float64) float64 { return f.value(x) * f.value(x) }
			if got, want := f.expectedSquare(x, s), hermite(square, x, s); math.Abs(got-want) > 1e-9 {
				t.Errorf("E[f²] about %v with %g is %.12g, by quadrature %.12g", x, s, got, want)
			}
			// The model's own kernel, from other code, agrees.
			want := 0.0
			for i, a := range f.at {
				want += f.alpha[i] * k.Cov(gp.Belief{Mean: x, Cov: RKHS().isotropic(s)}, gp.Point(a...))
			}
			if got := f.expected(x, s); math.Abs(got-want) > 1e-12 {
				t.Errorf("E[f] about %v with %g is %.15g, by the kernel %.15g", x, s, got, want)
			}
		}
	}
}

// The norm against the matrix expression, and the two properties that the
// theorems rest on: |f| ≤ ‖f‖, and ‖f‖ of one kernel is 1.
func TestExpansionNorm(t *testing.T) {
	f := newExpansion(newRand(3))
	k := gp.Kernel{Variance: 1, LengthScales: []float64{0.1, 0.1}}
	gram := mat.NewSymDense(30, nil)
	for i := range 30 {
		for j := range 30 {
			gram.SetSym(i, j, k.Cov(gp.Point(f.at[i]...), gp.Point(f.at[j]...)))
		}
		if f.alpha[i] < -1 || f.alpha[i] > 1 {
			t.Errorf("α is %g", f.alpha[i])
		}
	}
	alpha := mat.NewVecDense(30, f.alpha)
	if got, want := f.norm(), math.Sqrt(mat.Inner(alpha, gram, alpha)); math.Abs(got-want) > 1e-12 {
		t.Errorf("‖f‖ is %g, want %g", got, want)
	}
	one := &expansion{alpha: []float64{1}, at: [][]float64{{0.4, 0.5}}, scale: 0.1, dim: 2}
	if one.norm() != 1 || one.value([]float64{0.4, 0.5}) != 1 {
		t.Errorf("of k(·, a): norm %g, at a %g", one.norm(), one.value([]float64{0.4, 0.5}))
	}
}

func TestExpansionMaximum(t *testing.T) {
	for seed := range uint64(2) {
		f := newExpansion(newRand(seed))
		best := f.maximum(0.1)
		for i := range 400 {
			for j := range 400 {
				if v := f.expected([]float64{float64(i) / 399, float64(j) / 399}, 0.1); v > best {
					t.Fatalf("seed %d: %.12g at (%d, %d)/399 is above the maximum %.12g", seed, v, i, j, best)
				}
			}
		}
		if best > f.norm() || best <= 0 {
			t.Errorf("seed %d: maximum %g, norm %g", seed, best, f.norm())
		}
	}
	// One hill whose top is outside the square: the best is on the edge.
	out := &expansion{alpha: []float64{1}, at: [][]float64{{1.05, 0.5}}, scale: 0.1, dim: 2}
	want := math.Exp(-0.05*0.05/(2*0.02)) / 2
	if got := out.maximum(0.1); math.Abs(got-want) > 1e-9 {
		t.Errorf("a hill beyond the edge: %g, want %g", got, want)
	}
}

// The mean variance against sampling.
func TestResidual(t *testing.T) {
	rng := newRand(5)
	for name, c := range map[string]struct {
		f      Objective
		lo, hi float64
		d      int
	}{
		"rkhs":        {newExpansion(newRand(4)), 0, 1, 2},
		"michalewicz": {ridges(4), 0, math.Pi, 4},
	} {
		const targets, draws = 2000, 40
		total := 0.0
		for range targets {
			x, at := make([]float64, c.d), make([]float64, c.d)
			for i := range x {
				x[i] = c.lo + rng.Float64()*(c.hi-c.lo)
			}
			s, s2 := 0.0, 0.0
			for range draws {
				for i := range at {
					at[i] = x[i] + 0.1*rng.NormFloat64()
				}
				v := c.f.value(at)
				s, s2 = s+v, s2+v*v
			}
			total += (s2 - s*s/draws) / (draws - 1) / targets
		}
		if got := c.f.residual(0.1); math.Abs(got/total-1) > 0.08 {
			t.Errorf("%s: residual variance %g, by sampling %g", name, got, total)
		}
		if got := c.f.residual(0); math.Abs(got) > 1e-12 {
			t.Errorf("%s: residual variance without noise %g", name, got)
		}
	}
}

// Known minima of the Michalewicz function: -1.8013 in two dimensions, at (2.20,
// 1.57), and -4.687658 in five (Vanaret et al. 2014).
func TestMichalewicz(t *testing.T) {
	if v := ridges(2).value([]float64{2.20, 1.57}); math.Abs(v-1.8013) > 2e-3 {
		t.Errorf("value %g, want 1.8013", v)
	}
	for d, want := range map[int]float64{2: 1.8013034, 5: 4.687658} {
		if got := ridges(d).maximum(1e-6); math.Abs(got-want) > 1e-6 {
			t.Errorf("%d dimensions: maximum %.8g, want %.8g", d, got, want)
		}
	}
	if !math.IsNaN(ridges(4).norm()) {
		t.Error("there is a norm")
	}
}

// The closed form against the trapezoidal rule, which for a Gaussian weight
// converges faster than any power of its step.
func TestExpectedRidge(t *testing.T) {
	for i := range 5 {
		for _, s := range []float64{0.01, 0.1, 0.5} {
			for _, x := range []float64{0, 0.7, 1.3, 2.2, math.Pi} {
				const n = 20000
				want := 0.0
				for k := range n + 1 {
					z := -10 + 20*float64(k)/n
					want += math.Exp(-z*z/2) * ridge(i, x+s*z) * 20 / n / math.Sqrt(2*math.Pi)
				}
				if got := expectedRidge(i, x, s); math.Abs(got-want) > 1e-10 {
					t.Errorf("term %d about %g with %g: %.12g, by quadrature %.12g", i+1, x, s, got, want)
				}
			}
		}
	}
	x := []float64{1, 2, 0.4, 1.9}
	if got, want := ridges(4).expected(x, 1e-9), ridges(4).value(x); math.Abs(got-want) > 1e-9 {
		t.Errorf("without noise %g, the value is %g", got, want)
	}
}
