// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// FuzzRequests sends anything: nothing is done without the token, no answer is an error of the
// server's own, and the server lives.
func FuzzRequests(f *testing.F) {
	for _, path := range []string{
		"/", "/app/main.js", "/app/../server.go", "/api/login", "/api/events?id=x&samples=99999999999999999999&track=-1", "/api/map/mean", "/api/map/..",
		"/api/at?x=1&y=2", "/api/at?x=%00&y=1e400", "/api/files", "/api/files.zip", "/files/report.html", "/files/../../etc/passwd", "/files/%2e%2e/x", "/files/\x00",
	} {
		f.Add("GET", path, []byte(nil), "", "", "")
	}
	f.Add("POST", "/api/login", []byte(`{"token":"x"}`), "application/json", "http://evil.example", "ugp_=1")
	f.Add("POST", "/api/command", []byte(`{"command":"start"}`), "application/json", "", "Bearer ")
	f.Add("POST", "/api/command", bytes.Repeat([]byte("["), 5000), "application/json; charset=\x80", "null", "Bearer \xff")
	f.Add("POST", "/api/outline", []byte(`{"version":1,"ring":0,"op":"move","corner":2,"at":[1,2]}`), "application/json", "", "Bearer x")
	f.Add("BREW", "*", []byte("x"), "x/y", "://", "Basic Og==")
	r := newRig(f, nil)
	f.Fuzz(func(t *testing.T, method, path string, body []byte, kind, origin, authorization string) {
		req, err := http.NewRequest(method, r.url, bytes.NewReader(body))
		if err != nil || strings.Contains(authorization, token) {
			t.Skip()
		}
		req.URL.Opaque = "//" + req.URL.Host + path // as it is
		for name, value := range map[string]string{"Content-Type": kind, "Origin": origin, "Authorization": authorization, "Cookie": authorization} {
			req.Header.Set(name, value)
		}
		res, err := client.Do(req)
		if err != nil {
			t.Skip() // not a request that can be sent
		}
		defer res.Body.Close()
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Errorf("%s %q: %v", method, path, err)
		}
		if res.StatusCode >= 500 && res.StatusCode != http.StatusServiceUnavailable && res.StatusCode != http.StatusNotImplemented {
			t.Errorf("%s %q: %s", method, path, res.Status)
		}
		if got := r.given(); len(got) > 0 {
			t.Errorf("%s %q: the explorer was given %q", method, path, got)
		}
	})
}

// FuzzEdits sends anything with the token: what is no edit does not come to the explorer, and what
// comes has only numbers that there are.
func FuzzEdits(f *testing.F) {
	for _, body := range []string{
		`{"version":1,"ring":0,"op":"move","corner":2,"at":[1,2]}`, `{"version":1e3,"at":[1e999,0]}`, `{"ring":-1,"corner":99999999999999999999}`, `{"at":[1,2,3]}`,
		`{"at":"x"}`, `[]`, `null`, `{}{}`, `{"other":1}`, `{"op":"\u0000"}`,
	} {
		f.Add([]byte(body))
	}
	r := newRig(f, nil)
	f.Fuzz(func(t *testing.T, body []byte) {
		before := len(r.given())
		req, err := http.NewRequest("POST", r.url+"/api/outline", bytes.NewReader(body))
		must.OK(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		must.OK(t, err)
		defer res.Body.Close()
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Error(err)
		}
		switch given := len(r.given()) > before; {
		case given != (res.StatusCode == 200):
			t.Errorf("%q: %s, and it came to the explorer: %v", body, res.Status, given)
		case res.StatusCode >= 500:
			t.Errorf("%q: %s", body, res.Status)
		}
	})
}
