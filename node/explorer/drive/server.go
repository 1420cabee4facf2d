// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"slices"
	"time"

	"ugp_explorer/msgs/lifecycle_msgs"
	"ugp_explorer/node/ros"
)

const (
	// stateTimeout is the time in which a node must report its lifecycle state.
	stateTimeout = 5 * time.Second
	// mostSilent is the number of polls without an answer after which the state no longer
	// matters: the goals will show.
	mostSilent = 20
)

// server knows whether the node that serves the action accepts goals. Nav2's action is there when its node is configured, but rejects every
// goal until the node is active. A server whose node has no lifecycle is assumed to be active.
type server struct {
	node   *ros.Node
	client *ros.ActionClient

	ask    *ros.Client[lifecycle_msgs.GetStateRequest, lifecycle_msgs.GetStateResponse, *lifecycle_msgs.GetStateRequest, *lifecycle_msgs.GetStateResponse]
	of     string // full name of the node asked; empty: none
	asked  bool   // an answer is due
	polls  int    // since the action is served
	silent int    // polls since the last answer
	label  string // its state, as it calls it; empty: not known
	active bool
}

// why returns why the server does not accept goals, "" if it does or is not known.
func (s *server) why() string {
	switch {
	case s.of == "", s.active, s.silent > mostSilent:
		return ""
	case s.label == "":
		return s.of + ", which serves " + s.client.Name() + ", has not reported its lifecycle state yet"
	}
	return s.of + ", which serves " + s.client.Name() + ", is " + s.label + " and accepts goals only when it is active"
}

// poll asks for the state of the node that serves the action now.
func (s *server) poll() {
	if of := s.owner(); of != s.of {
		s.forget()
		s.of = of
	}
	s.polls++
	if s.of == "" {
		return
	}
	if s.ask == nil {
		ask, err := ros.NewClient[lifecycle_msgs.GetStateRequest, lifecycle_msgs.GetStateResponse](s.node, s.of+"/get_state")
		if err != nil { // the transport does not know the type
			s.active = true
			return
		}
		s.ask = ask
	}
	if s.silent++; s.asked || s.ask.Matched() == 0 {
		return
	}
	client := s.ask
	err := client.Call(&lifecycle_msgs.GetStateRequest{}, stateTimeout, func(r *lifecycle_msgs.GetStateResponse, err error) {
		if client != s.ask {
			return
		}
		s.asked = false
		if err == nil {
			s.silent = 0
			s.label, s.active = r.CurrentState.Label, r.CurrentState.ID == lifecycle_msgs.StatePrimaryStateActive
		}
	})
	s.asked = err == nil
}

// owner returns the full name of the node that serves the action and has a lifecycle; "" if
// there is none.
func (s *server) owner() string {
	for _, e := range s.node.Endpoints(s.client.Info().Name) {
		if e.Kind != ros.ServerEnd || e.Node == "" {
			continue
		}
		if slices.ContainsFunc(s.node.Endpoints(e.Node+"/get_state"), func(o ros.EndpointInfo) bool { return o.Kind == ros.ServerEnd }) {
			return e.Node
		}
	}
	return ""
}

// forget forgets the node.
func (s *server) forget() {
	if s.ask != nil {
		_ = s.ask.Close() // nothing is waited for
	}
	*s = server{node: s.node, client: s.client}
}
