// Package ends has what the endpoints of all transports share: their description, and the
// queue in which received messages wait until the node takes them.
package ends

import (
	"fmt"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/names"
)

// End is the common part of an endpoint.
type End struct {
	Queue
	Own      ros.EndpointInfo
	Listener ros.Listener
}

// New returns the common part of an endpoint, or an error if its name, type or QoS is not valid.
func New(kind ros.EndpointKind, e ros.Endpoint, l ros.Listener) (*End, error) {
	if kind == ros.SubscriptionEnd && l.Now == nil {
		panic("ros: a reader's Listener needs Now")
	}
	if err := names.ValidateFull(e.Name); err != nil {
		return nil, err
	}
	if err := e.QoS.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	if e.Type == "" {
		return nil, fmt.Errorf("ros: %s: no type name", e.Name)
	}
	return &End{Queue: Queue{Limit: e.QoS.Depth}, Own: ros.EndpointInfo{Endpoint: e, Kind: kind}, Listener: l}, nil
}

// Info implements every endpoint's Info.
func (e *End) Info() ros.EndpointInfo { return e.Own }

// Ready tells the node that another message is queued.
func (e *End) Ready() {
	if e.Listener.Ready != nil {
		e.Listener.Ready()
	}
}

// TakeMessage implements Reader.Take.
func (e *End) TakeMessage(fn func(cdr []byte, info ros.MessageInfo)) int {
	return e.Queue.Take(e.Listener.Now, func(m Message) { fn(m.Data, m.Info) })
}

// TakeRequest implements Responder.Take.
func (e *End) TakeRequest(fn func(cdr []byte, id ros.RequestID)) int {
	return e.Queue.Take(nil, func(m Message) { fn(m.Data, m.ID) })
}

// TakeReply implements Requester.Take.
func (e *End) TakeReply(fn func(cdr []byte, sequence int64)) int {
	return e.Queue.Take(nil, func(m Message) { fn(m.Data, m.ID.Sequence) })
}
