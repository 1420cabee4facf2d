// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// imu is a wrong mounting or unit: the rates and accelerations that it has for those of an IMU that is right, and its axis.
type imu struct {
	name    string
	axis    Axis
	measure func(v [3]float64) [3]float64
	unit    float64
}

var (
	turns = []imu{
		{"upright", 0, func(v [3]float64) [3]float64 { return v }, 0},
		{"upside down", down, func(v [3]float64) [3]float64 { return [3]float64{v[0], -v[1], -v[2]} }, 0},
		{"x up", another, func(v [3]float64) [3]float64 { return [3]float64{v[2], v[1], -v[0]} }, 0},
		{"x down", another | down, func(v [3]float64) [3]float64 { return [3]float64{-v[2], v[1], v[0]} }, 0},
		{"y up", 2 * another, func(v [3]float64) [3]float64 { return [3]float64{v[0], v[2], -v[1]} }, 0},
		{"y down", 2*another | down, func(v [3]float64) [3]float64 { return [3]float64{v[0], -v[2], v[1]} }, 0},
	}
	robots = []struct {
		name  string
		skid  float64 // true turn by that of the wheels
		drive func(t float64) (v, w float64)
		by    Witness
	}{
		{"turns on the spot", 1, pivots, Wheels},
		{"turns by half of what its wheels tell", 0.5, pivots, Wheels},
		{"drives arcs", 1, arcs, Courses},
	}
)

// pivots drives 20 m, and then turns by 90°, left and right in turn.
func pivots(t float64) (v, w float64) {
	switch leg := math.Floor(t / 46); {
	case t-46*leg < 40:
		return 0.5, 0
	case int(leg)%2 == 0:
		return 0, math.Pi / 12
	default:
		return 0, -math.Pi / 12
	}
}

// arcs drives 12 m, and then a quarter of a circle.
func arcs(t float64) (v, w float64) {
	switch leg := math.Floor(t / 20); {
	case t-20*leg < 12:
		return 1, 0
	case int(leg)%3 == 0:
		return 1, -math.Pi / 16
	default:
		return 1, math.Pi / 16
	}
}

// TestGyroscope tells each mounting and unit, with biases, and with fixes of centimetres and of a metre, and remains silent about an IMU
// that is right.
func TestGyroscope(t *testing.T) {
	for _, robot := range robots {
		for _, fixes := range []float64{0.02, 1} {
			for _, unit := range []float64{1, 180 / math.Pi} {
				for _, c := range turns {
					t.Run(fmt.Sprintf("%s/%g m/%.1f/%s", robot.name, fixes, unit, c.name), func(t *testing.T) {
						want := c.axis
						if unit != 1 {
							want |= degrees
						}
						g := new(Gyroscope)
						d := newDrive(robot.skid, robot.drive, fixes)
						c.unit = unit
						d.run(g, c, 600, false)
						axis, by := g.Axis()
						if axis != want || want != 0 && by != robot.by && by != Courses {
							t.Fatalf("the axis is %d by %d, want %d by %d", axis, by, want, robot.by)
						}
						if r := g.Ratio(axis); want != 0 && robot.skid == 1 && math.Abs(math.Abs(r)-unit) > 0.2*unit {
							t.Errorf("the ratio is %v, want ±%v", r, unit)
						}
						c.unit, c.measure = 1, turns[0].measure // it is mended
						d.run(g, c, 1200, false)
						if axis, by := g.Axis(); axis != 0 {
							t.Errorf("the axis is %d by %d after the gyroscope was mended", axis, by)
						}
					})
				}
			}
		}
	}
}

// TestGravity tells an IMU that lies on its side or upside down before the robot drives. Nothing is told by an accelerometer that is
// not there, or from which gravity was subtracted, and what the wheels and fixes tell counts more than the wrong sign of gravity.
func TestGravity(t *testing.T) {
	stand := func(float64) (v, w float64) { return 0, 0 }
	for _, c := range turns {
		g := new(Gyroscope)
		c.unit = 1
		newDrive(1, stand, 0.02).run(g, c, 2.9, true)
		if axis, _ := g.Axis(); axis != 0 {
			t.Errorf("%s: the axis is %d before 3 s", c.name, axis)
		}
		newDrive(1, stand, 0.02).run(g, c, 4, true)
		if axis, by := g.Axis(); axis != c.axis || axis != 0 && by != Gravity {
			t.Errorf("%s: the axis is %d by %d", c.name, axis, by)
		}
	}
	g := new(Gyroscope)
	wrong := imu{"", 0, func(v [3]float64) [3]float64 {
		if v[2] > 5 {
			v[2] = -v[2]
		}
		return v
	}, 1}
	d := newDrive(1, pivots, 1)
	d.run(g, wrong, 30, true)
	if axis, by := g.Axis(); axis != down || by != Gravity {
		t.Errorf("the axis is %d by %d, want %d by gravity", axis, by, down)
	}
	d.run(g, wrong, 120, true)
	if axis, by := g.Axis(); axis != 0 {
		t.Errorf("the axis is %d by %d after turns on the spot", axis, by)
	}
}

// TestRest tells a gyroscope whose bias of half a degree per second passes for half a radian per second while the robot stands. A robot
// that is turned by hand by half a turn does not, and neither does an honest bias.
func TestRest(t *testing.T) {
	for _, c := range []struct {
		name             string
		rate, time, then float64 // rad/s, s, and what it shows later
		want, later      Axis
	}{
		{"degrees", 0.57, 12, 0.57, degrees, degrees},
		{"against the clock", -0.57, 12, -0.57, degrees, degrees},
		{"mended", 0.57, 12, 0.01, degrees, 0},
		{"turned by hand", 1, 3.8, 0, 0, 0},
		{"bias", 0.3, 600, 0.3, 0, 0},
	} {
		g, stamp := new(Gyroscope), int64(0)
		run := func(rate, time, speed float64) Axis {
			for k := range int(time * 50) {
				stamp += 2e7
				g.Rates(stamp, [3]float64{0, 0, rate + alive(k)}, [3]float64{}, speed, 0, 0)
			}
			axis, by := g.Axis()
			if axis != 0 && by != Rest {
				t.Errorf("%s: by %d", c.name, by)
			}
			return axis
		}
		if axis := run(c.rate, c.time, 0); axis != c.want {
			t.Errorf("%s: the axis is %d, want %d", c.name, axis, c.want)
		}
		if axis := run(c.then, 10, 1); axis != c.want {
			t.Errorf("%s: the axis is %d while it drives, want %d", c.name, axis, c.want)
		}
		if axis := run(c.then, 8, 0); axis != c.later {
			t.Errorf("%s: the axis is %d later, want %d", c.name, axis, c.later)
		}
	}
}

// alive is the noise of the k-th rate, rad/s: a gyroscope that lives never says the same twice in a row.
func alive(k int) float64 { return 1e-6 * float64(k%2) }

// A rate that stays the same to the last bit while the wheels turn otherwise has frozen: a driver repeats an old message. One that changes,
// and one that is as it should be, has not.
func TestFrozen(t *testing.T) {
	const dt, enough = 0.02, 40 // s; rates that tell
	for _, c := range []struct {
		name                string
		rate                func(k int) float64
		bias, wheels, later float64 // rad/s; later is what the wheels tell from the 100th rate on
		frozen              bool
	}{
		{name: "while the robot drives straight, which then turns", rate: func(int) float64 { return 0.001 }, later: 0.5, frozen: true},
		{name: "in a turn, after which the robot drives straight", rate: func(int) float64 { return 0.4 }, wheels: 0.5, frozen: true},
		{name: "at a rate that the robot never had", rate: func(k int) float64 { return max(0.3, float64(100-k)) }, frozen: true},
		{name: "turns by half of what wheels tell, without noise", rate: func(k int) float64 { return 0.25 }, wheels: 0.5, later: 0.5},
		{name: "a bias, without noise", rate: func(int) float64 { return 0.2 }, bias: 0.2},
		{name: "noise in the last bit", rate: func(k int) float64 { return 0.001 + alive(k) }, later: 0.5},
		{name: "five rates a second", rate: func(k int) float64 { return 0.3 + alive(k/10) }, later: 0.5},
	} {
		var f Frozen
		for k := range 100 + enough {
			wheels := c.wheels
			if k >= 100 {
				wheels = c.later
			}
			f.Take([3]float64{2: c.rate(k)}, c.bias, wheels, dt)
		}
		if f.Is() != c.frozen {
			t.Errorf("%s: frozen is %v, want %v", c.name, f.Is(), c.frozen)
		}
		if f.Take([3]float64{2: 7}, 7, 0, dt); f.Is() {
			t.Errorf("%s: still frozen after another rate", c.name)
		}
	}
}

// Rates that are rounded have the variance of their rounding errors, which last: the turn of a robot that they do not show is within three
// standard deviations. Others have none to speak of.
func TestRounding(t *testing.T) {
	const dt, turn = 0.02, 0.003 // s, rad/s
	for _, step := range []float64{0, 0.02, 0.05} {
		g := new(Gyroscope)
		for k := range 500 {
			rate := 0.3 * math.Sin(float64(k)/50)
			if k >= 400 {
				rate = turn
			}
			if step > 0 {
				rate = step * math.Round(rate/step)
			}
			g.Rates(int64(k)*20e6, [3]float64{2: rate}, [3]float64{}, 1, 0, rate)
		}
		unseen, stdDev := 0.0, math.Sqrt(g.Rounding()*dt*2) // in two seconds, rad
		if step > 0 {
			unseen = turn * 2
		}
		if stdDev*3 < unseen || stdDev > max(2*step, 1e-5) {
			t.Errorf("rates in steps of %g rad/s: %g rad are not seen in 2 s, and the standard deviation is %g", step, unseen, stdDev)
		}
	}
}

// A rate is that of the message before if the wheels turn otherwise meanwhile; if they do not, nobody knows.
func TestRepeats(t *testing.T) {
	g := new(Gyroscope)
	for k, c := range []struct {
		rate, wheels float64
		repeats      bool
	}{{0.01, 0, false}, {0.01, 0, false}, {0.01, 0.05, false}, {0.01, 0.5, true}, {0.01, 0.5, true}, {0.4, 0.5, false}, {0.4, 0.5, false}, {0, 0.5, false}, {0, 0.5, true}} {
		g.Rates(int64(k+1)*20e6, [3]float64{2: c.rate}, [3]float64{}, 0, 0, c.wheels)
		if got := g.Repeats(); got != c.repeats {
			t.Errorf("rate %d, %g rad/s beside %g of the wheels: repeats is %v", k, c.rate, c.wheels, got)
		}
	}
}

// A yaw rate that stays the same to the last bit while the other rates live is dead once the wheels have turned otherwise for two seconds,
// also without any other rate that could be the yaw rate. One that comes in coarse steps, and one that turns as the wheels do, is not.
func TestDeadAxis(t *testing.T) {
	for name, c := range map[string]struct {
		rate   func(k int) float64
		turn   float64
		within float64 // s; 0: never
	}{
		"no rate":            {func(int) float64 { return 0 }, 0.4, 2.5},
		"another rate":       {func(k int) float64 { return -0.3 * float64(min(k/50, 1)) }, 0.4, 2.5},
		"coarse steps":       {func(k int) float64 { return 0.2 * float64(k/50%3) }, 0.4, 0},
		"as the wheels do":   {func(k int) float64 { return 0.3 * float64(min(k/50, 1)) }, 0.4, 0},
		"the robot is stuck": {func(k int) float64 { return alive(k) }, 0.4, 0},
	} {
		g := new(Gyroscope)
		for k := range 500 {
			turn := c.turn
			if k < 50 {
				turn = 0
			}
			g.Rates(int64(k+1)*2e7, [3]float64{alive(k), -alive(k), c.rate(k)}, [3]float64{0, 0, 9.8}, 0.5, 0, turn)
			axis, by := g.Axis()
			if at := float64(k-50) * 0.02; (axis == None && by == Death) != (c.within > 0 && at > deadTime) && math.Abs(at-deadTime) > 0.5 {
				t.Fatalf("%s: the axis is %d by %d after %g s", name, axis, by, at)
			}
		}
	}
}

// A gyroscope contradicts the wheels once they have turned far enough, if it shows far more, far less or the opposite; not where wheels drag.
func TestContradicts(t *testing.T) {
	for ratio, want := range map[float64]bool{-1: true, 0: true, 0.3: true, 0.5: false, 1: false, 1.5: false, 2: true, 4: true} {
		g := new(Gyroscope)
		for k := range 2000 {
			turn := 0.5 * math.Copysign(1, math.Sin(float64(k)/100))
			g.Rates(int64(k+1)*2e7, [3]float64{0, 0, ratio*turn + alive(k)}, [3]float64{}, 0.5, 0, turn)
			if g.Contradicts() && k < 200 {
				t.Fatalf("%g times: after %d rates", ratio, k)
			}
		}
		if got := g.Ratio(0); g.Contradicts() != want || math.Abs(got-ratio) > 0.01 {
			t.Errorf("%g times: %g, %v", ratio, got, g.Contradicts())
		}
		// As soon as its ratio is right, a contradiction is not over, but after some turns it is.
		for k := 2000; k < 5000; k++ {
			turn := 0.5 * math.Copysign(1, math.Sin(float64(k)/100))
			g.Rates(int64(k+1)*2e7, [3]float64{0, 0, turn + alive(k)}, [3]float64{}, 0.5, 0, turn)
			if want && k < 2800 && !g.Contradicts() {
				t.Fatalf("%g times: over after %d right rates", ratio, k-2000)
			}
		}
		if g.Contradicts() {
			t.Errorf("%g times: not over after it was right", ratio)
		}
	}
	if new(Gyroscope).Contradicts() {
		t.Error("before there was any rate")
	}
}

// The turn that noisy wheels measure along straight rows and in wide curves is not one that the gyroscope misses.
func TestNoisyWheelsDoNotContradict(t *testing.T) {
	for name, turns := range map[string]float64{"straight rows": 0, "wide curves": 0.06} { // rad/s
		g, rng := new(Gyroscope), rand.New(rand.NewPCG(1, 9))
		for k := range 1000 * 20 {
			turn := turns * math.Copysign(1, math.Sin(float64(k)/200))
			g.Rates(int64(k+1)*5e7, [3]float64{0, 0, turn + alive(k)}, [3]float64{}, 1, 0, turn/0.9+0.06*rng.NormFloat64())
			if g.Contradicts() {
				t.Fatalf("%s: a contradiction after %d s, the ratio is %.2f", name, k/20, g.Ratio(0))
			}
		}
	}
}

// TestHaste tells a gyroscope whose rates no robot reaches, before its heading is lost. A fault of the bus, vibrations, and a robot that
// its wheels turn so fast do not make it wrong, and one that is mended is right again after some turns, also of a robot that slips.
func TestHaste(t *testing.T) {
	for _, c := range []struct {
		name       string
		rate       func(k int) float64 // rad/s, 50 times a second
		turn, then float64             // of the wheels, rad/s, and what the gyroscope shows later
		want       Axis
	}{
		{"degrees", func(int) float64 { return 18 }, 0.3, 17, degrees},
		{"clockwise", func(int) float64 { return -18 }, -0.3, -17, degrees},
		{"mended", func(int) float64 { return 18 }, 0.3, 0.15, degrees},
		{"one wrong rate in a second", func(k int) float64 { return 0.3 + 500*float64((k%50)/49) }, 0.3, 0.3, 0},
		{"vibrations", func(k int) float64 { return 30 * math.Sin(float64(k)) }, 0, 0, 0},
		{"a fast robot", func(int) float64 { return 8 }, 7, 0, 0},
	} {
		g, stamp := new(Gyroscope), int64(0)
		run := func(rate func(k int) float64, seconds int) Axis {
			for k := range seconds * 50 {
				stamp += 2e7
				g.Rates(stamp, [3]float64{0, 0, rate(k) + alive(k)}, [3]float64{}, 1, 0, c.turn) // on an arc, of which wheels tell nothing
			}
			axis, by := g.Axis()
			if axis != 0 && by != Haste {
				t.Errorf("%s: by %d", c.name, by)
			}
			return axis
		}
		if axis := run(c.rate, 1); axis != c.want {
			t.Errorf("%s: the axis is %d after a second, want %d", c.name, axis, c.want)
		}
		later := c.want
		if math.Abs(c.then) < MostRate {
			later = 0
		}
		if axis := run(func(int) float64 { return c.then }, 30); axis != later {
			t.Errorf("%s: the axis is %d later, want %d", c.name, axis, later)
		}
	}
}

// Encoders that fail, a robot that is stuck or carried, and a receiver that jumps do not make a gyroscope wrong.
func TestGyroscopeIsRight(t *testing.T) {
	for name, fail := range map[string]func(d *testDrive){
		"left encoder dead":           func(d *testDrive) { d.left = 0 },
		"right encoder dead":          func(d *testDrive) { d.right = 0 },
		"right encoder counts double": func(d *testDrive) { d.right = 2 },
		"wheels slip":                 func(d *testDrive) { d.stuck = true },
		"receiver jumps":              func(d *testDrive) { d.jumps = 5 },
		"gyroscope stuck":             func(d *testDrive) { d.sticks = 0.3 },
		"odometry is mirrored":        func(d *testDrive) { d.left, d.right, d.swap = 1, 1, true },
	} {
		for _, robot := range robots {
			t.Run(name+"/"+robot.name, func(t *testing.T) {
				g, wrong := new(Gyroscope), 0
				d := newDrive(robot.skid, robot.drive, 0.02)
				fail(d)
				c := turns[0]
				c.unit = 1
				for range 120 {
					d.run(g, c, 10, true)
					if axis, _ := g.Axis(); axis != 0 {
						wrong++
					}
				}
				if wrong > 0 && !(d.swap && wrong < 40) { // until the fixes have told
					t.Errorf("the gyroscope is wrong in %d of 120 looks", wrong)
				}
			})
		}
	}
}

func TestGyroscopeAllocates(t *testing.T) {
	g, stamp := new(Gyroscope), int64(0)
	if n := testing.AllocsPerRun(1000, func() {
		stamp += 2e7
		g.Rates(stamp, [3]float64{0, 0, -0.5}, [3]float64{0, 0, 9.8}, 0, 0, 0.5)
		g.Fix(complex(float64(stamp), 0), 1)
		g.Axis()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGyroscope(b *testing.B) {
	g, stamp := new(Gyroscope), int64(0)
	b.ReportAllocs()
	for b.Loop() {
		stamp += 2e7
		g.Rates(stamp, [3]float64{0.1, 0, -0.5}, [3]float64{0, 0, 9.8}, 0.5, 0, 0.5)
		g.Axis()
	}
}

// testDrive is a robot with wheels, a receiver and an IMU.
type testDrive struct {
	skid, sd    float64
	drive       func(t float64) (v, w float64)
	rng         *rand.Rand
	t, yaw      float64
	at, slow    complex128
	stamp       int64
	left, right float64 // scales of the encoders
	swap, stuck bool
	jumps       float64
	sticks      float64 // rate that the gyroscope shows every other minute, rad/s; 0: it does not
}

func newDrive(skid float64, drive func(t float64) (v, w float64), sd float64) *testDrive {
	return &testDrive{skid: skid, sd: sd, drive: drive, rng: rand.New(rand.NewPCG(1, 2)), left: 1, right: 1, stamp: 1e18}
}

// run drives for a time, s, with an accelerometer or without.
func (d *testDrive) run(g *Gyroscope, c imu, time float64, accelerates bool) {
	const dt, track = 0.02, 0.5
	for i := 0; float64(i)*dt < time; i++ {
		d.t += dt
		d.stamp += 2e7
		v, wheel := d.drive(d.t)
		w := wheel * d.skid
		if d.stuck && int(d.t/60)%2 == 1 {
			v, w = 0, 0
		}
		d.yaw += w * dt
		d.at += cmplx.Rect(v*dt, d.yaw)
		l, r := d.left*(v-wheel*track/2), d.right*(v+wheel*track/2)
		if d.stuck {
			commanded, _ := d.drive(d.t)
			l, r = commanded-wheel*track/2, commanded+wheel*track/2
		}
		if d.swap {
			l, r = r, l
		}
		noise := func(s float64) float64 { return s * d.rng.NormFloat64() }
		rates := c.measure([3]float64{noise(0.1), noise(0.1), w})
		if d.sticks != 0 && int(d.t/60)%2 == 1 {
			rates = [3]float64{0, 0, d.sticks}
		}
		for k := range rates {
			rates[k] = c.unit * (rates[k] + 0.01*float64(k-1) + noise(0.01))
		}
		var acceleration [3]float64
		if accelerates {
			acceleration = c.measure([3]float64{noise(1), noise(1), 9.81 + noise(1)})
		}
		g.Rates(d.stamp, rates, acceleration, (l+r)/2, 0, (r-l)/track)
		if i%50 == 0 {
			d.slow += complex(-0.02*real(d.slow)+noise(0.2*d.sd), -0.02*imag(d.slow)+noise(0.2*d.sd))
			fix := d.at + d.slow
			if d.jumps > 0 && int(d.t/30)%2 == 1 {
				fix += complex(d.jumps, 0)
			}
			g.Fix(fix, d.sd)
		}
	}
}
