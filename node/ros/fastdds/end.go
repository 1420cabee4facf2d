// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"errors"
	"slices"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ddsnames"
	"ugp_explorer/node/ros/internal/ends"
)

// end is the common part of every ROS endpoint.
type end struct {
	*ends.End
	t     *Transport
	ports []*port // the DDS endpoints; the last one stands for the endpoint in the graph
}

// Open implements ros.Transport. A participant cannot use a topic with two types: the second
// one is an error.
func (t *Transport) Open(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (ros.End, error) {
	x, err := ends.New(kind, e, l)
	if err != nil {
		return nil, err
	}
	own := &end{End: x, t: t}
	switch kind {
	case ros.ServerEnd:
		return t.newResponder(own)
	case ros.ClientEnd:
		return t.newRequester(own)
	}
	typ, err := ddsnames.Type(e.Type)
	if err != nil {
		return nil, err
	}
	p := &port{t: t, node: e.Node, name: e.Name, topic: ddsnames.Topic(e.Name), typ: typ, writer: kind == ros.PublisherEnd, userData: typeHash(e.TypeHash)}
	p.sample, p.ready = own.receive, l.Ready
	return own, own.open(p)
}

// open opens the DDS endpoints, in turn, and adds the endpoint to the graph.
func (e *end) open(ports ...*port) error {
	e.ports = ports
	for _, p := range ports {
		if err := p.open(e.Own.QoS); err != nil {
			return errors.Join(err, e.Close())
		}
	}
	last := ports[len(ports)-1]
	e.Own.GUID = last.guid
	t := e.t
	t.mu.Lock()
	t.graph.add(&known{info: e.Own, topic: last.topic, own: true})
	t.mu.Unlock()
	if err := t.announce(); err != nil {
		return errors.Join(err, e.Close())
	}
	return nil
}

// Close implements ros.End.
func (e *end) Close() error {
	e.Queue.Close()
	var err error
	for _, p := range slices.Backward(e.ports) {
		if cerr := p.close(); err == nil {
			err = cerr
		}
	}
	e.t.mu.Lock()
	e.t.graph.remove(e.Own.GUID)
	closed := e.t.closed
	e.t.mu.Unlock()
	if err != nil || closed {
		return err
	}
	if err := e.t.announce(); !errors.Is(err, ros.ErrClosed) {
		return err
	}
	return nil
}

// Matched implements ros.End.
func (e *end) Matched() int { return e.ports[len(e.ports)-1].Matched() }

// typeHash returns a RIHS01 hash in the form that endpoints announce in their user data. If
// it is not known, the list of fields is empty but the data are not: from Iron on,
// rmw_cyclonedds_cpp warns of each endpoint without user data.
func typeHash(hash string) string {
	if hash == "" {
		return ";"
	}
	return "typehash=" + hash + ";"
}

// Send implements ros.End for a publisher. With a lifespan, and with Fast DDS before 2.9, the
// library stamps the message with the system time instead; a lifespan counts from it.
func (e *end) Send(m ros.Message) (int64, error) {
	stamp := m.Info.Source
	if e.Own.QoS.Lifespan > 0 {
		stamp = -1
	}
	return e.ports[0].send(m.CDR, stamp, nil, 0)
}

// receive queues a message of a topic.
func (e *end) receive(s *sample) bool {
	now := e.Listener.Now()
	m := ends.Message{Message: ros.Message{CDR: s.data, Info: ros.MessageInfo{Source: s.source, Received: now, Publisher: s.writer}}}
	if span := e.t.lifespan(s.writer); span > 0 {
		m.Expires = now + int64(span)
	}
	return e.push(s, m)
}

// push queues m, whose bytes are those of s.
func (e *end) push(s *sample, m ends.Message) (grew bool) {
	m.Loan, s.loan = s.loan, nil
	return e.Push(m)
}

// lifespan returns the lifespan of a writer's messages. It counts from their arrival and not
// from their sending because the clocks of two machines differ.
func (t *Transport) lifespan(writer ros.GUID) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.graph.byGUID[writer]; k != nil {
		return k.info.QoS.Lifespan
	}
	return 0
}
