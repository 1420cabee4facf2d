// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package securitytest makes keystores and permissions as `ros2 security` does, for tests that
// have no ROS 2. It needs the program openssl.
package securitytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
)

// Keystore is a keystore with one authority for identities and permissions.
type Keystore struct {
	Folder string

	t      testing.TB
	domain int
	key    *ecdsa.PrivateKey
	cert   *x509.Certificate
	serial int64
}

// lifetime is how long certificates and permissions are valid, ten years in ros2 security.
const lifetime = 3650 * 24 * time.Hour

// New makes a keystore for a domain. It skips the test if openssl is missing.
func New(t testing.TB, domain int) *Keystore {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is missing: apt-get install openssl")
	}
	k := &Keystore{Folder: filepath.Join(t.TempDir(), "keystore"), t: t, domain: domain}
	for _, folder := range []string{"public", "private", "enclaves"} {
		k.must(os.MkdirAll(k.file(folder), 0o755))
	}
	k.key = k.newKey("private/ca.key.pem")
	k.cert = k.sign("public/ca.cert.pem", "sros2CA", true, k.key, time.Now().Add(lifetime))
	for _, use := range []string{"identity", "permissions"} {
		k.must(os.Symlink("ca.cert.pem", k.file("public/"+use+"_ca.cert.pem")))
		k.must(os.Symlink("ca.key.pem", k.file("private/"+use+"_ca.key.pem")))
	}
	k.Govern("ENCRYPT")
	return k
}

// Govern writes the rules of the domain, with a protection kind of topics and their discovery:
// "ENCRYPT", as ros2 security has it, "SIGN" or "NONE".
func (k *Keystore) Govern(kind string) {
	k.t.Helper()
	k.seal("enclaves/governance", fmt.Sprintf(governance, k.domain, kind))
}

// Enclave makes an enclave with what it may do, or makes its permissions again.
func (k *Keystore) Enclave(a Allowed) {
	k.t.Helper()
	k.EnclaveUntil(a, time.Now().Add(lifetime))
}

// EnclaveUntil is Enclave with a certificate, if there is none yet, that ends then.
func (k *Keystore) EnclaveUntil(a Allowed, end time.Time) {
	k.t.Helper()
	k.identify(a.Path, end)
	k.permit(a.Path, k.rule(a, k.domain))
}

// EnclaveElsewhere is Enclave with more that it may do in the next domain only. Fast DDS lets a
// participant open such endpoints, so that it is for the others to keep them out.
func (k *Keystore) EnclaveElsewhere(a, elsewhere Allowed) {
	k.t.Helper()
	k.identify(a.Path, time.Now().Add(lifetime))
	k.permit(a.Path, k.rule(a, k.domain)+k.rule(elsewhere, k.domain+1))
}

// identify makes the folder of an enclave, its key and its certificate.
func (k *Keystore) identify(enclave string, end time.Time) {
	k.t.Helper()
	folder := k.Of(enclave)
	k.must(os.MkdirAll(folder, 0o755))
	if _, err := os.Stat(filepath.Join(folder, "cert.pem")); err == nil {
		return
	}
	inside := "enclaves" + enclave
	key := k.newKey(inside + "/key.pem")
	k.sign(inside+"/cert.pem", enclave, false, key, end)
	for file, at := range map[string]string{
		"identity_ca.cert.pem": "public/identity_ca.cert.pem", "permissions_ca.cert.pem": "public/permissions_ca.cert.pem", "governance.p7s": "enclaves/governance.p7s",
	} {
		to, err := filepath.Rel(folder, k.file(at))
		k.must(err)
		k.must(os.Symlink(to, filepath.Join(folder, file)))
	}
}

// rule returns the rule that allows that in a domain.
func (k *Keystore) rule(a Allowed, domain int) string {
	k.t.Helper()
	r, err := a.Rules()
	k.must(err)
	text := fmt.Sprintf("<allow_rule><domains><id>%d</id></domains>", domain)
	for _, l := range []struct {
		kind   string
		topics []string
	}{{"publish", r.Publish}, {"subscribe", r.Subscribe}} {
		text += fmt.Sprintf("<%s><topics><topic>%s</topic></topics></%[1]s>", l.kind, strings.Join(l.topics, "</topic><topic>"))
	}
	return text + "</allow_rule>"
}

// permit writes the permissions of an enclave.
func (k *Keystore) permit(enclave, rules string) {
	k.t.Helper()
	const form = "2006-01-02T15:04:05"
	now := time.Now().UTC()
	k.seal("enclaves"+enclave+"/permissions", fmt.Sprintf(permissions, enclave, now.Add(-24*time.Hour).Format(form), now.Add(lifetime).Format(form), rules))
}

// Of returns the folder of an enclave.
func (k *Keystore) Of(enclave string) string { return k.file("enclaves" + enclave) }

// Environment returns the variables with which a process uses the keystore.
func (k *Keystore) Environment(strategy string) []string {
	return []string{"ROS_SECURITY_ENABLE=true", "ROS_SECURITY_STRATEGY=" + strategy, "ROS_SECURITY_KEYSTORE=" + k.Folder}
}

func (k *Keystore) file(name string) string { return filepath.Join(k.Folder, filepath.FromSlash(name)) }

func (k *Keystore) must(err error) {
	k.t.Helper()
	must.OK(k.t, err)
}

func (k *Keystore) write(name, kind string, der []byte) {
	k.t.Helper()
	k.must(os.WriteFile(k.file(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func (k *Keystore) newKey(name string) *ecdsa.PrivateKey {
	k.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader) // DDS Security 1.1, 9.3.1
	k.must(err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	k.must(err)
	k.write(name, "PRIVATE KEY", der)
	return key
}

// sign writes a certificate of a key by the authority, which signs its own.
func (k *Keystore) sign(name, subject string, authority bool, key *ecdsa.PrivateKey, end time.Time) *x509.Certificate {
	k.t.Helper()
	k.serial++
	c := &x509.Certificate{
		SerialNumber: big.NewInt(k.serial), RawSubject: k.name(subject), NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: end,
		BasicConstraintsValid: true, IsCA: authority,
	}
	issuer := k.cert
	if authority {
		issuer = c
	}
	der, err := x509.CreateCertificate(rand.Reader, c, issuer, &key.PublicKey, k.key)
	k.must(err)
	k.write(name, "CERTIFICATE", der)
	c, err = x509.ParseCertificate(der)
	k.must(err)
	return c
}

// name returns a subject in DER, with text in UTF-8 as in certificates of ros2 security. Who
// begins a handshake depends on each byte of it.
func (k *Keystore) name(common string) []byte {
	k.t.Helper()
	text := asn1.RawValue{Tag: asn1.TagUTF8String, Bytes: []byte(common)}
	der, err := asn1.Marshal(pkix.RDNSequence{{{Type: asn1.ObjectIdentifier{2, 5, 4, 3}, Value: text}}})
	k.must(err)
	return der
}

// seal writes name.xml, and name.p7s with the signature of the authority.
func (k *Keystore) seal(name, text string) {
	k.t.Helper()
	k.must(os.WriteFile(k.file(name+".xml"), []byte(text), 0o644))
	cmd := exec.Command("openssl", "smime", "-sign", "-text", "-in", k.file(name+".xml"), "-out", k.file(name+".p7s"),
		"-signer", k.file("public/permissions_ca.cert.pem"), "-inkey", k.file("private/permissions_ca.key.pem"))
	if out, err := cmd.CombinedOutput(); err != nil {
		k.t.Fatalf("openssl: %v\n%s", err, out)
	}
}

// DDS Security 1.1, 9.4.1.2, with what ros2 security protects by default.
const governance = `<?xml version="1.0" encoding="UTF-8"?>
<dds>
  <domain_access_rules>
    <domain_rule>
      <domains><id>%d</id></domains>
      <allow_unauthenticated_participants>false</allow_unauthenticated_participants>
      <enable_join_access_control>true</enable_join_access_control>
      <discovery_protection_kind>%[2]s</discovery_protection_kind>
      <liveliness_protection_kind>%[2]s</liveliness_protection_kind>
      <rtps_protection_kind>SIGN</rtps_protection_kind>
      <topic_access_rules>
        <topic_rule>
          <topic_expression>*</topic_expression>
          <enable_discovery_protection>true</enable_discovery_protection>
          <enable_liveliness_protection>true</enable_liveliness_protection>
          <enable_read_access_control>true</enable_read_access_control>
          <enable_write_access_control>true</enable_write_access_control>
          <metadata_protection_kind>%[2]s</metadata_protection_kind>
          <data_protection_kind>%[2]s</data_protection_kind>
        </topic_rule>
      </topic_access_rules>
    </domain_rule>
  </domain_access_rules>
</dds>
`

// DDS Security 1.1, 9.4.1.3.
const permissions = `<?xml version="1.0" encoding="UTF-8"?>
<dds>
  <permissions>
    <grant name="%s">
      <subject_name>CN=%[1]s</subject_name>
      <validity><not_before>%s</not_before><not_after>%s</not_after></validity>
      %s
      <default>DENY</default>
    </grant>
  </permissions>
</dds>
`
