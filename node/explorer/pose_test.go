// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// badPoses are what a driver may send instead of a pose, and under which count
// of the record it ends.
var badPoses = []struct {
	name, count string
	spoil       func(*nav_msgs.Odometry)
}{
	{"another frame", "poses in another frame", func(m *nav_msgs.Odometry) { m.Header.FrameID = "odom" }},
	{"zero quaternion", "poses not usable", func(m *nav_msgs.Odometry) { m.Pose.Pose.Orientation = geometry_msgs.Quaternion{} }},
	{"NaN position", "poses not usable", func(m *nav_msgs.Odometry) { m.Pose.Pose.Position.X = math.NaN() }},
	{"NaN speed", "poses not usable", func(m *nav_msgs.Odometry) { m.Twist.Twist.Linear.X = math.NaN() }},
	{"unknown heading", "poses not usable", func(m *nav_msgs.Odometry) { m.Pose.Covariance[35] = math.Pi * math.Pi }},
	{"zero covariance", "covariances: all zero", func(m *nav_msgs.Odometry) { m.Pose.Covariance = [36]float64{} }},
	{"too uncertain", "covariances: too large", func(m *nav_msgs.Odometry) { m.Pose.Covariance[0] = 50.1 * 50.1 }}, // the limit is 50 m
}

// A bad pose is refused and counted, from the start on and on the way: the
// robot is halted when poses are too old and goes on by itself when they are
// back. No bad pose reaches an observation.
func TestBadPoses(t *testing.T) {
	for _, c := range badPoses {
		t.Run(c.name, func(t *testing.T) {
			cfg := small()
			cfg.Mission.Budget.Samples = 1
			w := newWorld(t, cfg)
			w.speed = 2
			w.pose = c.spoil
			w.run(time.Second - time.Millisecond) // poses at 0.1 s … 0.9 s
			if got := w.explorer.Record().Counts[c.count]; got != 9 {
				t.Fatalf("%q counted %d times, want 9: %v", c.count, got, w.explorer.Record().Counts)
			}
			if ok, text := w.call("start"); ok {
				t.Errorf("started without a good pose: %s", text)
			}

			w.pose = nil
			w.start()
			w.state(mission.StateTravelling)
			w.run(2 * time.Second)
			before := w.explorer.Record().Counts[c.count]
			target := w.goals[len(w.goals)-1]
			w.pose = c.spoil
			fell := w.ex.Now()
			w.state(mission.StateFault)
			// pose.timeout is 2 s after the last good pose, which was up to a step ago.
			near(t, "time until the halt", float64(w.ex.Now()-fell)/1e9, 2, 0.25)
			w.parked(2.3) // where it was last seen
			if got := w.explorer.Record().Counts[c.count]; got < before+115 {
				t.Errorf("%q counted %d times in 12 s, want 120", c.count, got-before)
			}

			w.pose = nil
			w.state(mission.StateTravelling)
			w.run(time.Millisecond)
			if g := w.goals[len(w.goals)-1]; math.Hypot(g.x-target.x, g.y-target.y) > 1e-9 {
				t.Errorf("after the fault the goal is (%g, %g), want (%g, %g) again", g.x, g.y, target.x, target.y)
			}
			m := w.finish()
			if len(m.Observations) != 1 {
				t.Fatalf("%d observations: %s", len(m.Observations), m.Outcome)
			}
			nearBelief(t, "observation", m.Observations[0].Belief, record.Belief{X: 50, Y: 50, XX: 0.04, XY: 0.01, YY: 0.09}, 1e-6)
		})
	}
}

// The probe is not taken for where a stale pose put it: no poses while it samples.
func TestPosesEndWhileSampling(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 1
	cfg.Reading.Count = 20 // 5 s
	w := newWorld(t, cfg)
	w.start()
	w.state(mission.StateSampling)
	w.run(time.Second)
	w.noPoses = true
	w.state(mission.StateFault)
	w.run(20 * time.Second)
	if n := len(w.explorer.Record().Observations); n != 0 {
		t.Fatalf("%d observations without poses", n)
	}
	back := w.ex.Now()
	w.noPoses = false
	m := w.finish()
	// The sample is taken anew: all its readings come after the fault.
	if len(m.Observations) != 1 || m.Observations[0].Readings != 20 || m.Observations[0].Stamp < float64(back)/1e9+2.3 {
		t.Errorf("%+v, want 20 readings after %g s", m.Observations, float64(back)/1e9)
	}
	if m.Counts["readings whose pose never came"]+m.Counts["readings in a gap between poses"] < 60 {
		t.Errorf("80 readings had no pose; counts %v", m.Counts)
	}
}

// Poses that come late, twice or with a clock that was set back a little add no metres.
func TestLatePosesAddNoMetres(t *testing.T) {
	w := newWorld(t, small())
	w.pose = func(m *nav_msgs.Odometry) {
		if late := *m; m.Twist.Twist.Linear.X > 0 {
			w.must(w.odometry.Publish(m)) // and once more after this
			late.Header.Stamp = ros.TimeMsg(ros.TimeNs(m.Header.Stamp) - int64(250*time.Millisecond))
			w.must(w.odometry.Publish(&late))
		}
	}
	m := w.mission()
	near(t, "distance", m.Distance, w.driven, 1e-6)
	if len(m.Observations) != 4 || m.Counts["poses out of order"] < 100 {
		t.Errorf("%d observations, %d poses out of order", len(m.Observations), m.Counts["poses out of order"])
	}
}
