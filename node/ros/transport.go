// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"errors"
	"time"
)

// ErrClosed is returned by an endpoint after it or its transport was closed.
var ErrClosed = errors.New("ros: closed")

// Transport moves CDR bytes between named, typed endpoints.
//
// Goroutines. A transport never runs a callback of a node. When a message arrives it calls
// [Listener.Ready], from any goroutine; the node then calls Take on its executor. All
// methods of a transport and of its endpoints may be called from any goroutine, Take of
// one endpoint from one goroutine at a time. A transport must not hold locks that its
// methods need while it calls a listener. An executor sleeps in a transport that is an
// [exec.Source].
//
// Bytes. A message is CDR with its 4-byte encapsulation header. Bytes given to a transport
// (Send) belong to the caller again when the call returns: the transport copies what it keeps.
// Bytes given by a transport (Take) are valid until fn returns: the receiver copies what it
// keeps. Neither side changes the other's bytes.
type Transport interface {
	// AddNode announces the node with that full name ("/ns/name") in the graph, and
	// RemoveNode removes it.
	AddNode(node string) error
	RemoveNode(node string) error
	// Open opens an end of a topic or of a service. e.Type of a service is its own type
	// ("std_srvs/srv/Trigger").
	Open(kind EndpointKind, e Endpoint, l Listener) (End, error)
	// Endpoints returns the known endpoints of the topic or service with that full
	// name, in the order in which they appeared. If name is empty, it returns those of
	// all topics and services, in any order.
	Endpoints(name string) []EndpointInfo
	// Close closes all endpoints of this transport and waits until none of its
	// listeners is called any more. Closing again does nothing.
	Close() error
}

// Reporter is a Transport that reports what the user should know about its graph, such as
// participants that security keeps out.
type Reporter interface {
	// OnReport makes the transport call fn, from any goroutine, with each later report and with
	// those that have not been passed on yet. message is constant and args are as for slog. fn must
	// return at once. A later fn replaces an earlier one.
	OnReport(fn func(message string, args ...any))
}

// Searcher is a Transport that finds the present participants of its graph one after the other.
type Searcher interface {
	// Since returns the wall time at which it joined the graph.
	Since() time.Time
}

// searchTime is the time in which the present participants of a graph are found: a tenth of a second on one machine, seconds over
// a wireless network that loses packets.
const searchTime = 3 * time.Second

// Settled reports whether participants that were in the graph before this node have had time to be found.
func (n *Node) Settled() bool {
	s, searches := n.tr.(Searcher)
	return !searches || time.Since(s.Since()) >= searchTime
}

// Listener holds the functions that a transport calls for an endpoint, from any goroutine.
// They must return at once: they only post to an executor. Nil functions are not called.
type Listener struct {
	// Ready is called when messages wait: at least once after the queue was empty, and
	// at most once per message.
	Ready func()
	// Now returns the time of the endpoint's node, for [MessageInfo.Received] and for
	// lifespans. Readers need it.
	Now func() int64
}

// MessageInfo is the information that a subscription gets with a message.
type MessageInfo struct {
	Source    int64 // time of publication, by the publisher's clock, ns
	Received  int64 // time of arrival, by the subscription's clock, ns
	Publisher GUID
}

// RequestID identifies a request. Servers return it with the reply.
type RequestID struct {
	Client   GUID
	Sequence int64
	Form     uint8 // for the transport: the form of the identity in its messages
}

// Message is a message of a topic, a request, or a reply.
type Message struct {
	CDR  []byte
	Info MessageInfo // of a topic's message
	ID   RequestID   // of a request; a reply that a client takes has its Sequence
}

// End is an end of a topic or of a service. Its QoS limits its queue; a message that arrives at
// a full queue drops the oldest.
type End interface {
	// Send sends a message with its Info.Source, a request, or at any time after Take the reply
	// to the request with that ID. It returns the number of a request, which the reply has too.
	Send(m Message) (sequence int64, err error)
	// Take calls fn with the oldest message and returns the number of messages left.
	// If there is no message, it does not call fn and returns a negative number.
	Take(fn func(Message)) (left int)
	// Matched returns the number of ends matched on the other side.
	Matched() int
	// Dropped returns the number of messages lost to a full queue or their lifespan.
	Dropped() uint64
	Info() EndpointInfo
	Close() error
}
