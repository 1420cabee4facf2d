// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"ugp_explorer/msgs/action_msgs"
)

// staleGoal is the goal of an earlier run that was killed. The robot may still drive to it, so
// it is canceled as soon as there is a server.
type staleGoal struct {
	id    [16]byte
	there bool    // it may still be under way
	asked bool    // the server was asked to cancel it and has not answered
	spent float64 // time with a server, s
}

// cancel lets a period pass, s, and asks the server to cancel the goal.
func (r *staleGoal) cancel(n *navigator, period float64) {
	if !r.there {
		return
	}
	if n.client.Matched() > 0 {
		r.spent += period
	}
	if r.asked {
		return
	}
	log := n.node.Logger()
	err := n.client.CancelID(r.id, func(code int8, err error) {
		r.asked = false
		switch {
		case err != nil:
			n.warn.Warn("Nav2 does not answer the request to cancel the goal of the previous run: the robot may drive there; cancel the goal in Nav2", "action", n.client.Name(), "error", err.Error())
		case code == action_msgs.CancelGoalResponseErrorRejected:
			n.warn.Warn("Nav2 refuses to cancel the goal of the previous run: the robot drives there; cancel the goal in Nav2", "action", n.client.Name())
		case code == action_msgs.CancelGoalResponseErrorNone:
			r.there = false
			log.Warn("the goal of the previous run was still active and is canceled", "action", n.client.Name())
		default: // it has ended, or the server is another one
			r.there = false
		}
		if !r.there {
			n.advance()
		}
	})
	r.asked = err == nil
}
