package ros

import "sync/atomic"

// messageListener is called with each message that a node publishes, when it is sent, and each that it
// receives, before its callback runs. end is the node's endpoint, source the time at which
// the publisher sent the message, by its own clock, ns. cdr is valid until Tap returns. Any
// goroutine that logs may call it.
type messageListener func(end *EndpointInfo, cdr []byte, source int64)

// tap is where a node keeps its Tap.
type tap struct {
	fn atomic.Pointer[messageListener]
}

func (t *tap) tell(end *EndpointInfo, cdr []byte, source int64) {
	if fn := t.fn.Load(); fn != nil {
		(*fn)(end, cdr, source)
	}
}

// SetTap makes fn the node's tap from now on, in place of an earlier one. nil removes it.
func (n *Node) SetTap(fn messageListener) {
	if fn == nil {
		n.tap.fn.Store(nil)
		return
	}
	n.tap.fn.Store(&fn)
}
