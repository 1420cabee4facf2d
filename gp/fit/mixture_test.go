// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// The law of total variance: what the models differ by counts, also where the mean is large.
func TestMixture(t *testing.T) {
	for _, offset := range []float64{0, 1e9} {
		var m Mixture
		for i, y := range []float64{1, 4} {
			h := gp.Hyper{SignalVariance: 1, LengthScales: []float64{1}, NoiseVariance: 1, Mean: offset + y}
			m = append(m, Member{Model: mustGP(t, h, nil), Weight: []float64{1.0 / 3, 2.0 / 3}[i]})
		}
		mean, variance := m.Posterior(gp.Point(7))
		gptest.Near(t, "mean", mean, offset+3, 1e-12*(1+offset))
		gptest.Near(t, "variance", variance, 3, 1e-6) // 1 + 2/9·3²
	}
}

// TestMixturePredictor: predictions for many places are those for each.
func TestMixturePredictor(t *testing.T) {
	rng := gptest.Rand(50)
	obs := randomObservations(rng, 12, 2)
	m, err := NewMixture(obs, []Weighted{{randomHyper(rng, 2), 0.2}, {randomHyper(rng, 2), 0.5}, {randomHyper(rng, 2), 0.3}})
	must.OK(t, err)
	const n = 20
	places, mean, variance := mat.NewDense(n, 2, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		places.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	for _, cov := range []*mat.SymDense{nil, mat.NewSymDense(2, []float64{0.3, 0.1, 0.1, 0.2})} {
		p, err := m.NewPredictor(cov)
		must.OK(t, err)
		p.PredictBatch(mean, variance, places)
		for i := range n {
			wantMean, wantVariance := m.Posterior(gp.Belief{Mean: places.RawRowView(i), Cov: cov})
			gptest.Near(t, "mean", mean[i], wantMean, 1e-9)
			gptest.Near(t, "variance", variance[i], wantVariance, 1e-9)
		}
	}
	if _, err := m.NewPredictor(mat.NewSymDense(2, []float64{math.NaN(), 0, 0, 1})); err == nil {
		t.Error("a covariance of NaN is accepted")
	}
}
