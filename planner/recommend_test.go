// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/experiment/paper"
)

// bestTarget recommends a past target by the posterior mean: under cov, or of points.
func bestTarget(model *gp.GP, cov *mat.SymDense, targets [][]float64) (planner.Recommendation, error) {
	name := "ugp-ucb"
	if cov == nil {
		name = "gp-ucb"
	}
	space, err := field.NewBox(slices.Repeat([]float64{-1e3}, model.Dim()), slices.Repeat([]float64{1e3}, model.Dim()))
	if err != nil {
		return planner.Recommendation{}, err
	}
	s, err := newStrategy(name, space, planner.DefaultStrategyConfig(), plantest.Rand(1))
	if err != nil {
		return planner.Recommendation{}, err
	}
	return s.Recommend(planner.RecommendRequest{Model: model, Execution: cov, Targets: targets})
}

// Anywhere: the top of the posterior mean, which is no worse than a fine lattice of
// the whole space nor than any target; and the targets that a strategy chooses do
// not depend on what it recommends.
func TestRecommendAnywhere(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 20, 1)
	points := r.Points(15, plantest.Rand(5))
	var targets [][]float64
	for i := range 15 {
		targets = append(targets, points.RawRowView(i))
	}
	for _, info := range paper.Catalogue() {
		cov := plantest.Execution
		if info.Form.Points() && !strings.HasPrefix(info.Name, "uei") {
			cov = nil
		}
		cfg := planner.DefaultStrategyConfig()
		near := mustStrategy(t, info.Name, r, cfg)
		cfg.Recommend = planner.RecommendAnywhere
		s := mustStrategy(t, info.Name, r, cfg)
		got, err := s.Recommend(planner.RecommendRequest{Model: model, Execution: plantest.Execution, Targets: targets, Rng: plantest.Rand(3)})
		if err != nil || !r.Contains(got.X) {
			t.Fatalf("%s: %+v, %v", info.Name, got, err)
		}
		mean, variance := model.Posterior(gp.Belief{Mean: got.X, Cov: cov})
		if math.Abs(got.Mean-mean) > 1e-9 || math.Abs(got.StdDev-math.Sqrt(variance)) > 1e-9 {
			t.Errorf("%s: %+v, but the model has %g ± %g", info.Name, got, mean, math.Sqrt(variance))
		}
		lattice := r.Points(4000, plantest.Rand(6))
		for i := range 4000 {
			if m, _ := model.Posterior(gp.Belief{Mean: lattice.RawRowView(i), Cov: cov}); m > got.Mean+1e-6 {
				t.Fatalf("%s: %g at %v, but %g at %v", info.Name, got.Mean, got.X, m, lattice.RawRowView(i))
			}
		}
		a, err := near.Next(request(model, 4))
		b, err2 := s.Next(request(model, 4))
		if err != nil || err2 != nil || !slices.Equal(a.X, b.X) {
			t.Errorf("%s goes to %v, and to %v if it recommends anywhere: %v, %v", info.Name, a.X, b.X, err, err2)
		}
	}
}

// A target whose outcome is not a number is an error, and not passed over.
func TestRecommendRefuses(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	indefinite := mat.NewSymDense(2, []float64{1, 2, 2, 1})
	s := mustStrategy(t, "ugp-ucb", r, planner.DefaultStrategyConfig())
	q := planner.RecommendRequest{Model: plantest.Model(t, r, 5, 1), Execution: plantest.Execution, Targets: [][]float64{{50, 50}, {60, 50}}}
	q.Place = func(x []float64) gp.Belief {
		if x[0] == 60 {
			return gp.Belief{Mean: x, Cov: indefinite}
		}
		return gp.Point(x...)
	}
	if got, err := s.Recommend(q); err == nil {
		t.Errorf("recommends %+v beside a target with an indefinite covariance", got)
	}
	q.Place, q.Execution = nil, indefinite
	if got, err := s.Recommend(q); err == nil {
		t.Errorf("recommends %+v under an indefinite covariance", got)
	}
}
