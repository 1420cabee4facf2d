// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package process

import (
	"cmp"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/rclgo"
)

// OpenTransport joins the graph of ROS 2 Humble that the environment names, in the named
// security enclave; "" is the default enclave.
func OpenTransport(enclave string) (transport ros.Transport, warnings []string, err error) {
	t, err := rclgo.New(cmp.Or(enclave, "/"))
	if err != nil {
		return nil, nil, err
	}
	return t, nil, nil
}
