// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// access decides who may read and who may command. It does not keep the token itself.
type access struct {
	token  [sha256.Size]byte // hash
	cookie string            // value, which does not tell the token
	files  string            // key in the addresses of files that a report links, which does not tell the token either
	name   string            // of the cookie: other servers of this host have others
	open   bool              // reading needs no token
}

// chooseToken returns the token of the configuration, of the environment or a random one, and
// whether a person has set it.
func chooseToken(c Config) (token string, given bool, err error) {
	if c.Token != "" {
		return c.Token, true, nil
	}
	if token = os.Getenv(TokenVariable); token != "" {
		if err := checkToken(token); err != nil {
			return "", false, fmt.Errorf("the environment variable %s %w", TokenVariable, err)
		}
		return token, true, nil
	}
	return NewToken(), false, nil
}

// NewToken returns a random token with 130 bits.
func NewToken() string { return strings.ToLower(rand.Text()) }

// newAccess derives the cookie from the token, so that browsers remain logged in when the explorer is
// started again, and from this machine's identity, so that nobody elsewhere can test guessed tokens by
// their cookies, which are not limited.
func newAccess(token string, open bool) *access {
	machine, err := os.ReadFile("/etc/machine-id") // machine-id(5): to be hashed with a key before it leaves the machine
	if err != nil || len(machine) < 32 {
		machine = []byte(NewToken())
	}
	derive := func(use string) string {
		mac := hmac.New(sha256.New, []byte(token))
		mac.Write(machine)
		mac.Write([]byte("ugp_explorer page: " + use))
		return hex.EncodeToString(mac.Sum(nil))
	}
	return &access{
		token: sha256.Sum256([]byte(token)), cookie: derive("cookie"), files: derive("files")[:32], name: "ugp_" + derive("name")[:8], open: open,
	}
}

// isToken compares in constant time.
func (a *access) isToken(given string) bool {
	hash := sha256.Sum256([]byte(given))
	return subtle.ConstantTimeCompare(hash[:], a.token[:]) == 1
}

// bearer returns the token that a request comes with, right or wrong.
func bearer(r *http.Request) (given string, ok bool) {
	return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// may reports whether a request comes with the token or the cookie, and whether with the token
// itself, which no other page can make a browser send.
func (a *access) may(r *http.Request) (known, byToken bool) {
	if given, ok := bearer(r); ok {
		known = a.isToken(given)
		return known, known
	}
	c, err := r.Cookie(a.name)
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(a.cookie)) == 1, false
}

// mayRead reports whether a request may read.
func (a *access) mayRead(r *http.Request) bool {
	if known, _ := a.may(r); known {
		return true
	}
	return a.open && isPlainHost(r.Host)
}

// cookieLife is the time after which a phone has to be given the token again.
const cookieLife = 7 * 24 * time.Hour

// setCookie lets a browser in. It is sent back over TLS only if it was given over TLS, which a
// proxy in front knows.
func (a *access) setCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{
		Name: a.name, Value: a.cookie, Path: "/", MaxAge: int(cookieLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: strings.HasPrefix(r.Header.Get("Origin"), "https://"),
	})
}

// sameOrigin returns an error if another page makes a browser send this request. changes says
// that the request changes something; then there must be evidence of the origin, unless the
// request has the token itself.
func sameOrigin(r *http.Request, changes, byToken bool) error {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	if origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(u.Host, r.Host) || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("a page from another origin must not send this request")
		}
	}
	switch site {
	case "", "same-origin":
	case "none": // typed or bookmarked
		if changes {
			return fmt.Errorf("only the page itself may send this request")
		}
	default:
		return fmt.Errorf("a page from another site must not send this request")
	}
	if changes && origin == "" && site == "" && !byToken {
		return fmt.Errorf("the request does not state the page from which it comes: send the token as Authorization: Bearer TOKEN")
	}
	return nil
}

// isPlainHost reports whether a host is an address or a name of the local network. The name of
// another site may be made to point here (DNS rebinding), and its pages could read then.
func isPlainHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	if net.ParseIP(name) != nil {
		return true
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return name != "" && (!strings.Contains(name, ".") || strings.HasSuffix(name, ".local") || strings.HasSuffix(name, ".localhost"))
}

// protect sets the headers that keep a browser from doing anything but show the page.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}
