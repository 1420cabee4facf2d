// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"

	"ugp_explorer/msgs/nav_msgs"
)

// A grid ends with its last point: the mission is over though samples are left.
func TestNoPlaceLeft(t *testing.T) {
	cfg := small()
	cfg.Method = "grid"
	cfg.SkipRadius = 200 // the whole field
	cfg.SkipTime = 1e6   // longer than the mission
	w := newWorld(t, cfg)
	w.noReading = true
	m := w.mission()
	if len(m.Skipped) != 1 || len(m.Decisions) != 1 || m.Recommendation != nil || !strings.Contains(m.Outcome, "no place is left to sample") {
		t.Errorf("%d decisions, skipped %+v, outcome %q", len(m.Decisions), m.Skipped, m.Outcome)
	}
	if d := math.Hypot(w.x-20, w.y-10); d > cfg.Mission.HomeTolerance {
		t.Errorf("the robot ends %g m from home", d)
	}
}

// A robot that drives sideways or aslant spends as many metres as one that drives ahead.
func TestMetresInAllDirections(t *testing.T) {
	for name, angle := range map[string]float64{"ahead": 0, "aslant": math.Pi / 4, "sideways": math.Pi / 2, "backwards": math.Pi} {
		w := newWorld(t, small())
		w.pose = func(m *nav_msgs.Odometry) {
			v := m.Twist.Twist.Linear.X
			m.Twist.Twist.Linear.Y, m.Twist.Twist.Linear.X = math.Sincos(angle)
			m.Twist.Twist.Linear.X *= v
			m.Twist.Twist.Linear.Y *= v
		}
		w.mission()
		if got := w.explorer.Record().Distance; math.Abs(got/w.driven-1) > 0.02 {
			t.Errorf("%s: %.1f m count, and the robot drove %.1f m", name, got, w.driven)
		}
	}
}
