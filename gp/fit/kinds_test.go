package fit

import (
	"testing"

	"ugp_explorer/gp"
)

// TestFitChoosesKind: of fields drawn from a smooth and from a rough kernel, with
// little noise and several samples to a length-scale, the fit tells which is which:
// over 40 other seeds each, always and all but twice. (Kernels nearer to each other
// than these it tells apart far less often.) Both are tried from as many starts, and
// the best of all is what comes back.
func TestFitChoosesKind(t *testing.T) {
	tried := []gp.Kind{gp.Matern32, gp.SquaredExponential}
	for _, truth := range []gp.Kind{gp.SquaredExponential, gp.Matern32} {
		for seed := range uint64(3) {
			h := gp.Hyper{Kind: truth, SignalVariance: 4, LengthScales: []float64{1, 1}, NoiseVariance: 1e-3, Mean: 20}
			obs := simulate(t, h, 100, 4, newRand(300+seed))
			cfg := DefaultConfig(1)
			cfg.Isotropic, cfg.Starts, cfg.Kinds = true, 2, tried
			start := copied(h)
			start.Kind = gp.Matern52
			got, res, err := Hyper(obs, start, cfg, newRand(seed))
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind != truth {
				t.Errorf("seed %d: a field of %v was taken for %v", seed, truth, got.Kind)
			}
			if len(res.Starts) != 4 {
				t.Fatalf("%d starts, want 4", len(res.Starts))
			}
			for i, s := range res.Starts {
				if want := tried[i/2]; s.From.Kind != want || s.To.Kind != want {
					t.Errorf("start %d is of %v and %v, want %v", i, s.From.Kind, s.To.Kind, want)
				}
				if s.After > res.LogPosterior {
					t.Errorf("start %d came to %g, the result to %g", i, s.After, res.LogPosterior)
				}
			}
			near(t, "log posterior", res.LogPosterior, naiveLogPosterior(t, got, obs, cfg), 1e-9)
			wantL, _ := restricted(t, got, obs)
			near(t, "log likelihood", res.LogLikelihood, wantL, 1e-9)
		}
	}
}

// TestFitRefusesKind: a kernel that does not exist is named.
func TestFitRefusesKind(t *testing.T) {
	cfg := DefaultConfig(1)
	cfg.Kinds = []gp.Kind{gp.RationalQuadratic, -1}
	checkError(t, cfg.Validate(1), errConfig, []string{"Kinds[1]", "Kind(-1)", "rq"})
}

// TestFitKindWithoutData: where nothing can be fitted the start's kind stays.
func TestFitKindWithoutData(t *testing.T) {
	cfg := DefaultConfig(1)
	cfg.Kinds = gp.Kinds()
	start := gp.Hyper{Kind: gp.Matern32, SignalVariance: 1, LengthScales: []float64{1}, NoiseVariance: 1}
	for _, obs := range [][]gp.Observation{nil, {{Belief: gp.Point(0), Value: 1}, {Belief: gp.Point(1), Value: 1}}} {
		h, res, err := Hyper(obs, start, cfg, newRand(1))
		if err != nil || res.Status == Fitted || h.Kind != gp.Matern32 {
			t.Errorf("%d observations: %v, %v, %v", len(obs), h.Kind, res.Status, err)
		}
	}
}
