// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/guard"
)

// errand drives a robot to a place, turning on the spot first. It calls each after every step.
func (w *world) errand(to orb.Point, each func()) {
	for end := w.now + 300*second; math.Hypot(to[0]-w.at[0], to[1]-w.at[1]) > 1 && w.now < end; each() {
		off := math.Remainder(math.Atan2(to[1]-w.at[1], to[0]-w.at[0])-w.yaw, 2*math.Pi)
		w.yaw += max(-0.05, min(0.05, off))
		want := 1.2
		if math.Abs(off) > 0.3 {
			want = 0
		}
		w.drive(want)
	}
	for range 6 * 20 {
		w.drive(0)
	}
}

// A robot that goes to and fro and turns on the spot, with wheels that tell its turns wrong by up to a quarter, is held nowhere in the
// middle of a field, and the guard's doubt stays below some metres once it has stood after its first way.
func TestHonestRobotIsNotStopped(t *testing.T) {
	const side = 100
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 12))
		g := guard.New(square(side), guard.Config{})
		w := newWorld(rng, g, receiver{period: tick << rng.IntN(6), stdDev: 0.02})
		w.turns = 0.75 + 0.5*rng.Float64()
		w.factor = 0.95 + 0.1*rng.Float64()
		for errand := range 40 {
			w.errand(orb.Point{120 * (rng.Float64() - 0.5), 120 * (rng.Float64() - 0.5)}, func() {
				limit, reason := g.Limit(w.now, 1, 0)
				if w.now > 10*second && limit < 1.2 { // it begins slowly
					t.Fatalf("seed %d, %.0f s: %.2f m/s are allowed at %.0f: %s", seed, float64(w.now)/1e9, limit, w.at, reason)
				}
			})
			if lost := square(side)(w.at) - g.Clearance(); errand > 0 && lost > 8 {
				t.Fatalf("seed %d, %.0f s: %.1f m of doubt", seed, float64(w.now)/1e9, lost)
			}
		}
	}
}

// A robot that steers turns in arcs of less than a metre, back and forth. Precise fixes show that it moves, and it is not held. Coarse ones do
// not.
func TestTurnInArcs(t *testing.T) {
	for stdDev, shown := range map[float64]bool{0.02: true, 0.3: false} {
		rng := rand.New(rand.NewPCG(2, 15))
		g := guard.New(square(20), guard.Config{Allowance: 0.5})
		w := newWorld(rng, g, receiver{period: second, stdDev: stdDev, noisy: true})
		w.errand(orb.Point{15, 0}, func() {})
		held, arc, speed := false, 0.0, -0.8
		for range 120 * 20 {
			if arc += math.Abs(w.speed) * float64(tick) / 1e9; arc > 0.9 {
				arc, speed = 0, -speed
			}
			w.yaw += math.Abs(w.speed) / 8 * float64(tick) / 1e9
			w.drive(speed)
			held = held || g.Stops(w.now) == guard.Unmoved
		}
		if held == shown {
			t.Errorf("fixes of %g m: the robot is held: %v", stdDev, held)
		}
	}
}

// straight is a guarded robot that drives along a line in the middle of a square field of 2·half, m.
type straight struct {
	g      *guard.Guard
	half   float64
	wheels float64 // true distance over that of the wheels
	now    int64
	x      float64 // m
}

func newStraight(half, wheels float64) *straight {
	return &straight{g: guard.New(square(half), guard.Config{}), half: half, wheels: wheels, now: second, x: -40}
}

// drive drives at a speed by the wheels, and calls fix each second. It returns by how much the guard's clearance is less than the true one, m.
func (s *straight) drive(seconds, speed float64, fix func()) (lost float64) {
	for end := s.now + int64(seconds*1e9); s.now < end; s.now += tick {
		s.x += s.wheels * speed * float64(tick) / 1e9
		s.g.Command(s.now, speed, 0)
		_ = s.g.Odometry(s.now, speed, 0, 0)
		if s.now%second == 0 {
			fix()
		}
	}
	return square(s.half)(orb.Point{s.x, 0}) - s.g.Clearance()
}

// fix gives the guard a fix that is off by a vector and a white error, m.
func (s *straight) fix(off orb.Point, white, stated float64, rng *rand.Rand) {
	_ = s.g.Fix(s.now, s.now, orb.Point{s.x + off[0] + white*rng.NormFloat64(), off[1] + white*rng.NormFloat64()}, stated)
}

// A receiver that loses its fixed solution as the robot stops, and is back 2.6 m elsewhere, has jumped by that much: nothing has drifted
// for as long as the robot drove.
func TestJumpAsTheRobotStopsIsNoDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	s := newStraight(60, 1)
	drive := func(seconds, speed, off, stdDev float64) (lost float64) {
		return s.drive(seconds, speed, func() { s.fix(orb.Point{off, 0}, 0.02, stdDev, rng) })
	}
	drive(5, 0, 0, 0.02)
	drive(80, 1, 0, 0.02)
	drive(1, 0, 0, 0.02)
	drive(1, 0, 1.3, guard.FloatStdDev)
	if lost := drive(20, 0, 2.6, 0.02); lost > 8 {
		t.Errorf("after a jump of 2.6 m there are %.1f m of doubt", lost)
	}
}

// A receiver that jumps to and fro by 15 m for a minute and a half, and is right again, leaves no doubt to a robot that stood meanwhile.
func TestJumpsToAndFroDoNotAddUp(t *testing.T) {
	for seed := range uint64(5) {
		for _, stdDev := range []float64{0.02, 1} {
			rng := rand.New(rand.NewPCG(seed, 16))
			s := newStraight(100, 1)
			drive := func(seconds, speed, errs float64) (lost float64) {
				var off orb.Point
				return s.drive(seconds, speed, func() {
					if s.now%(4*second) == 0 {
						off = orb.Point{errs * rng.NormFloat64(), errs * rng.NormFloat64()}
					}
					s.fix(off, 0.3*stdDev, stdDev, rng)
				})
			}
			drive(5, 0, 0)
			drive(60, 1, 0)
			before := drive(5, 0, 0)
			drive(90, 0, 15)
			if after := drive(20, 0, 0); after > before+2 {
				t.Errorf("seed %d, %g m: after the jumps there are %.1f m of doubt, %.1f m before", seed, stdDev, after, before)
			}
		}
	}
}

// A receiver that comes back 1.5 m off after each outage, and is right again within half a minute, leaves no more doubt after forty outages
// than after two.
func TestReturnsAfterOutagesDoNotAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	s := newStraight(100, 1.05)
	few, many := 0.0, 0.0
	for outage := range 40 {
		start := s.now
		fix := func() {
			switch since := float64(s.now-start) / 1e9; {
			case outage == 0:
				s.fix(orb.Point{}, 0.02, 0.1, rng)
			case since > 20:
				s.fix(orb.Point{0, 1.5 * math.Exp((20-since)/8)}, 0.02, 0.1, rng)
			}
		}
		for _, speed := range []float64{1, -1} {
			s.drive(50, speed, fix)
			many = s.drive(10, 0, fix)
		}
		if outage == 2 {
			few = many
		}
	}
	if many > few+2 {
		t.Errorf("after forty outages there are %.1f m of doubt, %.1f m after two", many, few)
	}
}

// A robot that drives through an outage in another direction than the guard believes is elsewhere than expected after it. Once fixes have shown
// its direction, no doubt is left. Fixes that come back elsewhere although the direction was right stay doubtful.
func TestWrongDirectionInAnOutage(t *testing.T) {
	for _, c := range []struct {
		name           string
		turned, off    float64 // rad, m
		jumped, honest bool
	}{{"turned by 40°", 0.7, 0, true, true}, {"displaced by 40 m", 0, 40, true, false}, {"as expected", 0, 0, false, true}} {
		rng := rand.New(rand.NewPCG(1, 19))
		s := newStraight(400, 1)
		began, off := 0.0, 0.0
		fix := func() {
			sin, cos := math.Sincos(c.turned)
			way := s.x - began
			s.fix(orb.Point{way*cos - way, way*sin + off}, 0.3, 1, rng)
		}
		silent := func() {}
		doubts := func() bool {
			usually, _ := s.g.Needs()
			return usually > 20
		}
		began = s.x
		straight := c.turned
		c.turned = 0
		s.drive(80, 1, fix)
		began, c.turned = s.x, straight
		s.drive(60, 1, silent)
		off = c.off
		s.drive(5, 1, fix)
		if doubts() != c.jumped {
			t.Errorf("%s: after the outage, doubts is %v, want %v", c.name, doubts(), c.jumped)
		}
		s.drive(60, 1, fix)
		if doubts() == c.honest {
			t.Errorf("%s: after another 60 m, doubts is %v, want %v", c.name, doubts(), !c.honest)
		}
	}
}

// By how much stamps of arrival are late shows while the robot drives and stops; stamps that are right stay as they are.
func TestLateStampsAreMeasured(t *testing.T) {
	for _, delay := range []float64{0, 0.5, 1, 2, 3} {
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 13))
			g := guard.New(square(100), guard.Config{})
			w := newWorld(rng, g, receiver{period: tick << rng.IntN(5), stdDev: 0.02, delay: int64(delay * 1e9), arrival: true})
			for range 3 {
				w.errand(orb.Point{60 * (rng.Float64() - 0.5), 60 * (rng.Float64() - 0.5)}, func() {})
			}
			if _, _, late := g.Base(); math.Abs(late-delay) > 0.5 {
				t.Errorf("seed %d: stamps that are %g s late seem to be %g s late", seed, delay, late)
			}
		}
	}
}

// Fixes that stay at one place while the robot drives are not late: nothing is left of that once they move again.
func TestStuckFixesAreNotLate(t *testing.T) {
	for _, speed := range []float64{0.5, 1, 1.5} {
		rng := rand.New(rand.NewPCG(1, 16))
		s := newStraight(60, 1)
		s.drive(5, 0, func() { s.fix(orb.Point{}, 0.02, 0.02, rng) })
		at := s.x
		s.drive(8, speed, func() { s.fix(orb.Point{at - s.x, 0}, 0.02, 0.02, rng) })
		s.drive(5, 0, func() { s.fix(orb.Point{}, 0.02, 0.02, rng) })
		if _, _, late := s.g.Base(); late > 0 {
			t.Errorf("at %g m/s, fixes that stood still seem to be %g s late", speed, late)
		}
	}
}

// How a base brakes is known from its stops, and the noise of its odometry looks like no brakes.
func TestBrakesAreMeasured(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 14))
	g := guard.New(square(100), guard.Config{})
	now, speed := second, 0.0
	drive := func(told, brakes, seconds float64) float64 {
		for end := now + int64(seconds*1e9); now < end; now += tick {
			speed = max(told, speed-brakes*float64(tick)/1e9)
			g.Command(now, told, 0)
			_ = g.Odometry(now, max(0, speed+0.01*rng.NormFloat64()), 0, 0)
		}
		shown, _, _ := g.Base()
		return shown
	}
	if shown := drive(1, 0, 60); shown > 0.35 {
		t.Errorf("a robot that never braked seems to brake with %.2f m/s²", shown)
	}
	for range 6 {
		drive(0, 0.7, 4)
		drive(1, 0, 4)
	}
	if shown, _, _ := g.Base(); shown < 0.55 || shown > 0.8 {
		t.Errorf("a robot that brakes with 0.7 m/s² seems to brake with %.2f m/s²", shown)
	}
	if shown := drive(0, 0.2, 6); shown > 0.3 {
		t.Errorf("a robot that brakes with 0.2 m/s² by now seems to brake with %.2f m/s²", shown)
	}
}
