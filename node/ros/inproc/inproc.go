// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package inproc connects nodes of one process.
package inproc

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

// Transport is a graph inside one process. Messages cross it as bytes.
//
// Endpoints match, and messages and latched messages are delivered, in the order in which
// the endpoints were opened, so a run on a simulated executor is deterministic. Between
// matched endpoints messages are lost only to the depth of the subscription's queue or to
// their lifespan, whatever the reliability.
type Transport struct {
	mu     sync.Mutex // over all that follows, and the endpoints
	last   uint64     // number of the endpoint opened last
	nodes  map[string]bool
	ends   map[string][]*endpoint // of topics and services, in the order in which they were opened
	closed bool
}

var _ ros.Transport = (*Transport)(nil)

// New returns an empty graph.
func New() *Transport {
	return &Transport{nodes: map[string]bool{}, ends: map[string][]*endpoint{}}
}

// AddNode implements Transport. A second node of the same name is an error: in one process
// it is a mistake, whereas other graphs only warn.
func (t *Transport) AddNode(node string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return ros.ErrClosed
	case t.nodes[node]:
		return fmt.Errorf("ros: a node %s exists already", node)
	}
	t.nodes[node] = true
	return nil
}

// RemoveNode implements Transport.
func (t *Transport) RemoveNode(node string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.nodes, node)
	return nil
}

// Endpoints implements Transport.
func (t *Transport) Endpoints(name string) (infos []ros.EndpointInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	add := func(list []*endpoint) {
		infos = slices.Grow(infos, len(list))
		for _, e := range list {
			infos = append(infos, e.Own)
		}
	}
	if name != "" {
		add(t.ends[name])
		return infos
	}
	for _, list := range t.ends {
		add(list)
	}
	return infos
}

// Close implements Transport.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, list := range t.ends {
		for _, e := range list {
			e.shut()
		}
	}
	clear(t.ends)
	return nil
}

// Open implements Transport: it adds an endpoint, matches it with those that exist, and queues
// latched messages. If several nodes serve one name, each gets every request, as over DDS, and
// the client takes the first answer.
func (t *Transport) Open(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (ros.End, error) {
	x, err := ends.New(kind, e, l)
	if err != nil {
		return nil, err
	}
	end := &endpoint{End: x, t: t, history: ends.Queue{Limit: e.QoS.Depth}}
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil, ros.ErrClosed
	}
	t.last++
	binary.BigEndian.PutUint64(end.Own.GUID[8:], t.last)
	latched := 0
	for _, o := range t.ends[e.Name] {
		if o.Own.Kind != kind.Opposite() || ros.Mismatch(o.Own, end.Own) != nil {
			continue
		}
		o.peers = append(slices.Clip(o.peers), end) // Publish may still read the others
		end.peers = append(end.peers, o)
		if kind == ros.SubscriptionEnd && e.QoS.TransientLocal {
			o.history.Each(func(m *ends.Message) {
				if end.queue(*m) {
					latched++
				}
			})
		}
	}
	t.ends[e.Name] = append(t.ends[e.Name], end)
	t.mu.Unlock()
	for range latched {
		end.Ready()
	}
	return end, nil
}
