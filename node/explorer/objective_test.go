// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/planner"
)

// The lowest place of a plane is in its corner: the mission names it with the
// plane's own values, and its regret is counted from there.
func TestMinimum(t *testing.T) {
	plane := func(x, y float64) float64 { return 20 + (x+y)/10 }
	cfg := small()
	cfg.Truth = true
	cfg.Mission.Budget.Samples = 8
	cfg.Objective = planner.ObjectiveMinimum
	w := newWorld(t, cfg)
	w.field = plane
	w.publishTruth(plane, plane, 1)
	m := w.mission()
	if m.Recommendation == nil || m.Truth == nil || m.Objective != record.ObjectiveMinimum || m.Threshold != nil {
		t.Fatalf("%s: recommendation %v, truth %v, objective %q", m.Outcome, m.Recommendation, m.Truth, m.Objective)
	}
	at := m.Recommendation.Target
	if plane(at[0], at[1]) > plane(25, 25) {
		t.Errorf("the lowest place is said to be %v", at)
	}
	near(t, "value there", m.Recommendation.Value, plane(at[0], at[1]), 1)
	near(t, "lowest value", m.Truth.Raw.Best, plane(2, 2), 1e-3)
	near(t, "place of the lowest: x", m.Truth.Raw.BestAt[0], 2, 0.02)
	near(t, "regret", m.Truth.Raw.Regret, plane(at[0], at[1])-plane(2, 2), 1e-6)
	least := math.Inf(1)
	for i, r := range m.Truth.RegretOverSamples {
		if o := m.Observations[i]; o.TruePlace != nil {
			least = min(least, plane(o.TruePlace[0], o.TruePlace[1]))
		}
		near(t, "simple regret", r.Simple, least-plane(2, 2), 2e-3)
	}
	for _, d := range m.Decisions[1:] {
		if d.Mean < 15 || d.Mean > 45 {
			t.Errorf("a decision expects %g: the plane has 20 to 40", d.Mean)
		}
	}
}

// A threshold is in mg/l, as on the page, whether the sensor, the explorer or neither takes the logarithm: the
// missions look for the same line. A level without a logarithm is refused.
func TestThresholdAsOnThePage(t *testing.T) {
	for units, transform := range map[string]record.Transform{"mg/l": record.TransformLog10, "log10(mg/l)": record.TransformNone} {
		cfg := small()
		cfg.Objective, cfg.Threshold, cfg.Mission.Budget.Samples = planner.ObjectiveThreshold, 100, 4
		cfg.Units, cfg.Reading.Transform = units, string(transform)
		w := newWorld(t, cfg)
		reading := func(log float64) float64 {
			if transform == record.TransformLog10 {
				return math.Pow(10, log)
			}
			return log
		}
		w.field = func(x, _ float64) float64 { return reading(1.5 + x/100) }
		m := w.mission()
		if m.Threshold == nil || *m.Threshold != reading(2) { // as readings are
			t.Errorf("%s: the record has the threshold %v, want %g", units, m.Threshold, reading(2))
		}
		if text := m.Answer(nil).Text; !strings.Contains(text, "above 100 mg/l") {
			t.Errorf("%s: %s", units, text)
		}
		for _, bad := range []float64{0, -2} {
			cfg := small()
			cfg.Objective, cfg.Threshold, cfg.Units, cfg.Reading.Transform = planner.ObjectiveThreshold, bad, units, string(transform)
			err := cfg.Validate()
			for _, word := range []string{fmt.Sprintf("threshold is %g,", bad), "above 0 in the unit of the page, mg/l", "log10(mg/l)"} {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("%s: %v, want %q in it", units, err, word)
				}
			}
		}
	}
}
