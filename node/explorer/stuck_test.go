// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner/mission"
)

// avoids asserts that the path from a place keeps a robot's radius, 0.8 m, away from another.
func (w *world) avoids(at, ahead orb.Point) {
	w.t.Helper()
	path := append([]orb.Point{at}, w.plans[len(w.plans)-1]...)
	for i := 1; i < len(path); i++ {
		if d := planar.DistanceFromSegment(path[i-1], path[i], ahead); d < 0.79 {
			w.t.Fatalf("the path %v leads past %v at %.2f m, where the robot was stuck", path, ahead, d)
		}
	}
}

// stalls lets a robot on a mission drive for a while, and then stay where it is while its wheels turn,
// until its target is skipped. It returns the place in front of it, and after what time that was.
func (w *world) stalls() (ahead orb.Point, took time.Duration) {
	w.t.Helper()
	w.speed = 2
	w.pose = func(m *nav_msgs.Odometry) {
		if w.stuck && len(w.way) > 0 {
			m.Twist.Twist.Linear.X = 2
		}
	}
	w.until("a drive", func() bool { return w.explorer.State() == mission.StateTravelling && w.driven > 3 })
	w.stuck = true
	from := w.ex.Now()
	w.until("a skipped target", func() bool { return len(w.explorer.Record().Skipped) > 0 })
	return orb.Point{w.x + 2*w.cfg.Radius*math.Cos(w.yaw), w.y + 2*w.cfg.Radius*math.Sin(w.yaw)}, time.Duration(w.ex.Now() - from)
}

// A robot whose wheels turn while it stays is halted after stuck.time. Its target is skipped,
// and its next path keeps away from what is in front of it.
func TestStuckRobot(t *testing.T) {
	w := newWorld(t, small())
	w.start()
	ahead, took := w.stalls()
	if took < 8*time.Second || took > 10500*time.Millisecond {
		t.Errorf("noticed after %v, stuck.time is 10 s", took)
	}
	if reason := w.explorer.Record().Skipped[0].Reason; !strings.Contains(reason, "stuck at (") {
		t.Error(reason)
	}
	w.until("the halt", func() bool { return !w.driving() })
	w.stuck = false
	w.until("another path", w.driving)
	w.avoids(orb.Point{w.x, w.y}, ahead)
	w.finish()
}

// An explorer that resumes the mission does not send the robot to where it was stuck.
func TestResumedExplorerAvoidsWhereItWasStuck(t *testing.T) {
	w := begun(t)
	ahead, _ := w.stalls()
	w.run(2 * time.Second)                                   // the journal is synced
	n := w.crashed(5*time.Second, func(c *settings.Config) { // straight through it
		c.Home = []float64{3*ahead[0] - 2*w.x, 3*ahead[1] - 2*w.y}
	})
	n.run(time.Second)
	n.do("home")
	n.until("a path", n.driving)
	n.avoids(orb.Point{n.x, n.y}, ahead)
}
