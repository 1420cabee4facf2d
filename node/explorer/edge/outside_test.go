// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"testing"

	"ugp_explorer/localization"
	"ugp_explorer/planner/mission"
)

// A heading that is corrected three times within 100 m is wrong for a reason; three times within more is not.
func TestCorrections(t *testing.T) {
	var c Corrections
	for _, at := range []float64{0, 60, 110, 161} {
		if why := c.Corrected(at); why != "" {
			t.Errorf("at %g m: %s", at, why)
		}
	}
	if c.Corrected(205) == "" {
		t.Error("three corrections within 95 m are let pass")
	}
	if c.Forget(); c.Corrected(206) != "" {
		t.Error("a person let it go on, and it is stopped at the next correction")
	}
}

// A robot is stopped when it stays farther outside than it was, and than its uncertainty explains, for a second.
func TestOutside(t *testing.T) {
	for name, c := range map[string]struct {
		state  mission.State
		out    float64 // after the first pose, which is 2 m outside
		stdDev float64
		stops  bool
	}{
		"leaves the field":   {mission.StateTravelling, 6, 0.5, true},
		"stays where it was": {mission.StateTravelling, 2.9, 0.1, false},
		"is uncertain":       {mission.StateTravelling, 6, 1.1, false},
		"is planning":        {mission.StatePlanning, 6, 0.5, false},
		"is paused":          {mission.StatePaused, 6, 0.5, false},
	} {
		var g Outside
		r := Robot{Pose: &localization.Pose{}, StdDev: c.stdDev, Mission: mission.Status{State: c.state}}
		out, stopped := 2.0, false
		for r.Now = 0; r.Now < 3e9; r.Now += 1e8 {
			stopped = stopped || g.Watch(&r, out) != nil
			out = c.out
		}
		if stopped != c.stops {
			t.Errorf("%s: stopped is %v", name, stopped)
		}
	}
}
