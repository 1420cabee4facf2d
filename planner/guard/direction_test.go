package guard_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/guard"
)

// doubts reports whether the guard believes no fixes.
func (w *world) doubts() bool {
	_, reason := w.g.Limit(w.now)
	return reason == guard.Doubt
}

// wander drives for some seconds as an honest robot does: on curves, on straight ways, turning on the spot.
// It returns for how long the fixes were in doubt, s.
func (w *world) wander(seconds float64) (doubt float64) {
	turn, want := 0.0, 1.0
	for end := w.now + int64(seconds*1e9); w.now < end; {
		if w.rng.IntN(60) == 0 {
			turn, want = 0.8*(w.rng.Float64()-0.5)*float64(w.rng.IntN(2)), 1.5*w.rng.Float64()
			if w.rng.IntN(3) == 0 {
				turn, want = 2*(w.rng.Float64()-0.5), 0
			}
		}
		w.yaw += turn * float64(tick) / 1e9
		w.told = want
		w.g.Command(w.now, want)
		w.step()
		if w.doubts() {
			doubt += float64(tick) / 1e9
		}
	}
	return doubt
}

// honest returns a robot in the middle of a large field, with wheels that slip by up to a tenth, differ by up to
// 0.012 rad/m, turn it by a quarter more or less than they say, and about a place that is not its base.
func honest(seed uint64, stdDev float64) *world {
	rng := rand.New(rand.NewPCG(seed, 12))
	forward := 0.5 * rng.Float64()
	g := guard.New(square(1000), guard.Config{Lever: forward})
	w := newWorld(rng, g, receiver{period: tick << rng.IntN(6), stdDev: stdDev, delay: tick * rng.Int64N(4), forward: forward})
	w.factor, w.turns, w.centre = 0.9+0.1*rng.Float64(), 0.75+0.5*rng.Float64(), 0.24*(rng.Float64()-0.5)
	w.bend = 0.024 * (rng.Float64() - 0.5)
	return w
}

// However a robot drives, its fixes do not contradict its wheels for longer than outliers do.
func TestHonestFixesAreBelieved(t *testing.T) {
	for seed := range uint64(200) {
		w := honest(seed, []float64{0.02, 0.02, 0.1, 0.3, 1}[seed%5])
		if doubt := w.wander(120); doubt > 0.5 {
			t.Errorf("seed %d: the fixes were in doubt for %.1f s", seed, doubt)
		}
	}
}

// Fixes that begin to drift in any direction while the robot drives straight on, by 28 % of its speed or
// more, contradict the wheels before they are 2.5 m off. From then on the clearance is what it was before the drift.
func TestDrift(t *testing.T) {
	distance := square(1000)
	for seed := range uint64(200) {
		w := honest(seed, 0.02)
		w.wander(20)
		w.receiver.change = nil
		speed := 0.5 + 0.7*w.rng.Float64()
		straight := func() {
			w.told = speed
			w.g.Command(w.now, w.told)
			w.step()
		}
		for end := w.now + int64(10/speed*1e9); w.now < end; {
			straight()
		}
		began := w.now
		rate := speed * (0.28 + 0.22*w.rng.Float64())
		sin, cos := math.Sincos(2 * math.Pi * w.rng.Float64())
		off := func() float64 { return rate * float64(w.now-began) / 1e9 }
		w.receiver.change = func(w *world, at orb.Point) orb.Point { return orb.Point{at[0] + off()*cos, at[1] + off()*sin} }
		for !w.doubts() && off() < 6 {
			straight()
		}
		if off() > 2.5 {
			t.Errorf("seed %d: a drift of (%.2f, %.2f) m/s at %.2f m/s is %.2f m off, and not seen", seed, rate*cos, rate*sin, speed, off())
			continue
		}
		for range 200 {
			straight()
			if clear := w.g.Clearance(); clear > distance(w.at)+0.5 {
				t.Fatalf("seed %d: the clearance is %.2f m, the distance %.2f m", seed, clear, distance(w.at))
			}
		}
	}
}

// Fixes that jump by less than the robot drives between two of them contradict the wheels.
func TestSmallJumps(t *testing.T) {
	for seed := range uint64(100) {
		w := honest(seed, 0.02)
		w.receiver.period = 20 * tick
		sin, cos := math.Sincos(w.yaw + 1.6*math.Pi*(w.rng.Float64()-0.5)) // not back to the fix before
		for range 400 {
			w.told = 1
			w.g.Command(w.now, w.told)
			w.step()
		}
		w.receiver.change = func(w *world, at orb.Point) orb.Point { return orb.Point{at[0] + cos, at[1] + sin} }
		for range 100 {
			w.g.Command(w.now, w.told)
			w.step()
		}
		if !w.doubts() {
			t.Errorf("seed %d: a jump by (%.2f, %.2f) m is believed", seed, cos, sin)
		}
	}
}

// A robot that pushed against an obstacle, so that its wheels turned for nothing, is believed when it
// comes free; so is a receiver that repeated itself.
func TestPushes(t *testing.T) {
	for seed := range uint64(100) {
		w := honest(seed, 0.02)
		w.wander(10)
		factor := w.factor
		for range 2 {
			for range 200 {
				w.told = 0.7
				w.g.Command(w.now, w.told)
				w.step()
			}
			w.factor = 0
			if seed%2 > 0 {
				w.receiver.stuck, w.receiver.noisy, w.factor = true, true, factor
			}
			for range 100 + 10*seed {
				w.g.Command(w.now, w.told)
				w.step()
			}
			w.factor, w.receiver.stuck = factor, false
		}
		w.wander(10)
		if w.doubts() {
			t.Errorf("seed %d: the fixes are in doubt", seed)
		}
	}
}
