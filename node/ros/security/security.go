// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package security finds the files with which a node secures its participant of a DDS domain,
// by the rules of ROS 2 (SROS 2): environment variables, a keystore, and the node's enclave in
// it. It needs no DDS. The keystore is that of `ros2 security`:
//
//	KEYSTORE/enclaves/ENCLAVE/identity_ca.cert.pem    authority of all identities
//	                         /cert.pem, key.pem       identity of the enclave
//	                         /permissions_ca.cert.pem authority of the two signed files
//	                         /governance.p7s          what is protected, and how
//	                         /permissions.p7s         what the enclave may publish and subscribe
//	                         /crl.pem                 revoked identities, optional
//
// The rules of ROS 2 differ in one point: it treats every value of ROS_SECURITY_ENABLE but "true" as false, and every ROS_SECURITY_STRATEGY
// but "Enforce" as Permissive. Here other values are errors, because a misspelt one would silently leave the robot unsecured.
package security

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ugp_explorer/node/ros/names"
)

// The environment variables of ROS 2.
const (
	EnableVariable   = "ROS_SECURITY_ENABLE"
	StrategyVariable = "ROS_SECURITY_STRATEGY"
	keystoreVariable = "ROS_SECURITY_KEYSTORE"
	overrideVariable = "ROS_SECURITY_ENCLAVE_OVERRIDE"
)

// Settings say whether and how participants are secured. The zero value secures nothing.
type Settings struct {
	Enabled  bool   // secure participants
	Enforce  bool   // refuse to start without the files of the enclave; otherwise start unsecured
	Keystore string // folder that ros2 security create_keystore made
	Override string // enclave to use instead of the node's own; "": the node's own
}

// FromEnvironment returns the settings in the environment variables. The error names every
// variable with an invalid value.
func FromEnvironment(getenv func(string) string) (Settings, error) {
	var errs []error
	choose := func(name, on, off string) bool {
		v := getenv(name)
		if v != on && v != off && v != "" {
			errs = append(errs, fmt.Errorf("%s is %q, want %s or %s", name, v, on, off))
		}
		return v == on
	}
	s := Settings{Enabled: choose(EnableVariable, "true", "false"), Enforce: choose(StrategyVariable, "Enforce", "Permissive")}
	s.Keystore, s.Override = getenv(keystoreVariable), getenv(overrideVariable)
	if s.Override != "" {
		if err := names.ValidateNamespace(s.Override); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", overrideVariable, err))
		}
	}
	return s, errors.Join(errs...)
}

// Strategy returns the strategy's name in ROS 2.
func (s Settings) Strategy() string {
	if s.Enforce {
		return "Enforce"
	}
	return "Permissive"
}

// Enclave is what secures a participant: URIs as DDS's plugins take them, "file://PATH" or
// "pkcs11:…".
type Enclave struct {
	Name, Folder            string
	IdentityCA, Certificate string
	Key                     string
	PermissionsCA           string
	Governance, Permissions string
	Revoked                 string // "" for none
}

// required are the files that an enclave must have. The first of the names counts that exists;
// one that ends with ".p11" contains the URI of an object in a PKCS #11 token.
var required = []struct {
	names []string
	uri   func(*Enclave) *string
}{
	{[]string{"identity_ca.cert.p11", "identity_ca.cert.pem"}, func(e *Enclave) *string { return &e.IdentityCA }},
	{[]string{"cert.p11", "cert.pem"}, func(e *Enclave) *string { return &e.Certificate }},
	{[]string{"key.p11", "key.pem"}, func(e *Enclave) *string { return &e.Key }},
	{[]string{"permissions_ca.cert.p11", "permissions_ca.cert.pem"}, func(e *Enclave) *string { return &e.PermissionsCA }},
	{[]string{"governance.p7s"}, func(e *Enclave) *string { return &e.Governance }},
	{[]string{"permissions.p7s"}, func(e *Enclave) *string { return &e.Permissions }},
}

// Find returns the files of the enclave, an absolute name ("/field/explorer"), unless
// s.Override names another. It returns nil without an error if security is not enabled. The
// error names the folder or the files that are missing; what it means is for the caller, by
// s.Enforce.
func (s Settings) Find(enclave string) (*Enclave, error) {
	if !s.Enabled {
		return nil, nil
	}
	if s.Override != "" {
		enclave = s.Override
	}
	if s.Keystore == "" {
		return nil, fmt.Errorf("%s is not set: it must name the folder that ros2 security create_keystore made", keystoreVariable)
	}
	keystore, err := filepath.Abs(s.Keystore)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keystoreVariable, err)
	}
	if !isFolder(keystore) {
		return nil, fmt.Errorf("the keystore %s, which %s names, is not a folder: make it with ros2 security create_keystore", keystore, keystoreVariable)
	}
	e := &Enclave{Name: enclave, Folder: filepath.Join(keystore, "enclaves", filepath.FromSlash(enclave))}
	if !isFolder(e.Folder) {
		return nil, fmt.Errorf("the enclave %s is not in the keystore: the folder %s does not exist; make it with ros2 security create_enclave, or name another enclave with --ros-args --enclave or %s", enclave, e.Folder, overrideVariable)
	}
	var missing []string
	for _, r := range required {
		if *r.uri(e) = e.find(r.names); *r.uri(e) == "" {
			missing = append(missing, r.names[len(r.names)-1])
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("the enclave's folder %s lacks %s", e.Folder, strings.Join(missing, ", "))
	}
	e.Revoked = e.find([]string{"crl.pem"})
	return e, nil
}

// find returns the URI of the first of the files that is one, "" if none is.
func (e *Enclave) find(names []string) string {
	for _, name := range names {
		file := filepath.Join(e.Folder, name)
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if filepath.Ext(name) != ".p11" {
			return "file://" + filepath.ToSlash(file)
		}
		text, _ := os.ReadFile(file)
		if words := strings.Fields(string(text)); len(words) > 0 && strings.HasPrefix(words[0], "pkcs11:") {
			return words[0]
		}
	}
	return ""
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
