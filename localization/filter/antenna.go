// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"

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
		newest := f.hist.newest()
		a := newest.after.antenna
		f.turns = localization.Turns{}
		f.windows.clear()
		f.insert(&event{kind: antennaEvent, stamp: newest.stamp, antenna: localization.Lever{X: a.X + real(off), Y: a.Y + imag(off)}})
	}
	return ok
}

// Antenna returns the point on the robot whose position the fixes measure: Config.Antenna, until turns show that it is elsewhere (m, base).
func (f *EKF) Antenna() localization.Lever { return f.now().antenna }

// moveAntenna sets another place of the antenna. The fixes were right, so the robot is elsewhere.
func (e *estimate) moveAntenna(a localization.Lever) {
	by := at(a, 0, 0, e.x[stateYaw]) - at(e.antenna, 0, 0, e.x[stateYaw])
	e.antenna = a
	e.x[stateX] -= real(by)
	e.x[stateY] -= imag(by)
}
