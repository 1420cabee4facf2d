// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
)

// TestSecondExplorer has another explorer begin by itself while the robot drives for the first. It has a pose before it has found the
// first in the graph, and it waits for that: it sends no goal and says why, and the robot goes on.
func TestSecondExplorer(t *testing.T) {
	t.Parallel()
	r := newRobot(t, 5, func(c *simulation.Config) { c.Explorer.Mission.Budget.Samples = 30 })
	o := r.observe()
	r.start()
	o.driving()

	begun := ""
	hear(o, "/second/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) {
		if m.State != string(mission.StateIdle) {
			begun = strings.Clone(m.State + ": " + m.Text)
		}
	})
	log := filepath.Join(r.dir, "second.log")
	out, err := os.Create(log)
	r.must(err)
	defer out.Close()
	p, err := launcher.Start(launcher.Executable{
		Name: "second", Path: program("explorer"), Log: out,
		Args: []string{"--ros-args", "-r", "__node:=second", "-p", "use_sim_time:=true", "-p", "auto_start:=true", "-p", "field.file:=" + r.cfg.Fieldsim.Field.Boundary},
		Env:  []string{"ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=" + strconv.Itoa(r.domain)},
	})
	r.must(err)
	t.Cleanup(p.Kill)
	o.wait("the second explorer to say why it does not start", func() bool {
		text, err := os.ReadFile(log)
		r.must(err)
		return strings.Contains(string(text), "the mission cannot start: there are two explorers") || begun != ""
	})
	if begun != "" {
		t.Errorf("the second explorer is %s", begun)
	}
	samples := o.status.SamplesTaken
	o.wait("another sample of the first", func() bool { return o.status.SamplesTaken > samples })
	r.must(launcher.Stop(patience, p))
	r.stop()
}
