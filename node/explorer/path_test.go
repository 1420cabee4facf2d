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

// A robot that is led off its leg, so that a straight line to its goal crosses a keep-out, gets
// another goal.
func TestRobotLedOffItsLeg(t *testing.T) {
	cfg := byAction()
	cfg.Outline = between()
	cfg.Home = []float64{20, 10}
	w, s := served(t, cfg)
	w.speed = 1
	w.until("a goal", func() bool { return s.Goal() != nil })
	least := w.closest()
	w.x, w.y = 75, 8 // beyond the keep-out
	w.state(mission.StateSampling)
	w.speed = 5
	w.run(time.Second)
	w.until("a goal to the west", func() bool { return s.Goal() != nil })
	w.call("home")
	w.until("the way home", func() bool { return s.Goal() != nil && w.explorer.State() == mission.StateReturning })
	w.speed = 1
	w.x, w.y = 80, 20
	w.run(2500 * time.Millisecond)
	if g := s.Goal(); g == nil || w.explorer.Region().Clear(orb.Point{w.x, w.y}, orb.Point{g.Pose.Pose.Position.X, g.Pose.Pose.Position.Y}, 1) == false {
		t.Errorf("the goal after the robot was led to (80, 20): %v", w.way)
	}
	w.speed = 5
	w.finish()
	if *least < 0.7*w.cfg.Field.Margin {
		t.Errorf("the robot came to %.2f m from an edge", *least)
	}
	if !strings.Contains(w.log.String(), "the robot has left its path") {
		t.Errorf("the log is\n%s", w.log.String())
	}
}

// A home outside of the field is where Nav2 cannot drive: the free place nearest to it is home
// instead, and the log says so.
func TestHomeOutsideTheField(t *testing.T) {
	cfg := byAction()
	cfg.Home = []float64{50, -6}
	w := newWorld(t, cfg)
	s := w.serve()
	m := w.mission()
	last := s.Goals[len(s.Goals)-1].Pose.Pose.Position
	if m.Outcome != "the budget of 4 samples is used" || math.Hypot(last.X-50, last.Y-2) > 0.1 {
		t.Errorf("the last goal is (%g, %g): %s", last.X, last.Y, m.Outcome)
	}
	if m.Home == nil || math.Hypot(m.Home[0]-50, m.Home[1]-2) > 0.1 || !strings.Contains(w.log.String(), "the robot returns to the place nearest to home that Nav2 drives to") {
		t.Errorf("home is %v\n%s", m.Home, w.log.String())
	}
}

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
