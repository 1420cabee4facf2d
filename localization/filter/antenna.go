// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"

	"ugp_explorer/localization"
)

const (
	// A turn of leastTurned (rad) or more shows where the antenna is, within longestTurn (s) and farthestTurn (m): then the lasting error of
	// the fixes has hardly changed, and errors of the heading and of the delay of stamps, times the distance driven, are small.
	leastTurned, longestTurn, farthestTurn = 0.4, 4, 0.8
	// The antenna is elsewhere than configured if that is clear by antennaSigmas standard deviations from turnsNeeded turns or more; without a
	// gyroscope from as many to each side, since a wheel that fails seems to turn the robot to one side. turnStdDev (m) is the least standard
	// deviation of a fix relative to another during a turn, because wheels slip.
	antennaSigmas, turnsNeeded         = 4, 4
	mostAntenna, turnStdDev    float64 = 3, 0.03
	// Turns show the antenna's place relative to their centre, which is up to leastAntenna (m) away from the base of a skid-steered robot. A
	// smaller error, or one below the standard deviation of a fix, is not corrected, and centreStdDev (m) remains.
	leastAntenna, centreStdDev float64 = 0.2, 0.1
)

// turns compares the motion of the fixes during turns with that of the antenna as configured. With the yaw ψ and the error ε of the
// antenna's place in base, both as complex numbers, their difference from one moment to another is
//
//	d = (e^(iψ₂) − e^(iψ₁))·ε
//
// in a frame in which the path of the wheels and the fixes have the same heading. The least squares over several turns tell ε.
type turns struct {
	begin       turn
	left, right float64    // their numbers
	cc, dd      float64    // sums of |c|² and |d|², c the factor of ε
	cd          complex128 // sum of c*·d
}

// turn is a fix during a turn: its stamp (ns), its place (m, map), and the antenna's as configured and the yaw, both by the wheels.
type turn struct {
	stamp        int64
	fix, antenna complex128
	yaw          float64
}

// add adds a fix. heading is the heading of the wheels' frame in map.
func (t *turns) add(now turn, heading float64) {
	then := t.begin
	turned, driven := now.yaw-then.yaw, now.antenna-then.antenna
	dt := float64(now.stamp-then.stamp) * 1e-9
	switch {
	case then.stamp == 0 || !(dt > 0 && dt < longestTurn) || cmplx.Abs(driven) > farthestTurn, now.fix == then.fix: // held by the receiver
		t.begin = now
		return
	case math.Abs(turned) < leastTurned:
		return
	}
	t.begin = now
	c := cmplx.Rect(1, now.yaw) - cmplx.Rect(1, then.yaw)
	d := (now.fix-then.fix)*cmplx.Rect(1, -heading) - driven
	if cmplx.Abs(d) > cmplx.Abs(c)*mostAntenna { // the receiver has jumped
		return
	}
	if turned > 0 {
		t.left++
	} else {
		t.right++
	}
	t.cc += real(c * cmplx.Conj(c))
	t.dd += real(d * cmplx.Conj(d))
	t.cd += cmplx.Conj(c) * d
}

// shown returns ε, and the variance of each of its coordinates, from turnsNeeded turns on.
func (t *turns) shown() (off complex128, variance float64) {
	n := t.left + t.right
	if n < turnsNeeded {
		return 0, math.Inf(1)
	}
	off = t.cd / complex(t.cc, 0)
	rest := (t.dd - real(t.cd*cmplx.Conj(t.cd))/t.cc) / (2*n - 2)
	return off, max(rest, turnStdDev*turnStdDev) / t.cc
}

// variance returns the expected square of each coordinate of ε, m²: prior is its standard deviation before the turns.
func (t *turns) variance(prior float64) float64 {
	off, variance := t.shown()
	left := 1 / (1/(prior*prior) + 1/variance)
	mean := left / variance * cmplx.Abs(off)
	return left + mean*mean/2
}

// learnAntenna takes the position fix that is event i. When turns show that the antenna is elsewhere, it moves it and returns true.
func (f *EKF) learnAntenna(i int) bool {
	e := &f.hist.at(i).after
	if e.mode != Running || e.doubt.on || e.p[stateYaw][stateYaw] > surelyYaw*surelyYaw {
		f.turns.begin = turn{}
		return false
	}
	now := turn{
		stamp: e.stamp, fix: complex(e.fixes.last.X, e.fixes.last.Y), yaw: e.way.yaw - e.delayed.turned,
		antenna: e.delayed.on(&e.way, e.x[stateDelay]),
	}
	f.turns.add(now, e.x[stateYaw]-e.way.yaw)
	off, variance := f.turns.shown()
	ofFix, _ := e.receiver.total(&e.fixes.last)
	enough := f.hist.newestMotion().gyro || min(f.turns.left, f.turns.right) >= turnsNeeded
	ok := enough && cmplx.Abs(off) > max(leastAntenna, math.Sqrt(ofFix), antennaSigmas*math.Sqrt(variance))
	if ok {
		f.turns = turns{}
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
