package explorer

import (
	"fmt"
	"strconv"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// actionName is the name of Nav2's action; it can be remapped like a topic.
const actionName = "navigate_to_pose"

type (
	navClient = ros.ActionClient[nav2_msgs.NavigateToPoseGoal, nav2_msgs.AnyNavigateToPoseResult, nav2_msgs.NavigateToPoseFeedback]
	navGoal   = ros.Goal[nav2_msgs.AnyNavigateToPoseResult, nav2_msgs.NavigateToPoseFeedback]
)

// navigator drives the robot through Nav2's action, one goal at a time.
//
// A rejected goal is sent again up to goal.rejections times, because a server that is not
// active yet rejects every goal. A goal that is lost because the server restarted is sent
// again without limit; the mission has its own timeout. An aborted goal has failed. If
// another client cancels or replaces the goal, the mission enters the fault state until an
// operator resumes it.
type navigator struct {
	driver *driver
	tell   func(mission.Event)
	client *navClient

	goal       *navGoal // active goal; nil: none
	leaving    *navGoal // canceled goal that has not ended yet
	left       float64  // time since it was canceled, s
	done       bool     // the server reported success
	held       bool     // a goal has just failed; the next one waits for goal.period
	rejections int      // consecutive rejections
	alone      float64  // time without a server while there is a target, s
	missed     bool     // the mission has been told about the missing server
	feedback   nav2_msgs.NavigateToPoseFeedback
}

// longestLeave is the longest time that a new goal waits for a canceled one to end, s.
// Nav2 ends both if it gets a goal while it cancels another.
const longestLeave = 5.0

func newNavigator(d *driver, tell func(mission.Event)) (*navigator, error) {
	n := &navigator{driver: d, tell: tell}
	var err error
	n.client, err = ros.NewActionClient[nav2_msgs.NavigateToPoseGoal, nav2_msgs.AnyNavigateToPoseResult, nav2_msgs.NavigateToPoseFeedback](d.node, actionName)
	return n, err
}

// missing returns the reason why goals cannot be sent; "" if they can.
func (n *navigator) missing() string {
	if n.client.Matched() > 0 {
		return ""
	}
	return watch.Unserved(n.driver.node, n.client, theGoal)
}

// begin resets the state for a new target.
func (n *navigator) begin() {
	n.halt()
	n.rejections, n.alone, n.missed = 0, 0, false
}

// halt cancels the goal.
func (n *navigator) halt() {
	if n.goal != nil {
		n.leaving, n.left = n.goal, 0
		n.goal = nil
		n.leaving.Cancel()
	}
	n.done = false
}

// tick is called every goal.period.
func (n *navigator) tick() {
	d := n.driver
	period := d.cfg.GoalPeriod
	n.held = false
	if n.leaving != nil {
		if n.left += period; n.left >= longestLeave {
			n.leaving = nil
		}
	}
	switch {
	case n.client.Matched() > 0:
		n.alone = 0
		if n.missed {
			n.missed = false
			n.tell(mission.EventRecovered{Stamp: n.driver.node.Now()})
		}
	case d.path != nil:
		if n.alone += period; n.alone >= d.cfg.Mission.GoalTimeoutBase {
			n.alone, n.missed = 0, true
			n.tell(mission.EventFault{Stamp: n.driver.node.Now(), Reason: n.missing()})
		}
	}
}

// toward sends the robot to a pose unless it is driving there already.
func (n *navigator) toward(pose geometry_msgs.PoseStamped) {
	if n.goal != nil || n.leaving != nil || n.done || n.held || n.client.Matched() == 0 {
		return
	}
	n.feedback = nav2_msgs.NavigateToPoseFeedback{}
	var goal *navGoal
	goal, err := n.client.Send(&nav2_msgs.NavigateToPoseGoal{Pose: pose}, ros.GoalHandlers[nav2_msgs.AnyNavigateToPoseResult, nav2_msgs.NavigateToPoseFeedback]{
		Accepted: func() { n.rejections = 0 },
		Feedback: func(f *nav2_msgs.NavigateToPoseFeedback) { n.feedback = *f },
		Done:     func(outcome ros.Outcome) { n.over(goal, outcome) },
	})
	if err != nil {
		n.driver.warn.Warn("a goal was not sent", "error", err.Error())
		return
	}
	n.goal = goal
}

// over handles the end of a goal.
func (n *navigator) over(goal *navGoal, outcome ros.Outcome) {
	switch goal {
	case n.leaving:
		n.leaving = nil
		n.driver.repeat()
		return
	case n.goal:
		n.goal = nil
	default:
		return
	}
	now := n.driver.node.Now()
	switch outcome {
	case ros.GoalSucceeded:
		n.done = true
		n.tell(mission.EventDriveDone{Stamp: now})
	case ros.GoalRejected:
		if n.rejections++; n.rejections < n.driver.cfg.Rejections {
			n.driver.warn.Warn("a goal was rejected and will be sent again", "action", n.client.Name(), "times", n.rejections, "allowed", n.driver.cfg.Rejections)
			return
		}
		n.failed(fmt.Sprintf("%s rejected the goal %d times", n.client.Name(), n.rejections))
	case ros.GoalAborted:
		if n.client.OthersGoal() {
			n.tell(mission.EventFault{Stamp: now, Reason: "another client sent a goal to " + n.client.Name()})
			return
		}
		n.failed(n.client.Name() + " aborted the goal" + describe(goal.Result))
	case ros.GoalCanceled:
		n.tell(mission.EventFault{Stamp: now, Reason: "another client canceled the explorer's goal on " + n.client.Name()})
	case ros.GoalLost:
		n.driver.warn.Warn("a goal was lost and will be sent again: the server did not answer or has restarted", "action", n.client.Name())
	}
}

func (n *navigator) failed(reason string) {
	n.held, n.rejections = true, 0
	n.tell(mission.EventDriveFailed{Stamp: n.driver.node.Now(), Reason: reason})
}

// describe returns the error of a result, preceded by a colon; "" if it has none, as in
// Humble.
func describe(r nav2_msgs.AnyNavigateToPoseResult) (text string) {
	if r.ErrorCode != 0 {
		text = fmt.Sprintf(": error %d", r.ErrorCode)
	}
	if r.ErrorMsg != "" {
		text += ": " + r.ErrorMsg
	}
	return text
}

// values returns the server's feedback on the active goal for /diagnostics.
func (n *navigator) values() []diagnostic_msgs.KeyValue {
	if n.goal == nil {
		return nil
	}
	return []diagnostic_msgs.KeyValue{
		{Key: "distance remaining, m", Value: strconv.FormatFloat(float64(n.feedback.DistanceRemaining), 'f', 1, 32)},
		{Key: "recoveries", Value: strconv.Itoa(int(n.feedback.NumberOfRecoveries))},
	}
}
