package nav2test

import (
	"errors"
	"math"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
)

const (
	// runUp is the length of the last leg, which gives the heading, m.
	runUp = 2.0
	// near is how far from a goal the robot is there, m: the follower's tolerance is
	// 0.5 m.
	near = 0.7
	// standing is the speed below which it stands, m/s.
	standing = 0.05
)

// Navigator is a server that has the robot driven by what follows paths on plan. It
// plans the way itself, as Nav2 does, and a goal has succeeded when the robot
// stands there by odometry/filtered.
type Navigator struct {
	*Server
	// Err is the first thing that went wrong.
	Err error

	node  *ros.Node
	path  func(from, to [2]float64) ([][2]float64, error)
	plan  *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]
	way   [][2]float64 // nil: the robot is to stay
	at    [2]float64
	speed float64
}

// NewNavigator opens a server called Name on a node. path finds the way between two
// places; plan is published each period.
func NewNavigator(n *ros.Node, period time.Duration, path func(from, to [2]float64) ([][2]float64, error)) (*Navigator, error) {
	v := &Navigator{node: n, path: path}
	var errs [4]error
	v.plan, errs[0] = ros.Advertise[nav_msgs.Path](n, "plan", ros.DefaultQoS())
	_, errs[1] = ros.Subscribe(n, "odometry/filtered", ros.SensorData(), func(m *nav_msgs.Odometry, _ ros.MessageInfo) {
		v.at = [2]float64{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
		v.speed = m.Twist.Twist.Linear.X
	})
	_, errs[2] = n.NewTimer(period, v.tick)
	errs[3] = v.Serve()
	return v, errors.Join(errs[:]...)
}

// Serve opens the server, again after it was closed.
func (v *Navigator) Serve() error {
	s, err := New(v.node, Name)
	v.Server = s
	s.Accepted = v.set
	s.Cancel = func(g *Goal) bool {
		v.stay()
		g.Drop()
		return true
	}
	return err
}

// Close takes the server off the graph; the robot stays.
func (v *Navigator) Close() error {
	v.stay()
	return v.Server.Close()
}

func (v *Navigator) note(err error) {
	if v.Err == nil {
		v.Err = err
	}
}

// set plans the way to a goal, so that it ends at the goal's heading where there is
// a way to a place behind it.
func (v *Navigator) set(g *Goal) {
	p := g.Pose.Pose
	yaw, err := convert.Yaw(p.Orientation)
	if err != nil {
		v.note(err)
		g.Abort()
		return
	}
	sin, cos := math.Sincos(yaw)
	end := [2]float64{p.Position.X, p.Position.Y}
	way, err := v.path(v.at, [2]float64{end[0] - runUp*cos, end[1] - runUp*sin})
	if err != nil {
		way, err = v.path(v.at, end)
	}
	if err != nil {
		g.Abort()
		return
	}
	v.way = append(way, end)
}

func (v *Navigator) stay() {
	v.way = nil
	v.follow()
}

func (v *Navigator) tick() {
	g := v.Goal()
	if g == nil || v.way == nil {
		return
	}
	end := v.way[len(v.way)-1]
	left := math.Hypot(v.at[0]-end[0], v.at[1]-end[1])
	v.note(g.Feedback(float32(left)))
	if left < near && math.Abs(v.speed) < standing {
		v.way = nil
		g.Succeed()
	}
	v.follow()
}

// follow publishes the way, which is empty for a robot that is to stay.
func (v *Navigator) follow() {
	m := nav_msgs.Path{}
	m.Header.FrameID, m.Header.Stamp = "map", ros.TimeMsg(v.node.Now())
	convert.Path(&m, v.way)
	v.note(v.plan.Publish(&m))
}
