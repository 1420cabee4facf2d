// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command fieldsim is the node that simulates the robot and its field: see package node/fieldsim. It takes the arguments of a ROS 2 node,
// --ros-args.
package main

import (
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
)

func main() {
	cfg := fieldsim.DefaultConfig()
	process.Main(process.Program{
		Name:       fieldsim.DefaultName,
		Summary:    "simulates the robot and its field",
		Parameters: cfg.Parameters(),
		Start: func(node *ros.Node) error {
			_, err := fieldsim.New(node, &cfg)
			return err
		},
		ClockSource: cfg.ClockSource,
	})
}
