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
	sequence uint64
	closed   bool
}

type (
	writer    struct{ *endpoint }
	reader    struct{ *endpoint }
	responder struct{ *endpoint }
	requester struct{ *endpoint }
)

func (e *endpoint) trouble(o *endpoint, why []string) func() {
	if e.Listener.Trouble == nil {
		return func() {}
	}
	tr := ros.Trouble{Local: e.Own, Remote: o.Own, Reasons: why}
	return func() { e.Listener.Trouble(tr) }
}

// send gives a message to the endpoints for which to returns true; nil means all.
func (e *endpoint) send(m ends.Message, cdr []byte, to func(*endpoint) bool) (sequence uint64, err error) {
	e.t.mu.Lock()
	if e.closed {
		e.t.mu.Unlock()
		return 0, fmt.Errorf("%s: %w", e.Own.Name, ros.ErrClosed)
	}
	e.sequence++
	sequence = e.sequence
	if e.Own.Kind == ros.PublisherEnd {
		m.Info.Sequence = sequence
		if e.Own.QoS.Durability == ros.TransientLocal {
			e.history.Push(m, cdr)
		}
	}
	if e.Own.Kind == ros.ClientEnd {
		m.ID.Sequence = int64(sequence)
	}
	peers := e.peers
	e.t.mu.Unlock()
	for _, o := range peers {
		if (to == nil || to(o)) && o.queue(m, cdr) {
			o.Ready()
		}
	}
	return sequence, nil
}

// queue queues a message that was sent to e, and reports whether to call ready.
func (e *endpoint) queue(m ends.Message, cdr []byte) bool {
	if e.Listener.Now != nil {
		m.Info.Received = e.Listener.Now()
	}
	return e.Push(m, cdr)
}

// Publish implements Writer.
func (w writer) Publish(cdr []byte, stamp int64) error {
	m := ends.Message{Info: ros.MessageInfo{Source: stamp, Publisher: w.Own.GUID}}
	if span := w.Own.QoS.Lifespan; span > 0 {
		m.Expires = stamp + int64(span)
	}
	_, err := w.send(m, cdr, nil)
	return err
}

// Take implements Reader.
func (r reader) Take(fn func(cdr []byte, info ros.MessageInfo)) int { return r.TakeMessage(fn) }

// Send implements Requester.
func (c requester) Send(cdr []byte) (int64, error) {
	sequence, err := c.send(ends.Message{ID: ros.RequestID{Client: c.Own.GUID}}, cdr, nil)
	return int64(sequence), err
}

// Take implements Requester.
func (c requester) Take(fn func(cdr []byte, sequence int64)) int { return c.TakeReply(fn) }

// Take implements Responder.
func (s responder) Take(fn func(cdr []byte, id ros.RequestID)) int { return s.TakeRequest(fn) }

// Reply implements Responder. If the client is gone, that is not an error.
func (s responder) Reply(id ros.RequestID, cdr []byte) error {
	_, err := s.send(ends.Message{ID: id}, cdr, func(o *endpoint) bool { return o.Own.GUID == id.Client })
	return err
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
