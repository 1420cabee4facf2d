//go:build fastdds

package process

import (
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
)

// openTransport joins the DDS domain that the environment names.
func openTransport(args ros.Args) (ros.Transport, []string, error) {
	cfg, err := fastdds.FromEnvironment()
	if err != nil {
		return nil, nil, err
	}
	if args.Enclave != "" {
		cfg.Enclave = args.Enclave
	}
	transport, err := fastdds.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	return transport, transport.Warnings(), nil
}
