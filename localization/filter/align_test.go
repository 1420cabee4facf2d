// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
)

// driver feeds a filter with the odometry of a robot without slip that drives an
// arc, and knows the true pose.
type driver struct {
	t     *testing.T
	f     *EKF
	stamp int64
	truth localization.Pose
	twist Twist
}

func newDriver(t *testing.T, cfg Config, truth localization.Pose) *driver {
	t.Helper()
	d := &driver{t: t, f: New(cfg), stamp: truth.Stamp, truth: truth, twist: Twist{X: 1, Yaw: 0.1}}
	must.OK(t, d.f.PredictTwist(d.stamp, d.twist))
	return d
}

func (d *driver) drive(seconds float64) {
	d.t.Helper()
	for range int(math.Round(seconds * 50)) {
		const dt = 0.02
		d.stamp += 20 * ms
		sin, cos := math.Sincos(d.truth.Yaw + d.twist.Yaw*dt/2)
		s := math.Sin(d.twist.Yaw*dt/2) / (d.twist.Yaw / 2)
		d.truth.X += d.twist.X * s * cos
		d.truth.Y += d.twist.X * s * sin
		d.truth.Yaw += d.twist.Yaw * dt
		d.truth.Stamp = d.stamp
		must.OK(d.t, d.f.PredictTwist(d.stamp, d.twist))
	}
}

func (d *driver) fix(ex, ey, stdDev float64) Innovation {
	d.t.Helper()
	a := d.f.cfg.Antenna
	sin, cos := math.Sincos(d.truth.Yaw)
	in, err := d.f.FusePosition(Fix{
		Stamp: d.stamp, X: d.truth.X + cos*a.X - sin*a.Y + ex, Y: d.truth.Y + sin*a.X + cos*a.Y + ey, Cov: diag2(stdDev*stdDev, stdDev*stdDev),
	})
	must.OK(d.t, err)
	return in
}

// Fixes along the way tell the heading, once they are far enough apart for their errors.
func TestHeadingFromDrive(t *testing.T) {
	cfg := perfectWheels()
	cfg.Antenna = localization.Lever{X: -0.4, Y: 0.2}
	d := newDriver(t, cfg, localization.Pose{X: 100, Y: -50, Yaw: 2.5})
	if _, err := d.f.Pose(); !errors.Is(err, ErrNotInitialised) {
		t.Errorf("before any fix: %v", err)
	}
	for d.f.Mode() != Running {
		if in := d.fix(0, 0, 0.5); in.Status != fixWaiting {
			t.Fatal(in.Status)
		}
		if d.f.Mode() == PositionKnown {
			d.drive(1)
		}
	}
	if way := float64(d.stamp) * 1e-9; way < 3 || way > 6 { // of 1 m/s
		t.Errorf("a heading after %v m", way)
	}
	p, err := d.f.Pose()
	must.OK(t, err)
	near(t, "x", p.X, d.truth.X, 1e-6)
	near(t, "y", p.Y, d.truth.Y, 1e-6)
	near(t, "yaw", p.Yaw, wrapAngle(d.truth.Yaw), 1e-6)
	if c := d.f.Counts(); c.Initialised != 1 {
		t.Errorf("counts %+v", c)
	}
}

// The distance that a person is told to drive is enough in five drives of six, and not far more than what is needed, whether the errors of
// the fixes are white or last, also for a slow robot with many fixes.
func TestHeadingDistance(t *testing.T) {
	const drives = 30
	for _, c := range []struct{ speed, rate, lasts float64 }{ // m/s, Hz, s
		{1, 1, 0.1}, {1, 1, fixTau}, {1, 10, fixTau}, {0.3, 1, fixTau}, {0.3, 10, fixTau},
	} {
		for _, stdDev := range []float64{0.02, 0.3, 0.5, 1, 2, 3, 5} {
			enough, sum, told := 0, 0.0, localization.HeadingDistance(stdDev, c.speed)
			for seed := range uint64(drives) {
				rng := rand.New(rand.NewPCG(seed, 3))
				d := newDriver(t, DefaultConfig(), localization.Pose{Yaw: 2.5})
				d.twist = Twist{X: c.speed, Yaw: 1e-6}
				phi := math.Exp(-1 / c.rate / c.lasts)
				x, y := rng.NormFloat64(), rng.NormFloat64()
				for d.f.Mode() != Running && float64(d.stamp)*1e-9*c.speed < 2*told {
					d.fix(stdDev*x, stdDev*y, stdDev)
					if d.f.Mode() != Running {
						d.drive(1 / c.rate)
					}
					x = phi*x + math.Sqrt(1-phi*phi)*rng.NormFloat64()
					y = phi*y + math.Sqrt(1-phi*phi)*rng.NormFloat64()
				}
				way := float64(d.stamp) * 1e-9 * c.speed
				if sum += way; way <= told {
					enough++
				}
			}
			if mean := sum / drives; enough < drives*5/6 || told > 5+2.5*mean {
				t.Errorf("%+v, %g m: %g m are told, which were enough for %d of %d drives of %.1f m on average", c, stdDev, told, enough, drives, mean)
			}
		}
	}
}

// A fix far off tells no heading, nor do wheels that spin on the spot.
func TestFixesThatDisagreeTellNoHeading(t *testing.T) {
	d := newDriver(t, perfectWheels(), localization.Pose{})
	d.fix(40, 0, 0.5)
	for range 3 {
		d.drive(1)
		d.fix(0, 0, 0.5)
	}
	if d.f.Mode() != PositionKnown {
		t.Fatalf("fixes 40 m apart over a drive of 3 m: %v", d.f.Mode())
	}
	for range 20 {
		d.drive(1)
		if _, err := d.f.FusePosition(Fix{Stamp: d.stamp, Cov: diag2(0.25, 0.25)}); err != nil || d.f.Mode() != PositionKnown {
			t.Fatalf("%v, %v", d.f.Mode(), err)
		}
	}
}

func TestHeadingGiven(t *testing.T) {
	cfg := perfectWheels()
	cfg.HeadingGiven, cfg.InitialYaw = true, 2.5
	cfg.Antenna = localization.Lever{X: 2}
	d := newDriver(t, cfg, localization.Pose{X: 7, Y: 8, Yaw: 2.5})
	d.drive(1)
	if in := d.fix(0, 0, 0.5); in.Status != fixInitialised {
		t.Fatal(in.Status)
	}
	p, err := d.f.Pose()
	must.OK(t, err)
	near(t, "x", p.X, d.truth.X, 1e-9)
	near(t, "y", p.Y, d.truth.Y, 1e-9)
	// The antenna is where the fix says; the robot is a lever of 2 m away in
	// a direction known with the yaw's standard deviation.
	s, late := p.Cov[2][2], delayStdDev*delayStdDev
	sin, cos := math.Sincos(p.Yaw)
	v := complex(d.twist.X, 2*d.twist.Yaw) * cmplx.Rect(1, p.Yaw-d.twist.Yaw*0.01) // of the antenna, in the middle of the last step
	near(t, "variance of x", p.Cov[0][0], 0.25+4*sin*sin*s+late*real(v)*real(v), 1e-5)
	near(t, "variance of y", p.Cov[1][1], 0.25+4*cos*cos*s+late*imag(v)*imag(v), 1e-5)
	near(t, "covariance of x and yaw", p.Cov[0][2], 2*sin*s, 1e-9)
}

func TestYawFixIsTheFirstHeading(t *testing.T) {
	d := newDriver(t, perfectWheels(), localization.Pose{X: 1, Y: 2, Yaw: -1})
	d.fix(0, 0, 0.5)
	d.drive(1)
	if in := d.f.FuseYaw(d.stamp, d.truth.Yaw, 0.01); in.Status != fixHeading || d.f.Mode() != HeadingKnown {
		t.Fatalf("%v, %v", in, d.f.Mode())
	}
	d.drive(1)
	if in := d.fix(0, 0, 0.5); in.Status != fixInitialised {
		t.Fatal(in.Status)
	}
	p, _ := d.f.Pose()
	near(t, "yaw", p.Yaw, d.truth.Yaw, 1e-9)
	near(t, "x", p.X, d.truth.X, 1e-9)
}

func TestInitialise(t *testing.T) {
	d := newDriver(t, perfectWheels(), localization.Pose{})
	d.drive(1)
	given := localization.Pose{Stamp: d.stamp, X: 5, Y: 6, Yaw: 7, Cov: diag(0.1, 0.2, 0.03)}
	must.OK(t, d.f.Initialise(given))
	p, err := d.f.Pose()
	given.Yaw = wrapAngle(7)
	if err != nil || p != given {
		t.Errorf("%+v, %v; want %+v", p, err, given)
	}
	for name, bad := range map[string]localization.Pose{
		"no heading": {Stamp: d.stamp, Cov: diag(1, 1, 4)},
		"too old":    {Stamp: d.stamp - 3*int64(time.Second), Cov: diag(1, 1, 1)},
	} {
		if err := d.f.Initialise(bad); !errors.Is(err, errInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if q, _ := d.f.Pose(); q != p {
		t.Errorf("a refused pose changed the filter: %+v", q)
	}
	// Half a second late: the drive since then is repeated from it.
	d.truth = localization.Pose{Stamp: d.stamp, X: 50, Y: 60, Yaw: 1}
	late := d.truth
	d.drive(0.5)
	late.Cov = diag(0.01, 0.01, 0.01)
	must.OK(t, d.f.Initialise(late))
	p, _ = d.f.Pose()
	near(t, "x", p.X, d.truth.X, 1e-9)
	near(t, "y", p.Y, d.truth.Y, 1e-9)
	near(t, "yaw", p.Yaw, d.truth.Yaw, 1e-9)
}

// A receiver that repeats its fix while the robot stands does not make it more certain, however long that lasts. The
// noise of a gyroscope is no motion.
func TestRepeatedFixes(t *testing.T) {
	for _, noise := range []float64{0, 0.005} { // rad/s
		rng := rand.New(rand.NewPCG(1, 7))
		cfg := perfectWheels()
		cfg.HeadingGiven, cfg.InitialYaw = true, 2.5
		d := newDriver(t, cfg, localization.Pose{Yaw: 2.5})
		d.fix(0.5, -0.3, 1.5)
		d.twist = Twist{Yaw: 1e-9} // it stands
		stdDev := func() float64 {
			for range 50 {
				if noise > 0 {
					must.OK(t, d.f.PredictGyro(d.stamp+20*ms, noise*rng.NormFloat64(), noise*noise))
				}
				d.drive(0.02)
			}
			d.fix(0.5, -0.3, 1.5)
			p, err := d.f.Pose()
			must.OK(t, err)
			return math.Sqrt(p.Cov[0][0])
		}
		before := stdDev()
		after := before
		for range 1200 {
			after = stdDev()
		}
		if after < 0.9*before {
			t.Errorf("noise of %g rad/s: after 20 min of the same fix the position's standard deviation is %.2f m, and %.2f m at first", noise, after, before)
		}
	}
}
