// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
)

const (
	// maxTurn is the largest plausible turn rate, rad/s, as [localization.MostSpeed] is the largest speed. A single absurd message would add a path
	// that no fix can correct.
	maxTurn = 100.0
	// silence is the time without odometry after which the robot must stand, s.
	silence = 1.0
	// leap is the longest time between two calls. After that, the base has stopped by itself.
	leap = 5 * time.Second
	// inwards is the speed at which a robot may always leave the edge, m/s.
	inwards = 0.3
	// inwardsLost is how much clearance a robot that leaves the edge may lose, m. If it loses more, it does not drive in the direction that
	// it seems to.
	inwardsLost = 0.3
	// swing is how far beyond the fence a robot may swing, m.
	swing = 0.05
	// entering is how far a robot may drive until its heading is known, m: shortest, plus an allowance for turning.
	entering = 1.4
	// recovery is the rate at which the allowed speed rises again, m/s², and creep its least value, m/s. The clearance shrinks between two
	// fixes; without this limit the robot would jerk with each fix.
	recovery, creep = 0.5, 0.1
	// surely is the ratio of the largest possible size of a jump to its measured size.
	surely = 1.1
	// excursion is the number of stated standard deviations by which the error of fixes may exceed its usual size for a minute. Recorded
	// excursions have median peaks of 1 to 6 standard deviations.
	excursion = 6
	// shows is the distance that a robot drives until fixes have shown its heading, in stated standard deviations: robots with simulated
	// receivers of 1.5 to 3 m drove 2 to 4 of them. It applies to a receiver whose noise is not known after settles, such as one that holds
	// its fix while the robot stands.
	shows, settles = 4.0, 15 * time.Second
	// crawl is the least allowed speed, m/s. At lower speeds, a robot at the fence would follow each fix that errs inwards.
	crawl = 0.05
)

// Config describes the robot and what its owner allows.
type Config struct {
	// Allowance is how far outside the outline, and inside a keep-out, the robot may get, m.
	Allowance float64
	// Antenna is where the receiver's antenna is on the robot, forward and left of its base, m.
	Antenna orb.Point
}

// Guard bounds the possible positions of a robot. All times are of one clock, ns. It is not safe for concurrent use. After New, only errors
// allocate.
type Guard struct {
	cfg      Config
	distance func(orb.Point) float64

	wheels  wheels
	heard   int64 // time of the last odometry; 0: none has come, or the last was refused
	places  places
	late    lateness
	turns   localization.Turns
	came    int64      // when the last fix came
	open    float64    // m beyond the fence that the robot may use: swing, or more if it began near the fence or outside
	limit   float64    // allowed speed, m/s
	limited int64      // when limit was computed
	vouched int64      // when a person last vouched for the robot
	best    [4]float64 // largest clearance since the robot may only leave the edge, m; -Inf while it may drive in any direction
	unseen  float64    // m driven before consecutive calls of Reset, while the fixes stayed where they were
	stays   sighting   // the fix where they were
	stated  [2]float64 // largest standard deviation of the believed fixes of this minute and of the one before, m
	minute  int64      // when this minute began, ns
}

// New returns a guard that has no fix yet. distance is the signed distance to the outline and
// the keep-outs, m, positive where the robot may be; it must change by at most 1 per metre.
func New(distance func(orb.Point) float64, cfg Config) *Guard {
	return &Guard{cfg: cfg, distance: distance, open: swing, wheels: wheels{antenna: complex(cfg.Antenna[0], cfg.Antenna[1]), gain: 1, brakes: unproven}}
}

// Enclose changes the fence and the allowance. What is known about the robot's position stays.
func (g *Guard) Enclose(distance func(orb.Point) float64, cfg Config) {
	if cfg.Antenna != g.cfg.Antenna {
		g.wheels.antenna = complex(cfg.Antenna[0], cfg.Antenna[1])
	}
	g.distance, g.cfg = distance, cfg
}

// Reset forgets all fixes, because a person vouches for the robot's position. The next fix is believed. While the fixes stay at one place,
// each further Reset grants half of the remaining distance: see unshown. A person who vouches all the time does so again only when the guard
// would stop the robot: what fixes show meanwhile counts.
func (g *Guard) Reset() {
	w, p := &g.wheels, &g.places
	if g.vouched != 0 && w.stamp-g.vouched <= int64(time.Second) && g.Stops(w.stamp) == "" {
		g.vouched = w.stamp
		return
	}
	if p.known && w.length-p.since.length > p.length() { // as far as it drove the fixes went elsewhere: somebody may have turned it
		p.turn, p.kept = 0, 0
	}
	if p.known && cmplx.Abs(p.last.place-g.stays.place) > p.scatter(&p.last, &g.stays) {
		g.unseen, g.stays = 0, p.last
	} else if p.known && w.stamp-g.vouched > int64(time.Second) {
		g.unseen += min(w.length-p.since.length, p.showing())
	}
	g.vouched = max(1, w.stamp)
	g.places.known, g.open = false, swing
}

// Restart forgets all that was received, because a simulation has begun again: fence and allowance stay.
func (g *Guard) Restart() { *g = *New(g.distance, g.cfg) }

// advance adds the distance that the robot can have driven until now. If time goes back or leaps, a clock was set, or this process was
// suspended.
func (g *Guard) advance(now int64) {
	w, p := &g.wheels, &g.places
	if since := now - w.stamp; w.stamp != 0 && (since < 0 || since > int64(leap)) {
		g.jump(now)
	}
	rolled, length := w.rolled, w.length
	silent := g.silent(now)
	if silent {
		w.brake()
	}
	w.advance(now)
	if p.turn == 0 || silent {
		p.loose += w.length - length
	} else {
		p.loose += cmplx.Abs(p.turn) * (w.rolled - rolled) * min(excess, slip+p.room+skid*(w.turned-p.since.turned)+w.vague*bend*(w.rolled-p.since.rolled))
	}
}

// silent reports whether the speed of the wheels is not known.
func (g *Guard) silent(now int64) bool {
	return g.heard == 0 || float64(now-g.heard)/1e9 > silence
}

// jump treats the time until now as none: this does not move the robot.
func (g *Guard) jump(now int64) {
	by := now - g.wheels.stamp
	if g.heard != 0 {
		g.heard += by
	}
	g.limited += by
	g.came += by
	g.minute += by
	g.wheels.gyro.heard += by
	g.wheels.stamp, g.wheels.kept = now, 0
}

// Odometry takes the wheels' speeds forward and to the left, m/s, and their yaw rate, rad/s. It returns an error if these are implausible:
// the robot must then stand until plausible odometry comes.
func (g *Guard) Odometry(now int64, forward, left, rate float64) error {
	g.advance(now)
	if !(math.Hypot(forward, left) <= localization.MostSpeed && math.Abs(rate) <= maxTurn) {
		g.heard = 0
		return fmt.Errorf("its speeds are %.3g and %.3g m/s, and its yaw rate is %.3g rad/s, want at most %g m/s and %g rad/s", forward, left, rate, localization.MostSpeed, maxTurn)
	}
	g.wheels.measure(forward, left, rate)
	g.heard = now
	return nil
}

// Gyroscope takes the yaw rate of a gyroscope, rad/s counter-clockwise. The rate replaces that of the wheels while both agree. It returns
// an error if the rate is implausible.
func (g *Guard) Gyroscope(now int64, rate float64) error {
	g.advance(now)
	if !(math.Abs(rate) <= maxTurn) {
		return fmt.Errorf("its yaw rate is %g rad/s, want at most %g rad/s", rate, maxTurn)
	}
	g.wheels.gyro.measure(now, rate)
	return nil
}

// Command takes the commanded speeds forward and to the left, m/s.
func (g *Guard) Command(now int64, forward, left float64) {
	g.advance(now)
	g.wheels.tell(math.Hypot(forward, left))
}

// Fix takes a position fix of the antenna in the frame of the fence, with the standard deviation in the direction in which it is largest,
// m. It returns an error if the fix is not believed.
func (g *Guard) Fix(now, stamp int64, at orb.Point, stdDev float64) error {
	g.advance(now)
	p, place, known := &g.places, complex(at[0], at[1]), g.wheels.knows(stamp)
	repeated := p.known && place == p.last.place
	if known {
		g.came = now
		if !repeated && g.late.hear(&g.wheels, stamp, place, p.scatter(&sighting{stdDev: stdDev}, &p.last)) {
			p.last.mark = g.wheels.then(p.last.sent - g.late.by())
		}
	}
	f := sighting{mark: g.wheels.then(stamp - g.late.by()), sent: stamp, place: place, stdDev: max(stdDev, minStdDev)}
	switch {
	case !num.Finite(at[0]) || !num.Finite(at[1]) || !num.Finite(stdDev) || stdDev < 0:
		return fmt.Errorf("its position (%g, %g) or its standard deviation, %g m, is not a valid number", at[0], at[1], stdDev)
	case !known:
		return unusable(time.Duration(now - stamp))
	case repeated && f.sent-p.last.sent < int64(localization.RepeatTime) && f.at != p.last.at: // it was measured once, and the robot drives
		return nil
	case repeated:
		p.rest(&f, false)
		if cmplx.Abs(f.at-p.last.at) < held {
			return nil
		}
		return errors.New("it is identical to the previous fix, although the robot has moved")
	}
	var err error
	if p.known {
		p.scatters(&f)
		g.learnAntenna(&f)
		err = p.take(&f)
	} else {
		p.begin(&f)
		g.open = math.Inf(1)
	}
	if now-g.minute >= int64(time.Minute) {
		g.minute, g.stated = now, [2]float64{0, g.stated[0]}
	}
	g.stated[0] = max(g.stated[0], p.last.stdDev)
	// Wheels of slightly different size turn the robot all the time: after a minute without fixes, the error would be tens of metres.
	if f.vague == 1 {
		g.wheels.bent = max(-bend, min(bend, g.wheels.bent+p.bent/bendLearnt))
	}
	p.bent = 0
	// The robot may have to drive a metre until its heading is known. The fence then closes: behind a robot that comes in, and in front of
	// one whose heading is known.
	if p.turn != 0 {
		g.open = swing
	} else {
		g.open = min(g.open, max(swing, entering-g.Clearance()))
	}
	return err
}

// unusable says why the robot's motion since a fix of some age is not known.
func unusable(age time.Duration) error {
	seconds, when := age.Abs().Seconds(), "old"
	if seconds <= maxAge {
		return fmt.Errorf("it was measured %.1f s ago, before the guard knew the robot's motion: a later one is needed", seconds)
	}
	if age < 0 {
		when = "in the future"
	}
	return fmt.Errorf("its stamp is %.1f s %s, want at most %g s: check that the clocks are synchronised", seconds, when, maxAge)
}

// StdDev returns the largest standard deviation, m, that fixes have stated in the last one to two minutes, at least minStdDev. It is 0
// before the first fix.
func (g *Guard) StdDev() float64 { return max(g.stated[0], g.stated[1]) }

// Needs returns how far inside the fence a place must be for the robot to reach it and come back, m; a negative distance means outside.
// usually applies to fixes as they are now; always also applies to occasional errors far above the usual ones and to the worst statement of
// the last minutes. Both are known from the first fixes, while the robot stands.
func (g *Guard) Needs() (usually, always float64) {
	p := &g.places
	least := 0.7 - g.cfg.Allowance - swing
	usually = (deviations+2)*p.last.stdDev + surely*cmplx.Abs(p.jumped) + 2.5*p.usual + least
	return usually, max(usually+excursion*p.last.stdDev, (deviations+2+excursion)*g.StdDev()+least)
}

// Showing returns distances for a robot whose heading is not known yet, m: how far it may drive before it is stopped, how far it has to
// drive straight ahead until fixes show its heading, and the extra allowance that it needs for one and a half times that. All are 0 once the
// heading is known, or a person has vouched for the robot. settled is false for the first seconds: then less may be needed soon, because the
// noise of the fixes is not known yet.
func (g *Guard) Showing() (may, needs, lacks float64, settled bool) {
	p := &g.places
	if !p.known || p.turn != 0 || g.vouched != 0 {
		return 0, 0, 0, p.known
	}
	clear := g.Clearance()
	may, needs, settled = max(0, (clear+g.open)/excess), p.length(), p.n >= measured
	if !settled && g.wheels.stamp-p.since.stamp >= int64(settles) {
		needs, settled = min(needs, max(shortest, shows*p.last.stdDev)), true
	}
	return may, needs, max(0, 1.5*excess*needs-clear), settled
}

// Base returns what has been measured while the robot drove: its deceleration, m/s², the ratio of its speed to the commanded one, and the
// delay of the stamps of fixes, s.
func (g *Guard) Base() (brakes, gain, late float64) {
	return g.wheels.brakes, g.wheels.gain, float64(g.late.by()) / 1e9
}

// Gyroscopic reports whether turns come from a gyroscope, and not from the wheels.
func (g *Guard) Gyroscopic() bool { return g.wheels.vague == seen }

// bounds returns each possible position of the robot's base, and its guaranteed distance from the fence, m.
func (g *Guard) bounds() (clear [4]float64, place [4]complex128) {
	p, w := &g.places, &g.wheels
	lever, unknown, apart := complex(0, 0), cmplx.Abs(w.antenna), 0.0
	if p.turn != 0 {
		lever, unknown = w.antenna*cmplx.Rect(1, w.yaw+cmplx.Phase(p.turn)), 0
		// If fixes and wheels differ, and not by a jump, a drift may have dragged the wheels' position along. With a gyroscope, less of the
		// difference is slip.
		apart = (1-w.vague)*p.usual + dragged*(1-p.eager())*max(0, p.apart(&w.mark)-pairDeviations*p.last.stdDev-cmplx.Abs(p.jumped))
	}
	error := deviations * p.last.stdDev
	certain := func(at complex128, margin float64) float64 {
		return g.distance(orb.Point{real(at), imag(at)}) + g.cfg.Allowance - margin
	}
	fixes := p.fixes(&w.mark) - lever
	place = [4]complex128{fixes, p.wheels(&w.mark) - lever, fixes - p.jumped}
	ahead := min(2, p.strays) * (w.length - p.last.length)
	stated := error + p.usual + p.drift + ahead
	for i, margin := range [3]float64{stated, error + p.loose + p.drifted(&w.mark) + apart, stated + (surely-1)*cmplx.Abs(p.jumped)} {
		if p.turn == 0 {
			margin = max(margin, error+p.loose)
		}
		clear[i] = certain(place[i], margin) - unknown
	}
	clear[3], place[3] = clear[0], place[0]
	if p.turned() {
		place[3] = p.rival.place
		clear[3] = certain(place[3], deviations*p.rival.stdDev+w.length-p.rival.length+2*cmplx.Abs(w.antenna))
	}
	return clear, place
}

// Clearance returns a lower bound of the robot's distance to the fence, m; if it is negative, the robot may be outside by as much. It is
// -Inf before the first fix. It includes the owner's allowance, but not what [Guard.Allowance] adds to that.
func (g *Guard) Clearance() float64 {
	if !g.places.known {
		return math.Inf(-1)
	}
	clear, _ := g.bounds()
	return slices.Min(clear[:])
}

// Allowance returns how far outside the outline the robot may get, m: the owner's allowance plus swing or, if the robot began near the edge
// or outside, plus what it needs to come in.
func (g *Guard) Allowance() float64 { return g.cfg.Allowance + g.open }

// Reason is why the robot may not drive as commanded.
type Reason string

const (
	NoFix      Reason = "no fix"      // no believable fix has come
	NoOdometry Reason = "no odometry" // no plausible odometry is received
	Silent     Reason = "silent"      // fixes have ceased
	Doubt      Reason = "doubt"       // fixes have jumped, or disagree with the wheels
	Jumped     Reason = "jumped"      // fixes have jumped or drifted, and may return within a minute: no person is needed yet
	Unmoved    Reason = "unmoved"     // according to wheels or commands the robot has driven some metres, but the fixes have not shown it
	Edge       Reason = "edge"        // the robot may be too near to an edge
)

// unshown returns how far the robot may drive, m, before fixes have shown that it moves: three stretches, one of which should have shown
// it. Before a person has vouched, the whole distance is assumed to lead towards the fence, and it may be three times as long while half of
// the room is left.
func (g *Guard) unshown() float64 {
	way := g.places.showing()
	if g.vouched != 0 {
		return way - g.unseen/2
	}
	return max(way, min(9*g.places.length(), g.Clearance())+1)
}

// blind returns why too little is known about the robot to let it drive, or "".
func (g *Guard) blind(now int64) Reason {
	p := &g.places
	switch alone := g.wheels.length - p.since.length; {
	case !p.known:
		return NoFix
	case g.silent(now):
		return NoOdometry
	case !p.shown && alone > g.unshown():
		if now-g.came > int64(gone) {
			return Silent
		}
		return Unmoved
	}
	return ""
}

// Stops returns why the robot could not drive now except away from an edge, or "" if it could. It changes nothing.
func (g *Guard) Stops(now int64) Reason {
	if blind := g.blind(now); blind != "" {
		return blind
	}
	if clear, _ := g.bounds(); g.wheels.stopping(slices.Min(clear[:])+g.open) < crawl {
		return g.reason(now)
	}
	return ""
}

// reason returns why the robot may not drive faster, if enough is known about it.
func (g *Guard) reason(now int64) Reason {
	p, w := &g.places, &g.wheels
	switch {
	case now-g.came > int64(gone):
		return Silent
	case w.length-p.since.length > p.showing():
		return Unmoved
	case max(cmplx.Abs(p.jumped), p.drift) > deviations*p.last.stdDev && float64(w.stamp-p.leapt)/1e9 < comesBack:
		return Jumped
	case p.count > 0 || cmplx.Abs(p.jumped) > deviations*p.last.stdDev || p.apart(&w.mark) > deviations*p.last.stdDev+0.3:
		return Doubt
	}
	return Edge
}

// Limit returns the highest speed at which the robot may now drive in the direction of a command, m/s, and the reason for the limit.
func (g *Guard) Limit(now int64, forward, left float64) (speed float64, reason Reason) {
	g.advance(now)
	if reason = g.blind(now); reason == "" {
		clear, place := g.bounds()
		// The cone of inwards covers the uncertainty of turns; fixes of metre accuracy wander.
		lost := max(inwardsLost, 2*g.places.eager()*g.places.last.stdDev)
		speed = math.Inf(1)
		for i, c := range clear {
			v := g.wheels.stopping(c + g.open)
			if v >= inwards {
				g.best[i] = math.Inf(-1)
			} else if g.best[i] = max(g.best[i], c); c > g.best[i]-lost && g.inwards(place[i], math.Atan2(left, forward)) {
				v = inwards
			}
			speed = min(speed, v)
		}
		if speed < crawl {
			speed = 0
		}
		speed = min(speed, max(creep, g.limit+recovery*float64(now-g.limited)/1e9))
		reason = g.reason(now)
	}
	g.limit, g.limited = speed, now
	return speed, reason
}

// inwards reports whether a robot at a place, driving in a direction of its own frame, gets away from the fence.
func (g *Guard) inwards(at complex128, direction float64) bool {
	const ahead, gain = 0.3, 0.05
	p := &g.places
	if p.turn == 0 {
		return false
	}
	direction += g.wheels.yaw + cmplx.Phase(p.turn)
	here := g.distance(orb.Point{real(at), imag(at)})
	cone := p.angle + 0.1
	if p.count == 0 && g.wheels.length-p.last.length < 2*inwards { // fixes show at once if it goes elsewhere; while it stands some receivers repeat the last
		cone = min(cone, 0.5)
	}
	for _, off := range [2]float64{-cone, cone} {
		to := at + cmplx.Rect(ahead, direction+off)
		if g.distance(orb.Point{real(to), imag(to)}) < here+gain {
			return false
		}
	}
	return true
}
