// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/msgs/unique_identifier_msgs"
)

const (
	// goalTimeout is the time in which a server must accept or reject a goal, or answer
	// a request to cancel it.
	goalTimeout = 10 * time.Second
	// goalPeriod is the time between two checks of a client's goals.
	goalPeriod = time.Second
)

// ActionClient sends goals to the servers of Nav2's action NavigateToPose, and receives feedback
// and results. It may be used only from callbacks of its node.
//
// An action NAME of the type T is three services, NAME/_action/send_goal of the
// type T_SendGoal, NAME/_action/get_result of T_GetResult and
// NAME/_action/cancel_goal of action_msgs/srv/CancelGoal, and two topics,
// NAME/_action/feedback of T_FeedbackMessage and NAME/_action/status of
// action_msgs/msg/GoalStatusArray, which is latched. They are opened without the hashes of
// their types, so that fields which later ROS distributions append to feedback or results
// are ignored.
type ActionClient struct {
	node                 *Node
	name                 string
	send, result, cancel *caller
	feedback             *Subscription
	client               [8]byte // first bytes of the ids of all its goals
	sent                 uint64
	goals                []*Goal // that have not ended, in the order in which they were sent
	servers              string  // at the last check, see look
	others               bool    // a server works on another client's goal
	buf                  []byte
}

// NewActionClient opens a client of the action. name is expanded and remapped, and so are,
// as in rcl, the names of its services and topics.
func NewActionClient(n *Node, name string) (*ActionClient, error) {
	full, err := n.Resolve(name)
	if err != nil {
		return nil, err
	}
	c := &ActionClient{node: n, name: full}
	if err := c.open(); err != nil {
		return nil, err
	}
	own := c.send.Info().GUID
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(own[:], uint64(n.Now())))
	c.client = [8]byte(sum[:])
	return c, nil
}

func (c *ActionClient) open() (err error) {
	var errs [6]error
	part := c.name + "/_action/"
	c.send, errs[0] = newCaller(c.node, part+"send_goal", nav2_msgs.NavigateToPose+"_SendGoal", "")
	c.result, errs[1] = newCaller(c.node, part+"get_result", nav2_msgs.NavigateToPose+"_GetResult", "")
	c.cancel, errs[2] = newCaller(c.node, part+"cancel_goal", "action_msgs/srv/CancelGoal", "")
	c.feedback, errs[3] = SubscribeRaw(c.node, part+"feedback", nav2_msgs.NavigateToPose+"_FeedbackMessage", "", DefaultQoS(), c.onFeedback)
	_, errs[4] = Subscribe(c.node, part+"status", Latched(), c.onStatus)
	_, errs[5] = c.node.NewTimer(goalPeriod, c.look)
	return errors.Join(errs[:]...)
}

// Name returns the full name of the action.
func (c *ActionClient) Name() string { return c.name }

// Info returns the client of send_goal as the graph shows it.
func (c *ActionClient) Info() EndpointInfo { return c.send.Info() }

// Matched returns the number of servers matched by all three service clients.
func (c *ActionClient) Matched() int {
	return min(c.send.Matched(), c.result.Matched(), c.cancel.Matched())
}

// OthersGoal reports whether a server works on another client's goal.
func (c *ActionClient) OthersGoal() bool { return c.others && c.Matched() > 0 }

// ErrNoServer is the error of Send if there is no server.
var ErrNoServer = errors.New("ros: there is no server")

// Send sends a goal. h is called with its progress.
func (c *ActionClient) Send(goal *nav2_msgs.NavigateToPoseGoal, h GoalHandlers) (*Goal, error) {
	if c.Matched() == 0 {
		return nil, fmt.Errorf("%s: %w", c.name, ErrNoServer)
	}
	if len(c.goals) == 0 {
		c.servers = c.seen()
	}
	c.sent++
	g := &Goal{handlers: h, cancelGoal: c.cancelGoal}
	copy(g.id.Uuid[:], c.client[:])
	binary.BigEndian.PutUint64(g.id.Uuid[len(c.client):], c.sent)
	w := cdr.NewWriter(c.buf[:0])
	g.id.MarshalCDR(&w)
	goal.MarshalCDR(&w)
	c.buf = w.Bytes()
	if err := c.send.call(c.buf, goalTimeout, func(reply []byte, err error) { c.onAnswer(g, reply, err) }); err != nil {
		return nil, err
	}
	c.goals = append(c.goals, g)
	return g, nil
}

// onAnswer handles the answer of a server that accepts or rejects a goal.
func (c *ActionClient) onAnswer(g *Goal, reply []byte, err error) {
	accepted := false
	if err == nil {
		r := cdr.NewReader(reply)
		accepted = r.Bool()
		r.Rest() // the time of acceptance
		if err = r.Finish(nav2_msgs.NavigateToPose + "_SendGoal_Response"); err != nil {
			c.send.malformed(reply, err)
		}
	}
	switch {
	case err != nil:
		c.cancelGoal(g) // the server may have accepted it
		c.finish(g, GoalLost, err)
	case !accepted:
		c.finish(g, GoalRejected, nil)
	default:
		g.accepted = true
		if g.canceling {
			c.cancelGoal(g) // again: before, the server may not have known the goal
		}
		c.askResult(g)
		if g.handlers.Accepted != nil && !g.over {
			g.handlers.Accepted()
		}
	}
}

// askResult requests the result. The server answers when the goal has ended.
func (c *ActionClient) askResult(g *Goal) {
	err := c.result.call(c.encodeID(g), 0, func(reply []byte, err error) {
		switch {
		case g.over:
		case err != nil:
			c.finish(g, GoalLost, err)
		default:
			c.onResult(g, reply)
		}
	})
	if err != nil {
		c.finish(g, GoalLost, err)
	}
}

func (c *ActionClient) encodeID(g *Goal) []byte {
	w := cdr.NewWriter(c.buf[:0])
	g.id.MarshalCDR(&w)
	c.buf = w.Bytes()
	return c.buf
}

// onResult ends a goal according to its status, even if the result cannot be decoded.
func (c *ActionClient) onResult(g *Goal, reply []byte) {
	r := cdr.NewReader(reply)
	status := r.Int8()
	g.Result.DecodeCDR(&r)
	r.Rest()
	if err := r.Finish(nav2_msgs.NavigateToPose + "_GetResult_Response"); err != nil {
		c.result.malformed(reply, err)
	}
	outcome, over := outcomes[status]
	switch {
	case over:
	case g.ended: // the server has forgotten the result
		outcome = g.outcome
	default:
		outcome = GoalLost
	}
	c.finish(g, outcome, nil)
}

// outcomes maps the final statuses of a goal to outcomes.
var outcomes = map[int8]Outcome{
	action_msgs.GoalStatusStatusSucceeded: GoalSucceeded,
	action_msgs.GoalStatusStatusCanceled:  GoalCanceled,
	action_msgs.GoalStatusStatusAborted:   GoalAborted,
}

// onStatus handles the statuses of all goals of a server.
func (c *ActionClient) onStatus(m *action_msgs.GoalStatusArray, _ MessageInfo) {
	c.others = false
	for i := range m.StatusList {
		s := &m.StatusList[i]
		outcome, ended := outcomes[s.Status]
		if [8]byte(s.GoalInfo.GoalID.Uuid[:]) != c.client {
			c.others = c.others || !ended
		} else if g := c.find(s.GoalInfo.GoalID); g != nil && ended {
			g.ended, g.outcome = true, outcome
		}
	}
}

func (c *ActionClient) find(id unique_identifier_msgs.UUID) *Goal {
	for _, g := range c.goals {
		if g.id == id {
			return g
		}
	}
	return nil
}

func (c *ActionClient) onFeedback(data []byte, _ MessageInfo) {
	var id unique_identifier_msgs.UUID
	r := cdr.NewReader(data)
	id.DecodeCDR(&r)
	g := c.find(id)
	if g != nil && g.handlers.Feedback != nil {
		g.feedback.DecodeCDR(&r)
	}
	r.Rest()
	if err := r.Finish(nav2_msgs.NavigateToPose + "_FeedbackMessage"); err != nil {
		c.feedback.malformed(data, err)
	} else if g != nil && g.handlers.Feedback != nil {
		g.handlers.Feedback(&g.feedback)
	}
}

// look repeats requests that a server may have lost. It requests the result again if
// servers have come or gone, since a new server answers that it does not know the goal, or
// if the goal has ended without a result. It cancels goals again.
func (c *ActionClient) look() {
	before := c.servers
	c.servers = c.seen()
	if c.Matched() == 0 {
		c.servers = before
		return
	}
	for _, g := range slices.Clone(c.goals) {
		if g.accepted && !g.over && (g.overdue || before != c.servers) {
			c.askResult(g)
		}
		g.overdue = g.ended
		if g.accepted && !g.over && g.canceling && !g.asked {
			c.cancelGoal(g)
		}
	}
}

// seen identifies the present servers.
func (c *ActionClient) seen() string {
	text := fmt.Sprint(c.Matched())
	for _, e := range c.node.Endpoints(c.result.Name()) {
		if e.Kind == ServerEnd {
			text += " " + e.GUID.String()
		}
	}
	return text
}

// finish ends a goal. It does not call the handler if the client is closed.
func (c *ActionClient) finish(g *Goal, outcome Outcome, err error) {
	if g.over {
		return
	}
	g.over = true
	c.goals = slices.DeleteFunc(c.goals, func(o *Goal) bool { return o == g })
	if g.handlers.Done != nil && !errors.Is(err, ErrClosed) {
		g.handlers.Done(outcome)
	}
}
