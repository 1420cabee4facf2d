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
	// minStdDev is the least standard deviation that is believed, m: that of RTK.
	minStdDev = 0.02
	// FloatStdDev is what a float solution of the carrier phase is worth at best, m. It states centimetres, and of those
	// recorded half were wrong by more.
	FloatStdDev = 0.8
	// slip is the part of a path by which wheels are wrong, skid the part of a turned angle that is not known, since
	// four wheels turn a robot by dragging, and bend how much wheels that differ a little turn a robot, rad/m.
	slip, skid, bend = 0.08, 0.3, 0.02
	// bendKnown is the part of bend that stays unknown, and bendLearnt the way on which the rest is learnt, m.
	bendKnown, bendLearnt = 0.2, 150.0
	// astray is by how much the direction of the wheels follows that of fixes that go as far, and elsewhere, rad/m.
	astray = 0.15
	// lag is how well the times of wheels and fixes agree, s.
	lag = 0.2
	// stretches is the number of fixes that are kept in order to compare the way from one of them with the wheels, and
	// shortest the least length of such a way, m.
	stretches, shortest = 64, 1.0
	// straight is how long such a way is at least as a part of its path unless the robot turned less than skid on it: after a turn
	// and some way back what is wrong of the turn counts many times.
	straight = 0.7
	// noisy is how many times as long as what the fixes wander on it such a way is.
	noisy = 5.0
	// wanders is by how much more than they state, m, fixes count as wandering on it at most, and at most twice as much. With more a
	// robot under trees hardly ever drives straight for as long; with less fixes that are stuck, and wander, look like those of one that drives.
	wanders = 1.0
	// follow is the part of a metre by which the place of the wheels may follow the fixes for each metre on which both agree.
	follow = 0.1
	// stretched is by how much the scale of the wheels may change on a metre, as a part of it.
	stretched = 0.01
	// coarse is the standard deviation of a receiver that wanders as fast as others drift, m. With a better one, only its part of
	// follow and stretched holds while the robot drives, since a drift looks like slip.
	coarse = 0.4
	// pause is how long wheels and fixes must stand together to show that there is no drift, s.
	pause = 1.5
	// slowest is the speed of the slowest drift that such a stand must exclude, m/s, at least twice the standard deviation of the fixes per second.
	slowest = 0.08
	// lasting is the time for which a drift is taken to have lasted at most, s: honest errors wander, too, and come back.
	lasting = 20.0
	// fastest is the speed of the fastest drift that fixes and wheels do not show while the robot drives, m/s.
	fastest = 0.5
	// dragged is the part of the distance between both places by which the place of the wheels may have gone along with a drift.
	dragged = 0.8
	// mostScale is the largest factor by which wheels tell too much or too little.
	mostScale = 1.55
	// disagree is the part of a way by which fixes and wheels differ that do not agree at all.
	disagree = 0.5
	// fades is the part of a metre by which a jump counts less after each metre on which fixes and wheels agree.
	fades = 0.005
	// comesBack is the time after which fixes that have jumped do not come back, s.
	comesBack = 75.0
	// outage is the path, m, and gone the time without a fix after which a fix counts as one that jumped, at least twice the usual.
	outage, gone = 3.0, 5 * time.Second
	// founders is the number of fixes in a row that are needed for a jump. One may be an outlier.
	founders, atLast = 2, 5
)

// sighting is a fix, with the wheels at its stamp.
type sighting struct {
	mark
	sent   int64      // its stamp, ns
	place  complex128 // m, of the antenna
	stdDev float64    // m, along the worst direction
}

// places are the two places at which the robot can be: where the fixes say, and where the wheels say.
type places struct {
	known bool
	shown bool // fixes have shown since the first one that the robot moves
	last  sighting
	rival sighting // the newest of those that jumped
	count int      // of these in a row

	turn   complex128 // rotation and scale from the wheels' frame to that of the fixes; 0: not known yet
	shift  complex128 // m: the wheels say that the robot is at shift + turn·at
	loose  float64    // m, by which that place may be wrong beside the error of the fixes
	angle  float64    // rad, by which turn may be rotated
	scale  float64    // part by which it may be scaled
	learnt float64    // m, on which turn was learnt
	room   float64    // part by which it may be wrong
	held   float64    // the same when fixes and wheels stood together last, and so if fixes have drifted since
	stood  float64    // m, rolled then
	bends  float64    // rad/m, by which the robot may turn beside what the wheels tell
	bent   float64    // rad, by which turn was corrected with the last fix, as far as such a turn explains it
	since  mark       // at the last stretch on which both agreed, or the first fix

	refs  [stretches]sighting // a ring
	kept  int
	every float64 // s, between two fixes, smoothed
	step  float64 // square of the noise from fix to fix, m²
	n     float64 // number of fixes that it is the mean of, up to 16
	slow  float64 // by how much fixes wander on a stretch, m

	stand  sighting // the first fix since the wheels stand
	course course   // of the fixes from there on
	still  int64    // when they stood together last before, ns
	noise  float64  // m, of fixes that stand, beside what they state
	credit float64  // m, by which the place of the wheels may follow the fixes once they stand together
	drift  float64  // m, by which fixes have drifted since they stood last

	strays float64 // part of the way to the newest fix by which that was elsewhere than the wheels say
	jumped float64 // m, by which fixes have jumped, fading
	leapt  int64   // when they did so last and not back, ns
	usual  float64 // m, by which both places differ, smoothed
}

// begin believes a fix. What fixes have told of the wheels before still holds if this one goes on where they were.
func (p *places) begin(f *sighting) {
	turn, kept, held := p.turn, p.kept, p.held
	if is, may := p.gap(&p.last, f); kept == 0 || p.count > 0 || is > may {
		turn, kept, held = 0, 0, 0.5
	}
	refs := p.refs
	*p = places{known: true, last: *f, turn: turn, shift: f.place - turn*f.at, angle: 0.5, scale: 0.5, room: 0.5, held: held, stood: f.rolled, bends: p.bends, every: p.every, since: f.mark, step: p.step, n: p.n, slow: 2 * f.stdDev, still: f.sent}
	p.stop(f)
	if p.refs, p.kept = refs, kept; kept == 0 {
		p.refs[0], p.kept = *f, 1
	}
}

// wheels returns the place that the wheels say.
func (p *places) wheels(m *mark) complex128 { return p.shift + p.turn*m.at }

// fixes returns the place of the last fix, carried on by the wheels.
func (p *places) fixes(m *mark) complex128 { return p.last.place + p.turn*(m.at-p.last.at) }

// apart returns how far both places are from each other, m.
func (p *places) apart(m *mark) float64 { return cmplx.Abs(p.fixes(m) - p.wheels(m)) }

// length returns how long the way is on which fixes and wheels are compared, m.
func (p *places) length() float64 {
	slow := p.slow
	if p.turn == 0 && p.n >= 10 {
		slow = min(slow, 2*math.Sqrt(p.step))
	}
	return max(shortest, noisy*min(slow, max(0.3, p.last.stdDev+min(p.last.stdDev, wanders))))
}

// showing returns how far a robot drives until one of three ways should have shown that it moves, m.
func (p *places) showing() float64 { return 3*p.length() + 1 }

// gap returns by how much the way from one fix to another differs from that of the wheels, and by how much it may, m.
func (p *places) gap(from, to *sighting) (is, may float64) {
	path := to.length - from.length
	if is = cmplx.Abs(to.place - from.place - p.turn*(to.at-from.at)); p.turn == 0 {
		is = max(0, is-path)
	}
	// Wheels whose direction is not known yet tell only how far it is.
	wrong := slip + min(1, p.angle+skid*(to.turned-from.turned))
	may = pairDeviations*max(math.Hypot(from.stdDev, to.stdDev), math.Sqrt(p.step/2)) + wrong*path
	if dt := float64(to.stamp-from.stamp) / 1e9; dt > 0 {
		may += lag * path / max(dt, lag)
	}
	return is, may
}

// lost reports whether a fix comes after an outage.
func (p *places) lost(f *sighting) bool {
	return f.length-p.last.length > outage && float64(f.stamp-p.last.stamp)/1e9 > max(gone.Seconds(), 2*p.every)
}

// torn reports whether the way from one fix to another is not as long as that of the wheels, wherever it goes: it tells nothing of them.
func (p *places) torn(from, to *sighting, may float64) bool {
	return math.Abs(cmplx.Abs(to.place-from.place)-cmplx.Abs(p.turn*(to.at-from.at))) > may
}

// turned reports whether the fix that was refused last is where a robot can be that drives as far as the wheels say, and in another
// direction: somebody may have turned it.
func (p *places) turned() bool {
	way := p.rival.length - p.last.length + pairDeviations*math.Hypot(p.last.stdDev, p.rival.stdDev)
	return p.count > 0 && cmplx.Abs(p.rival.place-p.last.place) < way
}

// take takes a fix. It is refused as long as it may be an outlier.
func (p *places) take(f *sighting) error {
	is, may := p.gap(&p.last, f)
	jump := 0.0
	again, most := math.Inf(1), 0.0 // there is no rival
	if p.count > 0 {
		again, most = p.gap(&p.rival, f)
	}
	fits := again <= most
	if is > may || fits && again < is { // two that jumped alike are no outliers, even if wheels could have made up for it by now
		if p.count == 0 && p.torn(&p.last, f, may) || p.count > 0 && p.torn(&p.rival, f, most) {
			p.kept = 0
		}
		p.rival = *f
		if p.count++; p.count < founders || !fits && p.count < atLast {
			return fmt.Errorf("it is %.3g m from where the wheels and the one before say, and at most %.3g m are likely", is, may)
		}
		jump = is
	} else if p.lost(f) {
		if jump, p.loose = is, 0; p.eager() == 1 { // it may be back elsewhere than it says, by what is not likely of a receiver that wanders
			jump = max(0, is-may)
		}
	} else if p.count == 0 {
		p.n = min(16, p.n+1)
		p.step += (is*is - p.step) / p.n
	}
	p.count, p.strays = 0, 0
	if path := f.length - p.last.length; path > 0 && jump == 0 {
		p.strays = max(0, is-pairDeviations*math.Hypot(p.last.stdDev, f.stdDev)) / path
	}

	p.leap(&p.last, f, jump)
	rolled := cmplx.Abs(p.turn * (f.at - p.last.at))
	p.angle = min(1, p.angle+skid*(f.turned-p.last.turned)+f.vague*bend*rolled)
	p.scale = min(0.5, p.scale+stretched*p.eager()*rolled)
	p.learnt /= 1 + 2*(f.turned-p.last.turned)
	agreement := p.compare(f, rolled)
	if agreement < 0 || jump > 0 {
		p.credit = 0
	} else if agreement > 0 {
		// What has grown by slip goes sooner than a jump.
		off := f.place - p.wheels(&f.mark)
		if far := cmplx.Abs(off); far > 0 {
			part := agreement * rolled * max(follow, (far-p.jumped)/15)
			p.shift += off * complex(min(1, p.eager()*part/far), 0)
			p.credit += (1 - p.eager()) * part
		}
		p.loose, p.since, p.shown = 0, f.mark, true
		// What has proved right needs no more room.
		sure := 1 - min(1, agreement*rolled/p.length()/4)
		p.angle *= sure
		p.scale *= sure
		p.room *= sure
		p.bends = max(bendKnown*bend, p.bends*(1-min(1, agreement*rolled/bendLearnt)))
		p.jumped = max(0, p.jumped-fades*agreement*rolled)
		p.usual += (cmplx.Abs(off) - p.usual) * min(1, rolled/30)
	}
	p.every += (float64(f.stamp-p.last.stamp)/1e9 - p.every) / 4
	p.last = *f
	p.rest(f, jump > 0)
	if ref := &p.refs[max(0, p.kept-1)%stretches]; p.kept == 0 || cmplx.Abs(f.at-ref.at) > p.length()/16 {
		p.refs[p.kept%stretches] = *f
		p.kept++
	}
	return nil
}

// leap takes up that fixes have jumped by a size, m, 0 for not at all: away from where the wheels say, or back.
func (p *places) leap(from, to *sighting, size float64) {
	if size > 0 && cmplx.Abs(to.place-p.wheels(&to.mark)) < cmplx.Abs(from.place-p.wheels(&from.mark)) {
		p.jumped, p.drift = math.Sqrt(max(0, p.jumped*p.jumped-size*size)), 0
	} else if size > 0 {
		p.jumped, p.leapt = math.Hypot(p.jumped, size), to.sent
	}
}

// drifted returns by how much the place of the wheels may be wrong, m, if fixes have drifted since both stood together: on the first way
// a drift passes for another heading and another scale.
func (p *places) drifted(m *mark) float64 {
	return (1 - p.eager()) * p.held * cmplx.Abs(p.turn) * (m.rolled - p.stood)
}

// eager returns the part of what fixes tell of the wheels that is believed at once.
func (p *places) eager() float64 { return min(1, p.last.stdDev/coarse) }

// rest holds a fix against wheels that stand. Slip ends with the wheels, and a drift goes on: if the fixes stand, too, for so long that a
// drift would show, the place of the wheels follows them by what both have agreed on since they stood last, and otherwise it does not.
func (p *places) rest(f *sighting, jumped bool) {
	if jumped || cmplx.Abs(f.at-p.stand.at) > 0.05 || math.Abs(f.yaw-p.stand.yaw) > 0.1 {
		p.stop(f)
		return
	}
	if p.turn == 0 {
		p.noise = math.Sqrt(p.step) + p.slow
	}
	lasts := float64(f.sent-p.stand.sent) / 1e9
	p.course.add(lasts, f.place-p.stand.place)
	moved := cmplx.Abs(f.place-p.stand.place) - pairDeviations*math.Hypot(p.stand.stdDev, f.stdDev) - p.noise
	if moved > fastest*lasts { // on the way that would have been a jump
		p.leap(&p.stand, f, moved)
		p.stop(f)
		p.credit = 0
	} else if moved > 0 {
		if p.drift == 0 {
			p.leapt = f.sent
		}
		p.drift = max(p.drift, 1.5*moved/lasts*min(lasting, float64(f.sent-p.still)/1e9)) // noise hides some of it
		p.stop(f)
		p.credit = 0
	} else if lasts >= pause && p.course.fastest(max(f.stdDev, math.Sqrt(p.step/2))) < max(slowest, 2*f.stdDev) {
		p.noise = math.Sqrt(p.step) + p.slow
		if off := f.place - p.wheels(&f.mark); off != 0 {
			p.shift += off * complex(min(1, p.credit/cmplx.Abs(off)), 0)
			// With a gyroscope, too, less of it is slip.
			p.usual = max(p.usual, (1-f.vague)*dragged*min(p.credit, cmplx.Abs(off)-deviations*f.stdDev-p.jumped))
		}
		p.drift, p.credit, p.still = max(0, p.drift-p.credit), 0, f.sent
		p.held, p.stood = p.room, f.rolled
	}
}

// stop begins a stand with a fix.
func (p *places) stop(f *sighting) { p.stand, p.course = *f, course{n: 1} }

// course is the line through the fixes of a robot that stands, by the time and place since the first one, s and m.
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

// fastest returns the speed of the fastest drift that the fixes do not exclude, m/s. Each errs by a standard deviation, m.
func (c *course) fastest(stdDev float64) float64 {
	squares := c.squares - c.t*c.t/c.n
	return cmplx.Abs(c.product-complex(c.t/c.n, 0)*c.at)/squares + deviations*stdDev/math.Sqrt(squares)
}

// compare holds the way to a fix against that of the wheels. It learns from it what rotates the wheels' frame into that of the
// fixes, and returns how well both agree, 0 to 1, or -1 where they contradict each other.
func (p *places) compare(f *sighting, rolled float64) float64 {
	length := p.length()
	for i := p.kept - 1; i >= max(0, p.kept-stretches); i-- {
		r := &p.refs[i%stretches]
		if f.rolled-r.rolled > 4*length && (i < p.kept-1 || p.turn != 0 && p.lost(f)) { // some receivers send a fix each ten seconds
			break
		}
		way := f.at - r.at
		if p.turn != 0 {
			way *= complex(cmplx.Abs(p.turn), 0)
		}
		if cmplx.Abs(way) < length || cmplx.Abs(f.at-r.at) < straight*(f.rolled-r.rolled) && f.turned-r.turned > skid {
			continue
		}
		told := f.place - r.place
		if p.turn == 0 {
			if k := told / way; plausible(cmplx.Abs(k)) {
				p.turn, p.shift, p.slow, p.shown = k, f.place-k*f.at, min(p.slow, length/noisy), true
				return 1
			}
			return -1
		}
		k := told / way / p.turn * complex(cmplx.Abs(p.turn), 0) // both ways in the frame of the fixes
		if size := cmplx.Abs(k); plausible(size) {
			// The mean over the stretches since it turned much.
			p.learnt = min(10*length, p.learnt+rolled)
			part := min(1, 2*rolled/max(length, p.learnt))
			angle := max(-p.angle, min(p.angle, part*cmplx.Phase(k)))
			scale := max(-p.scale, min(p.scale, part*math.Log(size)))
			if !plausible(cmplx.Abs(p.turn) * math.Exp(scale)) {
				scale = 0
			}
			p.angle -= math.Abs(angle)
			if p.angle == 0 { // it has turned without the wheels
				p.angle = max(f.vague, p.eager()) * astray * rolled
			}
			p.scale -= math.Abs(scale)
			// A straight stretch has shown them to so much, whatever they were before.
			worth := pairDeviations*max(math.Hypot(r.stdDev, f.stdDev), math.Sqrt(p.step))/cmplx.Abs(told) + skid*(f.turned-r.turned) + math.Abs(f.yaw-r.yaw)/2
			p.angle = min(p.angle, worth+math.Abs(cmplx.Phase(k)-angle))
			p.scale = min(p.scale, worth+math.Abs(math.Log(size)-scale))
			was := p.wheels(&f.mark)
			p.turn *= cmplx.Rect(math.Exp(scale), angle)
			p.shift = was - p.turn*f.at
			if p.learnt > 5*length { // before, what is wrong of a turn is corrected
				p.bent += max(-bend*rolled, min(bend*rolled, angle))
			}
			differ := cmplx.Abs(told - p.turn*(f.at-r.at))
			part = differ / cmplx.Abs(p.turn*(f.at-r.at))
			p.slow = math.Sqrt(max(0, p.slow*p.slow+(differ*differ-p.slow*p.slow)*min(1, rolled/3/length)))
			return max(0, 1-part/disagree)
		}
		return -1
	}
	return 0
}

// plausible reports whether the wheels can be wrong by a factor.
func plausible(factor float64) bool { return factor > 1/mostScale && factor < mostScale }
