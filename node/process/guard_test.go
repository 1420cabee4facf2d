// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"os"
	"strconv"
	"testing"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/ros"
)

// The follower is killed while the robot drives: a base that holds its last
// command is told to stop, also by a guard that is interrupted.
func TestGuard(t *testing.T) {
	r := newRobot(t, 5)
	o := r.observe()
	guard := func() *launcher.Process {
		p, err := launcher.Start(launcher.Executable{
			Name: guard.DefaultName, Path: program("guard"), Log: os.Stderr,
			Args: []string{"--ros-args", "-p", "use_sim_time:=true", "-r", "cmd_vel_in:=/cmd_vel", "-r", "cmd_vel:=/base/cmd_vel"},
			Env:  []string{"ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=" + strconv.Itoa(r.domain)},
		})
		r.must(err)
		t.Cleanup(p.Kill)
		return p
	}
	var base geometry_msgs.Twist // what a base that holds commands does
	zeros := 0                   // in a row
	hear(o, "/base/cmd_vel", ros.DefaultQoS(), func(m *geometry_msgs.Twist) {
		if base = *m; base == (geometry_msgs.Twist{}) {
			zeros++
		} else {
			zeros = 0
		}
	})
	p := guard()
	r.start()
	o.wait("the base to drive", func() bool { return base.Linear.X > 1 })
	r.kill(follower.DefaultName)
	o.wait("the base to be told to stop, more than once", func() bool { return zeros > 5 })
	r.start(follower.DefaultName)
	o.wait("the base to drive again", func() bool { return base.Linear.X > 1 })
	r.must(launcher.Stop(patience, p))
	o.wait("the base to be told to stop by the guard that ends", func() bool { return zeros > 0 })
	r.stop()
}
