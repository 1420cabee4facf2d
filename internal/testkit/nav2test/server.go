// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package nav2test replaces Nav2 in tests: it has an action server of the type
// nav2_msgs/action/NavigateToPose that a test controls.
package nav2test

import (
	"errors"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/lifecycle_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/msgs/unique_identifier_msgs"
	"ugp_explorer/node/ros"
)

// Name is the default name of the action.
const Name = "navigate_to_pose"

// Server accepts goals and ends them when a test says so. Like Nav2's, it works on one
// goal at a time: a new goal replaces the previous one, which is aborted. Its methods must
// be called from callbacks of its node.
type Server struct {
	// Decide returns whether a goal is accepted; nil accepts all goals.
	Decide func(*Goal) bool
	// Accepted is called with each accepted goal, unless it is nil.
	Accepted func(*Goal)
	// Cancel returns whether a goal may be canceled, and cancels it, now or later; nil
	// cancels at once.
	Cancel func(*Goal) bool
	// Goals holds all goals received, including rejected ones.
	Goals []*Goal

	state  uint8        // of the lifecycle; see ServeState
	states *ros.Service // nil: the node has no lifecycle
	node   *ros.Node

	ends     []interface{ Close() error }
	status   *ros.Publisher[action_msgs.GoalStatusArray, *action_msgs.GoalStatusArray]
	feedback *ros.Publisher[nav2_msgs.NavigateToPoseFeedbackMessage, *nav2_msgs.NavigateToPoseFeedbackMessage]
}

// Goal is a goal received by the server.
type Goal struct {
	At       int64 // time of arrival, ns on the clock of the server's node
	Pose     geometry_msgs.PoseStamped
	Replaced bool // aborted because another goal was accepted
	Status   int8 // of action_msgs/msg/GoalStatus; GoalStatusStatusUnknown: rejected
	server   *Server
	id       unique_identifier_msgs.UUID
	waiting  []func(*nav2_msgs.NavigateToPoseGetResultResponse) // requests for the result
}

// New opens the action called name on a node.
func New(n *ros.Node, name string) (*Server, error) {
	s := &Server{node: n}
	var errs [5]error
	var send, result, cancel *ros.Service
	part := name + "/_action/"
	send, errs[0] = ros.Serve(n, part+"send_goal", func(req *nav2_msgs.NavigateToPoseSendGoalRequest, res *nav2_msgs.NavigateToPoseSendGoalResponse) {
		g := &Goal{At: n.Now(), Pose: req.Goal.Pose, server: s, id: req.GoalID}
		s.Goals = append(s.Goals, g)
		if res.Accepted = s.accepts() && (s.Decide == nil || s.Decide(g)); res.Accepted {
			s.accept(g)
		}
	})
	result, errs[1] = ros.ServeLater(n, part+"get_result", s.getResult)
	cancel, errs[2] = ros.Serve(n, part+"cancel_goal", s.cancelGoal)
	s.status, errs[3] = ros.Advertise[action_msgs.GoalStatusArray](n, part+"status", ros.Latched())
	s.feedback, errs[4] = ros.Advertise[nav2_msgs.NavigateToPoseFeedbackMessage](n, part+"feedback", ros.DefaultQoS())
	s.ends = []interface{ Close() error }{send, result, cancel, s.status, s.feedback}
	return s, errors.Join(errs[:]...)
}

// ServeState gives the server's node a lifecycle state, as in lifecycle_msgs/msg/State, which
// Set changes. Like Nav2's, the server rejects all goals until the state is active.
func (s *Server) ServeState(state uint8) (err error) {
	s.state = state
	s.states, err = ros.Serve(s.node, s.node.FullName()+"/get_state", func(_ *lifecycle_msgs.GetStateRequest, res *lifecycle_msgs.GetStateResponse) {
		res.CurrentState = lifecycle_msgs.State{ID: s.state, Label: labels[s.state]}
	})
	return err
}

// HideState takes the lifecycle away again.
func (s *Server) HideState() error {
	err := s.states.Close()
	s.states = nil
	return err
}

// labels are the names of the primary states.
var labels = map[uint8]string{
	lifecycle_msgs.StatePrimaryStateUnconfigured: "unconfigured",
	lifecycle_msgs.StatePrimaryStateInactive:     "inactive",
	lifecycle_msgs.StatePrimaryStateActive:       "active",
}

// Set changes the state. Leaving the active state aborts the active goal, as Nav2 does.
func (s *Server) Set(state uint8) {
	s.state = state
	if g := s.Goal(); g != nil && !s.accepts() {
		g.Abort()
	}
}

func (s *Server) accepts() bool {
	return s.states == nil || s.state == lifecycle_msgs.StatePrimaryStateActive
}

// Close removes the server from the graph. Pending requests for a result get no answer.
func (s *Server) Close() error {
	var errs []error
	if s.states != nil {
		errs = append(errs, s.states.Close())
	}
	for _, e := range s.ends {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// Goal returns the active goal, or nil when there is none.
func (s *Server) Goal() *Goal {
	for _, g := range s.Goals {
		if g.Active() {
			return g
		}
	}
	return nil
}

func (s *Server) accept(g *Goal) {
	before := s.Goal()
	g.Status = action_msgs.GoalStatusStatusExecuting
	s.publishStatus()
	if before != nil {
		before.Replaced = true
		before.End(action_msgs.GoalStatusStatusAborted)
	}
	if s.Accepted != nil {
		s.Accepted(g)
	}
}

// Take makes an active goal of another server this one's, as if the server had been this one
// all the time and only its clients had changed.
func (s *Server) Take(g *Goal) {
	s.Goals = append(s.Goals, &Goal{At: g.At, Pose: g.Pose, Status: g.Status, server: s, id: g.id})
	s.publishStatus()
}

func (s *Server) find(id unique_identifier_msgs.UUID) *Goal {
	for _, g := range s.Goals {
		if g.id == id && g.Status != action_msgs.GoalStatusStatusUnknown {
			return g
		}
	}
	return nil
}

func (s *Server) getResult(req *nav2_msgs.NavigateToPoseGetResultRequest, answer func(*nav2_msgs.NavigateToPoseGetResultResponse)) {
	switch g := s.find(req.GoalID); {
	case g == nil:
		answer(&nav2_msgs.NavigateToPoseGetResultResponse{})
	case g.Active():
		g.waiting = append(g.waiting, answer)
	default:
		answer(&nav2_msgs.NavigateToPoseGetResultResponse{Status: g.Status})
	}
}

func (s *Server) cancelGoal(req *action_msgs.CancelGoalRequest, res *action_msgs.CancelGoalResponse) {
	g := s.find(req.GoalInfo.GoalID)
	switch {
	case g == nil:
		res.ReturnCode = action_msgs.CancelGoalResponseErrorUnknownGoalID
		return
	case !g.Active():
		res.ReturnCode = action_msgs.CancelGoalResponseErrorGoalTerminated
		return
	case s.Cancel == nil:
		g.End(action_msgs.GoalStatusStatusCanceled)
	case !s.Cancel(g):
		res.ReturnCode = action_msgs.CancelGoalResponseErrorRejected
		return
	case g.Active():
		g.Status = action_msgs.GoalStatusStatusCanceling
		s.publishStatus()
	}
	res.GoalsCanceling = []action_msgs.GoalInfo{{GoalID: g.id}}
}

// Active reports whether the goal has been accepted and has not ended.
func (g *Goal) Active() bool {
	return g.Status == action_msgs.GoalStatusStatusExecuting || g.Status == action_msgs.GoalStatusStatusCanceling
}

// End ends an active goal with a status.
func (g *Goal) End(status int8) {
	if !g.Active() {
		return
	}
	g.Status = status
	g.server.publishStatus()
	for _, answer := range g.waiting {
		answer(&nav2_msgs.NavigateToPoseGetResultResponse{Status: status})
	}
	g.waiting = nil
}

// Succeed ends a goal that is reached.
func (g *Goal) Succeed() { g.End(action_msgs.GoalStatusStatusSucceeded) }

// Abort ends a goal that cannot be reached.
func (g *Goal) Abort() { g.End(action_msgs.GoalStatusStatusAborted) }

// Drop ends a goal as if another client had canceled it.
func (g *Goal) Drop() { g.End(action_msgs.GoalStatusStatusCanceled) }

// Feedback sends the client the remaining distance, m.
func (g *Goal) Feedback(distance float32) error {
	m := nav2_msgs.NavigateToPoseFeedbackMessage{GoalID: g.id}
	m.Feedback.DistanceRemaining = distance
	return g.server.feedback.Publish(&m)
}

// publishStatus publishes the status of all accepted goals.
func (s *Server) publishStatus() {
	var m action_msgs.GoalStatusArray
	for _, g := range s.Goals {
		if g.Status != action_msgs.GoalStatusStatusUnknown {
			m.StatusList = append(m.StatusList, action_msgs.GoalStatus{GoalInfo: action_msgs.GoalInfo{GoalID: g.id}, Status: g.Status})
		}
	}
	_ = s.status.Publish(&m) // an error means that the server is closed
}
