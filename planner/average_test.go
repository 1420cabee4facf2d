// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"slices"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/experiment/paper"
)

// With several models a strategy maximises the weighted mean of what it makes of
// each, and recommends by the weighted mean of their means; a single one is as if it
// were alone.
func TestMembers(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 12, 1)
	other := model.Hyper()
	other.LengthScales = []float64{30, 30}
	second, err := gp.New(other)
	must.OK(t, err)
	must.OK(t, second.AddAll(model.Observations()))
	members := fit.Mixture{{Model: model, Weight: 0.25}, {Model: second, Weight: 0.75}}
	ucb := func(x []float64) float64 {
		v := 0.0
		for _, m := range members {
			mean, variance := m.Model.Posterior(gp.Belief{Mean: x, Cov: plantest.Execution})
			v += m.Weight * (mean + 2*math.Sqrt(variance))
		}
		return v
	}
	cfg := planner.DefaultStrategyConfig()
	cfg.Recommend = planner.RecommendAnywhere
	s := mustStrategy(t, "ugp-ucb", r, cfg)
	q := request(model, 1)
	q.Members = members
	target, err := s.Next(q)
	if err != nil || math.Abs(target.Acquisition-ucb(target.X)) > 1e-9 {
		t.Fatalf("%+v, want an acquisition of %g: %v", target, ucb(target.X), err)
	}
	mean, variance := members.Posterior(gp.Belief{Mean: target.X, Cov: plantest.Execution})
	if target.Mean != mean || target.StdDev != math.Sqrt(variance) {
		t.Errorf("%+v, but the models have %g ± %g", target, mean, math.Sqrt(variance))
	}
	lattice := r.Points(2000, plantest.Rand(6))
	best, err := s.Recommend(planner.RecommendRequest{Model: model, Members: members, Execution: plantest.Execution, Targets: [][]float64{target.X}, Rng: plantest.Rand(2)})
	must.OK(t, err)
	for i := range 2000 {
		x := lattice.RawRowView(i)
		if v := ucb(x); v > target.Acquisition+1e-3 {
			t.Fatalf("%g at %v, but %g at %v", target.Acquisition, target.X, v, x)
		}
		if m, _ := members.Posterior(gp.Belief{Mean: x, Cov: plantest.Execution}); m > best.Mean+1e-3 {
			t.Fatalf("%g is recommended at %v, but %g is at %v", best.Mean, best.X, m, x)
		}
	}
	for _, info := range paper.Catalogue() {
		a, err := mustStrategy(t, info.Name, r, cfg).Next(request(model, 3))
		must.OK(t, err)
		q := request(model, 3)
		q.Members = fit.Mixture{{Model: model, Weight: 1}}
		b, err := mustStrategy(t, info.Name, r, cfg).Next(q)
		if err != nil || !slices.Equal(a.X, b.X) {
			t.Errorf("%s goes to %v, and to %v with the model as the only member: %v", info.Name, a.X, b.X, err)
		}
	}
}

// The first samples are spread: after eight of them no place of the field is as far
// from all as it would be if they were drawn, and the rest are the method's own.
func TestSpread(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	cfg := planner.DefaultStrategyConfig()
	cfg.SpreadSamples = 8
	s, plain := mustStrategy(t, "ugp-ucb", r, cfg), mustStrategy(t, "ugp-ucb", r, planner.DefaultStrategyConfig())
	places := r.Points(2000, plantest.Rand(9))
	seen := func(samples [][]float64) float64 { // mean squared distance to the nearest
		sum := 0.0
		for i := range 2000 {
			least := math.Inf(1)
			for _, x := range samples {
				d := field.Distance(x, places.RawRowView(i))
				least = min(least, d*d)
			}
			sum += least
		}
		return sum / 2000
	}
	model, err := gp.New(gp.Hyper{SignalVariance: 1.5, LengthScales: []float64{14, 11}, NoiseVariance: 0.01})
	must.OK(t, err)
	var spread [][]float64
	for i := range 9 {
		q := request(model, uint64(i))
		target, err := s.Next(q)
		if err != nil || !r.Contains(target.X) {
			t.Fatalf("%+v, %v", target, err)
		}
		if mean, variance := model.Posterior(gp.Belief{Mean: target.X, Cov: plantest.Execution}); math.Abs(target.Mean-mean) > 1e-12 || math.Abs(target.StdDev-math.Sqrt(variance)) > 1e-12 {
			t.Errorf("%+v, but the model has %g ± %g", target, mean, math.Sqrt(variance))
		}
		if i == 8 {
			if own, err := plain.Next(q); err != nil || math.Abs(own.Acquisition-target.Acquisition) > 1e-3 {
				t.Errorf("after the spread %+v, want the method's own %+v: %v", target, own, err)
			}
			break
		}
		spread = append(spread, target.X)
		must.OK(t, model.Add(gp.Observation{Belief: gp.Point(target.X...), Value: plantest.Bumps(target.X)}))
	}
	drawn := math.Inf(1)
	for seed := range uint64(20) {
		x, some := r.Points(8, plantest.Rand(100+seed)), [][]float64{}
		for i := range 8 {
			some = append(some, x.RawRowView(i))
		}
		drawn = min(drawn, seen(some))
	}
	if got := seen(spread); got > drawn {
		t.Errorf("the mean squared distance to the nearest sample is %g, and %g with the best of 20 quasi-random draws", got, drawn)
	}
}
