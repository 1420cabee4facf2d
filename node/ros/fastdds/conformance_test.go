// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"os"
	"testing"

	"ugp_explorer/internal/testkit/conformance"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
)

// The suite between participants of one process, which talk over UDP like those of several.
func TestConformance(t *testing.T) {
	t.Parallel()
	apart := 41 + os.Getpid()%10 // a domain where no other tests are
	open := func(t *testing.T) func() ros.Transport {
		return func() ros.Transport {
			return join(t, func(c *fastdds.Config) { c.Domain = apart })
		}
	}
	conformance.Run(t, open, nil)
	conformance.Actions(t, open)
}
