// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

// The robot stands until it is told to drive, obeys, to the left for a positive turn, and stops half a second after
// the last command, or at once after one that is no number.
func TestCommandMovesTheRobot(t *testing.T) {
	r := newRig(t, func(c *fieldsim.Config) { exact(c); c.Start = []float64{200, 300, 0.6} })
	r.run(time.Second)
	for _, h := range r.truth {
		at := h.m.Pose.Pose.Position
		yaw, err := convert.Yaw(h.m.Pose.Pose.Orientation)
		r.must(err)
		if at.X != 200 || at.Y != 300 || math.Abs(yaw-0.6) > 1e-12 || h.m.Twist.Twist != (geometry_msgs.Twist{}) {
			t.Fatalf("moved without a command: %+v", h.m)
		}
	}
	speed := func(stamp int64, want float64) {
		t.Helper()
		if v := r.truthAt(stamp).Twist.Twist.Linear.X; math.Abs(v-want) > 1e-6 {
			t.Errorf("%g m/s %d ms after the start, want %g", v, (stamp-epoch)/1e6, want)
		}
	}
	last := r.drive(5*time.Second, 1, 0.5)
	if w := r.truthAt(last).Twist.Twist.Angular.Z; math.Abs(w-0.4) > 1e-6 { // skidding leaves 0.8 of a turn
		t.Errorf("%g rad/s, want 0.4", w)
	}
	r.run(5 * time.Second)
	speed(last+10*tick, 1)
	speed(last+11*tick, 0.95) // the step that ends 0.55 s after it loses what 1 m/s² takes in 0.05 s
	speed(last+int64(5*time.Second), 0)
	last = r.drive(3*time.Second, 1, 0)
	r.tell(math.NaN(), 0)
	r.run(3 * time.Second)
	speed(last+tick, 0.95)
	speed(last+int64(3*time.Second), 0)
	if !strings.Contains(r.log.String(), "the command on cmd_vel is invalid") {
		t.Errorf("the log does not say so:\n%s", &r.log)
	}
}

// onlyPlanar fails unless a covariance is symmetric with positive variances of x, y and
// yaw, and zero for z, roll and pitch.
func onlyPlanar(t *testing.T, c *[36]float64) {
	t.Helper()
	planar := map[int]bool{0: true, 1: true, 5: true}
	for i := range 6 {
		for j := range 6 {
			v := c[6*i+j]
			if v != c[6*j+i] || v != 0 && !(planar[i] && planar[j]) || i == j && planar[i] && !(v > 0) {
				t.Fatalf("entry (%d, %d) is %g in %v", i, j, v, c)
			}
		}
	}
}

// The transform odom → base_link on /tf equals the odometry.
func TestTransformAndReliability(t *testing.T) {
	r := newRig(t, nil)
	reliable := 0 // a subscription with the QoS of Nav2's controller, which sensor data would not match
	_, err := ros.Subscribe(r.test, "odom", ros.DefaultQoS(), func(*nav_msgs.Odometry, ros.MessageInfo) { reliable++ })
	r.must(err)
	var got []geometry_msgs.TransformStamped
	rostest.Hear(r.t, r.test, "/tf", ros.DefaultQoS(), func(m *tf2_msgs.TFMessage) {
		got = append(got, m.Transforms...)
	})
	r.drive(3*time.Second, 1, 0.3)
	if len(got) != len(r.odom) || reliable != len(r.odom) {
		t.Fatalf("%d transforms, %d odometry messages, %d for a reliable subscription", len(got), len(r.odom), reliable)
	}
	for i, tf := range got {
		o := r.odom[i].m
		at, q := o.Pose.Pose.Position, o.Pose.Pose.Orientation
		if tf.Header != o.Header || tf.ChildFrameID != "base_link" || tf.Transform.Rotation != q ||
			tf.Transform.Translation != (geometry_msgs.Vector3{X: at.X, Y: at.Y}) {
			t.Fatalf("transform %+v for odometry %+v", tf, o)
		}
	}
}

// The robot of the simulation obeys TwistStamped, as robots do since ROS 2 Jazzy.
func TestObeysTwistStamped(t *testing.T) {
	r := newRig(t, func(c *fieldsim.Config) {
		exact(c)
		c.Stamped = true
	})
	pub := rostest.Publisher[geometry_msgs.TwistStamped](r.t, r.test, "cmd_vel", ros.DefaultQoS())
	if pub.Matched() != 1 || r.command.Matched() != 0 {
		t.Errorf("TwistStamped has %d matches, Twist %d", pub.Matched(), r.command.Matched())
	}
	m := geometry_msgs.TwistStamped{Twist: geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1}}}
	for range 30 {
		r.must(pub.Publish(&m))
		r.run(100 * time.Millisecond)
	}
	if v := r.truth[len(r.truth)-1].m.Twist.Twist.Linear.X; v < 0.9 {
		t.Errorf("%g m/s after 3 s at 1 m/s", v)
	}
}
