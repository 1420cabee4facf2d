package filter

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

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
	if err := d.f.PredictTwist(d.stamp, d.twist); err != nil {
		t.Fatal(err)
	}
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
		if err := d.f.PredictTwist(d.stamp, d.twist); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *driver) fix(ex, ey, stdDev float64) Innovation {
	d.t.Helper()
	a := d.f.cfg.Antenna
	sin, cos := math.Sincos(d.truth.Yaw)
	in, err := d.f.FusePosition(Fix{
		Stamp: d.stamp, X: d.truth.X + cos*a.X - sin*a.Y + ex, Y: d.truth.Y + sin*a.X + cos*a.Y + ey, Cov: diag2(stdDev*stdDev, stdDev*stdDev),
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return in
}

func TestHeadingFromDrive(t *testing.T) {
	cfg := perfectWheels()
	cfg.Antenna = localization.Lever{X: -0.4, Y: 0.2}
	d := newDriver(t, cfg, localization.Pose{X: 100, Y: -50, Yaw: 2.5})
	want := func(in Innovation, s FixStatus, m Mode) {
		t.Helper()
		if in.Status != s || d.f.Mode() != m {
			t.Fatalf("%v in mode %v, want %v in %v", in.Status, d.f.Mode(), s, m)
		}
	}
	if _, err := d.f.Pose(); !errors.Is(err, ErrNotInitialised) {
		t.Errorf("before any fix: %v", err)
	}
	want(d.fix(0, 0, 0.5), FixAnchored, Anchored)
	d.drive(2)
	want(d.fix(0, 0, 0.5), FixWaiting, Anchored) // 2 m: too short
	d.drive(1.5)
	want(d.fix(0, 0, 0.5), FixWaiting, Anchored) // 3.5 m: 0.7 m / 3.5 m = 0.2 rad and odometry's part
	d.drive(2)
	want(d.fix(0, 0, 0.5), FixInitialised, Running)
	p, err := d.f.Pose()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "x", p.X, d.truth.X, 1e-9)
	near(t, "y", p.Y, d.truth.Y, 1e-9)
	near(t, "yaw", p.Yaw, wrapAngle(d.truth.Yaw), 1e-9)
	if c := d.f.Counts(); c.Anchors != 1 || c.Waiting != 2 || c.Initialised != 1 {
		t.Errorf("counts %+v", c)
	}
}

// The covariance of a pose found by driving agrees with the errors of many drives,
// including the covariance of position and heading, which a long lever makes large.
func TestHeadingFromDriveMonteCarlo(t *testing.T) {
	cfg := perfectWheels()
	cfg.Antenna = localization.Lever{X: 1, Y: 0.5}
	cfg.Motion = MotionNoise{SlipStdDev: Slip{0.02, 0.05, 0.01, 0.02}, SlipLength: 1e6, Turn: 1}
	rng := rand.New(rand.NewPCG(21, 21))
	const sd, runs = 0.3, 4000
	var errs []float64
	var claimed localization.Pose
	for range runs {
		f := New(cfg)
		k := [4]float64{1 + 0.02*rng.NormFloat64(), 1 + 0.05*rng.NormFloat64(), 0.01 * rng.NormFloat64(), 0.02 * rng.NormFloat64()}
		x, y, yaw := 0.0, 0.0, 1.0
		fix := func(stamp int64) Innovation {
			sin, cos := math.Sincos(yaw)
			in, err := f.FusePosition(Fix{
				Stamp: stamp, X: x + cos*1 - sin*0.5 + sd*rng.NormFloat64(), Y: y + sin*1 + cos*0.5 + sd*rng.NormFloat64(), Cov: diag2(sd*sd, sd*sd),
			})
			if err != nil {
				t.Fatal(err)
			}
			return in
		}
		if err := f.PredictTwist(0, Twist{}); err != nil {
			t.Fatal(err)
		}
		fix(0)
		var stamp int64
		for range 60 { // 6 m with a turn of 0.9 rad
			stamp += 100 * ms
			turn := k[1]*0.015 + k[2]*0.1
			sin, cos := math.Sincos(yaw + turn/2)
			x, y, yaw = x+k[0]*0.1*(cos-sin*k[3]), y+k[0]*0.1*(sin+cos*k[3]), yaw+turn
			if err := f.PredictTwist(stamp, Twist{X: 1, Yaw: 0.15}); err != nil {
				t.Fatal(err)
			}
		}
		if in := fix(stamp); in.Status != FixInitialised {
			continue // the lengths' gate: one in a thousand
		}
		claimed, _ = f.Pose()
		errs = append(errs, claimed.X-x, claimed.Y-y, wrapAngle(claimed.Yaw-yaw))
	}
	if n := len(errs) / 3; n < 0.99*runs {
		t.Fatalf("only %v of %v drives gave a heading", n, runs)
	}
	mean, cov := moments(errs)
	for i := range 3 {
		sdI := math.Sqrt(claimed.Cov[i][i])
		near(t, "mean error over standard deviation", mean[i]/sdI, 0, 0.06)
		for j := range 3 {
			scale := sdI * math.Sqrt(claimed.Cov[j][j])
			near(t, "covariance over standard deviations", claimed.Cov[i][j]/scale, cov.At(i, j)/scale, 0.1)
		}
	}
}

func TestDriveThatDisagreesIsAnchoredAnew(t *testing.T) {
	d := newDriver(t, perfectWheels(), localization.Pose{})
	d.fix(40, 0, 0.5) // 40 m off
	d.drive(10)
	if in := d.fix(0, 0, 0.5); in.Status != FixAnchored {
		t.Fatalf("fixes 40 m apart over a drive of 10 m: %v", in.Status)
	}
	d.drive(10)
	if in := d.fix(0, 0, 0.5); in.Status != FixInitialised {
		t.Fatalf("then: %v", in.Status)
	}
}

func TestHeadingGiven(t *testing.T) {
	cfg := perfectWheels()
	cfg.HeadingGiven, cfg.InitialYaw = true, 2.5
	cfg.Antenna = localization.Lever{X: 2}
	d := newDriver(t, cfg, localization.Pose{X: 7, Y: 8, Yaw: 2.5})
	d.drive(1)
	if in := d.fix(0, 0, 0.5); in.Status != FixInitialised {
		t.Fatal(in.Status)
	}
	p, err := d.f.Pose()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "x", p.X, d.truth.X, 1e-9)
	near(t, "y", p.Y, d.truth.Y, 1e-9)
	// The antenna is where the fix says; the robot is a lever of 2 m away in
	// a direction known with the yaw's standard deviation.
	s := p.Cov[2][2]
	sin, cos := math.Sincos(p.Yaw)
	near(t, "variance of x", p.Cov[0][0], 0.25+4*sin*sin*s, 1e-9)
	near(t, "variance of y", p.Cov[1][1], 0.25+4*cos*cos*s, 1e-9)
	near(t, "covariance of x and yaw", p.Cov[0][2], 2*sin*s, 1e-9)
}

func TestYawFixIsTheFirstHeading(t *testing.T) {
	d := newDriver(t, perfectWheels(), localization.Pose{X: 1, Y: 2, Yaw: -1})
	d.fix(0, 0, 0.5)
	d.drive(1)
	if in := d.f.FuseYaw(d.stamp, d.truth.Yaw, 0.01); in.Status != FixHeading || d.f.Mode() != HeadingKnown {
		t.Fatalf("%v, %v", in, d.f.Mode())
	}
	d.drive(1)
	if in := d.fix(0, 0, 0.5); in.Status != FixInitialised {
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
	if err := d.f.Initialise(given); err != nil {
		t.Fatal(err)
	}
	p, err := d.f.Pose()
	given.Yaw = wrapAngle(7)
	if err != nil || p != given {
		t.Errorf("%+v, %v; want %+v", p, err, given)
	}
	for name, bad := range map[string]localization.Pose{
		"no heading": {Stamp: d.stamp, Cov: diag(1, 1, 4)},
		"too old":    {Stamp: d.stamp - 3*int64(time.Second), Cov: diag(1, 1, 1)},
	} {
		if err := d.f.Initialise(bad); !errors.Is(err, ErrInvalid) {
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
	if err := d.f.Initialise(late); err != nil {
		t.Fatal(err)
	}
	p, _ = d.f.Pose()
	near(t, "x", p.X, d.truth.X, 1e-9)
	near(t, "y", p.Y, d.truth.Y, 1e-9)
	near(t, "yaw", p.Yaw, d.truth.Yaw, 1e-9)
}

func TestHeadingLost(t *testing.T) {
	cfg := perfectWheels()
	cfg.Motion.YawPerMetre = 0.3
	d := newDriver(t, cfg, localization.Pose{})
	if err := d.f.Initialise(localization.Pose{Cov: diag(1, 1, 0.01)}); err != nil {
		t.Fatal(err)
	}
	d.drive(20) // 0.3·√20 = 1.3 rad, above MaxYawStdDev = 1
	if d.f.Mode() != Aligning || d.f.Counts().HeadingLost != 1 {
		t.Errorf("mode %v, counts %+v", d.f.Mode(), d.f.Counts())
	}
	if _, err := d.f.Pose(); !errors.Is(err, ErrNotInitialised) {
		t.Error("a pose without a heading")
	}
}
