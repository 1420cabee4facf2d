// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"fmt"
	"time"

	"ugp_explorer/node/ros/security"
)

// property is a property of the participant.
type property struct{ name, value string }

// properties returns what makes the library's plugins secure a participant with the files of
// the enclave, which may be nil: DDS Security 1.1, tables 44 and 58.
func properties(e *security.Enclave) []property {
	if e == nil {
		return nil
	}
	const identity, access = "dds.sec.auth.builtin.PKI-DH.", "dds.sec.access.builtin.Access-Permissions."
	list := []property{
		{"dds.sec.auth.plugin", "builtin.PKI-DH"},
		{identity + "identity_ca", e.IdentityCA},
		{identity + "identity_certificate", e.Certificate},
		{identity + "private_key", e.Key},
		{identity + "preferred_key_agreement", "ECDH"}, // which Cyclone DDS reads, too; releases from before 2025 do not know it
		{"dds.sec.access.plugin", "builtin.Access-Permissions"},
		{access + "permissions_ca", e.PermissionsCA},
		{access + "governance", e.Governance},
		{access + "permissions", e.Permissions},
		{"dds.sec.crypto.plugin", "builtin.AES-GCM-GMAC"},
	}
	if e.Revoked != "" {
		list = append(list, property{identity + "identity_crl", e.Revoked})
	}
	return list
}

// enclave returns the files that secure the participant. Without an error it returns nil if
// security is not enabled, or if files are missing and the strategy is Permissive; the warning
// then says so.
func (c *Config) enclave() (e *security.Enclave, warning string, err error) {
	e, err = c.Security.Find(c.Enclave)
	switch {
	case err == nil:
		return e, "", nil
	case c.Security.Enforce:
		return nil, "", fmt.Errorf("ros/fastdds: %s is Enforce, but %w", security.StrategyVariable, err)
	}
	return nil, fmt.Sprintf("running without security, although %s is true: %v; with %s=Enforce the node would not start", security.EnableVariable, err, security.StrategyVariable), nil
}

// explained returns the error of a secured participant that the library did not create, with
// what is wrong with the files, if that can be seen.
func explained(err error, e *security.Enclave, domain int) error {
	if e == nil {
		return err
	}
	if _, why := e.Inspect(domain, time.Now()); why != nil {
		return fmt.Errorf("the files of the enclave %s cannot be used: %w; the library says: %w", e.Name, why, err)
	}
	return fmt.Errorf("secured with the files in %s: %w", e.Folder, err)
}

// forbidden returns the error of an endpoint that the library did not open, in plain words if
// the reason is that the enclave may not have it.
func (t *Transport) forbidden(p *port, err error) error {
	if t.secured == nil || !notAllowed.MatchString(err.Error()) {
		return err
	}
	do := "subscribe to"
	if p.writer {
		do = "publish"
	}
	return fmt.Errorf("the permissions of the enclave %s in %s do not let it %s %s, a topic of DDS", t.secured.Name, t.secured.Folder, do, p.topic)
}
