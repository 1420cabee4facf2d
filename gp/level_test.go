// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"
	"testing"

	"ugp_explorer/internal/testkit/gptest"
)

// TestUnknownMean: however little is known of the mean, observations with almost no noise are as well-conditioned as with a
// known one, and a constant that is added to all values is added to the predictions, and changes nothing else.
func TestUnknownMean(t *testing.T) {
	rng := gptest.Rand(31)
	for range 20 {
		h := randomHyper(rng, 2)
		h.NoiseVariance, h.MeanStdDev = 1e-9*h.SignalVariance, 0
		obs := randomObservations(rng, 25, 2)
		for i := range obs {
			obs[i].NoiseVariance = 0
		}
		known := mustGP(t, h, obs)
		h.MeanStdDev = 1e6 * math.Sqrt(h.SignalVariance)
		g := mustGP(t, h, obs)
		gptest.Near(t, "condition", conditionNumber(g), conditionNumber(known), 0)

		by := 100 * math.Sqrt(h.SignalVariance)
		for i := range obs {
			obs[i].Value += by
		}
		far := mustGP(t, h, obs)
		for range 5 {
			b := randomObservations(rng, 1, 2)[0].Belief
			mean, variance := g.Posterior(b)
			shifted, same := far.Posterior(b)
			gptest.Near(t, "mean", shifted, mean+by, 1e-6*by)
			gptest.Near(t, "variance", same, variance, 1e-12*variance)
			if _, less := known.Posterior(b); variance < less*(1-1e-9) {
				t.Errorf("variance %g with an uncertain mean, %g with a known one", variance, less)
			}
		}
	}
}
