// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"math"
	"testing"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

// Sensor messages without covariances come once more with them, and are otherwise the same.
func TestCovariances(t *testing.T) {
	f := newFollowed(t, func(c *fieldsim.Config) { c.PublishFix, c.PublishCovariances = false, true })
	var odom []heard[nav_msgs.Odometry]
	var imu []heard[sensor_msgs.Imu]
	var fix []heard[sensor_msgs.NavSatFix]
	hear(f.rig, "odom_with_covariance", &odom)
	hear(f.rig, "imu_with_covariance", &imu)
	hear(f.rig, "fix_with_covariance", &fix)
	odomOut := rostest.Publisher[nav_msgs.Odometry](f.t, f.test, "odom", ros.DefaultQoS())
	imuOut := rostest.Publisher[sensor_msgs.Imu](f.t, f.test, "imu", ros.DefaultQoS())
	fixOut := rostest.Publisher[sensor_msgs.NavSatFix](f.t, f.test, "fix", ros.DefaultQoS())

	var o nav_msgs.Odometry
	o.Header.Stamp, o.Header.FrameID, o.ChildFrameID = ros.TimeMsg(epoch), "odom", "base_link"
	o.Pose.Pose.Position.X, o.Twist.Twist.Linear.X = 7, 1.25
	f.must(odomOut.Publish(&o))
	var i sensor_msgs.Imu
	i.Header.Stamp, i.Header.FrameID = ros.TimeMsg(epoch), "sampler/base_link/imu"
	i.AngularVelocity.Z = 0.5
	f.must(imuOut.Publish(&i))
	var n sensor_msgs.NavSatFix
	n.Header.Stamp, n.Header.FrameID, n.Latitude, n.Longitude = ros.TimeMsg(epoch), "sampler/base_link/navsat", 52.001, 8.499
	f.must(fixOut.Publish(&n))
	n.PositionCovariance[0], n.Altitude = 25, math.NaN() // a receiver that knows its errors but no height
	f.must(fixOut.Publish(&n))
	f.run(0)

	if len(odom) != 1 || len(imu) != 1 || len(fix) != 2 {
		t.Fatalf("%d, %d and %d messages, want 1, 1 and 2", len(odom), len(imu), len(fix))
	}
	is := func(got, want float64) bool { return math.Abs(got-want) < 1e-12 }
	if got := odom[0].m; !is(got.Twist.Covariance[0], 0.0025) || !is(got.Twist.Covariance[7], 0.0025) || !is(got.Twist.Covariance[35], 0.01) ||
		got.Header != o.Header || got.ChildFrameID != "base_link" || got.Pose.Pose != o.Pose.Pose || got.Twist.Twist != o.Twist.Twist {
		t.Errorf("odometry %+v", got)
	}
	if got := imu[0].m; !is(got.AngularVelocityCovariance[8], 1e-4) || got.OrientationCovariance[0] != -1 || got.Header.FrameID != "base_link" || got.AngularVelocity != i.AngularVelocity {
		t.Errorf("IMU %+v", got)
	}
	if got := fix[0].m; got.PositionCovariance[0] != 1 || got.PositionCovariance[4] != 1 || got.PositionCovarianceType == 0 ||
		got.Header.FrameID != "gps_antenna" || got.Latitude != n.Latitude || got.Longitude != n.Longitude {
		t.Errorf("fix %+v", got)
	}
	if got := fix[1].m; got.PositionCovariance != n.PositionCovariance || got.Altitude != 0 {
		t.Errorf("the fix's own covariance became %v, its height %g m", got.PositionCovariance, got.Altitude)
	}
}
