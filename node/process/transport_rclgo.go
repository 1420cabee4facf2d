//go:build rclgo

package process

import (
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/rclgo"
)

// OpenTransport joins the graph of ROS 2 Humble as the environment says, in the
// security enclave of that name; "" is the one that there is without any.
func OpenTransport(enclave string) (transport ros.Transport, warnings []string, err error) {
	cfg := rclgo.DefaultConfig()
	if enclave != "" {
		cfg.Enclave = enclave
	}
	t, err := rclgo.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	return t, nil, nil
}
