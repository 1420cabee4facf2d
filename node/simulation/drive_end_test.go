// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/field"
)

// A robot that stands at the end of its path samples there, although its probe is not within goal.tolerance: the follower is content with
// 0.5 m, and in a small field the path ends where the guard allows it.
func TestDriveEndsShortOfTheTarget(t *testing.T) {
	for name, c := range map[string]struct {
		side, radius, tolerance, allowance, speed float64
	}{
		"a tolerance below the follower's": {60, 0.8, 0.1, 25, 1.6},
		"targets beside the guard's fence": {12, 0.2, 0.6, 0.3, 0.4},
	} {
		cfg := DefaultConfig(2)
		square := orb.Polygon{{{0, 0}, {c.side, 0}, {c.side, c.side}, {0, c.side}, {0, 0}}}
		cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Receiver = outlineFile(t, field.Field{Boundary: square}), "rtk"
		cfg.Explorer.Radius, cfg.Follower.Radius, cfg.Follower.Pursuit.MaxSpeed = c.radius, c.radius, c.speed
		cfg.Explorer.Mission.ArrivalTolerance, cfg.Guard.Allowance = c.tolerance, c.allowance
		cfg.Explorer.Mission.Budget.Samples = 8
		s := begin(t, &cfg, Options{})
		must.OK(t, s.Run(t.Context()))
		if n, d := len(s.Explorer().Record().Observations), s.FromHome(); n != 8 || d > 5 {
			t.Errorf("%s: %d samples, %.1f m from home", name, n, d)
		}
	}
}
