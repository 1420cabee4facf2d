// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// What a filter says of a receiver whose clock is off is told before the start, although there is a pose. A filter that is content is not
// spoken of.
func TestFilterThatComplains(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"right": 0, "ahead": 18 * time.Second} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.robot()
			cfg := ekf.DefaultConfig()
			cfg.Heading = "given"
			n := b.filter(cfg)
			fix := rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](t, n, "fix_pose", ros.SensorData())
			odom := rostest.Publisher[nav_msgs.Odometry](t, n, "odom", ros.SensorData())
			_, err := n.NewTimer(50*time.Millisecond, func() {
				var o nav_msgs.Odometry
				var m geometry_msgs.PoseWithCovarianceStamped
				o.Header.Stamp, m.Header.Stamp = ros.TimeMsg(n.Now()), ros.TimeMsg(n.Now()+int64(ahead))
				o.Pose.Pose.Orientation.W, m.Pose.Pose.Orientation.W = 1, 1
				m.Header.FrameID, m.Pose.Covariance[0], m.Pose.Covariance[7] = "map", 0.04, 0.04
				b.must(odom.Publish(&o))
				b.must(fix.Publish(&m))
			})
			b.must(err)
			by := b.examine()
			if ahead == 0 {
				if f, ok := by["localisation"]; ok {
					t.Errorf("%+v", f)
				}
				return
			}
			b.want(by, "localisation", Note, "the stamps of the fixes on fix_pose are 18 s ahead of this computer's clock")
			b.want(by, "pose", Good, "nothing is wrong")
		})
	}
}
