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

// A receiver that loses its fixed solution as the robot stops, and is back 2.6 m elsewhere, has jumped by that much: nothing has drifted
// for as long as the robot drove.
func TestJumpAsTheRobotStopsIsNoDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	g := guard.New(square(60), guard.Config{})
	now, x := second, -40.0
	drive := func(seconds, speed, off, stdDev float64) {
		for end := now + int64(seconds*1e9); now < end; now += tick {
			x += speed * float64(tick) / 1e9
			g.Command(now, speed, 0)
			_ = g.Odometry(now, speed, 0, 0)
			if now%second == 0 {
				_ = g.Fix(now, now, orb.Point{x + off + 0.02*rng.NormFloat64(), 0.02 * rng.NormFloat64()}, stdDev)
			}
		}
	}
	drive(5, 0, 0, 0.02)
	drive(80, 1, 0, 0.02)
	drive(1, 0, 0, 0.02)
	drive(1, 0, 1.3, guard.FloatStdDev)
	drive(20, 0, 2.6, 0.02)
	if lost := square(60)(orb.Point{x, 0}) - g.Clearance(); lost > 8 {
		t.Errorf("after a jump of 2.6 m there are %.1f m of doubt", lost)
	}
}

// A receiver that jumps to and fro by 15 m for a minute and a half, and is right again, leaves no doubt to a robot that stood meanwhile.
func TestJumpsToAndFroDoNotAddUp(t *testing.T) {
	for seed := range uint64(5) {
		for _, stdDev := range []float64{0.02, 1} {
			rng := rand.New(rand.NewPCG(seed, 16))
			g := guard.New(square(100), guard.Config{})
			now, x := second, -40.0
			drive := func(seconds, speed, errs float64) (lost float64) {
				var off orb.Point
				for end := now + int64(seconds*1e9); now < end; now += tick {
					x += speed * float64(tick) / 1e9
					g.Command(now, speed, 0)
					_ = g.Odometry(now, speed, 0, 0)
					if now%(4*second) == 0 {
						off = orb.Point{errs * rng.NormFloat64(), errs * rng.NormFloat64()}
					}
					if now%second == 0 {
						_ = g.Fix(now, now, orb.Point{x + off[0] + 0.3*stdDev*rng.NormFloat64(), off[1] + 0.3*stdDev*rng.NormFloat64()}, stdDev)
					}
				}
				return square(100)(orb.Point{x, 0}) - g.Clearance()
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
	g := guard.New(square(100), guard.Config{})
	now, x := second, -40.0
	lost := func() float64 { return square(100)(orb.Point{x, 0}) - g.Clearance() }
	few := 0.0
	for outage := range 40 {
		for start := now; now < start+120*second; now += tick {
			since, speed := float64(now-start)/1e9, 1.0
			switch {
			case math.Mod(since, 60) >= 50:
				speed = 0
			case since >= 60:
				speed = -1
			}
			x += 1.05 * speed * float64(tick) / 1e9 // the wheels measure too little
			g.Command(now, speed, 0)
			_ = g.Odometry(now, speed, 0, 0)
			if now%second == 0 && (outage == 0 || since > 20) {
				off := 1.5 * math.Exp((20-since)/8)
				if outage == 0 {
					off = 0
				}
				_ = g.Fix(now, now, orb.Point{x + 0.02*rng.NormFloat64(), off + 0.02*rng.NormFloat64()}, 0.1)
			}
		}
		if outage == 2 {
			few = lost()
		}
	}
	if many := lost(); many > few+2 {
		t.Errorf("after forty outages there are %.1f m of doubt, %.1f m after two", many, few)
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
