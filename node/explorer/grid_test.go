// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"slices"
	"testing"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/mission"
)

// A point of the grid that was given up is visited once more after all others, but not if a person skipped it. It is the same
// after a crash.
func TestGridPointsThatWereGivenUp(t *testing.T) {
	grid := func(c *settings.Config) { c.Method = "grid" }
	for name, c := range map[string]struct {
		silent int  // visits without a reading
		skip   bool // by a person
		order  []int
	}{
		"no reading once": {1, false, []int{0, 1, 2, 3, 1}},
		"no reading":      {9, false, []int{0, 1, 2, 3, 1}},
		"skipped":         {0, true, []int{0, 1, 2, 3}},
	} {
		for i, crash := range []bool{false, true} {
			w := begun(t, grid)
			w.setsOutAfter(1)
			second := w.explorer.Record().Decisions[1].Target
			if c.skip {
				w.do("skip")
			}
			visits := func() (n int) {
				for _, d := range w.explorer.Record().Decisions {
					if d.Target == second {
						n++
					}
				}
				return n
			}
			met := func() bool {
				d := w.explorer.Record().Decisions
				w.noReading = d[len(d)-1].Target == second && visits() <= c.silent
				return w.explorer.State() == mission.StateDone || crash && w.explorer.State() == mission.StateTravelling && len(d) == 4
			}
			w.until("the end", met)
			if crash {
				w.run(2 * time.Second) // the journal is synced
				w, crash = w.crashed(5*time.Second, grid), false
				w.run(time.Second)
				w.do("resume")
				w.until("the end", met)
			}
			w.finish()
			var order []int
			var seen []record.Place
			for _, d := range w.explorer.Record().Decisions {
				k := slices.Index(seen, d.Target)
				if k < 0 {
					k, seen = len(seen), append(seen, d.Target)
				}
				order = append(order, k)
			}
			if !slices.Equal(order, c.order) {
				t.Errorf("%s, crash %t: the order is %v, want %v: %s", name, i > 0, order, c.order, w.explorer.Status())
			}
		}
	}
}
