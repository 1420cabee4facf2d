package ros

import (
	"sync/atomic"
)

// Tap is told of each message that a node publishes, as it is sent, and takes,
// before its callback runs. end is the endpoint of the node, source when the
// publisher sent the message, by its own clock, ns. cdr holds until Tap returns. It
// may be called from any goroutine that logs.
type Tap func(end *EndpointInfo, cdr []byte, source int64)

// tap is where a node keeps its Tap.
type tap struct{ fn atomic.Pointer[Tap] }

func (t *tap) tell(end *EndpointInfo, cdr []byte, source int64) {
	if fn := t.fn.Load(); fn != nil {
		(*fn)(end, cdr, source)
	}
}

// SetTap has fn told of the node's messages from now on, in place of the one
// before; nil: nobody is.
func (n *Node) SetTap(fn Tap) {
	if fn == nil {
		n.tap.fn.Store(nil)
		return
	}
	n.tap.fn.Store(&fn)
}

// tappedWriter is a node's end of a topic.
type tappedWriter struct {
	Writer
	tap  *tap
	info EndpointInfo
}

func (w *tappedWriter) Publish(cdr []byte, stamp int64) error {
	w.tap.tell(&w.info, cdr, stamp)
	return w.Writer.Publish(cdr, stamp)
}
