// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// clocked is a follower whose time comes from /clock, which the test sets as fast as it can.
type clocked struct {
	*testing.T
	cfg      follower.Config
	run      func(until func() bool)
	now      int64 // on /clock, ns
	x        float64
	poses    bool
	commands []float64 // m/s
	clock    *ros.Publisher[rosgraph_msgs.Clock, *rosgraph_msgs.Clock]
	odom     *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	plan     *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]
}

func newClocked(t *testing.T) *clocked {
	c := &clocked{T: t, cfg: follower.DefaultConfig(), now: int64(time.Second), poses: true}
	must := func(err error) {
		t.Helper()
		must.OK(t, err)
	}
	graph, ex := inproc.New(), exec.NewRealTime()
	c.run = func(until func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		must(ex.Run(ctx, until))
	}
	over := &param.Overrides{}
	must(over.AddAssignment("use_sim_time:=true"))
	node := rostest.Node(t, graph, ex, follower.DefaultName, ros.NodeOptions{Parameters: c.cfg.Parameters(), Overrides: over})
	_, err := follower.New(node, &c.cfg)
	must(err)
	test := rostest.Node(t, graph, ex, "test", ros.NodeOptions{})
	c.clock = rostest.Publisher[rosgraph_msgs.Clock](t, test, "/clock", ros.ClockQoS())
	c.odom = rostest.Publisher[nav_msgs.Odometry](t, test, "odometry/filtered", ros.SensorData())
	c.plan = rostest.Publisher[nav_msgs.Path](t, test, "plan", ros.DefaultQoS())
	rostest.Hear(t, test, "cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.Twist) { c.commands = append(c.commands, m.Linear.X) })
	c.tell()
	c.run(func() bool { return node.Now() == c.now })
	return c
}

// speed returns the latest command, m/s.
func (c *clocked) speed() float64 { return c.commands[len(c.commands)-1] }

// tell publishes the time.
func (c *clocked) tell() {
	c.Helper()
	must.OK(c, c.clock.Publish(&rosgraph_msgs.Clock{Clock: ros.TimeMsg(c.now)}))
}

// step lets a tick of the follower pass and waits for its command.
func (c *clocked) step() {
	c.Helper()
	var plan nav_msgs.Path
	plan.Header.FrameID = "map"
	convert.Path(&plan, []orb.Point{{0, 0}, {1000, 0}})
	must.OK(c, c.plan.Publish(&plan))
	before := len(c.commands)
	if before > 0 {
		c.x += c.speed() * dt
	}
	if c.poses {
		var m nav_msgs.Odometry
		m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(c.now), "map"
		m.Pose.Pose.Position.X = c.x
		m.Pose.Pose.Orientation = convert.Quaternion(0)
		must.OK(c, c.odom.Publish(&m))
	}
	c.now += int64(tick)
	c.tell()
	c.run(func() bool { return len(c.commands) > before })
}

// Where /clock is faster than the wall clock, poses that are late by some hundredths of a
// second are older than pose_timeout. The robot slows down for them as before any stop, and
// drives on; it stops at once only when poses are missing in wall time too.
func TestLatePosesInSimulatedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClocked(t)
		fastest := c.cfg.Pursuit.MaxSpeed
		for c.step(); c.speed() < fastest; c.step() {
		}
		c.poses = false
		before := fastest
		for range 20 { // one simulated second, and no time of the wall clock
			c.step()
			if before-c.speed() > c.cfg.Pursuit.Deceleration*dt+1e-9 {
				t.Fatalf("from %g to %g m/s in %g s: poses are late by less than half a second of wall time", before, c.speed(), dt)
			}
			before = c.speed()
		}
		if before == fastest {
			t.Fatal("the robot does not slow down without poses")
		}
		c.poses = true
		for c.step(); c.speed() < fastest; c.step() {
		}
		c.poses = false
		for range 12 { // longer than pose_timeout
			c.step()
		}
		time.Sleep(600 * time.Millisecond)
		if c.step(); c.speed() != 0 {
			t.Errorf("%g m/s when no pose has come for 0.6 s of wall time, want 0 at once", c.speed())
		}
	})
}
