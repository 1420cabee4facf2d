// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
)

// A robot follows a path from its beginning to its end. Pure pursuit cuts the corners by
// less than the lookahead distance times the sine of the corner.
func TestFollowsPlanToItsEnd(t *testing.T) {
	w := newWorld(t, nil)
	path := []orb.Point{{0, 0}, {15, 0}, {25, 8}, {25, 20}}
	w.follow(path...)
	w.run(60 * time.Second)

	if d := w.distance(25, 20); d > w.cfg.Pursuit.GoalTolerance {
		t.Errorf("%.2f m from the goal after a minute, want %g at most", d, w.cfg.Pursuit.GoalTolerance)
	}
	w.mustStand(w.ex.Now()-int64(5*time.Second), "at the goal")
	p := w.cfg.Pursuit
	fastest := 0.0
	for i, c := range w.heard {
		fastest = max(fastest, c.v)
		if c.v < 0 || c.v > p.MaxSpeed || math.Abs(c.w) > p.MaxTurnRate {
			t.Fatalf("command (%g m/s, %g rad/s) is beyond %g and %g", c.v, c.w, p.MaxSpeed, p.MaxTurnRate)
		}
		if i == 0 {
			continue
		}
		if at := w.heard[i-1].at + int64(tick); c.at != at {
			t.Fatalf("command at %d ns, want one at %d: the rate is %g Hz", c.at, at, w.cfg.Rate)
		}
	}
	if fastest < 0.9*p.MaxSpeed {
		t.Errorf("no faster than %g m/s on 15 straight metres, allowed %g", fastest, p.MaxSpeed)
	}
	for _, at := range w.track {
		if d := planar.DistanceFrom(orb.LineString(path), at); d > 1.5 {
			t.Fatalf("%.2f m off the path at %v", d, at)
		}
	}

	if len(w.lookahead) < 100 {
		t.Fatalf("%d lookahead points", len(w.lookahead))
	}
	for _, m := range w.lookahead {
		at := [2]float64{m.Point.X, m.Point.Y}
		if d := planar.DistanceFrom(orb.LineString(path), at); m.Header.FrameID != "map" || d > 1e-9 {
			t.Fatalf("lookahead point %v in %q is %g m off the path", at, m.Header.FrameID, d)
		}
	}
	first := w.lookahead[0]
	if d := math.Hypot(first.Point.X, first.Point.Y); math.Abs(d-p.LookaheadMin) > 1e-6 {
		t.Errorf("first lookahead point is %g m away from a standing robot, want %g", d, p.LookaheadMin)
	}
}

// The path to a goal begins at the robot's first known pose. A second goal takes the place of the first.
func TestDrivesToGoalPose(t *testing.T) {
	w := newWorld(t, func(c *follower.Config) { c.Source = "goal_pose" })
	w.x, w.y, w.yaw, w.silent = 30, -20, math.Pi, true // the goal is behind it
	w.goTo(42, -11)
	w.run(3 * time.Second)
	w.mustStand(epoch, "without a pose")
	w.silent = false
	w.run(40 * time.Second)
	if d := w.distance(42, -11); d > w.cfg.Pursuit.GoalTolerance {
		t.Errorf("%.2f m from the goal", d)
	}
	w.mustStand(w.ex.Now()-int64(5*time.Second), "at the goal")
	for _, at := range w.track {
		if d := planar.DistanceFrom(orb.LineString{{30, -20}, {42, -11}}, at); d > 0.7 {
			t.Fatalf("%.2f m off the straight line at %v", d, at)
		}
	}
	w.goTo(60, -11)
	w.run(5 * time.Second)
	w.goTo(42, 5)
	w.run(60 * time.Second)
	if d := w.distance(42, 5); d > w.cfg.Pursuit.GoalTolerance {
		t.Errorf("%.2f m from the second goal", d)
	}
}

// A robot that has arrived stays where it is while its pose shifts by less than two
// tolerances, and drives back when it shifts by more.
func TestComesBackToAGoalThatItIsNotAt(t *testing.T) {
	w := newWorld(t, nil)
	w.run(time.Second)
	w.follow([2]float64{0, 0}, [2]float64{8, 0})
	w.run(20 * time.Second)
	tolerance := w.cfg.Pursuit.GoalTolerance
	w.mustStand(w.ex.Now()-int64(2*time.Second), "at the goal")
	from := w.ex.Now()
	w.shift = [2]float64{8 - w.x, 1.95*tolerance - w.y} // so that the pose says (8, 1.95 tolerances)
	w.run(5 * time.Second)
	w.mustStand(from, "1.95 tolerances from the goal")

	w.shift = [2]float64{8 - w.x, 2.05*tolerance - w.y}
	w.run(20 * time.Second)
	if d := w.distance(8-w.shift[0], -w.shift[1]); d > tolerance {
		t.Errorf("%.2f m from the goal after the pose has shown 2.05 tolerances, want %g", d, tolerance)
	}
	w.mustStand(w.ex.Now()-int64(2*time.Second), "back at the goal")
}

// The robot moves in the same way with Twist and with TwistStamped, and the follower
// publishes only the configured type.
func TestTwistOrTwistStamped(t *testing.T) {
	drive := func(stamped bool) *world {
		w := newWorld(t, func(c *follower.Config) { c.Stamped = stamped })
		w.follow([2]float64{0, 0}, [2]float64{6, 2})
		w.run(15 * time.Second)
		for _, e := range w.graph.Endpoints("/cmd_vel") {
			if (e.Type == "geometry_msgs/msg/TwistStamped") != stamped {
				t.Errorf("stamped %v: node %s has cmd_vel of type %s", stamped, e.Node, e.Type)
			}
		}
		return w
	}
	plain, stamped := drive(false), drive(true)
	if d := plain.distance(6, 2); d > plain.cfg.Pursuit.GoalTolerance || !slices.Equal(plain.track, stamped.track) {
		t.Errorf("%.2f m from the goal; the same with TwistStamped: %v", d, slices.Equal(plain.track, stamped.track))
	}
	for _, c := range stamped.heard {
		if h := c.header.Header; h.FrameID != "base_link" || ros.TimeNs(h.Stamp) != c.at {
			t.Fatalf("command in frame %q with stamp %d at %d ns", h.FrameID, ros.TimeNs(h.Stamp), c.at)
		}
	}
}

// A follower that was started again while the robot is on its way gets the path that is repeated
// from its beginning. It drives on from where the robot is, and not back to the beginning, straight
// through what the path leads around. So does one that gets the path before its first pose.
func TestDrivesOnFromTheMiddleOfAPath(t *testing.T) {
	around := []orb.Point{{0, 0}, {0, 50}, {20, 50}, {20, -20}} // the wall from (10, -20) to (10, 40)
	for name, posed := range map[string]bool{"after a pose": true, "before a pose": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			w.x, w.y, w.yaw = 20.5, 20, -math.Pi/2
			if posed {
				w.run(time.Second)
			}
			w.follow(around...)
			farthest, highest := 0.0, math.Inf(-1)
			_, err := w.test.NewTimer(tick, func() {
				farthest = max(farthest, planar.DistanceFrom(orb.LineString(around), orb.Point{w.x, w.y}))
				highest = max(highest, w.y)
			})
			w.must(err)
			w.run(60 * time.Second)
			if farthest > 1 || highest > 21 {
				t.Errorf("the robot came to %.1f m from its path, and back to y = %.1f m", farthest, highest)
			}
			if math.Hypot(w.x-20, w.y+20) > 1 {
				t.Errorf("the robot ends at (%.1f, %.1f), want (20, -20)", w.x, w.y)
			}
		})
	}
}
