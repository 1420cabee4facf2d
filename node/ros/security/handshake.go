package security

import (
	"bytes"
	"crypto/sha256"
	"io/fs"
	slashed "path"
	"path/filepath"
	"slices"
)

// KeptOut returns the names of the keystore's enclaves, in order, whose participants on Cyclone
// DDS cannot prove their identity to one of the enclaves ours on a Fast DDS from before 2025.
//
// Such a release begins the handshake with a Diffie-Hellman key in a form that Cyclone DDS does
// not read: eProsima/Fast-DDS#3802 and eclipse-cyclonedds/cyclonedds#1547. If Cyclone DDS begins,
// both agree. The participant with the smaller key in the domain begins, and its first 47 bits
// after a 1 are those of the hash of the certificate's subject (DDS Security 1.1, 9.3.3 and
// table 52).
func (s Settings) KeptOut(ours []string) (kept []string) {
	root := filepath.Join(s.Keystore, "enclaves")
	keys := map[string][]byte{}
	_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "cert.pem" {
			return nil // what cannot be read has no certificate for us
		}
		c, err := readCertificate(file)
		if err != nil {
			return nil
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		hash := sha256.Sum256(c.RawSubject)
		keys[slashed.Join("/", filepath.ToSlash(relative))] = hash[:6]
		return err
	})
	for name, key := range keys {
		begins := func(own string) bool { return keys[own] != nil && bytes.Compare(keys[own], key) < 0 }
		if !slices.Contains(ours, name) && slices.ContainsFunc(ours, begins) {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	return kept
}
