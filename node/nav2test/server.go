// Package nav2test stands in for Nav2 in tests: an action server of the type
// nav2_msgs/action/NavigateToPose that does what a test tells it to.
package nav2test

import (
	"errors"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/msgs/unique_identifier_msgs"
	"ugp_explorer/node/ros"
)

// Name is what the action is called by default.
const Name = "navigate_to_pose"

// Server accepts goals, and ends them when it is told to. As Nav2's, it works on
// one goal at a time: a new one takes the place of the one before, which is
// aborted. It is for callbacks of its node.
type Server struct {
	// Decide says whether a goal is accepted; nil: all are.
	Decide func(*Goal) bool
	// Accepted is called with each goal that is; nil: nothing more is done.
	Accepted func(*Goal)
	// Cancel says whether a goal may be canceled, and does it, now or later; nil:
	// at once.
	Cancel func(*Goal) bool
	// Goals are all that came, rejected ones too.
	Goals []*Goal

	ends     []interface{ Close() error }
	status   *ros.Publisher[action_msgs.GoalStatusArray, *action_msgs.GoalStatusArray]
	feedback *ros.Publisher[nav2_msgs.NavigateToPoseFeedbackMessage, *nav2_msgs.NavigateToPoseFeedbackMessage]
}

// Goal is a goal that came.
type Goal struct {
	At      int64 // when, ns of the server's node
	Pose    geometry_msgs.PoseStamped
	Status  int8 // of action_msgs/msg/GoalStatus; GoalStatusStatusUnknown: rejected
	server  *Server
	id      unique_identifier_msgs.UUID
	waiting []func(*nav2_msgs.NavigateToPoseGetResultResponse) // for the result
}

// New opens the action called name on a node.
func New(n *ros.Node, name string) (*Server, error) {
	s := &Server{}
	var errs [5]error
	var send, result, cancel *ros.Service
	part := name + "/_action/"
	send, errs[0] = ros.Serve(n, part+"send_goal", func(req *nav2_msgs.NavigateToPoseSendGoalRequest, res *nav2_msgs.NavigateToPoseSendGoalResponse) {
		g := &Goal{At: n.Now(), Pose: req.Goal.Pose, server: s, id: req.GoalID}
		s.Goals = append(s.Goals, g)
		if res.Accepted = s.Decide == nil || s.Decide(g); res.Accepted {
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

// Close takes the server off the graph. Who waits for a result waits in vain.
func (s *Server) Close() error {
	var errs []error
	for _, e := range s.ends {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// Goal returns the goal that is being worked on, nil when there is none.
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
		before.End(action_msgs.GoalStatusStatusAborted)
	}
	if s.Accepted != nil {
		s.Accepted(g)
	}
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

// End ends a goal that is active, with a status.
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

// Succeed, Abort and Drop end a goal; Drop as one that someone else has canceled.
func (g *Goal) Succeed() { g.End(action_msgs.GoalStatusStatusSucceeded) }
func (g *Goal) Abort()   { g.End(action_msgs.GoalStatusStatusAborted) }
func (g *Goal) Drop()    { g.End(action_msgs.GoalStatusStatusCanceled) }

// Feedback tells the client how far the robot still has to go, m.
func (g *Goal) Feedback(distance float32) error {
	m := nav2_msgs.NavigateToPoseFeedbackMessage{GoalID: g.id}
	m.Feedback.DistanceRemaining = distance
	return g.server.feedback.Publish(&m)
}

// publishStatus tells of all goals that were accepted. It is of no use to those
// who cannot be reached any more.
func (s *Server) publishStatus() {
	var m action_msgs.GoalStatusArray
	for _, g := range s.Goals {
		if g.Status != action_msgs.GoalStatusStatusUnknown {
			m.StatusList = append(m.StatusList, action_msgs.GoalStatus{GoalInfo: action_msgs.GoalInfo{GoalID: g.id}, Status: g.Status})
		}
	}
	_ = s.status.Publish(&m) // an error: the server is closed
}
