// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// simulate draws values of f̂ at random beliefs from the prior that h describes,
// with noise: y = m + Lε, LLᵀ = K̂+Λ. The beliefs are points if spread is 0.
func simulate(tb testing.TB, h gp.Hyper, n int, side, spread float64, rng *rand.Rand) []gp.Observation {
	tb.Helper()
	d := len(h.LengthScales)
	obs := make([]gp.Observation, n)
	for i := range obs {
		x := make([]float64, d)
		for a := range x {
			x[a] = side * rng.Float64()
		}
		obs[i] = gp.Observation{Belief: gp.Belief{Mean: x, Cov: gptest.Cov(rng, d, spread)}}
		if spread == 0 {
			obs[i].Belief.Cov = nil
		}
	}
	g := newNaiveGP(tb, h, obs)
	var l mat.TriDense
	g.chol.LTo(&l)
	e, y := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		e.SetVec(i, rng.NormFloat64())
	}
	y.MulVec(&l, e)
	for i := range obs {
		obs[i].Value = h.Mean + y.AtVec(i)
	}
	return obs
}

// naiveLogPosterior is what Hyper says it maximises, from its parts: the likelihood
// by R&W Alg. 2.1 and gonum's normal density of the log parameters.
func naiveLogPosterior(tb testing.TB, h gp.Hyper, obs []gp.Observation, cfg Config) float64 {
	y := make([]float64, len(obs))
	for i, o := range obs {
		y[i] = o.Value
	}
	s2 := stat.Variance(y, nil)
	logPrior := func(p Prior, v float64) float64 {
		return distuv.Normal{Mu: math.Log(p.Median), Sigma: p.LogStdDev}.LogProb(math.Log(v))
	}
	sum, _ := restricted(tb, h, obs)
	sum += logPrior(cfg.SignalVariance, h.SignalVariance/s2) + logPrior(cfg.NoiseVariance, h.NoiseVariance/s2)
	return sum + logPrior(cfg.LengthScale, h.LengthScales[0])
}

// TestFitRecovers: on 150 observations simulated from known hyper-parameters the
// fit finds them. The tolerances are three standard deviations of the estimates over 40 other
// seeds, which were 0.10 (log length-scale), 0.37 (log signal variance), 0.16 (log noise
// variance) and 0.67 (mean), with biases of at most 0.06 and of 0.09 (mean).
func TestFitRecovers(t *testing.T) {
	truth := gp.Hyper{SignalVariance: 4, LengthScales: []float64{1.5, 1.5}, NoiseVariance: 0.3, Mean: 20}
	start := gp.Hyper{SignalVariance: 1, LengthScales: []float64{2, 2}, NoiseVariance: 1}
	for seed := range uint64(3) {
		obs := simulate(t, truth, 150, 10, 0.3, gptest.Rand(100+seed))
		h, err := Hyper(obs, start, DefaultConfig(2), gptest.Rand(seed))
		must.OK(t, err)
		nearLog(t, seed, "length-scale", h.LengthScales[0], truth.LengthScales[0], 0.29)
		nearLog(t, seed, "signal variance", h.SignalVariance, truth.SignalVariance, 1.11)
		nearLog(t, seed, "noise variance", h.NoiseVariance, truth.NoiseVariance, 0.49)
		if math.Abs(h.Mean-truth.Mean) > 2.01 {
			t.Errorf("seed %d: mean %g, want %g", seed, h.Mean, truth.Mean)
		}
	}
}

func nearLog(t *testing.T, seed uint64, what string, got, want, tol float64) {
	t.Helper()
	if math.Abs(math.Log(got/want)) > tol {
		t.Errorf("seed %d: %s %g, want %g within a factor of e^%g", seed, what, got, want, tol)
	}
}

// TestFitKriges: predictions with fitted hyper-parameters are those of ordinary kriging, whose variance has the part of the mean
// (Cressie, Statistics for Spatial Data, 1993, section 3.2).
func TestFitKriges(t *testing.T) {
	rng := gptest.Rand(300)
	for _, n := range []int{3, 8, 40} {
		obs := randomObservations(rng, n, 2)
		h, err := Hyper(obs, randomHyper(rng, 2), DefaultConfig(1), rng)
		must.OK(t, err)
		g := mustGP(t, h, obs)
		naive, kernel := newNaiveGP(t, h, obs), h.Kernel()
		m, information := naive.glsMean()
		one, k, s := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for _, x := range [][]float64{{0, 0}, {2, -1}, {1e4, 0}} {
			b := gp.Belief{Mean: x, Cov: gptest.Sym2(0.1, 0, 0.2)}
			for i, o := range obs {
				one.SetVec(i, 1)
				k.SetVec(i, kernel.Cov(b, o.Belief))
			}
			must.OK(t, naive.chol.SolveVecTo(s, k))
			rest := 1 - mat.Dot(one, s)
			mean, variance := g.Posterior(b)
			gptest.Near(t, "mean", mean, m+mat.Dot(k, naive.alpha), 1e-6)
			want := kernel.Cov(b, b) - mat.Dot(k, s) + rest*rest/information
			gptest.Near(t, "variance over that of kriging", variance/want, 1, 0.02)
		}
	}
}

// TestFitImproves: the result's mean is what the equations give for it, its log posterior is at
// least that of the start and of the priors' medians, and no direction leads up from it.
func TestFitImproves(t *testing.T) {
	for seed := range uint64(6) {
		rng := gptest.Rand(200 + seed)
		d := 1 + int(seed%3)
		n := []int{4, 10, 20}[seed%3]
		obs := randomObservations(rng, n, d)
		cfg := DefaultConfig(1)
		start := randomHyper(rng, d)
		h, err := Hyper(obs, start, cfg, rng)
		if err != nil || h.Kind != start.Kind {
			t.Fatalf("%v from %v: %v", h.Kind, start.Kind, err)
		}
		_, wantMean := restricted(t, h, obs)
		gptest.Near(t, "mean", h.Mean, wantMean, 1e-9)
		p, reached := posteriorOf(t, start.Kind, obs, cfg), naiveLogPosterior(t, h, obs, cfg)
		gptest.Near(t, "log posterior", p.eval(p.variables(h)), reached, 1e-9)
		for i, from := range p.starts(start, 3) {
			p.eval(from)
			if before := naiveLogPosterior(t, p.hyper(from, p.m), obs, cfg); !(before <= reached) {
				t.Errorf("start %d has %g; the best is %g", i, before, reached)
			}
		}
		// Stationary: the gradient in log space is small beside the nats that
		// a change by a factor of e would cost (the priors alone cost 0.2 to 0.5).
		theta := []float64{math.Log(h.SignalVariance)}
		theta = append(theta, math.Log(h.LengthScales[0]), math.Log(h.NoiseVariance))
		grad := fd.Gradient(nil, func(theta []float64) float64 {
			return naiveLogPosterior(t, hyperAt(start.Kind, theta, d), obs, cfg)
		}, theta, &fd.Settings{Formula: fd.Central})
		for i, g := range grad {
			if math.Abs(g) > 0.02 {
				t.Errorf("seed %d: slope %g in parameter %d at the maximum", seed, g, i)
			}
		}
	}
}

// TestFitFewSamples: 2 to 5 samples, however they lie, give hyper-parameters
// within a few standard deviations of the priors and a sane posterior.
func TestFitFewSamples(t *testing.T) {
	values := map[string][]float64{
		"mixed":   {1, 2, 1.5, 0.3, 2.2},
		"outlier": {1, 1, 1, 1, 9},
		"slope":   {1, 2, 3, 4, 5},
		"small":   {3e-9, 1e-9, 2e-9, 2.5e-9, 1e-9},
		"offset":  {1e6 + 1, 1e6, 1e6 + 2, 1e6 - 1, 1e6},
	}
	places := map[string][][]float64{
		"scattered": {{0, 0}, {300, 100}, {50, 400}, {250, 250}, {120, 30}},
		"in a row":  {{0, 0}, {10, 0}, {20, 0}, {30, 0}, {40, 0}},
		"one place": {{5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 5}},
		"two heaps": {{0, 0}, {0, 1}, {1, 0}, {500, 500}, {501, 500}},
	}
	start := gp.Hyper{SignalVariance: 1, LengthScales: []float64{100, 100}, NoiseVariance: 0.1}
	cfg := DefaultConfig(100)
	for yName, y := range values {
		for xName, x := range places {
			for n := 2; n <= 5; n++ {
				t.Run(fmt.Sprintf("%s %s n=%d", yName, xName, n), func(t *testing.T) {
					if stat.Variance(y[:n], nil) == 0 {
						t.Skip("all values equal")
					}
					var obs []gp.Observation
					for i := range n {
						obs = append(obs, gp.Observation{Belief: gp.Belief{Mean: x[i], Cov: gptest.Sym2(4, 1, 9)}, Value: y[i]})
					}
					h, err := Hyper(obs, start, cfg, gptest.Rand(7))
					must.OK(t, err)
					s2 := stat.Variance(y[:n], nil)
					// Three standard deviations of the priors: e³ and e^4.5.
					for i, v := range []struct{ got, median, factor float64 }{
						{h.LengthScales[0], 100, 20}, {h.LengthScales[1], 100, 20},
						{h.SignalVariance, s2, 20}, {h.NoiseVariance, 0.1 * s2, 90},
					} {
						if !(v.got > v.median/v.factor && v.got < v.median*v.factor) {
							t.Errorf("parameter %d is %g, the prior's median %g", i, v.got, v.median)
						}
					}
					lo, hi := stat.Mean(y[:n], nil), 3*math.Sqrt(s2)
					if math.Abs(h.Mean-lo) > hi {
						t.Errorf("mean %g of values %v", h.Mean, y[:n])
					}
					g := mustGP(t, h, obs)
					for _, q := range append(x, []float64{1000, 1000}) {
						m, v := g.Posterior(gp.Point(q...))
						if !(math.Abs(m-lo) <= hi && v >= 0 && v <= h.SignalVariance+h.MeanStdDev*h.MeanStdDev) {
							t.Errorf("at %v: mean %g, variance %g", q, m, v)
						}
					}
				})
			}
		}
	}
}

// TestFitNothingToLearn: what comes back when the data say nothing about scales.
func TestFitNothingToLearn(t *testing.T) {
	start := gp.Hyper{SignalVariance: 2, LengthScales: []float64{3}, NoiseVariance: 0.5, Mean: 1}
	obs := []gp.Observation{{Belief: gp.Point(0), Value: 7.1}, {Belief: gp.Point(1), Value: 7.1}, {Belief: gp.Point(2), Value: 7.1}}
	want := copied(start)
	for n := range 4 {
		if n >= 2 {
			want.Mean = 7.1
		}
		h, err := Hyper(obs[:n], start, DefaultConfig(1), gptest.Rand(1))
		if err != nil {
			t.Errorf("n=%d: %v", n, err)
		}
		gptest.Near(t, "mean", h.Mean, want.Mean, 1e-15)
		h.Mean = want.Mean
		if !reflect.DeepEqual(h, want) {
			t.Errorf("n=%d: got %+v, want %+v", n, h, want)
		}
	}
}

// TestFitAllStartsFail: where float64 fails, the start comes back.
func TestFitAllStartsFail(t *testing.T) {
	start := gp.Hyper{SignalVariance: 2, LengthScales: []float64{3, 3}, NoiseVariance: 0.5, Mean: 1}
	obs := []gp.Observation{{Belief: gp.Point(1e300, -1e300), Value: 1}, {Belief: gp.Point(-1e300, 1e300), Value: 2}}
	h, err := Hyper(obs, start, DefaultConfig(1), gptest.Rand(1))
	if err != nil || !reflect.DeepEqual(h, start) {
		t.Errorf("%v, %+v", err, h)
	}
}

// TestFitAtBounds: a start outside the bounds is pulled inside, and data whose
// best noise is none at all end near the bound, not beyond.
func TestFitAtBounds(t *testing.T) {
	var obs []gp.Observation
	for i := range 40 {
		x := 0.25 * float64(i)
		obs = append(obs, gp.Observation{Belief: gp.Point(x), Value: math.Sin(x)})
	}
	cfg := DefaultConfig(1)
	cfg.NoiseVariance = Prior{Median: 1e-3, LogStdDev: 5, Min: 1e-6, Max: 1}
	h, err := Hyper(obs, gp.Hyper{SignalVariance: 1e9, LengthScales: []float64{1e-9}}, cfg, gptest.Rand(1))
	must.OK(t, err)
	y := make([]float64, len(obs))
	for i, o := range obs {
		y[i] = o.Value
	}
	s2 := stat.Variance(y, nil)
	if h.NoiseVariance < 1e-6*s2 || h.NoiseVariance > 2e-6*s2 {
		t.Errorf("noise variance %g of sample variance %g", h.NoiseVariance, s2)
	}
	if l := h.LengthScales[0]; l < 0.01*(1-1e-12) || l > 100*(1+1e-12) {
		t.Errorf("length-scale %g", l)
	}
	if v := h.SignalVariance / s2; v < 1e-3*(1-1e-12) || v > 100*(1+1e-12) {
		t.Errorf("signal variance %g of the sample's", v)
	}
	mustGP(t, h, obs) // is well-conditioned enough
}

func TestFitRefuses(t *testing.T) {
	good := []gp.Observation{{Belief: gp.Point(0, 0), Value: 1}, {Belief: gp.Point(1, 1), Value: 2}}
	start := gp.Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}}
	for _, c := range []struct {
		name   string
		change func(obs *[]gp.Observation, h *gp.Hyper)
		kind   error
		want   []string
	}{
		{"good", func(*[]gp.Observation, *gp.Hyper) {}, nil, nil},
		{"start", func(_ *[]gp.Observation, h *gp.Hyper) { h.LengthScales[1] = 0 }, gp.ErrHyper, []string{"start", "LengthScales[1] is 0"}},
		{"observation", func(o *[]gp.Observation, _ *gp.Hyper) { (*o)[1].Value = math.NaN() }, gp.ErrObservation, []string{"observation 1 of 2", "NaN"}},
		{"single observation", func(o *[]gp.Observation, _ *gp.Hyper) { *o = []gp.Observation{{Belief: gp.Point(1)}} }, gp.ErrBelief, []string{"observation 0 of 1"}},
		{"overflow", func(o *[]gp.Observation, _ *gp.Hyper) { (*o)[0].Value, (*o)[1].Value = 1e300, -1e300 }, gp.ErrObservation, []string{"1e+300"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			obs, h := append([]gp.Observation(nil), good...), copied(start)
			c.change(&obs, &h)
			got, err := Hyper(obs, h, DefaultConfig(1), gptest.Rand(1))
			gptest.Refused(t, err, c.kind, c.want)
			if err != nil && !reflect.DeepEqual(got, h) {
				t.Errorf("start came back as %+v", got)
			}
		})
	}
}

// TestFitChoice: a fit to 3000 observations along a path takes a few of them, finds
// what made them nevertheless, and others with other random numbers.
func TestFitChoice(t *testing.T) {
	const features, lengthScale, noise = 300, 100.0, 0.2
	rng := gptest.Rand(44)
	obs := pathObservations(3000, rng)
	// A field of signal variance 1, as a sum of random waves (Rahimi and Recht 2007).
	var wave [features][3]float64
	for i := range wave {
		wave[i] = [3]float64{rng.NormFloat64() / lengthScale, rng.NormFloat64() / lengthScale, 2 * math.Pi * rng.Float64()}
	}
	for i, o := range obs {
		obs[i].Value = noise * rng.NormFloat64()
		for _, w := range wave {
			obs[i].Value += math.Sqrt(2.0/features) * math.Cos(w[0]*o.Belief.Mean[0]+w[1]*o.Belief.Mean[1]+w[2])
		}
	}
	cfg := DefaultConfig(50)
	cfg.MaxObservations, cfg.Starts = 120, 2
	start := gp.Hyper{SignalVariance: 1, LengthScales: []float64{50, 50}, NoiseVariance: 0.1}
	h, err := Hyper(obs, start, cfg, gptest.Rand(1))
	must.OK(t, err)
	if l := h.LengthScales[0] / lengthScale; l < 0.7 || l > 1.4 {
		t.Errorf("length-scale %g, made with %g", h.LengthScales[0], lengthScale)
	}
	if s := math.Sqrt(h.NoiseVariance) / noise; s < 0.7 || s > 1.4 {
		t.Errorf("noise deviation %g, made with %g", math.Sqrt(h.NoiseVariance), noise)
	}
	if other, err := Hyper(obs, start, cfg, gptest.Rand(2)); err != nil || other.NoiseVariance == h.NoiseVariance {
		t.Errorf("another choice gave the same noise variance %g (%v)", other.NoiseVariance, err)
	}
	chosen := choose(obs, 120, gptest.Rand(1))
	if len(chosen) != 120 || chosen[0].Belief.Mean[0] == chosen[1].Belief.Mean[0] {
		t.Errorf("%d chosen, want 120, none of them twice", len(chosen))
	}
}

// TestHyperOnePlace: within the belief of an observation of one place, the field has the variance of the start, which is noise.
func TestHyperOnePlace(t *testing.T) {
	truth := gp.Hyper{Kind: gp.Matern52, SignalVariance: 2, LengthScales: []float64{12, 12}, NoiseVariance: 0.1, Mean: 3}
	cfg := DefaultConfig(15)
	obs := simulate(t, truth, 25, 60, 4, gptest.Rand(11))
	noisy := slices.Clone(obs)
	for i := range obs {
		if i%3 > 0 {
			obs[i].OnePlace = true
			noisy[i].NoiseVariance += truth.SignalVariance - truth.Kernel().Cov(obs[i].Belief, obs[i].Belief)
		}
	}
	got, err := Hyper(obs, truth, cfg, gptest.Rand(1))
	must.OK(t, err)
	want, err := Hyper(noisy, truth, cfg, gptest.Rand(1))
	must.OK(t, err)
	without, err := Hyper(simulate(t, truth, 25, 60, 4, gptest.Rand(11)), truth, cfg, gptest.Rand(1))
	must.OK(t, err)
	near := func(a, b gp.Hyper) bool {
		return math.Abs(math.Log(a.SignalVariance/b.SignalVariance)) < 1e-9 && math.Abs(math.Log(a.LengthScales[0]/b.LengthScales[0])) < 1e-9 &&
			math.Abs(math.Log(a.NoiseVariance/b.NoiseVariance)) < 1e-9
	}
	if !near(got, want) || near(got, without) {
		t.Errorf("the fit is %+v, want %+v, and not %+v as of means over the beliefs", got, want, without)
	}
}
