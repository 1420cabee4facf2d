package fit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"ugp_explorer/gp"
)

// TestBounded: the map stays between the bounds, its derivative is right, and
// unbounded inverts it.
func TestBounded(t *testing.T) {
	p := Prior{Median: 2, LogStdDev: 1, Min: 0.05, Max: 30}
	for _, at := range []float64{-800, -4, -1, 0, 0.3, 4, 800} {
		v, dv := p.bounded(at)
		if e := math.Exp(v); e < 0.05*(1-1e-12) || e > 30*(1+1e-12) {
			t.Errorf("t=%g: %g", at, e)
		}
		want := fd.Derivative(func(t float64) float64 { v, _ := p.bounded(t); return v }, at, &fd.Settings{Formula: fd.Central})
		near(t, "derivative", dv, want, 1e-8)
		if math.Abs(at) <= 4 {
			near(t, "inverse", p.unbounded(v), at, 1e-12)
		}
	}
	for _, v := range []float64{math.Inf(-1), math.Log(0.05), math.Log(30), 1e9} {
		if u := p.unbounded(v); !finite(u) || math.Abs(u) > 5 {
			t.Errorf("unbounded(%g) is %g", v, u)
		}
	}
}

// posteriorOf returns the function that Hyper maximises.
func posteriorOf(t *testing.T, kind gp.Kind, obs []gp.Observation, cfg Config) *logPosterior {
	t.Helper()
	scaled, mean, scale, err := standardise(obs, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return newPosterior(newLikelihood(kind, scaled, len(obs[0].Belief.Mean), cfg.Isotropic), cfg, mean, scale)
}

// TestLogPosteriorGradient compares with finite differences, in the variables that
// the optimiser sees.
func TestLogPosteriorGradient(t *testing.T) {
	rng := newRand(50)
	for i, isotropic := range []bool{false, true, false, true} {
		cfg := DefaultConfig(1.5)
		cfg.Isotropic = isotropic
		cfg.GuessedVariance = 20
		p := posteriorOf(t, gp.Kind(i), randomObservations(rng, 15, 3), cfg)
		for _, at := range p.starts(randomHyper(rng, 3), 5, rng) {
			p.eval(at)
			got := append([]float64(nil), p.grad...)
			want := fd.Gradient(nil, p.eval, at, &fd.Settings{Formula: fd.Central})
			for i := range got {
				near(t, "gradient", got[i], want[i], 1e-6)
			}
		}
	}
}
