// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import "time"

// retained is a second subscription of a topic that fetches the messages which latched
// publishers keep.
type retained struct {
	node  *Node
	topic string // full name
	typ   string
	open  func() (*Subscription, error)

	sub   *Subscription // nil: nothing is being fetched
	looks int           // since it was opened
	known map[GUID]bool // publishers whose message was asked for
}

const (
	// retainedPeriod is the time between two looks for new latched publishers.
	retainedPeriod = time.Second
	// retainedLooks is the number of looks for which a message is waited for: matching
	// takes a second or two. Later messages come to the first subscription.
	retainedLooks = 5
)

// SubscribeRetained is Subscribe with a volatile quality of service q, which matches every
// publisher, that gets the messages too that latched publishers have sent before. A
// transient-local subscription alone would not match volatile publishers. fn may be called
// twice with a message.
func SubscribeRetained[M any, PM MessagePtr[M]](n *Node, topic string, q QoS, fn func(*M, MessageInfo)) (*Subscription, error) {
	s, err := Subscribe[M, PM](n, topic, q, fn)
	if err != nil {
		return nil, err
	}
	r := &retained{node: n, topic: s.Name(), typ: s.Info().Type, known: map[GUID]bool{}, open: func() (*Subscription, error) {
		return Subscribe[M, PM](n, topic, Latched(), fn)
	}}
	r.look()
	_, err = n.NewTimer(retainedPeriod, r.look)
	return s, err
}

func (r *retained) look() {
	if r.sub != nil {
		if r.looks++; r.looks >= retainedLooks {
			if err := r.sub.Close(); err != nil {
				r.node.log.Warn("a subscription was not closed", "topic", r.topic, "error", err.Error())
			}
			r.sub = nil
		}
		return
	}
	before := len(r.known)
	for _, e := range r.node.Endpoints(r.topic) {
		if e.Kind == PublisherEnd && e.Type == r.typ && e.QoS.TransientLocal && !r.known[e.GUID] {
			r.known[e.GUID] = true
		}
	}
	if len(r.known) == before {
		return
	}
	sub, err := r.open()
	if err != nil {
		r.node.log.Warn("the message that a latched publisher keeps cannot be fetched", "topic", r.topic, "error", err.Error())
		return
	}
	r.sub, r.looks = sub, 0
}
