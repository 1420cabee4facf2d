// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

// A robot that was told to drive and has not moved for 15 s is a fault that names who is silent, and no sample is taken where
// it stands. After a resume it drives.
func TestRobotThatDoesNotMove(t *testing.T) {
	type twist = geometry_msgs.Twist
	for name, c := range map[string]struct {
		graph func(t *testing.T, n *ros.Node)
		want  string
	}{
		"nothing publishes velocities": {func(*testing.T, *ros.Node) {}, "nothing publishes velocities on /cmd_vel"},
		"no guard": {func(t *testing.T, n *ros.Node) {
			rostest.Publisher[twist](t, n, "cmd_vel_in", ros.DefaultQoS())
		}, "/follower publishes velocities on /cmd_vel_in, and no guard subscribes to them"},
		"no base": {func(t *testing.T, n *ros.Node) {
			rostest.Publisher[twist](t, n, "cmd_vel", ros.DefaultQoS())
		}, "nothing subscribes to the velocities of /follower on /cmd_vel"},
		"a base that is off": {func(t *testing.T, n *ros.Node) {
			rostest.Publisher[twist](t, n, "cmd_vel", ros.DefaultQoS())
			rostest.Hear(t, n, "cmd_vel", ros.DefaultQoS(), func(*twist) {})
		}, "/follower should drive the robot with velocities on /cmd_vel to /follower"},
		"a base behind a guard": {func(t *testing.T, n *ros.Node) {
			for _, topic := range []string{"cmd_vel_in", "cmd_vel"} {
				rostest.Publisher[twist](t, n, topic, ros.DefaultQoS())
				rostest.Hear(t, n, topic, ros.DefaultQoS(), func(*twist) {})
			}
		}, "/follower, through /follower, should drive the robot with velocities on /cmd_vel to /follower: check what these and the localisation report"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, small())
			follower := rostest.Node(t, w.graph, w.ex, "follower", ros.NodeOptions{NoRosout: true})
			if name != "no guard" { // which is missed before the start, too
				c.graph(t, follower)
			}
			w.stuck = true
			w.start()
			if name == "no guard" {
				c.graph(t, follower)
			}
			w.state(mission.StateTravelling)
			from := w.ex.Now()
			w.state(mission.StateFault)
			if passed := time.Duration(w.ex.Now() - from); passed < 14*time.Second || passed > 17*time.Second {
				t.Errorf("the fault comes after %v", passed)
			}
			if text := w.explorer.Status(); !strings.Contains(text, "has not moved for 15 s: "+c.want) {
				t.Errorf("the status is %q, want %q", text, c.want)
			}
			if w.run(time.Minute); len(w.observations) > 0 {
				t.Errorf("%d samples where the robot stands", len(w.observations))
			}
			w.stuck = false
			if name == "no guard" {
				if done, text := w.call("resume"); done || !strings.Contains(text, c.want) {
					t.Errorf("resume: %v %q", done, text)
				}
				return
			}
			w.do("resume")
			w.until("a sample", func() bool { return len(w.observations) > 0 })
		})
	}
}

// The status says who stops the robot, and in which state each input is; what a fault says already it does not say twice.
func TestWhoStopsTheRobot(t *testing.T) {
	const nobody, person, itself, guarded = ugp_explorer_msgs.MissionStatusStoppedByNobody, ugp_explorer_msgs.MissionStatusStoppedByPerson,
		ugp_explorer_msgs.MissionStatusStoppedByMission, ugp_explorer_msgs.MissionStatusStoppedByGuard
	w := newWorld(t, small())
	guard := advertise[ugp_explorer_msgs.GuardStatus](w, "guard/status", ros.Latched())
	said := ugp_explorer_msgs.GuardStatus{State: ugp_explorer_msgs.GuardStatusStatePasses, Text: "passes commands on"}
	gone := false
	_, err := w.node.NewTimer(time.Second, func() {
		if !gone {
			w.must(guard.Publish(&said))
		}
	})
	w.must(err)
	w.stuck = true
	stopped := func(what, by string, commands ...string) {
		t.Helper()
		if w.run(2 * time.Second); w.status.StoppedBy != by || !slices.Equal(w.status.Commands, commands) {
			t.Errorf("%s: stopped by %s, commands %v: %s", what, w.status.StoppedBy, w.status.Commands, w.status.Text)
		}
	}
	once := func(words string) {
		t.Helper()
		if n := strings.Count(w.status.Text, words); n != 1 {
			t.Errorf("%q is said %d times: %s", words, n, w.status.Text)
		}
	}
	stopped("before the start", nobody, "start")
	w.start()
	w.state(mission.StateTravelling)
	stopped("on the way", nobody, "pause", "home", "skip", "stop")
	said = ugp_explorer_msgs.GuardStatus{
		State: ugp_explorer_msgs.GuardStatusStateHolds, Reason: ugp_explorer_msgs.GuardStatusReasonNoFix, Level: ugp_explorer_msgs.GuardStatusLevelWarn, Text: "holds the robot: position fixes have",
	}
	stopped("with a guard that holds it", guarded, "pause", "home", "skip", "stop")
	w.do("pause")
	stopped("in a pause", person, "resume", "home", "skip", "stop")
	said = ugp_explorer_msgs.GuardStatus{State: ugp_explorer_msgs.GuardStatusStatePasses, Text: "passes commands on"}
	w.run(2 * time.Second)
	w.do("resume")
	w.noPoses = true
	w.state(mission.StateFault)
	w.run(8 * time.Second)
	stopped("without poses", itself, "pause", "home", "stop")
	once("waiting for a pose")
	if in := w.status.Inputs[0]; in.Name != sense.PoseCheck || in.State != ugp_explorer_msgs.InputStatusStateSilent || in.Publishers != 1 {
		t.Errorf("the input is %+v", in)
	}
	w.noPoses = false
	w.state(mission.StateTravelling)
	gone = true
	w.state(mission.StateFault)
	w.run(5 * time.Second)
	stopped("without its guard", guarded, "resume", "home", "stop")
	for _, command := range []string{"resume", "home"} {
		if done, text := w.call(command); done || !strings.Contains(text, "the guard has been silent") {
			t.Errorf("%s without a guard: %v %q", command, done, text)
		}
	}
	once("the guard has been silent")
	once("call ~/resume to continue")
}
