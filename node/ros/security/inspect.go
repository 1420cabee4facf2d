package security

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Report is what [Enclave.Inspect] read.
type Report struct {
	Subject  string    // common name of the certificate: the enclave, in a keystore of ros2 security
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
	ends := func(file string, at time.Time) {
		if now.After(at) {
			errs = append(errs, fmt.Errorf("%s expired on %s", file, at.Format(time.DateOnly)))
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
			errs = append(errs, fmt.Errorf("%s is not valid before %s; this machine's clock says %s", file, c.NotBefore.UTC().Format(time.DateTime), now.UTC().Format(time.DateTime)))
		}
		ends(file, c.NotAfter)
		return c
	}
	own, authority := certificate(e.Certificate), certificate(e.IdentityCA)
	certificate(e.PermissionsCA)
	if own != nil {
		r.Subject = own.Subject.CommonName
		errs = append(errs, e.matches(own, authority)...)
	}
	for _, uri := range []string{e.Governance, e.Permissions} {
		file := path(uri)
		text, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rules, ok := readRules(text)
		if !ok {
			continue // signed in another form than by ros2 security: the plugins can read it
		}
		if !rules.cover(domain) {
			errs = append(errs, fmt.Errorf("%s is not for domain %d: ros2 security writes the domain of ROS_DOMAIN_ID into it; make governance and permissions again with that variable set", file, domain))
		}
		for _, until := range rules.ends {
			ends(file, until)
		}
	}
	return r, errors.Join(errs...)
}

// Unauthenticated reports whether the governance lets participants without a certificate in.
func (e *Enclave) Unauthenticated() bool {
	text, err := os.ReadFile(path(e.Governance))
	if err != nil {
		return false
	}
	r, _ := readRules(text)
	return r.unauthenticated
}

// matches returns errors unless the certificate is the authority's, if that is known, and the
// enclave's key is the certificate's.
func (e *Enclave) matches(own, authority *x509.Certificate) (errs []error) {
	if authority != nil {
		if err := own.CheckSignatureFrom(authority); err != nil {
			errs = append(errs, fmt.Errorf("%s is not signed by %s: %w", path(e.Certificate), path(e.IdentityCA), err))
		}
	}
	file, ok := strings.CutPrefix(e.Key, "file://")
	if !ok {
		return errs
	}
	key, err := readKey(file)
	if err != nil {
		return append(errs, err)
	}
	public, ok := own.PublicKey.(interface{ Equal(crypto.PublicKey) bool })
	if signer, isSigner := key.(crypto.Signer); ok && isSigner && !public.Equal(signer.Public()) {
		errs = append(errs, fmt.Errorf("%s is not the key of %s", file, path(e.Certificate)))
	}
	return errs
}

func path(uri string) string { return strings.TrimPrefix(uri, "file://") }

func readPEM(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			return nil, fmt.Errorf("%s holds nothing in PEM form", file)
		}
		if block.Type != "EC PARAMETERS" {
			return block.Bytes, nil
		}
		text = rest
	}
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

func readKey(file string) (any, error) {
	der, err := readPEM(file)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err == nil {
		return key, nil
	}
	if key, err := x509.ParseECPrivateKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return key, nil
	}
	return nil, fmt.Errorf("%s: %w", file, err)
}

// rules are the domains of a governance or permissions file, and the ends of its grants.
type rules struct {
	domains []domains
	ends    []time.Time

	unauthenticated bool
}

type domains struct {
	IDs    []int `xml:"id"`
	Ranges []struct {
		Min int  `xml:"min"`
		Max *int `xml:"max"`
	} `xml:"id_range"`
}

func (r *rules) cover(domain int) bool {
	for _, d := range r.domains {
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

// readRules reads the clear text of an S/MIME message; ok is false if there is none.
func readRules(message []byte) (r rules, ok bool) {
	begin, end := bytes.Index(message, []byte("<dds")), bytes.LastIndex(message, []byte("</dds>"))
	if begin < 0 || end < begin {
		return r, false
	}
	d := xml.NewDecoder(bytes.NewReader(message[begin : end+len("</dds>")]))
	for {
		token, err := d.Token()
		if err != nil {
			return r, errors.Is(err, io.EOF)
		}
		start, isStart := token.(xml.StartElement)
		switch {
		case !isStart:
		case start.Name.Local == "domains":
			var found domains
			if d.DecodeElement(&found, &start) == nil {
				r.domains = append(r.domains, found)
			}
		case start.Name.Local == "allow_unauthenticated_participants":
			var text string
			if d.DecodeElement(&text, &start) == nil {
				text = strings.TrimSpace(text)
				r.unauthenticated = r.unauthenticated || strings.EqualFold(text, "true") || text == "1"
			}
		case start.Name.Local == "not_after":
			var text string
			if d.DecodeElement(&text, &start) == nil {
				for _, form := range []string{"2006-01-02T15:04:05", time.RFC3339} {
					if at, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
						r.ends = append(r.ends, at)
						break
					}
				}
			}
		}
	}
}
