// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package security_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/securitytest"
	"ugp_explorer/node/ros/security"
)

func TestFromEnvironment(t *testing.T) {
	for _, c := range []struct {
		enable, strategy, override string
		want                       security.Settings
		err                        string
	}{
		{"", "", "", security.Settings{}, ""},
		{"false", "Enforce", "", security.Settings{Enforce: true}, ""},
		{"true", "Permissive", "", security.Settings{Enabled: true}, ""},
		{"true", "", "", security.Settings{Enabled: true}, ""},
		{"true", "Enforce", "/a/b", security.Settings{Enabled: true, Enforce: true, Override: "/a/b"}, ""},
		{"True", "", "", security.Settings{}, `ROS_SECURITY_ENABLE is "True", want true or false`},
		{"1", "enforce", "", security.Settings{}, `ROS_SECURITY_STRATEGY is "enforce", want Enforce or Permissive`},
		{"true", "", "a", security.Settings{Enabled: true, Override: "a"}, "ROS_SECURITY_ENCLAVE_OVERRIDE"},
	} {
		got, err := security.FromEnvironment(func(name string) string {
			return map[string]string{"ROS_SECURITY_ENABLE": c.enable, "ROS_SECURITY_STRATEGY": c.strategy, "ROS_SECURITY_ENCLAVE_OVERRIDE": c.override}[name]
		})
		if got != c.want || (err != nil) != (c.err != "") || !strings.Contains(fmt.Sprint(err), c.err) {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}

// The rules are those of rcl/security.c and of rmw_dds_common's security.cpp.
func TestFind(t *testing.T) {
	k := securitytest.New(t, 7)
	k.Enclave(securitytest.Everything("/field/explorer"))
	k.Enclave(securitytest.Everything("/other"))
	s := security.Settings{Enabled: true, Keystore: k.Folder}
	e, err := s.Find("/field/explorer")
	must.OK(t, err)
	if e.Folder != filepath.Join(k.Folder, "enclaves", "field", "explorer") || e.Certificate != "file://"+e.Folder+"/cert.pem" || e.Permissions != "file://"+e.Folder+"/permissions.p7s" || e.Revoked != "" {
		t.Errorf("found %+v", e)
	}
	must.OK(t, os.WriteFile(filepath.Join(e.Folder, "crl.pem"), nil, 0o600))
	must.OK(t, os.WriteFile(filepath.Join(e.Folder, "key.p11"), []byte("pkcs11:token=robot;object=key\n"), 0o600))
	if e, err = s.Find("/field/explorer"); err != nil || e.Revoked != "file://"+e.Folder+"/crl.pem" || e.Key != "pkcs11:token=robot;object=key" {
		t.Errorf("with crl.pem and key.p11: %+v, %v", e, err)
	}
	s.Override = "/other"
	if e, err = s.Find("/field/explorer"); err != nil || e.Name != "/other" || e.Folder != k.Of("/other") {
		t.Errorf("with an override: %+v, %v", e, err)
	}
	must.OK(t, os.Remove(filepath.Join(e.Folder, "key.pem")))
	must.OK(t, os.Remove(filepath.Join(e.Folder, "governance.p7s")))
	if e, err = s.Find("/"); err == nil || !strings.HasSuffix(err.Error(), k.Of("/other")+" lacks key.pem, governance.p7s") {
		t.Errorf("without key and governance: %+v, %v", e, err)
	}
	s.Enabled = false
	if e, err = s.Find("/nobody"); e != nil || err != nil {
		t.Errorf("not enabled: %+v, %v", e, err)
	}
}

func TestInspect(t *testing.T) {
	k := securitytest.New(t, 7)
	soon := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Second)
	k.EnclaveUntil(securitytest.Everything("/explorer"), soon)
	k.Enclave(securitytest.Everything("/other"))
	s := security.Settings{Enabled: true, Keystore: k.Folder}
	find := func(name string) *security.Enclave {
		e, err := s.Find(name)
		must.OK(t, err)
		return e
	}
	e := find("/explorer")
	r, err := e.Inspect(7, time.Now())
	must.OK(t, err)
	if !r.Expires.Equal(soon) || filepath.Base(r.Expiring) != "cert.pem" {
		t.Errorf("inspected: %+v, want an end at %v", r, soon)
	}
	if e.Unauthenticated() {
		t.Error("the governance lets everybody in")
	}
	alien := securitytest.New(t, 7)
	alien.Enclave(securitytest.Everything("/explorer"))
	for _, c := range []struct {
		name   string
		domain int
		now    time.Time
		change func(e *security.Enclave)
		want   []string
	}{
		{"domain", 8, time.Now(), func(*security.Enclave) {}, []string{"governance.p7s is not for domain 8", "permissions.p7s is not for domain 8", "ROS_DOMAIN_ID"}},
		{"end", 7, soon.Add(time.Hour), func(*security.Enclave) {}, []string{"cert.pem expired on " + soon.Format(time.DateOnly)}},
		{"clock", 7, time.Unix(0, 0), func(*security.Enclave) {}, []string{"cert.pem is not valid before", "clock says 1970-01-01"}},
		{"authority", 7, time.Now(), func(e *security.Enclave) {
			e.IdentityCA = "file://" + filepath.Join(alien.Of("/explorer"), "identity_ca.cert.pem")
		}, []string{"cert.pem is not signed by " + alien.Folder}},
		{"file", 7, time.Now(), func(e *security.Enclave) { e.Permissions = "file:///nowhere/permissions.p7s" }, []string{"/nowhere/permissions.p7s"}},
		{"form", 7, time.Now(), func(e *security.Enclave) { e.Certificate = e.Governance }, []string{"governance.p7s holds nothing in PEM form"}},
	} {
		wrong := *e
		c.change(&wrong)
		_, err := wrong.Inspect(c.domain, c.now)
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v, want %q", c.name, err, w)
			}
		}
	}
}

// The expected rules are what sros2's permissions.xsl makes of such a policy.
func TestRules(t *testing.T) {
	a := securitytest.Allowed{Path: "/x", Profiles: []securitytest.Profile{{
		Namespace: "/ns", Node: "n",
		Topics:   []securitytest.Topics{{Publish: "ALLOW", Names: []string{"/abs", "rel", "~/private"}}},
		Services: []securitytest.Services{{Reply: "ALLOW", Names: []string{"~/s"}}},
		Actions:  []securitytest.Actions{{Call: "ALLOW", Names: []string{"go"}}},
	}}}
	r, err := a.Rules()
	must.OK(t, err)
	publish := []string{
		"ros_discovery_info", "rq/ns/go/_action/cancel_goalRequest", "rq/ns/go/_action/get_resultRequest", "rq/ns/go/_action/send_goalRequest", "rr/ns/n/sReply",
		"rt/abs", "rt/ns/n/private", "rt/ns/rel",
	}
	subscribe := []string{
		"ros_discovery_info", "rq/ns/n/sRequest", "rr/ns/go/_action/cancel_goalReply", "rr/ns/go/_action/get_resultReply", "rr/ns/go/_action/send_goalReply",
		"rt/ns/go/_action/feedback", "rt/ns/go/_action/status",
	}
	if !slices.Equal(r.Publish, publish) || !slices.Equal(r.Subscribe, subscribe) {
		t.Errorf("publish %q\nsubscribe %q", r.Publish, r.Subscribe)
	}
	a.Profiles[0].Topics[0].Publish = "DENY"
	if _, err := a.Rules(); err == nil {
		t.Error("a denial is no error")
	}
}
