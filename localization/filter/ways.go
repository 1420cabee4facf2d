// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"
	"slices"

	"ugp_explorer/localization"
)

const (
	gripFixes = 40 // fixes in a window, at most
	// gripSpacing is the least time between two of them, s, so that a window lasts for 16 s or more. In the far window, the time is doubled
	// whenever it is full, until it spans farLength of the wheels' path, m: errors of fixes last for a minute, so a slow robot must drive for
	// minutes until they show a direction, or that it is stuck.
	gripSpacing, farLength float64 = 0.4, 100

	gripFloor = 0.1 // m, added to the standard deviation of each fix: errors of time and of the antenna's place
	gripLeast = 4   // fixes needed
	gripTime  = 3   // s, that they must span
	gripWay   = 1   // m, that base and antenna must be from where they were: in a turn on the spot, a misplaced antenna takes another direction

	// The lengths of both paths agree if they differ by less than gripAlike of the wheels' path, and contradict each other if they differ
	// by more than that and by gripSigmas standard deviations. On a crooked path, fixes may move by less than gripStuck of the wheels'
	// path. Fixes that are farther apart than gripFar of the path between them, and than gripSigmas standard deviations, have jumped.
	gripAlike, gripStuck, gripFar, gripSigmas = 0.4, 0.45, 3, 5.5
	// Fixes that contradict the heading, or move farther than the wheels, twice within againWay (m) err more than is believed, since few robots
	// are carried or turned by hand so often. Their standard deviation then grows until the contradiction is one of againSigmas.
	againWay, againSigmas float64 = 100, 3
	// stuckWay is the least path of the wheels, m, of which fixes have moved less than gripStuck if the robot may be stuck.
	stuckWay = 5
	// excursionSigmas is added to gripSigmas for a slow error: near trees its excursions are far more frequent than those of a Gaussian,
	// and pass in a minute.
	excursionSigmas = 4
	// wheelStdDev is the relative standard deviation of the length of the wheels' path, and trackStdDev that of its direction (rad), in
	// addition to the uncertain scale of the turn.
	wheelStdDev, trackStdDev = 0.05, 0.07
)

// track is the path by wheels and gyroscope alone: dead reckoning from an arbitrary start. length is the driven distance (m), and turned
// the sum of the absolute turns of the wheels (rad): with a gyroscope, its noise would add up to a turn while the robot stands. rolled is the
// sum of the wheels' turns for the configured scale, and apart that of the gyroscope's beyond them (rad).
type track struct{ x, y, yaw, length, turned, rolled, apart float64 }

// gripEntry is a fix with the antenna's position on the track, and the estimate before the fix.
type gripEntry struct {
	stamp    int64
	way, fix complex128 // m
	v        complex128 // velocity on the track, m/s
	weight   float64    // 1/m²
	slow     float64    // part of the slow error in the variance of the fix
	x        stateVector
	track    track
}

// grip is a window of the newest fixes, in the order of their stamps, in memory allocated once.
type grip struct {
	entries []gripEntry
	spacing float64 // least time between two of them, s
	far     bool    // it grows until it spans farLength
}

func newGrip(far bool) grip {
	return grip{entries: make([]gripEntry, 0, gripFixes), spacing: gripSpacing, far: far}
}

// clear drops all entries.
func (g *grip) clear() { g.entries, g.spacing = g.entries[:0], gripSpacing }

// windows are the two windows of fixes, see checkGrip.
type windows struct{ near, far grip }

// clear drops the entries of both.
func (w *windows) clear() {
	w.near.clear()
	w.far.clear()
}

// similarity is the fit from track to fixes, fix ≈ a + z·track with a complex z, over the newest fixes: |z| is the ratio of the paths'
// lengths and arg z the angle between them. The fit therefore needs no heading.
type similarity struct {
	z      complex128 // 0 when the robot stands
	stdDev float64    // of each part of z
	rest   float64    // weighted sum of squares of the fixes about their mean
	spread float64    // the same of the way
	apart  float64    // rad, by which the turns of gyroscope and wheels differ within it
	turned float64    // rad, by what is uncertain of the turn since any part of the window, at most, and of the delay of stamps
	n      int        // number of entries, the newest
	way    float64    // from the first of them to the last by the wheels, m
	slow   float64    // part of the slow error in the variance of the newest fix
}

// fits calls try with the fits over the newest entries, from gripLeast of them up to all. e is the estimate at the last one, and gyro says
// whether its heading follows a gyroscope.
//
// Errors of fixes with the correlation time τ and the variance σ² wander over a window of time T; the variance of their change is 2σ²·(1 −
// e^(−T/τ)). The slope fitted to a random walk over the length L has 6/5 of that variance, divided by L². With n fixes on a line stdDev² is
// 12σ²/(n·L²), so the variance of the slope is n/5·(1 − e^(−T/τ)) times stdDev².
func (g *grip) fits(e *estimate, gyro bool, try func(similarity)) {
	entries := g.entries
	if len(entries) < gripLeast {
		return
	}
	last := &entries[len(entries)-1]
	turned, late, apart := 0.0, 0.0, 0.0
	scale, stdDev, bias := e.x.scale(gyro), math.Sqrt(e.p[stateTurn][stateTurn]), 0.0
	if gyro {
		stdDev, bias = math.Sqrt(e.p[stateScale][stateScale]), math.Sqrt(e.p[stateBias][stateBias])
	}
	var w, ww, ff float64 // sums of weights, of squares
	var sw, sf, wf complex128
	for i := len(entries) - 1; i >= 0; i-- {
		entry := &entries[i]
		way, fix, k := entry.way-last.way, entry.fix-last.fix, complex(entry.weight, 0)
		w += entry.weight
		sw += k * way
		sf += k * fix
		ww += entry.weight * (real(way)*real(way) + imag(way)*imag(way))
		ff += entry.weight * (real(fix)*real(fix) + imag(fix)*imag(fix))
		wf += k * cmplx.Conj(way) * fix
		// The way since then was computed by the scale of the turn, and the bias of the gyroscope, as they were known. A bias bends it: on average
		// it is off by half as much as at its begin.
		turned = max(turned, math.Hypot(stdDev, scale-entry.x.scale(gyro))*math.Abs(last.track.yaw-entry.track.yaw))
		if gyro {
			turned = max(turned, math.Hypot(bias, e.x[stateBias]-entry.x[stateBias])*float64(last.stamp-entry.stamp)*1e-9/2)
		}
		late = max(late, cmplx.Abs(last.v-entry.v)*math.Sqrt(e.p[stateDelay][stateDelay]))
		apart = max(apart, math.Abs(last.track.apart-entry.track.apart))
		n := len(entries) - i
		driven := math.Hypot(last.track.x-entry.track.x, last.track.y-entry.track.y)
		if n < gripLeast || float64(last.stamp-entry.stamp)*1e-9 < gripTime || min(driven, cmplx.Abs(way)) < gripWay {
			continue
		}
		s := similarity{n: n, apart: apart, way: cmplx.Abs(way), turned: math.Hypot(turned, late/cmplx.Abs(way)), slow: last.slow}
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

// limit returns approximately the 0.999 quantile of χ² with dof degrees of freedom.
func limit(dof int) float64 { return float64(dof) + 3.1*math.Sqrt(float64(2*dof)) + 6 }

// sigmas returns by how many standard deviations the lengths of both paths differ.
func (s similarity) sigmas() float64 {
	return math.Abs(cmplx.Abs(s.z)-1) / math.Hypot(s.stdDev, s.turned)
}

// contradicts reports whether the fixes moved, within their errors, by far more or less than the wheels.
func (s similarity) contradicts() bool {
	length := cmplx.Abs(s.z)
	return math.Abs(length-1) > gripAlike && s.sigmas() > gripSigmas+excursionSigmas*s.slow &&
		(s.rest-length*length*s.spread < limit(2*s.n-4) || length < gripStuck && s.rest < gripStuck*gripStuck*s.spread)
}

// farther reports whether the fixes moved farther than the wheels, which slip cannot explain.
func (s similarity) farther() bool { return cmplx.Abs(s.z) > 1 }

// moves reports whether the fixes, within their errors, moved like the wheels, apart from the heading.
func (s similarity) moves() bool {
	length := cmplx.Abs(s.z)
	return math.Abs(length-1) < gripAlike && length > gripSigmas*s.stdDev && s.rest-length*length*s.spread < limit(2*s.n-4)
}

// evidence is what the fits over the windows show.
type evidence struct {
	sure     drivenHeading // of the smallest variance, which is 0 if fixes have not moved like the wheels
	straight drivenHeading // the same, of those in which gyroscope and wheels turned alike
	worst    drivenHeading // contradicts the estimated one most
	// contradicts is the shortest fit that contradicts the wheels, since a longer one may reach back to before, and window the one that it is
	// over. n is 0 if none does.
	contradicts similarity
	window      *grip
	stuck       bool // perhaps: an error that grows with the path of the wheels would hide it
}

// takeUp takes up an entry in both windows, and fits those that took it.
func (w *windows) takeUp(entry *gripEntry, e *estimate, gyro bool) (v evidence) {
	near, far := w.near.takeUp(entry), w.far.takeUp(entry)
	if near {
		v.add(&w.near, e, gyro)
	}
	if far && v.contradicts.n == 0 {
		v.add(&w.far, e, gyro)
	}
	return v
}

// add adds the fits over a window.
func (v *evidence) add(g *grip, e *estimate, gyro bool) {
	g.fits(e, gyro, func(s similarity) {
		v.stuck = v.stuck || s.way > stuckWay && cmplx.Abs(s.z) < gripStuck
		if v.contradicts.n == 0 && s.contradicts() {
			v.contradicts, v.window = s, g
		}
		if !s.moves() {
			return
		}
		h := e.drivenHeading(s)
		if math.Abs(h.sigmas) > math.Abs(v.worst.sigmas) {
			v.worst = h
		}
		if s.apart < straightYaw {
			v.straight.narrow(h)
		}
		v.sure.narrow(h)
	})
}

// instead returns the heading to which to turn; its variance is 0 if there is none. If any is wanted it is the best known one, and otherwise
// one that contradicts the estimate.
func (v *evidence) instead(e *estimate, wanted bool) drivenHeading {
	least := float64(turnSigmas)
	if e.fixes.rejections >= refusedFixes {
		least = refusedSigmas
	}
	switch {
	case wanted:
		return v.sure
	case math.Abs(v.worst.sigmas) >= least:
		return v.worst
	}
	return drivenHeading{}
}

// checkGrip takes a position fix that was inserted as event i, and compares the paths of wheels and fixes over windows of all lengths. It
// begins and ends doubts, and replaces a wrong heading: after a wrong initial heading or a turn by hand, the filter would otherwise keep it
// until the fixes are far away.
func (f *EKF) checkGrip(i int) {
	ev := f.hist.at(i)
	e := &ev.after
	if e.mode != f.hist.at(i-1).after.mode {
		f.windows.clear()
		return
	}
	lost := e.mode == PositionKnown || e.proof == sought
	wanted := e.doubt.on || lost
	again := e.way.length < e.contrary
	entry := f.hist.gripEntry(i)
	seen := f.windows.takeUp(&entry, e, f.hist.newestMotion().gyro)
	sure, contradicts := seen.sure, seen.contradicts.n > 0
	if sure.surely() && f.compass.compare(ev.stamp, sure.yaw, sure.variance, &e.way) {
		wanted = true
	}
	instead := seen.instead(e, wanted)
	turns := instead.variance > 0
	shown := seen.straight
	if turns && !wanted {
		shown = instead
	}
	if shown.surely() && f.rivals.compare(shown.yaw, &e.way) {
		if f.rivals.wrong {
			f.counts.GyroWrong++
			f.ForgetGyro(true)
			f.rivals.wrong = true
			return
		}
		f.counts.GyroRight++
	}
	switch {
	case lost && sure.variance > driveYawStdDev*driveYawStdDev:
	case turns && !wanted && again:
		f.windows.coarser(f, ev, instead.sigmas)
	case turns:
		f.windows.clear()
		fix := ev.fix
		f.change(fix.Stamp, func(e *estimate) { e.turnTo(instead.yaw, instead.variance, &fix, &f.cfg) })
	case e.doubt.on || e.mode == PositionKnown:
	case contradicts && seen.contradicts.farther() && again:
		f.windows.coarser(f, ev, seen.contradicts.sigmas())
	case contradicts:
		f.beginDoubt(seen.window, seen.contradicts, ev.fix)
	case seen.stuck, f.rivals.contradict(&e.way): // the heading follows one of the rivals, and may be wrong
		if e.proof == proven {
			f.change(ev.stamp, func(e *estimate) { e.proof = told })
		}
	case e.proof != proven && sure.surely() && sure.off*sure.off < 4*sure.variance:
		f.change(ev.stamp, func(e *estimate) { e.proof = proven })
	}
}

// coarser enlarges the assumed error of fixes after a fix has contradicted the heading by a number of standard deviations. The heading may be
// right, or come from such an error: the windows stay, to show it.
func (w *windows) coarser(f *EKF, ev *event, sigmas float64) {
	growth := sigmas * sigmas / (againSigmas * againSigmas)
	for _, g := range [...]*grip{&w.near, &w.far} {
		for i := range g.entries {
			entry := &g.entries[i]
			more := 1 + entry.slow*(growth-1)
			entry.weight /= more
			entry.slow *= growth / more
		}
	}
	fix := ev.fix
	f.change(ev.stamp, func(e *estimate) {
		if e.mode != Running {
			return
		}
		e.receiver.coarser(growth)
		e.counts.Coarser++
		e.contrary = e.way.length + againWay
		e.forgetSlip(&f.cfg.Motion)
		e.placeByHeading(&fix)
		e.trust()
		e.proof = sought
		e.doubtYaw()
	})
}

// takeUp adds an entry to the window, and drops those with which it can no longer be compared. In a full window it makes room: it drops the
// oldest entry or, so that the window grows, each second one. It returns false for an entry that is too close to the last one, or late. The
// far window takes none while the robot stands.
func (g *grip) takeUp(entry *gripEntry) bool {
	if n := len(g.entries); n > 0 {
		first, last := &g.entries[0], &g.entries[n-1]
		farthest := gripFar*cmplx.Abs(entry.way-last.way) + gripSigmas*math.Sqrt(1/entry.weight+1/last.weight)
		switch {
		case float64(entry.stamp-last.stamp)*1e-9 < g.spacing, g.far && entry.track.length-last.track.length < standsStill:
			return false
		case cmplx.Abs(entry.fix-last.fix) > farthest: // the receiver has jumped, or the robot was carried
			g.clear()
		case n < cap(g.entries):
		case g.far && entry.track.length-first.track.length < farLength:
			for i := range n / 2 {
				g.entries[i] = g.entries[2*i]
			}
			g.entries = g.entries[:n/2]
			g.spacing *= 2
		default:
			g.entries = slices.Delete(g.entries, 0, 1)
			g.spacing = max(g.spacing/2, gripSpacing)
		}
	}
	g.entries = append(g.entries, *entry)
	return true
}

// gripEntry returns the entry of the fix that is event i.
func (h *history) gripEntry(i int) gripEntry {
	ev, before := h.at(i), &h.at(i-1).after
	e := &ev.after
	variance, slow := e.receiver.total(&ev.fix)
	return gripEntry{
		slow:   slow,
		stamp:  ev.stamp,
		way:    e.delayed.on(&e.way, e.x[stateDelay]),
		fix:    complex(ev.fix.X, ev.fix.Y),
		v:      e.delayed.v * cmplx.Rect(1, e.way.yaw),
		weight: 1 / (variance + gripFloor*gripFloor),
		track:  e.way,
		x:      before.x,
	}
}

// moved returns the sum of the wheels' path and turns, m + rad.
func (t *track) moved() float64 { return t.length + t.turned }

// antenna returns the antenna's position on the track.
func (t *track) antenna(l localization.Lever) complex128 { return at(l, t.x, t.y, t.yaw) }

// follow advances the track. scale is the configured one of the wheels' turns.
func (t *track) follow(m *motion, x *stateVector, scale float64) {
	turned := x.turned(m)
	sin, cos := math.Sincos(t.yaw + turned/2)
	t.x += cos*m.dx - sin*m.dy
	t.y += sin*m.dx + cos*m.dy
	t.yaw += turned
	t.length += math.Hypot(m.dx, m.dy)
	t.turned += math.Abs(m.turn)
	rolled := scale * m.turn
	t.rolled += rolled
	if m.heard {
		t.apart += x.spun(m) - rolled
	}
}
