// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// withWaves returns h with q covariates that vary over about a length-scale of randomHyper.
func withWaves(rng *rand.Rand, h Hyper, q int) Hyper {
	for range q {
		h.Covariates = append(h.Covariates, gptest.Wave{A: 3 * rng.NormFloat64(), B: 3 * rng.NormFloat64(), Phase: rng.Float64()})
		h.Weights = append(h.Weights, 0.3+rng.Float64())
	}
	return h
}

// TestCovariates compares everything that an exact posterior and its predictors say with the
// equations written out, and gradients with differences.
func TestCovariates(t *testing.T) {
	rng := gptest.Rand(70)
	cov := queryCov(2)
	for q := range 4 {
		for _, n := range []int{0, 1, 25} {
			h, obs := withWaves(rng, randomHyper(rng, 2), q), randomObservations(rng, n, 2)
			g := mustGP(t, h, obs)
			want := &naiveGP{h: h}
			if n > 0 {
				want = newNaiveGP(t, h, obs)
				gptest.Near(t, "log likelihood", g.LogMarginalLikelihood(), want.logLikelihood(), 1e-9)
				gptest.Near(t, "information gain", g.InformationGain(), naiveGain(want), 1e-9)
			}
			checkPosterior(t, fmt.Sprintf("q=%d n=%d", q, n), g, cov, rng, func(p Belief) (mean, variance float64) {
				if n == 0 {
					return h.Mean, naiveCov(h, p, p)
				}
				return want.posterior(p)
			}, 1e-9)
			if n == 0 {
				continue
			}
			checkLookahead(t, g, cov, rng, want.covariance)
			for j, w := range g.CovariateWeights() { // as the difference of f̂ with and without the covariate's part
				k := mat.NewVecDense(n, nil)
				for i, o := range obs {
					k.SetVec(i, h.Weights[j]*h.Weights[j]*naiveMean(h.Covariates[j], o.Belief))
				}
				v := mat.NewVecDense(n, nil)
				must.OK(t, want.chol.SolveVecTo(v, k))
				gptest.Near(t, "weight", w.Mean, mat.Dot(k, want.alpha), 1e-9)
				gptest.Near(t, "weight's variance", w.StdDev*w.StdDev, h.Weights[j]*h.Weights[j]-mat.Dot(k, v), 1e-9)
			}
		}
	}
}

// checkPosterior compares Posterior and all of a Predictor with what want says.
func checkPosterior(t *testing.T, name string, g *GP, cov *mat.SymDense, rng *rand.Rand, want func(Belief) (mean, variance float64), tol float64) {
	t.Helper()
	p := mustPredictor(t, g, cov)
	const m = 30
	rows, mean, variance := mat.NewDense(m, 2, nil), make([]float64, m), make([]float64, m)
	for i := range m {
		rows.SetRow(i, gptest.Vec(rng, 2, 3))
	}
	p.PredictBatch(mean, variance, rows)
	for i := range m {
		x := rows.RawRowView(i)
		b := Belief{x, cov}
		wantMean, wantVariance := want(b)
		gotMean, gotVariance := g.Posterior(b)
		gptest.Near(t, name+": mean", gotMean, wantMean, tol)
		gptest.Near(t, name+": variance", gotVariance, wantVariance, tol)
		gptest.Near(t, name+": mean of a batch", mean[i], wantMean, tol)
		gptest.Near(t, name+": variance of a batch", variance[i], wantVariance, tol)
		dMean, dVar := make([]float64, 2), make([]float64, 2)
		gotMean, gotVariance = p.Predict(x)
		p.Gradient(dMean, dVar)
		gptest.Near(t, name+": mean with gradient", gotMean, wantMean, tol)
		gptest.Near(t, name+": variance with gradient", gotVariance, wantVariance, tol)
		at := func(x []float64) Belief { return Belief{x, cov} }
		central := &fd.Settings{Formula: fd.Central}
		for a, v := range fd.Gradient(nil, func(x []float64) float64 { m, _ := g.Posterior(at(x)); return m }, x, central) {
			gptest.Near(t, name+": gradient of the mean", dMean[a], v, 1e-6)
		}
		for a, v := range fd.Gradient(nil, func(x []float64) float64 { _, v := g.Posterior(at(x)); return v }, x, central) {
			gptest.Near(t, name+": gradient of the variance", dVar[a], v, 1e-6)
		}
	}
}

// checkLookahead compares covariances with places with want, and their gradients with differences.
func checkLookahead(t *testing.T, g *GP, cov *mat.SymDense, rng *rand.Rand, want func(p, q Belief) float64) {
	t.Helper()
	const m = 4
	places, weight, x := mat.NewDense(m, 2, nil), gptest.Vec(rng, m, 1), gptest.Vec(rng, 2, 2)
	for i := range m {
		places.SetRow(i, gptest.Vec(rng, 2, 2))
	}
	l, err := g.NewLookahead(cov, places)
	must.OK(t, err)
	c, dSum, dVar := make([]float64, m), make([]float64, 2), make([]float64, 2)
	variance := l.Covariances(c, x)
	gptest.Near(t, "variance", variance, want(Belief{x, cov}, Belief{x, cov}), 1e-9)
	for i, v := range c {
		gptest.Near(t, "covariance", v, want(Belief{places.RawRowView(i), cov}, Belief{x, cov}), 1e-9)
	}
	l.Gradients(dSum, dVar, weight, x)
	for a, v := range fd.Gradient(nil, func(x []float64) float64 {
		sum := 0.0
		for i, w := range weight {
			sum += w * want(Belief{places.RawRowView(i), cov}, Belief{x, cov})
		}
		return sum
	}, x, &fd.Settings{Formula: fd.Central}) {
		gptest.Near(t, "gradient of covariances", dSum[a], v, 1e-6)
	}
}

// TestCovariatesVague: with vague weights the posterior is that of universal kriging, whose
// equations have Lagrange multipliers instead of priors (Cressie, Statistics for Spatial Data,
// 1993, section 3.4).
func TestCovariatesVague(t *testing.T) {
	rng := gptest.Rand(71)
	const n, q = 20, 2
	h, obs := withWaves(rng, randomHyper(rng, 2), q), randomObservations(rng, n, 2)
	h.Mean, h.Weights = 0, []float64{3e3, 3e3}
	plain := h
	plain.Covariates, plain.Weights = nil, nil
	system := mat.NewDense(n+q, n+q, nil)
	for i := range obs {
		obs[i].OnePlace = false // a vague weight would add as vague a variance within the belief
	}
	for i, o := range obs {
		for j, other := range obs {
			system.Set(i, j, naiveCov(plain, o.Belief, other.Belief))
		}
		system.Set(i, i, system.At(i, i)+h.NoiseVariance+o.NoiseVariance)
		for j, c := range h.Covariates {
			system.Set(i, n+j, naiveMean(c, o.Belief))
			system.Set(n+j, i, naiveMean(c, o.Belief))
		}
	}
	g := mustGP(t, h, obs)
	for range 10 {
		b := randomBelief(rng, 2)
		right, solution := mat.NewVecDense(n+q, nil), mat.NewVecDense(n+q, nil)
		for i, o := range obs {
			right.SetVec(i, naiveCov(plain, b, o.Belief))
		}
		for j, c := range h.Covariates {
			right.SetVec(n+j, naiveMean(c, b))
		}
		must.OK(t, solution.SolveVec(system, right))
		wantMean := 0.0
		for i, o := range obs {
			wantMean += solution.AtVec(i) * o.Value
		}
		mean, variance := g.Posterior(b)
		gptest.Near(t, "mean", mean, wantMean, 1e-5)
		gptest.Near(t, "variance", variance, naiveCov(plain, b, b)-mat.Dot(right, solution), 1e-5)
	}
}

// TestCovariatesSparse: beyond the limit the part of the covariates is exact, in order and
// one by one, also for copies and where weights are few and points are at every observation.
func TestCovariatesSparse(t *testing.T) {
	rng := gptest.Rand(72)
	cov := queryCov(2)
	for q := 1; q <= 3; q++ {
		h, obs := withWaves(rng, randomHyper(rng, 2), q), randomObservations(rng, 40, 2)
		h.Kind = Kind(q)
		for i := range obs {
			obs[i].Belief.Cov = nil
			obs[i].Belief.Mean[0] = 0.2*float64(i) - 4
		}
		obs[0].Belief.Mean = []float64{0, 0} // as the rows of the weights, which have no place
		limits := SparseConfig{ExactLimit: 15, MaxInducing: 100, Tolerance: 1e-9}
		g, exact := mustSparse(t, h, limits, nil), mustGP(t, h, obs)
		x := []float64{0.4, -0.3}
		for i, o := range obs {
			must.OK(t, g.Add(o))
			m, v := predict(mustPredictor(t, g, cov), x)
			wantM, wantV := mustGP(t, h, obs[:i+1]).Posterior(Belief{x, cov})
			gptest.Near(t, "mean", m, wantM, 1e-5)
			gptest.Near(t, "variance", v, wantV, 1e-5)
		}
		if m := g.Inducing(); m == 0 || m > len(obs) {
			t.Errorf("%d inducing points for %d observations", m, len(obs))
		}
		gptest.Near(t, "log likelihood", g.LogMarginalLikelihood(), exact.LogMarginalLikelihood(), 1e-5)
		gptest.Near(t, "information gain", g.InformationGain(), exact.InformationGain(), 1e-5)
		checkPosterior(t, "sparse", g, cov, rng, exact.Posterior, 1e-5)
		for j, w := range g.CovariateWeights() {
			want := exact.CovariateWeights()[j]
			gptest.Near(t, "weight", w.Mean, want.Mean, 1e-5)
			gptest.Near(t, "weight's deviation", w.StdDev, want.StdDev, 1e-5)
		}
		by := []float64{0.6, -0.2}
		for _, g := range []*GP{exact, g} {
			moved, b := g.Translated(by), randomBelief(rng, 2)
			there := Belief{[]float64{b.Mean[0] + by[0], b.Mean[1] + by[1]}, b.Cov}
			mean, variance := g.Posterior(b)
			gotMean, gotVariance := moved.Posterior(there)
			gptest.Near(t, "translated mean", gotMean, mean, 1e-9)
			gptest.Near(t, "translated variance", gotVariance, variance, 1e-9)
			negated, _ := g.Negated().Posterior(b)
			gptest.Near(t, "negated mean", negated, -mean, 1e-9)
			gptest.Near(t, "negated weight", g.Negated().CovariateWeights()[0].Mean, -g.CovariateWeights()[0].Mean, 1e-9)
		}
	}
}

// TestCovariatesPositiveDefinite: any beliefs, however wide, and any weights can be observed.
func TestCovariatesPositiveDefinite(t *testing.T) {
	rng := gptest.Rand(74)
	for range 50 {
		h := withWaves(rng, randomHyper(rng, 2), 1+rng.IntN(3))
		h.NoiseVariance = 1e-6
		for j := range h.Weights {
			h.Weights[j] *= math.Pow(10, 4*rng.Float64()-2)
		}
		obs := randomObservations(rng, 60, 2)
		k := mat.NewSymDense(60, nil)
		unit := mustGP(t, h, nil)
		for i, o := range obs {
			one := mustGP(t, h, []Observation{o})
			for j := range i + 1 {
				c, _ := one.crossCovariance(obs[j].Belief)
				k.SetSym(i, j, c[0])
			}
			_, prior := unit.crossCovariance(o.Belief)
			k.SetSym(i, i, prior+1e-9)
		}
		var chol mat.Cholesky
		if !chol.Factorize(k) {
			t.Fatalf("%v: not positive definite", h)
		}
		mustGP(t, h, obs)
	}
}

// TestCovariatesCondition: a correlation of -1 gives a largest eigenvalue of 2, with another of ±½
// 2.37. The bound counts the size of negative entries.
func TestCovariatesCondition(t *testing.T) {
	h := Hyper{SignalVariance: 1e-6, LengthScales: []float64{1, 1}, Covariates: []Covariate{gptest.Wave{A: 1, B: 0, Phase: 0}}, Weights: []float64{1}}
	obs := []Observation{{Belief: Point(math.Pi/2, 0)}, {Belief: Point(-math.Pi/2, 0)}, {Belief: Point(5*math.Pi/2, 0), NoiseVariance: 6}}
	for n, largest := range map[int]float64{2: 1.999, 3: 2.37} {
		if bound := mustGP(t, h, obs[:n]).cond.max; bound < largest {
			t.Errorf("n=%d: the bound is %g, want at least %g", n, bound, largest)
		}
	}
}

// TestSpread: a covariate with a constant slope v has the variance vᵀΣv within a belief, and a
// place that is certain none.
func TestSpread(t *testing.T) {
	h := Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}, Covariates: []Covariate{gptest.Wave{A: 2e-4, B: 1e-4, Phase: 0}}, Weights: []float64{3}}
	plain := h
	plain.Covariates, plain.Weights = nil, nil
	for _, cov := range []*mat.SymDense{nil, gptest.Sym2(2, 1, 3), gptest.Sym2(0, 0, 1), gptest.Sym2(1, 0, 0)} {
		p := Belief{Mean: []float64{0.1, 0.2}, Cov: cov}
		v := mat.NewVecDense(2, []float64{math.Sqrt2 * 2e-4, math.Sqrt2 * 1e-4})
		gptest.Near(t, "spread", 1e8*(h.Spread(p)-plain.Spread(p)), 1e8*9*mat.Inner(v, denseCov(p), v), 1e-5)
	}
}

func TestCovariatesRefused(t *testing.T) {
	plain := Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}}
	for name, change := range map[string]func(*Hyper){
		"one each": func(h *Hyper) { h.Covariates = []Covariate{gptest.Wave{}} },
		"dimensions": func(h *Hyper) {
			h.LengthScales = []float64{1}
			h.Covariates, h.Weights = []Covariate{gptest.Wave{}}, []float64{1}
		},
		"negative":     func(h *Hyper) { h.Covariates, h.Weights = []Covariate{gptest.Wave{}}, []float64{-1} },
		"nil":          func(h *Hyper) { h.Covariates, h.Weights = []Covariate{nil}, []float64{1} },
		"incomparable": func(h *Hyper) { h.Covariates, h.Weights = []Covariate{incomparable{}}, []float64{1} },
	} {
		h := plain.clone()
		change(&h)
		if _, err := New(h); !errors.Is(err, ErrHyper) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type incomparable struct {
	gptest.Wave
	_ []int
}
