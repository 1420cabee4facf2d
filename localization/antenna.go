// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"math/cmplx"
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
	// smaller error, or one below the standard deviation of a fix, is not corrected.
	leastAntenna = 0.2
)

// Turns compares the motion of the fixes during turns with that of the antenna as configured. With the yaw ψ and the error ε of the
// antenna's place in base, both as complex numbers, their difference from one moment to another is
//
//	d = (e^(iψ₂) − e^(iψ₁))·ε
//
// in a frame in which the path of the wheels and the fixes have the same heading. Least squares over several turns give ε.
type Turns struct {
	begin       Turn
	left, right float64    // number of turns to either side
	cc, dd      float64    // sums of |c|² and |d|², c the factor of ε
	cd          complex128 // sum of c*·d
}

// Turn is a fix during a turn: its stamp (ns) and its place (m, map), and the place of the antenna as configured and the yaw, both by the wheels.
type Turn struct {
	Stamp        int64
	Fix, Antenna complex128
	Yaw          float64
}

// Add adds a fix. heading is the heading of the wheels' frame in map, rad, and lever the antenna's place in base as configured, m.
func (t *Turns) Add(now Turn, heading float64, lever complex128) {
	then := t.begin
	turned, driven := now.Yaw-then.Yaw, now.Antenna-then.Antenna
	c := cmplx.Rect(1, now.Yaw) - cmplx.Rect(1, then.Yaw)
	dt := float64(now.Stamp-then.Stamp) * 1e-9
	switch {
	case then.Stamp == 0 || !(dt > 0 && dt < longestTurn) || cmplx.Abs(driven-lever*c) > farthestTurn, now.Fix == then.Fix: // held by the receiver
		t.begin = now
		return
	case math.Abs(turned) < leastTurned:
		return
	}
	t.begin = now
	d := (now.Fix-then.Fix)*cmplx.Rect(1, -heading) - driven
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
func (t *Turns) shown() (off complex128, variance float64) {
	n := t.left + t.right
	if n < turnsNeeded {
		return 0, math.Inf(1)
	}
	off = t.cd / complex(t.cc, 0)
	rest := (t.dd - real(t.cd*cmplx.Conj(t.cd))/t.cc) / (2*n - 2)
	return off, max(rest, turnStdDev*turnStdDev) / t.cc
}

// Variance returns the expected square of each coordinate of ε, m²: prior is its standard deviation before the turns.
func (t *Turns) Variance(prior float64) float64 {
	off, variance := t.shown()
	left := 1 / (1/(prior*prior) + 1/variance)
	mean := left / variance * cmplx.Abs(off)
	return left + mean*mean/2
}

// Clear returns ε, m, if the turns, with a gyroscope or without, show clearly that the antenna is elsewhere. stdDev is that of a fix, m.
func (t *Turns) Clear(stdDev float64, gyro bool) (off complex128, ok bool) {
	off, variance := t.shown()
	enough := gyro || min(t.left, t.right) >= turnsNeeded
	return off, enough && cmplx.Abs(off) > max(leastAntenna, stdDev, antennaSigmas*math.Sqrt(variance))
}

// Break ends a turn: what follows is not compared with what was before.
func (t *Turns) Break() { t.begin = Turn{} }
