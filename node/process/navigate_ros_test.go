// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
)

func byAction(c *simulation.Config) { c.Explorer.Interface = "navigate_to_pose" }

// needAction skips the test where no ROS 2 is sourced that has rclpy, Nav2's
// messages and the middleware.
func needAction(t *testing.T, rmw string) {
	t.Helper()
	if os.Getenv("AMENT_PREFIX_PATH") == "" {
		t.Skip("no ROS 2 is sourced (AMENT_PREFIX_PATH is empty)")
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", "import rclpy, nav2_msgs.action; rclpy.init()")
	cmd.Env = append(os.Environ(), "RMW_IMPLEMENTATION="+rmw, "ROS_LOCALHOST_ONLY=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skipf("the ROS 2 that is sourced has no rclpy, nav2_msgs or %s: %s", rmw, lines[len(lines)-1])
	}
}

// TestMissionByActionOfRclpy has the explorer's goals rejected, aborted, canceled and
// reached by an action server of ROS 2's own, on each of its middlewares, and
// ros2 action see both. One rejection and one aborted goal cost no target.
func TestMissionByActionOfRclpy(t *testing.T) {
	for _, rmw := range []string{"rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"} {
		t.Run(rmw, func(t *testing.T) {
			needAction(t, rmw)
			r := newRobot(t, 10, byAction, func(c *simulation.Config) { c.Explorer.Mission.Budget.Samples = 2 })
			o := r.observe()
			r.start()
			said := r.python(rmw, "navigate.py")
			o.driving()
			o.say("pause")
			o.standing()
			o.say("resume")
			o.finish()
			r.checkActions(rmw)
			r.stop()
			m := r.check()
			if len(m.Skipped) != 0 {
				t.Errorf("%+v is skipped", m.Skipped)
			}
			text := said()
			t.Log("the server said " + strings.Join(strings.Fields(text), " "))
			for _, want := range []string{"rejected\naccepted\naborted\naccepted\n", "asked to cancel\ncanceled\naccepted\n", "accepted\nsucceeded\n"} {
				if !strings.Contains(text, want) {
					t.Errorf("the server has not said %q:\n%s", want, text)
				}
			}
		})
	}
}

// say says pause or resume on ~/command, with each status again until it is done:
// who is matched here may not hear the first message yet.
func (o *observer) say(word string) {
	o.Helper()
	p := rostest.Publisher[std_msgs.String](o.T, o.n, explorer.DefaultName+"/command", ros.DefaultQoS())
	heard := -1
	o.wait("the explorer to "+word, func() bool {
		if heard != o.statuses {
			heard = o.statuses
			o.must(p.Publish(&std_msgs.String{Data: word}))
		}
		return (o.state() == mission.StatePaused) == (word == "pause")
	})
	o.must(p.Close())
}

// surroundings returns the environment of a program of ROS 2 in the robot's graph.
func (r *robot) surroundings(rmw string) []string {
	return []string{"RMW_IMPLEMENTATION=" + rmw, "ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=" + strconv.Itoa(r.domain), "PYTHONDONTWRITEBYTECODE=1"}
}

// python starts a program of testdata, and returns what reads all that it has said
// so far.
func (r *robot) python(rmw, name string) (said func() string) {
	r.Helper()
	log, err := os.Create(r.log(name))
	r.must(err)
	p, err := launcher.Start(launcher.Executable{
		Name: name, Path: "python3", Log: log, Args: []string{filepath.Join("testdata", name)}, Env: r.surroundings(rmw),
	})
	r.must(err)
	r.processes[name] = p
	return func() string {
		text, err := os.ReadFile(r.log(name))
		r.must(err)
		return string(text)
	}
}

// checkActions has ros2 action list the action and its two ends. Its commands look
// around for half a second, which is not always enough.
func (r *robot) checkActions(rmw string) {
	r.Helper()
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"action", "list", "-t"}, []string{"/navigate_to_pose [nav2_msgs/action/NavigateToPose]"}},
		{[]string{"action", "info", "/navigate_to_pose", "-t"}, []string{
			"Action clients: 1", "/ugp_explorer [nav2_msgs/action/NavigateToPose]",
			"Action servers: 1", "/bt_navigator [nav2_msgs/action/NavigateToPose]",
		}},
	} {
		var out []byte
		seen := false
		for try := 0; try < 20 && !seen; try++ {
			cmd := exec.CommandContext(r.Context(), "ros2", c.args...)
			cmd.Env = append(os.Environ(), r.surroundings(rmw)...)
			var err error
			if out, err = cmd.Output(); err != nil {
				r.Fatalf("ros2 %q: %v", c.args, err)
			}
			seen = true
			for _, want := range c.want {
				seen = seen && strings.Contains(string(out), want)
			}
		}
		if !seen {
			r.Errorf("ros2 %s says\n%s, want %q", strings.Join(c.args, " "), out, c.want)
		}
		r.Logf("ros2 %s\n%s", strings.Join(c.args, " "), out)
	}
}
