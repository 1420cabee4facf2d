// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch_test

import (
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// Two nodes that send position fixes, on one topic or on both, are named; one that does so twice is not, nor is one that is alone again.
func TestOneSender(t *testing.T) {
	w := newWatcher(t, wallNow)
	heard, unusable := 0, false
	var fix *ros.Subscription
	fix = rostest.Hear(t, w.node, "fix", ros.SensorData(), func(*sensor_msgs.NavSatFix) {
		if heard++; unusable {
			fix.Disown()
		}
	})
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
	first := rostest.Publisher[sensor_msgs.NavSatFix](t, w.other, "fix", ros.SensorData())
	second = rostest.Publisher[sensor_msgs.NavSatFix](t, rover, "fix", ros.SensorData())
	const used = "/other and /rover send position fixes on /fix, and only those of /other are used while it is there: let only one of them publish there"
	// hears sends fixes of some publishers in turn, for a while, and returns how many of each are heard.
	hears := func(period, span time.Duration, from ...*ros.Publisher[sensor_msgs.NavSatFix, *sensor_msgs.NavSatFix]) (n []int) {
		n = make([]int, len(from))
		for at := time.Duration(0); at < span; at += period {
			for i, p := range from {
				before := heard
				must.OK(t, p.Publish(&sensor_msgs.NavSatFix{}))
				w.run(period / time.Duration(len(from)))
				n[i] += heard - before
			}
		}
		return n
	}
	if n := hears(100*time.Millisecond, 20*time.Second, first, second); n[0] != 200 || n[1] != 0 {
		t.Errorf("of two publishers %v messages are heard, want those of the first", n)
	}
	if got := w.watch.Text(); got != used {
		t.Errorf("two that send: %q, want %q", got, used)
	}
	if n := hears(100*time.Millisecond, 20*time.Second, second); n[0] != 0 {
		t.Errorf("of the second %d of 200 messages are heard while the first is silent, want none", n[0])
	}
	again := rostest.Publisher[sensor_msgs.NavSatFix](t, w.other, "fix", ros.SensorData()) // as if the node had been killed
	if n := hears(100*time.Millisecond, 20*time.Second, again, second); n[0] < 165 || n[1] != 0 {
		t.Errorf("of a node that was killed and started again, and of the second, %v of 200 messages are heard, want all of the first", n)
	}
	again.Close()
	if n := hears(10*time.Second, 200*time.Second, second, first); n[0] != 0 || n[1] != 20 {
		t.Errorf("of two that send each 10 s %v messages are heard, want those of one", n)
	}
	unusable = true
	if n := hears(100*time.Millisecond, time.Second, second, first); n[0] != 0 || n[1] != 10 {
		t.Errorf("of one that can be used, and one that cannot be used any more, %v messages are heard, want those of the latter", n)
	}
	first.Close()
	first = rostest.Publisher[sensor_msgs.NavSatFix](t, w.other, "fix", ros.SensorData())
	w.run(40 * time.Second)
	if n := hears(100*time.Millisecond, time.Second, second, first); n[0] != 10 || n[1] != 10 {
		t.Errorf("of two that could never be used %v messages are heard, want both", n)
	}
	second.Close()
	first.Close()
	rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](t, rover, "fix_pose", ros.SensorData())
	want("two on both topics", "/other and /rover send position fixes on /fix_pose and /fix"+rest)
}
