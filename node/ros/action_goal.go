// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"errors"
	"fmt"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/msgs/unique_identifier_msgs"
)

// Outcome is the way in which a goal has ended.
type Outcome uint8

const (
	GoalRejected  Outcome = iota // by the server
	GoalSucceeded                // according to the server
	GoalCanceled
	GoalAborted // by the server, for its own reasons or for another goal
	GoalLost    // the server did not answer or does not know the goal
)

func (o Outcome) String() string {
	return [...]string{"rejected", "succeeded", "canceled", "aborted", "lost"}[o]
}

// GoalHandlers are the callbacks for the progress of a goal. Each may be nil.
type GoalHandlers struct {
	Accepted func()
	Feedback func(*nav2_msgs.NavigateToPoseFeedback) // the message is reused for the next one
	Done     func(Outcome)                           // called once, unless the client is closed first
}

// Goal is a goal that was sent.
type Goal struct {
	// Result is set when the goal has succeeded, or was canceled or aborted.
	Result nav2_msgs.AnyNavigateToPoseResult

	id         unique_identifier_msgs.UUID
	handlers   GoalHandlers
	feedback   nav2_msgs.NavigateToPoseFeedback
	cancelGoal func(*Goal)
	accepted   bool
	over       bool // ended for this client
	canceling  bool // Cancel was called
	asked      bool // the server was asked to cancel it and has not refused
	ended      bool // according to the status topic
	outcome    Outcome
	overdue    bool // ended was set at the last check already
}

// Over reports whether the goal has ended.
func (g *Goal) Over() bool { return g.over }

// Cancel asks the server to cancel the goal and repeats that until the goal has ended,
// because a robot may be driving to it.
func (g *Goal) Cancel() {
	if !g.over && !g.canceling {
		g.canceling = true
		g.cancelGoal(g)
	}
}

func (c *ActionClient) cancelGoal(g *Goal) {
	g.asked = true
	known := g.accepted // otherwise the server may get this request before the goal
	err := c.cancelID(g.id, func(code int8, err error) {
		switch {
		case g.over || errors.Is(err, ErrClosed):
		case err != nil:
			g.asked = false
			c.cancel.quiet.Warn("the server does not answer the request to cancel a goal: the goal may continue", "action", c.name, "error", err.Error())
		case code == action_msgs.CancelGoalResponseErrorRejected:
			g.asked = false
			c.cancel.quiet.Warn("the server refuses to cancel a goal: the goal continues", "action", c.name)
		case code == action_msgs.CancelGoalResponseErrorUnknownGoalID && known:
			c.finish(g, GoalLost, nil)
		}
	})
	if err != nil {
		g.asked = false
	}
}

// ID returns the goal's id, by which a later client can cancel it: see CancelID.
func (g *Goal) ID() [16]byte { return g.id.Uuid }

// CancelID asks the server to cancel the goal with an id that another client has sent, such
// as an earlier run of the same program. done is called once, with the return code of
// action_msgs/srv/CancelGoal, or with an error if the server does not answer. If CancelID
// returns an error, done is not called.
func (c *ActionClient) CancelID(id [16]byte, done func(code int8, err error)) error {
	if c.Matched() == 0 {
		return fmt.Errorf("%s: %w", c.name, ErrNoServer)
	}
	return c.cancelID(unique_identifier_msgs.UUID{Uuid: id}, done)
}

func (c *ActionClient) cancelID(id unique_identifier_msgs.UUID, done func(code int8, err error)) error {
	req := action_msgs.CancelGoalRequest{GoalInfo: action_msgs.GoalInfo{GoalID: id}}
	c.buf = req.AppendCDR(c.buf[:0])
	return c.cancel.call(c.buf, goalTimeout, func(reply []byte, err error) {
		var res action_msgs.CancelGoalResponse
		if err == nil {
			if err = res.UnmarshalCDR(reply); err != nil {
				c.cancel.malformed(reply, err)
			}
		}
		done(res.ReturnCode, err)
	})
}
