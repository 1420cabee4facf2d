// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/record"
)

// A target that is not reached is sampled from afar where the robot came nearer to it and has not sampled yet, and given up elsewhere.
func TestSamplesFromAfar(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 10
	cfg.Mission.GoalTimeoutBase, cfg.Mission.GoalTimeoutFactor = 2, 1
	w := newWorld(t, cfg)
	const ditch = 20
	_, err := w.node.NewTimer(robotStep, func() {
		w.stuck = w.x >= ditch && len(w.way) > 0 && w.way[len(w.way)-1][0] > w.x
	})
	w.must(err)
	w.start()
	var m *record.Mission
	send := func(x, y float64, samples int, skipped string) {
		t.Helper()
		w.say(fmt.Sprintf("goto %g %g", x, y))
		w.until("it is sampled or given up", func() bool {
			m = w.explorer.Record()
			return len(m.Observations) >= samples && (skipped == "" || slices.ContainsFunc(m.Skipped, func(s record.Skipped) bool {
				return s.Target == record.Place{x, y} && strings.Contains(s.Reason, skipped)
			}))
		})
		if len(m.Observations) != samples {
			t.Fatalf("on the way to (%g, %g): %d samples, want %d\n%s", x, y, len(m.Observations), samples, &w.log)
		}
	}
	send(10, 50, 1, "")
	send(60, 50, 2, "")
	if x := m.Observations[1].Belief.X; x < ditch || x > ditch+1 {
		t.Errorf("sample 2 is at x = %.2f m, and the ditch at %d m", x, ditch)
	}
	send(70, 50, 2, "no sample: the robot has come no nearer to the target")
	send(10, 50, 3, "")
	send(60, 50, 3, "no sample: the robot stands 40 m short of the target, where sample 2 was taken")
	w.say("strike 2") // a struck one says nothing about the place
	send(10, 50, 4, "")
	send(52, 50, 5, "")
}
