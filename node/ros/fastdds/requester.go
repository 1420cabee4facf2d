//go:build fastdds

package fastdds

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

// requester is the client of a service. It sends each request in the form that the present
// servers understand.
type requester struct {
	*end
	requests, replies *port
	id                [8]byte // number of the client in the Cyclone form, little endian

	mu   sync.Mutex
	last int64 // number of the last request
	buf  []byte
}

// cycloneGrace is the time after its match until a server on Cyclone DDS is ready for a
// first request. Before that it treats requests as history.
const cycloneGrace = 300 * time.Millisecond

var _ ros.Requester = (*requester)(nil)

// NewRequester implements ros.Transport.
func (t *Transport) NewRequester(e ros.Endpoint, l ros.Listener) (ros.Requester, error) {
	x, err := t.newEnd(ros.ClientEnd, e, l)
	if err != nil {
		return nil, err
	}
	requests, replies, err := t.servicePorts(e, false)
	if err != nil {
		return nil, err
	}
	c := &requester{end: x, requests: requests, replies: replies}
	// The number must be unique among clients; zero stands for no client.
	binary.LittleEndian.PutUint64(c.id[:], rand.Uint64()|1)
	replies.sample, replies.ready = c.receive, l.Ready
	userData := "clientid=" + t.serviceID() + ";"
	if err := replies.open(e.QoS, userData+serviceHashes(e.Type, "_Response")); err != nil {
		return nil, err
	}
	if err := requests.open(e.QoS, userData+serviceHashes(e.Type, "_Request")); err != nil {
		return nil, closeAfter(err, c)
	}
	if err := x.join(requests); err != nil {
		return nil, closeAfter(err, c)
	}
	return c, nil
}

// receive queues a reply to one of c's requests. Replies to other clients arrive here too.
func (c *requester) receive(in *sample) bool {
	if c.t.isCyclone(in.writer) {
		cdr, client, sequence, form, ok := cutCyclone(in.data)
		if ok && form == formCycloneBig {
			client = reversed(client)
		}
		if !ok || client != c.id {
			return false
		}
		return c.Push(ends.Message{ID: ros.RequestID{Sequence: sequence}}, cdr)
	}
	if in.related != c.replies.guid && in.related != c.requests.guid {
		return false
	}
	return c.Push(ends.Message{ID: ros.RequestID{Sequence: in.relatedSequence}}, in.data)
}

func reversed(b [8]byte) [8]byte {
	var r [8]byte
	binary.BigEndian.PutUint64(r[:], binary.LittleEndian.Uint64(b[:]))
	return r
}

// servers returns the number of servers of each form that can receive a request: both of
// their endpoints are matched.
func (c *requester) servers() (fast, cyclone int) {
	writers := c.replies.since()
	now := time.Now()
	c.requests.mu.Lock()
	defer c.requests.mu.Unlock()
	for reader, at := range c.requests.peers {
		replies, ok := writers[prefixOf(reader)]
		switch {
		case !ok:
		case !c.t.isCyclone(reader):
			fast++
		case now.Sub(at) >= cycloneGrace && now.Sub(replies) >= cycloneGrace:
			cyclone++
		}
	}
	return fast, cyclone
}

// Matched implements ros.Requester.
func (c *requester) Matched() int {
	fast, cyclone := c.servers()
	return fast + cyclone
}

// Send implements ros.Requester. If servers of both forms have the same name, it uses the
// form of rmw_fastrtps, which the others cannot read. Without a server the request is lost.
func (c *requester) Send(cdr []byte) (int64, error) {
	fast, cyclone := c.servers()
	c.mu.Lock()
	defer c.mu.Unlock()
	if fast == 0 && cyclone > 0 {
		if len(cdr) < headerSize {
			return 0, fmt.Errorf("ros/fastdds: %s: %d bytes are not a message", c.Own.Name, len(cdr))
		}
		// The number is the sample's sequence number, so it is unique among requests of both
		// forms.
		number := c.last + 1
		c.buf = appendCyclone(c.buf[:0], cdr, c.id, number, formCycloneLittle)
		sent, err := c.requests.send(c.buf, -1, nil, 0)
		if err != nil {
			return 0, err
		}
		c.last = max(number, sent)
		return number, nil
	}
	sent, err := c.requests.send(cdr, -1, &c.replies.guid, 0)
	if err != nil {
		return 0, err
	}
	c.last = max(c.last, sent)
	return sent, nil
}

// Take implements ros.Requester.
func (c *requester) Take(fn func(cdr []byte, sequence int64)) int {
	return c.TakeReply(fn)
}

// Close implements ros.Requester.
func (c *requester) Close() error { return c.leave(c.requests, c.replies) }
