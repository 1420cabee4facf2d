package planner_test

import (
	"math"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/rig/fieldtest"
	"ugp_explorer/sim/rig/must"
	"ugp_explorer/sim/rig/plantest"
)

// With a Σ̂ that is the same everywhere a placing changes neither a strategy's target nor
// its recommendations.
func TestPlacingOfOneNoise(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 25, 1)
	everywhere := func(x []float64) gp.Belief { return gp.Belief{Mean: x, Cov: plantest.Execution} }
	for _, rule := range planner.Recommends() {
		cfg := planner.DefaultStrategyConfig()
		cfg.Recommend = rule
		var targets []planner.Target
		var best []planner.Recommendation
		for _, place := range []acquire.Placing{nil, everywhere} {
			s, err := newStrategy("ugp-ucb", r, cfg, plantest.Rand(1))
			must.OK(t, err)
			target, err := s.Next(planner.Request{Model: model, Execution: plantest.Execution, Place: place, Robot: r.Centre(), Reach: acquire.Anywhere(), Rng: plantest.Rand(2)})
			must.OK(t, err)
			recommended, err := s.Recommend(planner.Inquiry{Model: model, Execution: plantest.Execution, Place: place, Targets: [][]float64{{10, 10}, {30, 20}, target.X}, Rng: plantest.Rand(3)})
			must.OK(t, err)
			targets, best = append(targets, target), append(best, recommended)
		}
		if field.Distance(targets[0].X, targets[1].X) > 0.05 || math.Abs(targets[0].Mean-targets[1].Mean) > 1e-4 || math.Abs(targets[0].StdDev-targets[1].StdDev) > 1e-4 {
			t.Errorf("target %+v, want %+v", targets[1], targets[0])
		}
		if field.Distance(best[0].X, best[1].X) > 0.05 || math.Abs(best[0].Mean-best[1].Mean) > 1e-4 {
			t.Errorf("%s: recommended %+v, want %+v", rule, best[1], best[0])
		}
	}
}
