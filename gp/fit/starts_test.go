// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// TestStarts: the default finds as large a posterior as searches from six points, to a thousandth of a nat, also where there are
// two maxima; but for one fit in a hundred, and there to half a nat. Of 1400 other fits, 164 had two maxima, and two were worse by
// 0.15 and 0.31 nats. Fields have one scale or two, and starts are what is known at first, the fit to all samples but one, or far
// off. UGP_FIT_SEEDS=40 measures more, with -v.
func TestStarts(t *testing.T) {
	seeds := 3
	if n, err := strconv.Atoi(os.Getenv("UGP_FIT_SEEDS")); err == nil {
		seeds = n
	}
	fits, ambiguous, worse := 0, 0, 0
	for seed := range uint64(seeds) {
		for _, n := range []int{3, 8, 12, 20, 30, 60, 120} {
			for shape := range 5 {
				rng := gptest.Rand(seed*1000 + uint64(10*n+shape))
				obs := shapes(t, shape, n, rng)
				cfg := DefaultConfig(200)
				cfg.GuessedVariance = 1
				start := gp.Hyper{Kind: gp.Kind((int(seed) + shape) % 5), SignalVariance: 1, LengthScales: []float64{200, 200}, NoiseVariance: 0.1}
				switch seed % 3 {
				case 0:
					var err error
					start, err = Hyper(obs[:n-1], start, cfg, rng)
					must.OK(t, err)
				case 1:
					start.LengthScales = []float64{30, 30}
				}
				h, err := Hyper(obs, start, cfg, rng)
				must.OK(t, err)
				d, err := prepare(obs, start, cfg, rng)
				must.OK(t, err)
				p := d.posterior(variant{kind: start.Kind}, cfg)
				got := p.eval(p.variables(h))
				highest, lowest := math.Inf(-1), math.Inf(1)
				for _, from := range sixStarts(p, start) {
					v := p.climb(from, cfg.MaxEvaluations).value
					highest, lowest = max(highest, v), min(lowest, v)
				}
				fits++
				if highest > lowest+0.01 {
					ambiguous++
				}
				if got < highest-0.5 {
					t.Errorf("seed %d, shape %d, %d samples: %g, the best of six starts has %g", seed, shape, n, got, highest)
				}
				if got < highest-1e-3 {
					worse++
					t.Logf("%v of shape %d, seed %d, %d samples: %.4f nats below the best of six starts, ℓ %.3g", start.Kind, shape, seed, n, highest-got, h.LengthScales[0])
				}
			}
		}
	}
	t.Logf("of %d fits, %d with two maxima, %d are worse than six starts", fits, ambiguous, worse)
	if worse > fits/100 {
		t.Errorf("%d of %d fits are worse than the best of six starts", worse, fits)
	}
	if ambiguous < fits/20 {
		t.Errorf("only %d of %d fits have two maxima", ambiguous, fits)
	}
}

// shapes returns n samples of a field with one scale or two, over 1000 m.
func shapes(tb testing.TB, shape, n int, rng *rand.Rand) []gp.Observation {
	field := func(kind gp.Kind, variance, length, noise float64) gp.Hyper {
		return gp.Hyper{Kind: kind, SignalVariance: variance, LengthScales: []float64{length, length}, NoiseVariance: noise}
	}
	of := [][]gp.Hyper{
		{field(gp.Matern52, 1, 150, 0.1)},
		{field(gp.SquaredExponential, 1, 400, 0.02), field(gp.SquaredExponential, 0.5, 40, 0)},
		{field(gp.Matern32, 1, 800, 0.3), field(gp.SquaredExponential, 1, 60, 0)},
		{field(gp.Matern12, 1, 60, 0.02)},
		{field(gp.SquaredExponential, 1, 100, 0.5)},
	}[shape]
	obs := simulate(tb, of[0], n, 1000, 0, rng)
	for _, h := range of[1:] {
		h.NoiseVariance = 1e-9
		var l mat.TriDense
		newNaiveGP(tb, h, obs).chol.LTo(&l)
		e, more := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			e.SetVec(i, rng.NormFloat64())
		}
		more.MulVec(&l, e)
		for i := range obs {
			obs[i].Value += more.AtVec(i)
		}
	}
	return obs
}

// sixStarts returns start, the prior medians, and a short and a long length-scale, each with little and with much noise.
func sixStarts(p *logPosterior, start gp.Hyper) [][]float64 {
	starts := [][]float64{p.variables(start)}
	for _, off := range [][2]float64{{0, 0}, {-1.5, -1}, {-1.5, 1}, {1.5, -1}, {1.5, 1}} { // standard deviations of length-scale and noise
		t := make([]float64, len(p.priors))
		for i, prior := range p.priors {
			v := math.Log(prior.Median)
			switch i {
			case atLength:
				v += off[0] * prior.LogStdDev
			case atNoise:
				v += off[1] * prior.LogStdDev
			}
			t[i] = prior.unbounded(v)
		}
		starts = append(starts, t)
	}
	return starts
}
