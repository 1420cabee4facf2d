// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// bench is a graph in simulated time, with a field to explore.
type bench struct {
	*testing.T
	graph *inproc.Transport
	ex    *exec.Simulated
	field string
	quiet bool    // the probe publishes nothing
	at    float64 // x of the robot, m
	known float64 // standard deviation of its position, m
	wait  time.Duration
}

func newBench(t *testing.T) *bench {
	b := &bench{t, inproc.New(), exec.NewSimulated(1.7e18), filepath.Join(t.TempDir(), "field.geojson"), false, 50, 0.1, 7 * time.Second}
	b.must(os.WriteFile(b.field, []byte(`{"type": "Polygon", "coordinates": [[[0, 0], [100, 0], [100, 80], [0, 80], [0, 0]]]}`), 0o666))
	return b
}

func (b *bench) must(err error) {
	b.Helper()
	must.OK(b, err)
}

// robot adds a node that has all that an explorer needs.
func (b *bench) robot() {
	b.Helper()
	n, err := ros.NewNode(b.graph, b.ex, "robot", ros.NodeOptions{})
	b.must(err)
	odometry := rostest.Publisher[nav_msgs.Odometry](b.T, n, "odometry/filtered", ros.SensorData())
	reading := rostest.Publisher[std_msgs.Float64](b.T, n, "moisture", ros.SensorData())
	_, err = ros.Subscribe(n, "goal_pose", ros.DefaultQoS(), func(*geometry_msgs.PoseStamped, ros.MessageInfo) {
		b.Error("the doctor sent a goal")
	})
	b.must(err)
	_, err = n.NewTimer(50*time.Millisecond, func() {
		var m nav_msgs.Odometry
		m.Header.FrameID, m.ChildFrameID, m.Header.Stamp = "map", "base_link", ros.TimeMsg(n.Now())
		m.Pose.Pose.Position = geometry_msgs.Point{X: b.at, Y: 40}
		m.Pose.Pose.Orientation.W = 1
		m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = b.known*b.known, b.known*b.known, 0.01
		b.must(odometry.Publish(&m))
		if !b.quiet {
			b.must(reading.Publish(&std_msgs.Float64{Data: 1}))
		}
	})
	b.must(err)
}

// filter adds the package's filter, and returns a node that publishes its inputs.
func (b *bench) filter(cfg ekf.Config) *ros.Node {
	b.Helper()
	node := rostest.Node(b, b.graph, b.ex, ekf.DefaultName, ros.NodeOptions{Namespace: "/other", Parameters: cfg.Parameters()})
	_, err := ekf.New(node, &cfg)
	b.must(err)
	return rostest.Node(b, b.graph, b.ex, "sensors", ros.NodeOptions{Namespace: "/other"})
}

// examine returns what the doctor finds, by subject; the worse finding where there are several.
func (b *bench) examine(args ...string) map[string]Result {
	b.Helper()
	args = append([]string{"--ros-args", "-p", "field.file:=" + b.field, "-r", "reading:=moisture", "-p", "reading.type:=Float64", "-p", "reading.stddev:=0.1"}, args...)
	found, err := Examine(b.Context(), Options{
		Args: args, Wait: b.wait, executor: b.ex,
		OpenTransport: func(string) (ros.Transport, []string, error) { return shared{b.graph}, nil, nil },
	})
	b.must(err)
	by := map[string]Result{}
	for _, f := range found {
		b.Logf("%v %s: %s", f.Verdict, f.Subject, f.Text)
		if old, ok := by[f.Subject]; !ok || f.Verdict > old.Verdict {
			by[f.Subject] = f
		}
	}
	return by
}

// shared is a transport that others continue using.
type shared struct{ ros.Transport }

func (shared) Close() error { return nil }

func (b *bench) want(by map[string]Result, subject string, v Verdict, text string) {
	b.Helper()
	if f, ok := by[subject]; !ok || f.Verdict != v || !strings.Contains(f.Text, text) {
		b.Errorf("%s: %+v, want %v with %q", subject, f, v, text)
	}
}

func TestRobotThatCanStart(t *testing.T) {
	b := newBench(t)
	b.robot()
	dir := t.TempDir()
	by := b.examine("-p", "output_dir:="+filepath.Join(dir, "new", "mission"))
	for subject, f := range by {
		if f.Verdict == Bad {
			t.Errorf("%s: %s", subject, f.Text)
		}
	}
	b.want(by, "pose", Good, "nothing is wrong")
	b.want(by, "reading", Good, "nothing is wrong")
	b.want(by, "driver", Good, "/robot drives to the goals on /goal_pose")
	b.want(by, "graph", Good, "found /robot")
	b.want(by, "disk", Good, "can be written")
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("the doctor left %v", left)
	}
}

// A mission that would be refused for where the robot is, or for how little of that is known, cannot start.
func TestRobotWithoutRoom(t *testing.T) {
	b := newBench(t)
	b.robot()
	if f, ok := b.examine()["start"]; ok {
		t.Errorf("a robot in the middle of its field: %+v", f)
	}
	b.at = 175
	b.want(b.examine(), "start", Bad, "the mission would not start: the robot is at (175.00, 40.00) m, 75 m outside the field")
	b.at, b.known = 50, 20
	b.want(b.examine(), "start", Bad, "the mission would not start: the field is at most 80.0 m wide")
}

// The doctor says before the start how much of the field the guard leaves with this receiver, and what would help. The field has
// 100 by 80 m and a margin of 2 m.
func TestGuardThatNeedsRoom(t *testing.T) {
	b := newBench(t)
	b.robot()
	n, err := ros.NewNode(b.graph, b.ex, "guard", ros.NodeOptions{})
	b.must(err)
	status := rostest.Publisher[ugp_explorer_msgs.GuardStatus](b.T, n, "guard/status", ros.Latched())
	says := ugp_explorer_msgs.GuardStatus{FenceReason: ugp_explorer_msgs.GuardStatusReasonNone, Text: "has no fix"}
	_, err = n.NewTimer(time.Second, func() { b.must(status.Publish(&says)) })
	b.must(err)
	b.want(b.examine(), "guard", Good, "nothing is wrong")
	for _, c := range []struct {
		stdDev, allowance, usually, always float64
		verdict                            Verdict
		text                               string
	}{
		{0.02, 0, 0.75, 0.87, Good, "the receiver states up to 0.02 m, and with an allowance of 0.0 m all of the field can be sampled"},
		{2, 3, 7.65, 19.65, Note, "with an allowance of 3.0 m only places 20 m inside the field are sampled, which are 32 % of it (0.24 ha of 0.73 ha); with an allowance of 21 m, all of it can be sampled"},
		{5, 0, 25.65, 55.65, Note, "only places 26 m inside the field are sampled, which are 18 % of it"},
		{6.5, 0, 33.15, 72.15, Bad, "the mission would not start: the receiver states up to 6.5 m, and with an allowance of 0.0 m the guard lets the robot reach, and leave again, only places 34 m inside the field, " +
			"which are 5 % of it (0.04 ha of 0.73 ha): raise allowance of the guard to 3 m, or to 71 m for all of the field"},
	} {
		says.FixStddev, says.Allowance, says.TargetInset, says.TargetInsetAlways = c.stdDev, c.allowance, c.usually, c.always
		b.want(b.examine(), "guard", c.verdict, c.text)
	}
	says.FenceReason = ugp_explorer_msgs.GuardStatusReasonNoFix
	b.want(b.examine(), "guard", Bad, "the guard has no fix")
}

// A section of a parameter file for a node that runs is no matter, and neither is a probe that has nothing to say yet.
func TestRobotThatReadsAtItsStops(t *testing.T) {
	b := newBench(t)
	b.quiet = true
	b.robot()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	b.must(os.WriteFile(file, []byte("/**/robot: {ros__parameters: {speed: 1.0}}\n"), 0o666))
	by := b.examine("--params-file", file)
	b.want(by, "reading", Note, "nothing was received; that is right for a probe that measures only while the robot stands at a target")
	b.want(by, "parameters", Good, "the explorer accepts them")
	b.quiet, b.wait = false, time.Minute
	b.ex.After(time.Second, func() { b.quiet = true }) // the robot leaves a target
	b.want(b.examine(), "reading", Note, "nothing more was received; that is right for a probe that measures only while the robot stands at a target")
	b.wait = 7 * time.Second
	by = b.examine("-p", "/**/wheels:speed:=1.0")
	b.want(by, "parameters", Note, "node /**/wheels is not running here")
	b.want(b.examine("-p", "sample.stop:=false", "-p", "budget.samples:=0", "-p", "budget.distance:=500.0"), "reading", Bad, "nothing was received")
}

// A second sensor measures all the way, so that its silence is a fault before the mission begins.
func TestSecondSensor(t *testing.T) {
	b := newBench(t)
	b.robot()
	examined := func() map[string]Result { return b.examine("-p", "secondary.type:=FieldReading") }
	b.want(examined(), "secondary", Bad, "waiting for a reading of the second sensor on /secondary [ugp_explorer/msg/FieldReading]: no publisher")
	n := rostest.Node(t, b.graph, b.ex, "sounder", ros.NodeOptions{})
	topic := rostest.Publisher[ugp_explorer_msgs.FieldReading](t, n, "secondary", ros.SensorData())
	b.want(examined(), "secondary", Bad, "/sounder is there, but nothing was received")
	_, err := n.NewTimer(time.Second, func() {
		b.must(topic.Publish(&ugp_explorer_msgs.FieldReading{Header: std_msgs.Header{Stamp: ros.TimeMsg(b.ex.Now())}, Value: 41, Variance: 0.1}))
	})
	b.must(err)
	b.want(examined(), "secondary", Good, "nothing is wrong")
	if f, ok := b.examine()["secondary"]; ok {
		t.Errorf("no second sensor is expected, and it says %+v", f)
	}
}

// One explorer is there already when the doctor is asked after the launch; two send goals to the same robot.
func TestTwoExplorers(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"first", "second"} {
		n := rostest.Node(t, b.graph, b.ex, name, ros.NodeOptions{})
		rostest.Publisher[ugp_explorer_msgs.MissionStatus](t, n, "~/status", ros.Latched())
		rostest.Publisher[geometry_msgs.PoseStamped](t, n, "goal_pose", ros.DefaultQoS())
		if f, ok := b.examine()["other explorers"]; ok && name == "first" {
			t.Errorf("with one explorer: %+v", f)
		}
	}
	b.want(b.examine(), "other explorers", Bad, "/first and /second send goals to the same robot")
}

// Two nodes that drive to the same goals are named. One that only shows them, as RViz does, drives nothing.
func TestTwoFollowers(t *testing.T) {
	b := newBench(t)
	for i, name := range []string{"rviz", "first", "second"} {
		node := rostest.Node(t, b.graph, b.ex, name, ros.NodeOptions{})
		rostest.Hear(t, node, "goal_pose", ros.Commands(), func(*geometry_msgs.PoseStamped) {})
		if i > 0 {
			rostest.Publisher[geometry_msgs.Twist](t, node, "cmd_vel", ros.Commands())
		}
		if i == 1 {
			b.want(b.examine(), "driver", Good, "/first drives to the goals on /goal_pose")
		}
	}
	b.want(b.examine(), "driver", Bad, "/first and /second all drive the robot to the goals on /goal_pose")
}

func TestNobodyThere(t *testing.T) {
	b := newBench(t)
	by := b.examine()
	b.want(by, "graph", Bad, "no other node was found: start the robot's nodes")
	b.want(by, "pose", Bad, "/odometry/filtered")
	b.want(by, "reading", Bad, "/moisture [std_msgs/msg/Float64]")
	b.want(by, "driver", Bad, "start the follower, Nav2 or your own node")
	b.want(by, "disk", Note, "output_dir is empty")
	for _, subject := range []string{"other explorers", "samples", "guard"} { // nothing was heard of which they could be judged
		if f, ok := by[subject]; ok && f.Verdict == Good {
			t.Errorf("%s is good in an empty graph: %s", subject, f.Text)
		}
	}
	b.want(by, "guard", Note, "there is none")
	b.want(b.examine("-p", "passive:=true"), "driver", Good, "not needed")
	b.want(b.examine("-p", "goal.interface:=navigate_to_pose"), "driver", Bad, "navigate_to_pose/_action/send_goal")
}

// The robot stands at (50, 40). With the defaults 30 s and 2 m are kept in reserve, and a sample takes 5 s.
func TestBudgetThatIsTooSmall(t *testing.T) {
	b := newBench(t)
	b.want(b.examine("-p", "budget.time:=20.0"), "budget", Bad, "budget of 20 s is too small to return home: 30 s needed")
	b.want(b.examine("-p", "budget.time:=34.0"), "budget", Bad, "budget of 34 s is too small for a sample: 35 s needed (5 s for the sample + 30 s to return home")
	b.robot()
	b.want(b.examine("-p", "budget.time:=35.0"), "budget", Note, "only places near the start")
	b.want(b.examine("-p", "budget.time:=34.0", "-p", "sample.stop:=false", "-p", "budget.samples:=0"), "budget", Note, "a path of 3.2 m")
	if f, ok := b.examine("-p", "budget.time:=20.0", "-p", "passive:=true")["budget"]; ok {
		t.Errorf("%+v, want no finding", f)
	}
	b.want(b.examine("-p", "budget.distance:=40.0", "-p", "home:=[10.0, 40.0]"), "budget", Bad, "budget of 40 m is too small to return home")
}

func TestParametersThatCannotBe(t *testing.T) {
	b := newBench(t)
	by := b.examine("-p", "budget.samples:=-1")
	b.want(by, "parameters", Bad, "budget.samples")
	b.want(by, "graph", Note, "once the parameters are valid")
	by = b.examine("-p", "field.file:=/no/such/file")
	b.want(by, "parameters", Bad, "/no/such/file")
	b.want(b.examine("-p", "field.file:=''", "-p", "outline.file:="+b.field+".new"), "parameters", Note, "waits until a field has been recorded in outline.file, "+b.field+".new")
	by = b.examine("-p", "other_node:budget.samples:=3")
	b.want(by, "parameters", Note, "other_node")
	b.want(b.examine("-p", "output_dir:="+b.field), "disk", Bad, b.field+" is a file, not a folder")

	if _, err := Examine(t.Context(), Options{Args: []string{"field.geojson"}}); err == nil || !strings.Contains(err.Error(), `"field.geojson"`) {
		t.Errorf("an argument that is none: %v", err)
	}
}

func TestNoTransport(t *testing.T) {
	found, err := Examine(t.Context(), Options{
		OpenTransport: func(string) (ros.Transport, []string, error) {
			return nil, nil, errors.New("ROS_DOMAIN_ID is 999")
		},
	})
	if last := found[len(found)-1]; err != nil || last.Verdict != Bad || !strings.Contains(last.Text, "999") {
		t.Errorf("%v, %v", found, err)
	}
}

func TestEnvironment(t *testing.T) {
	tests := []struct {
		variable, value string
		want            Verdict
		text            string
	}{
		{"ROS_DISTRO", "humble", Good, "humble"},
		{"RMW_IMPLEMENTATION", "rmw_zenoh_cpp", Bad, "rmw_fastrtps_cpp"},
		{"RMW_IMPLEMENTATION", "rmw_connextdds", Note, "untested"},
		{"ROS_DOMAIN_ID", "150", Note, "0 to 101"},
		{"ROS_DOMAIN_ID", "7", Good, "7"},
	}
	for _, tt := range tests {
		ok := false
		x := &examiner{getenv: only(tt.variable, tt.value)}
		x.environment()
		for _, f := range x.found {
			ok = ok || f.Verdict == tt.want && strings.Contains(f.Text, tt.text)
		}
		if !ok {
			t.Errorf("%s=%s: no %v with %q", tt.variable, tt.value, tt.want, tt.text)
		}
	}
}

func TestBuffers(t *testing.T) {
	sizes := map[string]string{"rmem_max": "212992\n", "wmem_max": "8388608\n"}
	var x examiner
	x.buffers(func(file string) ([]byte, error) { return []byte(sizes[filepath.Base(file)]), nil })
	if found := x.found; len(found) != 2 || found[0].Verdict != Note || !strings.Contains(found[0].Text, "sysctl -w net.core.rmem_max=4194304") || found[1].Verdict != Good {
		t.Errorf("%v", found)
	}
	x = examiner{}
	if x.buffers(func(string) ([]byte, error) { return nil, fs.ErrNotExist }); x.found != nil {
		t.Errorf("without the kernel's files: %v", x.found)
	}
}

func TestClock(t *testing.T) {
	for at, v := range map[time.Time]bool{time.Unix(0, 0): true, time.Now(): false} {
		var x examiner
		if x.clock(at); len(x.found) != 1 || (x.found[0].Verdict == Bad) != v {
			t.Errorf("%v", x.found)
		}
	}
}

// only is an environment with one variable.
func only(variable, value string) func(string) string {
	return func(name string) string {
		if name == variable {
			return value
		}
		return ""
	}
}

func TestMulticast(t *testing.T) {
	x := examiner{getenv: only("ROS_LOCALHOST_ONLY", "1")}
	if x.multicast(); len(x.found) != 1 || x.found[0].Verdict != Note || !strings.Contains(x.found[0].Text, "ROS_LOCALHOST_ONLY") {
		t.Errorf("%v", x.found)
	}
	x = examiner{getenv: only("", "")}
	if x.multicast(); len(x.found) != 1 || x.found[0].Verdict == Bad { // what this machine has
		t.Errorf("%v", x.found)
	}
}
