// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/security"
)

// Transport is a participant of a DDS domain.
type Transport struct {
	part     *participant
	guid     ros.GUID
	since    time.Time
	warnings []string
	pumped   chan struct{} // closed when the pump has ended
	opening  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	lastID uint64
	ports  map[uint64]*port
	graph  graph

	info nodeInfo

	vendors sync.Map          // vendor of each other participant, an int, by prefix
	secured *security.Enclave // nil for none
	reports reporter
}

var (
	_ ros.Transport = (*Transport)(nil)
	_ ros.Searcher  = (*Transport)(nil)
)

// New joins the domain.
func New(cfg Config) (*Transport, error) {
	peers, err := cfg.peers()
	if err != nil {
		return nil, err
	}
	enclave, warning, err := cfg.enclave()
	if err != nil {
		return nil, err
	}
	t := &Transport{pumped: make(chan struct{}), ports: map[uint64]*port{}, graph: newGraph(), secured: enclave}
	if warning != "" {
		t.warnings = append(t.warnings, warning)
	}
	if len(cfg.StaticPeers) > 0 && !cfg.usesPeers() {
		t.warnings = append(t.warnings, fmt.Sprintf("the static peers %s are ignored: the discovery range is %s, want SUBNET or LOCALHOST", strings.Join(cfg.StaticPeers, ", "), cfg.Range))
	}
	if t.part, t.guid, err = newParticipant(&cfg, peers, properties(enclave)); err != nil {
		return nil, fmt.Errorf("ros/fastdds: domain %d: %w", cfg.Domain, explained(err, enclave, cfg.Domain))
	}
	t.since = time.Now()
	go t.pump()
	if err := t.info.open(t, cfg.Distro); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Since implements ros.Searcher.
func (t *Transport) Since() time.Time { return t.since }

// Warnings returns messages for the user about the environment, if any.
func (t *Transport) Warnings() []string { return slices.Clone(t.warnings) }

// pump dispatches DDS events and samples until the transport is closed. It is the only
// goroutine that takes samples.
func (t *Transport) pump() {
	defer close(t.pumped)
	c := newSample()
	defer freeSample(c)
	var s sample
	var e event
	var b [8]byte
	for {
		if _, err := t.part.wake.Read(b[:]); err != nil {
			return // closed
		}
		for t.part.next(&e) {
			t.handle(&e, c, &s)
		}
	}
}

func (t *Transport) handle(e *event, c *cSample, s *sample) {
	switch e.kind {
	case evEndpoint:
		t.graph.endpoint(t, e)
		return
	case evGone:
		t.vendors.Delete(prefixOf(e.guid))
		t.reports.left(prefixOf(e.guid))
		t.mu.Lock()
		t.graph.forget(prefixOf(e.guid))
		t.mu.Unlock()
		return
	case evParticipant:
		t.vendors.Store(prefixOf(e.guid), e.vendor)
		t.met(e)
		return
	case evAccepted:
		t.reports.accepted(prefixOf(e.guid))
		return
	case evRefused:
		t.reports.refused(prefixOf(e.guid))
		return
	case evSaid:
		t.reports.said(e.topic)
		return
	case evDropped:
		t.reports.say("a hostile UDP message was dropped: it would have ended this process", "address", e.topic)
		return
	}
	t.mu.Lock()
	p := t.ports[e.id]
	t.mu.Unlock()
	if p == nil {
		return // closed by now
	}
	switch e.kind {
	case evData:
		p.drain(c, s)
	case evMatched:
		p.match(e.guid, e.change > 0)
	case evIncomp:
		t.incompatible(p, e.policy)
	}
}

// forget removes p from the ports of the pump.
func (t *Transport) forget(p *port) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.ports, p.id)
}

// AddNode implements ros.Transport.
func (t *Transport) AddNode(node string) error {
	t.mu.Lock()
	switch {
	case t.closed:
		t.mu.Unlock()
		return ros.ErrClosed
	case slices.Contains(t.graph.nodes, node):
		t.mu.Unlock()
		return fmt.Errorf("ros/fastdds: a node %s exists already", node)
	}
	t.graph.nodes = append(t.graph.nodes, node)
	t.mu.Unlock()
	return t.announce()
}

// RemoveNode implements ros.Transport.
func (t *Transport) RemoveNode(node string) error {
	t.mu.Lock()
	t.graph.nodes = slices.DeleteFunc(t.graph.nodes, func(n string) bool { return n == node })
	t.mu.Unlock()
	if err := t.announce(); !errors.Is(err, ros.ErrClosed) {
		return err
	}
	return nil
}

// Endpoints implements ros.Transport. DDS does not send the history of other participants'
// endpoints; their depth is 0 here.
func (t *Transport) Endpoints(name string) []ros.EndpointInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.graph.list(name)
}

// Close implements ros.Transport. Other participants see at once that this one is gone.
func (t *Transport) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		<-t.pumped
		return nil
	}
	t.closed = true
	t.mu.Unlock()
	t.opening.Wait()
	t.mu.Lock()
	ports := make([]*port, 0, len(t.ports))
	for _, p := range t.ports {
		ports = append(ports, p)
	}
	t.mu.Unlock()
	slices.SortFunc(ports, func(a, b *port) int { return int(b.id) - int(a.id) })
	var errs []error
	for _, p := range ports {
		errs = append(errs, p.close())
	}
	errs = append(errs, t.part.mute())
	<-t.pumped
	t.reports.close()
	return errors.Join(append(errs, t.part.delete())...)
}
