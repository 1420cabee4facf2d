package explorer_test

import (
	"math"
	"slices"
	"testing"

	"ugp_explorer/node/record"
)

// Averaging over hyper-parameters changes what is decided once there is something to average, in the
// same way each time.
func TestAverage(t *testing.T) {
	run := func(average int) *record.Mission {
		cfg := small()
		cfg.Mission.Budget.Samples = 10
		cfg.Model.Average = average
		w := newWorld(t, cfg)
		w.field = func(x, y float64) float64 { return 50 * math.Exp(-math.Hypot(x-50, y-50)/15) }
		m := w.mission()
		if len(m.Decisions) != 10 || len(m.Recommended) != 10 {
			t.Fatalf("%d decisions and %d recommendations: %s", len(m.Decisions), len(m.Recommended), m.Outcome)
		}
		return m
	}
	same := func(a, b *record.Mission) bool {
		return slices.EqualFunc(a.Decisions, b.Decisions, func(a, b record.Decision) bool { return a.Target == b.Target })
	}
	averaged := run(6)
	if same(run(1), averaged) {
		t.Error("the average changes no decision")
	}
	if !same(averaged, run(6)) {
		t.Error("the same mission again has other targets")
	}
}
