// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// unmoved detects a robot that should drive and stands.
type unmoved struct {
	since int64 // node's time since which it stands during a drive, ns; 0: there is no drive
	at    orb.Point
	yaw   float64
	grace ros.Grace // a follower that is late in fast simulated time may still come
}

const (
	// standing is how long a robot may stand at the beginning of a drive: it plans, turns and waits for a moment.
	standing = 15 * time.Second
	// motion and turn are the smallest distance (beyond twice the standard deviation of a position, m) and angle (rad) that are motion.
	motion, turn = 0.5, 0.2
)

// Motion shows whether a robot moves: its pose, m and rad, the standard deviation of its position, m, and the speed of its wheels, m/s.
type Motion struct {
	At     orb.Point
	Yaw    float64
	StdDev float64
	Speed  float64
}

// Unmoved returns which node is silent once the robot has not moved for 15 s on a drive, or "". It is called while the robot is to drive;
// Moves is called when it need not.
func (d *Driver) Unmoved(m Motion) string {
	u, now := &d.unmoved, d.node.Now()
	moved := math.Abs(m.Speed) > mission.StandingSpeed || planar.Distance(m.At, u.at) > motion+2*m.StdDev || math.Abs(math.Remainder(m.Yaw-u.yaw, 2*math.Pi)) > turn
	if d.path == nil || u.since == 0 || moved || now < u.since {
		u.since, u.at, u.yaw = now, m.At, m.Yaw
		u.grace.Came()
		return ""
	}
	if time.Duration(now-u.since) < standing || u.grace.Lasts() {
		return ""
	}
	u.since = 0
	return "the robot should drive and has not moved for " + ros.Seconds(standing) + ": " + d.silent()
}

// Moves says that the robot need not drive now.
func (d *Driver) Moves() { d.unmoved.since = 0 }

// silent names the node between goals and wheels that is missing or silent, according to the graph.
func (d *Driver) silent() string {
	if why := d.Missing(); why != "" {
		return why
	}
	guarded, _ := d.node.Resolve("cmd_vel_in") // both are names
	base, _ := d.node.Resolve("cmd_vel")
	driver, takers := ends(d.node, guarded)
	switch {
	case driver != "" && takers == "":
		return driver + " publishes velocities on " + guarded + ", and no guard subscribes to them: start the guard"
	case driver == "" && takers != "":
		return "nothing publishes velocities on " + guarded + " for " + takers + ": start the follower, or Nav2's controller"
	}
	senders, takers := ends(d.node, base)
	switch {
	case senders == "":
		return "nothing publishes velocities on " + base + ": start the follower, or Nav2's controller"
	case takers == "":
		return "nothing subscribes to the velocities of " + senders + " on " + base + ": start the driver of the base"
	}
	if driver != "" {
		senders = driver + ", through " + senders + ","
	}
	return senders + " should drive the robot with velocities on " + base + " to " + takers + ": check what these and the localisation report on /diagnostics, whether poses come in time, and " +
		"whether the base is on and its emergency stop is released; a robot that steers and cannot turn on the spot needs the follower's parameter turn_radius"
}

// ends returns a node that sends on a topic and one that listens, other than this one, "" for none.
func ends(own *ros.Node, topic string) (sender, taker string) {
	for _, o := range own.Endpoints(topic) {
		switch {
		case o.Node == own.FullName():
		case o.Kind == ros.PublisherEnd:
			sender = o.Owner()
		case o.Kind == ros.SubscriptionEnd:
			taker = o.Owner()
		}
	}
	return sender, taker
}

// Ended reports whether the robot, within metres, is where its path ends.
func (d *Driver) Ended(within float64) bool {
	return len(d.path) > 0 && planar.Distance(d.robot.At(), d.ground.Allowed(d.path[len(d.path)-1])) <= within
}
