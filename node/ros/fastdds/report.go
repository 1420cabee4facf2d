// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"ugp_explorer/node/ros"
)

// reporter tells the node which participants DDS Security keeps out, and about hostile messages.
type reporter struct {
	mu      sync.Mutex
	tell    func(message string, args ...any)
	waiting []report             // until somebody listens
	told    map[string]time.Time // by the text of a report
	peers   map[prefix]*peer
	closed  bool
}

type report struct {
	message string
	args    []any
}

// peer is another participant, as it describes itself before it has proved anything.
type peer struct {
	address, enclave string
	plain            bool        // without a certificate
	late             *time.Timer // runs until the participant has proved its identity
	out              bool        // reported as kept out
}

const (
	// reportPause is the time in which the same report is not repeated: the library tries
	// again, and says so, with each announcement of a participant.
	reportPause = time.Minute
	// reportLimit is the largest number of reports that wait or are remembered.
	reportLimit = 64
	// proofPatience is the time after which a participant is reported that has not proved its
	// identity. Whoever of two sees first that the other's certificate is not valid says no
	// more, and the library continues asking it without a word. On a loaded machine the proof may
	// come later; then that is reported, too.
	proofPatience = 5 * time.Second
)

var _ ros.Reporter = (*Transport)(nil)

// OnReport implements ros.Reporter.
func (t *Transport) OnReport(fn func(message string, args ...any)) {
	r := &t.reports
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell = fn
	for _, w := range r.waiting {
		fn(w.message, w.args...)
	}
	r.waiting = nil
}

// report tells the node, unless it was told the same lately. r.mu is held.
func (r *reporter) report(message string, args ...any) {
	text, now := message+fmt.Sprint(args...), time.Now()
	if at, ok := r.told[text]; r.closed || ok && now.Sub(at) < reportPause {
		return
	}
	if r.told == nil || len(r.told) >= reportLimit {
		r.told = map[string]time.Time{}
	}
	r.told[text] = now
	switch {
	case r.tell != nil:
		r.tell(message, args...)
	case len(r.waiting) < reportLimit:
		r.waiting = append(r.waiting, report{message, args})
	}
}

// met notes a participant, and reports it if it and this one ignore each other.
func (t *Transport) met(e *event) {
	r, p := &t.reports, prefixOf(e.guid)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.peers[p] != nil {
		return
	}
	if r.peers == nil {
		r.peers = map[prefix]*peer{}
	}
	x := &peer{address: e.topic, enclave: userField(e.userData, "enclave"), plain: e.secured == 0}
	r.peers[p] = x
	switch {
	case t.secured == nil && e.secured == 1:
		r.report("a participant uses DDS Security, and this node does not, so they cannot communicate: set ROS_SECURITY_ENABLE", r.who(p)...)
	case t.secured == nil, t.secured.Unauthenticated(): // the governance lets it in
	case x.plain:
		r.report("a participant without a certificate is kept out", r.who(p)...)
	default:
		x.late = time.AfterFunc(proofPatience, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.peers[p] == x && x.late != nil {
				x.out = true
				r.report("a participant is kept out: it has not proved its identity; its certificate may be of another authority, its DDS may not understand ours, or the network lost a message: then restart one of the two (launch/security/README.md)", r.who(p)...)
			}
		})
	}
}

func (r *reporter) left(p prefix) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle(p)
	delete(r.peers, p)
}

// accepted notes that a participant has proved its identity and permissions.
func (r *reporter) accepted(p prefix) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle(p)
	if x := r.peers[p]; x != nil && x.out {
		x.out = false
		r.report("a participant that was kept out is let in: it has proved its identity", r.who(p)...)
	}
}

func (r *reporter) settle(p prefix) {
	if x := r.peers[p]; x != nil && x.late != nil {
		x.late.Stop()
		x.late = nil
	}
}

// refused reports a participant that could not prove its identity or its permissions. The
// reason comes by said.
func (r *reporter) refused(p prefix) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.peers[p]; x != nil {
		if x.plain {
			return // reported by met
		}
		x.out = true
	}
	r.settle(p)
	r.report("a participant is kept out: DDS Security does not accept its certificate or permissions", r.who(p)...)
}

// say is report for callers that do not hold r.mu.
func (r *reporter) say(message string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report(message, args...)
}

// close ends the reports.
func (r *reporter) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for p := range r.peers {
		r.settle(p)
	}
}

// who returns what is known of a participant, for the log. r.mu is held.
func (r *reporter) who(p prefix) []any {
	args := []any{"participant", hex.EncodeToString(p[:])}
	if x := r.peers[p]; x != nil {
		args = append(args, "address", x.address, "enclave", x.enclave)
	}
	return args
}
