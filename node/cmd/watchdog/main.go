// Command watchdog is the node that stops a robot whose velocity commands cease: see
// package node/watchdog. It takes the arguments of a ROS 2 node, --ros-args.
package main

import (
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/watchdog"
)

func main() {
	cfg := watchdog.DefaultConfig()
	process.Main(process.Program{
		Name:       watchdog.DefaultName,
		Summary:    "stops a robot whose velocity commands cease",
		Parameters: cfg.Parameters(),
		Start: func(node *ros.Node) error {
			_, err := watchdog.New(node, &cfg)
			return err
		},
	})
}
