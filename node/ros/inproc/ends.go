package inproc

import (
	"fmt"

	"ugp_explorer/node/ros"
)

type (
	writer    struct{ *endpoint }
	reader    struct{ *endpoint }
	responder struct{ *endpoint }
	requester struct{ *endpoint }
)

var (
	_ ros.Writer    = (*writer)(nil)
	_ ros.Reader    = (*reader)(nil)
	_ ros.Responder = (*responder)(nil)
	_ ros.Requester = (*requester)(nil)
)

// Publish implements Writer.
func (w *writer) Publish(cdr []byte, stamp int64) error {
	ch := w.ch
	ch.mu.Lock()
	if w.closed {
		ch.mu.Unlock()
		return fmt.Errorf("%s: %w", w.info.Name, ros.ErrClosed)
	}
	w.sequence++
	if len(w.peers) == 0 && w.info.QoS.Durability == ros.Volatile {
		ch.mu.Unlock()
		return nil
	}
	p := ch.hold(cdr)
	p.refs, p.source, p.from, p.sequence = 1, stamp, w.info.GUID, w.sequence
	p.lifespan = int64(w.info.QoS.Lifespan)
	w.latch(p)
	w.spread(p)
	return nil
}

// spread queues p at every peer, unlocks the channel, notifies the peers and drops the
// sender's reference to p.
func (e *endpoint) spread(p *payload) {
	ch := e.ch
	peers := e.peers // join and leave never change the elements that are read here
	var grown uint64 // bit i: the queue of peer i has grown; peers are usually few
	for i, o := range peers {
		if o.enqueue(p) && i < 64 {
			grown |= 1 << i
		}
	}
	ch.drop(p)
	ch.mu.Unlock()
	for i, o := range peers {
		if (i >= 64 || grown>>i&1 == 1) && o.listener.Ready != nil {
			o.listener.Ready()
		}
	}
}

// Take implements Reader.
func (r *reader) Take(fn func(cdr []byte, info ros.MessageInfo)) int {
	ch := r.ch
	ch.mu.Lock()
	q, left := r.take()
	ch.mu.Unlock()
	if left < 0 {
		return left
	}
	p := q.p
	fn(p.data, ros.MessageInfo{Source: p.source, Received: q.received, Publisher: p.from, Sequence: p.sequence})
	ch.mu.Lock()
	ch.drop(p)
	ch.mu.Unlock()
	return left
}

// Send implements Requester.
func (c *requester) Send(cdr []byte) (int64, error) {
	ch := c.ch
	ch.mu.Lock()
	if c.closed {
		ch.mu.Unlock()
		return 0, fmt.Errorf("%s: %w", c.info.Name, ros.ErrClosed)
	}
	c.sequence++
	id := ros.RequestID{Client: c.info.GUID, Sequence: int64(c.sequence)}
	p := ch.hold(cdr)
	p.refs, p.request = 1, id
	c.spread(p)
	return id.Sequence, nil
}

// Take implements Requester.
func (c *requester) Take(fn func(cdr []byte, sequence int64)) int {
	return takeRequest(c.endpoint, func(cdr []byte, id ros.RequestID) { fn(cdr, id.Sequence) })
}

// Take implements Responder.
func (s *responder) Take(fn func(cdr []byte, id ros.RequestID)) int {
	return takeRequest(s.endpoint, fn)
}

func takeRequest(e *endpoint, fn func([]byte, ros.RequestID)) int {
	ch := e.ch
	ch.mu.Lock()
	q, left := e.take()
	ch.mu.Unlock()
	if left < 0 {
		return left
	}
	fn(q.p.data, q.p.request)
	ch.mu.Lock()
	ch.drop(q.p)
	ch.mu.Unlock()
	return left
}

// Reply implements Responder. If the client is gone, that is not an error.
func (s *responder) Reply(id ros.RequestID, cdr []byte) error {
	ch := s.ch
	ch.mu.Lock()
	if s.closed {
		ch.mu.Unlock()
		return fmt.Errorf("%s: %w", s.info.Name, ros.ErrClosed)
	}
	for _, o := range s.peers {
		if o.info.GUID != id.Client {
			continue
		}
		p := ch.hold(cdr)
		p.refs, p.request = 1, id
		grew := o.enqueue(p)
		ch.drop(p)
		ch.mu.Unlock()
		if grew && o.listener.Ready != nil {
			o.listener.Ready()
		}
		return nil
	}
	ch.mu.Unlock()
	return nil
}
