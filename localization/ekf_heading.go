package localization

import (
	"math"
	"math/cmplx"
)

const (
	// A heading is wrong when driving tells another one, so many standard deviations of the difference
	// away. Once refusedFixes fixes in a row have been refused the filter's own variance is no excuse
	// any more, and refusedSigmas standard deviations of what driving tells are enough.
	turnSigmas, refusedSigmas = 4, 3
	refusedFixes              = 2
	// trackStdDev is the standard deviation (rad) of the direction of the wheels' way in the window,
	// beside what the scale of the turn makes uncertain.
	trackStdDev = 0.07
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

// checkHeading compares the heading after a fix with those that driving tells over windows of all
// lengths. It returns true when one of them contradicts the heading, which then is set anew, long before
// the gate has refused MaxRejections fixes.
//
// A robot that was told a wrong heading, or turned by hand, otherwise believes it until the fixes are
// many standard deviations away.
func (f *EKF) checkHeading(ev *event) bool {
	e, g := &ev.after, &f.grip
	var worst, sure drivenHeading
	g.fits(func(s similarity) {
		if !s.straight() {
			return
		}
		h := f.drivenHeading(e, s)
		if math.Abs(h.sigmas) > math.Abs(worst.sigmas) {
			worst = h
		}
		if sure.variance == 0 || h.variance < sure.variance {
			sure = h
		}
	})
	limit := float64(turnSigmas)
	if e.rejections[0] >= refusedFixes {
		limit = refusedSigmas
	}
	if math.Abs(worst.sigmas) < limit {
		if v := sure.variance; v > 0 && v < surelyYaw*surelyYaw {
			if !e.confirmed && sure.off*sure.off < 4*v {
				f.insert(&event{kind: confirmEvent, stamp: ev.stamp})
			}
		}
		return false
	}
	g.entries = g.entries[:0]
	f.insert(&event{kind: turnEvent, stamp: ev.stamp, fix: ev.fix, slip: &slipChange{heading: worst.yaw, variance: worst.variance}})
	return true
}

// drivenHeading returns what a window tells of the heading of estimate e.
//
// Errors of fixes with the correlation time τ, the variance σ² and the window's time T wander by
// 2σ²·(1 − e^(−T/τ)) from its begin to its end. The slope fitted to a random walk over the length L has
// 6/5 of that variance, over L². With n fixes on a line stdDev² is 12σ²/(n·L²), so that is
// n/5·(1 − e^(−T/τ)) times stdDev².
func (f *EKF) drivenHeading(e *estimate, s similarity) drivenHeading {
	window := f.grip.entries[s.first:]
	spread := 1.0
	if tau := f.cfg.FixCorrelationTime; tau > 0 {
		spread += float64(s.n) / 5 * -math.Expm1(-float64(window[s.n-1].stamp-window[0].stamp)/float64(tau))
	}
	gyro, turn, turnVariance := f.newestMotion().gyro, e.x.turn(), e.p.turnVariance()
	turned := 0.0 // by what is uncertain of the turn since any part of the window, at most
	for i := range window {
		scale := f.cfg.Gyro.PerRadian
		if !gyro { // the way since then was computed by the scale of the turn as it was known
			learnt := turn - window[i].x.turn()
			scale = math.Sqrt(turnVariance + learnt*learnt)
		}
		turned = max(turned, scale*math.Abs(e.way.yaw-window[i].wayYaw))
	}
	h := drivenHeading{
		yaw:      wrapAngle(e.way.yaw + cmplx.Phase(s.z)),
		variance: spread*s.stdDev*s.stdDev/real(s.z*cmplx.Conj(s.z)) + trackStdDev*trackStdDev + turned*turned,
	}
	h.off = wrapAngle(h.yaw - e.x[stateYaw])
	variance := h.variance
	if e.rejections[0] < refusedFixes {
		variance += e.p[stateYaw][stateYaw]
	}
	h.sigmas = h.off / math.Sqrt(variance)
	return h
}

// straight reports whether the fixes, within their errors, moved as the wheels did but for the
// heading, far enough to tell it.
func (s similarity) straight() bool {
	length := cmplx.Abs(s.z)
	dof := float64(2*s.n - 4)
	return math.Abs(length-1) < 0.4 && s.stdDev < 0.25*length && s.rest-length*length*s.spread < dof+3.1*math.Sqrt(2*dof)+6
}

// turnTo sets a heading that was found anew, and the position from the fix.
func (e *estimate) turnTo(yaw, variance float64, fix *Fix, cfg *EKFConfig) {
	if e.mode != Running {
		return
	}
	old := e.x[stateYaw]
	e.zeroPose()
	e.x[stateYaw] = yaw
	e.p[stateYaw][stateYaw] = variance
	e.placeByHeading(fix, cfg.Antenna)
	e.rejections, e.confirmed = [2]int{}, true
	e.counts.Turned++
	e.repair.OldYaw, e.repair.NewYaw = old, yaw
}
