// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// After each odometry message the node publishes the pose of a filter that is fed
// directly. Before the filter has a pose it publishes the position, without a heading, on pose.
func TestOutputIsTheFilters(t *testing.T) {
	for name, c := range map[string]struct {
		node      func(*ekf.Config)
		filter    func(*filter.Config)
		byPose    bool
		firstPose int // the step of the first pose; −1: any step
	}{
		"heading given": {givenNode, given, false, 3}, // the fix of step 0 comes after step 2
		"heading by driving": {
			func(c *ekf.Config) {},
			func(c *filter.Config) { c.HeadingGiven = false }, false, -1,
		},
		"odometry's pose": {
			func(c *ekf.Config) { givenNode(c); c.Odometry = "pose" }, given, true, 3,
		},
		"antenna": {
			func(c *ekf.Config) {
				givenNode(c)
				c.Filter.Antenna = localization.Lever{X: 0.5, Y: -0.2}
			},
			func(c *filter.Config) {
				given(c)
				c.Antenna = localization.Lever{X: 0.5, Y: -0.2}
			}, false, 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, c.node))
			f := d.reference(c.filter)
			if c.byPose {
				d.byPose(f)
			}
			first, positions := -1, 0
			d.afterwards = func(k int) {
				if _, err := f.Pose(); err != nil {
					if len(d.filtered)+len(d.transforms) > 0 {
						t.Fatalf("step %d: published without a pose", k)
					}
					if p, err := f.Position(); err == nil {
						positions++
						m := d.poses[len(d.poses)-1]
						if m.Header.Stamp != ros.TimeMsg(p.Stamp) || m.Pose.Pose.Position.X != p.X || m.Pose.Covariance != covariance36(p.Cov) || m.Pose.Covariance[35] < math.Pi*math.Pi {
							t.Fatalf("step %d: %+v, want the position %+v without a heading", k, m, p)
						}
					}
					if len(d.poses) != positions {
						t.Fatalf("step %d: %d poses, want %d", k, len(d.poses), positions)
					}
					return
				}
				if first < 0 {
					first = k
				}
				if n := k - first + 1; len(d.filtered) != n || len(d.poses) != n+positions || len(d.transforms) != n {
					t.Fatalf("step %d: %d, %d and %d outputs since step %d", k, len(d.filtered), len(d.poses), len(d.transforms), first)
				}
				if c.byPose { // its yaw has been a quaternion: equal but for rounding
					d.mustBeNear(f, 1e-9)
					return
				}
				d.mustEqual(f)
			}
			d.run(600)
			if first < 0 || c.firstPose >= 0 && first != c.firstPose {
				t.Fatalf("first pose at step %d, want %d", first, c.firstPose)
			}
			if (positions > 10) != (c.firstPose < 0) {
				t.Errorf("%d positions without a heading", positions)
			}
			// The poses agree with the truth within 4 standard deviations.
			x, y, yaw := along(d.k-1, startX, startY, startYaw)
			m := d.filtered[len(d.filtered)-1]
			got, err := convert.Yaw(m.Pose.Pose.Orientation)
			d.must(err)
			lever := 0.0
			if strings.HasPrefix(name, "antenna") {
				lever = 0.6 // the fixes of this test are the base's, not the antenna's
			}
			cov := m.Pose.Covariance
			for _, e := range []struct{ err, variance float64 }{
				{m.Pose.Pose.Position.X - x, cov[0]}, {m.Pose.Pose.Position.Y - y, cov[7]}, {math.Remainder(got-yaw, 2*math.Pi), cov[35]},
			} {
				if math.Abs(e.err) > 4*math.Sqrt(e.variance)+lever || !(e.variance > 0 && e.variance < 9) {
					t.Errorf("off by %g with variance %g", e.err, e.variance)
				}
			}
		})
	}
}

func TestFramesAndStamps(t *testing.T) {
	d := newDrive(newRig(t, func(c *ekf.Config) {
		givenNode(c)
		c.MapFrame, c.BaseFrame = "field", "robot"
	}))
	d.fixes, d.frame = false, "wheels"
	d.run(1)
	m := poseMessage(epoch+step, 1, 2, 0, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, noHeading}})
	m.Header.FrameID = "field"
	send(d.rig, d.fix, m)
	d.run(5)
	if len(d.filtered) != 5 || len(d.poses) != 5 || len(d.transforms) != 5 {
		t.Fatalf("%d, %d and %d outputs, want 5 each", len(d.filtered), len(d.poses), len(d.transforms))
	}
	for i := range d.filtered {
		stamp := ros.TimeMsg(epoch + int64(i+2)*step)
		o, p, tf := &d.filtered[i], &d.poses[i], &d.transforms[i]
		if o.Header.FrameID != "field" || o.ChildFrameID != "robot" || o.Header.Stamp != stamp {
			t.Errorf("odometry/filtered %q → %q at %v, want field → robot at %v", o.Header.FrameID, o.ChildFrameID, o.Header.Stamp, stamp)
		}
		if p.Header.FrameID != "field" || p.Header.Stamp != stamp || p.Pose != o.Pose {
			t.Errorf("pose %+v, want that of odometry/filtered in field at %v", p, stamp)
		}
		if tf.Header.FrameID != "field" || tf.ChildFrameID != "wheels" || tf.Header.Stamp != stamp {
			t.Errorf("transform %q → %q at %v, want field → wheels at %v", tf.Header.FrameID, tf.ChildFrameID, tf.Header.Stamp, stamp)
		}
	}
}

// mapFromOdom · odomFromBase = mapFromBase, composed here with complex numbers:
// a rotation by θ is the product with e^iθ.
func TestTransformComposes(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	var base []nav_msgs.Odometry
	d.onOdom = func(m *nav_msgs.Odometry) { base = append(base, *m) }
	d.run(200)
	base = base[len(base)-len(d.transforms):]
	if len(base) < 190 {
		t.Fatalf("%d transforms", len(base))
	}
	place := func(x, y float64) complex128 { return complex(x, y) }
	turn := func(q geometry_msgs.Quaternion) complex128 { z := complex(q.W, q.Z); return z * z } // e^iθ out of e^iθ/2
	for i, tf := range d.transforms {
		if n := tf.Transform.Rotation; math.Abs(n.W*n.W+n.Z*n.Z-1) > 1e-12 || n.X != 0 || n.Y != 0 || tf.Transform.Translation.Z != 0 {
			t.Fatalf("transform %d is not planar: %+v", i, tf.Transform)
		}
		o, want := base[i].Pose.Pose, d.filtered[i].Pose.Pose
		rotation := turn(tf.Transform.Rotation)
		at := place(tf.Transform.Translation.X, tf.Transform.Translation.Y) + rotation*place(o.Position.X, o.Position.Y)
		if e := cmplx.Abs(at - place(want.Position.X, want.Position.Y)); e > 1e-9 {
			t.Fatalf("transform %d: the robot comes out %g m off", i, e)
		}
		if e := cmplx.Abs(rotation*turn(o.Orientation) - turn(want.Orientation)); e > 1e-12 {
			t.Fatalf("transform %d: the heading comes out %g off", i, e)
		}
	}
}

func TestNoTransformByParameter(t *testing.T) {
	d := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.PublishTF = false }))
	d.run(50)
	if len(d.filtered) == 0 || len(d.transforms) != 0 {
		t.Errorf("%d poses and %d transforms, want some and none", len(d.filtered), len(d.transforms))
	}
}

func TestNewRefusesABadConfiguration(t *testing.T) {
	for want, change := range map[string]func(*ekf.Config){
		"ZeroPositionStdDev = 101": func(c *ekf.Config) { c.Covariance.ZeroPositionStdDev = 101 },
		`"initial_yaw": given 7`:   func(c *ekf.Config) { c.Filter.InitialYaw = 7 },
		"datum: ":                  func(c *ekf.Config) { c.Datum = []float64{181, 0} },
		"datum has 1 numbers":      func(c *ekf.Config) { c.Datum = []float64{8} },
	} {
		cfg := ekf.DefaultConfig()
		node, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "ekf", ros.NodeOptions{Parameters: cfg.Parameters()})
		must.OK(t, err)
		change(&cfg)
		if _, err = ekf.New(node, &cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	}
}
