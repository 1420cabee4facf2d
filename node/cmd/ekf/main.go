// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command ekf is the node that estimates the robot's pose: see package node/ekf. It takes the arguments of a ROS 2 node, --ros-args.
package main

import (
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
)

func main() {
	cfg := ekf.DefaultConfig()
	process.Main(process.Program{
		Name:       ekf.DefaultName,
		Summary:    "estimates the robot's pose",
		Parameters: cfg.Parameters(),
		Start: func(node *ros.Node) error {
			_, err := ekf.New(node, &cfg)
			return err
		},
	})
}
