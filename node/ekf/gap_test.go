package ekf_test

import (
	"math"
	"testing"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// Five seconds without odometry and fixes lose nothing when the odometry's pose is
// used. When its velocity is used they lose the heading, since the turn is unknown.
func TestGapInOdometry(t *testing.T) {
	for source, lost := range map[string]bool{"pose": false, "twist": true} {
		t.Run(source, func(t *testing.T) {
			d := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.Odometry = source }))
			d.run(400)
			d.k += 100
			before := len(d.filtered)
			d.run(30)
			poses := len(d.filtered) - before
			if lost {
				if poses > 1 {
					t.Errorf("%d poses after the gap, want none: the heading is unknown", poses)
				}
				return
			}
			if poses != 30 {
				t.Fatalf("%d poses in 30 steps after the gap", poses)
			}
			x, y, yaw := along(d.k-1, startX, startY, startYaw)
			got := &d.filtered[len(d.filtered)-1].Pose
			gotYaw, err := convert.Yaw(got.Pose.Orientation)
			d.must(err)
			if off := math.Hypot(got.Pose.Position.X-x, got.Pose.Position.Y-y); off > 1.5 {
				t.Errorf("the robot is at (%.2f, %.2f), %.2f m from where it is believed", x, y, off)
			}
			if off := math.Abs(math.Remainder(gotYaw-yaw, 2*math.Pi)); off > 0.2 {
				t.Errorf("the heading is off by %.2f rad", off)
			}
		})
	}
}

// Odometry that comes up to 3 s late, among newer odometry, leads to the same poses as odometry that
// comes in time, and neither poses nor transforms of the past are published.
func TestLateOdometry(t *testing.T) {
	for source, tolerance := range map[string]float64{"pose": 1e-9, "twist": 1e-9} {
		d := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.Odometry = source }))
		prompt := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.Odometry = source }))
		prompt.run(400)
		var late []nav_msgs.Odometry
		d.sendOdom = func(m nav_msgs.Odometry) {
			if k := d.k; k >= 200 && k < 300 && k%10 > 0 {
				late = append(late, m)
			} else {
				send(d.rig, d.odom, m)
			}
			if d.k >= 260 && len(late) > 0 {
				send(d.rig, d.odom, late[0])
				late = late[1:]
			}
		}
		d.run(400)
		if len(late) > 0 {
			t.Fatalf("%d messages were not sent", len(late))
		}
		if a, b := prompt.filtered[len(prompt.filtered)-1], d.filtered[len(d.filtered)-1]; a.Header.Stamp != b.Header.Stamp ||
			math.Abs(a.Pose.Pose.Position.X-b.Pose.Pose.Position.X) > tolerance || math.Abs(a.Pose.Pose.Orientation.Z-b.Pose.Pose.Orientation.Z) > tolerance ||
			math.Abs(a.Pose.Covariance[0]-b.Pose.Covariance[0]) > tolerance || math.Abs(a.Pose.Covariance[35]-b.Pose.Covariance[35]) > tolerance {
			t.Errorf("odometry's %s: %+v, want %+v", source, b, a)
		}
		for i := 1; i < len(d.filtered); i++ {
			if a, b := ros.TimeNs(d.filtered[i-1].Header.Stamp), ros.TimeNs(d.filtered[i].Header.Stamp); b <= a {
				t.Fatalf("odometry's %s: a pose of %d ns after one of %d ns", source, b, a)
			}
		}
		for i, m := range d.transforms { // odometry is exact, so the transform is constant but for the fixes' errors
			if x, y := m.Transform.Translation.X, m.Transform.Translation.Y; i > 150 && math.Hypot(x-d.transforms[i-1].Transform.Translation.X, y-d.transforms[i-1].Transform.Translation.Y) > 2 {
				t.Fatalf("odometry's %s: the transform jumps", source)
			}
		}
	}
}

// Odometry whose pose is not filled in is refused before the filter believes that the
// robot stands. Odometry of a robot that really stands is accepted.
func TestPoseThatStands(t *testing.T) {
	d := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.Odometry = "pose" }))
	d.run(50)
	x, y, yaw := along(d.k, odomX, odomY, odomYaw0)
	poses := len(d.filtered)
	for range 60 {
		d.runTo(epoch + int64(d.k+1)*step)
		send(d.rig, d.odom, odometry(d.ex.Now(), x, y, yaw, 0, 0))
		d.k++
	}
	if got := len(d.filtered) - poses; got != 60 {
		t.Errorf("%d of 60 odometries of a robot that stands were used", got)
	}
	poses = len(d.filtered)
	for range 40 {
		d.runTo(epoch + int64(d.k+1)*step)
		m := odometry(d.ex.Now(), x, y, yaw, speed, 0)
		send(d.rig, d.odom, m)
		d.k++
	}
	if got := len(d.filtered) - poses; got < 10 || got > 22 {
		t.Errorf("%d of 40 odometries whose pose stands were used, want those of the first metre", got)
	}
	d.mustLog("set the parameter odometry to twist")
}
