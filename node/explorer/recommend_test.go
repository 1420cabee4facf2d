package explorer_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
)

// With recommend: anywhere the goals are those of a mission that recommends past
// targets, and each place named is at least as good by its own model.
func TestRecommendAnywhere(t *testing.T) {
	var missions []*record.Mission
	for _, rule := range planner.Recommends() {
		cfg := small()
		cfg.Mission.Budget.Samples = 8
		cfg.Recommend = rule
		w := newWorld(t, cfg)
		w.field = func(x, y float64) float64 { return 50 * math.Exp(-math.Hypot(x-50, y-50)/15) }
		missions = append(missions, w.mission())
	}
	targets, anywhere := missions[0], missions[1]
	if len(targets.Recommended) != 8 || len(anywhere.Recommended) != 8 {
		t.Fatalf("%d and %d recommendations, want 8", len(targets.Recommended), len(anywhere.Recommended))
	}
	other := 0
	for i, a := range anywhere.Recommended {
		if anywhere.Decisions[i] != targets.Decisions[i] {
			t.Errorf("decision %d is %+v, and %+v when past targets are recommended", i, anywhere.Decisions[i], targets.Decisions[i])
		}
		mean, variance := posteriorFrom(t, anywhere, i+1).Posterior(gp.Belief{Mean: a.Target[:], Cov: mat.NewSymDense(2, []float64{1, 0, 0, 1})})
		near(t, "mean", a.Mean, mean, 1e-8)
		near(t, "deviation", a.StdDev, math.Sqrt(variance), 1e-8)
		if a.Mean < targets.Recommended[i].Mean-1e-9 {
			t.Errorf("after %d samples %g is expected at %v, less than at the best target, %g", i+1, a.Mean, a.Target, targets.Recommended[i].Mean)
		}
		if a.Target != targets.Recommended[i].Target {
			other++
		}
	}
	if other == 0 {
		t.Error("every place is a past target")
	}
	if r := anywhere.Recommendation; r == nil || r.Target != anywhere.Recommended[7].Target {
		t.Errorf("the mission recommends %+v, the last was %v", r, anywhere.Recommended[7].Target)
	}
}
