// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !fastdds && !rclgo

package process

import (
	"errors"

	"ugp_explorer/node/ros"
)

// OpenTransport returns an error, since this build has no transport.
func OpenTransport(string) (ros.Transport, []string, error) {
	return nil, nil, errors.New("built without a transport to a ROS 2 graph: build it with `make ros`")
}
