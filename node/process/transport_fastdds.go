// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds && !rclgo

package process

import (
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
)

// OpenTransport joins the DDS domain that the environment names, in the named security
// enclave; "" is the default enclave. It also returns warnings about the environment for
// the user.
func OpenTransport(enclave string) (transport ros.Transport, warnings []string, err error) {
	cfg, err := fastdds.FromEnvironment()
	if err != nil {
		return nil, nil, err
	}
	if enclave != "" {
		cfg.Enclave = enclave
	}
	t, err := fastdds.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	return t, t.Warnings(), nil
}
