package inproc

import (
	"slices"
	"sync"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ring"
)

// channel holds the endpoints with one name. Its lock guards all of them.
type channel struct {
	mu   sync.Mutex
	ends []*endpoint // in the order in which they were opened
	free []*payload  // for reuse
	kept int         // bytes in free
}

// payload is a message shared by queues and histories.
type payload struct {
	refs     int // queues and histories that hold it, plus one while it is sent or taken
	data     []byte
	source   int64
	from     ros.GUID
	sequence uint64
	lifespan int64         // ns; 0 means no limit
	request  ros.RequestID // of requests and replies
}

// keptLimit bounds the memory that a channel keeps for reuse, bytes. One payload is always
// kept, whatever its size.
const keptLimit = 1 << 18

// hold returns a payload with a copy of data. The caller holds ch.mu.
func (ch *channel) hold(data []byte) *payload {
	var p *payload
	if n := len(ch.free); n > 0 {
		p, ch.free = ch.free[n-1], ch.free[:n-1]
		ch.kept -= cap(p.data)
	} else {
		p = &payload{}
	}
	p.data = append(p.data[:0], data...)
	return p
}

// drop removes one reference. The caller holds ch.mu.
func (ch *channel) drop(p *payload) {
	if p.refs--; p.refs > 0 || len(ch.free) > 0 && ch.kept+cap(p.data) > keptLimit {
		return
	}
	*p = payload{data: p.data[:0]}
	ch.free = append(ch.free, p)
	ch.kept += cap(p.data)
}

// endpoint is an endpoint: a queue of incoming messages, the matched endpoints and, for a
// latched publisher, a history.
type endpoint struct {
	ch       *channel
	info     ros.EndpointInfo
	listener ros.Listener
	peers    []*endpoint // matched, in the order in which they were opened
	queue    ring.Queue[queued]
	history  ring.Queue[*payload]
	sequence uint64
	dropped  uint64
	closed   bool
}

type queued struct {
	p        *payload
	received int64
}

// list appends the endpoints of ch, which may be nil.
func (ch *channel) list(infos []ros.EndpointInfo) []ros.EndpointInfo {
	if ch == nil {
		return infos
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	for _, e := range ch.ends {
		infos = append(infos, e.info)
	}
	return infos
}

// join adds end, matches it and queues latched messages. It returns the listeners' calls,
// for after the caller has released ch.mu, which it holds.
func (ch *channel) join(end *endpoint) (calls []func()) {
	for _, o := range ch.ends {
		if o.info.Kind != end.info.Kind.Opposite() {
			continue
		}
		if why := ros.Mismatch(o.info, end.info); why != nil {
			calls = append(calls, o.trouble(end, why), end.trouble(o, why))
			continue
		}
		o.peers = append(o.peers, end)
		end.peers = append(end.peers, o)
		if end.info.Kind == ros.SubscriptionEnd && end.info.QoS.Durability == ros.TransientLocal {
			o.history.Each(func(p **payload) {
				if end.enqueue(*p) {
					calls = append(calls, end.listener.Ready)
				}
			})
		}
	}
	ch.ends = append(ch.ends, end)
	return slices.DeleteFunc(calls, func(f func()) bool { return f == nil })
}

func (e *endpoint) trouble(o *endpoint, why []string) func() {
	if e.listener.Trouble == nil {
		return nil
	}
	tr := ros.Trouble{Local: e.info, Remote: o.info, Reasons: why}
	return func() { e.listener.Trouble(tr) }
}

// enqueue appends p to the queue of e and reports whether the queue has grown; a full queue
// drops its oldest message instead. The caller holds ch.mu.
func (e *endpoint) enqueue(p *payload) bool {
	grew := true
	if e.queue.Len() >= e.info.QoS.Depth {
		e.ch.drop(e.queue.Pop().p)
		e.dropped++
		grew = false
	}
	p.refs++
	q := queued{p: p}
	if e.listener.Now != nil {
		q.received = e.listener.Now()
	}
	e.queue.Push(q)
	return grew
}

// take returns the oldest payload that has not expired, with its reference, and the number
// of messages left, negative if there was none. The caller holds ch.mu.
func (e *endpoint) take() (q queued, left int) {
	for e.queue.Len() > 0 {
		q = e.queue.Pop()
		if q.p.lifespan == 0 || e.listener.Now == nil || e.listener.Now()-q.p.source <= q.p.lifespan {
			return q, e.queue.Len()
		}
		e.ch.drop(q.p)
		e.dropped++
	}
	return queued{}, -1
}

// latch keeps p for later subscriptions. The caller holds ch.mu.
func (e *endpoint) latch(p *payload) {
	if e.info.QoS.Durability != ros.TransientLocal {
		return
	}
	for e.history.Len() >= e.info.QoS.Depth {
		e.ch.drop(e.history.Pop())
	}
	p.refs++
	e.history.Push(p)
}

// leave removes e from its channel.
func (e *endpoint) leave() error {
	ch := e.ch
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if e.closed {
		return nil
	}
	ch.ends = without(ch.ends, e)
	for _, o := range e.peers {
		o.peers = without(o.peers, e)
	}
	e.close()
	return nil
}

// without returns a copy of ends without e; spread may still read the original.
func without(ends []*endpoint, e *endpoint) []*endpoint {
	rest := make([]*endpoint, 0, len(ends))
	for _, o := range ends {
		if o != e {
			rest = append(rest, o)
		}
	}
	return rest
}

// close empties e. The caller holds ch.mu.
func (e *endpoint) close() {
	e.closed, e.peers = true, nil
	e.queue, e.history = ring.Queue[queued]{}, ring.Queue[*payload]{}
}

// Info implements every endpoint's Info.
func (e *endpoint) Info() ros.EndpointInfo { return e.info }

// Matched returns the number of endpoints matched.
func (e *endpoint) Matched() int {
	e.ch.mu.Lock()
	defer e.ch.mu.Unlock()
	return len(e.peers)
}

// Dropped returns the number of messages lost to a full queue or their lifespan.
func (e *endpoint) Dropped() uint64 {
	e.ch.mu.Lock()
	defer e.ch.mu.Unlock()
	return e.dropped
}

// Close implements every endpoint's Close.
func (e *endpoint) Close() error { return e.leave() }
