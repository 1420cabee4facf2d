// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command guard is the node that keeps a robot inside its field, holds it while its mission is
// paused, and stops it when velocity commands cease: see package node/guard. It takes the
// arguments of a ROS 2 node, --ros-args.
package main

import (
	"ugp_explorer/node/guard"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
)

func main() {
	cfg := guard.DefaultConfig()
	process.Main(process.Program{
		Name:       guard.DefaultName,
		Summary:    "keeps a robot inside its field, whatever drives it, and stops it when velocity commands cease",
		Parameters: cfg.Parameters(),
		Start: func(node *ros.Node) error {
			_, err := guard.New(node, &cfg)
			return err
		},
	})
}
