// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package conformance contains the tests that every transport of node/ros must pass,
// through the API that nodes use. They depend only on the arrival of messages, not on its
// timing.
package conformance

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// Patience is the longest time that a test waits for an event.
const Patience = 20 * time.Second

// Open creates an empty graph. Each call of join returns a transport in that graph: another
// participant, or the same one again.
type Open func(t *testing.T) (join func() ros.Transport)

// Without maps the names of tests that a transport cannot pass to the reasons. These tests
// are skipped.
type Without map[string]string

// Run runs the suite on the transport except for the tests in without.
func Run(t *testing.T, open Open, without Without) {
	run(t, open, without, []test{
		{"messages arrive whole and in order", messages},
		{"large messages arrive", largeMessage},
		{"message information", messageInfo},
		{"transient local replays to late joiners", lateJoiner},
		{"volatile does not replay", volatileJoiner},
		{"ends that do not match are reported", mismatches},
		{"garbage is counted and survived", garbage},
		{"publishing from several goroutines", manyGoroutines},
		{"matched counts follow", matchedCounts},
		{"closed subscriptions are left alone", closedSubscription},
		{"endpoints are listed", endpoints},
		{"closing a transport closes its endpoints", closeTransport},
		{"rosout", rosout},
		{"clock", clock},
		{"services answer", services},
		{ServiceEvents, serviceEvents},
		{"services answer later and in any order", answersLater},
		{"calls without a server time out", noServer},
		{"closing a client ends its calls", closedClient},
		{"garbage requests", garbageRequest},
		{"parameters: list, get, describe", parametersRead},
		{"parameters: set", parametersSet},
		{"parameters: events", parameterEvents},
	})
}

// ServiceEvents is the name of a test that not every transport can pass.
const ServiceEvents = "events of services disturb nobody"

type test struct {
	name string
	test func(*testing.T, *graph)
}

func run(t *testing.T, open Open, without Without, tests []test) {
	for name := range without {
		if !slices.ContainsFunc(tests, func(c test) bool { return c.name == name }) {
			t.Errorf("there is no test %q to be left out", name)
		}
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if why, ok := without[c.name]; ok {
				t.Skip(why)
			}
			ex := exec.NewRealTime()
			g := &graph{t: t, ex: ex, join: open(t)}
			t.Cleanup(func() {
				if err := ex.Close(); err != nil {
					t.Error(err)
				}
			})
			c.test(t, g)
		})
	}
}

// graph is the graph of one test. One executor runs all nodes.
type graph struct {
	t    *testing.T
	ex   *exec.RealTime
	join func() ros.Transport
	log  lockedBuffer // log of all nodes
}

// node returns a node on its own transport.
func (g *graph) node(name string, opts ros.NodeOptions) *ros.Node {
	g.t.Helper()
	tr := g.join()
	opts.LogHandler = slog.NewTextHandler(&g.log, nil)
	n, err := ros.NewNode(tr, g.ex, name, opts)
	must.OK(g.t, err)
	g.t.Cleanup(func() {
		if err := errors.Join(n.Close(), tr.Close()); err != nil {
			g.t.Error(err)
		}
	})
	return n
}

// wait runs callbacks until cond holds and fails the test if it does not hold in time. It
// polls cond because matches cause no callback, and it polls by the wall clock because the
// executor's clock may stand still.
func (g *graph) wait(what string, cond func() bool) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	var pulse sync.WaitGroup
	defer pulse.Wait()
	defer cancel()
	pulse.Go(func() {
		ticker := time.NewTicker(2 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				g.ex.Post(func() {})
			}
		}
	})
	if err := g.ex.Run(ctx, cond); err != nil {
		g.t.Fatalf("waiting for %s: %v\nthe nodes logged:\n%s", what, err, g.log.String())
	}
}

// matched waits until each of the endpoints has at least one match.
func (g *graph) matched(ends ...interface{ Matched() int }) {
	g.t.Helper()
	g.wait("a match", func() bool {
		for _, e := range ends {
			if e.Matched() == 0 {
				return false
			}
		}
		return true
	})
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
