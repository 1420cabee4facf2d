// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// Odometry that comes up to 3 s late, among newer odometry, is not used: no pose of the past is published, and neither pose nor transform
// jumps.
func TestLateOdometry(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
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
	if n, err := strconv.Atoi(d.diagnostics[len(d.diagnostics)-1].values["odometry stale"]); err != nil || n < 80 {
		t.Errorf("%d messages came late, %v", n, err)
	}
	for i := 1; i < len(d.filtered); i++ {
		if a, b := ros.TimeNs(d.filtered[i-1].Header.Stamp), ros.TimeNs(d.filtered[i].Header.Stamp); b <= a {
			t.Fatalf("a pose of %d ns after one of %d ns", b, a)
		}
	}
	for i, m := range d.transforms { // odometry is exact, so the transform is constant but for the fixes' errors
		if x, y := m.Transform.Translation.X, m.Transform.Translation.Y; i > 150 && math.Hypot(x-d.transforms[i-1].Transform.Translation.X, y-d.transforms[i-1].Transform.Translation.Y) > 2 {
			t.Fatal("the transform jumps")
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

// Odometry whose pose is empty says what to do about it, and not only that an orientation of zero is none.
func TestEmptyPose(t *testing.T) {
	d := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.Odometry = "pose" }))
	d.run(10)
	m := odometry(d.ex.Now()+step, 0, 0, 0, speed, 0)
	m.Pose.Pose = geometry_msgs.Pose{}
	d.runTo(d.ex.Now() + step)
	send(d.rig, d.odom, m)
	d.run(1)
	d.mustLog("the odometry's pose is empty, its orientation, too", "set the parameter odometry to twist")
}

// Odometry and fixes without a stamp, or from a clock that is not set, are refused. The
// filter would take them for time that was set back, or for years without odometry.
func TestStrayStamps(t *testing.T) {
	for _, source := range []string{"pose", "twist"} {
		d := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.Odometry = source }))
		d.run(100)
		before := len(d.filtered)
		const steps = 300
		for k := range steps {
			d.run(1)
			stamp := []int64{0, math.MaxInt32 * int64(time.Second), d.ex.Now() + int64(2*time.Minute)}[k%3]
			send(d.rig, d.odom, odometry(stamp, 0, 0, 0, 0, 0))
			send(d.rig, d.fix, poseMessage(stamp, 1000, 1000, 0, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}))
		}
		if got := len(d.filtered) - before; got != steps {
			t.Errorf("odometry's %s: %d poses in %d steps", source, got, steps)
		}
		x, y, _ := along(d.k-1, startX, startY, startYaw)
		at := d.filtered[len(d.filtered)-1].Pose.Pose.Position
		if off := math.Hypot(at.X-x, at.Y-y); !(off < 1.5) {
			t.Errorf("odometry's %s: the robot is at (%.2f, %.2f), %.2f m from where it is believed", source, x, y, off)
		}
		d.mustLog("its stamp is zero")
	}
}
