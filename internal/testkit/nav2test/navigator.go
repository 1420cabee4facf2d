// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package nav2test

import (
	"errors"
	"math"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
)

const (
	// runUp is the length of the last leg, which gives the heading, m.
	runUp = 2.0
	// near is the distance from a goal at which the robot counts as arrived, m; the
	// follower's tolerance is 0.5 m.
	near = 0.7
	// standing is the speed below which the robot counts as standing, m/s.
	standing = 0.05
)

// Navigator is a server that drives the robot through a follower of paths on plan. It
// plans the path itself, as Nav2 does. A goal has succeeded when odometry/filtered shows
// that the robot stands there.
type Navigator struct {
	*Server
	// Err is the first error.
	Err error
	// Endless keeps goals from succeeding: the robot stands at the end, and the goal stays
	// active until it is canceled or replaced.
	Endless bool

	node  *ros.Node
	find  func(from, to orb.Point) ([]orb.Point, error)
	plan  *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]
	path  []orb.Point // nil: the robot stays
	at    [2]float64
	speed float64
}

// NewNavigator opens a server called Name on a node. path finds the path between two
// places; plan is published once per period.
func NewNavigator(n *ros.Node, period time.Duration, path func(from, to orb.Point) ([]orb.Point, error)) (*Navigator, error) {
	v := &Navigator{node: n, find: path}
	var errs [4]error
	v.plan, errs[0] = ros.Advertise[nav_msgs.Path](n, "plan", ros.DefaultQoS())
	_, errs[1] = ros.Subscribe(n, "odometry/filtered", ros.SensorData(), func(m *nav_msgs.Odometry, _ ros.MessageInfo) {
		v.at = [2]float64{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
		v.speed = m.Twist.Twist.Linear.X
	})
	_, errs[2] = n.NewTimer(period, v.tick)
	v.Server, errs[3] = New(n, Name)
	v.Accepted = v.set
	v.Cancel = func(g *Goal) bool {
		v.Stay()
		g.Drop()
		return true
	}
	return v, errors.Join(errs[:]...)
}

func (v *Navigator) note(err error) {
	if v.Err == nil {
		v.Err = err
	}
}

// set plans the path to a goal. The path ends with the goal's heading when there is a
// path to a point behind the goal.
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
	path, err := v.find(v.at, [2]float64{end[0] - runUp*cos, end[1] - runUp*sin})
	if err != nil {
		path, err = v.find(v.at, end)
	}
	if err != nil {
		g.Abort()
		return
	}
	v.path = append(path, end)
}

// Stay makes the robot stay where it is.
func (v *Navigator) Stay() {
	v.path = nil
	v.follow()
}

func (v *Navigator) tick() {
	g := v.Goal()
	if g == nil || v.path == nil {
		return
	}
	end := v.path[len(v.path)-1]
	left := math.Hypot(v.at[0]-end[0], v.at[1]-end[1])
	v.note(g.Feedback(float32(left)))
	if !v.Endless && left < near && math.Abs(v.speed) < standing {
		v.path = nil
		g.Succeed()
	}
	v.follow()
}

// follow publishes the path, which is empty when the robot must stay.
func (v *Navigator) follow() {
	m := nav_msgs.Path{}
	m.Header.FrameID, m.Header.Stamp = "map", ros.TimeMsg(v.node.Now())
	convert.Path(&m, v.path)
	v.note(v.plan.Publish(&m))
}
