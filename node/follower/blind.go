// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"math"
	"time"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/pursuit"
)

// freshBlind is the time for which a speed on heading_drive holds. Whoever sends it repeats
// it more often, and the robot stops when it ceases.
const freshBlind = 500 * time.Millisecond

// fastestBlind is the largest speed of a drive without a pose, m/s: that of a walk, at which a
// person can stop the robot.
const fastestBlind = 0.5

// blindGrace is the wall time for which such speeds count as late where the time comes from
// /clock. The robot is slow, and a drive that is interrupted may end before it has found the
// heading.
const blindGrace = 200 * time.Millisecond

// blind drives a robot without a pose straight ahead, slowly and not far, so that its
// localisation can find its heading. The speeds come from the explorer, which knows the
// position and that there is room.
type blind struct {
	wanted float64 // m/s, the last that came
	at     int64   // when it came, in steady time, ns
	driven float64 // m since a speed of 0, a pose or a path, as speed × time
	speed  float64 // m/s, commanded
	last   int64   // steady time of the last step, ns
	late   ros.Grace
}

// onHeadingDrive handles a speed. A speed of 0 ends a drive.
func (f *Follower) onHeadingDrive(m *std_msgs.Float64, _ ros.MessageInfo) {
	b := &f.blind
	if !(m.Data >= 0) || math.IsInf(m.Data, 0) {
		f.warn.Warn("the robot does not drive without a pose: the requested speed is invalid", "speed_m_s", m.Data)
		m.Data = 0
	}
	b.late.Came()
	b.wanted, b.at = min(m.Data, fastestBlind, f.cfg.Pursuit.MaxSpeed), f.steady.now(f.node.Now())
	if m.Data == 0 {
		b.driven = 0
	}
}

// straightOn returns the command for a robot without a path: straight ahead while that is
// wanted, and slowing down otherwise.
func (f *Follower) straightOn(now int64) pursuit.Command {
	b, p := &f.blind, &f.cfg.Pursuit
	dt := min(max(time.Duration(now-b.last).Seconds(), 0), pursuit.MaxStepInterval)
	b.last = now
	located := f.poseAge() <= p.MaxPoseAge
	if located || len(f.path) > 0 {
		b.wanted, b.driven = 0, 0
	}
	want := b.wanted
	if age := now - b.at; age < 0 || age > int64(freshBlind) && !b.late.Lasts() {
		want = 0
	}
	// What it takes to stop is part of the distance.
	if rest := f.cfg.BlindDistance - b.driven - b.speed*b.speed/(2*p.Deceleration); want > 0 && rest <= want*dt {
		want = 0
		f.warn.Warn("the robot stops: it has driven the longest distance that is allowed without a pose", "distance_m", f.cfg.BlindDistance)
	}
	if b.speed < want {
		b.speed = min(want, b.speed+p.Acceleration*dt)
	} else {
		b.speed = max(want, b.speed-p.Deceleration*dt)
	}
	b.driven += b.speed * dt
	return pursuit.Command{Linear: b.speed}
}

// poseAge returns the age of the pose, s; it is large while there is none.
func (f *Follower) poseAge() float64 {
	return math.Abs(time.Duration(f.node.Now() - f.pose.Stamp).Seconds())
}
