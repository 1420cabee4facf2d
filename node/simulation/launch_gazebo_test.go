// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"go.yaml.in/yaml/v3"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
)

const (
	bridgeFile = launchFolder + "params/gz_bridge.yaml"
	gazeboFile = launchFolder + "params/gazebo.yaml"
	otherFile  = launchFolder + "params/robot_localization.yaml"
)

// readGazebo returns what gazebo.launch.py starts: the programs of other packages and their
// launch files by name, and our own nodes, which it starts with the parameters in c.
func readGazebo(t *testing.T, dir string, c *Config, arguments ...string) (others map[string]launchedNode, nodes map[string]*ros.Node) {
	t.Helper()
	t.Setenv("LAUNCH_TEST_PREFIX", dir)
	launched, err := readLaunch(t, dir, "gazebo.launch.py", append([]string{"output_dir:=out"}, arguments...)...)
	must.OK(t, err)
	others = map[string]launchedNode{}
	var ours []launchedNode
	for _, l := range launched {
		if l.Package == "" {
			ours = append(ours, l)
			continue
		}
		name := l.Executable
		for i, arg := range l.Args { // two of them have the same program
			if i > 0 && l.Args[i-1] == "-r" && strings.HasPrefix(arg, "__node:=") {
				name = strings.TrimPrefix(arg, "__node:=")
			}
		}
		others[name] = l
	}
	return others, startNodes(t, c, ours)
}

// TestGazeboLaunch has the robot spawned on the ground, the bridge, and our nodes with the
// parameters for that world.
func TestGazeboLaunch(t *testing.T) {
	dir := installation(t, "bin")
	got := ownDefaults()
	others, nodes := readGazebo(t, dir, &got)
	worlds := filepath.Join(dir, "launch", "worlds")
	if got, want := others["gz_sim.launch.py"].Args, []string{"gz_args:=-r -s " + filepath.Join(worlds, "field.sdf"), "on_exit_shutdown:=true"}; !slices.Equal(got, want) {
		t.Errorf("Gazebo is started with %q, want %q", got, want)
	}
	// Only Gazebo, which a shell starts, has a prefix: without exec it would outlive the launch.
	for name, l := range others {
		if want := map[string]string{"gz_sim.launch.py": "exec"}[name]; l.Prefix != want {
			t.Errorf("%s is started with the prefix %q, want %q", name, l.Prefix, want)
		}
	}
	if !others["gz_bridge"].Shutdown || others["spawn"].Shutdown { // who spawns the robot ends when it is there
		t.Error("the end of the bridge must end all, and that of spawn nothing")
	}
	spawn := spawned(t, others)
	if at := [3]float64{spawn["-x"], spawn["-y"], spawn["-Y"]}; at != [3]float64{4, 1, 2.5} {
		t.Errorf("the robot is spawned at %v, want (4, 1) with heading 2.5", at)
	}
	// By hand, in the triangle of field.obj at (4, 1): its corners are (0.0, 0.0, 0.0), (8.0, 0.0, 0.079) and (8.0, 8.0, -0.029).
	if above := spawn["-z"] - 0.026; math.Abs(above-0.1) > 1e-6 {
		t.Errorf("the robot is spawned %g m above the ground, want 0.1", above)
	}
	for _, name := range []string{"/fieldsim", "/ekf", "/guard", "/follower", "/ugp_explorer"} {
		if nodes[name] == nil {
			t.Errorf("there is no node %s", name)
		}
	}
	want := ownDefaults()
	apply(t, parameterFiles(t, gazeboFile), want.Parameters()...)
	field := filepath.Join(worlds, "field.geojson")
	want.Explorer.Field.File, want.Fieldsim.Field.Boundary, want.Guard.File = field, field, field
	want.Explorer.OutputDir = filepath.Join(dir, "out")
	want.EKF.Heading, want.EKF.Filter.InitialYaw = "given", 2.5
	datum := worldDatum(t) // which the launch file reads, too
	want.Explorer.Field.Datum, want.Fieldsim.Field.Datum, want.Fieldsim.Datum, want.EKF.Datum = datum, datum, datum, datum
	want.Guard.Datum, want.Guard.FieldDatum = datum, datum
	compareParameters(t, "without arguments", &got, &want)

	writeText(t, filepath.Join(dir, "mine.yaml"), "/**/fieldsim: {ros__parameters: {probe.stddev: 0.5}}\n")
	got = ownDefaults()
	others, _ = readGazebo(t, dir, &got, "world:=field_flat", "x:=-30", "y:=20.5", "yaw:=-1", "heading:=drive", "samples:=5", "seed:=9", "rtf:=4",
		"gui:=true", "fixes:=fieldsim", "end_when_done:=true", "auto_start:=false", "params_file:=mine.yaml")
	if got, want := others["gz_sim.launch.py"].Args, []string{"gz_args:=-r -z 800 " + filepath.Join(worlds, "field_flat.sdf"), "on_exit_shutdown:=true"}; !slices.Equal(got, want) {
		t.Errorf("Gazebo is started with %q, want %q", got, want)
	}
	spawn = spawned(t, others)
	if at := [4]float64{spawn["-x"], spawn["-y"], spawn["-z"], spawn["-Y"]}; at != [4]float64{-30, 20.5, 0.1, -1} {
		t.Errorf("the robot is spawned at %v, want (-30, 20.5, 0.1) with heading -1", at)
	}
	want.EKF.Heading, want.EKF.Filter.InitialYaw = "drive", 0
	want.Explorer.Mission.Budget.Samples, want.Explorer.Seed, want.Fieldsim.Seed = 5, 9, 9
	want.Fieldsim.PublishFix, want.Fieldsim.Probe.StdDev = true, 0.5
	want.Explorer.EndWhenDone, want.Explorer.AutoStart = true, false
	compareParameters(t, "with arguments", &got, &want)
}

// spawned returns the numbers that the robot is spawned with, by option.
func spawned(t *testing.T, others map[string]launchedNode) map[string]float64 {
	t.Helper()
	args := others["spawn"].Args
	if slices.Contains(args, "-world") { // with it, create does not wait for Gazebo
		t.Errorf("the robot is spawned with %q, want no -world", args)
	}
	if i := slices.Index(args, "-file"); i < 0 || filepath.Base(filepath.Dir(args[i+1])) != "sampler" {
		t.Errorf("the robot is spawned with %q, want the model sampler", args)
	}
	numbers := map[string]float64{}
	for i := range len(args) - 1 {
		if v, err := strconv.ParseFloat(args[i+1], 64); err == nil {
			numbers[args[i]] = v
		}
	}
	return numbers
}

// bridged is an entry of the bridge's file.
type bridged struct {
	ROSTopic  string `yaml:"ros_topic_name"`
	GzTopic   string `yaml:"gz_topic_name"`
	ROSType   string `yaml:"ros_type_name"`
	GzType    string `yaml:"gz_type_name"`
	Direction string `yaml:"direction"`
}

// readBridge returns the bridge's entries, in which it reads no other keys.
func readBridge(t *testing.T) (entries []bridged) {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(readText(t, bridgeFile)))
	d.KnownFields(true)
	must.OK(t, d.Decode(&entries))
	return entries
}

// TestBridgeMatchesNodes has somebody for all that the bridge carries, of the same type, and
// all that our nodes need of a robot carried.
func TestBridgeMatchesNodes(t *testing.T) {
	for _, fixes := range []string{"navsat", "fieldsim"} {
		dir := installation(t, "bin")
		got := ownDefaults()
		others, nodes := readGazebo(t, dir, &got, "fixes:="+fixes)
		bridge := others["gz_bridge"]
		args, _, err := ros.ParseArgs(bridge.Args)
		must.OK(t, err)
		options, err := args.NodeOptions(nil)
		must.OK(t, err)
		if want := "config_file:=\"" + filepath.Join(dir, "launch", "params", "gz_bridge.yaml") + "\""; !slices.Contains(bridge.Args, want) {
			t.Errorf("the bridge is started with %q, want %s", bridge.Args, want)
		}

		for name, start := range map[string]func(*ros.Node) error{
			"fieldsim":     func(n *ros.Node) error { _, err := fieldsim.New(n, &got.Fieldsim); return err },
			"ekf":          func(n *ros.Node) error { _, err := ekf.New(n, &got.EKF); return err },
			"follower":     func(n *ros.Node) error { _, err := follower.New(n, &got.Follower); return err },
			"guard":        func(n *ros.Node) error { _, err := guard.New(n, &got.Guard); return err },
			"ugp_explorer": func(n *ros.Node) error { _, err := explorer.New(n, &got.Explorer); return err },
		} {
			if err := start(nodes["/"+name]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		ends := nodes["/ekf"].Endpoints("")
		has := func(kind ros.EndpointKind, topic, typ string) bool {
			return slices.ContainsFunc(ends, func(e ros.EndpointInfo) bool { return e.Kind == kind && e.Name == topic && e.Type == typ })
		}
		carried := map[string]string{} // types by topics from Gazebo
		for _, e := range readBridge(t) {
			topic, err := options.Remaps.Resolve(e.ROSTopic, "/", "gz_bridge")
			must.OK(t, err)
			switch e.Direction {
			case "GZ_TO_ROS":
				carried[topic] = e.ROSType
				for _, end := range ends {
					if end.Name == topic && end.Kind == ros.PublisherEnd && topic != "/tf" {
						t.Errorf("%s: %s publishes %s, which the bridge does, too", fixes, end.Owner(), topic)
					}
				}
				// In this graph time is simulated without /clock. RViz and Nav2 listen to /tf.
				if unheard := topic == "/clock" || topic == "/tf" || topic == "/navsat/fix"; !unheard && !has(ros.SubscriptionEnd, topic, e.ROSType) {
					t.Errorf("%s: nobody listens to %s [%s]", fixes, topic, e.ROSType)
				}
			case "ROS_TO_GZ":
				if !has(ros.PublisherEnd, topic, e.ROSType) {
					t.Errorf("%s: nobody publishes %s [%s]", fixes, topic, e.ROSType)
				}
			default:
				t.Errorf("%s: direction %q", e.ROSTopic, e.Direction)
			}
		}
		for _, want := range []string{"/odom", "/imu", "/fix", "/ground_truth/odom", "/reading", "/cmd_vel_in"} {
			typ, served := carried[want]
			for _, end := range ends {
				if end.Name == want && end.Kind == ros.PublisherEnd {
					typ, served = end.Type, true
				}
			}
			if !served || !has(ros.SubscriptionEnd, want, typ) {
				t.Errorf("%s: nobody serves or nobody needs %s [%s]", fixes, want, typ)
			}
		}
	}
}

// TestBridgeMatchesModel has the model publish and hear what the bridge carries, by types
// that go together.
func TestBridgeMatchesModel(t *testing.T) {
	// ros_gz's table of types.
	pairs := map[string]string{
		"rosgraph_msgs/msg/Clock": "gz.msgs.Clock", "geometry_msgs/msg/Twist": "gz.msgs.Twist", "nav_msgs/msg/Odometry": "gz.msgs.Odometry",
		"tf2_msgs/msg/TFMessage": "gz.msgs.Pose_V", "sensor_msgs/msg/Imu": "gz.msgs.IMU", "sensor_msgs/msg/NavSatFix": "gz.msgs.NavSat",
	}
	var root sdfElement // what a model's elements say about topics
	readXML(t, modelFile, &root)
	topics := map[string]string{"/clock": "gz.msgs.Clock"} // of the world
	types := map[string]string{
		"sensor imu topic": "gz.msgs.IMU", "sensor navsat topic": "gz.msgs.NavSat", "DiffDrive topic": "gz.msgs.Twist",
		"DiffDrive odom_topic": "gz.msgs.Odometry", "DiffDrive tf_topic": "gz.msgs.Pose_V", "OdometryPublisher odom_topic": "gz.msgs.Odometry",
	}
	var visit func(e sdfElement, owner string)
	visit = func(e sdfElement, owner string) {
		switch e.XMLName.Local {
		case "plugin":
			owner = e.Name[strings.LastIndex(e.Name, ":")+1:]
		case "sensor":
			owner = "sensor " + e.Type
		case "topic", "odom_topic", "tf_topic":
			topics[strings.TrimSpace(e.Text)] = types[owner+" "+e.XMLName.Local]
		}
		for _, inside := range e.Inside {
			visit(inside, owner)
		}
	}
	visit(root, "")
	for _, e := range readBridge(t) {
		if pairs[e.ROSType] != e.GzType || e.GzType == "" {
			t.Errorf("%s is %s in ROS 2 and %s in Gazebo", e.ROSTopic, e.ROSType, e.GzType)
		}
		if typ, ok := topics[e.GzTopic]; !ok || typ != e.GzType {
			t.Errorf("the bridge carries %s [%s]; the model has it as %q", e.GzTopic, e.GzType, typ)
		}
		delete(topics, e.GzTopic)
	}
	for topic := range topics {
		t.Errorf("the bridge does not carry %s", topic)
	}
}

// TestGazeboParameters has the nodes know the robot and the world as Gazebo does.
func TestGazeboParameters(t *testing.T) {
	c := ownDefaults()
	apply(t, parameterFiles(t, gazeboFile), c.Parameters()...)
	f, err := convert.ReadBoundary(worldsFolder+"field.geojson", worldDatum(t))
	must.OK(t, err)
	var shadow orb.Ring
	for i := 0; i < len(c.Fieldsim.Shadow); i += 2 {
		shadow = append(shadow, orb.Point{c.Fieldsim.Shadow[i], c.Fieldsim.Shadow[i+1]})
	}
	for _, p := range f.KeepOuts[len(f.KeepOuts)-1][0] {
		if !planar.RingContains(append(shadow, shadow[0]), p) {
			t.Errorf("the shadow %v does not cover the corner %v of the wood", shadow, p)
		}
	}

	model := readSDF(t, modelFile).Model
	frame := model.Frames[0]
	if frame.Name != "soil_probe" || c.Fieldsim.Probe.Forward != frame.Pose.at(0) || c.Fieldsim.Probe.Left != frame.Pose.at(1) ||
		c.Explorer.Matcher.Probe.X != frame.Pose.at(0) || c.Explorer.Matcher.Probe.Y != frame.Pose.at(1) {
		t.Errorf("the model's %s is at %v, fieldsim's probe at (%g, %g), the explorer's at (%g, %g)", frame.Name, frame.Pose,
			c.Fieldsim.Probe.Forward, c.Fieldsim.Probe.Left, c.Explorer.Matcher.Probe.X, c.Explorer.Matcher.Probe.Y)
	}
	for _, s := range model.Links[0].Sensors {
		if s.Type != "navsat" {
			continue
		}
		at := [2]float64{s.Pose.at(0), s.Pose.at(1)}
		for who, antenna := range map[string][2]float64{
			"filter": {c.EKF.Filter.Antenna.X, c.EKF.Filter.Antenna.Y}, "fieldsim": {c.Fieldsim.AntennaX, c.Fieldsim.AntennaY}, "guard": {c.Guard.AntennaX, c.Guard.AntennaY},
		} {
			if antenna != at {
				t.Errorf("the antenna is at %v, that of the %s at %v", at, who, antenna)
			}
		}
		launch := readText(t, launchFolder+"gazebo.launch.py")
		if want := fmt.Sprintf("ANTENNA = ['--x', '%g', '--y', '%g', '--z', '%g']", at[0], at[1], s.Pose.at(2)); !strings.Contains(launch, want) {
			t.Errorf("gazebo.launch.py does not have %s", want)
		}
		// A degree of latitude is 111.3 km, one of longitude at 52° north less: the larger error counts.
		if want := s.Fix * 111.3e3; math.Abs(c.EKF.Covariance.ZeroPositionStdDev-want) > 0.01 || fieldsim.UnstatedFix != c.EKF.Covariance.ZeroPositionStdDev {
			t.Errorf("the filter takes fixes to have %g m, fieldsim says %g m; the sensor's noise is %.3g m", c.EKF.Covariance.ZeroPositionStdDev, fieldsim.UnstatedFix, want)
		}
	}
}

// TestGazeboWithRobotLocalization has the other filter instead of ours: its inputs are those
// that fieldsim publishes, and its output is where our nodes listen.
func TestGazeboWithRobotLocalization(t *testing.T) {
	dir := installation(t, "bin")
	got := ownDefaults()
	others, nodes := readGazebo(t, dir, &got, "localization:=robot_localization", "x:=7", "y:=-3", "yaw:=1.5")
	if nodes["/ekf"] != nil || !got.Fieldsim.PublishCovariances {
		t.Error("want no filter of ours, and covariances from fieldsim")
	}
	if args := others["navsat_transform"].Args; !slices.Contains(args, "datum:=[52.0, 8.5, 0.0]") {
		t.Errorf("navsat_transform has %q, want latitude and longitude of the world", args)
	}
	for _, name := range []string{"ekf_odom", "ekf_map", "navsat_transform", "antenna"} {
		if _, ok := others[name]; !ok {
			t.Errorf("there is no node %s", name)
		}
	}
	if args := others["ekf_map"].Args; !slices.Contains(args, "initial_state:=[7.0, -3.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]") {
		t.Errorf("ekf_map begins with %q, want the spawn's pose", args)
	}
	// The wheels' transform would be a second odom → base_link.
	if args := others["gz_bridge"].Args; !slices.Contains(args, "/tf:=wheels/tf") {
		t.Errorf("the bridge has %q", args)
	}
	if _, err := fieldsim.New(nodes["/fieldsim"], &got.Fieldsim); err != nil {
		t.Fatal(err)
	}
	if _, err := explorer.New(nodes["/ugp_explorer"], &got.Explorer); err != nil {
		t.Fatal(err)
	}
	ends := nodes["/fieldsim"].Endpoints("")
	var filters map[string]struct {
		Parameters map[string]any `yaml:"ros__parameters"`
	}
	data, err := os.ReadFile(otherFile)
	must.OK(t, err)
	must.OK(t, yaml.Unmarshal(data, &filters))
	for _, name := range []string{"ekf_odom", "ekf_map"} {
		p := filters["/**/"+name].Parameters
		for _, input := range []string{"odom0", "imu0"} {
			topic, _ := p[input].(string)
			if !slices.ContainsFunc(ends, func(e ros.EndpointInfo) bool { return e.Kind == ros.PublisherEnd && e.Name == "/"+topic }) {
				t.Errorf("%s of %s is %q, which fieldsim does not publish", input, name, topic)
			}
		}
		if noise, _ := p["process_noise_covariance"].([]any); len(noise) != 15*15 {
			t.Errorf("the process noise of %s has %d numbers, want 225", name, len(noise))
		}
	}
	if world := filters["/**/ekf_map"].Parameters["world_frame"]; world != got.Explorer.Frame {
		t.Errorf("ekf_map is in %v, the explorer in %s", world, got.Explorer.Frame)
	}
	if datum, _ := filters["/**/navsat_transform"].Parameters["datum"].([]any); len(datum) != 3 || datum[0] != worldDatum(t)[1] || datum[1] != worldDatum(t)[0] {
		t.Errorf("navsat_transform has the datum %v, the worlds longitude and latitude %v", datum, worldDatum(t))
	}
}
