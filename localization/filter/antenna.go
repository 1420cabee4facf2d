// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"

	"ugp_explorer/localization"
)

// centreStdDev (m) is the standard deviation of the antenna's place that turns leave: see [localization.Turns].
const centreStdDev = 0.1

// learnAntenna takes the position fix that is event i. When turns show that the antenna is elsewhere, it moves it and returns true.
func (f *EKF) learnAntenna(i int) bool {
	e := &f.hist.at(i).after
	if e.mode != Running || e.doubt.on || e.p[stateYaw][stateYaw] > surelyYaw*surelyYaw {
		f.turns.Break()
		return false
	}
	now := localization.Turn{
		Stamp: e.stamp, Fix: complex(e.fixes.last.X, e.fixes.last.Y), Yaw: e.way.yaw - e.delayed.turned,
		Antenna: e.delayed.on(&e.way, e.x[stateDelay]),
	}
	f.turns.Add(now, e.x[stateYaw]-e.way.yaw, complex(e.antenna.X, e.antenna.Y))
	variance, _ := e.receiver.total(&e.fixes.last)
	off, ok := f.turns.Clear(math.Sqrt(variance), f.hist.newestMotion().gyro)
	if ok {
		f.turns = localization.Turns{}
		f.windows.clear()
		f.change(f.hist.newest().stamp, func(e *estimate) { e.moveAntenna(off) })
	}
	return ok
}

// Antenna returns the point on the robot whose position the fixes measure: Config.Antenna, until turns show that it is elsewhere (m, base).
func (f *EKF) Antenna() localization.Lever { return f.now().antenna }

// moveAntenna moves the antenna by a vector in base, m. The fixes were right, so the robot is elsewhere.
func (e *estimate) moveAntenna(off complex128) {
	e.antenna.X += real(off)
	e.antenna.Y += imag(off)
	by := off * cmplx.Rect(1, e.x[stateYaw])
	e.x[stateX] -= real(by)
	e.x[stateY] -= imag(by)
}
