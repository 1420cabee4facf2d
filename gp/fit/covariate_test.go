// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

func meanOver(c gp.Covariate, b gp.Belief) float64 {
	var cov [3]float64
	if b.Cov != nil {
		cov = [3]float64{b.Cov.At(0, 0), b.Cov.At(0, 1), b.Cov.At(1, 1)}
	}
	v, _, _ := c.Mean(b.Mean[0], b.Mean[1], cov)
	return v
}

// TestHyperCovariates: of two covariates, the weight of the one that the values follow is found,
// and the other is worth little; in any unit, and by the average of several models too.
func TestHyperCovariates(t *testing.T) {
	rng := gptest.Rand(80)
	for _, unit := range []float64{1, 1e-3} {
		useful, useless := gptest.Wave{A: 0.03, B: 0.01, Phase: 0}, gptest.Wave{A: 0.01, B: -0.04, Phase: 2}
		obs := fieldObservations(40, rng)
		for i := range obs {
			obs[i].Value = unit * (obs[i].Value + 0.5*meanOver(useful, obs[i].Belief))
		}
		start := fieldHyper
		start.Covariates, start.Weights = []gp.Covariate{useful, useless}, []float64{0, 0.1}
		cfg := DefaultConfig(120)
		best, err := Hyper(obs, start, cfg, gptest.Rand(1))
		must.OK(t, err)
		average, err := Average(obs, best, cfg, 8, gptest.Rand(1))
		must.OK(t, err)
		models, err := NewMixture(obs, average)
		must.OK(t, err)
		for name, m := range map[string]Mixture{"one model": {{mustGP(t, best, obs), 1}}, "average": models} {
			e := m.Explained()
			t.Logf("%s, unit %g: %.3g", name, unit, e)
			if w := e[0]; math.Abs(w.Mean-0.5*unit) > 4*w.StdDev || w.StdDev > 0.05*unit || w.Share < 0.6 || w.ShareStdDev > 0.2 {
				t.Errorf("%s, unit %g: the useful one is %+v, want a weight of %g", name, unit, w, 0.5*unit)
			}
			if w := e[1]; math.Abs(w.Mean) > 4*w.StdDev || w.Share > 0.05 {
				t.Errorf("%s, unit %g: the useless one is %+v", name, unit, w)
			}
		}
	}
}

// TestExplainedWithoutSamples: the share is that of the prior, whose mean over a weight of the
// signal's standard deviation is 1 - √(πe/2)·erfc(1/√2).
func TestExplainedWithoutSamples(t *testing.T) {
	h := fieldHyper
	h.Covariates, h.Weights = []gp.Covariate{gptest.Wave{}}, []float64{math.Sqrt(h.SignalVariance)}
	e := Mixture{{mustGP(t, h, nil), 1}}.Explained()[0]
	gptest.Near(t, "weight", e.Mean, 0, 0)
	gptest.Near(t, "its deviation", e.StdDev, h.Weights[0], 1e-12)
	gptest.Near(t, "share", e.Share, 1-math.Sqrt(math.Pi*math.E/2)*math.Erfc(math.Sqrt2/2), 0.003)
}

// TestLogPosteriorCovariates compares the gradient with differences, and takes hyper-parameters
// to variables and back.
func TestLogPosteriorCovariates(t *testing.T) {
	rng := gptest.Rand(81)
	h := randomHyper(rng, 2)
	h.Covariates, h.Weights = []gp.Covariate{gptest.Wave{A: 1, B: 2, Phase: 0}, gptest.Wave{A: -2, B: 1, Phase: 1}}, []float64{0.4, 0.9}
	cfg := DefaultConfig(1.5)
	d, err := prepare(randomObservations(rng, 15, 2), h, cfg, rng)
	must.OK(t, err)
	p := d.posterior(variant{kind: h.Kind}, cfg)
	for j, s := range p.hyper(p.variables(h), 0).Weights {
		gptest.Near(t, "weight", s, h.Weights[j], 1e-9)
	}
	for _, at := range p.starts(h, 3) {
		p.eval(at)
		p.derive()
		got := append([]float64(nil), p.grad...)
		want := fd.Gradient(nil, p.eval, at, &fd.Settings{Formula: fd.Central})
		for i := range got {
			gptest.Near(t, "gradient", got[i], want[i], 1e-6)
		}
	}
}
