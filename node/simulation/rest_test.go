// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/planner/mission"
)

// What is left of a mission is told such that a bar of progress never runs back by more than a tenth, with any kind of budget.
// Over 35 missions of these kinds the share of the time that was told would have run back by 0.23, 0.16 and 0.13 with four samples, whose last
// target may be far away, and by less than a tenth otherwise, and halfway path and time were told as 0.58 to 1.76 times what the mission took.
func TestWhatIsLeft(t *testing.T) {
	const back, backUnheld, factor = 0.1, 0.25, 2
	for name, c := range map[string]struct {
		width, height float64
		yaml, more    string
	}{
		"few samples": {300, 200, "budget.samples: 4", ""},
		"samples":     {300, 200, "budget.samples: 12", ""},
		"metres":      {300, 300, "budget: {samples: 0, distance: 1500.0}", ""},
		"seconds":     {300, 300, "budget: {samples: 0, time: 1500.0}", ""},
		"both":        {200, 400, "budget: {samples: 16, time: 1500.0, distance: 1600.0}", ""},
		"grid":        {300, 300, "budget.samples: 12, method: grid", ""},
		"driving":     {300, 300, "sample: {stop: false}, budget: {samples: 0, distance: 900.0}", ", fieldsim: {ros__parameters: {probe: {only_standing: false}}}"},
	} {
		for seed := range int64(2) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				t.Parallel()
				cfg := DefaultConfig(seed + 1)
				cfg.Fieldsim.Field.Boundary = outlineFile(t, rectangle(c.width, c.height))
				cfg.Explorer.Truth = false
				s := begin(t, &cfg, Options{Parameters: parameters(t, "{ugp_explorer: {ros__parameters: {"+c.yaml+"}}"+c.more+"}")})
				type told struct {
					*ugp_explorer_msgs.MissionStatus
					mission.Rest
				}
				var list []told
				listen(t, s, "clerk", explorer.DefaultName+"/status", func(m *ugp_explorer_msgs.MissionStatus) {
					if math.IsNaN(m.ShareDone) {
						t.Errorf("what is left is not known: %s", m.Text)
					}
					status := *m
					list = append(list, told{&status, mission.Rest{Distance: m.ExpectedDistance, Duration: m.ExpectedTime, Done: m.ShareDone}})
				})
				must.OK(t, s.Run(t.Context()))
				must.OK(t, s.executor.Run(t.Context(), func() bool { return list[len(list)-1].State == string(mission.StateDone) }))
				last := list[len(list)-1]
				if last.Rest != (mission.Rest{Done: 1}) {
					t.Errorf("at the end %+v is left", last.Rest)
				}
				top, unheld, halfway, stood := 0.0, 0.0, false, 0.0
				for i, m := range list {
					if i > 0 && list[i-1].State == string(mission.StateFault) {
						stood += m.ElapsedTime - list[i-1].ElapsedTime
					}
					done := (m.ElapsedTime - stood) / (m.ElapsedTime - stood + m.Duration) // nobody pauses it
					if top-m.Done > back+1e-9 || unheld-done > backUnheld || m.Done < done-1e-9 || m.Done > 1 {
						t.Errorf("%s after %.0f s: the bar goes from %.2f to %.2f, that of the time from %.2f to %.2f", m.Text, m.ElapsedTime, top, m.Done, unheld, done)
					}
					top, unheld = max(top, m.Done), max(unheld, done)
					if halfway || m.ElapsedTime < last.ElapsedTime/2 {
						continue
					}
					halfway = true
					for _, k := range []struct {
						unit        string
						told, taken float64
					}{{"m", m.Rest.Distance, last.MissionStatus.Distance - m.MissionStatus.Distance}, {"s", m.Duration, last.ElapsedTime - m.ElapsedTime}} {
						if k.told > factor*k.taken || k.taken > factor*k.told {
							t.Errorf("halfway %.0f %s are left, and %.0f were", k.told, k.unit, k.taken)
						}
					}
				}
			})
		}
	}
}
