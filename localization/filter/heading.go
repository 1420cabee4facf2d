// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"
)

const (
	// A heading is wrong when driving tells another one, so many standard deviations of the difference
	// away. Once refusedFixes fixes in a row have been refused the filter's own variance is no excuse
	// any more, and refusedSigmas standard deviations of what driving tells are enough.
	turnSigmas, refusedSigmas = 5.5, 5
	refusedFixes              = 2
	// surelyYaw is the largest standard deviation (rad) of a direction that confirms a heading.
	surelyYaw = 0.15
)

// drivenHeading is a heading that driving tells: the newest direction of the wheels' way, turned by the
// angle between that way and the fixes'.
type drivenHeading struct {
	yaw, variance float64 // rad, rad²
	off           float64 // from the filter's heading, rad
	sigmas        float64 // the same in standard deviations
}

// drivenHeading returns what a window tells of the heading.
func (e *estimate) drivenHeading(s similarity) drivenHeading {
	fixes, length := s.stdDev*s.stdDev, cmplx.Abs(s.z)
	rest := trackStdDev*trackStdDev + s.turned*s.turned
	h := drivenHeading{yaw: wrapAngle(e.way.yaw + cmplx.Phase(s.z)), variance: fixes/(length*length) + rest}
	h.off = wrapAngle(h.yaw - e.x[stateYaw])
	if e.fixes.rejections < refusedFixes {
		rest += e.p[stateYaw][stateYaw]
	}
	h.sigmas = 2 * math.Sqrt(length) * math.Sin(h.off/2) / math.Sqrt(fixes+rest)
	return h
}

// turnTo takes over a heading from driving, and the position from the fix. If it is the first, the robot has a pose. If it
// contradicts the old one, that is forgotten, and so is the slip that was learnt with it: it may have explained a turn
// by hand. Later fixes have to confirm it before they teach how they err: an excursion may have told it.
func (e *estimate) turnTo(yaw, variance float64, fix *Fix, cfg *Config) {
	if e.mode != Running && e.mode != PositionKnown {
		return
	}
	m := e.yawMeasurement(yaw, variance)
	if f := e.factorise(&m); e.mode == Running && f.ok && f.nis <= cfg.gate[0] {
		e.correct(&m, &f)
	} else {
		if e.mode == Running {
			e.repair.OldYaw, e.repair.NewYaw = e.x[stateYaw], yaw
			e.counts.Turned++
			e.forgetSlip(&cfg.Motion)
		}
		e.zeroPose()
		e.x[stateYaw], e.p[stateYaw][stateYaw] = yaw, variance
	}
	e.placeByHeading(fix, cfg.Antenna)
	if e.mode == Running {
		e.trust()
	} else {
		e.run()
		e.fixes.use(fix, &e.way)
	}
	e.proof = told
}

// turnLearnt is the angle, in standard deviations of the heading, by which a robot must have turned before fixes correct
// the scale of its turn. A robot that follows a line steers against the filter's last correction of the heading, and the
// next fix takes back a part of that, so that the robot seems to turn by more than it does: by about a standard deviation
// of the heading. Over kilometres of it the scale came out wrong by half, with a standard deviation of a tenth (Ljung 1979).
const turnLearnt = 6

// learnsTurn reports whether fixes may correct the scale of the turn: the robot has turned far enough, and its heading
// has been confirmed. A wrong one that was given, or came about by hand, would pass for a turn by another scale.
//
// With P of the heading ψ and the scale k, the sum of its lasting and its varying part, P_ψk/P_kk is
// the turn that fixes have not confirmed yet, and P_ψψ − P_ψk²/P_kk the variance of the heading for a known scale.
func (e *estimate) learnsTurn(cfg *Config) bool {
	p := &e.p
	scale := p.turnVariance()
	both := p[stateYaw][stateTurn] + p[stateYaw][stateSkid]
	return (e.proof != unproven || cfg.ignoreWays) && both*both > turnLearnt*turnLearnt*scale*(p[stateYaw][stateYaw]*scale-both*both)
}
