// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/node/web"
)

// busy is a mission with 1000 samples, 5000 points of track and a path, whose robot moves with
// every look.
func busy(r *rig) {
	r.set(func(s *web.Snapshot) {
		for n := range 1000 {
			s.Own = append(s.Own, observation(n+1))
		}
		for i := range 5000 {
			s.Track = append(s.Track, record.Place{float64(i) / 3, float64(i%11) / 3})
		}
		s.Plan = []record.Place{{1, 2}, {30, 40}, {50, 60}}
		for i := range 8 {
			s.Checks = append(s.Checks, web.Check{Name: fmt.Sprint("check ", i)})
		}
		s.Own, s.Track = s.Own[:1000:1000], s.Track[:5000:5000]
	})
}

// follow opens the events n times, and counts the bytes that come after all that there was at the beginning: then only
// changes come.
func follow(t testing.TB, r *rig, n int) *atomic.Int64 {
	t.Helper()
	var bytes atomic.Int64
	begun := make(chan error, n)
	for range n {
		c, err := net.Dial("tcp", r.server.Addr().String())
		must.OK(t, err)
		t.Cleanup(func() { c.Close() })
		if _, err := fmt.Fprintf(c, "GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", token); err != nil {
			t.Fatal(err)
		}
		go func() {
			in := bufio.NewReader(c)
			for line, err := "", error(nil); !strings.HasPrefix(line, `data: {"known":true`); { // a beat follows the rest
				if line, err = in.ReadString('\n'); err != nil {
					begun <- err
					return
				}
			}
			begun <- nil
			buf := make([]byte, 64<<10)
			for {
				n, err := in.Read(buf)
				bytes.Add(int64(n))
				if err != nil {
					return
				}
			}
		}()
	}
	for range n {
		must.OK(t, <-begun)
	}
	return &bytes
}

// A client gets at most 50 kB a second, however many samples there are, and while a field is driven.
func TestBytesPerClient(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for seconds")
	}
	for name, prepare := range map[string]func(*rig){"in a mission": busy, "while a field is driven": newDrive} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil)
			prepare(r)
			const clients, measured = 10, 3 * time.Second
			bytes := follow(t, r, clients)
			before, begun := bytes.Load(), time.Now()
			s := r.stream("")
			for time.Since(begun) < measured {
				s.until("pose", any1)
			}
			rate := float64(bytes.Load()-before) / time.Since(begun).Seconds() / clients
			t.Logf("%.1f kB/s a client", rate/1e3)
			if rate > 50e3 || rate < 500 {
				t.Errorf("%.0f B/s a client, want 500 to 50000", rate)
			}
		})
	}
}
