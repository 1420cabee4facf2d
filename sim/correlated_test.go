// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/sim"
)

func TestCorrelate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values, others := make([]float64, 50), make([]float64, 50)
	for i := range values {
		values[i], others[i] = 7+3*rng.NormFloat64(), -4+0.1*rng.NormFloat64()
		others[i] += 0.05 * values[i] // so that they are alike
	}
	for _, want := range []float64{-1, -0.5, 0, 0.6, 1} {
		correlate, got := sim.Correlate(values, others, want), make([]float64, len(values))
		for i := range got {
			got[i] = correlate(values[i], others[i])
		}
		mean, stdDev := stat.MeanStdDev(got, nil)
		if r := stat.Correlation(got, values, nil); math.Abs(r-want) > 1e-9 || math.Abs(mean) > 1e-9 || math.Abs(stdDev-1) > 1e-9 {
			t.Errorf("correlation %g of values %g ± %g, want %g of 0 ± 1", r, mean, stdDev, want)
		}
	}
}
