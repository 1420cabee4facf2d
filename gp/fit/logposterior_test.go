// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
)

// posteriorOf returns the function that Hyper maximises.
func posteriorOf(t *testing.T, kind gp.Kind, obs []gp.Observation, cfg Config) *logPosterior {
	t.Helper()
	scaled, mean, scale, err := standardise(obs, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return newPosterior(newLikelihood(kind, newSamples(scaled, len(obs[0].Belief.Mean), nil)), cfg, mean, scale)
}

// TestLogPosteriorGradient compares with finite differences, in the variables that
// the optimiser sees.
func TestLogPosteriorGradient(t *testing.T) {
	rng := gptest.Rand(50)
	for i := range 4 {
		cfg := DefaultConfig(1.5)
		cfg.GuessedVariance = 20
		p := posteriorOf(t, gp.Kind(i), randomObservations(rng, 15, 3), cfg)
		for _, at := range p.starts(randomHyper(rng, 3), 3) {
			p.eval(at)
			p.derive()
			got := append([]float64(nil), p.grad...)
			want := fd.Gradient(nil, p.eval, at, &fd.Settings{Formula: fd.Central})
			for i := range got {
				gptest.Near(t, "gradient", got[i], want[i], 1e-6)
			}
		}
	}
}
