// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/guard"
)

const nav2File = launchFolder + "params/gazebo_nav2.yaml"

// One command also starts Nav2: its servers with the files of this package,
// the explorer that sends them goals, and the guard between every publisher of velocities and the base.
func TestGazeboWithNav2(t *testing.T) {
	dir := installation(t, "bin")
	writeText(t, filepath.Join(dir, "mine.yaml"), "controller_server: {ros__parameters: {controller_frequency: 10.0}}\n")
	got := ownDefaults()
	others, nodes := readGazebo(t, dir, &got, "nav2:=true", "params_file:=mine.yaml")
	servers := map[string]string{ // the packages
		"controller_server": "nav2_controller", "planner_server": "nav2_planner", "behavior_server": "nav2_behaviors",
		"bt_navigator": "nav2_bt_navigator", "lifecycle_manager_navigation": "nav2_lifecycle_manager",
	}
	params := filepath.Join(dir, "launch", "params")
	files := []string{filepath.Join(params, "gazebo_nav2.yaml"), filepath.Join(params, "nav2_costmap.yaml"), filepath.Join(dir, "mine.yaml")}
	for name, pkg := range servers {
		server, ok := others[name]
		if !ok || server.Package != pkg {
			t.Errorf("%s is of the package %q, want %q", name, server.Package, pkg)
			continue
		}
		var read []string
		for i, arg := range server.Args {
			if arg == "--params-file" {
				read = append(read, server.Args[i+1])
			}
		}
		if !slices.Equal(read, files) {
			t.Errorf("%s reads %q, want %q", name, read, files)
		}
		drives := name == "controller_server" || name == "behavior_server"
		if slices.Contains(server.Args, "cmd_vel:=cmd_vel_in") != drives {
			t.Errorf("%s has %q; the guard hears cmd_vel_in", name, server.Args)
		}
	}
	if nodes["/follower"] != nil || nodes["/ekf"] == nil || got.Explorer.Interface != "navigate_to_pose" || got.Explorer.KeepoutCell != 0.4 {
		t.Errorf("want no follower, our filter, and goals for Nav2; the interface is %s, keepout.cell %g", got.Explorer.Interface, got.Explorer.KeepoutCell)
	}
	behind := guard.DefaultConfig()
	if _, err := guard.New(nodes["/guard"], &behind); err != nil {
		t.Fatal(err)
	}
	if _, err := explorer.New(nodes["/ugp_explorer"], &got.Explorer); err != nil {
		t.Fatal(err)
	}
	for _, topic := range []string{"/cmd_vel_in", "/cmd_vel"} {
		if ends := nodes["/guard"].Endpoints(topic); len(ends) != 1 || ends[0].Owner() != "/guard" {
			t.Errorf("on %s there is %+v, want the guard alone", topic, ends)
		}
	}

	got = ownDefaults()
	others, nodes = readGazebo(t, dir, &got, "nav2:=external")
	for name := range servers {
		if _, ok := others[name]; ok {
			t.Errorf("%s is started although Nav2 is started by somebody else", name)
		}
	}
	if nodes["/follower"] != nil || nodes["/guard"] != nil || got.Explorer.Interface != "navigate_to_pose" {
		t.Errorf("with nav2:=external want neither follower nor guard; the interface is %s", got.Explorer.Interface)
	}
}

// TestNav2Parameters has Nav2 know the robot, its frames and topics as Gazebo and our nodes do.
func TestNav2Parameters(t *testing.T) {
	type parameters map[string]any
	type server struct {
		Parameters parameters `yaml:"ros__parameters"`
	}
	var file struct {
		All        server `yaml:"/**"`
		Explorer   server `yaml:"/**/ugp_explorer"`
		Manager    server `yaml:"lifecycle_manager_navigation"`
		Navigator  server `yaml:"bt_navigator"`
		Controller server `yaml:"controller_server"`
		Planner    server `yaml:"planner_server"`
		Behaviors  server `yaml:"behavior_server"`
		Local      struct {
			L server `yaml:"local_costmap"`
		} `yaml:"local_costmap"`
		Global struct {
			G server `yaml:"global_costmap"`
		} `yaml:"global_costmap"`
	}
	d := yaml.NewDecoder(strings.NewReader(readText(t, nav2File)))
	d.KnownFields(true)
	must.OK(t, d.Decode(&file))
	// The explorer, the filter and the guard read this section, too, and warn of what they do not have.
	if all := file.All.Parameters; all["use_sim_time"] != true || len(all) != 1 {
		t.Errorf("all nodes have %v, want Gazebo's time and nothing else", all)
	}
	for name, drives := range map[string]server{"controller_server": file.Controller, "behavior_server": file.Behaviors} {
		if drives.Parameters["enable_stamped_cmd_vel"] != false {
			t.Errorf("%s publishes TwistStamped, the bridge has Twist", name)
		}
	}
	var servers []string
	for _, name := range file.Manager.Parameters["node_names"].([]any) {
		servers = append(servers, name.(string))
	}
	slices.Sort(servers)
	if want := []string{"behavior_server", "bt_navigator", "controller_server", "planner_server"}; !slices.Equal(servers, want) {
		t.Errorf("the lifecycle manager has %q, want %q", servers, want)
	}

	drive := pluginsOf(readSDF(t, modelFile).Model.Plugins)["DiffDrive"]
	number := func(name string) float64 {
		v, err := strconv.ParseFloat(drive.one(t, name), 64)
		must.OK(t, err)
		return v
	}
	c := ownDefaults()
	apply(t, parameterFiles(t, gazeboFile), c.Parameters()...)
	for name, frames := range map[string][2]any{
		"bt_navigator":    {file.Navigator.Parameters["global_frame"], file.Navigator.Parameters["robot_base_frame"]},
		"behavior_server": {file.Behaviors.Parameters["global_frame"], file.Behaviors.Parameters["robot_base_frame"]},
		"local_costmap":   {file.Local.L.Parameters["global_frame"], file.Local.L.Parameters["robot_base_frame"]},
	} {
		world := any(drive.one(t, "frame_id"))
		if name == "bt_navigator" {
			world = c.Explorer.Frame
		}
		if frames != [2]any{world, drive.one(t, "child_frame_id")} {
			t.Errorf("%s has the frames %v, want %v", name, frames, [2]any{world, drive.one(t, "child_frame_id")})
		}
	}
	bridge := readBridge(t)
	if i := slices.IndexFunc(bridge, func(e bridged) bool { return e.GzTopic == drive.one(t, "odom_topic") }); i < 0 || "/"+bridge[i].ROSTopic != file.Navigator.Parameters["odom_topic"] {
		t.Errorf("bt_navigator reads %v, the bridge has %+v", file.Navigator.Parameters["odom_topic"], bridge)
	}
	follow := file.Controller.Parameters["FollowPath"].(parameters)
	if speed, turn := follow["desired_linear_vel"].(float64), follow["rotate_to_heading_angular_vel"].(float64); speed > number("max_linear_velocity") || turn > number("max_angular_velocity") {
		t.Errorf("the controller wants %g m/s and %g rad/s; the robot does %g and %g", speed, turn, number("max_linear_velocity"), number("max_angular_velocity"))
	}
	if near := file.Controller.Parameters["goal_checker"].(parameters)["xy_goal_tolerance"].(float64); near > 0.5 {
		t.Errorf("Nav2's goals have a tolerance of %g m, want less than the explorer's of 2 m by what the localisation is wrong", near)
	}
	for name, costmap := range map[string]server{"local": file.Local.L, "global": file.Global.G} {
		if r := costmap.Parameters["robot_radius"]; r != c.Explorer.Radius {
			t.Errorf("the %s costmap has a robot of %v m, the explorer one of %g m", name, r, c.Explorer.Radius)
		}
	}
}
