// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
)

// MessagePtr is the pointer to a message type M with a codec. Callers of generic functions
// give only M, as in Advertise[nav_msgs.Odometry](n, "odom", ros.DefaultQoS()).
type MessagePtr[M any] interface {
	*M
	cdr.Message
}

// Publisher publishes messages of one type on one topic. It may be used only from
// callbacks of its node.
type Publisher[M any, PM MessagePtr[M]] struct {
	*RawPublisher
	node *Node
	buf  []byte
}

// Advertise opens a publisher. topic is expanded and remapped.
func Advertise[M any, PM MessagePtr[M]](n *Node, topic string, q QoS) (*Publisher[M, PM], error) {
	m := PM(new(M))
	p, err := AdvertiseRaw(n, topic, m.TypeName(), msgs.TypeHash(m.TypeName()), q)
	if err != nil {
		return nil, err
	}
	return &Publisher[M, PM]{RawPublisher: p, node: n}, nil
}

// Publish sends m with the node's time as its source time. The caller may change m
// afterwards.
func (p *Publisher[M, PM]) Publish(m *M) error {
	p.buf = PM(m).AppendCDR(p.buf[:0])
	return p.RawPublisher.Publish(p.buf, p.node.ex.Now())
}

// RawPublisher publishes messages as CDR bytes.
type RawPublisher struct {
	opened
	tap *tap
}

// AdvertiseRaw opens a publisher for messages of the ROS type typ. hash is its RIHS01
// hash, or "" if unknown.
func AdvertiseRaw(n *Node, topic, typ, hash string, q QoS) (*RawPublisher, error) {
	p := &RawPublisher{tap: n.tap}
	if err := n.open(&p.opened, PublisherEnd, topic, typ, hash, q, nil); err != nil {
		return nil, err
	}
	n.endpoints = append(n.endpoints, p)
	return p, nil
}

// Publish sends cdr, which includes the encapsulation header, with the source time stamp,
// ns. The caller may change the bytes afterwards.
func (p *RawPublisher) Publish(cdr []byte, stamp int64) error {
	p.tap.tell(&p.info, cdr, stamp)
	_, err := p.end.Send(Message{CDR: cdr, Info: MessageInfo{Source: stamp}})
	return err
}

// opened is an end that a node has opened.
type opened struct {
	end  End
	info EndpointInfo
}

// open opens an end of this node. name is expanded and remapped.
func (n *Node) open(o *opened, kind EndpointKind, name, typ, hash string, q QoS, ready func()) (err error) {
	if name, err = n.Resolve(name); err != nil {
		return err
	}
	if o.end, err = n.tr.Open(kind, Endpoint{Node: n.full, Name: name, Type: typ, TypeHash: hash, QoS: q}, Listener{Ready: ready, Now: n.Now}); err != nil {
		return err
	}
	o.info = o.end.Info()
	return nil
}

// Name returns the full name of the topic or the service.
func (o *opened) Name() string { return o.info.Name }

// Info returns the end as the graph shows it.
func (o *opened) Info() EndpointInfo { return o.info }

// Matched returns the number of ends matched on the other side. Without one, messages reach
// nobody and calls are not answered.
func (o *opened) Matched() int { return o.end.Matched() }

// Close removes the end and its latched messages from the graph. The node's Close does the
// same.
func (o *opened) Close() error { return o.end.Close() }
