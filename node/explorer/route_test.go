// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/mission"
)

// A localisation that corrects itself on the way may put the robot where the straight line back to
// its path crosses a keep-out: it gets another path, on the way to its target and home.
func TestRobotFoundElsewhere(t *testing.T) {
	cfg := small()
	cfg.Outline = between() // a keep-out of 40 ≤ x ≤ 60, y ≤ 60
	cfg.Home = []float64{80, 10}
	w := newWorld(t, cfg)
	w.corners, w.speed = true, 1
	w.spread(0.05, 0.05)
	w.start()
	found := func(state mission.State, at orb.Point) {
		t.Helper()
		w.until("the drive", func() bool { return w.explorer.State() == state && w.driving() })
		w.run(time.Second)
		w.x, w.y = at[0], at[1]
		least := w.closest()
		w.run(30 * time.Second)
		if plan := w.plans[len(w.plans)-1]; !w.driving() || math.Hypot(plan[0][0]-at[0], plan[0][1]-at[1]) > 1 {
			t.Errorf("found at %v while %s, the robot is sent along %v", at, state, plan)
		}
		if *least < 0.7*w.cfg.Field.Margin {
			t.Errorf("found at %v while %s, the robot came to %.2f m from an edge", at, state, *least)
		}
	}
	found(mission.StateTravelling, orb.Point{80, 30})
	w.call("home")
	found(mission.StateReturning, orb.Point{25, 10})
	if n := strings.Count(w.log.String(), "the robot has left its path"); n != 2 {
		t.Errorf("the log says %d times that the robot is off its path:\n%s", n, w.log.String())
	}
	w.speed = 5
	w.finish()
}
