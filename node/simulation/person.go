// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"time"

	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/web"
)

const (
	// letGo is the wall time after a person's last wish after which the robot is stopped.
	letGo = 500 * time.Millisecond
	// steerPeriod is the time between two commands to the robot, which stops by itself without them.
	steerPeriod = 50 * time.Millisecond
	// walk and turn are the robot's largest speeds, m/s and rad/s.
	walk, turn = 1, 0.8
	// seenWalk is how fast the robot moves on the page at most, m and rad per second of the wall clock: faster, nobody
	// could drive it where time flies.
	seenWalk, seenTurn = 15, 0.8
)

// person drives the simulated robot by the page while a field is recorded, as a person with a remote control does on
// a robot: by the topic on which the guard takes velocities.
type person struct {
	twist  func(linear, angular float64) error
	wall   func() time.Time
	free   func() bool // nothing else drives the robot
	warn   ros.Throttle
	factor [2]float64 // of forward, m/s, and left, rad/s

	want   [2]float64 // m/s, rad/s
	until  time.Time  // when the person has let go
	moving bool       // the robot was not told to stop
}

// newPerson makes a person on a node. Time passes at speed, simulated seconds per second.
func newPerson(node *ros.Node, stamped bool, speed float64, wall func() time.Time, free func() bool) (*person, error) {
	p := &person{wall: wall, free: free, warn: node.NewThrottle(time.Second), factor: [2]float64{min(walk, seenWalk/speed), min(turn, seenTurn/speed)}}
	var err error
	if p.twist, _, err = follower.AdvertiseVelocity(node, "cmd_vel_in", stamped); err != nil {
		return nil, err
	}
	_, err = node.NewTimer(steerPeriod, p.drive)
	return p, err
}

// steer takes a wish, which holds for letGo from when it came.
func (p *person) steer(s web.Steer) {
	p.want, p.until = [2]float64{p.factor[0] * s.Forward, p.factor[1] * s.Left}, s.At.Add(letGo)
	p.drive()
}

// drive tells the robot what the person wants, and to stop when the person has let go or something else drives it.
func (p *person) drive() {
	v, stand := p.want, [2]float64{}
	if !p.free() || !p.wall().Before(p.until) {
		v = stand
	}
	if v == stand && !p.moving {
		return
	}
	p.moving = v != stand
	if err := p.twist(v[0], v[1]); err != nil {
		p.warn.Error("the robot was not steered", "error", err.Error())
	}
}
