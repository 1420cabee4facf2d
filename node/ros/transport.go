package ros

import "errors"

// ErrClosed is returned by an endpoint after it or its transport was closed.
var ErrClosed = errors.New("ros: closed")

// Transport moves CDR bytes between named, typed endpoints.
//
// Goroutines. A transport never runs a callback of a node. When a message arrives it calls
// [Listener.Ready], from any goroutine; the node then calls Take on its executor. All
// methods of a transport and of its endpoints may be called from any goroutine, Take of
// one endpoint from one goroutine at a time. A transport must not hold locks that its
// methods need while it calls a listener.
//
// Bytes. A message is CDR with its 4-byte encapsulation header. Bytes given to a transport
// (Publish, Send, Reply) belong to the caller again when the call returns: the transport
// copies what it keeps. Bytes given by a transport (Take) are valid until fn returns: the
// receiver copies what it keeps. Neither side changes the other's bytes.
type Transport interface {
	// AddNode announces the node with that full name ("/ns/name") in the graph, and
	// RemoveNode removes it.
	AddNode(node string) error
	RemoveNode(node string) error
	// NewWriter and NewReader open the two ends of a topic.
	NewWriter(e Endpoint, l Listener) (Writer, error)
	NewReader(e Endpoint, l Listener) (Reader, error)
	// NewResponder and NewRequester open the two ends of a service; e.Type is
	// the service's type ("std_srvs/srv/Trigger").
	NewResponder(e Endpoint, l Listener) (Responder, error)
	NewRequester(e Endpoint, l Listener) (Requester, error)
	// Endpoints returns the known endpoints of the topic or service with that full
	// name, in the order in which they appeared. If name is empty, it returns those of
	// all topics and services, in any order.
	Endpoints(name string) []EndpointInfo
	// Close closes all endpoints of this transport and waits until none of its
	// listeners is called any more. Closing again does nothing.
	Close() error
}

// Reporter is a Transport that reports what the user should know of its graph, such as
// participants that security keeps out.
type Reporter interface {
	// OnReport makes the transport call fn, from any goroutine, with each report from now on
	// and with those that nobody heard yet. message is constant and args are as for slog. fn
	// must return at once. A later fn replaces an earlier one.
	OnReport(fn func(message string, args ...any))
}

// Listener holds the functions that a transport calls for an endpoint, from any goroutine.
// They must return at once: they only post to an executor. Nil functions are not called.
type Listener struct {
	// Ready is called when messages wait: at least once after the queue was empty, and
	// at most once per message.
	Ready func()
	// Trouble is called if an endpoint on the other side has the same name but does
	// not match.
	Trouble func(Trouble)
	// Now returns the time of the endpoint's node, for [MessageInfo.Received] and for
	// lifespans. Readers need it.
	Now func() int64
}

// Trouble is an endpoint that cannot match, with the reasons.
type Trouble struct {
	Local, Remote EndpointInfo
	Reasons       []string
}

// MessageInfo is the information that a subscription gets with a message.
type MessageInfo struct {
	Source    int64 // time of publication, by the publisher's clock, ns
	Received  int64 // time of arrival, by the subscription's clock, ns
	Publisher GUID
	Sequence  uint64 // number of the publisher's message, from 1; 0 if unknown
}

// Writer is the publishing end of a topic.
type Writer interface {
	// Publish sends one message. stamp is its source time, ns.
	Publish(cdr []byte, stamp int64) error
	// Matched returns the number of subscriptions matched.
	Matched() int
	Info() EndpointInfo
	Close() error
}

// Reader is the subscribing end of a topic. Its QoS limits its queue; a message that
// arrives at a full queue drops the oldest.
type Reader interface {
	// Take calls fn with the oldest message and returns the number of messages left.
	// If there is no message, it does not call fn and returns a negative number.
	Take(fn func(cdr []byte, info MessageInfo)) (left int)
	// Matched returns the number of publishers matched.
	Matched() int
	// Dropped returns the number of messages lost to a full queue or their lifespan.
	Dropped() uint64
	Info() EndpointInfo
	Close() error
}

// RequestID identifies a request. Servers return it with the reply.
type RequestID struct {
	Client   GUID
	Sequence int64
	Form     uint8 // for the transport: the form of the identity in its messages
}

// Responder is the answering end of a service.
type Responder interface {
	// Take calls fn with the oldest request, as Reader.Take does.
	Take(fn func(cdr []byte, id RequestID)) (left int)
	// Reply answers a request at any time after Take.
	Reply(id RequestID, cdr []byte) error
	Matched() int
	Dropped() uint64
	Info() EndpointInfo
	Close() error
}

// Requester is the asking end of a service.
type Requester interface {
	// Send sends a request and returns its number, which the reply has too.
	Send(cdr []byte) (sequence int64, err error)
	// Take calls fn with the oldest reply, as Reader.Take does.
	Take(fn func(cdr []byte, sequence int64)) (left int)
	// Matched returns the number of servers matched.
	Matched() int
	Dropped() uint64
	Info() EndpointInfo
	Close() error
}
