// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// CommandRate is the number of commands per second that are accepted in the long run, and CommandBurst the number at once, each from
// the page and from topic and services: each change of the mission is written to its journal and synced to the disk.
const (
	CommandRate  = 5
	CommandBurst = 20
)

// guesses limits how many wrong tokens each address, and all addresses together, may try. The limit for all does not apply to an
// address that has given the right token before.
type guesses struct {
	now func() time.Time

	mu    sync.Mutex
	each  map[string]*rate.Limiter
	all   *rate.Limiter
	known map[string]bool
}

const (
	guessRate, guessBurst = 0.5, 10 // of an address, a second and at once
	// shareOfAll is how much more all addresses together may do than one.
	shareOfAll = 4
	// mostAddresses bounds the memory that addresses take.
	mostAddresses = 1024
)

func newGuesses(now func() time.Time) *guesses {
	return &guesses{now: now, each: map[string]*rate.Limiter{}, all: rate.NewLimiter(shareOfAll*guessRate, shareOfAll*guessBurst), known: map[string]bool{}}
}

// try reports whether the token of an address is right, and whether it was looked at: it is not
// after too many wrong ones.
func (g *guesses) try(address string, right func() bool) (ok, looked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	b := g.each[address]
	if b == nil {
		if len(g.each) >= mostAddresses {
			clear(g.each) // the limit of all holds on
		}
		b = rate.NewLimiter(guessRate, guessBurst)
		g.each[address] = b
	}
	if b.TokensAt(now) < 1 || !g.known[address] && g.all.TokensAt(now) < 1 {
		return false, false
	}
	if right() {
		if len(g.known) >= mostAddresses {
			clear(g.known)
		}
		g.known[address] = true
		return true, true
	}
	b.AllowN(now, 1)
	g.all.AllowN(now, 1)
	return false, true
}

// address returns that of a request's connection without its port. Those behind a proxy share
// that of the proxy.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// listener limits the number of open connections: all, and those of one address other than this
// computer's own, from which a proxy connects. Beyond the limits it closes connections of strangers, so
// that they cannot keep out clients that know the token.
type listener struct {
	net.Listener
	most, mostEach int

	mu   sync.Mutex
	open []*connection // the oldest first
}

// connection is one of a listener.
type connection struct {
	net.Conn
	l     *listener
	host  string
	known atomic.Bool // a request came by it with the token or the cookie
}

// connectionKey is that of a request's connection in its context.
type connectionKey struct{}

// Accept returns the next connection that stays within the limits.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &connection{Conn: conn, l: l}
		c.host, _, _ = net.SplitHostPort(conn.RemoteAddr().String())
		out := l.admit(c)
		if out != nil {
			_ = out.Close()
		}
		if out != c {
			return c, nil
		}
	}
}

// admit adds c to the open connections, and returns the one to be closed for it, if any: the oldest
// stranger of an address with too many, or else of that which has the most strangers.
func (l *listener) admit(c *connection) (out *connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = append(l.open, c)
	own, strangers := 0, map[string]int{}
	for _, o := range l.open {
		if o.host == c.host {
			own++
		}
		if !o.known.Load() {
			strangers[o.host]++
		}
	}
	from := c.host
	if ip := net.ParseIP(c.host); own <= l.mostEach || ip != nil && ip.IsLoopback() {
		if len(l.open) <= l.most {
			return nil
		}
		for host, n := range strangers {
			if n > strangers[from] {
				from = host
			}
		}
	}
	return l.open[slices.IndexFunc(l.open, func(o *connection) bool { return o.host == from && !o.known.Load() })]
}

// Close closes the connection and makes room for another.
func (c *connection) Close() error {
	c.l.mu.Lock()
	c.l.open = slices.DeleteFunc(c.l.open, func(o *connection) bool { return o == c })
	c.l.mu.Unlock()
	return c.Conn.Close()
}
