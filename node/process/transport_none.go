//go:build !fastdds

package process

import (
	"errors"

	"ugp_explorer/node/ros"
)

// openTransport says that there is none in this build.
func openTransport(ros.Args) (ros.Transport, []string, error) {
	return nil, nil, errors.New("built without a transport to a ROS 2 graph: build it with `make ros`")
}
