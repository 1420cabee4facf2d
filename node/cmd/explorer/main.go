// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command explorer is the node that chooses where to sample, sends the robot there and maps the field:
// see package node/explorer. It takes the arguments of a ROS 2 node, --ros-args.
package main

import (
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/host"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
)

func main() {
	cfg := settings.DefaultConfig()
	var h *host.Host
	process.Main(process.Program{
		Name:       explorer.DefaultName,
		Summary:    "chooses where to sample, sends the robot there and maps the field",
		Parameters: cfg.Parameters(),
		Terminal:   &cfg.Terminal,
		Start: func(node *ros.Node) (err error) {
			h, err = host.New(node, &cfg)
			return err
		},
		Finish: func() error { return h.WriteReport() },
		Done:   func() bool { return cfg.EndWhenDone && h.Finished() },
	})
}
