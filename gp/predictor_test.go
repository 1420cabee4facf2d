// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

func mustPredictor(tb testing.TB, g *GP, cov *mat.SymDense) *Predictor {
	tb.Helper()
	p, err := g.NewPredictor(cov)
	must.OK(tb, err)
	return p
}

// predict returns the posterior mean and variance at one place.
func predict(p *Predictor, x []float64) (mean, variance float64) {
	var m, v [1]float64
	p.PredictBatch(m[:], v[:], mat.NewDense(1, len(x), x))
	return m[0], v[0]
}

// queryCov is a full covariance in d dimensions.
func queryCov(d int) *mat.SymDense {
	s := mat.NewSymDense(d, nil)
	for i := range d {
		s.SetSym(i, i, 0.2+0.1*float64(i))
		for j := range i {
			s.SetSym(i, j, 0.05*float64(1-2*(j%2)))
		}
	}
	return s
}

// TestPredictor compares with R&W Alg. 2.1, and the gradients with finite
// differences of it.
func TestPredictor(t *testing.T) {
	rng := gptest.Rand(20)
	for d := 1; d <= 4; d++ {
		for _, cov := range []*mat.SymDense{nil, queryCov(d)} {
			for _, kind := range Kinds() {
				testPredictor(t, rng, d, cov, kind)
			}
		}
	}
}

func testPredictor(t *testing.T, rng *rand.Rand, d int, cov *mat.SymDense, kind Kind) {
	t.Run(fmt.Sprintf("d=%d nil=%t %v", d, cov == nil, kind), func(t *testing.T) {
		h, obs := randomHyper(rng, d), randomObservations(rng, 12, d)
		h.Kind = kind
		p, want := mustPredictor(t, mustGP(t, h, obs), cov), newNaiveGP(t, h, obs)
		dMean, dVar := make([]float64, d), make([]float64, d)
		for range 3 {
			x := gptest.Vec(rng, d, 3)
			wantM, wantV := want.posterior(Belief{x, cov})
			m, v := predict(p, x)
			gptest.Near(t, "mean", m, wantM, 1e-10)
			gptest.Near(t, "variance", v, wantV, 1e-10)
			m, v = p.Predict(x)
			p.Gradient(dMean, dVar)
			gptest.Near(t, "mean beside gradient", m, wantM, 1e-10)
			gptest.Near(t, "variance beside gradient", v, wantV, 1e-10)
			central := &fd.Settings{Formula: fd.Central}
			fdMean := fd.Gradient(nil, func(x []float64) float64 { m, _ := want.posterior(Belief{x, cov}); return m }, x, central)
			fdVar := fd.Gradient(nil, func(x []float64) float64 { _, v := want.posterior(Belief{x, cov}); return v }, x, central)
			for i := range d {
				gptest.Near(t, "gradient of the mean", dMean[i], fdMean[i], 1e-6)
				gptest.Near(t, "gradient of the variance", dVar[i], fdVar[i], 1e-6)
			}
		}
	})
}

// TestPredictBatch: the same numbers as one by one, for any number of rows.
func TestPredictBatch(t *testing.T) {
	rng := gptest.Rand(22)
	for _, d := range []int{1, 2, 3} {
		for _, n := range []int{0, 1, 25} {
			p := mustPredictor(t, mustGP(t, randomHyper(rng, d), randomObservations(rng, n, d)), queryCov(d))
			for m := 1; m <= 9; m++ {
				x := mat.NewDense(m, d, nil)
				for i := range m {
					copy(x.RawRowView(i), gptest.Vec(rng, d, 3))
				}
				mean, variance, only := make([]float64, m), make([]float64, m), make([]float64, m)
				p.PredictBatch(mean, variance, x)
				p.PredictBatch(only, nil, x)
				for i := range m {
					wantM, wantV := predict(p, x.RawRowView(i))
					if mean[i] != wantM || variance[i] != wantV || only[i] != wantM {
						t.Errorf("d=%d n=%d row %d of %d: %g, %g, %g, want %g, %g", d, n, i, m, mean[i], variance[i], only[i], wantM, wantV)
					}
				}
			}
		}
	}
}

// TestVarianceNotNegative: where nothing is left of the variance, rounding doesn't
// make it negative.
func TestVarianceNotNegative(t *testing.T) {
	var obs []Observation
	for i := range 12 {
		obs = append(obs, Observation{Belief: Point(0.5 * float64(i)), Value: 1})
	}
	g := mustGP(t, Hyper{SignalVariance: 1, LengthScales: []float64{1}}, obs)
	p := mustPredictor(t, g, nil)
	for _, o := range obs {
		_, v := predict(p, o.Belief.Mean)
		_, w := g.Posterior(o.Belief)
		if !(v >= 0 && v < 1e-9 && w >= 0 && w < 1e-9) {
			t.Errorf("at %v: variances %g, %g", o.Belief.Mean, v, w)
		}
	}
}

func TestPredictorAllocates(t *testing.T) {
	rng := gptest.Rand(24)
	for i, d := range []int{1, 2, 3, 2, 3, 7} {
		h := randomHyper(rng, d)
		h.Kind = []Kind{SquaredExponential, Matern52, SquaredExponential, Matern12, Matern32, RationalQuadratic}[i]
		g := mustGP(t, h, randomObservations(rng, 70, d))
		p := mustPredictor(t, g, queryCov(d))
		x := mat.NewDense(50, d, nil)
		for i := range 50 {
			copy(x.RawRowView(i), gptest.Vec(rng, d, 3))
		}
		mean, variance := make([]float64, 50), make([]float64, 50)
		dMean, dVar := make([]float64, d), make([]float64, d)
		l, err := g.NewLookahead(queryCov(d), x)
		must.OK(t, err)
		for name, f := range map[string]func(){
			"Gradient":     func() { p.Predict(x.RawRowView(0)); p.Gradient(dMean, dVar) },
			"PredictBatch": func() { p.PredictBatch(mean, variance, x) },
			"Covariances":  func() { l.Covariances(mean, x.RawRowView(0)) },
			"Gradients":    func() { l.Gradients(dMean, dVar, mean, x.RawRowView(0)) },
		} {
			if n := testing.AllocsPerRun(20, f); n != 0 {
				t.Errorf("d=%d: %s allocates %g times", d, name, n)
			}
		}
	}
}
