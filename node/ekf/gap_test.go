package ekf_test

import (
	"math"
	"testing"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
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
