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
)

const (
	// maxSpeed and maxTurn bound what odometry may say, m/s and rad/s: more than any robot on a field does. One
	// absurd message would be a path that no fix makes up for.
	maxSpeed, maxTurn = 20.0, 100.0
	// silence is the time without odometry after which the robot must stand, s.
	silence = 1.0
	// leap is the longest time between two calls. The base has stopped by itself by then.
	leap = 5 * time.Second
	// inwards is the speed with which a robot may always leave the edge, m/s.
	inwards = 0.3
	// inwardsLost is how much farther out a robot may come that leaves the edge, m. Then it does not drive where it seems to.
	inwardsLost = 0.3
	// swing is how far beyond the fence a robot may swing, m.
	swing = 0.05
	// entering is how far a robot may drive to show where it heads, m: shortest, and what it may turn meanwhile.
	entering = 1.4
	// recovery is how fast the allowed speed rises again, m/s². Between two fixes the clearance
	// shrinks, and without this the robot would jerk with each fix.
	recovery, creep = 0.5, 0.1
	// surely is how many times as far as it is measured a jump may have been.
	surely = 1.1
	// excursion is the number of stated standard deviations by which fixes may err more than usual for a minute. The median peaks of
	// recorded excursions are 1 to 6 of them.
	excursion = 6
	// shows is the number of stated standard deviations that a robot drives until fixes have shown where it heads, if they tell nothing
	// while it stands, and settles the time after which they would have: robots with simulated receivers of 1.5 to 3 m drove 2 to 4 of them.
	shows, settles = 4.0, 15 * time.Second
	// crawl is the least speed, m/s. Below it a robot at the fence would follow each fix that errs inwards.
	crawl = 0.05
)

// Config describes the robot and what its owner allows.
type Config struct {
	// Allowance is how far outside the outline, and inside a keep-out, the robot may get, m.
	Allowance float64
	// Antenna is where the receiver's antenna is on the robot, forward and left of its base, m.
	Antenna orb.Point
}

// Guard bounds where a robot can be. Times are of one clock, ns. It is not safe for concurrent use.
// It allocates nothing once it is made, apart from errors.
type Guard struct {
	cfg      Config
	distance func(orb.Point) float64

	wheels  wheels
	heard   int64 // time of the last odometry, 0: none has come, or the last was refused
	places  places
	late    lateness
	came    int64      // when a fix came last
	open    float64    // m beyond the fence that the robot may use: swing, or more if it began near it or outside
	limit   float64    // allowed speed, m/s
	limited int64      // when it was computed
	vouched int64      // when a person answered last
	best    [3]float64 // largest clearance since the robot may only leave the edge, m; -Inf while it may drive any way
	unseen  float64    // m, driven on answers of a person in a row, without fixes that showed motion
	stated  [2]float64 // largest standard deviation of the fixes of this minute and of the one before, m
	minute  int64      // when this minute began, ns
}

// New returns a guard that has no fix yet. distance is the signed distance to the outline and
// the keep-outs, m, positive where the robot may be; it must change by at most 1 per metre.
func New(distance func(orb.Point) float64, cfg Config) *Guard {
	return &Guard{cfg: cfg, distance: distance, open: swing, wheels: wheels{antenna: complex(cfg.Antenna[0], cfg.Antenna[1]), gain: 1, brakes: unproven}, places: places{bends: bend}}
}

// Enclose changes the fence and what the owner allows. What is known of the robot's place stays.
func (g *Guard) Enclose(distance func(orb.Point) float64, cfg Config) {
	g.distance, g.cfg = distance, cfg
	g.wheels.antenna = complex(cfg.Antenna[0], cfg.Antenna[1])
}

// Reset forgets all fixes: a person vouches for where the robot is. The next fix is believed.
// Of answers without fixes that show motion in between, each grants half of the way that is left.
func (g *Guard) Reset() {
	if p := &g.places; p.shown {
		g.unseen = 0
	} else if p.known && g.wheels.stamp-g.vouched > int64(time.Second) {
		g.unseen += min(g.wheels.length-p.since.length, p.showing())
	}
	g.vouched = max(1, g.wheels.stamp)
	g.places.known, g.open = false, swing
}

// advance adds what the robot can have driven until now. A clock that goes back, or that leaps, was
// set.
func (g *Guard) advance(now int64) {
	w, p := &g.wheels, &g.places
	if since := now - w.stamp; w.stamp != 0 && (since < 0 || since > int64(leap)) {
		g.Jump(now)
	}
	rolled, length := w.rolled, w.length
	w.advance(now)
	if p.turn == 0 {
		p.loose += w.length - length
	} else {
		p.loose += cmplx.Abs(p.turn) * (w.rolled - rolled) * min(excess, slip+p.room+skid*(w.turned-p.since.turned)+w.vague*p.bends*(w.rolled-p.since.rolled))
	}
}

// Jump says that the clock was set to now. The robot did not move by it.
func (g *Guard) Jump(now int64) {
	if g.heard != 0 {
		g.heard += now - g.wheels.stamp
	}
	g.limited += now - g.wheels.stamp
	g.came += now - g.wheels.stamp
	g.minute += now - g.wheels.stamp
	g.wheels.gyro.heard += now - g.wheels.stamp
	g.wheels.stamp, g.wheels.kept = now, 0
}

// Odometry takes the speeds forward and to the left that the wheels tell, m/s, and the yaw rate, rad/s. It
// returns an error if no robot moves like that: then the robot must stand until odometry comes
// that is believed.
func (g *Guard) Odometry(now int64, forward, left, rate float64) error {
	g.advance(now)
	if !(math.Hypot(forward, left) <= maxSpeed && math.Abs(rate) <= maxTurn) {
		g.heard = 0
		return fmt.Errorf("its speeds are %g and %g m/s, and its yaw rate is %g rad/s, want at most %g m/s and %g rad/s", forward, left, rate, maxSpeed, maxTurn)
	}
	g.wheels.measure(forward, left, rate)
	g.heard = now
	return nil
}

// Gyroscope takes the yaw rate of a gyroscope, rad/s counter-clockwise. It replaces that of the wheels while both turn alike. It returns
// an error if no robot turns so.
func (g *Guard) Gyroscope(now int64, rate float64) error {
	g.advance(now)
	if !(math.Abs(rate) <= maxTurn) {
		return fmt.Errorf("its yaw rate is %g rad/s, want at most %g rad/s", rate, maxTurn)
	}
	g.wheels.gyro.rate, g.wheels.gyro.heard = rate, now
	return nil
}

// Command takes the speeds forward and to the left with which the robot is told to drive, m/s.
func (g *Guard) Command(now int64, forward, left float64) {
	g.advance(now)
	g.wheels.tell(math.Hypot(forward, left))
}

// Fix takes a position fix of the antenna in the frame of the fence, with the standard deviation
// along its worst direction, m. It returns an error if the fix is not believed.
func (g *Guard) Fix(now, stamp int64, at orb.Point, stdDev float64) error {
	g.advance(now)
	m, known := g.wheels.when(stamp)
	if known {
		g.came = now
		if g.late.hear(&g.wheels, stamp, complex(at[0], at[1]), cmplx.Abs(g.places.turn)) {
			g.places.kept, g.places.angle, g.places.scale = 0, 0.5, 0.5
			g.places.last.mark = g.wheels.then(g.places.last.sent - g.late.by())
		}
		m = g.wheels.then(stamp - g.late.by())
	}
	f := sighting{mark: m, sent: stamp, place: complex(at[0], at[1]), stdDev: max(stdDev, minStdDev)}
	p := &g.places
	switch {
	case !num.Finite(at[0]) || !num.Finite(at[1]) || !num.Finite(stdDev) || stdDev < 0:
		return fmt.Errorf("it is at (%g, %g) with a standard deviation of %g m", at[0], at[1], stdDev)
	case !known:
		return fmt.Errorf("its stamp is %v old, want at most %g s: are the clocks synchronised?", time.Duration(now-stamp).Round(time.Millisecond), maxAge)
	case p.known && f.place == p.last.place:
		p.rest(&f, false) // some receivers hold their fix while the robot stands
		return errors.New("it equals the one before to the last bit")
	}
	var err error
	if p.known {
		err = p.take(&f)
	} else {
		p.begin(&f)
		g.open = math.Inf(1)
	}
	g.state(now)
	// Wheels that differ a little turn the robot all the time: without fixes for a minute it would be tens of metres elsewhere.
	if m.vague == 1 {
		g.wheels.bent = max(-bend, min(bend, g.wheels.bent+p.bent/bendLearnt))
	}
	p.bent = 0
	// It may need to drive a metre to show where it heads. The fence closes behind a robot that comes in, and before one that has shown it.
	if p.turn != 0 {
		g.open = swing
	} else {
		g.open = min(g.open, max(swing, entering-g.Clearance()))
	}
	return err
}

// state takes up what the fix that is believed now states.
func (g *Guard) state(now int64) {
	if now-g.minute >= int64(time.Minute) {
		g.minute, g.stated = now, [2]float64{0, g.stated[0]}
	}
	g.stated[0] = max(g.stated[0], g.places.last.stdDev)
}

// StdDev returns the largest standard deviation that fixes have stated in the last minute, or in the last two, m: at least that of RTK.
// It is 0 before the first fix.
func (g *Guard) StdDev() float64 { return max(g.stated[0], g.stated[1]) }

// Needs returns how far inside the fence a place must be for the robot to reach it and come back, m, negative if it may be outside:
// as fixes are now, and also while they err by far more than usual, as they do from time to time, or state what they stated at worst in the
// last minute. It is known with the first fixes, while the robot stands.
func (g *Guard) Needs() (usually, always float64) {
	p := &g.places
	least := 0.7 - g.cfg.Allowance - swing
	usually = (deviations+2)*p.last.stdDev + surely*p.jumped + 2.5*p.usual + least
	return usually, max(usually+excursion*p.last.stdDev, (deviations+2+excursion)*g.StdDev()+least)
}

// Showing returns how far the robot may drive, m, before it is stopped unless fixes have shown by then where it heads, how far it
// probably has to for that, and by how much the allowance is too small for half as much again, m. All are 0 once they have, and while fixes have not come for long
// enough to tell.
func (g *Guard) Showing() (may, needs, lacks float64) {
	p := &g.places
	if !p.known || p.turn != 0 || g.wheels.stamp-p.since.stamp < int64(settles) {
		return 0, 0, 0
	}
	clear := g.Clearance()
	may, needs = max(0, (clear+g.open)/excess), min(p.length(), max(shortest, shows*p.last.stdDev))
	return may, needs, max(0, 1.5*excess*needs-clear)
}

// Base returns what the robot has shown on the way: with how much it brakes, m/s², how many times as fast as commanded it drives, and
// by how much the stamps of fixes are late, s.
func (g *Guard) Base() (brakes, gain, late float64) {
	return g.wheels.brakes, g.wheels.gain, float64(g.late.by()) / 1e9
}

// Gyroscopic reports whether a gyroscope tells turns, and not the wheels.
func (g *Guard) Gyroscopic() bool { return g.wheels.vague == seen }

// bounds returns each place where the base of the robot can be, and its distance from the fence that is certain.
func (g *Guard) bounds() (clear [3]float64, place [3]complex128) {
	p, w := &g.places, &g.wheels
	lever := w.antenna * cmplx.Rect(1, w.yaw)
	unknown, apart := 0.0, 0.0
	if p.turn == 0 {
		unknown = cmplx.Abs(w.antenna)
	} else {
		lever *= p.turn / complex(cmplx.Abs(p.turn), 0)
		// Fixes and wheels that lie apart, and not by a jump: a drift may have dragged the wheels along. With a gyroscope less of it is slip.
		apart = (1-w.vague)*p.usual + dragged*(1-p.eager())*max(0, p.apart(&w.mark)-pairDeviations*p.last.stdDev-p.jumped)
	}
	error := deviations * p.last.stdDev
	certain := func(at complex128, margin float64) float64 {
		return g.distance(orb.Point{real(at), imag(at)}) + g.cfg.Allowance - margin
	}
	place = [3]complex128{p.fixes(&w.mark) - lever, p.wheels(&w.mark) - lever}
	ahead := min(2, p.strays) * (w.length - p.last.length)
	for i, margin := range [2]float64{error + p.usual + surely*p.jumped + p.drift + ahead, error + p.loose + p.drifted(&w.mark) + apart} {
		if p.turn == 0 {
			place[i] += lever
			margin = max(margin, error+p.loose)
		}
		clear[i] = certain(place[i], margin) - unknown
	}
	clear[2], place[2] = clear[0], place[0]
	if p.turned() {
		place[2] = p.rival.place
		clear[2] = certain(place[2], deviations*p.rival.stdDev+w.length-p.rival.length+2*cmplx.Abs(w.antenna))
	}
	return clear, place
}

// Clearance returns a distance to the fence, m, that the robot keeps at least; if it is negative,
// the robot may be outside by as much. It is -Inf before the first fix. What [Guard.Allowance] adds
// to the owner's allowance is not in it.
func (g *Guard) Clearance() float64 {
	if !g.places.known {
		return math.Inf(-1)
	}
	clear, _ := g.bounds()
	return slices.Min(clear[:])
}

// Allowance returns how far outside the outline the robot may get, m: what the owner allows and
// a little, or for a robot that began near the edge or outside what it needs to come in.
func (g *Guard) Allowance() float64 { return g.cfg.Allowance + g.open }

// Reason is why the robot may not drive as it wants.
type Reason string

const (
	NoFix      Reason = "no fix"      // none has come that can be believed
	NoOdometry Reason = "no odometry" // none comes that can be believed
	Silent     Reason = "silent"      // no fix comes any more
	Doubt      Reason = "doubt"       // fixes have jumped, or lie elsewhere than the wheels say
	Jumped     Reason = "jumped"      // fixes have, or have drifted, and may come back within a minute: no person is needed yet
	Unmoved    Reason = "unmoved"     // by wheels or commands it has driven for metres, and the fixes have not shown it
	Edge       Reason = "edge"        // the robot may be too near to an edge
)

// unshown returns how far the robot may drive, m, before fixes have shown that it moves: three ways of which one should have done so. Before
// a person has answered all of it counts as driven towards the fence, and it may be three times as far with half of the room left.
func (g *Guard) unshown() float64 {
	way := g.places.showing()
	if g.vouched != 0 {
		return way - g.unseen/2
	}
	return max(way, min(9*g.places.length(), g.Clearance())+1)
}

// blind returns why too little is known of the robot for it to drive, "" if enough is.
func (g *Guard) blind(now int64) Reason {
	p := &g.places
	switch alone := g.wheels.length - p.since.length; {
	case !p.known:
		return NoFix
	case g.heard == 0 || float64(now-g.heard)/1e9 > silence:
		return NoOdometry
	case !p.shown && alone > g.unshown():
		return Unmoved
	}
	return ""
}

// Stops returns why the robot could not drive now, but away from an edge; "" if it could. It changes nothing.
func (g *Guard) Stops(now int64) Reason {
	if blind := g.blind(now); blind != "" {
		return blind
	}
	if clear, _ := g.bounds(); g.wheels.stopping(slices.Min(clear[:])+g.open) < crawl {
		return g.reason(now)
	}
	return ""
}

// reason returns why the robot may drive no faster, if enough is known of it.
func (g *Guard) reason(now int64) Reason {
	p, w := &g.places, &g.wheels
	switch {
	case now-g.came > int64(gone):
		return Silent
	case w.length-p.since.length > p.showing():
		return Unmoved
	case max(p.jumped, p.drift) > deviations*p.last.stdDev && float64(w.stamp-p.leapt)/1e9 < comesBack:
		return Jumped
	case p.count > 0 || p.jumped > deviations*p.last.stdDev || p.apart(&w.mark) > deviations*p.last.stdDev+0.3:
		return Doubt
	}
	return Edge
}

// Limit returns the largest speed with which the robot may drive now in the direction of a command, m/s, and the reason if
// there is one for driving no faster.
func (g *Guard) Limit(now int64, forward, left float64) (speed float64, reason Reason) {
	g.advance(now)
	if reason = g.blind(now); reason == "" {
		clear, place := g.bounds()
		// What turns leave unknown is in the cone of inwards, and fixes of metres wander.
		held, lost := clear, max(inwardsLost, 2*g.places.eager()*g.places.last.stdDev)
		held[1] += g.places.loose + g.places.drifted(&g.wheels.mark)
		speed = math.Inf(1)
		for i, c := range clear {
			v := g.wheels.stopping(c + g.open)
			if v >= inwards {
				g.best[i] = math.Inf(-1)
			} else if g.best[i] = max(g.best[i], held[i]); held[i] > g.best[i]-lost && g.inwards(place[i], math.Atan2(left, forward)) {
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

// inwards reports whether a robot that is at a place and drives in a direction of its own frame comes away from the fence.
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
