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
	"sync/atomic"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
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

	handling sync.Mutex // guards event and sample, held by who handles events
	event    event
	sample   sample

	sleeping sync.Mutex // guards awake, held in Sleep
	awake    func()
	doze     func(uintptr) bool // t.dozed, made once
	woken    atomic.Bool        // by Wake

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
	_ exec.Source   = (*Transport)(nil)
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
	t.doze = t.dozed
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

// pump handles the events that come while no executor sleeps here, until the transport is closed.
func (t *Transport) pump() {
	defer close(t.pumped)
	_ = t.part.pump.wait(func(uintptr) bool {
		t.handleUntil(-1)
		return false
	})
}

// Sleep implements exec.Source. The executor handles the event that wakes it by itself. To wake
// the pump, which would wake the executor, takes longer. What comes while callbacks run is for
// the pump, so that none of them holds up reception.
func (t *Transport) Sleep(awake func()) bool {
	if !t.sleeping.TryLock() {
		return false
	}
	defer t.sleeping.Unlock()
	t.awake = awake
	return t.part.sleeper.wait(t.doze) == nil
}

// dozed is called when Sleep begins and whenever its bell was rung.
func (t *Transport) dozed(uintptr) (done bool) {
	if woken := t.woken.Swap(false); t.part.sleep(!woken) {
		return false
	}
	t.awake()
	if t.handleUntil(evData) > 0 {
		t.part.pump.ring()
	}
	return true
}

// Wake implements exec.Source.
func (t *Transport) Wake() {
	t.woken.Store(true)
	t.part.sleeper.ring()
}

// handleUntil handles the events that wait, up to the first one of that kind, and returns how
// many are left.
func (t *Transport) handleUntil(kind int) (left int) {
	t.handling.Lock()
	defer t.handling.Unlock()
	for {
		if left = t.part.next(&t.event); left < 0 {
			return 0
		}
		t.handle(&t.event)
		if t.event.kind == kind {
			return left
		}
	}
}

func (t *Transport) handle(e *event) {
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
		p.drain(&t.sample)
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
