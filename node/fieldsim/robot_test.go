package fieldsim_test

import (
	"math"
	"math/cmplx"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

func TestClock(t *testing.T) {
	r := newRig(t, nil)
	r.run(3 * time.Second)
	if len(r.clock) != 60 {
		t.Fatalf("%d messages in 3 s, want 60", len(r.clock))
	}
	for i, c := range r.clock {
		if want := epoch + int64(i+1)*tick; ros.TimeNs(c.m.Clock) != want || c.at != want {
			t.Fatalf("message %d says %v at %d, want %d", i, c.m.Clock, c.at, want)
		}
	}
}

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

func planarPose(t *testing.T, p geometry_msgs.Pose) (place, heading complex128) {
	t.Helper()
	z := complex(p.Orientation.W, p.Orientation.Z)
	if math.Abs(cmplx.Abs(z)-1) > 1e-12 || p.Position.Z != 0 || p.Orientation.X != 0 || p.Orientation.Y != 0 {
		t.Fatalf("pose is not planar: %+v", p)
	}
	return complex(p.Position.X, p.Position.Y), z * z
}

// Odometry begins at zero at the robot's start. Without errors it is the true pose
// relative to the start, computed here with complex numbers.
func TestOdometry(t *testing.T) {
	r := newRig(t, func(c *fieldsim.Config) { exact(c); c.Start = []float64{200, 300, 2} })
	r.run(100 * time.Millisecond)
	r.drive(4*time.Second, 1, 0.3)
	r.drive(2*time.Second, -0.5, -0.6)
	if n := int((r.ex.Now() - epoch) / tick); len(r.truth) != n || len(r.odom) != n-1 {
		t.Fatalf("%d truths and %d odometry messages in %d steps, want all and all but the first", len(r.truth), len(r.odom), n)
	}
	start, turned := complex(200, 300), cmplx.Exp(2i)
	for _, h := range r.odom {
		m := h.m
		if m.Header.FrameID != "odom" || m.ChildFrameID != "base_link" || ros.TimeNs(m.Header.Stamp) != h.at {
			t.Fatalf("odometry %q → %q with stamp %v at %d", m.Header.FrameID, m.ChildFrameID, m.Header.Stamp, h.at)
		}
		onlyPlanar(t, &m.Pose.Covariance)
		onlyPlanar(t, &m.Twist.Covariance)
		truth := r.truthAt(h.at)
		if truth.Header.FrameID != "map" || truth.ChildFrameID != "base_link" {
			t.Fatalf("truth %q → %q", truth.Header.FrameID, truth.ChildFrameID)
		}
		at, heading := planarPose(t, m.Pose.Pose)
		want, wantHeading := planarPose(t, truth.Pose.Pose)
		if e := cmplx.Abs(start + turned*at - want); e > 1e-9 {
			t.Fatalf("odometry is %g m off the truth", e)
		}
		if e := cmplx.Abs(turned*heading - wantHeading); e > 1e-9 {
			t.Fatalf("odometry's heading is %g off the truth", e)
		}
		v, w := truth.Twist.Twist, m.Twist.Twist
		if math.Abs(v.Linear.X-w.Linear.X) > 1e-9 || math.Abs(v.Angular.Z-w.Angular.Z) > 1e-9 || w.Linear.Y != 0 {
			t.Fatalf("odometry's velocity is %+v, the true one %+v", w, v)
		}
	}
	// The stated variance grows with the distance.
	first, last := r.odom[1].m.Pose.Covariance, r.odom[len(r.odom)-1].m.Pose.Covariance
	for _, i := range []int{0, 7, 35} {
		if last[i] <= first[i] {
			t.Errorf("variance %d does not grow: from %g to %g", i, first[i], last[i])
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
	_, err = ros.Subscribe(r.test, "/tf", ros.DefaultQoS(), func(m *tf2_msgs.TFMessage, _ ros.MessageInfo) {
		got = append(got, m.Transforms...)
	})
	r.must(err)
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
	pub, err := ros.Advertise[geometry_msgs.TwistStamped](r.test, "cmd_vel", ros.DefaultQoS())
	r.must(err)
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
