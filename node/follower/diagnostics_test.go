package follower_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
)

// diagnoses returns the newest status of each name on /diagnostics.
func (w *world) diagnoses() map[string]diagnostic_msgs.DiagnosticStatus {
	w.t.Helper()
	heard := map[string]diagnostic_msgs.DiagnosticStatus{}
	_, err := ros.Subscribe(w.test, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros.MessageInfo) {
		for _, s := range m.Status {
			heard[strings.TrimPrefix(s.Name, "follower: ")] = s
		}
	})
	w.must(err)
	return heard
}

// A missing input is reported in the log and on /diagnostics after a few seconds, and no
// longer once it has returned.
func TestFaultsAreSaid(t *testing.T) {
	const pose = "waiting for a pose on /odometry/filtered [nav_msgs/msg/Odometry]"
	for _, c := range []struct {
		name, status string
		change       func(*follower.Config)
		fault        func(w *world) (mend func())
		want         string
	}{
		{"poses in another frame", "pose", nil, func(w *world) func() {
			w.frame = "odom"
			return func() { w.frame = "map" }
		}, pose + `: what /test publishes is refused: it is in the frame "odom", and "map" is wanted`},
		{"a robot of another type", "velocity", func(c *follower.Config) { c.Stamped = true }, func(w *world) func() {
			w.must(w.wheels.Close())
			other, err := ros.Subscribe(w.test, "cmd_vel", ros.DefaultQoS(), func(*geometry_msgs.Twist, ros.MessageInfo) {})
			w.must(err)
			return func() { w.must(other.Close()); w.hear() }
		}, "nobody listens to the velocity on /cmd_vel [geometry_msgs/msg/TwistStamped]: /test does not fit: type: " +
			"the publisher has geometry_msgs/msg/TwistStamped, the subscription has geometry_msgs/msg/Twist"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.change)
			heard := w.diagnoses()
			w.run(time.Second)
			w.follow([2]float64{1000, 0})
			w.run(10 * time.Second)
			if log := w.log.String(); strings.Contains(log, "WARN") || heard["path"].Message != "tracking" || heard["path"].Level != 0 || len(heard) != 4 {
				t.Fatalf("all is well, and /diagnostics says %+v, the log\n%s", heard, log)
			}
			mend := c.fault(w)
			w.run(8 * time.Second)
			if d := heard[c.status]; d.Message != c.want || d.Level != diagnostic_msgs.DiagnosticStatusWarn {
				t.Errorf("/diagnostics says of the %s %+v,\nwant %s", c.status, d, c.want)
			}
			if log := w.log.String(); !strings.Contains(log, `level=WARN msg="`+strings.ReplaceAll(c.want, `"`, `\"`)) {
				t.Errorf("the log lacks %s:\n%s", c.want, log)
			}
			if stale := c.status == "pose"; stale != (heard["path"].Level == diagnostic_msgs.DiagnosticStatusWarn) {
				t.Errorf("/diagnostics says of the path %+v", heard["path"])
			}
			mend()
			w.run(5 * time.Second)
			for name, d := range heard {
				if d.Level != diagnostic_msgs.DiagnosticStatusOK {
					t.Errorf("after the fault /diagnostics says of the %s %+v", name, d)
				}
			}
		})
	}
}

// A robot that is told to drive while its position stays is not well: /diagnostics and the
// log say so, until it moves again.
func TestHeldRobotIsSaid(t *testing.T) {
	w := newWorld(t, nil)
	heard := w.diagnoses()
	w.follow(straight...)
	w.run(10 * time.Second)
	if path := heard["path"]; path.Level != diagnostic_msgs.DiagnosticStatusOK || path.Message != "tracking" {
		t.Fatalf("%+v while the robot drives", path)
	}
	at := [2]float64{w.x, w.y}
	w.eachTick = func() { w.shift = [2]float64{at[0] - w.x, at[1] - w.y} } // the wheels turn, the position stays
	w.run(10 * time.Second)
	if path := heard["path"]; path.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(path.Message, "tracking; the robot does not move: it was told to drive") {
		t.Errorf("%+v after ten seconds against a wall", path)
	}
	if n := strings.Count(w.log.String(), "the robot does not move"); n != 1 {
		t.Errorf("the log says it %d times, want once:\n%s", n, &w.log)
	}
	last := w.shift
	w.eachTick = func() { w.shift = last }
	w.run(5 * time.Second)
	if path := heard["path"]; path.Level != diagnostic_msgs.DiagnosticStatusOK {
		t.Errorf("%+v when it drives again", path)
	}
}
