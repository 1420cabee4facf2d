package ros

import (
	"errors"
)

// ErrClosed is what an endpoint returns after its transport or itself was
// closed.
var ErrClosed = errors.New("ros: closed")

// Transport moves CDR bytes between named, typed endpoints.
//
// Goroutines. A transport never runs a callback of a node. When something came
// in it calls [Listener.Ready], from whatever goroutine it likes; the layer
// above then takes on its executor. All methods of a transport and of its
// endpoints may be called from any goroutine, Take of one endpoint from one at
// a time. A transport calls a listener while holding none of its locks that
// its own methods need.
//
// Bytes. A message is CDR with its 4-byte encapsulation header. Bytes that are
// handed to a transport (Publish, Send, Reply) belong to the caller again when
// the call returns: the transport copies what it keeps. Bytes that a transport
// hands out (Take) belong to the transport and hold until fn returns: what the
// receiver keeps, it copies. Neither side writes into the other's bytes.
type Transport interface {
	// AddNode announces the node called by its full name ("/ns/name") in the
	// graph, and RemoveNode takes it away. Endpoints name the node they are of.
	AddNode(node string) error
	RemoveNode(node string) error
	// NewWriter and NewReader open the two ends of a topic.
	NewWriter(e Endpoint, l Listener) (Writer, error)
	NewReader(e Endpoint, l Listener) (Reader, error)
	// NewResponder and NewRequester open the two ends of a service; e.Type is
	// the service's type ("std_srvs/srv/Trigger").
	NewResponder(e Endpoint, l Listener) (Responder, error)
	NewRequester(e Endpoint, l Listener) (Requester, error)
	// Endpoints returns what is known of the topic or service called name,
	// own endpoints and others', in the order in which they appeared; of all
	// topics and services, in no order of theirs, when name is empty.
	Endpoints(name string) []EndpointInfo
	// Close closes every endpoint of this transport and waits until none of
	// its listeners is called any more. Closing again does nothing.
	Close() error
}

// Listener is told of what happens to an endpoint, on any goroutine. It must
// return at once: it posts to an executor and does nothing else. Nil functions
// are not called.
type Listener struct {
	// Ready: at least one message waits. It is called at least once after the
	// queue stopped being empty and at most once for each message that came.
	Ready func()
	// Trouble: an endpoint on the other side has the same name but cannot be
	// matched.
	Trouble func(Trouble)
	// Now is the time of the endpoint's node, for [MessageInfo.Received] and
	// for lifespans. Required of readers.
	Now func() int64
}

// Trouble is an endpoint that will never match, and why.
type Trouble struct {
	Local, Remote EndpointInfo
	Reasons       []string
}

// MessageInfo is what a subscription learns beside the message.
type MessageInfo struct {
	Source    int64  // when it was published, by the publisher's clock, ns
	Received  int64  // when it reached the subscription, by the subscription's clock, ns
	Publisher GUID   // of the publisher
	Sequence  uint64 // number of the message among the publisher's, from 1; 0 when not known
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

// Reader is the subscribing end of a topic. It holds a queue as deep as its QoS
// says; a message that comes to a full queue drops the oldest.
type Reader interface {
	// Take hands the oldest message that waits to fn and returns how many wait
	// still; a negative number, and fn not called, when none waited.
	Take(fn func(cdr []byte, info MessageInfo)) (left int)
	// Matched returns the number of publishers matched.
	Matched() int
	// Dropped returns how many messages a full queue or their lifespan lost.
	Dropped() uint64
	Info() EndpointInfo
	Close() error
}

// RequestID names a request for its reply. Servers hand it back as they got it.
type RequestID struct {
	Client   GUID
	Sequence int64
	Form     uint8 // how the transport must put the identity on the wire; its own business
}

// Responder is the answering end of a service.
type Responder interface {
	// Take hands the oldest request that waits to fn, as Reader.Take does.
	Take(fn func(cdr []byte, id RequestID)) (left int)
	// Reply answers a request, at any time after it was taken.
	Reply(id RequestID, cdr []byte) error
	Matched() int
	Dropped() uint64
	Info() EndpointInfo
	Close() error
}

// Requester is the asking end of a service.
type Requester interface {
	// Send sends a request and returns its number, which its reply carries.
	Send(cdr []byte) (sequence int64, err error)
	// Take hands the oldest reply that waits to fn, as Reader.Take does.
	Take(fn func(cdr []byte, sequence int64)) (left int)
	// Matched returns the number of servers matched.
	Matched() int
	Dropped() uint64
	Info() EndpointInfo
	Close() error
}
