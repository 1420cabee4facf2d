// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command follower is the node that drives the robot along the explorer's path:
// see package node/follower. It takes the arguments of a ROS 2 node, --ros-args.
package main

import (
	"ugp_explorer/node/follower"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
)

func main() {
	cfg := follower.DefaultConfig()
	process.Main(process.Program{
		Name:       follower.DefaultName,
		Summary:    "drives the robot along the explorer's path",
		Parameters: cfg.Parameters(),
		Start: func(node *ros.Node) error {
			_, err := follower.New(node, &cfg)
			return err
		},
	})
}
