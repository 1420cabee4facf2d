// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
)

// lost returns a world without poses, and a function that asks for a blind drive once.
func lost(t *testing.T, change func(*follower.Config)) (w *world, ask func(speed float64)) {
	t.Helper()
	w = newWorld(t, change)
	w.silent = true
	pub := rostest.Publisher[std_msgs.Float64](w.t, w.test, "heading_drive", ros.DefaultQoS())
	w.run(time.Second)
	return w, func(speed float64) { w.must(pub.Publish(&std_msgs.Float64{Data: speed})) }
}

// asking asks at each tick.
func asking(w *world, ask func(float64), speed float64) {
	w.eachTick = func() { ask(speed) }
}

// mustNotTurn fails if a command turned the robot, or was faster than allowed.
func mustNotTurn(t *testing.T, w *world, fastest float64) {
	t.Helper()
	for _, c := range w.heard {
		if c.w != 0 || c.v < 0 || c.v > fastest {
			t.Fatalf("(%g m/s, %g rad/s), want straight ahead at %g m/s at most", c.v, c.w, fastest)
		}
	}
}

// The robot drives straight ahead while speeds come, and stops within half a second and
// its stopping time when they cease.
func TestBlindDriveHoldsWhileItIsAskedFor(t *testing.T) {
	w, ask := lost(t, nil)
	asking(w, ask, 0.3)
	w.run(5 * time.Second)
	if v := w.last().v; v != 0.3 {
		t.Fatalf("%g m/s, want 0.3", v)
	}
	w.eachTick = nil
	from := w.ex.Now()
	w.run(2 * time.Second)
	w.mustStand(from+int64(500*time.Millisecond+500*time.Millisecond), "speeds have ceased")
	mustNotTurn(t, w, 0.3)
	w.run(5 * time.Second)
	quiet := w.ex.Now()
	w.run(5 * time.Second)
	w.mustBeSilent(quiet, "after the drive")
}

// However long it is asked for, the robot drives max_distance at most, at 0.5 m/s and max_speed at most.
func TestBlindDriveIsLimited(t *testing.T) {
	for _, c := range []struct{ asked, maxSpeed, fastest float64 }{{0.1, 1, 0.1}, {0.3, 0.2, 0.2}, {10, 1, 0.5}} {
		speed := c.asked
		w, ask := lost(t, func(cfg *follower.Config) { cfg.Pursuit.MaxSpeed = c.maxSpeed })
		asking(w, ask, speed)
		w.run(2 * time.Minute)
		if w.x > w.cfg.BlindDistance || w.x < w.cfg.BlindDistance-0.1 {
			t.Errorf("%g m/s: %.3f m were driven, want just below %g", speed, w.x, w.cfg.BlindDistance)
		}
		mustNotTurn(t, w, c.fastest)
		// Gaps in the request do not renew the distance; its end does.
		w.eachTick = nil
		w.run(10 * time.Second)
		asking(w, ask, speed)
		w.run(10 * time.Second)
		if w.x > w.cfg.BlindDistance {
			t.Errorf("%g m/s: %.3f m were driven after a gap, want %g at most", speed, w.x, w.cfg.BlindDistance)
		}
		asking(w, ask, 0)
		w.run(time.Second)
		asking(w, ask, speed)
		w.run(10 * time.Second)
		if w.x < w.cfg.BlindDistance+0.5 {
			t.Errorf("%g m/s: the robot stands at %.3f m in another drive", speed, w.x)
		}
	}
	w, ask := lost(t, func(c *follower.Config) { c.BlindDistance = 0 })
	asking(w, ask, 0.3)
	w.run(time.Minute)
	w.mustBeSilent(epoch, "heading_drive.max_distance is 0")
}

// Only a robot without a pose and without a path drives so.
func TestBlindDriveEndsWithAPose(t *testing.T) {
	w, ask := lost(t, nil)
	asking(w, ask, 0.3)
	w.run(5 * time.Second)
	w.silent = false
	from := w.ex.Now()
	w.run(2 * time.Second)
	w.mustStand(from+int64(time.Second), "poses have come")
	w.run(10 * time.Second)
	quiet := w.ex.Now()
	w.run(5 * time.Second)
	w.mustBeSilent(quiet, "a pose is there, and no path")

	w, ask = lost(t, nil)
	asking(w, ask, 0.3)
	w.follow([2]float64{0, 0}, [2]float64{10, 0})
	w.run(10 * time.Second)
	w.mustStand(epoch+int64(2*time.Second), "a path, and no pose")
}

func TestBlindDriveRefusesBadSpeeds(t *testing.T) {
	for _, speed := range []float64{math.NaN(), math.Inf(1), -0.3} {
		w, ask := lost(t, nil)
		asking(w, ask, speed)
		w.run(5 * time.Second)
		w.mustBeSilent(epoch, "a speed that is not usable")
	}
}
