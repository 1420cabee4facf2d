// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"strings"
	"testing"

	"ugp_explorer/planner/mission"
)

// The field of the tests is 100 m long, and with its margin 96 m. Of 6 m 2 m are kept in reserve, and of the rest a quarter
// more than the path; of 40 s 30 s are kept, and 5 s are for a sample.
func TestTightBudget(t *testing.T) {
	for _, c := range []struct {
		budget    mission.Budget
		why       string
		pointless bool
	}{
		{mission.Budget{Samples: 3}, "", false},
		{mission.Budget{Distance: 122}, "", false}, // 96 m
		{mission.Budget{Distance: 121}, "a path of 95.2 m from the start and back home, and the field is 96 m long", false},
		{mission.Budget{Distance: 6}, "a path of 3.2 m", true},
		{mission.Budget{Distance: 500, Duration: 40, Samples: 3}, "a path of 4 m", true},
	} {
		cfg := small()
		cfg.Mission.Budget, cfg.Mission.Speed = c.budget, 1
		w := newWorld(t, cfg)
		why, pointless := w.explorer.TightBudget()
		if (why == "") != (c.why == "") || !strings.Contains(why, c.why) || pointless != c.pointless {
			t.Errorf("%+v: %q, %v, want %q, %v", c.budget, why, pointless, c.why, c.pointless)
		}
		if why != "" && !strings.Contains(w.log.String(), why) {
			t.Errorf("%+v: the log does not say it:\n%s", c.budget, w.log.String())
		}
	}
	cfg := small()
	cfg.Passive, cfg.Mission.Budget.Distance = true, 6
	if why, _ := newWorld(t, cfg).explorer.TightBudget(); why != "" {
		t.Errorf("a passive mission, which has no budget: %s", why)
	}
}
