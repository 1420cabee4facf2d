// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import "time"

// sender is the one publisher whose messages a subscription takes.
type sender struct {
	publisher    GUID
	last, period int64  // when its newest message came, and how long after the one before, ns; last 0: none yet
	node         string // that it belongs to; "": unknown
	taken, bad   uint64 // its messages, and those of them that cannot be used
	looked       int64  // when the graph was asked last whether another one takes its place, ns
	others       uint64 // messages of others that were dropped
}

// silence is the time without a message after which another publisher of the same node takes the place of the first, if that is longer than
// three periods: the node may have been killed, and the graph not know it yet. look is the time between two questions to the graph.
const (
	silence = 3 * time.Second
	look    = time.Second
)

// takes reports whether a message is of that publisher, or of another one that takes its place because the first is gone. One that is only
// silent may continue, and another sensor be mounted elsewhere.
func (s *sender) takes(info *MessageInfo, there func() []EndpointInfo) bool {
	gap := info.Received - s.last
	if s.last == 0 || info.Publisher != s.publisher {
		if since := info.Received - s.looked; s.last != 0 && since >= 0 && since < int64(look) {
			s.others++
			return false
		}
		s.looked = info.Received
		node, gone := "", true
		for _, e := range there() {
			if e.GUID == info.Publisher {
				node = e.Node
			}
			gone = gone && e.GUID != s.publisher
		}
		silent := gap < 0 || gap >= max(int64(silence), 3*s.period)
		if s.last != 0 && !gone && (node != s.node || !silent) {
			s.others++
			return false
		}
		if s.last == 0 {
			gap = 0
		}
		*s = sender{publisher: info.Publisher, node: node, looked: s.looked, others: s.others}
	}
	s.taken++
	s.last, s.period = info.Received, gap
	return true
}

// OneSender makes the subscription drop the messages of other publishers than the first, while it is there. A transport that does not tell
// the publisher drops none.
func (s *Subscription) OneSender() { s.one = &sender{} }

// Disown says that the newest message cannot be used. If that is so of all messages of its publisher, another one takes its place.
func (s *Subscription) Disown() {
	if o := s.one; o != nil {
		if o.bad++; o.bad == o.taken {
			o.last = 0
		}
	}
}

// Chosen returns the node whose messages are taken while others send, too; "": none has sent, or the node is unknown.
func (s *Subscription) Chosen() string {
	if s.one == nil || s.one.others == 0 {
		return ""
	}
	return s.one.node
}
