// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math/rand/v2"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

func randomBelief(rng *rand.Rand, d int) gp.Belief {
	return gp.Belief{Mean: gptest.Vec(rng, d, 3), Cov: gptest.Cov(rng, d, 0.8)}
}

// randomHyper returns hyper-parameters of a random kind.
func randomHyper(rng *rand.Rand, d int) gp.Hyper {
	h := gp.Hyper{SignalVariance: 0.5 + 2*rng.Float64(), NoiseVariance: 0.01 + 0.2*rng.Float64(), Mean: rng.NormFloat64()}
	for range d {
		h.LengthScales = append(h.LengthScales, 0.6+1.5*rng.Float64())
	}
	h.Kind = gp.Kind(rng.IntN(len(gp.Kinds())))
	return h
}

func randomObservations(rng *rand.Rand, n, d int) []gp.Observation {
	obs := make([]gp.Observation, n)
	for i := range obs {
		obs[i] = gp.Observation{Belief: randomBelief(rng, d), Value: 2 * rng.NormFloat64(), NoiseVariance: 0.1 * rng.Float64()}
	}
	return obs
}

// fieldHyper is for the synthetic field of the benchmarks, in metres.
var fieldHyper = gp.Hyper{SignalVariance: 0.015, LengthScales: []float64{120, 120}, NoiseVariance: 0.005, Mean: 1.4}

func mustGP(tb testing.TB, h gp.Hyper, obs []gp.Observation) *gp.GP {
	tb.Helper()
	g, err := gp.New(h)
	must.OK(tb, err)
	must.OK(tb, g.AddAll(obs))
	return g
}

// fieldObservations returns n observations, scattered over the field of the benchmarks.
func fieldObservations(n int, rng *rand.Rand) []gp.Observation {
	return observed(gptest.Samples(n, rng))
}

func observed(list []gptest.Sample) (obs []gp.Observation) {
	for _, s := range list {
		obs = append(obs, gp.Observation{Belief: gp.Belief{Mean: s.Mean, Cov: s.Cov}, Value: s.Value})
	}
	return obs
}

// pathObservations returns n observations, along a path over the field of the benchmarks.
func pathObservations(n int, rng *rand.Rand) []gp.Observation {
	return observed(gptest.PathSamples(n, rng))
}
