// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/fastdds"
	"ugp_explorer/planner/mission"
)

// mostAstray is how far outside of the field a robot may get, m: with a filter that
// has just begun, fixes that err by a metre or two, and a machine that is too busy
// for the world's speed. One that has lost its way is tens of metres off.
const mostAstray = 5

// observer is the test as a node of the robot's graph. It listens while it waits.
type observer struct {
	*robot
	ex *exec.RealTime
	n  *ros.Node

	status   ugp_explorer_msgs.MissionStatus // the newest
	statuses int
	anew     bool                // the explorer has begun another mission
	command  geometry_msgs.Twist // the newest velocity
	commands int
	truth    nav_msgs.Odometry // without its frames
	poses    int
	clock    int64   // the world's time, ns
	astray   float64 // how far the robot has been outside of the field, m
}

// observe joins the robot's graph.
func (r *robot) observe() *observer {
	r.Helper()
	o := &observer{robot: r, ex: exec.NewRealTime()}
	var err error
	o.n, err = ros.NewNode(r.join(), o.ex, "observer", ros.NodeOptions{})
	r.must(err)
	r.Cleanup(func() {
		r.must(o.n.Close())
		r.must(o.ex.Close())
	})
	hear(o, "/"+explorer.DefaultName+"/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) {
		o.statuses++
		o.anew = o.anew || m.SamplesTaken < o.status.SamplesTaken
		o.status = *m
		o.status.State, o.status.Text = strings.Clone(m.State), strings.Clone(m.Text)
	})
	hear(o, "/cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.Twist) { o.commands++; o.command = *m })
	hear(o, "/ground_truth/odom", ros.SensorData(), func(m *nav_msgs.Odometry) {
		o.truth.Header.Stamp, o.truth.Pose, o.truth.Twist = m.Header.Stamp, m.Pose, m.Twist
		at := m.Pose.Pose.Position
		o.astray = max(o.astray, -at.X, -at.Y, at.X-side, at.Y-side)
	})
	hear(o, "/odometry/filtered", ros.SensorData(), func(*nav_msgs.Odometry) { o.poses++ })
	hear(o, "/clock", ros.ClockQoS(), func(m *rosgraph_msgs.Clock) { o.clock = ros.TimeNs(m.Clock) })
	return o
}

// join opens another participant in the robot's domain.
func (r *robot) join() *fastdds.Transport {
	r.Helper()
	cfg := fastdds.DefaultConfig()
	cfg.Domain, cfg.Range = r.domain, fastdds.Loopback
	tr, err := fastdds.New(cfg)
	r.must(err)
	r.Cleanup(func() { r.must(tr.Close()) })
	return tr
}

func hear[M any, PM ros.MessagePtr[M]](o *observer, topic string, q ros.QoS, fn func(*M)) {
	o.Helper()
	_, err := ros.Subscribe[M, PM](o.n, topic, q, func(m *M, _ ros.MessageInfo) { fn(m) })
	o.must(err)
}

// wait listens until cond holds. The nodes have to live meanwhile.
func (o *observer) wait(what string, cond func() bool) {
	o.Helper()
	o.until(what, cond)
	o.live()
}

// until listens until cond holds, and returns how long that took.
func (o *observer) until(what string, cond func() bool) time.Duration {
	o.Helper()
	begin := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	poll, err := o.n.NewTimer(time.Millisecond, func() {})
	o.must(err)
	defer poll.Stop()
	if err := o.ex.Run(ctx, cond); err != nil {
		o.Fatalf("waiting for %s: %v; %v", what, err, o)
	}
	return time.Since(begin)
}

// String says what was last heard.
func (o *observer) String() string {
	at := o.truth.Pose.Pose.Position
	return fmt.Sprintf("the mission is %s: %q; the robot is at (%.1f, %.1f) with %.1f m/s; %d statuses, %d velocities and %d poses were heard; it is %.2f s",
		o.status.State, o.status.Text, at.X, at.Y, o.speed(), o.statuses, o.commands, o.poses, float64(o.clock)/1e9)
}

func (o *observer) state() mission.State { return mission.State(o.status.State) }

// speed is how fast the robot truly drives, m/s.
func (o *observer) speed() float64 { return math.Abs(o.truth.Twist.Twist.Linear.X) }

// driving waits until the robot is on its way from one sample to the next.
func (o *observer) driving() {
	o.Helper()
	o.wait("the robot to drive on after a sample", func() bool {
		return o.status.SamplesTaken > 0 && o.state() == mission.StateTravelling && o.speed() > 1
	})
}

// standing waits until the robot stands.
func (o *observer) standing() {
	o.Helper()
	o.wait("the robot to stand", func() bool { return o.speed() < 1e-3 })
}

// finish waits until the mission is over.
func (o *observer) finish() {
	o.Helper()
	o.wait("the end of the mission", func() bool { return o.state() == mission.StateDone })
}

// sees reports whether a node is in the graph.
func (o *observer) sees(node string) bool {
	for _, e := range o.n.Endpoints("") {
		if e.Node == "/"+node {
			return true
		}
	}
	return false
}
