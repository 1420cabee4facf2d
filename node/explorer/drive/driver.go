// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// Config says how goals are sent, and by which interface. Its values are those of the explorer's parameters, which have defaults and
// ranges.
type Config struct {
	Action    bool    // goal.interface is navigate_to_pose: goals go to Nav2's action, not to the topics
	Frame     string  // frame_id of goals and paths
	Period    float64 // the interval at which Due is called, s
	Tolerance float64 // goal.tolerance, m
	Timeout   float64 // the time after which a server that takes no goal is a fault, s
	Legs      bool    // nav2.legs: the corners of a path are sent one after the other
	MaxLeg    float64 // nav2.max_leg, the greatest distance of a goal, m; 0: no limit
}

// Robot gives a Driver the robot's pose, and takes its reports.
type Robot struct {
	At   func() orb.Point    // estimated position of the robot, m
	Yaw  func() float64      // its heading, rad
	Tell func(mission.Event) // takes events of the drive
	Note func(entry any)     // takes entries for the journal
	Held func() string       // returns why the guard stops it, or ""
}

// Driver sends the robot along paths: by the topics goal_pose and plan, or by Nav2's action. With the action, goal and plan are published
// for display only: Nav2 has its own plan, and would drive to whatever came on goal_pose. Use it only on the goroutine of its node's
// executor.
type Driver struct {
	*drive
	goal *ros.Publisher[geometry_msgs.PoseStamped, *geometry_msgs.PoseStamped]
	plan *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]
	nav  *navigator // nil: the goal is a topic

	unmoved unmoved
}

// drive is the path that is being driven, and who drives it.
type drive struct {
	node   *ros.Node
	cfg    Config
	ground *ground.Ground
	robot  Robot
	warn   ros.Throttle
	path   []orb.Point // nil: none
}

// New advertises the goal.
func New(node *ros.Node, cfg Config, g *ground.Ground, robot Robot) (*Driver, error) {
	d := &Driver{drive: &drive{node: node, cfg: cfg, ground: g, robot: robot, warn: node.NewThrottle(time.Second)}, unmoved: unmoved{grace: node.NewGrace(standing)}}
	private := ""
	var err error
	if cfg.Action {
		private = "~/"
		n := &navigator{drive: d.drive, trials: setbacks{patience: cfg.Timeout, longest: cfg.MaxLeg}}
		if n.client, err = ros.NewActionClient(node, actionName); err != nil {
			return nil, err
		}
		n.server = &server{node: node, client: n.client}
		d.nav = n
	}
	if d.goal, err = ros.Advertise[geometry_msgs.PoseStamped](node, private+"goal_pose", ros.Commands()); err != nil {
		return nil, err
	}
	d.plan, err = ros.Advertise[nav_msgs.Path](node, private+"plan", ros.Commands())
	return d, err
}

// Drive sends the robot along a path from where it is.
func (d *Driver) Drive(from orb.Point, path []orb.Point) {
	if len(path) == 1 {
		path = append([]orb.Point{from}, path...)
	}
	if d.nav != nil {
		path = slices.Clone(path)
		path[len(path)-1] = d.ground.Allowed(path[len(path)-1])
		d.nav.begin(path[1:])
	}
	d.path = path
	d.repeat()
}

// Moved is called with each pose.
func (d *Driver) Moved() {
	if d.nav != nil && d.path != nil {
		d.nav.advance()
	}
}

// Inherit takes over the goal that a killed run has left with the action. id is that of the journal's entry; empty: there is none.
func (d *Driver) Inherit(id string) {
	raw, err := hex.DecodeString(id)
	switch {
	case id == "":
	case err != nil || len(raw) != 16:
		d.warn.Warn("the last goal in the journal has no valid id and is not canceled: cancel it in Nav2 if the robot drives", "id", id)
	case d.nav == nil:
		d.warn.Warn("the previous run may have left a goal in Nav2, and this run does not use Nav2: cancel the goal there")
	default:
		d.nav.stale = staleGoal{id: [16]byte(raw), there: true}
	}
}

// StaleGoal says what is known about the goal of a killed run, or "".
func (d *Driver) StaleGoal() string {
	switch {
	case d.nav == nil, !d.nav.stale.there:
		return ""
	case d.nav.client.Matched() == 0:
		return "the robot may still drive to the goal of the previous run, which cannot be canceled: " + d.nav.missing()
	}
	return "the robot may still drive to the goal of the previous run, which is being canceled"
}

// DrivesOn says that the robot continues to drive, or may do so, because the server has not ended a canceled goal; "" if nothing shows
// that. moves means that the robot does not stand.
func (d *Driver) DrivesOn(moves bool) string {
	n := d.nav
	if n == nil || len(n.leaving) == 0 || d.path != nil && n.goal != nil || !moves && n.left < usualLeave {
		return ""
	}
	how := "the robot may still drive: "
	if moves {
		how = "the robot still moves: "
	}
	return how + n.client.Name() + " was asked to cancel its goal and has not confirmed that"
}

// Halt stops the node that follows the goals: it publishes an empty path for followers of the plan, and the robot's position at for
// followers of the goal (nil: it is not known). The action's goal is canceled.
func (d *Driver) Halt(at *orb.Point) {
	d.path = nil
	if d.nav != nil {
		d.nav.halt()
	}
	if at != nil {
		d.publish(*at, nil)
	}
}

// Stop tells a follower to stand without a goal, since there is no pose. It does nothing with Nav2.
func (d *Driver) Stop() {
	if d.nav != nil {
		return
	}
	d.warn.Unsent(d.plan.Publish(&nav_msgs.Path{Header: std_msgs.Header{Stamp: d.node.Stamp(), FrameID: d.cfg.Frame}}))
}

// Path returns the path that is being driven, from the robot's position at its beginning; nil: none. It never changes, and callers must not
// change it.
func (d *Driver) Path() []orb.Point { return d.path }

// Due repeats the goal when the goal's period has passed.
func (d *Driver) Due() {
	if d.nav != nil {
		d.nav.step()
	}
	d.repeat()
}

// repeat publishes the goal while there is one: a follower that starts late gets it, and one that no longer receives it stops. The action
// gets it once.
func (d *Driver) repeat() {
	if d.path == nil {
		return
	}
	goal := d.publish(d.path[len(d.path)-1], d.path)
	n := d.nav
	if n == nil {
		return
	}
	n.end = goal
	// The robot may have been led off its leg.
	if n.goal != nil && n.accepted != 0 && !n.legs.whole && !n.ground.Region().Clear(d.robot.At(), n.aim.place, 0) {
		n.next(detour)
		return
	}
	n.advance()
}

// Missing returns why no goal can be sent, as far as is known: the follower of a topic may start later. Before a drive it also says that a
// server has just been found, because whether it accepts goals is known only after the second poll: its services are found one after the
// other.
func (d *Driver) Missing() string {
	n := d.nav
	if n == nil {
		return ""
	}
	why := n.missing()
	if why == "" && d.path == nil && n.server.polls < 2 {
		why = n.client.Name() + " has just been found, and whether Nav2 is active is not known yet: try again in some seconds"
	}
	return why
}

// Stranded says that Nav2, if it reads ~/keepout, cannot plan a path from the robot's position, and what to do; "" if it can, and with
// goals by topic. Recoveries of Nav2 might move the robot outwards.
func (d *Driver) Stranded() string {
	if d.nav == nil {
		return ""
	}
	return d.offTheCells()
}

func (d *drive) offTheCells() string {
	at := d.robot.At()
	if d.ground.Passable(at) {
		return ""
	}
	where := "outside the field or in a keep-out"
	if room := d.ground.Region().SignedDistance(at); room >= 0 {
		where = fmt.Sprintf("%.1f m from the edge of the field or a keep-out", room)
	}
	return fmt.Sprintf("the robot is at (%.2f, %.2f) m, %s, where ~/keepout is occupied and Nav2 plans no path: drive it by hand to a place that keeps field.margin", at[0], at[1], where)
}

// goalWords name the goal in messages.
const goalWords = "the goal"

// Names of the checks of the nodes that drive the robot.
const (
	GoalCheck = "goal"
	Nav2Check = "Nav2"
)

// Watch starts the checks for receivers of the goals, which are needed while want says so.
func (d *Driver) Watch(w *watch.Watch, want func() watch.Want) {
	goal := watch.Expect{Name: GoalCheck, What: goalWords, Want: want}
	if d.nav == nil {
		w.Output(goal, d.goal, d.plan)
		return
	}
	w.Action(d.nav.client, goal, d.nav.values)
	w.Condition(Nav2Check, slog.LevelWarn, d.nav.trouble)
}

// Others returns the other senders on the topics or the action by which this driver sends
// goals.
func (d *Driver) Others() []ros.EndpointInfo {
	if d.nav == nil {
		return append(watch.Others(d.node, d.goal), watch.Others(d.node, d.plan)...)
	}
	senders := watch.Others(d.node, d.nav.client)
	for i := range senders {
		senders[i].Name = d.nav.client.Name()
	}
	return senders
}

// OthersGoal names the action if another client's goal is under way there, "" if none is or
// goals are sent by topic.
func (d *Driver) OthersGoal() string {
	if d.nav == nil || !d.nav.client.OthersGoal() {
		return ""
	}
	return d.nav.client.Name()
}

// ByAction reports whether goals are sent by the action.
func (d *Driver) ByAction() bool { return d.nav != nil }

// publish sends the goal, headed along the path, and the path, which is empty if the robot is to stay. It returns the goal.
func (d *Driver) publish(goal orb.Point, path []orb.Point) geometry_msgs.PoseStamped {
	plan := nav_msgs.Path{Header: std_msgs.Header{Stamp: d.node.Stamp(), FrameID: d.cfg.Frame}}
	convert.Path(&plan, path)
	d.warn.Unsent(d.plan.Publish(&plan))
	at := geometry_msgs.PoseStamped{Header: plan.Header}
	at.Pose.Position = geometry_msgs.Point{X: goal[0], Y: goal[1]}
	at.Pose.Orientation = convert.Quaternion(d.robot.Yaw())
	if n := len(plan.Poses); n > 0 {
		at.Pose.Orientation = plan.Poses[n-1].Pose.Orientation
	}
	d.warn.Unsent(d.goal.Publish(&at))
	return at
}
