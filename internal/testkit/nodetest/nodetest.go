// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package nodetest opens the five nodes with each choice of interface, so that tests see every topic, service and action
// that they may have.
package nodetest

import (
	"path/filepath"
	"strings"

	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/host"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/sense"
)

// Node is a node, and the parameters with which its endpoints differ.
type Node struct {
	Name     string
	start    func() (*param.Set, func(*ros.Node) error)
	Variants []string // assignments with spaces between
	// Subscriptions and clients that a node opens when it finds something in the graph, and
	// not at its start, what a launch file makes of the name of a publisher, and what the program
	// publishes beside its node.
	Subscribe, Request, Publish []string
}

// Nodes returns the five nodes. root is the folder of the repository, seen from that of the test.
func Nodes(root string) []Node {
	field := "field.file:=" + filepath.Join(root, "launch", "fields", "farm.geojson")
	const stamped, useSimTime = "cmd_vel_stamped:=true", "use_sim_time:=true"
	explored := []string{
		field, field + " pose.source:=pose", field + " pose.source:=tf",
		field + " goal.interface:=navigate_to_pose", field + " passive:=true ground_truth:=true",
		field + " web.address:=127.0.0.1:0 " + useSimTime, "outline.file:=/nonexistent/recorded.geojson",
	}
	for _, name := range sense.ReadingNames() {
		explored = append(explored, field+" reading.stddev:=1.0 reading.type:="+name, field+" secondary.stddev:=1.0 secondary.type:="+name)
	}
	return []Node{
		{explorer.DefaultName, func() (*param.Set, func(*ros.Node) error) {
			cfg := settings.DefaultConfig()
			return cfg.Parameters(), func(n *ros.Node) error { _, err := host.New(n, &cfg); return err }
		}, explored, append([]string{"ekf/datum", "/diagnostics"}, settings.DefaultConfig().Record.Also...), []string{"bt_navigator/get_state"}, nil},
		{follower.DefaultName, func() (*param.Set, func(*ros.Node) error) {
			cfg := follower.DefaultConfig()
			return cfg.Parameters(), func(n *ros.Node) error { _, err := follower.New(n, &cfg); return err }
		}, []string{useSimTime, "goal.source:=goal_pose", stamped}, nil, nil, []string{"cmd_vel_in"}},
		{ekf.DefaultName, func() (*param.Set, func(*ros.Node) error) {
			cfg := ekf.DefaultConfig()
			return cfg.Parameters(), func(n *ros.Node) error { _, err := ekf.New(n, &cfg); return err }
		}, []string{useSimTime}, nil, nil, nil},
		{guard.DefaultName, func() (*param.Set, func(*ros.Node) error) {
			cfg := guard.DefaultConfig()
			return cfg.Parameters(), func(n *ros.Node) error { _, err := guard.New(n, &cfg); return err }
		}, []string{useSimTime, stamped}, nil, nil, []string{"/diagnostics"}},
		{fieldsim.DefaultName, func() (*param.Set, func(*ros.Node) error) {
			cfg := fieldsim.DefaultConfig()
			return cfg.Parameters(), func(n *ros.Node) error { _, err := fieldsim.New(n, &cfg); return err }
		}, []string{useSimTime, stamped, "fix.datum:=[9.0,48.0] imu.publish:=true", "secondary.correlation:=0.6", "robot.source:=odometry covariances.publish:=true " + useSimTime}, nil, nil, []string{"/diagnostics"}},
	}
}

// Parameters returns the node's parameters at their defaults.
func (p Node) Parameters() *param.Set {
	set, _ := p.start()
	return set
}

// Open starts the node with the assignments of a variant.
func (p Node) Open(tr ros.Transport, namespace, variant string, remaps ...names.Remap) (*ros.Node, error) {
	set, start := p.start()
	overrides := &param.Overrides{}
	for _, assignment := range strings.Fields(variant) {
		if err := overrides.AddAssignment(assignment); err != nil {
			return nil, err
		}
	}
	ex := exec.NewRealTime() // a simulated one is its own clock
	n, err := ros.NewNode(tr, ex, p.Name, ros.NodeOptions{Namespace: namespace, Remaps: remaps, Parameters: set, Overrides: overrides})
	if err != nil {
		return nil, err
	}
	n.OnClose(ex)
	return n, start(n)
}
