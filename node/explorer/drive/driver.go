package explorer

import (
	"encoding/hex"
	"slices"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"

	"github.com/paulmach/orb"
)

// driver sends the robot along paths: by the topics goal_pose and plan, or by Nav2's
// action. Beside the action, goal and plan are there to be seen only: Nav2 has a plan of
// its own, and would drive to whatever came on goal_pose.
type driver struct {
	node   *ros.Node
	cfg    *Config
	ground *ground
	warn   ros.Throttle
	goal   *ros.Publisher[geometry_msgs.PoseStamped, *geometry_msgs.PoseStamped]
	plan   *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]
	nav    *navigator // nil: the goal is a topic

	path  []orb.Point // being driven; nil: none
	place func() orb.Point
	yaw   func() float64 // the robot's heading, rad
	note  func(entry any)
}

// newDriver advertises the goal. tell takes events of the drive, and note entries for the
// journal.
func newDriver(e *Explorer, tell func(mission.Event), note func(entry any)) (*driver, error) {
	node, cfg := e.node, e.cfg
	d := &driver{
		node: node, cfg: cfg, ground: e.ground, warn: newThrottle(node),
		place: e.sampler.place, yaw: func() float64 { return e.sampler.at.Yaw }, note: note,
	}
	private := ""
	var err error
	if cfg.Interface == goalAction {
		private = "~/"
		if d.nav, err = newNavigator(d, tell); err != nil {
			return nil, err
		}
	}
	if d.goal, err = ros.Advertise[geometry_msgs.PoseStamped](node, private+"goal_pose", ros.DefaultQoS()); err != nil {
		return nil, err
	}
	d.plan, err = ros.Advertise[nav_msgs.Path](node, private+"plan", ros.DefaultQoS())
	return d, err
}

// drive sends the robot along a path from where it is.
func (d *driver) drive(from orb.Point, path []orb.Point) {
	if len(path) == 1 {
		path = append([]orb.Point{from}, path...)
	}
	if d.nav != nil {
		path = slices.Clone(path)
		path[len(path)-1] = d.ground.allowed(path[len(path)-1])
		d.nav.begin(path[1:])
	}
	d.path = path
	d.repeat()
}

// moved is called with each pose.
func (d *driver) moved() {
	if d.nav != nil && d.path != nil {
		d.nav.advance()
	}
}

// noteGoal writes the id of a goal of the action into the journal: after a crash it is
// canceled.
func (d *driver) noteGoal(id [16]byte) {
	d.note(journal.Goal{Stamp: d.node.Now(), ID: hex.EncodeToString(id[:])})
}

// inherit takes over the goal that a killed run has left with the action.
func (d *driver) inherit(id string) {
	raw, err := hex.DecodeString(id)
	switch {
	case id == "":
	case err != nil || len(raw) != 16:
		d.warn.Warn("the journal's last goal has no valid id and is not canceled", "id", id)
	case d.nav == nil:
		d.warn.Warn("the run before may have left a goal with Nav2, which this run does not use: cancel it there")
	default:
		d.nav.relic = relic{id: [16]byte(raw), there: true}
	}
}

// relic says what is known of the goal of a killed run, "" without one.
func (d *driver) relic() string {
	if d == nil || d.nav == nil {
		return ""
	}
	return d.nav.relic.text(d.nav)
}

// halt tells whatever follows the goals to stay: an empty path for those who follow the
// plan, and the place at, where the robot is, for those who follow the goal; nil: it is
// not known. The action's goal is canceled.
func (d *driver) halt(at *orb.Point) {
	d.path = nil
	if d.nav != nil {
		d.nav.halt()
	}
	if at != nil {
		d.publish(*at, nil)
	}
}

// due repeats the goal when goal.period has passed.
func (d *driver) due() {
	if d.nav != nil {
		d.nav.tick()
	}
	d.repeat()
}

// repeat publishes the goal while there is one: a follower that came late gets it, and
// one that hears no more of it stops. The action gets it once.
func (d *driver) repeat() {
	if d.path == nil {
		return
	}
	goal := d.publish(d.path[len(d.path)-1], d.path)
	if d.nav != nil {
		d.nav.toward(goal)
	}
}

// missing returns why no goal can be sent, as far as is known: who follows a topic
// may come later.
func (d *driver) missing() string {
	if d.nav == nil {
		return ""
	}
	return d.nav.missing()
}

// settled reports whether a goal that is sent now would be accepted, as far as can be known.
func (d *driver) settled() bool { return d.nav == nil || d.nav.server.settled() }

// publish sends the goal, headed along the path, and the path, which is empty for a robot
// that is to stay. It returns the goal.
func (d *driver) publish(goal orb.Point, path []orb.Point) geometry_msgs.PoseStamped {
	plan := nav_msgs.Path{Header: std_msgs.Header{Stamp: ros.TimeMsg(d.node.Now()), FrameID: d.cfg.Frame}}
	convert.Path(&plan, path)
	sent(d.warn, d.plan.Publish(&plan))
	at := geometry_msgs.PoseStamped{Header: plan.Header}
	at.Pose.Position = geometry_msgs.Point{X: goal[0], Y: goal[1]}
	at.Pose.Orientation = convert.Quaternion(d.yaw())
	if n := len(plan.Poses); n > 0 {
		at.Pose.Orientation = plan.Poses[n-1].Pose.Orientation
	}
	sent(d.warn, d.goal.Publish(&at))
	return at
}
