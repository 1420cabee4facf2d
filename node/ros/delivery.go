package ros

import (
	"fmt"
	"sync/atomic"
	"time"
)

// delivery takes the messages in a transport's queue on the executor, one callback per
// message, so that messages of several topics keep their order.
type delivery struct {
	node    *Node
	limit   int32        // callbacks that may be due at once; the depth of the queue
	pending atomic.Int32 // callbacks that are due
	take    func() (left int)
	run     func() // d.runOne, made once
	closed  bool
	taken   uint64 // messages
	bad     uint64 // messages that could not be decoded
	quiet   Throttle
}

func newDelivery(n *Node, q QoS) *delivery {
	d := &delivery{node: n, limit: int32(min(q.Depth, 1<<20)), quiet: n.NewThrottle(time.Second)}
	d.run = d.runOne
	return d
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
	left := d.take()
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
var errLarge = fmt.Errorf("it is larger than %d MiB, which is the most that is taken", MostMessage>>20)

// tooLarge reports whether a message is, and then counts and logs it.
func (d *delivery) tooLarge(what, name string, cdr []byte) bool {
	if len(cdr) <= MostMessage {
		return false
	}
	d.malformed(what, name, len(cdr), errLarge)
	return true
}

// malformed counts and logs a message that cannot be decoded.
func (d *delivery) malformed(what, name string, bytes int, err error) {
	d.bad++
	d.quiet.Warn("a message cannot be decoded and is dropped",
		"kind", what, "name", name, "bytes", bytes, "error", err.Error(), "dropped", d.bad)
}
