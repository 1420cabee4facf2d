// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

const waiting = "waiting for a pose on /odometry/filtered [nav_msgs/msg/Odometry]"

// Each way in which a topic comes to nothing is said in its own words after five
// seconds, not before, and no more once it is mended.
func TestWatchInput(t *testing.T) {
	good := func(w *watcher) { w.publish("odometry/filtered", ros.DefaultQoS(), 0) }
	for _, c := range []struct {
		name  string
		start int64
		qos   ros.QoS
		fault func(w *watcher) (mend func())
		want  string
	}{
		{"nobody", 0, ros.SensorData(), func(w *watcher) func() {
			return func() { good(w) }
		}, waiting + ": no publisher"},
		{"another name", 0, ros.SensorData(), func(w *watcher) func() {
			for _, topic := range []string{"odom", "/robot1/odometry/filtered", "a", "b"} {
				w.publish(topic, ros.DefaultQoS(), 0)
			}
			return func() { good(w) }
		}, waiting + ": no publisher; /robot1/odometry/filtered, /a, /b and 1 more have that type"},
		{"another type", 0, ros.SensorData(), func(w *watcher) func() {
			p := rostest.Publisher[geometry_msgs.PoseStamped](t, w.other, "odometry/filtered", ros.DefaultQoS())
			w.publish("odometry", ros.DefaultQoS(), 0)
			return func() { p.Close(); good(w) }
		}, waiting + ": /other does not fit: type: the subscription has nav_msgs/msg/Odometry, the publisher has geometry_msgs/msg/PoseStamped; /odometry has that type"},
		{"reliability", 0, ros.DefaultQoS(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.SensorData(), 0)
			return func() { stop(); good(w) }
		}, waiting + ": /other does not fit: reliability: the publisher offers best effort, the subscription asks for reliable"},
		{"durability", 0, ros.Latched(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), 0)
			return func() { stop(); w.publish("odometry/filtered", ros.Latched(), 0) }
		}, waiting + ": /other does not fit: durability: the publisher offers volatile, the subscription asks for transient local"},
		{"silence", 0, ros.SensorData(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), 0)
			w.send = nil
			return func() { stop(); good(w) }
		}, waiting + ": /other is there, but nothing was received"},
		{"garbage", 0, ros.SensorData(), func(w *watcher) func() {
			p, err := ros.AdvertiseRaw(w.other, "odometry/filtered", "nav_msgs/msg/Odometry", "", ros.DefaultQoS())
			must.OK(t, err)
			w.send = func() { p.Publish([]byte{0, 1, 0, 0, 7}, w.ex.Now()) }
			return func() { p.Close(); good(w) }
		}, waiting + ": what /other publishes cannot be decoded"},
		{"refused", 0, ros.SensorData(), func(w *watcher) func() {
			good(w)
			w.refuse = &watch.FrameError{Frame: "odom", Want: "map"}
			return func() { w.refuse = nil }
		}, waiting + `: what /other publishes is refused: it is in the frame "odom", want "map"`},
		{"stamps behind", wallNow, ros.SensorData(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), -37*time.Second)
			return func() { stop(); good(w) }
		}, waiting + " with stamps by this node's clock: those of /other are 37 s behind: a clock is not set, the sender is slow, or a bag is played without --clock"},
		{"stamps ahead", wallNow, ros.SensorData(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), 37*time.Second)
			return func() { stop(); good(w) }
		}, waiting + " with stamps by this node's clock: those of /other are 37 s ahead: a clock is not set"},
		{"stamps of a simulation", wallNow, ros.SensorData(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), 10*time.Second-time.Duration(wallNow))
			return func() { stop(); good(w) }
		}, waiting + " with stamps by this node's clock: those of /other are of a simulation, or of a clock that is not set, but this node uses the wall clock: set use_sim_time on both sides or on neither, or the sender's clock"},
		{"stamps of a simulation that began at the wall clock's time", wallNow, ros.SensorData(), func(w *watcher) func() {
			clock := rostest.Publisher[rosgraph_msgs.Clock](t, w.other, "/clock", ros.DefaultQoS())
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), 37*time.Second)
			return func() { clock.Close(); stop(); good(w) }
		}, waiting + " with stamps by this node's clock: those of /other are 37 s ahead: time on /clock is published, but this node uses the wall clock: set use_sim_time on both sides or on neither"},
		{"stamps of a bag that is played with its clock", wallNow, ros.SensorData(), func(w *watcher) func() {
			clock := rostest.Publisher[rosgraph_msgs.Clock](t, w.other, "/clock", ros.DefaultQoS())
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), -37*time.Second)
			return func() { clock.Close(); stop(); good(w) }
		}, waiting + " with stamps by this node's clock: those of /other are 37 s behind: time on /clock is published, but this node uses the wall clock: set use_sim_time on both sides or on neither"},
		{"stamps of the wall clock, and this computer has none", 0, ros.SensorData(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), time.Duration(wallNow))
			return func() { stop(); good(w) }
		}, waiting + " with stamps by this node's clock: those of /other are 19676 days ahead: a clock is not set"},
		{"no stamps", wallNow, ros.SensorData(), func(w *watcher) func() {
			stop := w.publish("odometry/filtered", ros.DefaultQoS(), 0)
			w.stamp = func() int64 { return 0 }
			return func() { stop(); w.stamp = nil; good(w) }
		}, waiting + " with stamps by this node's clock: those of /other are zero"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWatcher(t, c.start)
			w.expect(c.qos, watch.Expect{})
			mend := c.fault(w)
			w.run(4500 * time.Millisecond)
			w.right("pose")
			w.run(time.Second)
			w.wrong("pose", c.want)
			mend()
			w.run(2 * time.Second)
			w.right("pose")
			if w.said != 2 || strings.Count(w.log.String(), "over: ") != 1 {
				t.Errorf("said %d times, want twice, and that it is over once:\n%s", w.said, w.log.String())
			}
		})
	}
}

// What is wrong is told apart when it changes, and otherwise once a minute.
func TestWatchLog(t *testing.T) {
	w := newWatcher(t, 0)
	w.expect(ros.SensorData(), watch.Expect{})
	w.run(130 * time.Second)
	if n := strings.Count(w.log.String(), "no publisher"); n != 3 {
		t.Fatalf("%d warnings at 5 s, 65 s and 125 s:\n%s", n, w.log.String())
	}
	w.publish("/robot1/odometry/filtered", ros.DefaultQoS(), 0)
	w.run(5 * time.Second)
	w.wrong("pose", waiting+": no publisher; /robot1/odometry/filtered has that type")
	w.refuse = errors.New("x is 1")
	w.publish("odometry/filtered", ros.DefaultQoS(), 0)
	n := 0
	w.in.Want = func() watch.Want { // asked once a second: a reason that changes all the time
		n++
		w.refuse = errors.New("x is " + strings.Repeat("1", n))
		return watch.WantMessages
	}
	w.run(30 * time.Second)
	if n := strings.Count(w.log.String(), "refused: x is 1"); n < 4 || n > 7 {
		t.Errorf("a reason that changes is logged %d times in 30 s, want every 5 s at most:\n%s", n, w.log.String())
	}
}

// A node that wants less is content with less.
func TestWatchWants(t *testing.T) {
	for _, c := range []struct {
		name     string
		want     watch.Want
		publish  bool
		silent   time.Duration
		sentence string
	}{
		{"match", watch.WantMatch, true, 0, ""},
		{"match, nobody", watch.WantMatch, false, 0, waiting + ": no publisher"},
		{"nothing", watch.WantNothing, false, 0, ""},
		{"seldom", watch.WantMessages, true, time.Minute, ""},
		{"often", watch.WantMessages, true, 0, waiting + ": /other is there, but nothing more was received"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWatcher(t, 0)
			w.expect(ros.SensorData(), watch.Expect{Silence: c.silent, Want: func() watch.Want { return c.want }})
			if c.publish {
				w.publish("odometry/filtered", ros.DefaultQoS(), 0)
				w.run(2 * time.Second)
				w.send = nil
			}
			w.run(30 * time.Second)
			if got := w.watch.Text(); got != c.sentence {
				t.Errorf("%q, want %q", got, c.sentence)
			}
			if c.silent > 0 {
				w.run(40 * time.Second)
				w.wrong("pose", waiting+": /other is there, but nothing more was received")
			}
		})
	}
}

// A node that sends nothing says on /diagnostics why, as a filter does whose odometry has wrong stamps. Its reason is quoted while it
// repeats it, and another node's is not.
func TestWatchReasons(t *testing.T) {
	w := newWatcher(t, 0)
	w.expect(ros.SensorData(), watch.Expect{Reasons: true})
	w.publish("odometry/filtered", ros.DefaultQoS(), 0)
	own := rostest.Publisher[diagnostic_msgs.DiagnosticArray](t, w.other, "/diagnostics", ros.DefaultQoS())
	third := rostest.Node(t, w.graph, w.ex, "third", ros.NodeOptions{NoRosout: true})
	others := rostest.Publisher[diagnostic_msgs.DiagnosticArray](t, third, "/diagnostics", ros.DefaultQoS())
	say := func(p *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray], text string) {
		m := diagnostic_msgs.DiagnosticArray{Status: []diagnostic_msgs.DiagnosticStatus{{Message: "all is well"}}}
		if text != "" {
			m.Status = append(m.Status, diagnostic_msgs.DiagnosticStatus{Level: diagnostic_msgs.DiagnosticStatusWarn, Message: text})
		}
		must.OK(t, p.Publish(&m))
	}
	reason, ticks := "the clock of /robot is 30 s behind", 0
	w.send = func() {
		if ticks++; ticks%10 == 0 && reason != "gone" {
			say(own, reason)
			say(others, "the lamp is broken")
		}
	}
	const silent = waiting + ": /other is there, but nothing was received"
	w.run(6 * time.Second)
	w.wrong("pose", silent+"; /other says: the clock of /robot is 30 s behind")
	for _, c := range []struct{ says, want string }{{"", silent}, {"the disk is full", silent + "; /other says: the disk is full"}, {"gone", silent}} {
		reason = c.says
		w.run(7 * time.Second)
		if got := w.watch.Text(); got != c.want {
			t.Errorf("with the reason %q: %q, want %q", c.says, got, c.want)
		}
	}
}
