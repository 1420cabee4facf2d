package security

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"io/fs"
	slashed "path"
	"path/filepath"
	"slices"
)

// Begins reports whether a participant with one certificate begins the handshake with a
// participant that has the other. The one with the smaller key in the domain does, and its
// first 47 bits after a 1 are those of the hash of the certificate's subject (DDS Security
// 1.1, 9.3.3 and table 52).
func Begins(one, other *x509.Certificate) bool {
	a, b := sha256.Sum256(one.RawSubject), sha256.Sum256(other.RawSubject)
	return bytes.Compare(a[:6], b[:6]) < 0
}

// Begun returns the names of the keystore's enclaves with which a participant of the enclave
// begins the handshake, in order. Enclaves whose certificates cannot be read are left out.
//
// Releases of Fast DDS from before 2025 begin with a Diffie-Hellman key in a form that Cyclone
// DDS does not read, so the handshake fails: eProsima/Fast-DDS#3802 and
// eclipse-cyclonedds/cyclonedds#1547. If Cyclone DDS begins, both agree.
func (s Settings) Begun(enclave string) (names []string) {
	root := filepath.Join(s.Keystore, "enclaves")
	certificate := func(enclave string) *x509.Certificate {
		c, err := readCertificate(filepath.Join(root, filepath.FromSlash(enclave), "cert.pem"))
		if err != nil {
			return nil
		}
		return c
	}
	own := certificate(enclave)
	if own == nil {
		return nil
	}
	_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // what cannot be read has no certificate for us
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := slashed.Join("/", filepath.ToSlash(relative))
		if c := certificate(name); c != nil && Begins(own, c) {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}
