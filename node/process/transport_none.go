//go:build !fastdds && !rclgo

package process

import (
	"errors"

	"ugp_explorer/node/ros"
)

// OpenTransport says that there is none in this build.
func OpenTransport(string) (ros.Transport, []string, error) {
	return nil, nil, errors.New("built without a transport to a ROS 2 graph: build it with `make ros`")
}
