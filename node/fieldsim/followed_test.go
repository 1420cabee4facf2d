// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/sim"
)

// followedRig is a world whose robot the test moves.
type followedRig struct {
	*rig
	truthOut *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	stamp    int64 // of the other simulator, ns
	pose     sim.Pose
}

func newFollowed(t *testing.T, change func(*fieldsim.Config)) *followedRig {
	t.Helper()
	r := newRig(t, func(c *fieldsim.Config) {
		exact(c)
		c.Source = "odometry"
		if change != nil {
			change(c)
		}
	})
	f := &followedRig{rig: r, stamp: epoch, pose: sim.Pose{X: 300, Y: 300, Yaw: 0.5}}
	f.truthOut = rostest.Publisher[nav_msgs.Odometry](r.t, r.test, "ground_truth/odom", ros.DefaultQoS())
	return f
}

// send publishes the pose with a velocity that nobody may use.
func (f *followedRig) send(change func(*nav_msgs.Odometry)) {
	f.t.Helper()
	var m nav_msgs.Odometry
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = ros.TimeMsg(f.stamp), "map", "base_link"
	m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y, m.Pose.Pose.Position.Z = f.pose.X, f.pose.Y, 1.5
	m.Pose.Pose.Orientation = convert.Quaternion(f.pose.Yaw)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = 4711, -42
	if change != nil {
		change(&m)
	}
	f.must(f.truthOut.Publish(&m))
	f.run(0)
}

// move publishes 20 poses a second of a robot that drives along its heading and turns.
func (f *followedRig) move(d time.Duration, speed, turn float64) {
	f.t.Helper()
	const period = 50 * time.Millisecond
	for range d / period {
		f.send(nil)
		dt := period.Seconds()
		f.stamp += int64(period)
		f.pose.X += speed * dt * math.Cos(f.pose.Yaw)
		f.pose.Y += speed * dt * math.Sin(f.pose.Yaw)
		f.pose.Yaw += turn * dt
		f.run(period)
	}
}

// Another simulator's robot gets readings at the true place of its probe, at the stops
// only, whatever velocity the messages state. Nothing that belongs to the other simulator
// is published.
func TestFollowedReadings(t *testing.T) {
	f := newFollowed(t, func(c *fieldsim.Config) { c.Probe.Forward, c.Probe.Left = 0.7, -0.2 })
	var heardOf []string
	for topic, typ := range map[string]string{"/tf": "tf2_msgs/msg/TFMessage", "/clock": "rosgraph_msgs/msg/Clock", "odom": "nav_msgs/msg/Odometry"} {
		sub, err := ros.SubscribeRaw(f.test, topic, typ, "", ros.SensorData(), func([]byte, ros.MessageInfo) {})
		f.must(err)
		if sub.Matched() > 0 {
			heardOf = append(heardOf, topic)
		}
	}
	if len(heardOf) > 0 || f.command.Matched() > 0 {
		t.Errorf("the node publishes %q, or listens to cmd_vel (%d); want that of no robot", heardOf, f.command.Matched())
	}
	world, _ := f.sim.Field()
	for range 3 {
		f.move(5*time.Second, 1, 0.1)
		f.reading = nil
		begin := f.stamp
		f.move(5*time.Second, 0, 0)
		if len(f.reading) < 2 {
			t.Fatalf("%d readings in 5 s of standing, want one each 1.5 s", len(f.reading))
		}
		at := f.pose.Point(0.7, -0.2)
		for _, h := range f.reading {
			if stamp := ros.TimeNs(h.m.Header.Stamp); stamp < begin || stamp > f.stamp {
				t.Errorf("a reading of %d, want one of the stop from %d to %d", stamp, begin, f.stamp)
			}
			if want := world.Value(at[0], at[1]); math.Abs(h.m.Value-want) > 1e-9 {
				t.Errorf("reading %g at %v, the field has %g", h.m.Value, at, want)
			}
		}
		f.reading = nil
		f.move(5*time.Second, 1, 0)
		for _, h := range f.reading {
			if after := ros.TimeNs(h.m.Header.Stamp) - begin - int64(5*time.Second); after > int64(200*time.Millisecond) {
				t.Errorf("a reading %d ms after the robot has started to drive", after/1e6)
			}
		}
	}
}

// Fixes are of the antenna, and can be left to another simulator.
func TestFollowedFixes(t *testing.T) {
	f := newFollowed(t, func(c *fieldsim.Config) { c.AntennaX, c.AntennaY = 1.5, -0.5 })
	f.move(5*time.Second, 0, 0)
	want := f.pose.Point(1.5, -0.5)
	for _, h := range f.fix {
		if at := h.m.Pose.Pose.Position; math.Hypot(at.X-want[0], at.Y-want[1]) > 0.01 {
			t.Errorf("a fix at (%g, %g), the antenna is at %v", at.X, at.Y, want)
		}
	}
	if len(f.fix) == 0 {
		t.Error("no fix in 5 s")
	}
	without := newFollowed(t, func(c *fieldsim.Config) { c.PublishFix = false })
	without.move(5*time.Second, 0, 0)
	if len(without.fix) > 0 || len(without.reading) == 0 {
		t.Errorf("%d fixes and %d readings, want readings only", len(without.fix), len(without.reading))
	}
}

// A reset of the other simulator sets time and robot back. The sensors continue with it.
func TestFollowedReset(t *testing.T) {
	f := newFollowed(t, nil)
	f.move(10*time.Second, 0, 0)
	f.stamp, f.pose = 0, sim.Pose{X: 400, Y: 200}
	f.reading, f.fix = nil, nil
	f.move(5*time.Second, 0, 0)
	if len(f.reading) < 2 || len(f.fix) < 4 {
		t.Errorf("%d readings and %d fixes in 5 s after the reset", len(f.reading), len(f.fix))
	}
	for _, h := range f.reading {
		if stamp := ros.TimeNs(h.m.Header.Stamp); stamp > f.stamp {
			t.Errorf("a reading has the stamp %d, after the reset's time %d", stamp, f.stamp)
		}
	}
	if !strings.Contains(f.log.String(), "time was set back") {
		t.Errorf("the log does not name the reset:\n%s", f.log.String())
	}
}

// Messages that were overtaken by others, as the bridge's first ones are, are no reset.
func TestFollowedDisorder(t *testing.T) {
	f := newFollowed(t, nil)
	for range 100 {
		f.stamp += int64(150 * time.Millisecond)
		f.send(nil)
		f.stamp -= int64(100 * time.Millisecond)
		f.send(func(m *nav_msgs.Odometry) { m.Pose.Pose.Position.X += 30 })
		f.run(50 * time.Millisecond)
	}
	if len(f.reading) < 2 || strings.Contains(f.log.String(), "set back") {
		t.Errorf("%d readings in 5 s of standing; the log:\n%s", len(f.reading), f.log.String())
	}
}

// What cannot be a true pose is refused and named.
func TestFollowedRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(*nav_msgs.Odometry)
		says   string
	}{
		{func(m *nav_msgs.Odometry) { m.Header.FrameID = "sampler/odom" }, `it is in the frame \"sampler/odom\", want \"map\"`},
		{func(m *nav_msgs.Odometry) { m.Pose.Pose.Position.Y = math.NaN() }, "not finite"},
		{func(m *nav_msgs.Odometry) { m.Pose.Pose.Orientation.W = 3 }, "orientation"},
	} {
		f := newFollowed(t, nil)
		for range 100 {
			f.send(c.change)
			f.stamp += int64(50 * time.Millisecond)
			f.run(50 * time.Millisecond)
		}
		if len(f.reading)+len(f.fix) > 0 || !strings.Contains(f.log.String(), c.says) {
			t.Errorf("%d readings and fixes; the log has no %q:\n%s", len(f.reading)+len(f.fix), c.says, f.log.String())
		}
	}
}
