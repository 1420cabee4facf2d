//go:build fastdds

package fastdds_test

import (
	"os"
	"testing"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/conformance"
	"ugp_explorer/node/ros/fastdds"
)

// domain is one that other runs of the tests on this machine hardly have.
func domain() int { return 1 + os.Getpid()%100 }

func join(t *testing.T, change ...func(*fastdds.Config)) *fastdds.Transport {
	t.Helper()
	cfg := fastdds.DefaultConfig()
	cfg.Domain, cfg.Range = domain(), fastdds.Loopback
	for _, f := range change {
		f(&cfg)
	}
	tr, err := fastdds.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) func() ros.Transport {
		return func() ros.Transport { return join(t) }
	})
}
