// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/experiment/paper"
)

// What every method does for the lowest value is what it does for the highest on
// the field upside down; what it tells of the place is of the field as it is.
func TestMinimumIsTheMaximumUpsideDown(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 20, 1)
	points := r.Points(6, plantest.Rand(5))
	var targets [][]float64
	for i := range 6 {
		targets = append(targets, points.RawRowView(i))
	}
	for _, info := range paper.Catalogue() {
		cfg := planner.DefaultStrategyConfig()
		up := mustStrategy(t, info.Name, r, cfg)
		cfg.Objective = planner.ObjectiveMinimum
		down := mustStrategy(t, info.Name, r, cfg)
		a, err := up.Next(request(model.Negated(), 4))
		b, err2 := down.Next(request(model, 4))
		if err != nil || err2 != nil || !slices.Equal(a.X, b.X) || a.StdDev != b.StdDev || a.Mean != -b.Mean {
			t.Errorf("%s: %+v, and of the field upside down %+v: %v, %v", info.Name, b, a, err2, err)
		}
		best, err := down.Recommend(planner.RecommendRequest{Model: model, Execution: plantest.Execution, Targets: targets, Rng: plantest.Rand(3)})
		must.OK(t, err)
		cov := plantest.Execution
		if info.Form.Points() && !strings.HasPrefix(info.Name, "uei") {
			cov = nil
		}
		for _, x := range targets {
			if mean, _ := model.Posterior(gp.Belief{Mean: x, Cov: cov}); mean < best.Mean-1e-3 { // 1e-3: the unscented mean's error
				t.Errorf("%s recommends %+v, but %v has %g", info.Name, best, x, mean)
			}
		}
	}
}

// mission takes samples of the field of bumps by a strategy and returns the model.
func mission(t *testing.T, r *field.Region, name string, cfg planner.StrategyConfig, samples int) *gp.GP {
	t.Helper()
	model := plantest.Model(t, r, 3, 1)
	s := mustStrategy(t, name, r, cfg)
	q := request(model, 7)
	for q.Step = range samples {
		target, err := s.Next(q)
		must.OK(t, err)
		must.OK(t, model.Add(gp.Observation{Belief: gp.Point(target.X...), Value: plantest.Bumps(target.X), NoiseVariance: 0.01}))
		q.Robot = target.X
	}
	return model
}

// Each objective is better served by its own acquisition than by that of the
// highest value and by random targets: the map by a smaller standard deviation everywhere,
// the line by fewer places on its wrong side.
func TestObjectivesAreServed(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	places := r.Points(400, plantest.Rand(9))
	const level = 1.0
	stdDev := func(model *gp.GP) float64 {
		p, variance := plantest.Predictor(t, model, nil), make([]float64, 400)
		p.PredictBatch(make([]float64, 400), variance, places)
		for i, v := range variance {
			variance[i] = math.Sqrt(v)
		}
		return stat.Mean(variance, nil)
	}
	wrong := func(model *gp.GP) float64 {
		p, mean, n := plantest.Predictor(t, model, nil), make([]float64, 400), 0.0
		p.PredictBatch(mean, nil, places)
		for i, m := range mean {
			if m > level != (plantest.Bumps(places.RawRowView(i)) > level) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		objective planner.Objective
		score     func(*gp.GP) float64
	}{{planner.ObjectiveMap, stdDev}, {planner.ObjectiveThreshold, wrong}} {
		cfg := planner.DefaultStrategyConfig()
		cfg.Objective, cfg.Level = c.objective, level
		for _, name := range []string{"ugp-ucb", "ei"} {
			own := c.score(mission(t, r, name, cfg, 25))
			highest := c.score(mission(t, r, "ugp-ucb", planner.DefaultStrategyConfig(), 25))
			random := c.score(mission(t, r, "random", planner.DefaultStrategyConfig(), 25))
			t.Logf("%s, %s: %.4g; after the highest value %.4g, at random %.4g", c.objective, name, own, highest, random)
			if !(own < highest && own < random) {
				t.Errorf("%s, %s: %g, after the highest value %g, at random %g", c.objective, name, own, highest, random)
			}
		}
	}
}
