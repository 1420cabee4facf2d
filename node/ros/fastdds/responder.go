// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

// responder is the server of a service. It answers each request in the form of the request.
type responder struct {
	*end
	replies *port

	sending  sync.Mutex // guards the fields below
	closed   bool
	last     uint64
	clients  map[uint64]*client // clients on Cyclone DDS, by the number in their requests
	byWriter map[ros.GUID]uint64
	late     []lateReply
	buf      []byte
}

// client is a client that uses rmw_cyclonedds' form.
type client struct {
	writer ros.GUID
	primed bool
}

// lateReply is a reply that waits for its client's reader.
type lateReply struct {
	id    ros.RequestID
	cdr   []byte
	until time.Time
}

const (
	// replyPatience is the longest time that a reply waits for the match with the client's
	// reader: a request often arrives before it.
	replyPatience = 100 * time.Millisecond
	// lateLimit is the largest number of waiting replies.
	lateLimit = 1000
	// clientLimit is the largest number of remembered Cyclone clients; the oldest is
	// dropped first.
	clientLimit = 4096
)

var _ ros.End = (*responder)(nil)

func (t *Transport) newResponder(x *end) (ros.End, error) {
	requests, replies, err := x.servicePorts("serviceid")
	if err != nil {
		return nil, err
	}
	s := &responder{end: x, replies: replies, clients: map[uint64]*client{}, byWriter: map[ros.GUID]uint64{}}
	requests.sample, requests.ready, requests.changed = s.receive, x.Listener.Ready, s.forget
	replies.changed = func(ros.GUID, bool) { s.flush() }
	return s, x.open(replies, requests)
}

// receive queues a request with the identity for its reply.
func (s *responder) receive(in *sample) bool {
	if !s.t.isCyclone(in.writer) {
		// rmw_fastrtps relates a request to the reader of its replies.
		id := ros.RequestID{Client: in.related, Sequence: in.sequence, Form: formFast}
		if in.related == (ros.GUID{}) {
			id.Client = in.writer
		}
		return s.push(in, ends.Message{Message: ros.Message{CDR: in.data, ID: id}})
	}
	cdr, number, sequence, form, ok := cutCyclone(in.data)
	if !ok {
		s.Drop()
		return false
	}
	id := ros.RequestID{Sequence: sequence, Form: form}
	copy(id.Client[:8], number[:])
	binary.BigEndian.PutUint64(id.Client[8:], s.remember(in.writer))
	return s.push(in, ends.Message{Message: ros.Message{CDR: cdr, ID: id}})
}

// remember stores a Cyclone client and returns its number.
func (s *responder) remember(writer ros.GUID) uint64 {
	s.sending.Lock()
	defer s.sending.Unlock()
	if n, ok := s.byWriter[writer]; ok {
		return n
	}
	s.last++
	s.byWriter[writer], s.clients[s.last] = s.last, &client{writer: writer}
	if old := s.last - clientLimit; s.last > clientLimit {
		if c := s.clients[old]; c != nil {
			delete(s.byWriter, c.writer)
			delete(s.clients, old)
		}
	}
	return s.last
}

// forget removes a client that is gone.
func (s *responder) forget(writer ros.GUID, gained bool) {
	if gained {
		return
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	if n, ok := s.byWriter[writer]; ok {
		delete(s.byWriter, writer)
		delete(s.clients, n)
	}
}

// Send implements ros.End: it replies. It does not block: a reply whose client's reader is not
// matched yet waits in a queue for at most a tenth of a second. A client that is gone by then
// is not an error.
func (s *responder) Send(m ros.Message) (int64, error) {
	id, cdr := m.ID, m.CDR
	if len(cdr) < headerSize {
		return 0, fmt.Errorf("ros/fastdds: %s: %d bytes are not a message", s.Own.Name, len(cdr))
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.closed {
		return 0, fmt.Errorf("%s: %w", s.Own.Name, ros.ErrClosed)
	}
	c, gone := s.client(id)
	if gone {
		return 0, nil
	}
	if s.arrived(id, c) {
		return 0, s.write(id, c, cdr)
	}
	if len(s.late) == lateLimit {
		s.late = slices.Delete(s.late, 0, 1)
		s.Drop()
	}
	s.late = append(s.late, lateReply{id: id, cdr: bytes.Clone(cdr), until: time.Now().Add(replyPatience)})
	time.AfterFunc(replyPatience, s.flush)
	return 0, nil
}

// client returns the Cyclone client of a request; nil for other requests.
func (s *responder) client(id ros.RequestID) (c *client, gone bool) {
	if id.Form == formFast {
		return nil, false
	}
	c = s.clients[binary.BigEndian.Uint64(id.Client[8:])]
	return c, c == nil
}

// arrived reports whether a reply would reach the client.
func (s *responder) arrived(id ros.RequestID, c *client) bool {
	if c != nil {
		return s.replies.hasPeer(c.writer)
	}
	return s.replies.hasPeer(id.Client)
}

// write sends a reply. s.sending is held.
func (s *responder) write(id ros.RequestID, c *client, cdr []byte) error {
	if c == nil {
		_, err := s.replies.send(cdr, -1, &id.Client, id.Sequence)
		return err
	}
	if !c.primed {
		// A Cyclone reader that has seen no heartbeat from us treats the first sample as
		// history and drops it. So the first one is addressed to client 0, which does not exist.
		s.buf = appendCyclone(s.buf[:0], cdr, [8]byte{}, 0, id.Form)
		if _, err := s.replies.send(s.buf, -1, nil, 0); err != nil {
			return err
		}
		c.primed = true
	}
	s.buf = appendCyclone(s.buf[:0], cdr, [8]byte(id.Client[:8]), id.Sequence, id.Form)
	_, err := s.replies.send(s.buf, -1, nil, 0)
	return err
}

// flush sends the replies whose clients' readers are matched or whose wait is over, and drops
// those of clients that are gone.
func (s *responder) flush() {
	s.sending.Lock()
	defer s.sending.Unlock()
	now := time.Now()
	s.late = slices.DeleteFunc(s.late, func(l lateReply) bool {
		c, gone := s.client(l.id)
		switch {
		case s.closed || gone:
			return true
		case !s.arrived(l.id, c) && now.Before(l.until):
			return false
		}
		if s.write(l.id, c, l.cdr) != nil {
			s.Drop()
		}
		return true
	})
}

// Close implements ros.End.
func (s *responder) Close() error {
	s.sending.Lock()
	s.closed, s.late = true, nil
	s.sending.Unlock()
	return s.end.Close()
}
