// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package simulation

import (
	"errors"
	"os"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/nodetest"
	"ugp_explorer/internal/testkit/securitytest"
	"ugp_explorer/node/ros/fastdds"
	"ugp_explorer/node/ros/security"
)

// With the shipped policies every node can open what it needs over secured DDS, in every
// variant, and none can open another's.
func TestPoliciesOverDDS(t *testing.T) {
	domain := 1 + os.Getpid()%100
	policy, err := securitytest.ReadPolicy(policyFile)
	must.OK(t, err)
	k := securitytest.New(t, domain)
	for _, e := range policy.Enclaves {
		k.Enclave(e)
	}
	open := func(enclave string, p nodetest.Node, variant string) error {
		cfg := fastdds.DefaultConfig()
		cfg.Domain, cfg.Range, cfg.Enclave = domain, fastdds.Loopback, enclave
		cfg.Security = security.Settings{Enabled: true, Enforce: true, Keystore: k.Folder}
		tr, err := fastdds.New(cfg)
		if err != nil {
			return err
		}
		n, err := p.Open(tr, "/", variant)
		if n != nil {
			err = errors.Join(err, n.Close())
		}
		return errors.Join(err, tr.Close())
	}
	for _, p := range governed {
		for _, variant := range p.Variants {
			if err := open("/ugp/"+p.Name, p, variant); err != nil {
				t.Errorf("%s with %s: %v", p.Name, variant, err)
			}
		}
		if err := open("/ugp/operator", p, p.Variants[0]); err == nil || !strings.Contains(err.Error(), "the permissions of the enclave /ugp/operator") {
			t.Errorf("%s in the operator's enclave: %v", p.Name, err)
		}
	}
}
