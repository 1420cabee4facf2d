package ros

import (
	"errors"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/unique_identifier_msgs"
)

// Outcome is how a goal has ended.
type Outcome uint8

const (
	GoalRejected  Outcome = iota // it was not begun
	GoalSucceeded                // as the server says
	GoalCanceled
	GoalAborted // by the server, for its own reasons or for another goal
	GoalLost    // the server did not answer, or a new one does not know it
)

func (o Outcome) String() string {
	return [...]string{"rejected", "succeeded", "canceled", "aborted", "lost"}[o]
}

// GoalHandlers is whom a client tells of a goal, as callbacks of its node. Each may
// be nil.
type GoalHandlers[R, F any] struct {
	Accepted func()
	Feedback func(*F)      // used again for the next one
	Done     func(Outcome) // once, unless the client is closed before
}

// Goal is a goal that was sent.
type Goal[R, F any] struct {
	// Result is the server's when the goal has succeeded, was canceled or aborted.
	Result R

	id         unique_identifier_msgs.UUID
	handlers   GoalHandlers[R, F]
	feedback   F
	cancelGoal func(*Goal[R, F])
	accepted   bool
	over       bool // the client is through with it
	canceling  bool // it is to be canceled
	asked      bool // the server was asked so, and has not answered no
	ended      bool // by the status topic,
	outcome    Outcome
	overdue    bool // a look ago already
}

// Over reports whether the goal has ended.
func (g *Goal[R, F]) Over() bool { return g.over }

// Cancel asks the server to cancel the goal, again and again until it has ended,
// since a robot may be driving for it.
func (g *Goal[R, F]) Cancel() {
	if !g.over && !g.canceling {
		g.canceling = true
		g.cancelGoal(g)
	}
}

func (c *ActionClient[G, R, F]) cancelGoal(g *Goal[R, F]) {
	req := action_msgs.CancelGoalRequest{GoalInfo: action_msgs.GoalInfo{GoalID: g.id}}
	c.buf = req.AppendCDR(c.buf[:0])
	g.asked = true
	known := g.accepted // or the server may hear of the cancelling before the goal
	err := c.cancel.call(c.buf, goalTimeout, func(reply []byte, err error) {
		var res action_msgs.CancelGoalResponse
		if err == nil {
			if err = res.UnmarshalCDR(reply); err != nil {
				c.cancel.malformed("action", c.name, len(reply), err)
			}
		}
		switch {
		case g.over || errors.Is(err, ErrClosed):
		case err != nil:
			g.asked = false
			c.cancel.quiet.Warn("a goal may go on: that it be canceled is not answered", "action", c.name, "error", err.Error())
		case res.ReturnCode == action_msgs.CancelGoalResponseErrorRejected:
			g.asked = false
			c.cancel.quiet.Warn("a goal goes on: the server refuses to cancel it", "action", c.name)
		case res.ReturnCode == action_msgs.CancelGoalResponseErrorUnknownGoalID && known:
			c.finish(g, GoalLost, nil)
		}
	})
	if err != nil {
		g.asked = false
	}
}
