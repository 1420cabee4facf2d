// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"fmt"
	"math"
	"math/cmplx"
	"time"
)

const (
	// deviations is the number of standard deviations by which a fix may be wrong along the direction to the fence.
	deviations = 3
	// pairDeviations is that number for the distance between two fixes in the plane. Normal
	// errors exceed it once in 270,000 pairs (Rayleigh).
	pairDeviations = 5.5
	// minStdDev is the smallest standard deviation that is believed, m: that of RTK.
	minStdDev = 0.02
	// FloatStdDev is the smallest standard deviation for a float solution of the carrier phase, m. Such solutions state centimetres; half
	// of the recorded ones were wrong by more than FloatStdDev.
	FloatStdDev = 0.8
	// slip is the error of wheels as a share of the path; skid is their error as a share of a turned angle, since four wheels turn a robot
	// by dragging; bend is the turn by wheels of slightly different size, rad/m.
	slip, skid, bend = 0.08, 0.3, 0.02
	// bendLearnt is the path over which a bend is learnt, m.
	bendLearnt = 150.0
	// astray is the rate at which the wheels' direction follows fixes that move as far but in another direction, rad/m.
	astray = 0.15
	// lag is the largest difference between the times of wheels and fixes, s.
	lag = 0.2
	// stretches is the number of fixes kept as starting points of stretches, which are compared with the wheels, and shortest is the least
	// length of a stretch, m.
	stretches, shortest = 64, 1.0
	// straight is the least length of a stretch as a share of its path, unless the robot turned by less than skid: after a turn and some
	// distance back, the error of the turn is amplified.
	straight = 0.7
	// measured is the number of fixes after which their noise is known.
	measured = 10
	// noisy is the least ratio of the length of a stretch to the wander of the fixes on it.
	noisy = 5.0
	// wanders limits the assumed wander of fixes on a stretch to this much above their stated deviation, m, and to twice that deviation.
	// With a larger limit, a robot under trees hardly ever drives straight for long enough; with a smaller one, stuck fixes that wander
	// look like those of a driving robot.
	wanders = 1.0
	// follow is how far the wheel position may follow the fixes on each metre on which both agree, m.
	follow = 0.1
	// stretched is the largest relative change of the wheels' scale per metre.
	stretched = 0.01
	// held is the distance that the wheels may show between two identical fixes of a receiver that holds its fix while the robot stands, m.
	held = 0.3
	// coarse is the standard deviation of a receiver that wanders as fast as others drift, m. With a better receiver, follow and stretched
	// are reduced in proportion while the robot drives, since a drift looks like slip.
	coarse = 0.4
	// pause is how long wheels and fixes must stand still together to exclude a drift, s.
	pause = 1.5
	// slowest is the speed of the slowest drift that such a stand must exclude, m/s, at least twice the standard deviation of the fixes per second.
	slowest = 0.05
	// lasting is the longest assumed duration of a drift, s: honest errors wander, too, and return.
	lasting = 20.0
	// fastest is the speed of the fastest drift that stays hidden while the robot drives, m/s.
	fastest = 0.5
	// dragged is the share of the distance between both positions by which a drift may have dragged the wheel position along.
	dragged = 0.8
	// mostScale is the largest factor by which wheels measure too much or too little.
	mostScale = 1.55
	// disagree is the difference between fixes and wheels, as a share of a stretch, from which on they do not agree at all.
	disagree = 0.5
	// fades is how much a jump shrinks on each metre on which fixes and wheels agree, m.
	fades = 0.005
	// comesBack is the time in which fixes that have jumped may return, s.
	comesBack = 75.0
	// outage is the path, m, and gone the time without a fix, after which the next fix is treated as a jump; the time must also be twice
	// the usual interval.
	outage, gone = 3.0, 5 * time.Second
	// founders is the number of consistent fixes in a row that confirm a jump, since one may be an outlier; after atLast fixes, even
	// inconsistent ones do.
	founders, atLast = 2, 5
)

// sighting is a fix, with the state of the wheels at its stamp.
type sighting struct {
	mark
	sent   int64      // its stamp, ns
	place  complex128 // m, of the antenna
	stdDev float64    // m, along the worst direction
}

// places holds what the possible positions of the robot follow from: the fix position, the wheel position, and the jumps of the fixes.
type places struct {
	known bool
	shown bool // since the first fix, fixes have shown that the robot moves
	last  sighting
	rival sighting // the newest of those that jumped
	count int      // number of these in a row

	turn   complex128 // rotation and scale from the wheels' frame to that of the fixes; 0: not known yet
	shift  complex128 // m: according to the wheels, the robot is at shift + turn·at
	loose  float64    // m, by which the wheel position may be wrong in addition to the error of the fixes
	angle  float64    // rad, by which turn may be rotated
	scale  float64    // part by which it may be scaled
	learnt float64    // m, length over which turn was learnt
	room   float64    // relative error that turn may have
	rested sighting   // the last fix while fixes and wheels stood still together
	held   float64    // room then: it still holds if fixes have drifted since
	bent   float64    // rad, by which turn was corrected with the last fix, as far as such a turn explains it
	since  mark       // at the end of the last stretch on which both agreed, or at the first fix

	refs  [stretches]sighting // a ring
	kept  int
	every float64 // s, between two fixes, smoothed
	step  float64 // square of the noise from fix to fix, m²
	n     float64 // number of fixes averaged in step, up to 16
	slow  float64 // wander of the fixes on a stretch, m

	white alternation // of the fixes

	stand  sighting // the first fix since the wheels stopped
	course course   // of the fixes since then
	credit float64  // m, by which the wheel position may follow the fixes once both stand still together
	drift  float64  // m, by which fixes have drifted since they last stood still

	strays   float64    // deviation of the newest fix from the wheels, as a share of the path to it
	jumped   complex128 // m, by which fixes have jumped, fading: the robot may be where they would be without
	wrong    float64    // m, by which the wheel position may have been wrong when fixes first jumped
	followed complex128 // m, by which it has followed them since
	leapt    int64      // when they last jumped away, ns
	blind    span       // the last outage after which fixes were elsewhere
	usual    float64    // m, mean distance between both positions
}

// span is an outage.
type span struct {
	from, to  sighting
	explained float64    // m, part of the difference between fixes and wheels over it that is no jump
	jumped    complex128 // m, what is taken for a jump; 0: nothing, or it will not be judged again
	again     float64    // the distance from its end at which it is judged again, m
}

// jump returns what is a jump of the fixes if the wheels turn and measure by a factor, m.
func (s *span) jump(turn complex128) complex128 {
	differ := s.to.place - s.from.place - turn*(s.to.at-s.from.at)
	return shorten(differ, cmplx.Abs(differ)-s.explained)
}

// judgeAgain judges the jump over the last outage again once fixes have shown in which direction the robot drives since: if it is another
// than was believed, and explains most of the jump, the robot is elsewhere, and the fixes have not jumped. It does so again whenever the robot
// has driven twice as far.
func (p *places) judgeAgain(f *sighting) {
	s := &p.blind
	way := p.turn * (f.at - s.to.at)
	if s.jumped == 0 || cmplx.Abs(way) < s.again {
		return
	}
	if jump := s.jump(p.turn * cmplx.Rect(1, cmplx.Phase((f.place-s.to.place)/way))); cmplx.Abs(jump) < cmplx.Abs(s.jumped)/2 {
		p.shift += s.jumped - jump
		if now := p.jumped - s.jumped + jump; cmplx.Abs(now) < cmplx.Abs(p.jumped) { // it may have faded
			p.jumped = now
		}
		s.jumped = jump
	}
	if s.again *= 2; s.again > 2*cmplx.Abs(s.to.at-s.from.at) { // the direction may have changed since
		s.jumped = 0
	}
}

// begin believes a fix. What was learnt about the wheels before stays valid if this fix continues from the last one.
func (p *places) begin(f *sighting) {
	turn, kept, held := p.turn, p.kept, p.held
	if is, may := p.gap(&p.last, f); kept == 0 || p.count > 0 || is > may {
		turn, kept, held = 0, 0, 0.5
	}
	refs := p.refs
	*p = places{known: true, last: *f, turn: turn, shift: f.place - turn*f.at, angle: 0.5, scale: 0.5, room: 0.5, held: held, rested: *f, every: p.every, since: f.mark, step: p.step, n: p.n, white: alternation{variance: p.white.variance, n: p.white.n}, slow: 2 * f.stdDev}
	p.stop(f)
	if p.refs, p.kept = refs, kept; kept == 0 {
		p.refs[0], p.kept = *f, 1
	}
}

// wheels returns the wheel position.
func (p *places) wheels(m *mark) complex128 { return p.shift + p.turn*m.at }

// fixes returns the fix position: the last fix, carried forward by the wheels.
func (p *places) fixes(m *mark) complex128 { return p.last.place + p.turn*(m.at-p.last.at) }

// apart returns the distance between both positions, m.
func (p *places) apart(m *mark) float64 { return cmplx.Abs(p.fixes(m) - p.wheels(m)) }

// length returns the length of the stretches on which fixes and wheels are compared, m.
func (p *places) length() float64 {
	slow := p.slow
	if p.turn == 0 && p.n >= measured {
		slow = min(slow, 2*math.Sqrt(p.step))
	}
	return max(shortest, noisy*min(slow, max(0.3, p.last.stdDev+min(p.last.stdDev, wanders))))
}

// showing returns how far a robot drives until one of three stretches should have shown that it moves, m.
func (p *places) showing() float64 { return 3*p.length() + 1 }

// scatter returns the largest plausible distance, m, between two fixes of one place.
func (p *places) scatter(a, b *sighting) float64 {
	return pairDeviations * max(math.Hypot(a.stdDev, b.stdDev), math.Sqrt(p.step/2))
}

// gap returns the difference between the displacement of two fixes and that of the wheels, and the largest plausible difference, m.
func (p *places) gap(from, to *sighting) (is, may float64) {
	path := to.length - from.length
	if is = cmplx.Abs(to.place - from.place - p.turn*(to.at-from.at)); p.turn == 0 {
		is = max(0, is-path)
	}
	// While the direction of the wheels is unknown, they give only the distance.
	wrong := slip + min(1, p.angle+skid*(to.turned-from.turned))
	may = p.scatter(from, to) + wrong*path
	if dt := float64(to.stamp-from.stamp) / 1e9; dt > 0 {
		may += lag * path / max(dt, lag)
	}
	return is, may
}

// lost reports whether a fix comes after an outage.
func (p *places) lost(f *sighting) bool {
	return f.length-p.last.length > outage && float64(f.stamp-p.last.stamp)/1e9 > max(gone.Seconds(), 2*p.every)
}

// turned reports whether the robot can be at the last refused fix if it drove as far as the wheels say, but in another direction: somebody
// may have turned it.
func (p *places) turned() bool {
	way := p.rival.length - p.last.length + pairDeviations*math.Hypot(p.last.stdDev, p.rival.stdDev)
	return p.count > 0 && cmplx.Abs(p.rival.place-p.last.place) < way
}

// newest returns the newest fix, whether it was believed or not.
func (p *places) newest() *sighting {
	if p.count > 0 {
		return &p.rival
	}
	return &p.last
}

// take takes a fix. It is refused as long as it may be an outlier.
func (p *places) take(f *sighting) error {
	is, may := p.gap(&p.last, f)
	before := p.newest()
	again, most := p.gap(before, f)
	jump, fits := 0.0, again <= most
	// On the path to a second fix, a wrong direction explains more. If that fix continues from the first one rather than from those before
	// it, both have jumped.
	if is > may || fits && again < is {
		if math.Abs(cmplx.Abs(f.place-before.place)-cmplx.Abs(p.turn*(f.at-before.at))) > most {
			p.kept = 0 // not even the distances agree: such fixes show nothing about the wheels
		}
		p.rival = *f
		if p.count++; p.count < founders || !fits && p.count < atLast {
			return fmt.Errorf("it is %.3g m from the position expected from the last fix and the wheels; at most %.3g m are plausible", is, may)
		}
		jump = is
	} else if p.lost(f) {
		if jump, p.loose = is, 0; p.eager() == 1 { // fixes may have returned displaced: the jump is the part that a wandering receiver does not explain
			jump = max(0, is-may)
		}
	} else if p.count == 0 {
		p.n = min(16, p.n+1)
		p.step += (is*is - p.step) / p.n
	}
	p.count, p.strays = 0, 0
	if path := f.length - p.last.length; path > 0 {
		p.strays = max(0, is-pairDeviations*math.Hypot(p.last.stdDev, f.stdDev)) / path
	}

	if jump > 0 && p.turn != 0 && p.lost(f) {
		p.blind = span{from: p.last, to: *f, explained: is - jump, again: 2 * p.length()}
		p.blind.jumped = p.blind.jump(p.turn)
	}
	p.leap(&p.last, f, jump)
	rolled := cmplx.Abs(p.turn * (f.at - p.last.at))
	p.angle = min(1, p.angle+skid*(f.turned-p.last.turned)+f.vague*bend*rolled)
	p.scale = min(0.5, p.scale+stretched*p.eager()*rolled)
	p.learnt /= 1 + 2*(f.turned-p.last.turned)
	agreement := p.compare(f, rolled)
	if jump > 0 {
		p.credit = 0
	} else if agreement > 0 {
		// A difference that slip has caused is corrected faster than a jump.
		off := f.place - p.wheels(&f.mark)
		part := agreement * rolled * max(follow, (cmplx.Abs(off)-cmplx.Abs(p.jumped))/15)
		p.approach(off, p.eager()*part)
		p.credit += (1 - p.eager()) * part
		p.loose, p.since, p.shown = 0, f.mark, true
		// The uncertainty shrinks with what has been confirmed.
		sure := 1 - min(1, agreement*rolled/p.length()/4)
		p.angle *= sure
		p.scale *= sure
		p.room *= sure
		p.jumped = shorten(p.jumped, cmplx.Abs(p.jumped)-fades*agreement*rolled)
		p.usual += (cmplx.Abs(off) - p.usual) * min(1, rolled/30)
		p.judgeAgain(f)
	}
	p.every += (float64(f.stamp-p.last.stamp)/1e9 - p.every) / 4
	p.last = *f
	p.rest(f, jump > 0)
	// Jumps to and fro do not add up: fixes that are back at the wheel position are no farther off than it is.
	p.jumped = shorten(p.jumped, p.apart(&f.mark)+p.wrong+cmplx.Abs(p.followed)+p.loose+p.drifted(&f.mark))
	if ref := &p.refs[max(0, p.kept-1)%stretches]; p.kept == 0 || cmplx.Abs(f.at-ref.at) > p.length()/16 {
		p.refs[p.kept%stretches] = *f
		p.kept++
	}
	return nil
}

// leap records that fixes have jumped by a size, m, away from the wheel position or back to it; 0: they have not.
func (p *places) leap(from, to *sighting, size float64) {
	if size == 0 {
		return
	}
	if was := cmplx.Abs(from.place - p.wheels(&from.mark)); cmplx.Abs(to.place-p.wheels(&to.mark)) < was { // back
		p.drift = 0
	} else {
		if p.jumped == 0 {
			p.wrong, p.followed = p.usual+min(p.credit, was), 0
		}
		p.leapt = to.sent
	}
	p.jumped += shorten(to.place-from.place-p.turn*(to.at-from.at), size)
}

// shorten returns a vector that is no longer than a length.
func shorten(v complex128, length float64) complex128 {
	if far := cmplx.Abs(v); far > max(0, length) {
		return v * complex(max(0, length)/far, 0)
	}
	return v
}

// approach moves the wheel position along off, which leads to the fix, by at most a distance, m.
func (p *places) approach(off complex128, most float64) {
	by := shorten(off, most)
	p.shift += by
	p.followed += by
}

// drifted returns the error of the wheel position, m, if fixes have drifted since both last stood still together: on the first drive, a
// drift looks like another heading and another scale.
func (p *places) drifted(m *mark) float64 {
	return (1 - p.eager()) * p.held * cmplx.Abs(p.turn) * (m.rolled - p.rested.rolled)
}

// eager returns the share of a correction of the wheels by the fixes that is applied at once.
func (p *places) eager() float64 { return min(1, p.last.stdDev/coarse) }

// rest compares a fix with wheels that stand. Slip ends when the wheels stop, and a drift does not. If the fixes also stand still, long
// enough to exclude a drift, the wheel position follows them by the credit that has accumulated since both last stood still; otherwise it
// does not.
func (p *places) rest(f *sighting, jumped bool) {
	if jumped || cmplx.Abs(f.at-p.stand.at) > 0.05 {
		p.stop(f)
		return
	}
	lasts := float64(f.sent-p.stand.sent) / 1e9
	p.course.add(lasts, f.place-p.stand.place)
	moved := cmplx.Abs(f.place-p.stand.place) - p.scatter(&p.stand, f)
	switch {
	case moved > fastest*lasts: // while driving, that would have been a jump
		p.leap(&p.stand, f, moved)
		p.stop(f)
	case moved > 0:
		if p.drift == 0 {
			p.leapt = f.sent
		}
		p.drift = max(p.drift, 1.5*moved/lasts*min(lasting, float64(f.sent-p.rested.sent)/1e9)) // noise hides some of it
		p.stop(f)
	case lasts < pause || !(p.course.fastest(max(f.stdDev, math.Sqrt(p.step/2))) < max(slowest, 2*f.stdDev)):
		return // a drift is not excluded yet
	default:
		p.approach(f.place-p.wheels(&f.mark), p.credit)
		p.drift = max(0, p.drift-p.credit)
		p.rested, p.held = *f, p.room
	}
	p.credit = 0
}

// stop begins a stand at a fix.
func (p *places) stop(f *sighting) { p.stand, p.course = *f, course{n: 1} }

// course is the regression line through the fixes of a standing robot: time and place relative to the first fix, s and m.
type course struct {
	n, t, squares float64
	at, product   complex128
}

func (c *course) add(t float64, at complex128) {
	c.n++
	c.t += t
	c.squares += t * t
	c.at += at
	c.product += complex(t, 0) * at
}

// fastest returns the speed of the fastest drift that the fixes do not exclude, m/s. stdDev is the error of each fix, m.
func (c *course) fastest(stdDev float64) float64 {
	squares := c.squares - c.t*c.t/c.n
	return cmplx.Abs(c.product-complex(c.t/c.n, 0)*c.at)/squares + deviations*stdDev/math.Sqrt(squares)
}

// stretch returns the beginning of the newest stretch to a fix that is straight and long enough, nil if there is none, and the way of the wheels
// on it, m, in the frame of the fixes once that is known.
func (p *places) stretch(f *sighting, length float64) (from *sighting, way complex128) {
	least := length
	if p.turn != 0 && f.rolled-p.since.rolled > 2*length && length > 2*p.scatter(f, f) {
		least /= 2 // a robot that steers drives to and fro to turn, and precise fixes show that, too
	}
	for i := p.kept - 1; i >= max(0, p.kept-stretches); i-- {
		r := &p.refs[i%stretches]
		if f.rolled-r.rolled > 4*length && (i < p.kept-1 || p.turn != 0 && p.lost(f)) { // some receivers send a fix every ten seconds
			break
		}
		way = f.at - r.at
		bent := cmplx.Abs(way) < straight*(f.rolled-r.rolled) && f.turned-r.turned > skid
		if p.turn != 0 {
			way *= p.turn
		}
		if !bent && cmplx.Abs(way) >= least {
			return r, way
		}
	}
	return nil, 0
}

// compare compares the stretch that ends at a fix with the wheels. It learns from it the rotation and scale from the wheels' frame to that
// of the fixes, and returns how well both agree, from 0 to 1; it is 0 also if no stretch is long enough.
func (p *places) compare(f *sighting, rolled float64) float64 {
	length := p.length()
	r, way := p.stretch(f, length)
	if r == nil {
		return 0
	}
	told := f.place - r.place
	k := told / way
	size := cmplx.Abs(k)
	switch {
	case cmplx.Abs(way) < length: // it is too short to learn from
		return max(0, 1-cmplx.Abs(k-1)/disagree)
	case !plausible(size):
		return 0
	case p.turn == 0:
		p.turn, p.shift, p.slow, p.shown = k, f.place-k*f.at, min(p.slow, length/noisy), true
		p.wrong += cmplx.Abs(p.jumped) // the wheel position begins at a fix that may be wrong
		return 1
	}
	// The mean over the stretches since the last large turn.
	p.learnt = min(10*length, p.learnt+rolled)
	part := min(1, 2*rolled/max(length, p.learnt))
	angle := max(-p.angle, min(p.angle, part*cmplx.Phase(k)))
	scale := max(-p.scale, min(p.scale, part*math.Log(size)))
	if !plausible(cmplx.Abs(p.turn) * math.Exp(scale)) {
		scale = 0
	}
	p.angle -= math.Abs(angle)
	if p.angle == 0 { // the robot has turned without the wheels
		p.angle = max(f.vague, p.eager()) * astray * rolled
	}
	p.scale -= math.Abs(scale)
	// A straight stretch bounds both errors, however large they were before.
	worth := pairDeviations*max(math.Hypot(r.stdDev, f.stdDev), math.Sqrt(p.step))/cmplx.Abs(told) + skid*(f.turned-r.turned) + math.Abs(f.yaw-r.yaw)/2
	p.angle = min(p.angle, worth+math.Abs(cmplx.Phase(k)-angle))
	p.scale = min(p.scale, worth+math.Abs(math.Log(size)-scale))
	was := p.wheels(&f.mark)
	p.turn *= cmplx.Rect(math.Exp(scale), angle)
	p.shift = was - p.turn*f.at
	p.bent += max(-bend*rolled, min(bend*rolled, angle))
	way = p.turn * (f.at - r.at)
	differ := cmplx.Abs(told - way)
	p.slow = math.Sqrt(max(0, p.slow*p.slow+(differ*differ-p.slow*p.slow)*min(1, rolled/3/length)))
	return max(0, 1-differ/cmplx.Abs(way)/disagree)
}

// plausible reports whether the wheels can be wrong by a factor.
func plausible(factor float64) bool { return factor > 1/mostScale && factor < mostScale }
