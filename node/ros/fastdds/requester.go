// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
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

var _ ros.End = (*requester)(nil)

func (t *Transport) newRequester(x *end) (ros.End, error) {
	requests, replies, err := x.servicePorts("clientid")
	if err != nil {
		return nil, err
	}
	c := &requester{end: x, requests: requests, replies: replies}
	// The number must be unique among clients; zero stands for no client.
	binary.LittleEndian.PutUint64(c.id[:], rand.Uint64()|1)
	replies.sample, replies.ready = c.receive, x.Listener.Ready
	return c, x.open(replies, requests)
}

// receive queues a reply to one of c's requests. Replies to other clients arrive here too.
func (c *requester) receive(in *sample) bool {
	if c.t.isCyclone(in.writer) {
		cdr, client, sequence, form, ok := cutCyclone(in.data)
		if ok && form == formCycloneBig {
			slices.Reverse(client[:])
		}
		if !ok || client != c.id {
			return false
		}
		return c.reply(in, sequence, cdr)
	}
	if in.related != c.replies.guid && in.related != c.requests.guid {
		return false
	}
	return c.reply(in, in.relatedSequence, in.data)
}

func (c *requester) reply(in *sample, sequence int64, cdr []byte) bool {
	return c.push(in, ends.Message{Message: ros.Message{CDR: cdr, ID: ros.RequestID{Sequence: sequence}}})
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

// Matched implements ros.End.
func (c *requester) Matched() int {
	fast, cyclone := c.servers()
	return fast + cyclone
}

// Send implements ros.End. If servers of both forms have the same name, it uses the
// form of rmw_fastrtps, which the others cannot read. Without a server the request is lost.
func (c *requester) Send(m ros.Message) (int64, error) {
	fast, cyclone := c.servers()
	c.mu.Lock()
	defer c.mu.Unlock()
	if fast == 0 && cyclone > 0 {
		if len(m.CDR) < headerSize {
			return 0, fmt.Errorf("ros/fastdds: %s: %d bytes are not a message", c.Own.Name, len(m.CDR))
		}
		// The number is the sample's sequence number, so it is unique among requests of both
		// forms.
		number := c.last + 1
		c.buf = appendCyclone(c.buf[:0], m.CDR, c.id, number, formCycloneLittle)
		sent, err := c.requests.send(c.buf, -1, nil, 0)
		if err != nil {
			return 0, err
		}
		c.last = max(number, sent)
		return number, nil
	}
	sent, err := c.requests.send(m.CDR, -1, &c.replies.guid, 0)
	if err != nil {
		return 0, err
	}
	c.last = max(c.last, sent)
	return sent, nil
}
