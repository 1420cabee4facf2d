// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"fmt"
	"sync/atomic"
	"time"
)

// delivery takes the messages in the queue of an end on the executor, one callback per
// message, so that messages of several topics keep their order.
type delivery struct {
	opened
	node    *Node
	limit   int32        // callbacks that may be due at once; the depth of the queue
	pending atomic.Int32 // callbacks that are due
	fn      func(Message)
	run     func() // d.runOne, made once
	ended   func() // called by Close; nil: nothing
	closed  bool
	taken   uint64 // messages
	bad     uint64 // messages that could not be decoded
	quiet   Throttle
	one     *sender // nil: all publishers are heard
}

// receive opens an end of this node whose messages fn gets. name is expanded and remapped.
func (n *Node) receive(kind EndpointKind, name, typ, hash string, q QoS, fn func(Message)) (*delivery, error) {
	d := &delivery{node: n, limit: int32(min(q.Depth, 1<<20)), quiet: n.NewThrottle(time.Second)}
	d.run = d.runOne
	d.fn = func(m Message) {
		if len(m.CDR) > MostMessage && kind != ClientEnd { // a reply ends its call
			d.malformed(m.CDR, errLarge)
			return
		}
		fn(m)
	}
	// A latched message may be ready before this returns; its callback runs later.
	if err := n.open(&d.opened, kind, name, typ, hash, q, d.ready); err != nil {
		return nil, err
	}
	n.endpoints = append(n.endpoints, d)
	return d, nil
}

// ready is Listener.Ready.
func (d *delivery) ready() {
	if d.pending.Add(1) > d.limit {
		d.pending.Add(-1)
		return
	}
	d.node.ex.Deliver(d.run)
}

func (d *delivery) runOne() {
	pending := d.pending.Add(-1)
	if d.closed {
		return
	}
	left := d.end.Take(d.fn)
	if left >= 0 {
		d.taken++
	}
	if left > 0 && pending == 0 {
		d.ready()
	}
}

// MostMessage is the largest message that a node takes, bytes: several times the largest map.
const MostMessage = 64 << 20

// errLarge is the error of a message that is not looked at.
var errLarge = fmt.Errorf("it is larger than %d MiB, the largest size that is accepted", MostMessage>>20)

// malformed counts and logs a message that cannot be decoded.
func (d *delivery) malformed(cdr []byte, err error) {
	d.bad++
	d.quiet.Warn("a message cannot be decoded and is dropped",
		"kind", d.info.Kind.String(), "name", d.info.Name, "bytes", len(cdr), "error", err.Error(), "dropped", d.bad)
}

// Malformed returns the number of messages that could not be decoded.
func (d *delivery) Malformed() uint64 { return d.bad }

// Dropped returns the number of messages lost because they arrived faster than the node
// took them, or had expired.
func (d *delivery) Dropped() uint64 { return d.end.Dropped() }

// Close removes the end from the graph: nothing is delivered any more. The node's Close does
// the same.
func (d *delivery) Close() error {
	d.closed = true
	err := d.end.Close()
	if d.ended != nil {
		d.ended()
	}
	return err
}
