// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package security

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Report is what [Enclave.Inspect] read.
type Report struct {
	Expires  time.Time // the first end of certificate, authorities and permissions; zero if none could be read
	Expiring string    // the file that ends then
}

// Inspect reads the enclave's files and returns an error for the usual causes for which other
// participants, or its own plugins, refuse it in the domain at that time: dates, authorities,
// the domain. It checks less than the plugins do, and nothing inside a PKCS #11 token, but its
// errors are clearer.
func (e *Enclave) Inspect(domain int, now time.Time) (Report, error) {
	var r Report
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	ends := func(file string, at time.Time) {
		if now.After(at) {
			bad("%s expired on %s", file, at.Format(time.DateOnly))
		}
		if r.Expires.IsZero() || at.Before(r.Expires) {
			r.Expires, r.Expiring = at, file
		}
	}
	certificate := func(uri string) *x509.Certificate {
		file, ok := strings.CutPrefix(uri, "file://")
		if !ok {
			return nil
		}
		c, err := readCertificate(file)
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		if now.Before(c.NotBefore) {
			bad("%s is not valid before %s; this machine's clock says %s", file, c.NotBefore.UTC().Format(time.DateTime), now.UTC().Format(time.DateTime))
		}
		ends(file, c.NotAfter)
		return c
	}
	own, authority := certificate(e.Certificate), certificate(e.IdentityCA)
	certificate(e.PermissionsCA)
	if own != nil && authority != nil {
		if err := own.CheckSignatureFrom(authority); err != nil {
			bad("%s is not signed by %s: %w", path(e.Certificate), path(e.IdentityCA), err)
		}
	}
	for _, uri := range []string{e.Governance, e.Permissions} {
		file := path(uri)
		text, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, err)
		}
		if ids := domainID.FindAllStringSubmatch(string(text), -1); ids != nil &&
			!slices.ContainsFunc(ids, func(m []string) bool { return m[1] == strconv.Itoa(domain) }) {
			bad("%s is not for domain %d: ros2 security writes the domain of ROS_DOMAIN_ID into it; make governance and permissions again with that variable set", file, domain)
		}
		for _, m := range validUntil.FindAllStringSubmatch(string(text), -1) {
			if until, err := time.Parse("2006-01-02T15:04:05", m[1]); err == nil {
				ends(file, until)
			}
		}
	}
	return r, errors.Join(errs...)
}

// What is read of the clear text of governance and permissions, as ros2 security writes it (DDS
// Security 1.1, 9.4.1.2 and 9.4.1.3). A file in another form is for the plugins alone.
var (
	domainID        = regexp.MustCompile(`<id>\s*(\d+)\s*</id>`)
	validUntil      = regexp.MustCompile(`<not_after>\s*([0-9T:-]+)Z?\s*</not_after>`)
	unauthenticated = regexp.MustCompile(`(?i)<allow_unauthenticated_participants>\s*(true|1)\s*<`)
)

// Unauthenticated reports whether the governance lets participants without a certificate in.
func (e *Enclave) Unauthenticated() bool {
	text, _ := os.ReadFile(path(e.Governance))
	return unauthenticated.Match(text)
}

func path(uri string) string { return strings.TrimPrefix(uri, "file://") }

func readCertificate(file string) (*x509.Certificate, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s holds nothing in PEM form", file)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}
