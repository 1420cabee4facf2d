// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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

// Take implements every endpoint's Take.
func (e *End) Take(fn func(ros.Message)) int {
	return e.Queue.Take(e.Listener.Now, func(m Message) { fn(m.Message) })
}
