// Command explorer is the node that chooses where to sample, sends the robot there and learns the field:
// see package node/explorer. It takes the arguments of a ROS 2 node, --ros-args.
package main

import (
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
)

func main() {
	cfg := explorer.DefaultConfig()
	process.Main(process.Program{
		Name:       explorer.DefaultName,
		Summary:    "chooses where to sample, sends the robot there and learns the field",
		Parameters: cfg.Parameters(),
		Start: func(node *ros.Node) error {
			_, err := explorer.New(node, &cfg)
			return err
		},
	})
}
