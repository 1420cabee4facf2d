// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"

	"ugp_explorer/localization"
)

const (
	// delayStdDev is the standard deviation of the delay of stamps before it is learnt, s, and delayWalk (s/√s) its random walk.
	delayStdDev, delayWalk float64 = 0.2, 0.001
	steadyTime                     = 10 // s, see learnsDelay
)

// delayed is the antenna at the moment at which the newest fix was measured, which is earlier than its stamp by a delay: its place relative
// to the robot at the stamp, m, and its velocity, m/s, both in base.
type delayed struct {
	by       float64 // delay for which this holds, s
	turned   float64 // by which the robot has turned since, rad
	place, v complex128
}

// delayed returns that of the fix that is event i, by the path of the wheels.
func (h *history) delayed(i int) delayed {
	e := &h.at(i - 1).after
	antenna := e.antenna
	d := delayed{by: e.x[stateDelay], place: complex(antenna.X, antenna.Y)}
	then := h.at(i).stamp - int64(d.by*1e9)
	moving := 0 // the step in which it was measured, or else the oldest; a delay below 0 continues the newest
	for i--; i > 0 && (moving == 0 || h.at(moving-1).stamp > then); i-- {
		if h.at(i).kind == motionEvent && h.at(i).motion.dt > 0 {
			moving = i
		}
	}
	if moving == 0 {
		return d
	}
	step, before := h.at(moving), &h.at(moving-1).after.way
	after, dt, since := &step.after.way, step.motion.dt, float64(step.stamp-then)*1e-9
	d.v = (after.antenna(antenna) - before.antenna(antenna)) / complex(dt, 0)
	d.turned = e.way.yaw - after.yaw + (after.yaw-before.yaw)/dt*since
	moved := after.antenna(antenna) - e.way.antenna(antenna) - d.v*complex(since, 0)
	turn := cmplx.Rect(1, -e.way.yaw)
	d.place, d.v = d.place+moved*turn, d.v*turn
	return d
}

// learnsDelay reports whether a fix, dt (s) after the last, may correct the delay of stamps: the heading has been confirmed, and the velocity
// is another than the mean of the last steadyTime (s). A robot that drives straight on does not show the delay, but its heading would be
// estimated differently from fix to fix, and the filter would take that for a change of velocity.
func (e *estimate) learnsDelay(dt float64) bool {
	_, v := e.delayed.measured(&e.x)
	off := cmplx.Abs(v - e.steady)
	e.steady += (v - e.steady) * complex(-math.Expm1(-dt/steadyTime), 0)
	return e.proof == proven && off > 0.5*max(cmplx.Abs(v), cmplx.Abs(e.steady))
}

// at returns the place for another delay, s.
func (d *delayed) at(delay float64) complex128 { return d.place - d.v*complex(delay-d.by, 0) }

// on returns that place on the track that ends at the stamp.
func (d *delayed) on(t *track, delay float64) complex128 {
	place := d.at(delay)
	return t.antenna(localization.Lever{X: real(place), Y: imag(place)})
}

// ForgetDelay forgets what was learnt about the delay of stamps, because those of later fixes have another.
func (f *EKF) ForgetDelay() {
	f.windows.clear()
	if now, ok := f.Stamp(); ok {
		f.change(now, forgetDelay)
	} else {
		forgetDelay(&f.idle)
	}
}

// forgetDelay forgets what was learnt about the delay of stamps.
func forgetDelay(e *estimate) {
	e.x[stateDelay] = 0
	e.p.forget(stateDelay, delayStdDev*delayStdDev)
}

// measured returns the place of the antenna relative to the robot, in map, when the newest fix was measured, and its velocity, m/s.
func (d *delayed) measured(x *stateVector) (place, v complex128) {
	turn := cmplx.Rect(1, x[stateYaw])
	return turn * d.at(x[stateDelay]), turn * d.v
}
