// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// bivariate is the joint Gaussian process of a second quantity and f, by its equations and full matrices.
type bivariate struct {
	h, of  Hyper // of f, and of the second quantity
	c, f   []Observation
	chol   mat.Cholesky
	alpha  *mat.VecDense
	logAll float64
}

// cov is the covariance of quantity i of a belief with quantity j of another; 1 is f.
func (b *bivariate) cov(i, j int, p, q Belief) float64 {
	rho := b.h.Correlation
	second := naiveCov(b.of, p, q)
	bare := b.h
	bare.Covariates, bare.Weights, bare.MeanStdDev = nil, nil, 0
	switch i + j {
	case 0:
		return second
	case 1:
		return rho * math.Sqrt(b.h.SignalVariance/b.of.SignalVariance) * second
	}
	return rho*rho*b.h.SignalVariance/b.of.SignalVariance*second + (1-rho*rho)*naiveCov(bare, p, q) + naiveCov(b.h, p, q) - naiveCov(bare, p, q)
}

// row returns the quantity and the belief of row i of the joint matrix.
func (b *bivariate) row(i int) (quantity int, at Belief) {
	if i < len(b.c) {
		return 0, b.c[i].Belief
	}
	return 1, b.f[i-len(b.c)].Belief
}

func newBivariate(t *testing.T, h Hyper, c, f []Observation) *bivariate {
	t.Helper()
	b := &bivariate{h: h, of: h.Secondary.of.Hyper(), c: c, f: f}
	n := len(c) + len(f)
	k, y := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		qi, pi := b.row(i)
		for j := range i + 1 {
			qj, pj := b.row(j)
			k.SetSym(i, j, b.cov(qi, qj, pi, pj))
		}
		if qi == 0 {
			k.SetSym(i, i, k.At(i, i)+naiveNoise(b.of, c[i]))
			y.SetVec(i, c[i].Value-b.of.Mean)
		} else {
			o := f[i-len(c)]
			k.SetSym(i, i, k.At(i, i)+naiveNoise(h, o))
			y.SetVec(i, o.Value-h.Mean)
		}
	}
	if !b.chol.Factorize(k) {
		t.Fatal("the joint matrix is not positive definite")
	}
	b.alpha = mat.NewVecDense(n, nil)
	must.OK(t, b.chol.SolveVecTo(b.alpha, y))
	b.logAll = -0.5*mat.Dot(y, b.alpha) - 0.5*b.chol.LogDet() - 0.5*float64(n)*math.Log(2*math.Pi)
	return b
}

func (b *bivariate) cross(p Belief) *mat.VecDense {
	k := mat.NewVecDense(len(b.c)+len(b.f), nil)
	for i := range k.Len() {
		q, at := b.row(i)
		k.SetVec(i, b.cov(1, q, p, at))
	}
	return k
}

func (b *bivariate) covariance(p, q Belief) float64 {
	v := mat.NewVecDense(b.alpha.Len(), nil)
	if err := b.chol.SolveVecTo(v, b.cross(q)); err != nil {
		panic(err)
	}
	return b.cov(1, 1, p, q) - mat.Dot(b.cross(p), v)
}

func (b *bivariate) posterior(p Belief) (mean, variance float64) {
	return b.h.Mean + mat.Dot(b.cross(p), b.alpha), b.covariance(p, p)
}

// hearing returns hyper-parameters with a second quantity, and what was heard of that.
func hearing(t *testing.T, rng *rand.Rand, heard int, rho float64) (Hyper, []Observation) {
	t.Helper()
	h := randomHyper(rng, 2)
	c := randomObservations(rng, heard, 2)
	of := randomHyper(rng, 2)
	of.MeanStdDev = 0
	h.Secondary, h.Correlation = NewSecondary(mustGP(t, of, c)), rho
	return h, c
}

// TestSecondary compares everything that a GP with a second quantity says with the dense bivariate model,
// and gradients with differences.
func TestSecondary(t *testing.T) {
	rng := gptest.Rand(90)
	cov := queryCov(2)
	for _, rho := range []float64{-0.9, -0.4, 0, 0.3, 0.7, 1} {
		for _, heard := range []int{0, 1, 30} {
			for _, q := range []int{0, 2} {
				h, c := hearing(t, rng, heard, rho)
				h = withWaves(rng, h, q)
				f := randomObservations(rng, 12, 2)
				g, want := mustGP(t, h, f), newBivariate(t, h, c, f)
				name := fmt.Sprintf("rho=%g heard=%d covariates=%d", rho, heard, q)
				checkPosterior(t, name, g, cov, rng, want.posterior, 1e-8)
				checkLookahead(t, g, cov, rng, want.covariance)
				gptest.Near(t, name+": log likelihood", g.LogMarginalLikelihood(), want.logAll-h.Secondary.of.LogMarginalLikelihood(), 1e-8)

				by := []float64{3, -2}
				moved, negative := g.Translated(by), g.Negated()
				again, err := New(moved.Hyper()) // its second quantity has moved, too
				must.OK(t, err)
				must.OK(t, again.AddAll(moved.Observations()))
				for range 5 {
					b := randomBelief(rng, 2)
					mean, variance := want.posterior(b)
					at := Belief{Mean: []float64{b.Mean[0] + by[0], b.Mean[1] + by[1]}, Cov: b.Cov}
					for _, of := range []*GP{moved, again} {
						m, v := of.Posterior(at)
						gptest.Near(t, name+": mean of the moved", m, mean, 1e-8)
						gptest.Near(t, name+": variance of the moved", v, variance, 1e-8)
					}
					m, v := negative.Posterior(b)
					gptest.Near(t, name+": mean of the negated", m, -mean, 1e-8)
					gptest.Near(t, name+": variance of the negated", v, variance, 1e-8)
				}
			}
		}
	}
}

// TestSecondaryOver: the prior of f given the second quantity is what Over says of that.
func TestSecondaryOver(t *testing.T) {
	rng := gptest.Rand(91)
	h, c := hearing(t, rng, 20, 0.6)
	dense := newNaiveGP(t, h.Secondary.of.Hyper(), c)
	sd := math.Sqrt(dense.h.SignalVariance)
	beliefs := []Belief{randomBelief(rng, 2), randomBelief(rng, 2), {Mean: []float64{0.3, 0.1}}}
	mean, cov := h.Secondary.Over(beliefs)
	for i, p := range beliefs {
		m, _ := dense.posterior(p)
		gptest.Near(t, "mean", mean[i], (m-dense.h.Mean)/sd, 1e-9)
		for j, q := range beliefs[:i+1] {
			gptest.Near(t, "covariance", cov[i*(i+1)/2+j], dense.covariance(p, q)/sd/sd, 1e-9)
		}
	}
}

// A second quantity with so many values that its posterior is sparse gives
// nearly the same f, and f itself stays exact.
func TestSecondarySparse(t *testing.T) {
	rng := gptest.Rand(92)
	h := randomHyper(rng, 2)
	of := Hyper{Kind: Matern52, SignalVariance: 4, LengthScales: []float64{2, 2}, NoiseVariance: 0.04, Mean: 7}
	c := randomObservations(rng, 300, 2)
	exact := mustGP(t, of, c)
	sparse, err := NewSparse(of, SparseConfig{ExactLimit: 50, MaxInducing: 200, Tolerance: 1e-3})
	must.OK(t, err)
	must.OK(t, sparse.AddAll(c))
	f := randomObservations(rng, 60, 2)
	var all [2]*GP
	for i, c := range []*GP{exact, sparse} {
		h.Secondary, h.Correlation = NewSecondary(c), 0.7
		all[i], err = NewSparse(h, SparseConfig{ExactLimit: 10, MaxInducing: 8, Tolerance: 0.1})
		must.OK(t, err)
		must.OK(t, all[i].AddAll(f))
	}
	if sparse.Inducing() == 0 || all[1].Inducing() != 0 {
		t.Fatalf("%d points for the second quantity, %d for f", sparse.Inducing(), all[1].Inducing())
	}
	for range 20 {
		b := randomBelief(rng, 2)
		mean, variance := all[0].Posterior(b)
		m, v := all[1].Posterior(b)
		gptest.Near(t, "mean", m, mean, 0.02)
		gptest.Near(t, "variance", v, variance, 0.02)
	}
}

// TestSecondaryRefuses: an observation that is refused leaves a GP with a second quantity as it was, and
// later ones find their rows.
func TestSecondaryRefuses(t *testing.T) {
	rng := gptest.Rand(93)
	h, c := hearing(t, rng, 10, 0.8)
	h.NoiseVariance = 0
	f := randomObservations(rng, 8, 2)
	g := mustGP(t, h, f[:5])
	twice := Observation{Belief: Belief{Mean: []float64{1, 1}}, Value: 2}
	must.OK(t, g.Add(twice))
	f = append(append(f[:5:5], twice), f[5:]...)
	for _, add := range []func() error{
		func() error { return g.Add(twice) },
		func() error { return g.AddAll([]Observation{f[6], twice, f[7]}) },
	} {
		var conditioned *IllConditionedError
		if err := add(); !errors.As(err, &conditioned) {
			t.Fatalf("the same observation twice without noise: %v", err)
		}
		if conditioned.Nearest != 5 || math.Abs(conditioned.Correlation-1) > 1e-9 {
			t.Errorf("most similar to %d, correlation %g, want 5 and 1", conditioned.Nearest, conditioned.Correlation)
		}
	}
	must.OK(t, g.AddAll(f[6:]))
	want := newBivariate(t, h, c, f)
	b := randomBelief(rng, 2)
	mean, variance := g.Posterior(b)
	m, v := want.posterior(b)
	gptest.Near(t, "mean", mean, m, 1e-6)
	gptest.Near(t, "variance", variance, v, 1e-6)
}

// TestSecondarySpread: the variance of f within a belief that is given the second quantity's kernel for its part.
func TestSecondarySpread(t *testing.T) {
	h, _ := hearing(t, gptest.Rand(94), 5, 0.6)
	p := Belief{Mean: []float64{1, 2}, Cov: queryCov(2)}
	of := h.Secondary.of.Hyper()
	want := h.SignalVariance - 0.64*naiveCov(Hyper{Kind: h.Kind, SignalVariance: h.SignalVariance, LengthScales: h.LengthScales}, p, p) -
		0.36*h.SignalVariance/of.SignalVariance*naiveCov(of, p, p)
	gptest.Near(t, "spread", h.Spread(p), want, 1e-9)
}

func TestSecondaryValidate(t *testing.T) {
	rng := gptest.Rand(95)
	good, _ := hearing(t, rng, 3, 0.5)
	for name, change := range map[string]func(*Hyper){
		"a correlation above 1":       func(h *Hyper) { h.Correlation = 1.1 },
		"a correlation of NaN":        func(h *Hyper) { h.Correlation = math.NaN() },
		"no second quantity":          func(h *Hyper) { h.Secondary = nil },
		"a second quantity on a line": func(h *Hyper) { h.Secondary = NewSecondary(mustGP(t, randomHyper(rng, 1), nil)) },
	} {
		h := good
		change(&h)
		if err := h.Validate(); !errors.Is(err, ErrHyper) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSecondaryAllocates: predictions with a second quantity allocate nothing.
func TestSecondaryAllocates(t *testing.T) {
	rng := gptest.Rand(96)
	h, _ := hearing(t, rng, 20, 0.7)
	p := mustPredictor(t, mustGP(t, h, randomObservations(rng, 10, 2)), queryCov(2))
	x, dMean, dVar := []float64{1, 1}, make([]float64, 2), make([]float64, 2)
	rows, mean, variance := mat.NewDense(1, 2, x), make([]float64, 1), make([]float64, 1)
	if n := testing.AllocsPerRun(10, func() { p.Predict(x); p.Gradient(dMean, dVar); p.PredictBatch(mean, variance, rows) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
