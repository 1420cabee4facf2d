// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import "ugp_explorer/msgs"

// Subscription receives the messages of a topic.
type Subscription struct{ *delivery }

// Subscribe calls fn with each message of the topic, whose name is expanded and remapped.
// The message is reused for the next one: fn must copy what it keeps, including slices. A
// message that cannot be decoded is dropped, counted and logged.
func Subscribe[M any, PM MessagePtr[M]](n *Node, topic string, q QoS, fn func(*M, MessageInfo)) (*Subscription, error) {
	m := PM(new(M))
	var s *Subscription
	s, err := SubscribeRaw(n, topic, m.TypeName(), msgs.TypeHash(m.TypeName()), q, func(cdr []byte, info MessageInfo) {
		if err := m.UnmarshalCDR(cdr); err != nil {
			s.malformed(cdr, err)
			return
		}
		fn((*M)(m), info)
	})
	return s, err
}

// SubscribeRaw is Subscribe for messages of the ROS type typ as CDR bytes, which are
// valid until fn returns.
func SubscribeRaw(n *Node, topic, typ, hash string, q QoS, fn func(cdr []byte, info MessageInfo)) (*Subscription, error) {
	var d *delivery
	d, err := n.receive(SubscriptionEnd, topic, typ, hash, q, func(m Message) {
		if d.one != nil && !d.one.takes(&m.Info, func() []EndpointInfo { return n.Endpoints(d.info.Name) }) {
			return
		}
		n.tap.tell(&d.info, m.CDR, m.Info.Source)
		fn(m.CDR, m.Info)
	})
	if err != nil {
		return nil, err
	}
	return &Subscription{d}, nil
}

// Received returns the number of messages that the node took, including malformed ones.
func (s *Subscription) Received() uint64 { return s.taken }
