// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"fmt"
	"slices"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

// endpoint is an endpoint, with those that it matches and, for a latched publisher, what it
// keeps for later subscriptions. The transport's lock guards it.
type endpoint struct {
	*ends.End
	t        *Transport
	peers    []*endpoint // in the order in which they were opened; copied when one leaves
	history  ends.Queue
	sequence int64
	closed   bool
}

var _ ros.End = (*endpoint)(nil)

// Send implements ros.End. If the client of a reply is gone, that is not an error.
func (e *endpoint) Send(sent ros.Message) (int64, error) {
	m := ends.Message{Message: sent}
	e.t.mu.Lock()
	if e.closed {
		e.t.mu.Unlock()
		return 0, fmt.Errorf("%s: %w", e.Own.Name, ros.ErrClosed)
	}
	e.sequence++
	sequence := e.sequence
	switch e.Own.Kind {
	case ros.PublisherEnd:
		m.Info.Publisher = e.Own.GUID
		if span := e.Own.QoS.Lifespan; span > 0 {
			m.Expires = m.Info.Source + int64(span)
		}
		if e.Own.QoS.TransientLocal {
			e.history.Push(m)
		}
	case ros.ClientEnd:
		m.ID = ros.RequestID{Client: e.Own.GUID, Sequence: sequence}
	}
	peers := e.peers
	e.t.mu.Unlock()
	for _, o := range peers {
		if (e.Own.Kind != ros.ServerEnd || o.Own.GUID == m.ID.Client) && o.queue(m) {
			o.Ready()
		}
	}
	return sequence, nil
}

// queue queues a message that was sent to e, and reports whether to call ready.
func (e *endpoint) queue(m ends.Message) bool {
	if e.Listener.Now != nil {
		m.Info.Received = e.Listener.Now()
	}
	return e.Push(m)
}

// Matched returns the number of endpoints matched.
func (e *endpoint) Matched() int {
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	return len(e.peers)
}

// Close implements every endpoint's Close.
func (e *endpoint) Close() error {
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	if e.closed {
		return nil
	}
	name := e.Own.Name
	e.t.ends[name] = without(e.t.ends[name], e)
	for _, o := range e.peers {
		o.peers = without(o.peers, e)
	}
	e.shut()
	return nil
}

// without returns a copy of list without e; Publish may still read the original.
func without(list []*endpoint, e *endpoint) []*endpoint {
	return slices.DeleteFunc(slices.Clone(list), func(o *endpoint) bool { return o == e })
}

// shut empties e. The transport's lock is held.
func (e *endpoint) shut() {
	e.closed, e.peers = true, nil
	e.Queue.Close()
	e.history.Close()
}
