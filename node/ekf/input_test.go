// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// mustLog fails unless the log has all the words.
func (r *rig) mustLog(words ...string) {
	r.t.Helper()
	for _, w := range words {
		if !strings.Contains(r.log.String(), w) {
			r.t.Errorf("the log does not contain %q:\n%s", w, &r.log)
		}
	}
}

// A heading with a usable variance is fused. With a variance that is too large, zero or
// not a number only the position is fused.
func TestHeadingOfAFix(t *testing.T) {
	narrow := math.Pi / 2 * math.Pi / 2 // rad², the widest that is used
	for _, c := range []struct {
		name     string
		variance float64
		used     bool
	}{
		{"small", 0.01, true},
		{"just used", 0.999 * narrow, true},
		{"just too wide", 1.001 * narrow, false},
		{"none", noHeading, false},
		{"zero", 0, false},
		{"negative", -0.1, false},
		{"NaN", math.NaN(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDrive(newRig(t, givenNode))
			d.yawVar = c.variance
			f := d.reference(given)
			position := d.onFix
			d.onFix = func(m *geometry_msgs.PoseWithCovarianceStamped) {
				position(m)
				if !c.used {
					return
				}
				yaw, err := convert.Yaw(m.Pose.Pose.Orientation)
				d.must(err)
				f.FuseYaw(ros.TimeNs(m.Header.Stamp), yaw, c.variance)
			}
			d.run(300)
			d.mustEqual(f)
		})
	}
	t.Run("NaN position", func(t *testing.T) {
		d := newDrive(newRig(t, givenNode))
		f := d.reference(given)
		d.run(10)
		send(d.rig, d.fix, poseMessage(d.ex.Now(), startX, math.NaN(), startYaw+0.3, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.01}}))
		d.run(30)
		d.mustEqual(f)
		d.mustLog("a fix is not used", "NaN")
		if n := d.diagnostics[len(d.diagnostics)-1].values["fixes not finite"]; n != "1" {
			t.Errorf("%s fixes are counted as refused, want 1", n)
		}
	})
	t.Run("no orientation", func(t *testing.T) {
		d := newDrive(newRig(t, givenNode))
		f := d.reference(given)
		d.run(10)
		m := poseMessage(d.ex.Now(), startX, startY, 0, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.01}})
		m.Pose.Pose.Orientation = geometry_msgs.Quaternion{}
		send(d.rig, d.fix, m)
		d.fuse(f, &m) // the position is still used
		d.run(1)
		d.mustEqual(f)
		d.mustLog("heading of a fix is not used")
	})
}

// A fix or an initial pose that is not in the map's frame changes nothing.
func TestWrongFrame(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	f := d.reference(given)
	d.run(50)
	m := poseMessage(d.ex.Now(), 0, 0, 0, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.01}})
	for _, frame := range []string{"odom", ""} {
		m.Header.FrameID = frame
		send(d.rig, d.fix, m)
		send(d.rig, d.initial, m)
	}
	d.run(50)
	d.mustEqual(f)
	d.mustLog("another frame", "topic=fix_pose", "frame_id=odom", "want=map")
}

// An initial pose without a stamp applies to the present, or, before the odometry has
// begun, to the moment at which it begins; one with a stamp to that.
func TestInitialPose(t *testing.T) {
	pose := localization.Pose{X: -7, Y: 11, Yaw: 2.5, Cov: [3][3]float64{{0.4, 0.1, 0.01}, {0.1, 0.3, -0.02}, {0.01, -0.02, 0.05}}}
	for name, before := range map[string]int{"before the odometry": 0, "as the first pose": 1, "in place of a pose": 100, "with a stamp": 100} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, nil))
			f := d.reference(nil)
			d.fixes = false
			d.run(before)
			if before == 0 {
				d.k = 600 // the odometry begins half a minute later
			}
			d.runTo(d.ex.Now() + step/2) // between two odometries
			p, stamp := pose, int64(0)
			if name == "with a stamp" {
				stamp = epoch + int64(before)*step
			}
			send(d.rig, d.initial, poseMessage(stamp, pose.X, pose.Y, pose.Yaw, pose.Cov))
			p.Stamp = epoch + int64(max(before, 601))*step
			if before > 0 {
				p.Stamp = epoch + int64(before)*step
				d.must(f.Initialise(p))
			} else {
				tell := d.onOdom
				d.onOdom = func(m *nav_msgs.Odometry) {
					tell(m)
					d.must(f.Initialise(p))
					d.onOdom = tell
				}
			}
			d.run(10)
			if len(d.filtered) != 10 {
				t.Fatalf("%d poses of 10 odometries:\n%s", len(d.filtered), &d.log)
			}
			d.mustBeNear(f, 1e-12)
		})
	}
}

func TestBadInitialPoseIsRefused(t *testing.T) {
	good := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.01}}
	for name, m := range map[string]geometry_msgs.PoseWithCovarianceStamped{
		"NaN position":    poseMessage(0, math.NaN(), 0, 0, good),
		"zeros":           poseMessage(0, 0, 0, 0, [3][3]float64{}),
		"unknown heading": poseMessage(0, 0, 0, 0, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 9}}),
		"no orientation":  {Header: poseMessage(0, 0, 0, 0, good).Header},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, givenNode))
			f := d.reference(given)
			d.run(50)
			m.Header.Stamp = ros.TimeMsg(d.ex.Now())
			send(d.rig, d.initial, m)
			d.run(10)
			d.mustEqual(f)
			d.mustLog("the initial pose is not used")
		})
	}
}

// Odometry that is not a number or that is too fast is refused: nothing is published
// for it, and the filter continues as if it had not come.
func TestBadOdometry(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		source string
		spoil  func(*nav_msgs.Odometry)
	}{
		"NaN speed":      {"twist", func(m *nav_msgs.Odometry) { m.Twist.Twist.Linear.X = nan }},
		"too fast":       {"twist", func(m *nav_msgs.Odometry) { m.Twist.Twist.Linear.X = 50 }},
		"NaN position":   {"pose", func(m *nav_msgs.Odometry) { m.Pose.Pose.Position.Y = nan }},
		"no orientation": {"pose", func(m *nav_msgs.Odometry) { m.Pose.Pose.Orientation = geometry_msgs.Quaternion{} }},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, func(cfg *ekf.Config) { givenNode(cfg); cfg.Odometry = c.source }))
			f := d.reference(given)
			if c.source == "pose" {
				d.byPose(f)
			}
			d.run(50)
			n := len(d.filtered)
			d.runTo(d.ex.Now() + step/2)
			m := odometry(d.ex.Now(), 0, 0, 0, speed, turnRate)
			c.spoil(&m)
			send(d.rig, d.odom, m)
			if len(d.filtered) != n {
				t.Errorf("%d poses out of it", len(d.filtered)-n)
			}
			d.run(10)
			d.mustBeNear(f, 1e-9)
			d.mustLog("odometry is not used")
		})
	}
}

// With the parameter odometry at twist the filter does not use the pose, but no
// transform is published for an invalid pose.
func TestNoTransformWithoutOdometrysPose(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	d.run(50)
	poses, transforms := len(d.filtered), len(d.transforms)
	d.runTo(d.ex.Now() + step/2)
	m := odometry(d.ex.Now(), 1, math.Inf(1), 3, speed, turnRate)
	send(d.rig, d.odom, m)
	if len(d.filtered) != poses+1 {
		t.Errorf("%d poses, want 1: the twist is good", len(d.filtered)-poses)
	}
	if len(d.transforms) != transforms {
		t.Errorf("published %+v", d.transforms[transforms:])
	}
	d.mustLog("no transform is published")
}

// A filter that was busy for two seconds gets all that came meanwhile, in its turn, and so does who
// listens to it: none of it is counted as dropped.
func TestNothingIsLostOfABurst(t *testing.T) {
	r := newRig(t, givenNode)
	send(r, r.initial, poseMessage(0, 1, 2, 0, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.01}}))
	var heard, want []int64
	rostest.Hear(r.t, r.test, "odometry/filtered", ros.Stream(), func(m *nav_msgs.Odometry) {
		heard = append(heard, ros.TimeNs(m.Header.Stamp))
	})
	const burst = 100 // 20 ms apart
	r.runTo(epoch + int64(2*time.Second))
	for k := range burst {
		want = append(want, epoch+int64(k+1)*int64(20*time.Millisecond))
		m := odometry(want[k], 0.02*float64(k), 0, 0, 1, 0)
		r.must(r.odom.Publish(&m))
	}
	r.runTo(r.ex.Now())
	if !slices.Equal(heard, want) {
		t.Errorf("%d of %d poses were heard: %v", len(heard), burst, heard)
	}
	r.runTo(r.ex.Now() + int64(2*time.Second))
	for _, kv := range r.diagnostics[len(r.diagnostics)-1].inputs["odom"].Values {
		if kv.Key == "dropped" && kv.Value != "0" {
			t.Errorf("%s odometry messages were dropped", kv.Value)
		}
	}
}
