// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"path/filepath"
	"slices"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// TestLaunchRViz has RViz see what the nodes publish, wherever the arguments put
// it, and by their clock.
func TestLaunchRViz(t *testing.T) {
	dir := installation(t, "bin")
	t.Setenv("LAUNCH_TEST_PREFIX", dir)
	writeText(t, filepath.Join(dir, "a.yaml"), "")
	launched, err := readLaunch(t, dir, "explore.launch.py", "rviz:=true", "namespace:=a/b", "use_sim_time:=true", "params_file:=a.yaml",
		"odometry_topic:=fused", "pose_topic:=/amcl_pose", "fix_topic:=gps", "shutdown_on_exit:=true")
	must.OK(t, err)
	rviz := launched[len(launched)-1]
	if rviz.Executable != "rviz2" || rviz.Shutdown {
		t.Fatalf("%+v is started, want an RViz that may be closed", rviz)
	}
	if !slices.Contains(rviz.Args, filepath.Join(dir, "a.yaml")) {
		t.Errorf("RViz does not get the parameter file, which may have use_sim_time: %q", rviz.Args)
	}
	args, own, err := ros.ParseArgs(rviz.Args)
	if want := []string{"-d", filepath.Join(dir, "launch", "rviz", "explore.rviz")}; err != nil || !slices.Equal(own, want) {
		t.Fatalf("RViz's own arguments are %q, %v; want %q", own, err, want)
	}
	options, err := args.NodeOptions(nil)
	must.OK(t, err)
	node, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "rviz", options)
	must.OK(t, err)
	t.Cleanup(func() {
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	})
	if node.FullName() != "/a/b/rviz2" || !slices.Contains(rviz.Args, "use_sim_time:=true") {
		t.Errorf("RViz is %s with %q, want /a/b/rviz2 in simulated time", node.FullName(), rviz.Args)
	}
	for topic, want := range map[string]string{
		"odometry/filtered": "/a/b/fused", "pose": "/amcl_pose", "fix_pose": "/a/b/gps", "ugp_explorer/mean": "/a/b/ugp_explorer/mean",
	} {
		if got, err := node.Resolve(topic); err != nil || got != want {
			t.Errorf("%s of RViz is %s (%v), want %s", topic, got, err, want)
		}
	}

	// Beside Nav2 it shows what the explorer wants, by the explorer's own names.
	if launched, err = readLaunch(t, dir, "explore.launch.py", "rviz:=true", "nav2:=true"); err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"goal_pose:=ugp_explorer/goal_pose", "plan:=ugp_explorer/plan"} {
		if !slices.Contains(launched[1].Args, rule) || slices.Contains(launched[0].Args, rule) {
			t.Errorf("with Nav2 RViz has the arguments %q, the explorer %q; want %s for RViz alone", launched[1].Args, launched[0].Args, rule)
		}
	}

	started := func(arguments ...string) int {
		launched, err := readLaunch(t, dir, "sim.launch.py", arguments...)
		must.OK(t, err)
		return len(slices.DeleteFunc(launched, func(l launchedNode) bool { return l.Executable != "rviz2" }))
	}
	if with, without := started("rviz:=true"), started(); with != 1 || without != 0 {
		t.Errorf("the simulation has %d RViz when asked and %d when not, want 1 and 0", with, without)
	}
}
