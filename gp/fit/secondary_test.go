// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/integrate/quad"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// TestLikelihoodSecondary: the likelihood given a second quantity is that of a GP with it, integrated over
// the mean, and its gradient is that by differences.
func TestLikelihoodSecondary(t *testing.T) {
	rng := gptest.Rand(100)
	for _, rho := range []float64{-0.8, 0.5} {
		for q := range 2 {
			t.Run(fmt.Sprintf("rho=%g covariates=%d", rho, q), func(t *testing.T) {
				obs := randomObservations(rng, 9, 2)
				covariates := []gp.Covariate{gptest.Wave{A: 1, B: 2, Phase: 0}}[:q]
				second := gp.NewSecondary(mustGP(t, randomHyper(rng, 2), randomObservations(rng, 20, 2)))
				s := newSamples(obs, 2, covariates)
				s.hear(second, obs)
				l := newLikelihood(gp.Matern32, s)
				l.correlation = rho
				theta := []float64{0.3, -0.2, -1, -0.5}[:3+q]
				want := func(theta []float64) float64 {
					h := hyperAt(gp.Matern32, theta, 2, covariates...)
					h.Secondary, h.Correlation = second, rho
					_, centre := l.eval(theta)
					return math.Log(quad.Fixed(func(mean float64) float64 {
						h.Mean = mean
						return math.Exp(mustGP(t, h, obs).LogMarginalLikelihood() + 15)
					}, centre-10, centre+10, 200, nil, 0)) - 15
				}
				expected := fd.Gradient(nil, want, theta, &fd.Settings{Formula: fd.Central})
				grad := make([]float64, len(theta))
				got, _ := l.eval(theta)
				l.gradient(grad)
				gptest.Near(t, "log likelihood", got, want(theta), 1e-8)
				for i := range grad {
					gptest.Near(t, fmt.Sprintf("gradient[%d]", i), grad[i], expected[i], 1e-5)
				}
				curvature := make([]float64, len(theta)*(len(theta)+1)/2)
				if n := testing.AllocsPerRun(10, func() { l.eval(theta); l.gradient(grad); l.curvature(curvature) }); n != 0 {
					t.Errorf("%g allocations", n)
				}
			})
		}
	}
}

// twoFields draws values of a field at random places of a square of the given side, and a second quantity
// of the given correlation at others.
func twoFields(t *testing.T, rng *rand.Rand, rho float64, n, heard int, side float64) (f, c []gp.Observation) {
	t.Helper()
	h := gp.Hyper{Kind: gp.Matern52, SignalVariance: 1, LengthScales: []float64{side / 5, side / 5}, NoiseVariance: 0}
	all := make([]gp.Observation, n+heard)
	for i := range all {
		all[i].Belief = gp.Point(side*rng.Float64(), side*rng.Float64())
	}
	draw := func() []float64 {
		g, err := gp.New(h)
		must.OK(t, err)
		values := make([]float64, len(all))
		for i, o := range all {
			mean, variance := g.Posterior(o.Belief)
			values[i] = mean + math.Sqrt(variance)*rng.NormFloat64()
			must.OK(t, g.Add(gp.Observation{Belief: o.Belief, Value: values[i], NoiseVariance: 1e-6}))
		}
		return values
	}
	second, own := draw(), draw()
	for i, o := range all {
		if i < n {
			v := rho*second[i] + math.Sqrt(1-rho*rho)*own[i]
			f = append(f, gp.Observation{Belief: o.Belief, Value: 7 + 2*v + 0.2*rng.NormFloat64()})
		} else {
			c = append(c, gp.Observation{Belief: o.Belief, Value: 50 + 10*second[i] + rng.NormFloat64(), NoiseVariance: 1})
		}
	}
	return f, c
}

// TestHyperSecondary: fits and averages find the correlation with the second quantity, with its sign, and
// none where there is none. The values' unit does not matter.
func TestHyperSecondary(t *testing.T) {
	cfg := DefaultConfig(100)
	cfg.Kinds = []gp.Kind{gp.Matern52, gp.Matern32}
	for _, rho := range []float64{0.85, -0.85, 0} {
		rng := gptest.Rand(101)
		var expected, spread total
		for range 4 {
			f, c := twoFields(t, rng, rho, 30, 120, 500)
			start := gp.Hyper{Kind: gp.Matern52, SignalVariance: 1, LengthScales: []float64{100, 100}, NoiseVariance: 0.1}
			of, err := Hyper(c, start, cfg, rng)
			must.OK(t, err)
			of.MeanStdDev = 0
			start.Secondary = gp.NewSecondary(mustGP(t, of, c))
			best, err := Hyper(f, start, cfg, gptest.Rand(1))
			must.OK(t, err)
			models, err := Average(f, best, cfg, 8, gptest.Rand(1))
			must.OK(t, err)
			var mean total
			for _, m := range models {
				must.OK(t, m.Hyper.Validate())
				mean.add(m.Weight, m.Hyper.Correlation, 0)
			}
			expected.add(1, mean.mean, 0)
			spread.add(1, math.Sqrt(mean.variance), 0)
			if math.Abs(best.Correlation-mean.mean) > 0.4 {
				t.Errorf("correlation %g: the fit says %g, the average %g", rho, best.Correlation, mean.mean)
			}
		}
		t.Logf("correlation %g: found %.2f ± %.2f", rho, expected.mean, spread.mean)
		if math.Abs(expected.mean-rho) > 0.2 {
			t.Errorf("correlation %g: the mean found is %g", rho, expected.mean)
		}
	}
}

// TestSecondaryPredicts: with the second quantity, values at places where no sample was taken are predicted
// with a smaller error, and the stated deviations are true.
func TestSecondaryPredicts(t *testing.T) {
	cfg := DefaultConfig(100)
	cfg.Kinds = []gp.Kind{gp.Matern52}
	rng := gptest.Rand(102)
	var with, without, inside, n float64
	for range 6 {
		f, c := twoFields(t, rng, 0.85, 60, 120, 500)
		known, asked := f[:15], f[15:]
		start := gp.Hyper{Kind: gp.Matern52, SignalVariance: 1, LengthScales: []float64{100, 100}, NoiseVariance: 0.1}
		of, err := Hyper(c, start, cfg, rng)
		must.OK(t, err)
		of.MeanStdDev = 0
		for _, second := range []*gp.Secondary{nil, gp.NewSecondary(mustGP(t, of, c))} {
			start.Secondary = second
			best, err := Hyper(known, start, cfg, gptest.Rand(1))
			must.OK(t, err)
			hypers, err := Average(known, best, cfg, 8, gptest.Rand(1))
			must.OK(t, err)
			models, err := NewMixture(known, hypers)
			must.OK(t, err)
			for _, o := range asked {
				mean, variance := models.Posterior(o.Belief)
				square := (o.Value - mean) * (o.Value - mean)
				if second == nil {
					without += square
					continue
				}
				with += square
				n++
				if square < 4*(variance+0.04) {
					inside++
				}
			}
		}
	}
	t.Logf("error %.2f with the second quantity, %.2f without, %.0f %% inside two deviations", math.Sqrt(with/n), math.Sqrt(without/n), 100*inside/n)
	if with > 0.6*without || inside/n < 0.9 {
		t.Errorf("squared error %g with the second quantity, %g without, %g inside two deviations", with/n, without/n, inside/n)
	}
}
