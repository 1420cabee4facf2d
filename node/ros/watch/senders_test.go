// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch_test

import (
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// Two nodes that send position fixes, on one topic or on both, are named; one that does so twice is not, nor is one that is alone again.
func TestOneSender(t *testing.T) {
	w := newWatcher(t, wallNow)
	fix := rostest.Hear(t, w.node, "fix", ros.SensorData(), func(*sensor_msgs.NavSatFix) {})
	place := rostest.Hear(t, w.node, "fix_pose", ros.SensorData(), func(*geometry_msgs.PoseWithCovarianceStamped) {})
	w.watch.OneSender(watch.Sensor{What: "position fixes", Topics: []*ros.Subscription{place, fix}})
	rover := rostest.Node(t, w.graph, w.ex, "rover", ros.NodeOptions{NoRosout: true})
	want := func(what, text string) {
		t.Helper()
		w.run(12 * time.Second)
		if got := w.watch.Text(); got != text {
			t.Errorf("%s: %q, want %q", what, got, text)
		}
	}
	want("nobody", "")
	rostest.Publisher[sensor_msgs.NavSatFix](t, w.other, "fix", ros.SensorData())
	rostest.Publisher[sensor_msgs.NavSatFix](t, w.other, "fix", ros.SensorData())
	want("one node", "")
	second := rostest.Publisher[sensor_msgs.NavSatFix](t, rover, "fix", ros.SensorData())
	const rest = ", which are treated as those of one sensor: where they disagree, it is unknown where the robot is; let only one of them publish there"
	want("two on one topic", "/other and /rover send position fixes on /fix"+rest)
	second.Close()
	want("one again", "")
	rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](t, rover, "fix_pose", ros.SensorData())
	want("two on both topics", "/other and /rover send position fixes on /fix_pose and /fix"+rest)
}
