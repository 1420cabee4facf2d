// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/web"
)

// Who may do what. The states of the explorer show that what is refused is not done.
func TestAccess(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	own := "Origin: " + r.url
	cookie := r.login()
	const command = `{"command":"start"}`
	type request struct {
		name, method, path, body string
		headers                  []string
		want                     int
	}
	requests := []request{
		{"the page needs no token", "GET", "/", "", nil, 200},
		{"a program of the page", "GET", "/app/main.js", "", nil, 200},
		{"another file", "GET", "/app/server.go", "", nil, 404},
		{"a path out of the assets", "GET", "/app/..%2fserver.go", "", nil, 404},
		{"reading without a token", "GET", "/api/at?x=1&y=2", "", nil, 401},
		{"reading with a wrong token", "GET", "/api/at?x=1&y=2", "", []string{"Authorization: Bearer wrong-token-for-tests"}, 401},
		{"reading with a wrong cookie", "GET", "/api/at?x=1&y=2", "", []string{strings.Split(cookie, "=")[0] + "=0123456789abcdef"}, 401},
		{"reading with the token as cookie", "GET", "/api/at?x=1&y=2", "", []string{strings.Split(cookie, "=")[0] + "=" + token}, 401},
		{"reading with the token", "GET", "/api/at?x=1&y=2", "", []string{bearer}, 200},
		{"reading with the cookie", "GET", "/api/at?x=1&y=2", "", []string{cookie, "Sec-Fetch-Site: same-origin"}, 200},
		{"reading by another page", "GET", "/api/at?x=1&y=2", "", []string{cookie, "Sec-Fetch-Site: cross-site"}, 403},
		{"reading by another port's page", "GET", "/api/at?x=1&y=2", "", []string{cookie, "Sec-Fetch-Site: same-site"}, 403},
		{"reading by another origin", "GET", "/api/at?x=1&y=2", "", []string{cookie, "Origin: http://evil.example"}, 403},
		{"events without a token", "GET", "/api/events", "", nil, 401},
		{"files without a token", "GET", "/files/mission.json", "", nil, 401},
		{"a command without a token", "POST", "/api/command", command, []string{isJSON, own}, 401},
		{"a command with a wrong token", "POST", "/api/command", command, []string{isJSON, "Authorization: Bearer wrong-token"}, 403},
		{"a command with a wrong token of the page", "POST", "/api/command", command, []string{isJSON, own, "Authorization: Bearer wrong-token"}, 401},
		{"a command with the cookie by another origin", "POST", "/api/command", command, []string{isJSON, cookie, "Origin: http://evil.example"}, 403},
		{"a command with the cookie by a null origin", "POST", "/api/command", command, []string{isJSON, cookie, "Origin: null"}, 403},
		{"a command with the cookie by another port", "POST", "/api/command", command, []string{isJSON, cookie, "Origin: http://127.0.0.1:1"}, 403},
		{"a command with the cookie by another site", "POST", "/api/command", command, []string{isJSON, cookie, own, "Sec-Fetch-Site: cross-site"}, 403},
		{"a command with the cookie without an origin", "POST", "/api/command", command, []string{isJSON, cookie}, 403},
		{"a command with the token by another origin", "POST", "/api/command", command, []string{isJSON, bearer, "Origin: http://evil.example"}, 403},
		{"a command as a form", "POST", "/api/command", command, []string{"Content-Type: text/plain", cookie, own}, 415},
		{"a command by GET", "GET", "/api/command", "", []string{bearer}, 405},
		{"a login by another origin", "POST", "/api/login", `{"token":"` + token + `"}`, []string{isJSON, "Origin: http://evil.example"}, 403},
		{"a login with a wrong token", "POST", "/api/login", `{"token":"wrong"}`, []string{isJSON, own}, 401},
		{"no such path", "GET", "/api/nothing", "", []string{bearer}, 404},
	}
	for _, c := range requests { // an edit is a command
		if c.path == "/api/command" {
			c.name, c.path, c.body = c.name+", an edit", "/api/outline", `{"version":1,"ring":0,"op":"delete","corner":2,"at":[0,0]}`
			requests = append(requests, c)
		}
	}
	for _, c := range requests {
		if code, text, _ := r.ask(c.method, c.path, c.body, c.headers...); code != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, code, text, c.want)
		}
	}
	if got := r.given(); len(got) != 0 {
		t.Errorf("the explorer was given %q", got)
	}
	for _, c := range []struct {
		name    string
		headers []string
	}{{"the cookie", []string{isJSON, cookie, own, "Sec-Fetch-Site: same-origin"}}, {"the token", []string{isJSON, bearer}}} {
		if code, text, _ := r.ask("POST", "/api/command", command, c.headers...); code != 200 || !strings.Contains(text, `"done":true`) {
			t.Errorf("a command with %s: %d %s", c.name, code, text)
		}
	}
	if got := r.given(); len(got) != 2 {
		t.Errorf("the explorer was given %q, want two", got)
	}
	if strings.Contains(r.logs.String(), token) || strings.Contains(r.out.String(), token) {
		t.Errorf("a token that a person has set is printed:\n%s%s", r.logs.String(), r.out.String())
	}
}

// login returns the header with the cookie.
func (r *rig) login() string {
	r.t.Helper()
	code, text, header := r.ask("POST", "/api/login", `{"token":"`+token+`"}`, isJSON, "Origin: "+r.url)
	cookie := header.Get("Set-Cookie")
	if code != http.StatusNoContent {
		r.t.Fatalf("the login is answered with %d %s", code, text)
	}
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(cookie, want) {
			r.t.Errorf("the cookie is %s, want %s", cookie, want)
		}
	}
	if strings.Contains(cookie, token) {
		r.t.Errorf("the cookie tells the token: %s", cookie)
	}
	return "Cookie: " + strings.Split(cookie, ";")[0]
}

// Wrong tokens are limited and logged, wherever they are given, and keep no page out.
func TestGuesses(t *testing.T) {
	t.Parallel()
	for name, guess := range map[string]func(r *rig) int{
		"login": func(r *rig) int {
			code, _, _ := r.ask("POST", "/api/login", `{"token":"wrong"}`, isJSON, "Origin: "+r.url)
			return code
		},
		"a command": func(r *rig) int {
			code, _, _ := r.ask("POST", "/api/command", `{"command":"stop"}`, isJSON, "Origin: "+r.url, "Authorization: Bearer wrong")
			return code
		},
		"reading": func(r *rig) int {
			code, _, _ := r.ask("GET", "/api/files", "", "Authorization: Bearer wrong")
			return code
		},
	} {
		r := newRig(t, nil)
		cookie := r.login()
		begun, looked := time.Now(), 0
		for range 40 {
			switch code := guess(r); code {
			case http.StatusUnauthorized:
				looked++
			case http.StatusTooManyRequests:
			default:
				t.Fatalf("%s: a wrong token is answered with %d", name, code)
			}
		}
		if most := 11 + int(time.Since(begun).Seconds()/2); looked > most {
			t.Errorf("%s: %d wrong tokens were looked at, want %d at most", name, looked, most)
		}
		if code, _, _ := r.ask("POST", "/api/command", `{"command":"stop"}`, isJSON, cookie, "Origin: "+r.url); code != 200 {
			t.Errorf("%s: the stop of a page beside them: %d", name, code)
		}
		if n := strings.Count(r.logs.String(), "a wrong token was used on the page\" address=127.0.0.1"); n != looked {
			t.Errorf("%s: %d lines in the log, want %d:\n%s", name, n, looked, r.logs.String())
		}
	}
}

// Tokens cannot be tried by the cookies that they would give, of which one request has room for a
// hundred: they depend on the machine, too. A browser stays in when the explorer is started again.
func TestCookie(t *testing.T) {
	t.Parallel()
	derive := func(use string) string {
		mac := hmac.New(sha256.New, []byte(token))
		mac.Write([]byte("ugp_explorer page: " + use))
		return hex.EncodeToString(mac.Sum(nil))
	}
	first, again := newRig(t, nil), newRig(t, nil)
	if code, _, _ := first.ask("GET", "/api/at?x=1&y=2", "", "Cookie: ugp_"+derive("name")[:8]+"="+derive("cookie")); code != 401 {
		t.Errorf("a cookie that follows from the token alone: %d, want 401", code)
	}
	if _, err := os.Stat("/etc/machine-id"); err != nil {
		t.Skip("this machine has no identifier: ", err)
	}
	if code, _, _ := again.ask("GET", "/api/at?x=1&y=2", "", first.login()); code != 200 {
		t.Errorf("a cookie of the explorer before: %d, want 200", code)
	}
}

// With open reading everyone reads, unless the page's name may be that of another site, and
// nobody commands.
func TestOpenReading(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(c *web.Config) { c.OpenReading = true })
	for host, want := range map[string]int{"": 200, "robot": 200, "robot.local:8080": 200, "[::1]:8080": 200, "10.0.0.5": 200, "evil.example": 401, "evil.example:8080": 401} {
		headers := []string{}
		if host != "" {
			headers = append(headers, "Host: "+host)
		}
		if code, text, _ := r.ask("GET", "/api/at?x=1&y=2", "", headers...); code != want {
			t.Errorf("host %q: %d %s, want %d", host, code, text, want)
		}
	}
	if code, _, _ := r.ask("POST", "/api/command", `{"command":"start"}`, isJSON, "Origin: "+r.url); code != 401 || len(r.given()) != 0 {
		t.Errorf("a command without the token: %d, the explorer was given %q", code, r.given())
	}
}

// A browser may do nothing with the page but show it.
func TestHeaders(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for _, path := range []string{"/", "/app/main.js", "/api/files", "/nothing"} {
		_, _, h := r.ask("GET", path, "")
		if p := h.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; script-src 'self'") || strings.Contains(p, "unsafe") {
			t.Errorf("%s: policy %q", path, p)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Frame-Options") != "DENY" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		cfg  web.Config
		want string
	}{
		{web.Config{}, ""},
		{web.Config{Address: ":8080"}, ""},
		{web.Config{Address: "8080"}, "web.address is \"8080\": want host:port"},
		{web.Config{Address: "localhost:http"}, "the port must be a number"},
		{web.Config{Address: ":99999"}, "the port must be a number"},
		{web.Config{Token: "short"}, "web.token has 5 characters: want 8 to 128"},
		{web.Config{Token: "with a space"}, "web.token has a character that is not visible ASCII"},
	} {
		err := c.cfg.Validate()
		if got := fmt.Sprint(err); (err == nil) != (c.want == "") || !strings.Contains(got, c.want) && c.want != "" {
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.want)
		}
		if err != nil && c.cfg.Token != "" && strings.Contains(err.Error(), c.cfg.Token) {
			t.Errorf("the error tells the token: %v", err)
		}
	}
	r := newRig(t, nil)
	if _, err := web.New(web.Options{Config: web.Config{Address: r.server.Addr().String()}, Wall: time.Now}); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("web.address is %q: ", r.server.Addr())) || !strings.Contains(err.Error(), "another program uses this port: give another port") {
		t.Errorf("an address that is taken: %v", err)
	}
	const nowhere = "192.0.2.1:8080" // RFC 5737: nobody has this address
	if _, err := web.New(web.Options{Config: web.Config{Address: nowhere}, Wall: time.Now}); err == nil || !strings.Contains(err.Error(), nowhere) || !strings.Contains(err.Error(), "no such address") {
		t.Errorf("an address of another machine: %v", err)
	}
}

// The token of the environment is used if none is given, and a random one is printed.
func TestTokens(t *testing.T) {
	t.Setenv(web.TokenVariable, "token-of-the-environment")
	r := newRig(t, func(c *web.Config) { c.Token = "" })
	if code, _, _ := r.ask("GET", "/api/at?x=1&y=2", "", "Authorization: Bearer token-of-the-environment"); code != 200 {
		t.Errorf("the token of the environment: %d", code)
	}
	t.Setenv(web.TokenVariable, "")
	r = newRig(t, func(c *web.Config) { c.Token = "" })
	_, link, ok := strings.Cut(r.out.String(), "#token=")
	if !ok {
		t.Fatalf("no link with a token was printed:\n%s", r.out.String())
	}
	link, _, _ = strings.Cut(link, "\n")
	if code, _, _ := r.ask("GET", "/api/at?x=1&y=2", "", "Authorization: Bearer "+link); code != 200 {
		t.Errorf("the token that was printed: %d", code)
	}
	if other := web.NewToken(); len(link) < 20 || link == other {
		t.Errorf("tokens such as %s can be guessed", link)
	}
}
