// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/guard"
)

// Whatever the robot does, and however often the receiver sticks, with or without noise, it is hardly ever nearer to the fence
// than the clearance.
func TestClearanceIsALowerBound(t *testing.T) {
	distance := square(40)
	all, wrong := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := guard.New(distance, guard.Config{})
		w := newWorld(rng, g, receiver{
			period: tick << rng.IntN(6), stdDev: []float64{0.02, 0.1, 0.3, 1}[rng.IntN(4)], delay: tick * rng.Int64N(6),
		})
		w.factor = 0.5 + 0.55*rng.Float64()
		turn, want, most := 0.0, 1.0, math.Inf(-1)
		for range 3000 {
			if rng.IntN(40) == 0 {
				turn, want = 3*(rng.Float64()-0.5)*float64(rng.IntN(2)), 2*rng.Float64()
			}
			if rng.IntN(200) == 0 && w.now > 5*second { // the first fix is believed
				w.receiver.stuck, w.receiver.noisy = !w.receiver.stuck, rng.IntN(2) == 0
			}
			w.yaw += turn * float64(tick) / 1e9
			if distance(w.at) < 5 { // nobody holds it back here; it turns by itself
				w.yaw = math.Atan2(-w.at[1], -w.at[0])
			}
			w.told = want
			g.Command(w.now, want, 0)
			w.step()
			clear, d := g.Clearance(), distance(w.at)
			if all++; clear > d+0.5 {
				wrong++
			}
			most = max(most, clear)
		}
		if most < 20 {
			t.Errorf("seed %d: the clearance was %.3f m at most", seed, most)
		}
	}
	if wrong*100 > all {
		t.Errorf("%d of %d times the clearance is more than half a metre too large", wrong, all)
	}
}

// A robot that is told to drive straight out at full speed stays inside, at any rate and noise of
// the receiver, also with one that sticks.
func TestStaysInside(t *testing.T) {
	distance := square(20)
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := guard.New(distance, guard.Config{Allowance: float64(rng.IntN(3))})
		w := newWorld(rng, g, receiver{
			period: tick << rng.IntN(6), stdDev: []float64{0.02, 0.1, 0.3}[rng.IntN(3)], delay: tick * rng.Int64N(4), noisy: rng.IntN(2) == 0,
		})
		sticks := rng.Int64N(40 * second)
		allowance := g.Allowance()
		for w.now < 120*second {
			w.receiver.stuck = w.now > sticks
			w.drive(1.5)
			if d := distance(w.at); d < -allowance-0.25 {
				t.Errorf("σ %g seed %d: %.4f m outside at %.1f s, allowed are %g", w.receiver.stdDev, seed, -d, float64(w.now)/1e9, allowance)
			}
		}
	}
}

// A receiver that works costs nothing away from the edges, and near them the robot reaches every
// place that keeps the distance of Needs, and comes back.
func TestReachesWhatItSaysAndComesBack(t *testing.T) {
	distance := square(30)
	for _, stdDev := range []float64{0.02, 0.1, 0.3} {
		for _, period := range []int64{tick, 4 * tick, 20 * tick, 40 * tick} {
			for seed := range uint64(8) {
				rng := rand.New(rand.NewPCG(seed, uint64(period)))
				g := guard.New(distance, guard.Config{})
				w := newWorld(rng, g, receiver{period: period, stdDev: stdDev, delay: tick})
				w.yaw = 0
				for w.now < 10*second { // the guard learns what the receiver's fixes are like
					w.step()
				}
				for visit := range 3 {
					needs, _ := g.Needs()
					target := orb.Point{30 - needs, 0}
					began := w.now
					for w.at[0] < target[0] {
						w.drive(min(1.5, max(0.1, target[0]-w.at[0])))
						if w.now > began+300*second {
							t.Fatalf("σ %g m, period %g s, visit %d: it stands %.2f m before %.2f, clearance %.2f m", stdDev, float64(period)/1e9, visit, target[0]-w.at[0], target[0], g.Clearance())
						}
					}
					target[0] = 0
					for w.yaw, began = math.Pi, w.now; w.at[0] > 0; {
						w.drive(1.5)
						if w.now > began+300*second {
							t.Fatalf("σ %g m, period %g s, visit %d: it does not come back from %.2f, clearance %.2f m", stdDev, float64(period)/1e9, visit, w.at[0], g.Clearance())
						}
					}
					if limit, reason := g.Limit(w.now, 1, 0); limit < 1.5 {
						t.Errorf("σ %g m, period %g s: %.2f m/s in the middle of the field: %s", stdDev, float64(period)/1e9, limit, reason)
					}
					w.yaw = 0
				}
			}
		}
	}
}

// drivenOut drives a robot out of a field whose receiver does something from 10 s on, and returns
// how far outside it got beyond the allowance, m.
func drivenOut(seed uint64, change func(w *world, at orb.Point) orb.Point) (w *world, out float64) {
	distance := square(30)
	rng := rand.New(rand.NewPCG(seed, 4))
	g := guard.New(distance, guard.Config{})
	w = newWorld(rng, g, receiver{period: 4 * tick, stdDev: 0.02})
	out = math.Inf(-1)
	for w.now < 200*second {
		w.drive(1)
		if w.now > 10*second {
			w.receiver.change = change
		}
		out = max(out, -distance(w.at)-g.Allowance())
	}
	return w, out
}

// Wherever fixes jump to, the robot comes no more than half a metre out; nor if the new place is the true one, because the robot
// was carried.
func TestJumps(t *testing.T) {
	for seed := range uint64(50) {
		to := orb.Point{12 * math.Cos(float64(seed)), 12 * math.Sin(float64(seed))}
		w, out := drivenOut(seed, func(_ *world, at orb.Point) orb.Point { return orb.Point{at[0] + to[0], at[1] + to[1]} })
		if _, reason := w.g.Limit(w.now, 1, 0); out > 0.25 || reason != guard.Doubt {
			t.Errorf("a receiver that jumps by %.1f: %.2f m outside, reason %q", to, out, reason)
		}
		carried := false
		w, out = drivenOut(seed, func(w *world, at orb.Point) orb.Point {
			if !carried {
				w.at, carried = orb.Point{w.at[0] + to[0], w.at[1] + to[1]}, true
			}
			return w.at
		})
		if _, reason := w.g.Limit(w.now, 1, 0); out > 0.25 || reason != guard.Doubt {
			t.Errorf("a robot that is carried by %.1f: %.2f m outside, reason %q", to, out, reason)
		}
		w.g.Reset() // a person vouches for it
		for range 101 {
			w.step()
		}
		if _, reason := w.g.Limit(w.now, 1, 0); reason == guard.Doubt {
			t.Error("the guard still doubts after a reset")
		}
	}
}

// A robot whose fixes jump before an edge stands. It drives on by itself when they come back within a minute; after that a person is
// needed.
func TestJumpsThatComeBack(t *testing.T) {
	for _, lasts := range []int64{20, 60, 120} {
		g := guard.New(square(30), guard.Config{})
		w := newWorld(rand.New(rand.NewPCG(5, 5)), g, receiver{period: 4 * tick, stdDev: 0.02})
		w.yaw = 0
		w.receiver.change = func(w *world, at orb.Point) orb.Point {
			if w.now > 20*second && w.now < (20+lasts)*second {
				at[0] += 15
			}
			return at
		}
		reason := guard.Reason("")
		for w.now < (19+lasts)*second {
			w.drive(1)
			_, reason = g.Limit(w.now, 1, 0)
		}
		if want := map[bool]guard.Reason{true: guard.Jumped, false: guard.Doubt}[lasts < 75]; reason != want || w.told != 0 {
			t.Errorf("fixes have jumped for %d s: it drives %.2f m/s, reason %q, want %q", lasts-1, w.told, reason, want)
		}
		stood := w.at[0]
		for w.now < (30+lasts)*second {
			w.drive(1)
		}
		if w.at[0] < stood+2 || w.at[0] > 30+g.Allowance() {
			t.Errorf("10 s after fixes came back it has driven from %.1f to %.1f m", stood, w.at[0])
		}
	}
}

// A robot that fixes have put outside, and one that has turned so much that its wheels tell little, may drive inwards.
func TestDrivesInwards(t *testing.T) {
	for name, c := range map[string]struct {
		stdDev, allowance float64
		jump              float64 // m, by which fixes jump outwards as it stands
		lag               float64 // part of the way by which fixes lag behind the robot that drives out
		circles           float64 // that it turns on the spot
	}{
		"fixes jump":            {stdDev: 0.02, jump: 15},
		"fixes of metres jump":  {stdDev: 2, allowance: 10, jump: 40},
		"it turns at the fence": {stdDev: 2, allowance: 6, lag: 1, circles: 2},
		"it turns, and is sure": {stdDev: 0.02, circles: 2},
	} {
		t.Run(name, func(t *testing.T) {
			g := guard.New(square(60), guard.Config{Allowance: c.allowance})
			w := newWorld(rand.New(rand.NewPCG(8, 8)), g, receiver{period: 4 * tick, stdDev: c.stdDev})
			w.yaw = 0
			stop := map[bool]float64{true: 50, false: 60}[c.jump > 0]
			far := 0.0
			w.receiver.change = func(w *world, at orb.Point) orb.Point {
				if far = max(far, w.at[0]); far >= stop {
					at[0] += c.jump
				}
				at[0] -= c.lag * max(0, far-40)
				return at
			}
			for w.at[0] < stop && w.now < 120*second {
				w.drive(1)
			}
			for w.told = 0; w.speed > 0; {
				w.step()
			}
			for turned := 0.0; turned < 2*math.Pi*c.circles; turned += 0.05 {
				w.yaw += 0.05
				w.step()
			}
			w.yaw = math.Pi
			from, began := w.at[0], w.now
			for w.at[0] > from-5 && w.now < began+60*second {
				w.drive(1)
			}
			if w.at[0] > from-5 {
				_, reason := g.Limit(w.now, 1, 0)
				t.Errorf("it stands at %v, %.1f m from the edge, clearance %.2f m: %s", w.at, 60-w.at[0], g.Clearance(), reason)
			}
		})
	}
}

// Wheels that differ a little turn the robot by a radian in 100 m. The guard learns by how much, and after a minute without fixes the
// robot is about where the wheels say.
func TestWheelsThatDiffer(t *testing.T) {
	for _, bend := range []float64{-0.01, 0.01} {
		g := guard.New(square(200), guard.Config{})
		w := newWorld(rand.New(rand.NewPCG(6, 6)), g, receiver{period: 4 * tick, stdDev: 0.02})
		w.bend = bend
		for w.now < 660*second {
			if math.Max(math.Abs(w.at[0]), math.Abs(w.at[1])) > 100 { // it turns back
				w.yaw = math.Atan2(-w.at[1], -w.at[0])
			}
			if w.now > 600*second {
				w.receiver.period = 1000 * second
			}
			w.drive(1)
		}
		w.receiver.period = 4 * tick
		for range 40 {
			w.drive(1)
		}
		if usually, _ := g.Needs(); usually > 12 {
			t.Errorf("bend %g rad/m: after a minute without fixes a place must be %.1f m inside", bend, usually)
		}
	}
}

// A receiver that jumps states centimetres, and has a noise of decimetres: its fixes contradict each
// other, too. That does not bring the trust back.
func TestJumpsWithMoreNoiseThanStated(t *testing.T) {
	for seed := range uint64(50) {
		to := orb.Point{6 * math.Cos(float64(seed)), 6 * math.Sin(float64(seed))}
		if w, out := drivenOut(seed, func(w *world, at orb.Point) orb.Point {
			return orb.Point{at[0] + to[0] + 0.1*w.rng.NormFloat64(), at[1] + to[1] + 0.1*w.rng.NormFloat64()}
		}); out > 0.25 {
			t.Errorf("a jump by %.1f: %.2f m outside, at %v", to, out, w.at)
		}
	}
}

// A receiver whose fixes drift ahead of the robot is not believed for long, at any rate.
func TestDriftAhead(t *testing.T) {
	for _, period := range []int64{tick, 4 * tick, 20 * tick} {
		g := guard.New(square(100), guard.Config{})
		w := newWorld(rand.New(rand.NewPCG(9, 9)), g, receiver{period: period, stdDev: 0.02})
		w.at, w.yaw = orb.Point{-60, 0}, 0
		w.receiver.change = func(w *world, at orb.Point) orb.Point {
			return orb.Point{at[0] + 0.2*max(0, float64(w.now-10*second)/1e9), at[1]}
		}
		reason := guard.Edge
		for ; reason == guard.Edge; _, reason = g.Limit(w.now, 1, 0) {
			w.drive(1)
			if w.at[0] > -20 {
				t.Errorf("a fix each %g s: %s after 40 m", float64(period)/1e9, reason)
				break
			}
		}
	}
}

// A robot that somebody turns towards the fence, which its wheels do not tell, is stopped with the first fix that shows it.
func TestTurnedByHand(t *testing.T) {
	distance, worst := square(30), 0.0
	for seed := range uint64(50) {
		g := guard.New(distance, guard.Config{})
		w := newWorld(rand.New(rand.NewPCG(seed, 9)), g, receiver{period: second, stdDev: 0.02})
		w.yaw, w.heard = 0, 0
		for w.at[0] < 26 {
			w.drive(1)
		}
		w.yaw = math.Pi // the robot itself
		for range 100 {
			w.drive(0)
		}
		w.yaw, w.heard = 0, 0 // somebody
		for w.now < 200*second {
			w.drive(1)
		}
		worst = min(worst, distance(w.at))
	}
	if worst < -0.3 {
		t.Errorf("%.2f m outside", -worst)
	}
}

// One outlier costs nothing.
func TestOutlier(t *testing.T) {
	distance := square(100)
	g := guard.New(distance, guard.Config{})
	w := newWorld(rand.New(rand.NewPCG(5, 5)), g, receiver{period: 4 * tick, stdDev: 0.02})
	n := 0
	w.receiver.change = func(_ *world, at orb.Point) orb.Point {
		if n++; n%10 == 9 {
			at[0] += 50
		}
		return at
	}
	for w.now < 60*second {
		want := 1.5
		if w.now > 15*second && w.now < 20*second { // fixes that stand, too, have not drifted
			want = 0
		}
		w.drive(want)
		if limit, reason := g.Limit(w.now, 1, 0); w.now > 30*second && limit < 1.5 {
			t.Fatalf("%.2f m/s: %s", limit, reason)
		}
	}
}

// A robot drives for some metres before fixes have shown that it moves: three times as far before a person has answered, since fixes that err
// by more than they state take longer to show it.
func TestUnmoved(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(3, 3)), guard.New(square(1000), guard.Config{}), receiver{period: 4 * tick, stdDev: 0.02, stuck: true, noisy: true})
	for range 1000 {
		w.drive(1)
	}
	if far := math.Hypot(w.at[0], w.at[1]); far > 12 || far < 7 {
		t.Errorf("it drove %.1f m", far)
	}
}

// A robot whose fixes cease on the first metres waits for fixes: it is not told that they show no motion.
func TestOutageOnTheFirstMetres(t *testing.T) {
	g := guard.New(square(1000), guard.Config{})
	driven := 0.0
	for now := second; now < 60*second; now += second / 20 {
		if now < 3*second {
			must.OK(t, g.Fix(now, now, orb.Point{0.01 * math.Sin(float64(now)), 2}, 0.02))
			must.OK(t, g.Odometry(now, 0, 0, 0))
			continue
		}
		limit, reason := g.Limit(now, 1, 0)
		if limit = min(limit, 1); limit < 0.01 {
			if reason != guard.Silent || g.Stops(now) != guard.Silent {
				t.Errorf("after %.1f m the reason is %q", driven, reason)
			}
			return
		}
		driven += limit / 20
		must.OK(t, g.Odometry(now, limit, 0, 0))
	}
	t.Errorf("it drives %.1f m without a fix", driven)
}

// However often a person answers for a robot whose receiver is stuck, it drives some metres in all.
func TestAnswersForAStuckReceiver(t *testing.T) {
	g := guard.New(square(1000), guard.Config{})
	w := newWorld(rand.New(rand.NewPCG(3, 3)), g, receiver{period: 4 * tick, stdDev: 0.02, stuck: true, noisy: true})
	for range 20 {
		g.Reset()
		for range 600 {
			w.drive(1)
		}
	}
	if far := math.Hypot(w.at[0], w.at[1]); far > 12 || far < 2 {
		t.Errorf("after 20 answers it is %.1f m away", far)
	}
}

// Without what it needs the guard lets nothing move, and says why.
func TestReasons(t *testing.T) {
	g := guard.New(square(50), guard.Config{})
	expect := func(now int64, want guard.Reason) {
		t.Helper()
		if speed, reason := g.Limit(now, 1, 0); reason != want || (speed > 0) != (want == guard.Edge) {
			t.Errorf("%.2f m/s, reason %q, want %q", speed, reason, want)
		}
	}
	expect(second, guard.NoFix)
	if err := g.Fix(second, second, orb.Point{1, 2}, 0.02); err != nil {
		t.Error(err)
	}
	expect(second, guard.NoOdometry)
	_ = g.Odometry(second, 0, 0, 0)
	expect(2*second, guard.Edge)
	expect(2*second+1, guard.NoOdometry)
	_ = g.Odometry(3*second, 0, 0, 0)
	for _, c := range []struct {
		at     orb.Point
		stamp  int64
		stdDev float64
		want   string
	}{
		{orb.Point{1, 2.01}, 3*second - 3100e6, 0.02, "3.1 s old"},
		{orb.Point{1, 2.01}, 3*second + 3100e6, 0.02, "3.1 s in the future"},
		{orb.Point{1, 2.01}, second / 2, 0.02, "2.5 s ago, before the guard knew the robot's motion"},
		{orb.Point{math.NaN(), 2}, 3 * second, 0.02, "(NaN, 2)"},
		{orb.Point{1, 2.01}, 3 * second, -1, "standard deviation, -1 m, is not a valid number"},
		{orb.Point{9, 2}, 3 * second, 0.02, "8 m from the position expected from the last fix and the wheels"},
	} {
		if err := g.Fix(3*second, c.stamp, c.at, c.stdDev); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("a fix at %v: %v, want %q", c.at, err, c.want)
		}
	}
	// Some receivers hold their fix while the robot stands, but not while it drives.
	if err := g.Fix(3*second, 3*second, orb.Point{1, 2}, 0.02); err != nil {
		t.Error(err)
	}
	_ = g.Odometry(3*second, 1, 0, 0)
	_ = g.Odometry(4*second, 1, 0, 0)
	if err := g.Fix(4*second, 4*second, orb.Point{1, 2}, 0.02); err == nil || !strings.Contains(err.Error(), "identical to the previous fix, although") {
		t.Errorf("a repeated fix on a drive: %v", err)
	}
	// A clock that is set adds no path, back or ahead; the time after that counts.
	for _, to := range []int64{500 * second, 2000 * second, 100 * second} {
		before := g.Clearance()
		g.Command(to, 1, 0)
		if after := g.Clearance(); after != before {
			t.Errorf("the clearance is %g m after the clock was set to %d s, before %g m", after, to/second, before)
		}
		_ = g.Odometry(to+second, 1, 0, 0)
		if after := g.Clearance(); math.Abs(before-after-1.1) > 1e-6 {
			t.Errorf("the clearance shrank by %g m in a second, want 1.1 m", before-after)
		}
	}
}

// A robot stands while no odometry comes, however long that lasts, and drives on after that. Meanwhile the clearance is a lower bound.
func TestOdometryCeases(t *testing.T) {
	distance := square(40)
	for seed := range uint64(20) {
		g := guard.New(distance, guard.Config{})
		w := newWorld(rand.New(rand.NewPCG(seed, 2)), g, receiver{period: 10 * tick, stdDev: []float64{0.02, 0.3}[seed%2]})
		drive := func(seconds int64) {
			for range seconds * second / tick {
				w.drive(1.5)
				if clear, is := g.Clearance(), distance(w.at); clear > is {
					t.Fatalf("seed %d: the clearance is %.2f m, and the robot is %.2f m inside", seed, clear, is)
				}
			}
		}
		drive(10)
		w.silent = true
		if drive(300); w.speed != 0 {
			t.Errorf("seed %d: without odometry, the robot drives at %.2f m/s", seed, w.speed)
		}
		w.silent = false
		from := w.at
		if drive(10); math.Hypot(w.at[0]-from[0], w.at[1]-from[1]) < 5 {
			_, reason := g.Limit(w.now, 1, 0)
			t.Errorf("seed %d: with odometry again, the robot drives from %v to %v in 10 s: %s", seed, from, w.at, reason)
		}
	}
}

// Odometry that no robot can mean stops the robot, and the robot drives on once it makes sense again.
func TestAbsurdOdometry(t *testing.T) {
	for _, v := range [][3]float64{{1e300, 0, 0}, {0, -1e300, 0}, {3000, 0, 0}, {0, 0, 1e300}, {math.MaxFloat64, math.MaxFloat64, 0}, {math.NaN(), 0, 0}, {0, 0, math.Inf(-1)}} {
		g := guard.New(square(50), guard.Config{})
		w := newWorld(rand.New(rand.NewPCG(8, 8)), g, receiver{period: 4 * tick, stdDev: 0.02})
		drive := func(n int) {
			for range n {
				w.drive(1)
			}
		}
		drive(200)
		if err := g.Odometry(w.now, v[0], v[1], v[2]); err == nil || !strings.Contains(err.Error(), "m/s") {
			t.Errorf("%v: %v, want it refused", v, err)
		}
		if speed, reason := g.Limit(w.now, 1, 0); speed != 0 || reason != guard.NoOdometry {
			t.Errorf("%v: the robot may drive %g m/s (%s), want it to stand", v, speed, reason)
		}
		if drive(100); w.speed < 0.9 {
			_, reason := g.Limit(w.now, 1, 0)
			t.Errorf("%v: 5 s later the robot drives %.2f m/s: %s", v, w.speed, reason)
		}
	}
}

// A robot that begins outside can come in, and the fence closes behind it.
func TestComesInFromOutside(t *testing.T) {
	g := guard.New(square(20), guard.Config{})
	w := newWorld(rand.New(rand.NewPCG(6, 6)), g, receiver{period: 4 * tick, stdDev: 0.02})
	w.at, w.yaw = orb.Point{-24, 0}, 0
	for w.at[0] < 0 {
		w.drive(1)
		if w.now > 300*second {
			t.Fatalf("at %v: allowance %.2f m, clearance %.2f m", w.at, g.Allowance(), g.Clearance())
		}
	}
	w.yaw = math.Pi
	for range 2000 {
		w.drive(1)
	}
	if w.at[0] < -20-g.Allowance() || g.Allowance() > 1 {
		t.Errorf("it is at %v, the allowance is %.2f m", w.at, g.Allowance())
	}
}

func TestAllocatesNothing(t *testing.T) {
	g := guard.New(square(30), guard.Config{})
	w := newWorld(rand.New(rand.NewPCG(7, 7)), g, receiver{period: tick, stdDev: 0.02, waiting: make([]message, 0, 10)})
	for range 100 {
		w.drive(0.5)
	}
	x := 0.0
	if n := testing.AllocsPerRun(1000, func() {
		w.now += tick
		x += 1e-4
		_ = g.Odometry(w.now, 0.5, 0, 0)
		must.OK(t, g.Fix(w.now, w.now, orb.Point{w.at[0] + x, w.at[1]}, 0.02))
		speed, _ := g.Limit(w.now, 1, 0)
		g.Command(w.now, speed, 0)
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// Whatever comes, the limit is a speed, and the clearance never grows without a fix.
func FuzzGuard(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 200, 100, 3, 7}, 0.02, 0.5)
	f.Add([]byte{4, 4, 4, 0, 0, 3, 9, 250}, 1e300, math.Inf(1))
	f.Fuzz(func(t *testing.T, calls []byte, stdDev, size float64) {
		g := guard.New(square(20), guard.Config{Antenna: orb.Point{0.3, 0}})
		now := second
		for i, c := range calls {
			now += int64(c) * tick / 16
			before := g.Clearance()
			x := size * float64(i%7)
			switch c % 6 {
			case 0, 1:
				_ = g.Fix(now, now-int64(c)*tick, orb.Point{x, -x}, stdDev)
				continue
			case 2:
				_ = g.Odometry(now, x, -x, x)
			case 3:
				g.Command(now, x, 0)
			case 4:
				now -= int64(c) * second
			case 5:
				g.Reset()
			}
			if speed, _ := g.Limit(now, 1, 0); !(speed >= 0) || math.IsInf(speed, 1) {
				t.Fatalf("call %d: the limit is %g m/s", i, speed)
			}
			if after := g.Clearance(); after > before {
				t.Fatalf("call %d: the clearance grew from %g to %g m", i, before, after)
			}
		}
	})
}
