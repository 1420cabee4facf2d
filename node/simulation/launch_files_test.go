// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
	rosexec "ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

var launchFiles = []string{"explore.launch.py", "sim.launch.py", "gazebo.launch.py"}

// installation copies the launch folder, as the repository or an installed
// package has it, to where there are also programs in the folder bin.
func installation(t *testing.T, bin string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	must.OK(t, os.CopyFS(filepath.Join(dir, "launch"), os.DirFS(launchFolder)))
	if bin == "" {
		return dir
	}
	must.OK(t, os.MkdirAll(filepath.Join(dir, bin), 0o777))
	for _, program := range []string{"explorer", "follower", "guard", "ekf", "fieldsim"} {
		must.OK(t, os.WriteFile(filepath.Join(dir, bin, program), nil, 0o777))
	}
	return dir
}

// launchedNode is what a launch file starts.
type launchedNode struct {
	Package    string // of another's program or launch file
	Executable string
	Args       []string
	Shutdown   bool    // of all when it ends
	Patience   float64 // with it between SIGTERM and SIGKILL, s
	Prefix     string  // of its command line
}

// reader is the process that reads launch files, one for all tests: Python takes its time to start.
var reader struct {
	sync.Mutex
	in  io.Writer
	out *bufio.Reader
}

// readLaunch returns what a launch file starts. Warnings of Python, as about what a later
// version no longer has, are errors.
func readLaunch(t *testing.T, dir, file string, arguments ...string) ([]launchedNode, error) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3 to read the launch files with")
	}
	reader.Lock()
	defer reader.Unlock()
	if reader.in == nil {
		cmd := exec.Command("python3", "-W", "error", "-c", launchReader) // ends with the tests, whose end closes its input
		cmd.Env, cmd.Stderr = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1"), os.Stderr
		in, err := cmd.StdinPipe()
		out, failed := cmd.StdoutPipe()
		must.OK(t, errors.Join(err, failed, cmd.Start()))
		reader.in, reader.out = in, bufio.NewReader(out)
	}
	err := json.NewEncoder(reader.in).Encode(map[string]any{
		"Dir": dir, "File": filepath.Join(dir, "launch", file), "Arguments": arguments, "Prefix": os.Getenv("LAUNCH_TEST_PREFIX"),
	})
	line, failed := reader.out.ReadBytes('\n')
	var answer struct {
		Nodes  []launchedNode
		Failed string
	}
	must.OK(t, errors.Join(err, failed, json.Unmarshal(line, &answer)))
	if answer.Failed != "" {
		return nil, errors.New(answer.Failed)
	}
	return answer.Nodes, nil
}

// startNodes starts the nodes of c as the command lines say, and returns those of them
// that run, by their full names.
func startNodes(t *testing.T, c *Config, launched []launchedNode) map[string]*ros.Node {
	t.Helper()
	programs := map[string]*param.Set{
		"explorer": c.Explorer.Parameters(), "follower": c.Follower.Parameters(),
		"ekf": c.EKF.Parameters(), "fieldsim": c.Fieldsim.Parameters(),
		"guard": c.Guard.Parameters(),
	}
	graph, ex := inproc.New(), rosexec.NewSimulated(0)
	nodes := map[string]*ros.Node{}
	for _, l := range launched {
		args, rest, err := ros.ParseArgs(l.Args)
		if err != nil || len(rest) > 0 {
			t.Fatalf("%q: %q is left, %v", l.Args, rest, err)
		}
		options, err := args.NodeOptions(nil)
		must.OK(t, err)
		options.Parameters = programs[filepath.Base(l.Executable)]
		node, err := ros.NewNode(graph, ex, "unnamed", options)
		if err != nil {
			t.Fatalf("%s: %v", l.Executable, err)
		}
		t.Cleanup(func() {
			if err := node.Close(); err != nil {
				t.Error(err)
			}
		})
		nodes[node.FullName()] = node
	}
	return nodes
}

// TestSimLaunch has the launch file of the simulation start what a simulation in
// one process does, and its arguments reach all whom they concern.
func TestSimLaunch(t *testing.T) {
	dir := installation(t, "bin")
	farm := filepath.Join(dir, "launch", "fields", "farm.geojson")
	want := DefaultConfig(1)
	want.Fieldsim.Receiver = DemoReceiver
	if _, err := want.openField(); err != nil {
		t.Fatal(err)
	}
	launched, err := readLaunch(t, dir, "sim.launch.py", "output_dir:=out")
	must.OK(t, err)
	for _, l := range launched {
		if !l.Shutdown || filepath.Dir(l.Executable) != filepath.Join(dir, "bin") {
			t.Errorf("%s ends all when it ends: %v; want that of the programs in %s", l.Executable, l.Shutdown, dir)
		}
	}
	got := ownDefaults()
	startNodes(t, &got, launched)
	want.Explorer.Field.File, want.Fieldsim.Field.Boundary, want.Guard.File = farm, farm, farm
	want.Explorer.OutputDir = filepath.Join(dir, "out")
	compareParameters(t, "without arguments", &got, &want)

	field := filepath.Join(dir, "my field.geojson")
	config := filepath.Join(dir, "mine.yaml")
	writeText(t, field, "")
	writeText(t, config, "/**/follower: {ros__parameters: {max_speed: 1.25}}\n/**/fieldsim: {ros__parameters: {seed: 3, probe.stddev: 0.5}}\n")
	launched, err = readLaunch(t, dir, "sim.launch.py", "field:=my field.geojson", "start:=10,20,-0.5", "seed:=7", "samples:=4", "speed:=2.5",
		"output_dir:=7", "auto_start:=false", "params_file:=mine.yaml", "namespace:=a/b", "log_level:=debug")
	must.OK(t, err)
	got = ownDefaults()
	nodes := startNodes(t, &got, launched)
	for _, name := range []string{"/a/b/fieldsim", "/a/b/ekf", "/a/b/follower", "/a/b/guard", "/a/b/ugp_explorer"} {
		if nodes[name] == nil {
			t.Errorf("there is no node %s", name)
		}
	}
	want.Explorer.Field.File, want.Fieldsim.Field.Boundary, want.Guard.File = field, field, field
	want.Explorer.OutputDir = filepath.Join(dir, "7")
	want.Explorer.Seed, want.Fieldsim.Seed = 7, 7
	want.Explorer.AutoStart, want.Explorer.Mission.Budget.Samples = false, 4
	want.Fieldsim.Start, want.EKF.Filter.InitialYaw = []float64{10, 20, -0.5}, -0.5
	want.Fieldsim.Speed, want.Fieldsim.Probe.StdDev = 2.5, 0.5
	want.Follower.Pursuit.MaxSpeed = 1.25
	compareParameters(t, "with arguments", &got, &want)
}

// The simulated probe sends what the explorer is set to take.
func TestSimLaunchReadings(t *testing.T) {
	dir := installation(t, "bin")
	writeText(t, filepath.Join(dir, "none.yaml"), "")
	for _, c := range []struct{ config, want string }{
		{"/**/ugp_explorer: {ros__parameters: {reading.type: Float64, reading.stddev: 2.0}}", "Float64"},
		{"robot1: {ugp_explorer: {ros__parameters: {reading: {type: Temperature, stddev: 2.0}}}}", "Temperature"},
		{"/**: {ros__parameters: {reading.type: Float32}}\n/**/ugp_explorer: {ros__parameters: {reading.stddev: 2.0}}", "Float32"},
		{"/**/fieldsim: {ros__parameters: {reading.type: Float32}}\n/**/ugp_explorer: {ros__parameters: {reading.type: Float64, reading.stddev: 2.0}}", "Float32"},
		{"/**/ugp_explorer: {ros__parameters: {reading.stddev: 2.0}}", "FieldReading"},
	} {
		writeText(t, filepath.Join(dir, "mine.yaml"), c.config)
		launched, err := readLaunch(t, dir, "sim.launch.py", "output_dir:=out", "params_file:=mine.yaml,none.yaml", "namespace:=robot1")
		must.OK(t, err)
		got := ownDefaults()
		startNodes(t, &got, launched)
		if got.Fieldsim.Reading != c.want {
			t.Errorf("%s: fieldsim sends %s, want %s", c.config, got.Fieldsim.Reading, c.want)
		}
	}
	writeText(t, filepath.Join(dir, "mine.yaml"), "a: [")
	if _, err := readLaunch(t, dir, "sim.launch.py", "params_file:=mine.yaml"); err == nil || !strings.Contains(err.Error(), "mine.yaml: this is not YAML") {
		t.Errorf("a file that is no YAML: %v", err)
	}
}

// TestExploreLaunch has a robot's nodes at their own defaults but for what was
// given.
func TestExploreLaunch(t *testing.T) {
	dir := installation(t, filepath.Join("lib", "ugp_explorer"))
	t.Setenv("LAUNCH_TEST_PREFIX", dir)
	launched, err := readLaunch(t, dir, "explore.launch.py")
	must.OK(t, err)
	got, want := ownDefaults(), ownDefaults()
	startNodes(t, &got, launched)
	if len(launched) != 1 || launched[0].Executable != filepath.Join(dir, "lib", "ugp_explorer", "explorer") || launched[0].Shutdown {
		t.Errorf("%+v is started, want the explorer alone", launched)
	}
	if !strings.HasPrefix(got.Explorer.OutputDir, filepath.Join(dir, "mission_20")) {
		t.Errorf("the results come to %s, want a new folder in %s", got.Explorer.OutputDir, dir)
	}
	compareParameters(t, "without arguments", &got, &want, "ugp_explorer:output_dir")

	writeText(t, filepath.Join(dir, "f.geojson"), "")
	writeText(t, filepath.Join(dir, "a.yaml"), "/**/ugp_explorer: {ros__parameters: {reading.stddev: 0.25, seed: 4, output_dir: /a}}\n")
	writeText(t, filepath.Join(dir, "b.yaml"), "/**/ugp_explorer: {ros__parameters: {seed: 5, output_dir: /b, budget.samples: 50}}\n")
	launched, err = readLaunch(t, dir, "explore.launch.py", "params_file:=a.yaml,b.yaml", "field:=f.geojson", "samples:=9", "ekf:=true",
		"follower:=true", "auto_start:=true", "reading_type:=Float32", "initial_yaw:=2", "cmd_vel_stamped:=true", "pose_topic:=/amcl_pose",
		"odometry_topic:=fused", "reading_topic:=probe", "secondary_topic:=em38", "cmd_vel_topic:=drive", "odom_topic:=wheels", "fix_topic:=gps", "gps_topic:=/receiver/fix", "imu_topic:=imu/data", "datum:=-71.5,42", "allowance:=3.0",
		"team:=/robot2/ugp_explorer,/robot3/ugp_explorer")
	must.OK(t, err)
	got = ownDefaults()
	nodes := startNodes(t, &got, launched)
	want.Explorer.Field.File = filepath.Join(dir, "f.geojson")
	want.Guard.File, want.Guard.Allowance = want.Explorer.Field.File, 3
	want.Explorer.Reading.StdDev, want.Explorer.Reading.Type = 0.25, "Float32"
	want.Explorer.Seed, want.Explorer.OutputDir = 5, "/b"
	want.Explorer.Team = []string{"/robot2/ugp_explorer", "/robot3/ugp_explorer"}
	want.Explorer.Mission.Budget.Samples, want.Explorer.AutoStart, want.Explorer.PoseSource = 9, true, "tf"
	want.EKF.Heading, want.EKF.Filter.InitialYaw = "given", 2
	want.EKF.Datum, want.Explorer.Field.Datum = []float64{-71.5, 42}, []float64{-71.5, 42}
	want.Guard.Datum, want.Guard.FieldDatum = want.EKF.Datum, want.EKF.Datum
	want.Follower.Stamped, want.Guard.Stamped = true, true
	compareParameters(t, "with arguments", &got, &want)
	checkTopics(t, nodes, map[string]map[string]string{
		"/" + explorer.DefaultName: {"odometry/filtered": "/fused", "pose": "/amcl_pose", "reading": "/probe", "secondary": "/em38", "plan": "/plan", "odom": "/wheels", "fix_pose": "/gps"},
		"/" + follower.DefaultName: {"odometry/filtered": "/fused", "cmd_vel": "/cmd_vel_in", "plan": "/plan"},
		"/" + guard.DefaultName:    {"cmd_vel_in": "/cmd_vel_in", "cmd_vel": "/drive", "odom": "/wheels", "fix_pose": "/amcl_pose", "fix": "/receiver/fix"},
		"/" + ekf.DefaultName:      {"odometry/filtered": "/fused", "odom": "/wheels", "fix_pose": "/gps", "fix": "/receiver/fix", "imu": "/imu/data", "pose": "/pose"},
	})

	want = ownDefaults()
	want.Explorer.Interface = "navigate_to_pose"
	if launched, err = readLaunch(t, dir, "explore.launch.py", "nav2:=true", "nav2_action:=/robot1/navigate_to_pose"); err != nil {
		t.Fatal(err)
	}
	got = ownDefaults()
	nodes = startNodes(t, &got, launched)
	compareParameters(t, "with Nav2", &got, &want, "ugp_explorer:output_dir")
	if name, err := nodes["/ugp_explorer"].Resolve("navigate_to_pose"); err != nil || name != "/robot1/navigate_to_pose" {
		t.Errorf("the goals go to %s (%v), want /robot1/navigate_to_pose", name, err)
	}
}

// TestPoseSource has each topic of poses with the source that suits it: AMCL publishes its
// pose too seldom.
func TestPoseSource(t *testing.T) {
	dir := installation(t, "bin")
	for _, c := range []struct {
		arguments    []string
		source, base string
	}{
		{nil, "odometry", "base_link"},
		{[]string{"pose_topic:=amcl_pose"}, "tf", "base_link"},
		{[]string{"pose_topic:=/robot1/amcl_pose", "base_frame:=base_footprint"}, "tf", "base_footprint"},
		{[]string{"pose_topic:=ins/pose"}, "pose", "base_link"},
		{[]string{"pose_topic:=slam/pose", "pose_source:=tf"}, "tf", "base_link"},
		{[]string{"pose_topic:=amcl_pose", "pose_source:=pose"}, "pose", "base_link"},
		{[]string{"pose_source:=tf"}, "tf", "base_link"},
	} {
		launched, err := readLaunch(t, dir, "explore.launch.py", c.arguments...)
		must.OK(t, err)
		got := ownDefaults()
		startNodes(t, &got, launched)
		if got.Explorer.PoseSource != c.source || got.Explorer.BaseFrame != c.base {
			t.Errorf("%q: pose.source %s, pose.base_frame %s; want %s, %s", c.arguments, got.Explorer.PoseSource, got.Explorer.BaseFrame, c.source, c.base)
		}
	}
}

// TestExploreLaunchGuard has the guard between the follower and the base, and all nodes end with one
// when that is asked for.
func TestExploreLaunchGuard(t *testing.T) {
	dir := installation(t, "bin")
	launched, err := readLaunch(t, dir, "explore.launch.py", "ekf:=true", "follower:=true", "guard:=true", "shutdown_on_exit:=true", "cmd_vel_stamped:=true", "cmd_vel_topic:=base/drive", "namespace:=robot1")
	must.OK(t, err)
	for _, l := range launched {
		// launch's own 5 s between SIGTERM and SIGKILL would cut off the explorer's report on a busy computer.
		if !l.Shutdown || l.Patience < 60 {
			t.Errorf("%s ends all when it ends: %v, and is killed %g s after SIGTERM; want so, and 60 s or more", l.Executable, l.Shutdown, l.Patience)
		}
	}
	c := ownDefaults()
	nodes := startNodes(t, &c, launched)
	checkTopics(t, nodes, map[string]map[string]string{
		"/robot1/" + follower.DefaultName: {"cmd_vel": "/robot1/cmd_vel_in"},
		"/robot1/" + guard.DefaultName:    {"cmd_vel_in": "/robot1/cmd_vel_in", "cmd_vel": "/robot1/base/drive"},
	})
	for _, node := range []string{follower.DefaultName, guard.DefaultName} {
		if v, _ := nodes["/robot1/"+node].Parameters().Get("cmd_vel_stamped"); v.Any() != true {
			t.Errorf("cmd_vel_stamped of %s is %v", node, v.Any())
		}
	}
}

// checkTopics compares the names that nodes have for topics.
func checkTopics(t *testing.T, nodes map[string]*ros.Node, want map[string]map[string]string) {
	t.Helper()
	for node, topics := range want {
		if nodes[node] == nil {
			t.Fatalf("there is no node %s", node)
		}
		for topic, want := range topics {
			if got, err := nodes[node].Resolve(topic); err != nil || got != want {
				t.Errorf("%s of %s is %s (%v), want %s", topic, node, got, err, want)
			}
		}
	}
}

// Wrong launch arguments are refused before anything is started.
func TestLaunchRefusals(t *testing.T) {
	built, bare := installation(t, "bin"), installation(t, "")
	for name, text := range map[string]string{
		"f.geojson": "", "mine.sdf": "<sdf><model/></sdf>", "nowhere.sdf": "<sdf><world name='w'/></sdf>", "broken.sdf": "<sdf>",
	} {
		writeText(t, filepath.Join(built, name), text)
	}
	for _, c := range []struct {
		file, prefix, arguments string // with spaces between
		says                    []string
	}{
		{"explore.launch.py", "", "field:=none.geojson", []string{"field:=none.geojson", "no such file"}},
		{"explore.launch.py", "", "feild:=field.geojson", []string{"feild:=field.geojson: explore.launch.py has no argument feild; field is alike; --show-args"}},
		{"sim.launch.py", "", "samples:=3 ekf_topic:=fixes", []string{"ekf_topic:=fixes: sim.launch.py has no argument ekf_topic; --show-args"}},
		{"gazebo.launch.py", "", "wolrd:=field", []string{"wolrd:=field: gazebo.launch.py has no argument wolrd; world is alike"}},
		{"explore.launch.py", "", "params_file:=none.yaml", []string{"params_file:=none.yaml", "no such file"}},
		{"explore.launch.py", "", "follower:=maybe", []string{"follower:=maybe"}},
		{"explore.launch.py", "", "nav2:=true follower:=true", []string{"nav2:=true follower:=true", "not both"}},
		{"explore.launch.py", "", "datum:=8.1,north", []string{"datum:=8.1,north", "LON,LAT"}},
		{"explore.launch.py", "", "pose_source:=odometry pose_topic:=amcl_pose", []string{"pose_source:=odometry pose_topic:=amcl_pose", "one of them"}},
		{"explore.launch.py", "", "rviz:=true", []string{"rviz:=true: the package rviz2 is not installed"}},
		{"sim.launch.py", "", "field:=f.geojson", []string{"field:=f.geojson", "start:=X,Y,YAW"}},
		{"sim.launch.py", "", "start:=1,2", []string{"start:=1,2", "three numbers"}},
		{"gazebo.launch.py", "", "", []string{"the package ros_gz_sim is not installed"}},
		{"gazebo.launch.py", built, "world:=mine.sdf", []string{"world:=mine.sdf", "field:=FILE"}},
		{"gazebo.launch.py", built, "world:=mine.sdf field:=f.geojson", []string{"no world in that file"}},
		{"gazebo.launch.py", built, "world:=broken.sdf field:=f.geojson", []string{"broken.sdf", "no element found"}},
		{"gazebo.launch.py", built, "world:=nowhere.sdf field:=f.geojson", []string{"nowhere.sdf", "spherical_coordinates"}},
		{"gazebo.launch.py", built, "x:=400", []string{"x:=400", "does not reach"}},
		{"gazebo.launch.py", built, "rtf:=-1", []string{"rtf:=-1", "0 or more"}},
		{"gazebo.launch.py", built, "localization:=amcl", []string{"localization:=amcl"}},
		{"gazebo.launch.py", built, "nav2:=yes", []string{"nav2:=yes"}},
	} {
		t.Setenv("LAUNCH_TEST_PREFIX", c.prefix)
		_, err := readLaunch(t, built, c.file, strings.Fields(c.arguments)...)
		for _, want := range c.says {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v, want an error with %q", c.file, c.arguments, err, want)
			}
		}
	}
	t.Setenv("LAUNCH_TEST_PREFIX", "")
	if _, err := readLaunch(t, bare, "sim.launch.py"); err == nil || !strings.Contains(err.Error(), filepath.Join(bare, "bin", "fieldsim")) || !strings.Contains(err.Error(), "make ros") {
		t.Errorf("without programs: %v", err)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	must.OK(t, os.WriteFile(path, []byte(text), 0o666))
}
