// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/securitytest"
)

func TestSecurity(t *testing.T) {
	k := securitytest.New(t, 7)
	k.EnclaveUntil(securitytest.Everything("/explorer"), time.Now().Add(100*24*time.Hour))
	k.Enclave(securitytest.Everything("/incomplete"))
	must.OK(t, os.Remove(filepath.Join(k.Of("/incomplete"), "key.pem")))
	set := func(strategy, domain string) map[string]string {
		return map[string]string{"ROS_SECURITY_ENABLE": "true", "ROS_SECURITY_STRATEGY": strategy, "ROS_SECURITY_KEYSTORE": k.Folder, "ROS_DOMAIN_ID": domain}
	}
	now := time.Now()
	for _, c := range []struct {
		environment map[string]string
		enclave     string
		now         time.Time
		want        Verdict
		text        string
	}{
		{nil, "", now, Note, "anybody on this network"},
		{map[string]string{"ROS_SECURITY_ENABLE": "yes"}, "", now, Bad, `ROS_SECURITY_ENABLE is "yes"`},
		{set("Enforce", "7"), "/explorer", now, Good, "on (Enforce), enclave /explorer in " + k.Of("/explorer") + ", complete and valid until " + now.Add(100*24*time.Hour).UTC().Format(time.DateOnly)},
		{set("Enforce", "7"), "/explorer", now.Add(80 * 24 * time.Hour), Note, "cert.pem expires on"},
		{set("Enforce", "7"), "/explorer", now.Add(200 * 24 * time.Hour), Bad, "cert.pem expired on"},
		{set("Enforce", ""), "/explorer", now, Bad, "is not for domain 0"},
		{set("Enforce", "7"), "", now, Bad, "lacks "},
		{set("Enforce", "7"), "/incomplete", now, Bad, "lacks key.pem"},
		{set("Permissive", "7"), "/nobody", now, Note, "will run without security"},
	} {
		x := examiner{getenv: func(name string) string { return c.environment[name] }}
		x.args.Enclave = c.enclave
		x.secured(c.now)
		if f := x.found[0]; len(x.found) != 1 || f.Verdict != c.want || !strings.Contains(f.Text, c.text) {
			t.Errorf("%v, enclave %q: %v %s; want %v with %q", c.environment, c.enclave, f.Verdict, f.Text, c.want, c.text)
		}
	}
}
