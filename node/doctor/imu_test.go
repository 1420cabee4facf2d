// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// A filter whose IMU lies on its side says so before the start, and the mission can start without it. An IMU that is upright is not spoken of.
func TestImuOnItsSide(t *testing.T) {
	for name, c := range map[string]struct{ y, z float64 }{"upright": {0, 9.8}, "on its side": {9.7, 0.3}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.robot()
			cfg := ekf.DefaultConfig()
			n := b.filter(cfg)
			imu := rostest.Publisher[sensor_msgs.Imu](t, n, "imu", ros.SensorData())
			odom := rostest.Publisher[nav_msgs.Odometry](t, n, "odom", ros.SensorData())
			_, err := n.NewTimer(50*time.Millisecond, func() {
				var o nav_msgs.Odometry
				var m sensor_msgs.Imu
				o.Header.Stamp, m.Header.Stamp = ros.TimeMsg(n.Now()), ros.TimeMsg(n.Now())
				o.Pose.Pose.Orientation.W = 1
				m.LinearAcceleration.Y, m.LinearAcceleration.Z = c.y, c.z
				b.must(odom.Publish(&o))
				b.must(imu.Publish(&m))
			})
			b.must(err)
			b.must(b.ex.RunTo(t.Context(), b.ex.Now()+int64(12*time.Second)))
			by := b.examine()
			if c.y == 0 {
				if f, ok := by["imu"]; ok {
					t.Errorf("%+v", f)
				}
				return
			}
			b.want(by, "imu", Note, "gravity is along its y axis")
		})
	}
}
