// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros/exec"
)

// simTimeParameter is the parameter that every ROS node has.
const simTimeParameter = "use_sim_time"

// startTime takes the time from where use_sim_time says. With /clock it is 0 until the first
// message there, as in rclcpp. The parameter has no effect on a Simulated executor, whose time is
// simulated anyway, nor on a node that publishes /clock. It is read-only while the node runs: how
// old poses and commands are decides when a robot stops, and that must not depend on two clocks.
func (n *Node) startTime(publishesClock bool) (err error) {
	ex, ok := n.ex.(*exec.RealTime)
	if v, _ := n.parameters.Get(simTimeParameter); !ok || v.Any() != true || publishesClock {
		return nil
	}
	ex.UseSimTime()
	n.clock, err = Subscribe(n, "/clock", ClockQoS(), func(m *rosgraph_msgs.Clock, _ MessageInfo) { ex.SetTime(TimeNs(m.Clock)) })
	return err
}

// Clock returns the subscription to /clock, nil without use_sim_time.
func (n *Node) Clock() *Subscription { return n.clock }

// FollowsClock reports whether the node takes its time from /clock, as in a simulation that may
// start again.
func (n *Node) FollowsClock() bool { return n.clock != nil }

// SetSpeed makes time pass speed times as fast as the wall clock, for all nodes of the
// executor. It is meant for a node that publishes /clock. It reports whether the time now
// differs from the wall clock. A Simulated executor always runs as fast as possible; then it
// returns false.
func (n *Node) SetSpeed(speed float64) (changed bool, err error) {
	ex, ok := n.ex.(*exec.RealTime)
	if !ok {
		return false, nil
	}
	return speed != 1, ex.SetSpeed(speed)
}
