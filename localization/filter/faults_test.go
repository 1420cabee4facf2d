// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
)

// trip is a drive with one fault: lanes of 25 m, joined by turns on the spot, with a pause of 10 s in the
// middle of every other lane. The wheels are exact but for what is said here.
type trip struct {
	rate, stdDev float64 // of fixes: Hz, m
	gyro         bool
	seconds      float64
	told         float64                             // error of the given heading, rad
	turned       float64                             // by hand in the first pause, rad
	carried      float64                             // by hand in the first pause, m to the east
	stuck        [2]float64                          // the receiver repeats its last fix from and to, s
	repeats      float64                             // noise of the repeated fix, m
	held         [2]float64                          // the robot is held by an obstacle from and to, s
	slip         float64                             // then it moves by this part of the way of its wheels
	deadLeft     float64                             // the left encoder stands still from then on, s; 0: never
	late         float64                             // delay of the stamps of fixes, s
	antenna      localization.Lever                  // where it is
	believed     localization.Lever                  // where the filter takes it to be
	corner       float64                             // turn between two lanes, rad; 0: a quarter
	watch        func(now float64, m moment, f *EKF) // after each fix
}

// moment compares the filter with the truth.
type moment struct {
	known  bool    // whether there is a pose
	off    float64 // error of the position, m
	sigmas float64 // the same in claimed standard deviations, with the covariance
	yaw    float64 // error of the heading, rad
	turned float64 // the same in claimed standard deviations
}

const (
	tripSpeed, tripTurn = 1.0, 0.6 // m/s, rad/s
	tripLane            = 25.0     // m
	tripTrack           = 0.6      // m
)

// program returns the commands of a moment.
func (c *trip) program() func() (speed, rate float64) {
	const dt = 0.05
	lane, at := 0, 0.0
	leg, wait := 0.0, 0.0
	return func() (float64, float64) {
		for {
			switch {
			case wait > 0:
				wait -= dt
				return 0, 0
			case leg < tripLane:
				leg += tripSpeed * dt
				if lane%2 == 0 && math.Abs(leg-tripLane/2) < tripSpeed*dt/2 {
					wait = 10
				}
				return tripSpeed, 0
			case at < cmp.Or(c.corner, math.Pi/2):
				at += tripTurn * dt
				return 0, tripTurn * [2]float64{1, -1}[lane/2%2]
			}
			lane, leg, at = lane+1, 0, 0
		}
	}
}

func (c *trip) run(t testing.TB, seed uint64) *EKF {
	t.Helper()
	const dt = 0.05
	rng := rand.New(rand.NewPCG(seed, 31))
	cfg := DefaultConfig()
	cfg.Motion.Turn = 1
	cfg.HeadingGiven, cfg.InitialYaw, cfg.Antenna = true, c.told, c.believed
	f := New(cfg)
	var x, y, yaw float64
	var ox, oy, oyaw float64 // of the wheels
	next := c.program()
	paused, turned := 0.0, false
	var last [2]float64
	nextFix := 0.0
	for k := range int(c.seconds / dt) {
		now := float64(k+1) * dt
		stamp := int64(math.Round(now*1000)) * ms
		speed, rate := 0.0, 0.0
		if now > 3 {
			speed, rate = next()
		}
		if paused += dt; speed != 0 || rate != 0 {
			paused = 0
		}
		if !turned && paused > 5 && now > 10 {
			turned = true
			yaw += c.turned
			x += c.carried
		}
		truth := speed
		if now >= c.held[0] && now < c.held[1] {
			truth *= c.slip
		}
		x, y = x+truth*dt*math.Cos(yaw+rate*dt/2), y+truth*dt*math.Sin(yaw+rate*dt/2)
		yaw += rate * dt
		left, right := speed-rate*tripTrack/2, speed+rate*tripTrack/2
		if c.deadLeft > 0 && now >= c.deadLeft {
			left = 0
		}
		spin := (right - left) / tripTrack
		ox, oy = ox+(left+right)/2*dt*math.Cos(oyaw+spin*dt/2), oy+(left+right)/2*dt*math.Sin(oyaw+spin*dt/2)
		oyaw = wrapAngle(oyaw + spin*dt)
		if c.gyro {
			for i := range int64(2) {
				must.OK(t, f.PredictGyro(stamp-25*ms*(1-i), rate+0.003*rng.NormFloat64(), 1e-5))
			}
		}
		must.OK(t, f.PredictPose(stamp, ox, oy, oyaw))
		if now+1e-9 < nextFix {
			continue
		}
		nextFix += 1 / c.rate
		fix := Fix{Stamp: stamp + int64(c.late*1000)*ms, Cov: diag2(c.stdDev*c.stdDev, c.stdDev*c.stdDev)}
		if now >= c.stuck[0] && now < c.stuck[1] {
			fix.X, fix.Y = last[0]+c.repeats*rng.NormFloat64(), last[1]+c.repeats*rng.NormFloat64()
		} else {
			place := at(c.antenna, x, y, yaw)
			fix.X, fix.Y = real(place)+c.stdDev*rng.NormFloat64(), imag(place)+c.stdDev*rng.NormFloat64()
			last = [2]float64{fix.X, fix.Y}
		}
		if _, err := f.FusePosition(fix); err != nil {
			t.Fatal(err)
		}
		if c.watch == nil {
			continue
		}
		m := moment{}
		if p, err := f.Pose(); err == nil {
			m.known = true
			m.off = math.Hypot(p.X-x, p.Y-y)
			m.sigmas = math.Sqrt(normalised(t, []float64{p.X - x, p.Y - y}, &p.Cov))
			m.yaw = math.Abs(wrapAngle(p.Yaw - yaw))
			m.turned = m.yaw / math.Sqrt(p.Cov[2][2])
		}
		c.watch(now, m, f)
	}
	return f
}

// nees runs the trip, and returns the filter and the mean d² of its position at the fixes after a time, s.
func (c *trip) nees(t testing.TB, after float64) (f *EKF, mean float64) {
	n := 0.0
	c.watch = func(now float64, m moment, _ *EKF) {
		if now > after {
			n++
			mean += (m.sigmas*m.sigmas - mean) / n
		}
	}
	return c.run(t, 1), mean
}

// Whatever is wrong, the filter knows what it does not know: the true position and the true heading are within four claimed standard
// deviations but for the first moments, at any rate of fixes, with and without a gyroscope. Where fixes can tell what is right, it is right
// again at the end. A drive without a fault is left alone.
func TestFaultsAreDoubted(t *testing.T) {
	stuck := func(c *trip) { c.stuck = [2]float64{60, 120} }
	const ( // whether the heading is corrected
		never = iota // it stays right
		maybe
		surely // with fixes of 0.02 m
	)
	for name, c := range map[string]struct {
		fault func(c *trip)
		// Time for which the position, or the heading, is off by more than four standard deviations, s, with fixes of 0.02, 0.3 and 1 m.
		beyond, turned [3]float64
		sigmas         float64 // largest error of the position in standard deviations, once it is off by 1 m
		corrected      int
		doubted        bool // whether fixes and wheels must contradict each other for a while
		unknown        bool // the fault stays, so that neither position nor heading need be right at the end
	}{
		"none":               {func(*trip) {}, [3]float64{}, [3]float64{}, 4, never, false, false},
		"stuck":              {stuck, [3]float64{0, 1, 4}, [3]float64{0, 0, 3}, 6, never, true, false},
		"stuck with noise":   {func(c *trip) { stuck(c); c.repeats = c.stdDev }, [3]float64{0, 1, 3}, [3]float64{0, 0, 5}, 10, never, true, false},
		"told 180°":          {func(c *trip) { c.told = math.Pi }, [3]float64{1, 1, 2}, [3]float64{8, 10, 14}, 8, surely, false, false},
		"told 90°":           {func(c *trip) { c.told = math.Pi / 2 }, [3]float64{1, 1, 14}, [3]float64{8, 10, 40}, 8, surely, false, false},
		"told 45°":           {func(c *trip) { c.told = math.Pi / 4 }, [3]float64{5, 1, 10}, [3]float64{8, 35, 45}, 8, maybe, false, false},
		"turned 180°":        {func(c *trip) { c.turned = math.Pi }, [3]float64{1, 1, 3}, [3]float64{10, 10, 17}, 8, surely, false, false},
		"turned 90°":         {func(c *trip) { c.turned = math.Pi / 2 }, [3]float64{1, 1, 3}, [3]float64{8, 10, 12}, 8, surely, false, false},
		"left encoder stuck": {func(c *trip) { c.deadLeft = 60 }, [3]float64{1, 4, 6}, [3]float64{5, 5, 20}, 10, maybe, true, true},
		"held":               {func(c *trip) { c.held = [2]float64{60, 90} }, [3]float64{1, 2, 8}, [3]float64{}, 8, maybe, true, false},
		"carried":            {func(c *trip) { c.carried = 5 }, [3]float64{1, 2, 16}, [3]float64{}, 10, maybe, false, false},
		"slips":              {func(c *trip) { c.held, c.slip = [2]float64{60, 90}, 0.3 }, [3]float64{1, 2, 8}, [3]float64{}, 8, maybe, false, false},
	} {
		for i, stdDev := range []float64{0.02, 0.3, 1} {
			for _, rate := range []float64{0.5, 1, 5, 20} {
				for _, gyro := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/%g m/%g Hz/gyro %v", name, stdDev, rate, gyro), func(t *testing.T) {
						t.Parallel()
						drive := trip{rate: rate, stdDev: stdDev, gyro: gyro, seconds: 170}
						c.fault(&drive)
						var beyond, turned, sigmas float64
						var end moment
						doubted := false
						drive.watch = func(now float64, m moment, f *EKF) {
							if _, on := f.Doubt(); on {
								doubted = true
							}
							if end = m; m.sigmas > 4 {
								beyond += 1 / rate
							}
							if m.turned > 4 {
								turned += 1 / rate
							}
							if m.off > 1 {
								sigmas = max(sigmas, m.sigmas)
							}
						}
						f := drive.run(t, 1)
						n := f.Counts()
						if beyond > max(c.beyond[i], 1/rate) || sigmas > c.sigmas {
							t.Errorf("the position was off by more than 4 standard deviations for %.2f s, by up to %.1f; want %g s and %g at most", beyond, sigmas, c.beyond[i], c.sigmas)
						}
						if turned > max(c.turned[i], 1/rate) {
							t.Errorf("the heading was off by more than 4 standard deviations for %.2f s; want %g s at most", turned, c.turned[i])
						}
						doubted = doubted || n.HeadingLost > 0
						if c.doubted && !doubted || name == "none" && (doubted || n.Forced > 0) ||
							c.corrected == surely && stdDev < 0.1 && n.Turned+n.Forced == 0 || c.corrected == never && n.Turned > 0 {
							t.Errorf("fixes and wheels contradicted each other: %v; %+v", doubted, n.FixCounts)
						}
						if _, on := f.Doubt(); !c.unknown && (on || !end.known || end.off > 3*stdDev+0.1 || end.yaw > 0.2) {
							t.Errorf("at the end: %+v, in doubt: %v", end, on)
						}
					})
				}
			}
		}
	}
}

// A receiver that repeats its last fix for 20 s, and then goes on: the first right fixes end the doubt, and the position is right again.
func TestReceiverThatGoesOn(t *testing.T) {
	for _, gyro := range []bool{false, true} {
		for seed := range uint64(3) {
			c := trip{rate: 1, stdDev: 0.02, gyro: gyro, seconds: 90, stuck: [2]float64{60, 80}}
			off, doubted := 0.0, false
			c.watch = func(now float64, m moment, f *EKF) {
				_, on := f.Doubt()
				doubted = doubted || on
				if now > 82 {
					off = max(off, m.off)
				}
			}
			if c.run(t, seed+1); off > 0.2 || !doubted {
				t.Errorf("gyro %v, seed %d: in doubt: %v; from 2 s after the first right fix on off by up to %.2f m", gyro, seed+1, doubted, off)
			}
		}
	}
}

// drivenStraight drives straight on for some hours at 1.6 m/s to the east with exact wheels and one fix a
// second, whose errors have the standard deviations east and north (m) and claim another.
func drivenStraight(t testing.TB, hours float64, seed uint64, east, north, claimed float64) Counts {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 77))
	cfg := DefaultConfig()
	cfg.HeadingGiven = true
	f := New(cfg)
	const dt = 0.2
	for k := range int(hours * 3600 / dt) {
		stamp, x := int64(k+1)*200*ms, 1.6*dt*float64(k)
		must.OK(t, f.PredictPose(stamp, x, 0, 0))
		if k%5 != 0 {
			continue
		}
		if _, err := f.FusePosition(Fix{Stamp: stamp, X: x + east*rng.NormFloat64(), Y: north * rng.NormFloat64(), Cov: diag2(claimed*claimed, claimed*claimed)}); err != nil {
			t.Fatal(err)
		}
	}
	return f.Counts()
}

// hours is longer for a measurement of rare events.
var hours = flag.Float64("filter.hours", 10, "hours that TestNoiseIsNoFault drives with each kind of noise")

// The noise of fixes replaces no right heading and passes for no contradiction, neither honest noise nor that
// of Gazebo, whose root mean square is claimed although it is larger across the way.
func TestNoiseIsNoFault(t *testing.T) {
	for _, c := range []struct{ east, north, claimed float64 }{{0.83, 0.83, 0.83}, {0.6, 1, 0.83}, {0.6, 1, 1}} {
		n := drivenStraight(t, *hours, 5, c.east, c.north, c.claimed)
		t.Logf("%+v: in %g h the heading was replaced %d times, %d contradictions, %d fixes forced", c, *hours, n.Turned, n.Slips, n.Forced)
		if n.Turned > 0 || n.Slips > 0 || n.Forced > 0 {
			t.Errorf("want none")
		}
	}
}

// A robot that was turned by hand may have learnt a wrong scale of its turn from that. It is forgotten with the
// wrong heading, and kept with one that was right.
func TestSlipIsForgottenWithAWrongHeading(t *testing.T) {
	cfg := DefaultConfig()
	cfg.gate = [2]float64{10.8, 13.8}
	fix := Fix{X: 1, Y: 2, Cov: diag2(0.01, 0.01)}
	for yaw, want := range map[float64]float64{0.1: 0.4, 1.5: cfg.Motion.Turn} {
		var e estimate
		e.start(&cfg, 1)
		e.setPose(&localization.Pose{Cov: diag(0.01, 0.01, 0.01)})
		e.x[stateTurn], e.p[stateTurn][stateTurn] = 0.4, 0.001
		e.p[stateYaw][stateTurn], e.p[stateTurn][stateYaw] = 0.001, 0.001
		if e.turnTo(yaw, 0.01, &fix, &cfg); (e.counts.Turned > 0) != (want != 0.4) {
			t.Errorf("heading %g: counted as %d corrections", yaw, e.counts.Turned)
		}
		mean, _ := e.slip()
		near(t, "scale of the turn", mean.Turn, want, 0.01)
		near(t, "x", e.x[stateX], 1, 1e-9)
	}
}

// A robot whose left encoder fails at a turn does not learn that it hardly turns with its wheels, or turns against them.
func TestNoTurnAgainstTheWheels(t *testing.T) {
	least := math.Inf(1)
	for seed := range uint64(6) {
		c := trip{rate: 1, stdDev: 0.3, seconds: 120, deadLeft: 40, watch: func(_ float64, _ moment, f *EKF) {
			k, _ := f.Slip()
			least = min(least, k.Turn)
		}}
		c.run(t, seed)
	}
	if least < leastTurn {
		t.Errorf("the robot is said to turn by %.2f times the turn of its wheels, want at least %g", least, leastTurn)
	}
}

// A filter that loses its heading starts over without doubts: in doubt it would take the robot to stand, and
// never find the heading by driving.
func TestHeadingLostEndsTheDoubt(t *testing.T) {
	cfg := perfectWheels()
	d := newDriver(t, cfg, localization.Pose{})
	must.OK(t, d.f.Initialise(localization.Pose{Cov: diag(0.01, 0.01, 0.01)}))
	e := &d.f.hist.newest().after
	e.doubt = e.begins()
	d.drive(1)
	if _, ok := d.f.Doubt(); !ok {
		t.Fatal("no doubt")
	}
	d.stamp += 3000 * ms // without odometry
	d.drive(1)
	if _, ok := d.f.Doubt(); ok || d.f.Counts().HeadingLost != 1 {
		t.Fatalf("in doubt: %v, %+v", ok, d.f.Counts())
	}
	for range 8 {
		d.drive(1)
		d.fix(0, 0, 0.1)
	}
	if d.f.Mode() != Running {
		t.Errorf("after 8 m: %v", d.f.Mode())
	}
}

// A fixed receiver jumps by 0.5 m while the robot drives, as with wrong ambiguities. The place before it stays possible for as long as the
// fixes have been there, unless they jump back. A robot that is carried takes its time, and leaves no doubt.
func TestJumpOfTheReceiver(t *testing.T) {
	type stretch struct {
		seconds int
		off     float64 // m, at its end
		want    float64 // m, standard deviation at its end
	}
	for name, stretches := range map[string][]stretch{
		"back":    {{60, 0, 0.02}, {30, 0.5, 0.25}, {30, 0, 0.02}},
		"lasting": {{60, 0, 0.02}, {30, 0.5, 0.25}, {80, 0.5, 0.02}},
		"twice":   {{60, 0, 0.02}, {30, 0.5, 0.25}, {30, 1.5, 0.75}, {30, 0, 0.02}},
		"drift":   {{60, 0, 0.02}, {100, 5, 0.08}, {30, 5, 0.08}},
	} {
		cfg := perfectWheels()
		cfg.HeadingGiven = true
		d := newDriver(t, cfg, localization.Pose{})
		off := 0.0
		for i, s := range stretches {
			first := off
			for k := range s.seconds {
				if d.twist = (Twist{X: 1, Yaw: 0.1}); k%15 == 9 {
					d.twist.X = 0 // a circle driven without a stop would not show the delay of stamps
				}
				d.drive(1)
				if off = s.off; name == "drift" {
					off = first + (s.off-first)*float64(k+1)/float64(s.seconds)
				}
				d.fix(0, off, 0.02)
			}
			p, err := d.f.Pose()
			must.OK(t, err)
			if got := math.Sqrt(p.Cov[1][1]); math.Abs(got-s.want) > 0.2*s.want+0.03 {
				t.Errorf("%s: the standard deviation after stretch %d is %.3f m, want about %g", name, i, got, s.want)
			}
		}
	}
}

// In doubt, and without fixes for long, a pose covers a robot that stands and one that drives as its wheels do, and is at the place by the wheels.
func TestOutageInDoubt(t *testing.T) {
	cfg := perfectWheels()
	cfg.HeadingGiven = true
	d := newDriver(t, cfg, localization.Pose{})
	for range 30 {
		d.drive(1)
		d.fix(0, 0, 0.1)
	}
	e := &d.f.hist.newest().after
	e.doubt = e.begins()
	from, err := d.f.Pose()
	must.OK(t, err)
	d.drive(1)
	if p, err := d.f.Pose(); err != nil || math.Hypot(p.X-from.X, p.Y-from.Y) > 0.1 {
		t.Errorf("a second after a fix it is at (%.2f, %.2f) m, want (%.2f, %.2f)", p.X, p.Y, from.X, from.Y)
	}
	for range 9 {
		d.drive(1)
	}
	p, err := d.f.Pose()
	must.OK(t, err)
	if way := math.Hypot(p.X-from.X, p.Y-from.Y); way < 7.5 {
		t.Errorf("after 10 s in which the wheels drove 10 m it is %.2f m ahead, want 8 m: all since the second second", way)
	}
	for name, at := range map[string]localization.Pose{"stands": from, "drives": d.truth} {
		if sigmas := math.Sqrt(normalised(t, []float64{p.X - at.X, p.Y - at.Y}, &p.Cov)); sigmas > 2 {
			t.Errorf("a robot that %s is %.1f standard deviations off", name, sigmas)
		}
	}
}
