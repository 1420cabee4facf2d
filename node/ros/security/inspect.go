package security

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Report is what [Enclave.Inspect] read.
type Report struct {
	Expires  time.Time // the first end of certificate, authorities and permissions; zero if none could be read
	Expiring string    // the file that ends then
}

// Inspect reads the enclave's files and returns an error for everything that would make other
// participants, or the plugins of this one, refuse it in the domain at that time. It checks
// less than the plugins do, and nothing of what is in a PKCS #11 token, but says more plainly
// what is wrong.
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
	if file, ok := strings.CutPrefix(e.Key, "file://"); ok && own != nil {
		der, err := readPEM(file)
		if err != nil {
			errs = append(errs, err)
		}
		key, _ := x509.ParsePKCS8PrivateKey(der) // as ros2 security writes it; the plugins can read other forms
		public, ok := own.PublicKey.(interface{ Equal(crypto.PublicKey) bool })
		if signer, isSigner := key.(crypto.Signer); ok && isSigner && !public.Equal(signer.Public()) {
			bad("%s is not the key of %s", file, path(e.Certificate))
		}
	}
	for _, uri := range []string{e.Governance, e.Permissions} {
		file := path(uri)
		rules, err := readRules(file)
		if err != nil {
			errs = append(errs, err)
		}
		if rules == nil {
			continue
		}
		if !rules.cover(domain) {
			bad("%s is not for domain %d: ros2 security writes the domain of ROS_DOMAIN_ID into it; make governance and permissions again with that variable set", file, domain)
		}
		for _, g := range rules.Grants {
			if until, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(g.Until, "Z")); err == nil {
				ends(file, until)
			}
		}
	}
	return r, errors.Join(errs...)
}

// Unauthenticated reports whether the governance lets participants without a certificate in.
func (e *Enclave) Unauthenticated() bool {
	r, _ := readRules(path(e.Governance))
	if r == nil {
		return false
	}
	for _, rule := range r.Governs {
		if text := strings.TrimSpace(rule.Unauthenticated); strings.EqualFold(text, "true") || text == "1" {
			return true
		}
	}
	return false
}

func path(uri string) string { return strings.TrimPrefix(uri, "file://") }

func readPEM(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s holds nothing in PEM form", file)
	}
	return block.Bytes, nil
}

func readCertificate(file string) (*x509.Certificate, error) {
	der, err := readPEM(file)
	if err != nil {
		return nil, err
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// rules are what is read of a governance or permissions file (DDS Security 1.1, 9.4.1.2 and 9.4.1.3).
type rules struct {
	Governs []struct {
		domains
		Unauthenticated string `xml:"allow_unauthenticated_participants"`
	} `xml:"domain_access_rules>domain_rule"`
	Grants []struct {
		Until string    `xml:"validity>not_after"`
		Rules []domains `xml:"allow_rule"`
	} `xml:"permissions>grant"`
}

type domains struct {
	IDs    []int `xml:"domains>id"`
	Ranges []struct {
		Min int  `xml:"min"`
		Max *int `xml:"max"`
	} `xml:"domains>id_range"`
}

func (r *rules) cover(domain int) bool {
	var all []domains
	for _, g := range r.Governs {
		all = append(all, g.domains)
	}
	for _, g := range r.Grants {
		all = append(all, g.Rules...)
	}
	for _, d := range all {
		for _, id := range d.IDs {
			if id == domain {
				return true
			}
		}
		for _, span := range d.Ranges {
			if domain >= span.Min && (span.Max == nil || domain <= *span.Max) {
				return true
			}
		}
	}
	return false
}

// readRules reads the clear text of an S/MIME message. It returns nil without an error if there is
// none: a file signed in another form than by ros2 security can be read by the plugins.
func readRules(file string) (*rules, error) {
	message, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	begin, end := bytes.Index(message, []byte("<dds")), bytes.LastIndex(message, []byte("</dds>"))
	var r rules
	if begin < 0 || end < begin || xml.Unmarshal(message[begin:end+len("</dds>")], &r) != nil {
		return nil, nil
	}
	return &r, nil
}
