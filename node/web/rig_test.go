// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/web"
)

const token = "a-token-for-tests"

// rig is a server in front of an explorer that does what a test wants.
type rig struct {
	t      testing.TB
	server *web.Server
	url    string
	out    buffer

	mu       sync.Mutex
	snapshot web.Snapshot
	each     func(*web.Snapshot) // changes the next snapshot; nil: nothing
	orders   []string
	asked    int

	held atomic.Bool // the executor does not run
	work chan func()
	logs buffer
}

func (r *rig) Snapshot() *web.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	r.snapshot.Now += 1e8
	if r.snapshot.Robot != nil {
		at := *r.snapshot.Robot
		at.Stamp = r.snapshot.Now
		at.X += 0.1
		r.snapshot.Robot = &at
	}
	if r.each != nil {
		r.each(&r.snapshot)
	}
	s := r.snapshot
	return &s
}

func (r *rig) Order(words string) (bool, string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orders = append(r.orders, words)
	switch words {
	case "start", "stop", "pause", "goto 1.5 2", "strike 1", "restore 1":
		return true, words + " was done", nil
	case "resume":
		return false, "there is nothing to resume", nil
	}
	return false, "", errors.New("not a command")
}

// Refuses implements web.Explorer. The field is a square.
func (r *rig) Refuses(at record.Place) (string, bool) {
	if max(at[0], at[1]) > 100 || min(at[0], at[1]) < 0 {
		return "it is outside", false
	}
	return "", true
}

// Edit implements web.Explorer. An edit of corner 7 is refused.
func (r *rig) Edit(e web.Edit) (bool, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orders = append(r.orders, fmt.Sprintf("%s %d of ring %d to %v, seen version %d", e.Op, e.Corner, e.Ring, e.At, e.Version))
	return e.Corner != 7, "corner " + e.Op
}

// Steer implements web.Explorer.
func (r *rig) Steer(s web.Steer) (bool, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orders = append(r.orders, fmt.Sprintf("steer %g %g", s.Forward, s.Left))
	return s.Left != 1, "steered"
}

func (r *rig) set(change func(*web.Snapshot)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.snapshot)
}

func (r *rig) given() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.orders...)
}

// newRig starts a server with a goroutine as its executor.
func newRig(t testing.TB, change func(*web.Config)) *rig {
	t.Helper()
	r := &rig{t: t, work: make(chan func(), 1000)}
	r.snapshot = web.Snapshot{
		Now: 1e12,
		Scene: &web.Scene{Scene: painter.Scene{
			Quantity: "potassium", Units: "mg/l", Boundary: [][]record.Place{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}},
		}},
		Robot:  &web.Robot{X: 10, Y: 20, XX: 0.04, YY: 0.09},
		Status: web.Status{State: "travelling", Text: "travelling to (1, 2) m"},
		Checks: []web.Check{{Name: "pose"}},
	}
	cfg := web.Config{Address: "127.0.0.1:0", Token: token}
	if change != nil {
		change(&cfg)
	}
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	go func() {
		for {
			select {
			case fn := <-r.work:
				for r.held.Load() {
					time.Sleep(time.Millisecond)
				}
				fn()
			case <-stop:
				return
			}
		}
	}()
	var err error
	r.server, err = web.New(web.Options{
		Config: cfg, Explorer: r, Wall: time.Now, Terminal: &r.out, Logger: slog.New(slog.NewTextHandler(&r.logs, nil)),
		Post: func(fn func()) bool {
			select {
			case r.work <- fn:
				return true
			default:
				return false
			}
		},
	})
	must.OK(t, err)
	t.Cleanup(func() { r.server.Close(); r.held.Store(false) })
	r.url = "http://" + r.server.Addr().String()
	return r
}

// ask makes a request with headers as name: value.
func (r *rig) ask(method, path, body string, headers ...string) (int, string, http.Header) {
	r.t.Helper()
	req, err := http.NewRequest(method, r.url+path, strings.NewReader(body))
	must.OK(r.t, err)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		r.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatalf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, string(text), res.Header
}

// client follows no redirects and keeps no cookies.
var client = &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

const (
	bearer = "Authorization: Bearer " + token
	isJSON = "Content-Type: application/json"
)

// stream opens the events.
func (r *rig) stream(query string) *stream {
	r.t.Helper()
	req, err := http.NewRequest("GET", r.url+"/api/events?"+query, nil)
	must.OK(r.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	ctx, cancel := context.WithCancel(r.t.Context())
	res, err := http.DefaultTransport.RoundTrip(req.WithContext(ctx))
	must.OK(r.t, err)
	r.t.Cleanup(func() { cancel(); res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		r.t.Fatalf("the events are answered with %s", res.Status)
	}
	s := &stream{t: r.t, scanner: bufio.NewScanner(res.Body), close: cancel}
	s.scanner.Buffer(nil, 1<<20)
	return s
}

type stream struct {
	t       testing.TB
	scanner *bufio.Scanner
	bytes   int
	close   func()
}

// next returns the next event.
func (s *stream) next() (name string, data map[string]any) {
	s.t.Helper()
	for s.scanner.Scan() {
		line := s.scanner.Text()
		s.bytes += len(line) + 1
		if n, ok := strings.CutPrefix(line, "event: "); ok {
			name = n
		}
		if d, ok := strings.CutPrefix(line, "data: "); ok {
			if d == "true" { // elsewhere
				return name, nil
			}
			if strings.HasPrefix(d, "{") {
				if err := json.Unmarshal([]byte(d), &data); err != nil {
					s.t.Fatalf("%s: %v", line, err)
				}
			} else {
				var list []any
				if err := json.Unmarshal([]byte(d), &list); err != nil {
					s.t.Fatalf("%s: %v", line, err)
				}
				data = map[string]any{"list": list}
			}
			return name, data
		}
	}
	s.t.Fatalf("the stream has ended: %v", s.scanner.Err())
	return "", nil
}

// until reads events up to one for which the condition holds.
func (s *stream) until(name string, ok func(data map[string]any) bool) map[string]any {
	s.t.Helper()
	for {
		if n, data := s.next(); n == name && ok(data) {
			return data
		}
	}
}

func any1(map[string]any) bool { return true }
