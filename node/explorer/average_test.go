package explorer_test

import (
	"math"
	"slices"
	"testing"

	"ugp_explorer/node/record"
)

// The first targets are spread: each new one is far from those before, whatever the
// samples say. Averaging over hyper-parameters leaves them, and changes what follows.
func TestSpreadAndAverage(t *testing.T) {
	run := func(spread, average int) *record.Mission {
		cfg := small()
		cfg.Mission.Budget.Samples = 15
		cfg.SpreadSamples, cfg.Model.Average = spread, average
		w := newWorld(t, cfg)
		w.field = func(x, y float64) float64 { return 50 * math.Exp(-math.Hypot(x-50, y-50)/15) }
		m := w.mission()
		if len(m.Decisions) != 15 || len(m.Recommended) != 15 {
			t.Fatalf("%d decisions and %d recommendations: %s", len(m.Decisions), len(m.Recommended), m.Outcome)
		}
		return m
	}
	fit, averaged := run(5, 1), run(5, 6)
	for i, d := range fit.Decisions[:5] {
		for _, before := range fit.Decisions[:i] {
			if math.Hypot(d.Target[0]-before.Target[0], d.Target[1]-before.Target[1]) < 25 {
				t.Errorf("target %d, %v, is near to %v", i+1, d.Target, before.Target)
			}
		}
		if d.Target != averaged.Decisions[i].Target {
			t.Errorf("target %d is %v, and %v with an average", i+1, d.Target, averaged.Decisions[i].Target)
		}
	}
	same := func(a, b *record.Mission) bool {
		return slices.EqualFunc(a.Decisions[5:], b.Decisions[5:], func(a, b record.Decision) bool { return a.Target == b.Target })
	}
	if same(fit, averaged) {
		t.Error("the average changes no decision")
	}
	if !same(averaged, run(5, 6)) {
		t.Error("the same mission again has other targets")
	}
}

// A small budget is not spent on the spread.
func TestSpreadOfASmallBudget(t *testing.T) {
	run := func(spread int) *record.Mission {
		cfg := small()
		cfg.Mission.Budget.Samples, cfg.SpreadSamples = 4, spread
		w := newWorld(t, cfg)
		w.field = func(x, y float64) float64 { return x }
		return w.mission()
	}
	none, one, many := run(0), run(1), run(8)
	for i := range 4 {
		if one.Decisions[i].Target != many.Decisions[i].Target || none.Decisions[i].Target != one.Decisions[i].Target {
			t.Errorf("target %d: %v without a spread, %v with one of 1, %v with one of 8", i+1, none.Decisions[i].Target, one.Decisions[i].Target, many.Decisions[i].Target)
		}
	}
}
