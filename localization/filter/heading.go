// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"
)

const (
	// A heading is wrong if it differs from the heading by driving by turnSigmas standard deviations of the difference. Once refusedFixes
	// fixes in a row have been refused, the filter's own variance is ignored, and refusedSigmas standard deviations of the heading by
	// driving are enough.
	turnSigmas, refusedSigmas = 5.5, 5
	refusedFixes              = 2
	// surelyYaw is the largest standard deviation (rad) of a direction that confirms a heading.
	surelyYaw = 0.15
)

// drivenHeading is a heading found by driving: the newest direction of the wheels' path, rotated by the angle between that path and the
// path of the fixes.
type drivenHeading struct {
	yaw, variance float64 // rad, rad²
	off           float64 // from the filter's heading, rad
	sigmas        float64 // the same in standard deviations
}

// drivenHeading returns the heading found from a window.
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

// surely reports whether there is a heading that can confirm another, or show it to be wrong.
func (h *drivenHeading) surely() bool { return h.variance > 0 && h.variance < surelyYaw*surelyYaw }

// narrow takes another heading if that is known better.
func (h *drivenHeading) narrow(other drivenHeading) {
	if h.variance == 0 || other.variance < h.variance {
		*h = other
	}
}

// turnTo sets the heading found by driving, and the position of the fix. If it is the first heading, the robot now has a pose. If it
// contradicts the old one, the slip that was learnt with that is forgotten, too: it may have explained a turn by hand. Later fixes must
// confirm the new heading before their errors are learnt, since it may come from an excursion of the fixes.
func (e *estimate) turnTo(yaw, variance float64, fix *Fix, cfg *Config) {
	first := e.mode == PositionKnown
	if e.mode != Running && !first {
		return
	}
	m := e.x.yawMeasurement(yaw, variance)
	if f := e.factorise(&m); !first && f.ok && f.nis <= cfg.gate[0] {
		e.correct(&m, &f)
	} else {
		if !first {
			e.repair.OldYaw, e.repair.NewYaw = e.x[stateYaw], yaw
			e.counts.Turned++
			e.contrary = e.way.length + againWay
			e.jump = jump{since: e.stamp} // it was the robot, which was carried
			e.forgetSlip(&cfg.Motion)
		}
		e.zeroPose()
		e.x[stateYaw], e.p[stateYaw][stateYaw] = yaw, variance
	}
	e.placeByHeading(fix)
	if e.trust(); first {
		e.run()
		e.fixes.use(fix, &e.way)
	}
	e.proof = told
}

// turnLearnt is the angle, in standard deviations of the heading, by which a robot must have turned before fixes correct the scale of its
// turn. A robot that follows a line steers against the filter's last correction of the heading, and the next fix undoes a part of that
// correction. The robot therefore seems to turn by more than it does, by about a standard deviation of the heading. Over kilometres, the
// scale became wrong by half, with a standard deviation of a tenth (Ljung 1979).
const turnLearnt = 6

// learnsTurn reports whether fixes may correct the scale of the turn: the robot has turned far enough, and its heading has been confirmed.
// A wrong heading, given or caused by a turn by hand, would look like a turn with another scale.
//
// With P of the heading ψ and the scale k, P_ψk/P_kk is the turn that fixes have not confirmed yet, and P_ψψ − P_ψk²/P_kk the variance of the
// heading for a known scale.
func (e *estimate) learnsTurn(cfg *Config) bool {
	p := &e.p
	scale, both := p[stateTurn][stateTurn], p[stateYaw][stateTurn]
	return (e.proof >= told || cfg.ignoreWays) && both*both > turnLearnt*turnLearnt*scale*(p[stateYaw][stateYaw]*scale-both*both)
}
