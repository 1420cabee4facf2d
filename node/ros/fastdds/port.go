// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"fmt"
	"sync"
	"time"

	"ugp_explorer/node/ros"
)

// port is one of our DDS endpoints: a writer or a reader. One end of a topic has one port,
// one end of a service has two.
type port struct {
	t          *Transport
	id         uint64
	node       string // node of the endpoint; "": not shown in the graph
	name       string // name of the topic or service, for errors
	topic, typ string // DDS names
	writer     bool
	userData   string
	guid       ros.GUID // set once, by open, with the transport's lock held

	// Callbacks of the pump; nil: none. sample is called with life held and returns
	// whether to call ready after life is released.
	sample  func(*sample) bool
	ready   func()
	changed func(peer ros.GUID, gained bool)

	life sync.RWMutex // held for writing while the endpoint is made or deleted
	w    *cWriter
	r    *cReader

	mu    sync.Mutex
	peers map[ros.GUID]time.Time // matched endpoints with the times of their matches
}

// open makes p's endpoint. The pump may call p's functions before it returns.
func (p *port) open(q ros.QoS) (err error) {
	t := p.t
	p.peers = map[ros.GUID]time.Time{}
	p.life.Lock()
	defer p.life.Unlock()
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return ros.ErrClosed
	}
	t.lastID++
	p.id = t.lastID
	t.ports[p.id] = p
	t.opening.Add(1)
	t.mu.Unlock()
	defer t.opening.Done()
	var guid ros.GUID
	if p.writer {
		p.w, guid, err = t.part.newWriter(p.id, p.topic, p.typ, q, p.userData)
	} else {
		p.r, guid, err = t.part.newReader(p.id, p.topic, p.typ, dequeued(q), p.userData)
	}
	if err != nil {
		t.forget(p)
		return fmt.Errorf("ros/fastdds: %s: %w", p.name, t.forbidden(p, err))
	}
	t.mu.Lock()
	p.guid = guid
	t.mu.Unlock()
	return nil
}

// dequeued returns the QoS of a reader that the pump empties at once. It is slightly deeper,
// so that losses occur, and are counted, in our queue.
func dequeued(q ros.QoS) ros.QoS {
	const depth = 32
	q.Lifespan, q.Depth = 0, max(q.Depth, depth)
	return q
}

// close deletes p's endpoint. Closing again does nothing.
func (p *port) close() error {
	p.life.Lock()
	w, r := p.w, p.r
	p.w, p.r = nil, nil
	var err error
	if w != nil {
		err = deleteWriter(w)
	}
	if r != nil {
		err = deleteReader(r)
	}
	p.life.Unlock()
	p.t.forget(p)
	p.mu.Lock()
	clear(p.peers)
	p.mu.Unlock()
	return err
}

// send writes data; see write.
func (p *port) send(data []byte, stamp int64, related *ros.GUID, sequence int64) (int64, error) {
	if len(data) < 2 {
		return 0, fmt.Errorf("ros/fastdds: %s: %d bytes are not a message: the encapsulation alone has 4", p.name, len(data))
	}
	p.life.RLock()
	defer p.life.RUnlock()
	if p.w == nil {
		return 0, fmt.Errorf("%s: %w", p.name, ros.ErrClosed)
	}
	n, err := write(p.w, data, stamp, related, sequence)
	if err != nil {
		return 0, fmt.Errorf("ros/fastdds: %s: a message of %d bytes: %w: the history is full of messages that subscriptions have not taken, or memory is short", p.name, len(data), err)
	}
	return n, nil
}

// batch is the number of messages that the pump takes from one reader before it turns to the
// others.
const batch = 64

// drain takes the waiting messages.
func (p *port) drain(s *sample) {
	more, count := 0, 0
	p.life.RLock()
	for p.r != nil && take(p.r, count == 0, s) {
		if p.sample(s) {
			more++
		}
		if s.loan != nil {
			s.loan.Return()
		}
		if count++; count == batch {
			again(p.r)
			break
		}
	}
	p.life.RUnlock()
	for range more {
		if p.ready != nil {
			p.ready()
		}
	}
}

// match records that the endpoint peer was matched or unmatched.
func (p *port) match(peer ros.GUID, gained bool) {
	p.mu.Lock()
	if gained {
		p.peers[peer] = time.Now()
	} else {
		delete(p.peers, peer)
	}
	p.mu.Unlock()
	if p.changed != nil {
		p.changed(peer, gained)
	}
}

// Matched returns the number of endpoints that p is matched with.
func (p *port) Matched() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.peers)
}

// hasPeer reports whether p is matched with g or, if g is not a reader, with any endpoint of
// g's participant.
func (p *port) hasPeer(g ros.GUID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if isReader(g) {
		_, ok := p.peers[g]
		return ok
	}
	for peer := range p.peers {
		if prefixOf(peer) == prefixOf(g) {
			return true
		}
	}
	return false
}

// since returns the time of the match for each participant that p is matched with.
func (p *port) since() map[prefix]time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := make(map[prefix]time.Time, len(p.peers))
	for peer, at := range p.peers {
		m[prefixOf(peer)] = at
	}
	return m
}
