// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/inproc"
)

// Stamps that are ahead of their arrival, or older than a robot can be driven by, are bad, with the seconds and the sender.
func TestStampsOfAnotherClock(t *testing.T) {
	for skew, want := range map[time.Duration]string{
		2 * time.Second:         "what /driver publishes is refused: its stamp is 2 s later than its arrival",
		30 * time.Second:        "those of /driver are 30 s ahead",
		-800 * time.Millisecond: "its stamps are 0.8 s older than their arrival, and the follower stops",
		-20 * time.Second:       "those of /driver are 20 s behind",
		-200 * time.Millisecond: "", 0: "",
	} {
		b := newBench(t)
		n := rostest.Node(t, b.graph, b.ex, "driver", ros.NodeOptions{})
		poses := rostest.Publisher[nav_msgs.Odometry](t, n, "odometry/filtered", ros.SensorData())
		_, err := n.NewTimer(50*time.Millisecond, func() {
			var m nav_msgs.Odometry
			m.Header.FrameID, m.Header.Stamp = "map", ros.TimeMsg(n.Now()+int64(skew))
			m.Pose.Pose.Position, m.Pose.Pose.Orientation.W = geometry_msgs.Point{X: 50, Y: 40}, 1
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = 0.01, 0.01, 0.01
			b.must(poses.Publish(&m))
		})
		b.must(err)
		if want == "" {
			b.want(b.examine(), "pose", Good, "nothing is wrong")
		} else {
			b.want(b.examine(), "pose", Bad, want)
		}
	}
}

// With use_sim_time and no /clock no mission can start, and nothing else is judged while the time stands.
func TestNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		graph := inproc.New()
		x := &examiner{cfg: settings.DefaultConfig(), Options: Options{
			Args: []string{"--ros-args", "-p", "use_sim_time:=true", "-p", "field.file:=" + b.field}, Wait: 8 * time.Second,
			OpenTransport: func(string) (ros.Transport, []string, error) { return graph, nil, nil },
		}}
		args, _, err := ros.ParseArgs(x.Args)
		b.must(err)
		x.args = args
		x.options, err = args.NodeOptions(nil)
		b.must(err)
		x.parameters()
		b.must(x.graph(context.Background()))
		by := map[string]Result{}
		for _, f := range x.found {
			by[f.Subject] = f
		}
		b.want(by, "clock", Bad, "waiting for the time on /clock")
		if f, ok := by["pose"]; ok && f.Verdict == Good {
			t.Errorf("the pose is %v: %s", f.Verdict, f.Text)
		}
	})
}

// Velocities for a guard that is not there reach no base.
func TestGuardThatIsNotThere(t *testing.T) {
	b := newBench(t)
	b.robot()
	n := rostest.Node(t, b.graph, b.ex, "follower", ros.NodeOptions{})
	rostest.Publisher[geometry_msgs.Twist](t, n, "cmd_vel_in", ros.DefaultQoS())
	b.want(b.examine(), "guard", Bad, "/follower publishes velocities on /cmd_vel_in, and no guard subscribes to them")
}

// Parameters that are bad are not good as well, although the rest is examined with those that the doctor suggests.
func TestParametersAreBadOrGood(t *testing.T) {
	b := newBench(t)
	b.must(os.WriteFile(b.field, []byte(`{"type": "Polygon", "coordinates": [[[8.047, 52.272], [8.049, 52.272], [8.049, 52.273], [8.047, 52.273], [8.047, 52.272]]]}`), 0o666))
	found, err := Examine(t.Context(), Options{Args: []string{"--ros-args", "-p", "field.file:=" + b.field}, Wait: 7 * time.Second, executor: b.ex,
		OpenTransport: func(string) (ros.Transport, []string, error) { return shared{b.graph}, nil, nil }})
	b.must(err)
	bad := 0
	for _, f := range found {
		if f.Subject == "parameters" && f.Verdict == Good {
			t.Errorf("good: %s", f.Text)
		} else if f.Subject == "parameters" {
			bad++
		}
	}
	if bad == 0 {
		t.Errorf("the parameters are not bad: %+v", found)
	}
}
