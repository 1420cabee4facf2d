// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"

	"ugp_explorer/localization"
)

const (
	jumpTime = int64(300e9) // ns, for which the place before a jump is possible, at most
	slipTime = 1            // s, for which a motion may last unnoticed by fixes while in doubt; a turn is off by a third at most
	silence  = 2            // s without a fix, after which only the wheels tell where the robot is, if they are right
	// Innovations are averaged over biasTime (s). A mean that is beyond √biasGate standard deviations is a
	// bias: the 0.9999 quantile of χ² with two degrees of freedom.
	biasTime, biasGate = 2, 18.4
	// A receiver that stood still has recovered when a fix is within backSigmas standard deviations of the position by the wheels, and less than
	// half as far from it as from the earlier fixes.
	backSigmas = 3
)

// jump is the newest jump of the fixes that the wheels have not made. Fixes with wrong ambiguities, or from behind a building, agree with
// the wheels again after it, and only another jump tells which of both places was right. That place is assumed at which the fixes have been
// for longer, at most for jumpTime.
type jump struct {
	by           complex128 // m
	since, until int64      // of the fixes at the place after it, ns, and until when the place before it is possible
}

// take is called at a stamp when fixes have been refused MaxRejections times, with the difference of the first of them from the position, m.
func (j *jump) take(stamp int64, first complex128) {
	by := first
	if stamp < j.until {
		by += j.by
	}
	if cmplx.Abs(by) < cmplx.Abs(first)/2 { // back where they had been
		j.until = 0
		return
	}
	*j = jump{by: by, since: stamp, until: max(j.until, stamp+min(stamp-j.since, jumpTime))}
}

// Contradiction says since when (ns) fixes and wheels have contradicted each other, and how far each has moved since (m).
type Contradiction struct {
	Since         int64
	Wheels, Fixes float64
}

// doubt is the state of the filter while fixes and wheels contradict each other. The filter cannot know which is right: slipping wheels and
// a receiver that repeats its fix look the same. The position then follows the fixes, odometry only says that the robot may have moved, and
// pose also covers the other case. A doubt begins when fixes have moved by another distance than the wheels (contradicts), or were forced
// in while the wheels drove (see fuse), which can also mean a wrong heading. It ends when fixes move like the wheels again (moves), or are
// at the position by the wheels (back).
type doubt struct {
	on      bool
	since   int64
	at, way complex128 // the antenna at its begin: in map, and on the track
	length  float64    // of the track at its begin, m
}

// Doubt returns since when fixes and wheels have contradicted each other; ok is false while they agree.
func (f *EKF) Doubt() (d Contradiction, ok bool) {
	e := f.now()
	if !e.doubt.on {
		return Contradiction{}, false
	}
	fixes, wheels := e.moved()
	return Contradiction{Since: e.doubt.since, Wheels: cmplx.Abs(wheels), Fixes: cmplx.Abs(fixes)}, true
}

// Refusing reports whether enough position fixes in a row have been refused to put the pose in doubt.
func (f *EKF) Refusing() bool {
	return f.now().fixes.rejections >= refusedFixes
}

// moved returns the motion of the antenna since the doubt began, by the fixes and by the wheels.
func (e *estimate) moved() (fixes, wheels complex128) {
	fixes = at(e.antenna, e.x[stateX], e.x[stateY], e.x[stateYaw]) - e.doubt.at
	wheels = (e.way.antenna(e.antenna) - e.doubt.way) * cmplx.Rect(1, e.x[stateYaw]-e.way.yaw)
	return fixes, wheels
}

// at returns the position of a point of the robot, given its pose.
func at(l localization.Lever, x, y, yaw float64) complex128 {
	return complex(x, y) + complex(l.X, l.Y)*cmplx.Rect(1, yaw)
}

// begins returns a doubt about everything after e.
func (e *estimate) begins() doubt {
	at := at(e.antenna, e.x[stateX], e.x[stateY], e.x[stateYaw])
	return doubt{on: true, since: e.stamp, at: at, way: e.way.antenna(e.antenna), length: e.way.length}
}

// beginDoubt distrusts the odometry since the first fix of the window on which s is fitted. The robot is taken to be at the newest fix, and may
// be anywhere within the path of the wheels since then.
func (f *EKF) beginDoubt(g *grip, s similarity, fix Fix) {
	n := len(g.entries)
	old, last := &g.entries[n-s.n], &g.entries[n-1]
	d := doubt{on: true, since: old.stamp, way: old.way, at: at(f.now().antenna, old.x[stateX], old.x[stateY], old.x[stateYaw])}
	driven := cmplx.Abs(last.way - old.way)
	f.counts.Slips++
	f.windows.clear()
	f.change(fix.Stamp, func(e *estimate) {
		if e.mode != Running {
			return
		}
		e.trust()
		e.doubt = d
		e.placeByHeading(&fix)
		e.p[stateX][stateX] += driven * driven
		e.p[stateY][stateY] += driven * driven
		if s.farther() {
			e.contrary = e.way.length + againWay
		}
	})
}

// back reports whether a fix shows that the wheels were right.
func (e *estimate) back(fix *Fix, m *measurement) bool {
	fixes, wheels := e.moved()
	variance, _ := e.receiver.total(fix)
	variance += gripFloor * gripFloor
	length := cmplx.Abs(wheels)
	variance += length * length * (e.p[stateYaw][stateYaw] + wheelStdDev*wheelStdDev)
	off := cmplx.Abs(complex(m.nu[0], m.nu[1]) + fixes - wheels)
	return off*off < backSigmas*backSigmas*variance && off < math.Hypot(m.nu[0], m.nu[1])/2
}

// doubt returns the motion to use while in doubt, silent seconds after the newest fix: the robot may have moved and turned, or not. Its
// position is assumed to stay, and its heading to follow the wheels or the gyroscope: a robot that pushes against an obstacle can turn away
// from it, and if the estimated heading stayed, the follower would turn the robot on and on. In an outage the position follows the wheels,
// or a robot that drives would leave the field while it is believed to stand; its standard deviation is then the path since the last fix.
func (m *motion) doubt(silent float64) motion {
	d := *m
	if m.dt > 0 {
		lasts := float64(slipTime)
		if silent > silence {
			lasts = 2 * silent // ∫ 2v²t dt = (vt)²
		}
		d.spreadPos += (m.dx*m.dx + m.dy*m.dy) / m.dt * lasts
		d.spreadYaw += min(m.turn*m.turn/m.dt*slipTime/8, unknownYaw)
	}
	if silent <= silence {
		d.dx, d.dy = 0, 0
	}
	return d
}

// average adds an innovation to the mean of the last ones. The innovations of a correct filter are independent, so a mean with the weights
// α·(1 − α)ⁱ has the variance α/(2 − α)·S. A far larger mean is a bias.
func (e *estimate) average(m *measurement, f *innovationFactor) {
	alpha := 1.0
	if e.seen != 0 {
		alpha = -math.Expm1(-float64(e.stamp-e.seen) * 1e-9 / biasTime)
	}
	if e.seen = e.stamp; !f.ok || !(alpha > 0) {
		return
	}
	for i := range 2 {
		e.bias[i] += alpha * (m.nu[i] - e.bias[i])
	}
	w := [2]float64{e.bias[0] / f.l00}
	w[1] = (e.bias[1] - f.l10*w[0]) / f.l11
	e.biased = w[0]*w[0]+w[1]*w[1] > biasGate*alpha/(2-alpha)
}
