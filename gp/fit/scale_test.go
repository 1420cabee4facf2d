// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// TestScaleIsTheMaximum: the scale is where the product of the χ² density of the
// sample variance and the guess's log-normal one, both by gonum, has its maximum.
func TestScaleIsTheMaximum(t *testing.T) {
	for _, n := range []int{2, 3, 10, 400} {
		for _, s2 := range []float64{1e-9, 0.01, 0.9, 25, 1e6} {
			const guess, tau = 3.0, guessLogStdDev
			cfg := Config{GuessedVariance: guess}
			nu := float64(n - 1)
			logDensity := func(logV float64) float64 {
				x := nu * s2 / math.Exp(logV) // χ²_ν; as a density of s² it is times ν/v
				return distuv.ChiSquared{K: nu}.LogProb(x) + math.Log(nu) - logV +
					distuv.Normal{Mu: math.Log(guess), Sigma: tau}.LogProb(logV)
			}
			got := 2 * math.Log(cfg.scale(math.Sqrt(s2), n))
			// The curvature is at least 1/τ²: a slope of 1e-5 is a step of 9e-5 at the most.
			if slope := fd.Derivative(logDensity, got, &fd.Settings{Formula: fd.Central}); !(math.Abs(slope) < 1e-5*(nu+1)) {
				t.Errorf("n=%d s²=%g τ=%g: slope %g at log v = %g", n, s2, tau, slope, got)
			}
			// It lies between what the data and the guess say.
			if lo, hi := math.Log(min(s2, guess)), math.Log(max(s2, guess)); got < lo-1e-9 || got > hi+1e-9 {
				t.Errorf("n=%d s²=%g τ=%g: log v = %g, want between %g and %g", n, s2, tau, got, lo, hi)
			}
		}
	}
}

// TestScaleHasLimits: nothing overflows, whatever the values' unit.
func TestScaleHasLimits(t *testing.T) {
	cfg := Config{GuessedVariance: 4}
	for _, n := range []int{2, 3, 1000} {
		for _, sd := range []float64{1e-300, 1e-150, 1, 1e150} {
			if v := cfg.scale(sd, n); !num.Finite(v) || v <= 0 {
				t.Errorf("scale of %d values of deviation %g is %g", n, sd, v)
			}
		}
	}
	// Two values that are next to equal take ντ²/2 = 4.5 off the logarithm of 4.
	gptest.Near(t, "least scale", cfg.scale(1e-300, 2), math.Sqrt(4*math.Exp(-4.5)), 1e-12)
}

// TestFitLooksAlike: two to four samples that chance to be alike don't make the
// field flat when there is a guess, and a good guess is not given up for them. The
// bounds are what the rule takes off for n-1 degrees of freedom, 4.5(n-1), and three
// standard deviations of the prior of the signal variance; without it the factor is e^29.
func TestFitLooksAlike(t *testing.T) {
	const guess = 0.04
	cfg := DefaultConfig(100)
	cfg.GuessedVariance = guess
	start := gp.Hyper{SignalVariance: guess, LengthScales: []float64{100, 100}, NoiseVariance: 0.0004}
	values := []float64{1.4884, 1.4884002, 1.4884001, 1.4883999}
	places := [][]float64{{0, 0}, {300, 100}, {50, 400}, {250, 250}}
	for n := 2; n <= 4; n++ {
		var obs []gp.Observation
		for i := range n {
			obs = append(obs, gp.Observation{Belief: gp.Point(places[i]...), Value: values[i], NoiseVariance: 1e-4})
		}
		h, err := Hyper(obs, start, cfg, gptest.Rand(3))
		must.OK(t, err)
		off := math.Log(guess / h.SignalVariance)
		if !(off > -3 && off < 4.5*float64(n-1)+3) {
			t.Errorf("n=%d: signal variance %g of a guess of %g: a factor of e^%.1f", n, h.SignalVariance, guess, off)
		}
	}
}

// TestFitOutvotesTheGuess: thirty values have their own say, however wrong the
// guess, and their unit does not matter when the guess has it too.
func TestFitOutvotesTheGuess(t *testing.T) {
	rng := gptest.Rand(310)
	obs := randomObservations(rng, 30, 2)
	start := randomHyper(rng, 2)
	fit := func(unit, guess float64) gp.Hyper {
		t.Helper()
		cfg := DefaultConfig(1)
		cfg.GuessedVariance = guess
		scaled, from := append([]gp.Observation(nil), obs...), copied(start)
		for i := range scaled {
			scaled[i].Value *= unit
			scaled[i].NoiseVariance *= unit * unit
		}
		from.SignalVariance *= unit * unit
		from.NoiseVariance *= unit * unit
		h, err := Hyper(scaled, from, cfg, gptest.Rand(1))
		must.OK(t, err)
		return h
	}
	without := fit(1, 0)
	for _, guess := range []float64{1e-6, 1e-2, 1, 1e2, 1e6} {
		h := fit(1, guess)
		// At 14 e-folds the centre of the prior, of standard deviation 1, moves by a quarter.
		if d := math.Abs(math.Log(h.SignalVariance / without.SignalVariance)); !(d < 0.3) {
			t.Errorf("guess %g: signal variance %g, %g without it", guess, h.SignalVariance, without.SignalVariance)
		}
	}
	h := fit(1e3, 1e6)
	gptest.Near(t, "signal variance in another unit", h.SignalVariance/1e6, fit(1, 1).SignalVariance, 1e-3)
}

// TestFitReplicates: many values of one place, or of two, say how large the noise is, and not how much the field varies.
func TestFitReplicates(t *testing.T) {
	const guess, noise = 1.0, 0.01
	cfg := DefaultConfig(20)
	cfg.GuessedVariance = guess
	start := gp.Hyper{SignalVariance: guess, LengthScales: []float64{20, 20}, NoiseVariance: noise * noise}
	rng := gptest.Rand(11)
	for _, c := range []struct {
		name   string
		apart  float64 // of a second place, m; 0: there is none
		repeat int
		stddev float64 // of each place, m
		least  float64 // standard deviation far away
	}{
		{"two", 0, 2, 0.02, 0.6},
		{"three", 0, 3, 0.02, 0.6},
		{"twenty", 0, 20, 0.02, 0.6},
		{"a robot that stands", 0, 10, 0.2, 0.6},
		{"twenty, and one like them elsewhere", 60, 20, 0.02, 0.05}, // as of two values
	} {
		cov := gptest.Sym2(c.stddev*c.stddev, 0, c.stddev*c.stddev)
		var obs []gp.Observation
		for range c.repeat {
			at := gp.Belief{Mean: []float64{20 + 0.5*c.stddev*rng.NormFloat64(), 10 + 0.5*c.stddev*rng.NormFloat64()}, Cov: cov}
			obs = append(obs, gp.Observation{Belief: at, Value: 0.6 + noise*rng.NormFloat64(), NoiseVariance: noise * noise})
		}
		if c.apart > 0 {
			obs = append(obs, gp.Observation{Belief: gp.Point(20+c.apart, 10), Value: 0.601, NoiseVariance: noise * noise})
		}
		best, err := Hyper(obs, start, cfg, gptest.Rand(1))
		must.OK(t, err)
		hypers, err := Average(obs, best, cfg, 8, gptest.Rand(2))
		must.OK(t, err)
		mixture, err := NewMixture(obs, hypers)
		must.OK(t, err)
		for model, m := range map[string]Mixture{"best": {{Model: mustGP(t, best, obs), Weight: 1}}, "average": mixture} {
			sum := 0.0 // the variance within the models
			for _, member := range m {
				_, v := member.Model.Posterior(gp.Point(-300, 400))
				sum += member.Weight * v
			}
			if !(math.Sqrt(sum) > c.least) {
				t.Errorf("%s, %s: the standard deviation far away is %.3g, want more than %g", c.name, model, math.Sqrt(sum), c.least)
			}
		}
	}
}

// TestPlaceMeans: places are told apart by their distance, and single ones keep their values to the bit.
func TestPlaceMeans(t *testing.T) {
	at := func(x, value float64) gp.Observation { return gp.Observation{Belief: gp.Point(x, 0), Value: value} }
	got := placeMeans([]gp.Observation{at(0, 0.1), at(5, 0.3), at(0.9, 0.2), at(5, 0.7), at(9, 0.7), at(-0.5, 0.6)}, 1)
	want := []float64{0.3, 0.5, 0.7}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		gptest.Near(t, "mean", got[i], want[i], 1e-15)
	}
}
