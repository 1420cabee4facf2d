// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import "sync/atomic"

// MessageListener is called with each message that a node publishes, when it is sent, and each that it
// receives, before its callback runs. end is the node's endpoint, source the time at which
// the publisher sent the message, by its own clock, ns. cdr is valid until it returns. Any
// goroutine that logs may call it.
type MessageListener func(end *EndpointInfo, cdr []byte, source int64)

// tap holds a node's MessageListener.
type tap struct {
	atomic.Pointer[MessageListener]
}

func (t *tap) tell(end *EndpointInfo, cdr []byte, source int64) {
	if fn := t.Load(); fn != nil {
		(*fn)(end, cdr, source)
	}
}

// SetTap makes fn the node's tap from now on, instead of an earlier one.
func (n *Node) SetTap(fn MessageListener) { n.tap.Store(&fn) }
