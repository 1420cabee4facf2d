// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/surface"
)

// publishTruth publishes a field as fieldsim does: a cloud of its two faces.
func (w *world) publishTruth(value, smooth func(x, y float64) float64, cell float64) {
	w.t.Helper()
	n := int(200/cell) + 1
	g := surface.Grid{X0: -50, Y0: -50, DX: cell, DY: cell, NX: n, NY: n}
	columns := []convert.Column{{Name: "value"}, {Name: "smooth"}}
	for k := range g.Len() {
		x, y := g.Node(k%n, k/n)
		columns[0].Values = append(columns[0].Values, value(x, y))
		columns[1].Values = append(columns[1].Values, smooth(x, y))
	}
	m := sensor_msgs.PointCloud2{}
	m.Header.FrameID = "map"
	convert.Cloud(&m, g, columns...)
	w.must(w.trueField.Publish(&m))
}

func plane(x, y float64) float64 { return 3 + 0.05*x + 0.02*y }

// On a plane, which bilinear interpolation and the mean over a symmetric spread
// leave as it is, every regret is known: the maximum is at the corner (98, 98) of
// the field less its margin.
func TestRegretOnAPlane(t *testing.T) {
	cfg := small()
	cfg.Truth = true
	cfg.Mission.Budget.Samples = 7 // enough that the misses are measured
	cfg.Matcher.Probe = localization.Lever{X: 0.5, Y: 0.2}
	w := newWorld(t, cfg)
	w.field = plane
	smooth := func(x, y float64) float64 { return 10 - 0.03*x }
	w.publishTruth(plane, smooth, 5)
	w.estimate = func(p *localization.Pose) { p.X += 0.4; p.Y -= 0.3 } // so the robot ends beside its targets
	m := w.mission()
	if m.Truth == nil || len(m.Observations) != 7 {
		t.Fatalf("truth %v, %d observations: %s", m.Truth, len(m.Observations), m.Outcome)
	}
	at := m.Recommendation.Target
	for _, c := range []struct {
		name string
		s    *record.Surface
		max  float64
		f    func(x, y float64) float64
	}{
		{"raw", &m.Truth.Raw, plane(98, 98), plane},
		{"smooth", m.Truth.Smooth, smooth(2, 2), smooth},
		{"expected", m.Truth.Expected, plane(98, 98), plane},
	} {
		near(t, c.name+": max", c.s.Best, c.max, 1e-3)
		near(t, c.name+": at the recommendation", c.s.AtRecommendation, c.f(at[0], at[1]), 1e-6)
		near(t, c.name+": regret", c.s.Regret, c.s.Best-c.f(at[0], at[1]), 1e-6)
	}
	near(t, "place of the maximum: x", m.Truth.Raw.BestAt[0], 98, 0.02)
	near(t, "place of the maximum: y", m.Truth.Raw.BestAt[1], 98, 0.02)

	best, sum := math.Inf(-1), 0.0
	if len(m.Truth.RegretOverSamples) != 7 {
		t.Fatalf("regret after %d samples, want 7", len(m.Truth.RegretOverSamples))
	}
	for i, r := range m.Truth.RegretOverSamples {
		o := m.Observations[i]
		if o.TruePlace == nil {
			t.Fatalf("observation %d has no true place", i+1)
		}
		// The estimate is off by (0.4, −0.3) m, exactly; the yaw's variance draws
		// the belief towards the base by a share of exp(−0.0025/2) of the lever.
		near(t, "true place: x", o.TruePlace[0], o.Belief.X-0.4, 1e-3)
		near(t, "true place: y", o.TruePlace[1], o.Belief.Y+0.3, 1e-3)
		best = max(best, plane(o.TruePlace[0], o.TruePlace[1]))
		at := m.Recommended[i].Target
		if r.Samples != i+1 {
			t.Errorf("regret %d is after %d samples", i, r.Samples)
		}
		near(t, "simple regret", r.Simple, plane(98, 98)-best, 2e-3)
		near(t, "regret of the recommended", r.Recommended, plane(98, 98)-plane(at[0], at[1]), 2e-3)
		near(t, "smooth regret", r.Smooth, smooth(2, 2)-smooth(at[0], at[1]), 2e-3)
		near(t, "expected regret", r.Expected, plane(98, 98)-plane(at[0], at[1]), 2e-3)
		lost := plane(98, 98) - plane(o.Target[0], o.Target[1])
		sum += lost
		near(t, "instantaneous regret", r.Instantaneous, lost, 2e-3)
		near(t, "mean regret", r.Mean, sum/float64(i+1), 2e-3)
	}
}

// The truth reaches no decision: the same goals and beliefs with and without it,
// and with a wrong one.
func TestTruthReachesNoDecision(t *testing.T) {
	run := func(edit func(*settings.Config), truth func(x, y float64) float64) *record.Mission {
		cfg := small()
		edit(&cfg)
		w := newWorld(t, cfg)
		if truth != nil {
			w.publishTruth(truth, truth, 5)
		}
		m := w.mission()
		if (m.Truth != nil) != (cfg.Truth && truth != nil) {
			t.Errorf("truth in the record: %v", m.Truth)
		}
		for i := range m.Observations {
			if (m.Observations[i].TruePlace != nil) != cfg.Truth {
				t.Errorf("true place of a sample: %v", m.Observations[i].TruePlace)
			}
			m.Observations[i].TruePlace = nil
		}
		if (m.Consistency != nil) != cfg.Truth {
			t.Errorf("consistency in the record: %v", m.Consistency)
		}
		m.WallTime, m.Truth, m.Consistency, m.Settings = 0, nil, nil, nil
		return m
	}
	without := run(func(*settings.Config) {}, hill)
	with := func(c *settings.Config) { c.Truth = true }
	for name, m := range map[string]*record.Mission{
		"the truth": run(with, hill), "a wrong one": run(with, plane), "none that came": run(with, nil),
	} {
		if diff := cmp.Diff(without, m); diff != "" {
			t.Errorf("with %s: %s", name, diff)
		}
	}
}
