// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
)

// TestCovQuadrature compares Eq. k_use, and the mixtures of it, with the
// definition, the double integral Eq. ugp-k, by Gauss–Hermite product quadrature
// over 2d dimensions, or d beside a point. A mixture's is compared with the double integral of the
// kernel that it is named after, too: P and P' being probabilities, the former is
// off from the latter by no more than for points.
func TestCovQuadrature(t *testing.T) {
	sym := mat.NewSymDense
	for _, c := range []struct {
		name  string
		k     Kernel
		p, q  Belief
		nodes int
		// What doubling the nodes still moves, with a margin: relative, of the squared
		// exponential; and absolute for a variance of 1, of the mixtures, whose short
		// scales are harder on the quadrature, and of the kernels themselves, whose
		// third or fifth derivative jumps.
		tol, mixed, exact float64
	}{
		{
			"1-D", Kernel{Variance: 1.7, LengthScales: []float64{0.9}},
			Belief{[]float64{0.3}, sym(1, []float64{0.25})}, Belief{[]float64{-0.8}, sym(1, []float64{0.6})},
			160, 1e-12, 1e-8, 1e-5,
		},
		{
			"1-D with a point", Kernel{Variance: 1, LengthScales: []float64{2}},
			Point(1), Belief{[]float64{-1.5}, sym(1, []float64{3})},
			160, 1e-12, 1e-8, 1e-5,
		},
		{
			"2-D anisotropic and correlated", Kernel{Variance: 0.4, LengthScales: []float64{1.5, 0.8}},
			Belief{[]float64{0.2, -0.5}, sym(2, []float64{0.5, 0.2, 0.2, 0.1})},
			Belief{[]float64{1.1, 0.4}, sym(2, []float64{0.3, -0.1, -0.1, 0.15})},
			24, 1e-9, 1e-5, 1e-4,
		},
		{
			"2-D singular", Kernel{Variance: 1.2, LengthScales: []float64{1.5, 0.8}},
			Belief{[]float64{0.2, -0.5}, sym(2, []float64{0.4, 0.2, 0.2, 0.1})},
			Belief{[]float64{1.1, 0.4}, sym(2, []float64{0, 0, 0, 0.02})},
			24, 1e-9, 1e-5, 1e-4,
		},
		{
			"3-D anisotropic and correlated", Kernel{Variance: 2, LengthScales: []float64{1, 2, 1.5}},
			Belief{[]float64{0, 0.5, -0.3}, sym(3, []float64{0.2, 0.1, -0.05, 0.1, 0.6, 0.2, -0.05, 0.2, 0.3})},
			Belief{[]float64{0.7, -0.4, 0.6}, sym(3, []float64{0.1, -0.03, 0.02, -0.03, 0.4, 0.1, 0.02, 0.1, 0.2})},
			12, 1e-6, 1e-3, 1e-3,
		},
		{
			"4-D correlated with a point", Kernel{Variance: 1, LengthScales: []float64{1, 2, 1.5, 0.7}},
			Belief{[]float64{0, 0.5, -0.3, 0.2}, sym(4, []float64{0.2, 0.1, -0.05, 0.05, 0.1, 0.6, 0.2, 0, -0.05, 0.2, 0.3, -0.1, 0.05, 0, -0.1, 0.1})},
			Point(0.7, -0.4, 0.6, 0.1),
			16, 1e-6, 1e-3, 1e-3,
		},
	} {
		for _, kind := range Kinds() {
			if len(c.k.LengthScales) > 2 && kind != SquaredExponential {
				continue // so few nodes do not resolve short scales
			}
			t.Run(c.name+" "+kind.String(), func(t *testing.T) {
				k := c.k
				k.Kind = kind
				for _, f := range []struct {
					what string
					of   func(r2 float64) float64
					tol  float64 // for a variance of 1
				}{
					{"itself", func(r2 float64) float64 { return mixtureAt(kind, r2) }, c.mixed},
					{"its namesake", func(r2 float64) float64 { return exact(kind, math.Sqrt(r2)) }, maxErrors[kind] + c.exact},
				} {
					tol := f.tol * k.Variance
					want := doubleIntegral(t, f.of, k, c.p, c.q, c.nodes)
					switch kind {
					case SquaredExponential:
						tol = c.tol * want
					case Matern12: // so few nodes do not resolve its tip
						tol += 4e-3 * k.Variance
					}
					got := k.Cov(c.p, c.q)
					if math.Abs(got-want) > tol {
						t.Errorf("%s: got %.15g, quadrature %.15g, relative difference %.2g", f.what, got, want, got/want-1)
					}
					if c.q.Cov == nil {
						continue
					}
					// E[f(x̃)²] is σ_f², E[f̂²] the double integral, and so is E[f(x̃)f̂].
					spread := k.Variance - doubleIntegral(t, f.of, k, c.q, c.q, c.nodes)
					if kind == SquaredExponential { // otherwise it is as above
						tol = c.tol * k.Variance
					}
					if got := k.Spread(c.q); math.Abs(got-spread) > tol {
						t.Errorf("%s: spread %.15g, quadrature %.15g", f.what, got, spread)
					}
				}
			})
		}
	}
}

// doubleIntegral is ∫∫k(x, x')dP(x)dQ(x') with x = mean + √2·L·(Hermite node). The
// kernel is σ_f²·of(r²), r in k's length-scales.
func doubleIntegral(t *testing.T, of func(r2 float64) float64, k Kernel, p, q Belief, nodes int) float64 {
	node, weight := make([]float64, nodes), make([]float64, nodes)
	quad.Hermite{}.FixedLocations(node, weight, math.Inf(-1), math.Inf(1))
	// cloud returns the quadrature's points and weights for a belief.
	cloud := func(b Belief) (x [][]float64, w []float64) {
		if b.Cov == nil {
			return [][]float64{b.Mean}, []float64{1}
		}
		d := len(b.Mean)
		l := gptest.Root(b.Cov)
		for n := range int(math.Pow(float64(nodes), float64(d))) {
			u := mat.NewVecDense(d, nil)
			v := math.Pow(math.Pi, -float64(d)/2)
			for i := range d {
				u.SetVec(i, math.Sqrt2*node[n%nodes])
				v *= weight[n%nodes]
				n /= nodes
			}
			y := mat.NewVecDense(d, nil)
			y.MulVec(l, u)
			y.AddVec(y, mat.NewVecDense(d, b.Mean))
			x, w = append(x, y.RawVector().Data), append(w, v)
		}
		return x, w
	}
	xs, ws := cloud(p)
	ys, vs := cloud(q)
	sum := 0.0
	for i, x := range xs {
		for j, y := range ys {
			r := 0.0
			for a, l := range k.LengthScales {
				r += (x[a] - y[a]) * (x[a] - y[a]) / (l * l)
			}
			sum += ws[i] * vs[j] * k.Variance * of(r)
		}
	}
	return sum
}

// TestCovOfPoints: a zero covariance, given or nil, is the plain kernel, but for
// the error of a mixture.
func TestCovOfPoints(t *testing.T) {
	rng := gptest.Rand(2)
	for d := 1; d <= 4; d++ {
		k := randomHyper(rng, d).Kernel()
		x, y := gptest.Vec(rng, d, 2), gptest.Vec(rng, d, 2)
		r := 0.0
		for i, l := range k.LengthScales {
			r += math.Pow((x[i]-y[i])/l, 2)
		}
		zero := mat.NewSymDense(d, nil)
		for _, k.Kind = range Kinds() {
			want := k.Variance * mixtureAt(k.Kind, r)
			gptest.Near(t, "nil", k.Cov(Point(x...), Point(y...)), want, 1e-14)
			gptest.Near(t, "zero", k.Cov(Belief{x, zero}, Belief{y, zero}), want, 1e-14)
			gptest.Near(t, "mixed", k.Cov(Belief{x, zero}, Point(y...)), want, 1e-14)
			gptest.Near(t, "namesake", want/k.Variance, exact(k.Kind, math.Sqrt(r)), maxErrors[k.Kind]+1e-14)
		}
	}
}

// TestCovFarApart: what is past the cut-off is zero, not a subnormal number.
func TestCovFarApart(t *testing.T) {
	k := Kernel{Variance: 1, LengthScales: []float64{1}}
	if v := k.Cov(Point(0), Point(13)); v == 0 { // exponent 84.5
		t.Error("cut off too early")
	}
	if v := k.Cov(Point(0), Point(14)); v != 0 {
		t.Errorf("got %g, want 0", v)
	}
	if v := k.Cov(Point(0), Point(1e300)); v != 0 {
		t.Errorf("got %g, want 0", v)
	}
}

// TestCovOfDifference: the kernel depends on the difference of two places, which is N(x̂-x̂', Σ+Σ'). That leaves an
// integral over d dimensions, with nodes enough for the short scales of every kind in four.
func TestCovOfDifference(t *testing.T) {
	rng := gptest.Rand(3)
	for d, nodes := range []int{1: 120, 2: 50, 3: 26, 4: 20} {
		for _, kind := range Kinds() {
			if d == 0 || kind == Matern12 { // its shortest scale is a hundredth
				continue
			}
			k := Kernel{Kind: kind, Variance: 1}
			for range d {
				k.LengthScales = append(k.LengthScales, 1+rng.Float64())
			}
			p := Belief{gptest.Vec(rng, d, 0.7), gptest.Cov(rng, d, 0.2)}
			q := Belief{gptest.Vec(rng, d, 0.7), gptest.Cov(rng, d, 0.2)}
			sum := Belief{make([]float64, d), mat.NewSymDense(d, nil)}
			for _, b := range []Belief{p, q} {
				if b.Cov != nil {
					sum.Cov.AddSym(sum.Cov, b.Cov)
				}
			}
			floats.SubTo(sum.Mean, p.Mean, q.Mean)
			want := doubleIntegral(t, func(r2 float64) float64 { return mixtureAt(kind, r2) }, k, sum, Point(make([]float64, d)...), nodes)
			gptest.Near(t, fmt.Sprintf("%d-D %v", d, kind), k.Cov(p, q), want, 1e-5)
		}
	}
}

// TestCovIsPositive: Gram matrices have no negative eigenvalue, whatever the covariances of the beliefs.
func TestCovIsPositive(t *testing.T) {
	rng := gptest.Rand(4)
	for d := 1; d <= 4; d++ {
		for _, kind := range Kinds() {
			k := randomHyper(rng, d).Kernel()
			k.Kind = kind
			const n = 30
			beliefs := make([]Belief, n)
			gram := mat.NewSymDense(n, nil)
			for i := range beliefs {
				beliefs[i] = Belief{gptest.Vec(rng, d, 1), gptest.Cov(rng, d, 2*rng.Float64())}
				for j := range i + 1 {
					gram.SetSym(i, j, k.Cov(beliefs[i], beliefs[j]))
				}
			}
			var e mat.EigenSym
			if !e.Factorize(gram, false) || e.Values(nil)[0] < -1e-13*n*k.Variance {
				t.Errorf("d=%d %v: smallest eigenvalue %g", d, kind, e.Values(nil)[0])
			}
		}
	}
}

// TestCovRefuses: what is not a Gaussian has no covariance with anything, whichever comes first, and no posterior.
func TestCovRefuses(t *testing.T) {
	for d := 1; d <= 4; d++ {
		h := Hyper{SignalVariance: 1, LengthScales: slices.Repeat([]float64{1}, d), NoiseVariance: 0.1}
		good := Point(make([]float64, d)...)
		g := mustGP(t, h, []Observation{{Belief: good, Value: 1}})
		for name, change := range map[string]func(*Belief){
			"NaN mean":          func(b *Belief) { b.Mean[d-1] = math.NaN() },
			"NaN variance":      func(b *Belief) { b.Cov.SetSym(d-1, d-1, math.NaN()) },
			"NaN covariance":    func(b *Belief) { b.Cov.SetSym(0, d-1, math.NaN()) },
			"negative variance": func(b *Belief) { b.Cov.SetSym(d-1, d-1, -1e-3) },
			"very negative":     func(b *Belief) { b.Cov.ScaleSym(-9, b.Cov) },
			"indefinite":        func(b *Belief) { b.Cov.SetSym(0, d-1, 1.1); b.Cov.SetSym(0, 0, 1.1-2/float64(d+1)) },
		} {
			bad := Belief{make([]float64, d), mat.NewSymDense(d, nil)}
			for i := range d {
				bad.Cov.SetSym(i, i, 1)
			}
			if change(&bad); d == 1 && name == "indefinite" {
				continue
			}
			if err := g.Add(Observation{Belief: bad, Value: 1}); !errors.Is(err, ErrBelief) {
				t.Errorf("d=%d, %s: added with the error %v", d, name, err)
			}
			mean, variance := g.Posterior(bad)
			for _, v := range []float64{h.Kernel().Cov(bad, good), h.Kernel().Cov(good, bad), h.Spread(bad), mean, variance} {
				if !math.IsNaN(v) {
					t.Errorf("d=%d, %s: %g, want NaN", d, name, v)
				}
			}
			if name == "NaN mean" { // a predictor has none
				continue
			}
			if _, err := g.NewPredictor(bad.Cov); !errors.Is(err, ErrBelief) {
				t.Errorf("d=%d, %s: a predictor with the error %v", d, name, err)
			}
			if _, err := g.NewLookahead(bad.Cov, mat.NewDense(1, d, nil)); !errors.Is(err, ErrBelief) {
				t.Errorf("d=%d, %s: a lookahead with the error %v", d, name, err)
			}
		}
	}
}

// TestCovAllocates: up to six dimensions neither a covariance nor the check of a belief allocates.
func TestCovAllocates(t *testing.T) {
	rng := gptest.Rand(5)
	for d := 1; d <= 6; d++ {
		k, p, q := randomHyper(rng, d).Kernel(), Belief{gptest.Vec(rng, d, 1), queryCov(d)}, Belief{gptest.Vec(rng, d, 1), queryCov(d)}
		if n := testing.AllocsPerRun(10, func() { k.Cov(p, q) }); n != 0 {
			t.Errorf("%d dimensions: %g allocations", d, n)
		}
	}
}
