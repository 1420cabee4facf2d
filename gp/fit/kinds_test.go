// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// TestFitChoosesKind: of fields drawn from a smooth and from a rough kernel, with
// little noise and several samples to a length-scale, the fit tells which is which:
// over 40 other seeds each, always and all but twice. (Kernels nearer to each other
// than these it tells apart far less often.)
func TestFitChoosesKind(t *testing.T) {
	tried := []gp.Kind{gp.Matern32, gp.SquaredExponential}
	for _, truth := range []gp.Kind{gp.SquaredExponential, gp.Matern32} {
		for seed := range uint64(3) {
			h := gp.Hyper{Kind: truth, SignalVariance: 4, LengthScales: []float64{1, 1}, NoiseVariance: 1e-3, Mean: 20}
			obs := simulate(t, h, 100, 4, 0.3, gptest.Rand(300+seed))
			cfg := DefaultConfig(1)
			cfg.Starts, cfg.Kinds = 2, tried
			start := copied(h)
			start.Kind = gp.Matern52
			got, err := Hyper(obs, start, cfg, gptest.Rand(seed))
			must.OK(t, err)
			if got.Kind != truth {
				t.Errorf("seed %d: a field of %v was taken for %v", seed, truth, got.Kind)
			}
		}
	}
}
