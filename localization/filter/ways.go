// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"

	"ugp_explorer/localization"
)

const (
	gripFixes   = 40  // fixes in the window
	gripSpacing = 0.4 // s, least time between two of them, so that the window lasts for 16 s or more
	gripFloor   = 0.1 // m, added to the standard deviation of each fix: errors of time and of the antenna's place
	gripLeast   = 4   // fixes needed
	gripTime    = 3   // s, that they must span
	gripWay     = 1   // m, that the wheels must have driven meanwhile

	// The ways' lengths are alike when they differ by less than gripAlike of the wheels', and contradict each
	// other when they differ by more, and by gripSigmas standard deviations. Fixes that moved by less than
	// gripStuck of the wheels' way may do so on a crooked one. Fixes that are farther apart than gripFar of the
	// way between them, and gripSigmas standard deviations, have jumped.
	gripAlike, gripStuck, gripFar, gripSigmas = 0.4, 0.45, 3, 5.5
	// excursionSigmas is what a slow error adds to gripSigmas: beside trees its excursions are far more frequent than
	// a Gaussian has them, and pass in a minute.
	excursionSigmas = 4
	// wheelStdDev is the standard deviation of the length of the wheels' way, as a part of it, and trackStdDev
	// that of its direction (rad), beside what the scale of the turn makes uncertain.
	wheelStdDev, trackStdDev = 0.05, 0.07
)

// track is the way by wheels and gyroscope alone: dead reckoning from an arbitrary start. length is how far
// the wheels drove (m), and turned by how much they turned, left and right added up (rad); the noise of a gyroscope would
// add up to a turn of a robot that stands.
type track struct{ x, y, yaw, length, turned float64 }

// gripEntry is a fix with the place of the antenna on the track, and the estimate before the fix.
type gripEntry struct {
	stamp    int64
	way, fix complex128 // m
	weight   float64    // 1/m²
	slow     float64    // part of the slow error in the variance of the fix
	x        stateVector
	p        stateMatrix
	track    track
}

// grip is the window of the newest fixes, in the order of their stamps, in memory allocated once.
type grip []gripEntry

// similarity is the fit way → fix, fix ≈ a + z·way with a complex z, over the newest fixes: |z| is the
// ratio of the ways' lengths and arg z the angle between them. So an unknown heading does not matter.
type similarity struct {
	z      complex128 // 0 when the robot stands
	stdDev float64    // of each part of z
	rest   float64    // weighted sum of squares of the fixes about their mean
	spread float64    // the same of the way
	turned float64    // rad, by what is uncertain of the turn since any part of the window, at most
	n      int        // number of entries, the newest
	slow   float64    // part of the slow error in the variance of the newest fix
}

// fits calls try with the fit over the newest entries, from gripLeast of them on to all. e is the estimate at
// the last.
//
// Errors of fixes with the correlation time τ, the variance σ² and the window's time T wander by
// 2σ²·(1 − e^(−T/τ)) from its begin to its end. The slope fitted to a random walk over the length L has
// 6/5 of that variance, over L². With n fixes on a line stdDev² is 12σ²/(n·L²), so that is
// n/5·(1 − e^(−T/τ)) times stdDev².
func (f *EKF) fits(e *estimate, try func(similarity)) {
	if len(f.grip) < gripLeast {
		return
	}
	last := &f.grip[len(f.grip)-1]
	gyro, turn, turnVariance, turned := f.hist.newestMotion().gyro, e.x.turn(), e.p.turnVariance(), 0.0
	var w, ww, ff float64 // sums of weights, of squares
	var sw, sf, wf complex128
	for i := len(f.grip) - 1; i >= 0; i-- {
		entry := &f.grip[i]
		way, fix, k := entry.way-last.way, entry.fix-last.fix, complex(entry.weight, 0)
		w += entry.weight
		sw += k * way
		sf += k * fix
		ww += entry.weight * (real(way)*real(way) + imag(way)*imag(way))
		ff += entry.weight * (real(fix)*real(fix) + imag(fix)*imag(fix))
		wf += k * cmplx.Conj(way) * fix
		scale := f.cfg.Gyro.PerRadian
		if !gyro { // the way since then was computed by the scale of the turn as it was known
			learnt := turn - entry.x.turn()
			scale = math.Sqrt(turnVariance + learnt*learnt)
		}
		turned = max(turned, scale*math.Abs(last.track.yaw-entry.track.yaw))
		n := len(f.grip) - i
		if n < gripLeast || float64(last.stamp-entry.stamp)*1e-9 < gripTime || cmplx.Abs(way) < gripWay {
			continue
		}
		s := similarity{n: n, turned: turned, slow: last.slow}
		s.spread = ww - real(sw*cmplx.Conj(sw))/w
		s.rest = ff - real(sf*cmplx.Conj(sf))/w
		if !(s.spread > 0) {
			continue
		}
		s.z = (wf - cmplx.Conj(sw)*sf/complex(w, 0)) / complex(s.spread, 0)
		lasts := float64(last.stamp-entry.stamp) * 1e-9
		s.stdDev = math.Sqrt((1 - last.slow + last.slow*max(1, float64(n)/5*-math.Expm1(-lasts/fixTau))) / s.spread)
		try(s)
	}
}

// limit returns about the 0.999 quantile of χ² with a number of degrees of freedom.
func limit(dof int) float64 { return float64(dof) + 3.1*math.Sqrt(float64(2*dof)) + 6 }

// contradicts reports whether the fixes moved, within their errors, by far more or less than the wheels.
func (s similarity) contradicts() bool {
	length := cmplx.Abs(s.z)
	off := math.Abs(length-1) / (gripSigmas + excursionSigmas*s.slow)
	return math.Abs(length-1) > gripAlike && off*off > s.stdDev*s.stdDev+s.turned*s.turned &&
		(s.rest-length*length*s.spread < limit(2*s.n-4) || length < gripStuck && s.rest < gripStuck*gripStuck*s.spread)
}

// moves reports whether the fixes, within their errors, moved as the wheels did but for the heading.
func (s similarity) moves() bool {
	length := cmplx.Abs(s.z)
	return math.Abs(length-1) < gripAlike && length > gripSigmas*s.stdDev && s.rest-length*length*s.spread < limit(2*s.n-4)
}

// checkGrip takes up a position fix that was inserted as event i, and compares the ways of wheels and
// fixes over windows of all lengths. It begins and ends doubts, and sets a wrong heading anew: a robot that
// was told one, or turned by hand, would otherwise believe it until the fixes are far away.
func (f *EKF) checkGrip(i int) {
	ev, before := f.hist.at(i), &f.hist.at(i-1).after
	e := &ev.after
	if e.mode == HeadingKnown || before.mode == Aligning || e.mode != before.mode || before.doubt.on && !e.doubt.on {
		f.grip = f.grip[:0]
		return
	}
	if !f.grip.takeUp(f.hist.gripEntry(i, f.cfg.Antenna)) {
		return
	}
	var worst, sure drivenHeading
	var contradicts similarity
	f.fits(e, func(s similarity) {
		if contradicts.n == 0 && s.contradicts() { // the shortest: a longer one may reach back to before
			contradicts = s
		}
		if !s.moves() {
			return
		}
		h := e.drivenHeading(s)
		if math.Abs(h.sigmas) > math.Abs(worst.sigmas) {
			worst = h
		}
		if sure.variance == 0 || h.variance < sure.variance {
			sure = h
		}
	})
	least := float64(turnSigmas)
	if e.fixes.rejections >= refusedFixes {
		least = refusedSigmas
	}
	if e.doubt.on || e.mode == PositionKnown { // any heading that driving tells ends it
		worst, least = sure, 0
	}
	switch v := sure.variance; {
	case e.mode == PositionKnown && v > driveYawStdDev*driveYawStdDev:
	case v > 0 && math.Abs(worst.sigmas) >= least:
		pose := localization.Pose{Yaw: worst.yaw}
		pose.Cov[2][2] = worst.variance
		f.grip = f.grip[:0]
		f.insert(&event{kind: turnEvent, stamp: ev.stamp, fix: ev.fix, pose: pose})
	case e.doubt.on || e.mode == PositionKnown:
	case contradicts.n > 0:
		f.beginDoubt(contradicts)
	case e.proof != proven && v > 0 && v < surelyYaw*surelyYaw && sure.off*sure.off < 4*v:
		f.insert(&event{kind: confirmEvent, stamp: ev.stamp})
	}
}

// takeUp puts an entry into the window, and drops those with which it cannot be compared any more. It returns false for one that is too
// near to the last, or late.
func (g *grip) takeUp(entry gripEntry) bool {
	first, n := 0, len(*g)
	if n > 0 {
		last := &(*g)[n-1]
		farthest := gripFar*cmplx.Abs(entry.way-last.way) + gripSigmas*math.Sqrt(1/entry.weight+1/last.weight)
		switch {
		case float64(entry.stamp-last.stamp)*1e-9 < gripSpacing:
			return false
		case cmplx.Abs(entry.fix-last.fix) > farthest: // the receiver has jumped, or the robot was carried
			first = n
		case n == cap(*g):
			first = 1
		}
	}
	*g = append((*g)[:copy(*g, (*g)[first:])], entry)
	return true
}

// gripEntry returns the entry of the fix that is event i.
func (h *history) gripEntry(i int, antenna localization.Lever) gripEntry {
	ev, before := h.at(i), &h.at(i-1).after
	e := &ev.after
	variance, slow := e.receiver.total(&ev.fix)
	return gripEntry{
		slow:   slow,
		stamp:  ev.stamp,
		way:    e.way.antenna(antenna),
		fix:    complex(ev.fix.X, ev.fix.Y),
		weight: 1 / (variance + gripFloor*gripFloor),
		track:  e.way,
		x:      before.x, p: before.p,
	}
}

// repeatGrip computes the entries of fixes anew that are event first or later.
func (f *EKF) repeatGrip(first int) {
	i := f.hist.len() - 1
	for k := len(f.grip) - 1; k >= 0; k-- {
		g := &f.grip[k]
		for i >= first && (f.hist.at(i).kind != positionEvent || f.hist.at(i).stamp > g.stamp) {
			i--
		}
		if i < first || f.hist.at(i).stamp < g.stamp {
			return
		}
		*g = f.hist.gripEntry(i, f.cfg.Antenna)
	}
}

// moved returns how far the wheels drove and by how much they turned, m + rad.
func (t *track) moved() float64 { return t.length + t.turned }

// antenna returns the antenna's place on the track.
func (t *track) antenna(l localization.Lever) complex128 { return at(l, t.x, t.y, t.yaw) }

// follow advances the track.
func (t *track) follow(m *motion, x *stateVector) {
	turned := x.turn()*m.turn + x[stateDrift]*m.dx
	if m.gyro {
		turned = m.spin - x[stateBias]*m.dt
	}
	sin, cos := math.Sincos(t.yaw + turned/2)
	t.x += cos*m.dx - sin*m.dy
	t.y += sin*m.dx + cos*m.dy
	t.yaw += turned
	t.length += math.Hypot(m.dx, m.dy)
	t.turned += math.Abs(m.turn)
}
