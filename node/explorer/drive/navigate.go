// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// actionName is the name of Nav2's action; it can be remapped like a topic.
const actionName = "navigate_to_pose"

// navigator drives the robot along a path through Nav2's action, one goal at a time: see legs. A rejection says nothing about the target:
// the goal is sent again after each goal period, and after the goal's timeout the mission enters the fault state. A goal that is lost
// because the server restarted is sent again without limit; the mission has its own timeout. An aborted goal is sent again in shorter legs
// first, because it may have been outside Nav2's costmap; see setbacks. No goal is sent from a place where Nav2 cannot plan: that is a
// fault. If another client cancels or replaces the goal, the mission enters the fault state until an operator resumes it.
type navigator struct {
	*drive
	client *ros.ActionClient
	server *server
	legs   *legs
	stale  staleGoal // goal of an earlier run
	trials setbacks  // since the drive began

	goal     *ros.Goal                 // active goal; nil: none
	aim      aim                       // where it leads
	sent     orb.Point                 // where the robot was when it was sent
	began    orb.Point                 // where the robot was when the drive began
	accepted int64                     // node's time of its acceptance, ns; 0: not yet
	replaced *ros.Goal                 // goal before it, until it is accepted; nil: none
	swapped  int64                     // node's time at which it was sent instead of another, ns; 0: there was none
	leaving  []*ros.Goal               // canceled goals that have not ended yet
	left     float64                   // time since the last was canceled, s
	end      geometry_msgs.PoseStamped // end of the path
	done     bool                      // the server reported success there
	held     bool                      // a goal has just failed; the next one waits for the goal's period
	alone    float64                   // time without a server while there is a target, s
	fault    bool                      // there is a fault whose end is waited for
	reports  reports
}

const (
	// longestLeave is the longest time that a new goal waits for a canceled one to end, s.
	// Nav2 ends both if it gets a goal while it cancels another.
	longestLeave = 5.0
	// usualLeave is the time in which a canceled goal usually ends, s.
	usualLeave = 2.0
)

// longestSilence is the time after its acceptance in which a server that reports on goals
// begins to report on a new one. It is doubled each time that a goal is sent again, since the
// computer may only be slow.
const longestSilence = 5 * time.Second

// reports is the feedback on goals.
//
// Nav2 may accept a goal and never begin it: nav2_util::SimpleActionServer puts a goal aside that
// comes while the thread of the previous goal is ending, and nothing executes it. The goal stays
// active, without feedback, until another one comes.
type reports struct {
	last  nav2_msgs.NavigateToPoseFeedback // on the active goal
	begun bool                             // there was feedback on the active goal
	ever  bool                             // there was feedback on any goal: the server reports
	tries int                              // goals in a row that were sent again
}

// missing returns the reason why goals cannot be sent; "" if they can.
func (n *navigator) missing() string {
	if n.client.Matched() > 0 {
		return n.server.why()
	}
	return watch.Unserved(n.node, n.client, goalWords)
}

// begin begins a drive along a path to a new target.
func (n *navigator) begin(path []orb.Point) {
	n.halt()
	n.alone, n.fault, n.began = 0, false, n.robot.At()
	n.trials = setbacks{patience: n.trials.patience, longest: n.trials.longest, before: n.trials.longest}
	before := n.legs
	n.legs = &legs{ground: n.ground, path: path, whole: !n.cfg.Legs}
	if before != nil { // it is the same server
		n.legs.short = before.short
	}
}

// halt cancels the goal.
func (n *navigator) halt() {
	for _, g := range []*ros.Goal{n.replaced, n.goal} {
		n.leave(g)
	}
	n.goal, n.replaced, n.done = nil, nil, false
}

// leave cancels a goal unless it is nil or has ended.
func (n *navigator) leave(g *ros.Goal) {
	if g != nil && !g.Over() {
		n.leaving, n.left = append(n.leaving, g), 0
		g.Cancel()
	}
}

// step is called once per goal period.
func (n *navigator) step() {
	period := n.cfg.Period
	n.held = false
	if len(n.leaving) > 0 {
		n.left += period
	}
	n.stale.cancel(n, period)
	if n.client.Matched() == 0 {
		n.server.forget()
		if n.path != nil {
			if n.alone += period; n.alone >= n.cfg.Timeout {
				n.alone = 0
				n.failAll(n.missing(), true)
			}
		}
		return
	}
	n.alone = 0
	if n.path == nil || n.trials.refused != "" {
		n.server.poll()
	}
	switch {
	case n.fault && n.server.why() == "" && n.offTheCells() == "":
		n.fault = false
		n.trials.drove()
		n.robot.Tell(mission.EventRecovered{Stamp: n.node.Now(), Cause: mission.CauseNav2})
	case n.ignored():
		n.reports.tries++
		n.next(again)
	case n.goal != nil && n.couldDrive():
		n.trials.drove()
	case n.path != nil && n.trials.refusing(period):
		n.failAll(n.refusal(), n.server.why() != "")
	}
}

// failAll reports to the mission that no goal can be sent, whatever its target is. seen says that
// the end of that can be seen before a goal is sent again.
func (n *navigator) failAll(reason string, seen bool) {
	fault := mission.EventFault{Stamp: n.node.Now(), Reason: reason}
	if seen {
		n.fault, fault.Cause = true, mission.CauseNav2
	}
	n.robot.Tell(fault)
}

// stranded makes it a fault that the robot is where Nav2 plans nothing. No target is to blame for
// what happens there. It returns false elsewhere.
func (n *navigator) stranded(reason string) bool {
	why := n.offTheCells()
	if why != "" {
		n.failAll(reason+why, true)
	}
	return why != ""
}

// refusal says that the server refuses every goal, with the reason if it is known.
func (n *navigator) refusal() string {
	if why := n.server.why(); why != "" {
		return why
	}
	return n.client.Name() + " " + n.trials.refused + " every goal: Nav2 is probably not active"
}

// trouble returns what is wrong with the server, "" for nothing.
func (n *navigator) trouble() string {
	switch {
	case n.client.Matched() == 0:
		return "" // the check of the goal says so
	case n.path != nil && n.trials.refused != "":
		return n.refusal()
	}
	return n.server.why()
}

// advance sends the next goal if there is none, or if the robot need not reach the present
// one.
func (n *navigator) advance() {
	if n.legs == nil || n.goal != nil && (n.accepted == 0 || !n.legs.beyond(n.robot.At(), n.aim, n.trials.longest)) {
		return
	}
	n.next(onward)
}

// reason is why a goal is sent.
type reason uint8

const (
	onward reason = iota // it is the next one on the path
	detour               // the robot was led off the path
	again                // the server has not begun the active one
)

// next sends the next goal on the path.
func (n *navigator) next(why reason) {
	if n.path == nil || n.done || n.held || n.client.Matched() == 0 {
		return
	}
	if len(n.leaving) > 0 && n.left < longestLeave || n.stale.there && n.stale.spent < longestLeave { // Nav2 would end both
		return
	}
	at := n.robot.At()
	to := n.legs.to(at, n.trials.longest)
	if why != again && n.goal != nil && planar.Distance(to.place, n.aim.place) < sameAim && to.last == n.aim.last {
		return
	}
	if n.stranded("") {
		return
	}
	switch why {
	case detour:
		n.warn.Warn("the robot has left its path, and a straight line to the goal would leave the field or cross a keep-out: another goal is sent",
			"x_m", at[0], "y_m", at[1], "goal_x_m", to.place[0], "goal_y_m", to.place[1])
	case again:
		n.warn.Warn("a goal was accepted, but Nav2 gives no feedback and the robot stands: the goal is sent again", "action", n.client.Name())
	}
	pose := n.end
	pose.Header.Stamp = n.node.Stamp()
	if !to.last {
		pose.Pose.Position = geometry_msgs.Point{X: to.place[0], Y: to.place[1]}
		pose.Pose.Orientation = convert.Quaternion(to.yaw)
	}
	n.reports.last, n.reports.begun = nav2_msgs.NavigateToPoseFeedback{}, false
	var goal *ros.Goal
	goal, err := n.client.Send(&nav2_msgs.NavigateToPoseGoal{Pose: pose}, ros.GoalHandlers{
		Accepted: func() {
			if goal == n.goal {
				n.accepted, n.replaced = n.node.Now(), nil
			}
		},
		Feedback: func(f *nav2_msgs.NavigateToPoseFeedback) {
			if goal == n.goal {
				n.reports = reports{last: *f, begun: true, ever: true}
			}
		},
		Done: func(outcome ros.Outcome) { n.over(goal, outcome) },
	})
	if err != nil {
		n.warn.Warn("a goal could not be sent", "error", err.Error())
		return
	}
	n.swapped = 0
	if n.goal != nil && !n.goal.Over() {
		n.replaced, n.swapped = n.goal, n.node.Now()
	}
	n.goal, n.aim, n.sent, n.accepted = goal, to, at, 0
	id := goal.ID()
	n.robot.Note(journal.Goal{Stamp: n.node.Now(), ID: hex.EncodeToString(id[:])}) // after a crash it is canceled
}

// couldDrive reports whether the robot has had the time to drive to the active goal, or has
// moved.
func (n *navigator) couldDrive() bool {
	return n.accepted != 0 && (n.node.Now()-n.accepted > int64(quickAbort) || planar.Distance(n.robot.At(), n.sent) > leastMove)
}

// ignored reports whether the server has accepted the active goal and does nothing about it.
func (n *navigator) ignored() bool {
	r := &n.reports
	overdue := r.ever && !r.begun && time.Duration(n.node.Now()-n.accepted) > longestSilence<<min(r.tries, 10)
	return n.goal != nil && n.accepted != 0 && overdue && planar.Distance(n.robot.At(), n.sent) < leastMove
}

// over handles the end of a goal.
func (n *navigator) over(goal *ros.Goal, outcome ros.Outcome) {
	if i := slices.Index(n.leaving, goal); i >= 0 {
		// A goal that came at once might never begin, see reports: the next pose sends it.
		n.leaving = slices.Delete(n.leaving, i, i+1)
		return
	}
	if goal == n.replaced {
		n.replaced = nil
	}
	if goal != n.goal {
		return
	}
	drove := n.couldDrive()
	n.goal = nil
	now := n.node.Now()
	switch outcome {
	case ros.GoalSucceeded:
		n.succeeded()
	case ros.GoalRejected:
		n.giveUpReplaced()
		n.held = true
		if n.trials.refused == "" { // it is sent again after each goal period, and rejected for the same reason
			n.warn.Warn("a goal was rejected and will be sent again", "action", n.client.Name(), "period_s", n.cfg.Period)
		}
		n.trials.rejected()
	case ros.GoalAborted:
		if n.client.OthersGoal() {
			n.robot.Tell(mission.EventFault{Stamp: now, Reason: "another client sent a goal to " + n.client.Name()})
			return
		}
		n.setback(n.client.Name()+" aborted the goal"+describe(goal.Result), drove)
	case ros.GoalCanceled:
		n.robot.Tell(mission.EventFault{Stamp: now, Reason: "another client canceled the explorer's goal on " + n.client.Name()})
	case ros.GoalLost:
		n.giveUpReplaced()
		n.warn.Warn("a goal was lost and will be sent again: the server did not answer or has restarted", "action", n.client.Name())
	}
}

// giveUpReplaced cancels the goal that a failed one was to replace.
func (n *navigator) giveUpReplaced() {
	n.leave(n.replaced)
	n.replaced = nil
}

// swapTime is the time after the replacement of a goal in which a success may be that of the
// replaced goal.
const swapTime = 2 * time.Second

// succeeded handles the success of a goal: the drive is done, or the next leg begins. When a goal
// is replaced at the moment in which it is reached, Nav2 reports the success under the id of
// the new one, which is far away then and is sent again.
func (n *navigator) succeeded() {
	left := planar.Distance(n.robot.At(), n.aim.place)
	far := left > n.cfg.Tolerance
	if far && n.swapped != 0 && n.node.Now()-n.swapped < int64(swapTime) {
		n.held = true
		return
	}
	if n.aim.last && !(far && left > planar.Distance(n.began, n.aim.place)/2) { // a robot that came nearer may sample from there
		n.done = true
		n.robot.Tell(mission.EventDriveDone{Stamp: n.node.Now()})
		return
	}
	if far && !n.aim.last && n.legs.stops(n.robot.At(), n.aim, left, n.trials.longest) {
		n.advance()
		return
	}
	if far {
		n.setback(fmt.Sprintf("%s reported the success of a goal that is still %.1f m away", n.client.Name(), left), true)
		return
	}
	n.trials.aborts = 0
	if !n.aim.part {
		n.legs.next = min(n.aim.corner+1, len(n.legs.path)-1)
	}
	n.advance()
}

// setback handles a goal that failed though it was accepted; drove says whether the robot
// could have driven.
func (n *navigator) setback(reason string, drove bool) {
	n.held = true
	if n.stranded(reason + "; ") {
		return
	}
	if why := n.robot.Held(); why != "" { // neither the target nor the length of the leg is to blame
		n.warn.Warn("a goal has failed and will be sent again", "reason", reason, "robot", why)
		return
	}
	before := n.trials.longest
	if n.trials.blame(planar.Distance(n.robot.At(), n.aim.place), drove) {
		n.robot.Tell(mission.EventDriveFailed{Stamp: n.node.Now(), Reason: reason})
		return
	}
	if n.trials.longest != before {
		n.node.Logger().Info("a goal has failed and will be sent again as several nearer goals", "reason", reason, "leg_m", n.trials.longest)
		return
	}
	n.warn.Warn("a goal has failed and will be sent again", "reason", reason)
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
		{Key: "distance remaining, m", Value: strconv.FormatFloat(float64(n.reports.last.DistanceRemaining), 'f', 1, 32)},
		{Key: "recoveries", Value: strconv.Itoa(int(n.reports.last.NumberOfRecoveries))},
	}
}
