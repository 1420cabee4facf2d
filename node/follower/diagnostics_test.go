package follower_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
)

// A missing input is reported in the log and on /diagnostics after a few seconds, and no
// longer once it has returned.
func TestFaultsAreSaid(t *testing.T) {
	const pose, plan = "waiting for a pose on /odometry/filtered [nav_msgs/msg/Odometry]", "waiting for a goal on /plan [nav_msgs/msg/Path]"
	for _, c := range []struct {
		name, status string
		change       func(*follower.Config)
		fault        func(w *world) (mend func())
		want         string
	}{
		{"silent localisation", "pose", nil, func(w *world) func() {
			w.silent = true
			return func() { w.silent = false }
		}, pose + ": /test is there, but nothing more was received"},
		{"poses in another frame", "pose", nil, func(w *world) func() {
			w.frame = "odom"
			return func() { w.frame = "map" }
		}, pose + `: what /test publishes is refused: it is in the frame "odom", and "map" is wanted`},
		{"no explorer", "goal", nil, func(w *world) func() {
			w.repeat = nil
			w.must(w.plans.Close())
			other, err := ros.Advertise[nav_msgs.Path](w.test, "/robot1/plan", ros.DefaultQoS())
			w.must(err)
			return func() {
				w.must(other.Close())
				w.plans, err = ros.Advertise[nav_msgs.Path](w.test, "plan", ros.DefaultQoS())
				w.must(err)
			}
		}, plan + ": no publisher; /robot1/plan has that type"},
		{"goals in another frame", "goal", nil, func(w *world) func() {
			w.repeat = func() { w.sendPlan("odom", [2]float64{1, 1}) }
			return func() { w.follow([2]float64{1, 1}) }
		}, plan + `: what /test publishes is refused: it is in the frame "odom", and "map" is wanted`},
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
			heard := map[string]diagnostic_msgs.DiagnosticStatus{}
			_, err := ros.Subscribe(w.test, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros.MessageInfo) {
				for _, s := range m.Status {
					heard[strings.TrimPrefix(s.Name, "follower: ")] = s
				}
			})
			w.must(err)
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
