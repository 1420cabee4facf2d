// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// A yaw rate that a gyroscope measures, piecewise linear, is integrated exactly, wherever the
// interval is cut; intervals that no rates cover are said to be so.
func TestGyroIntegral(t *testing.T) {
	g := gyroRates{newSeries(8, (*gyroRate).when)}
	for _, s := range []int64{0, 50, 20, 400, 440} { // ms, one out of order
		g.add(gyroRate{s * ms, float64(s), 0.04})
	}
	for _, c := range []struct {
		from, to int64 // ms
		want     float64
		covered  bool
	}{
		{0, 20, 0.02 * 10, true},
		{10, 40, 0.03 * 25, true},
		{30, 250, 0.02*40 + 0.2*50, true}, // the rate of 50 ms lasts for 200 ms
		{30, 251, 0, false},
		{300, 420, 0, false},
		{420, 640, 0.02*430 + 0.2*440, true},
		{420, 641, 0, false},
		{-10, 20, 0, false},
	} {
		angle, variance, ok := g.integral(c.from*ms, c.to*ms)
		if ok != c.covered {
			t.Errorf("%d to %d ms: covered %v, want %v", c.from, c.to, ok, c.covered)
		}
		if ok {
			near(t, "angle", angle, c.want, 1e-12)
			if !(variance > 0 && variance <= 0.04*0.2*float64(c.to-c.from)*1e-3*(1+1e-9)) {
				t.Errorf("%d to %d ms: variance %v", c.from, c.to, variance)
			}
		}
	}
	for i := range int64(20) { // more than there is room for
		g.add(gyroRate{(500 + 10*i) * ms, 1, 0})
	}
	if angle, _, ok := g.integral(650*ms, 690*ms); !ok || math.Abs(angle-0.04) > 1e-12 {
		t.Errorf("after the memory was full: %v, %v", angle, ok)
	}
}

// The comparison of the two turns is the update of a linear Gaussian system, computed here from the
// joint covariance of state and both random errors, for any gain.
func TestTurnsAreComparedAsGaussians(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	n := MotionNoise{YawPerMetre: 0.3, YawPerRadian: 0.2}
	for range 20 {
		e := estimate{x: randomState(rng), p: randomStateCov(rng, 0.1), stood: rng.Float64() + 1e-3}
		e.x[stateScale] = 1 + 0.1*rng.NormFloat64()
		m := motion{dx: rng.NormFloat64(), turn: rng.NormFloat64(), dt: 0.1, gyro: true}
		turn := e.x[stateTurn]*m.turn + e.x[stateDrift]*m.dx
		m.spin = (turn+0.1*rng.NormFloat64())/e.x[stateScale] + e.x[stateBias]*m.dt
		chance := [3]float64{0.001 * rng.NormFloat64(), 0.001 * rng.NormFloat64(), 0.02}
		wheels := 0.09*math.Abs(m.dx) + 0.04*math.Abs(m.turn)
		if e.stood < settleTime {
			wheels += slowDensity * slowDensity * m.dt
		}
		// Joint covariance of the state's error and of ν.
		var joint [stateDim + 1][stateDim + 1]float64
		tells := 0.0 // of the turn, which the wheels measure with an error
		if spun := e.x.spun(&m); spun*spun > chance[2]+e.p[stateBias][stateBias]*m.dt*m.dt {
			tells = spun / max(e.x[stateTurn], 0.4)
		}
		h := [stateDim]float64{stateTurn: tells, stateDrift: m.dx, stateBias: e.x[stateScale] * m.dt, stateScale: -turn / e.x[stateScale]}
		joint[stateDim][stateDim] = wheels + chance[2]
		for i := range stateDim {
			for j := range stateDim {
				joint[i][j] = e.p[i][j]
				joint[i][stateDim] += e.p[i][j] * h[j]
				joint[stateDim][stateDim] += h[i] * e.p[i][j] * h[j]
			}
			if i < 3 {
				joint[i][stateDim] -= chance[i]
			}
		}
		nu := e.x[stateScale]*(m.spin-e.x[stateBias]*m.dt) - turn
		before := e
		e.compareTurns(&m, &n, chance)
		c, s := joint[stateDim][:stateDim], joint[stateDim][stateDim]
		var gain [stateDim]float64 // that of the gyroscope's scale stays zero: the wheels do not teach it
		for i := range stateDim {
			if c[i] = joint[i][stateDim]; i != stateScale {
				gain[i] = c[i] / s
			}
		}
		for i := range stateDim {
			near(t, "mean", math.Remainder(e.x[i]-before.x[i]-gain[i]*nu, 2*math.Pi), 0, 1e-12)
			for j := range stateDim {
				near(t, "covariance", e.p[i][j], joint[i][j]-gain[i]*c[j]-c[i]*gain[j]+gain[i]*gain[j]*s, 1e-12)
			}
		}
	}
}

// Wheels whose turns are noisy, beside an exact gyroscope: while the robot follows a line, nothing is learnt about the scale of their turns,
// and in turns the true scale is.
func TestNoiseOfWheelsIsNoScale(t *testing.T) {
	for name, turns := range map[string]float64{"along a line": 0.02, "in turns": 0.8} {
		const scale = 0.75 // true turn over that of the wheels
		f, rng := initialised(t, DefaultConfig(), 0), rand.New(rand.NewPCG(4, 4))
		for k := range int64(2000) {
			stamp, rate := k*50*ms+50*ms, turns*math.Sin(float64(k)/100)
			must.OK(t, f.PredictGyro(stamp, rate, 0))
			must.OK(t, f.PredictTwist(stamp, Twist{X: 1.5, Yaw: rate/scale + 0.1*rng.NormFloat64()}))
		}
		mean, stdDev := f.Slip()
		if off := math.Abs(mean.Turn - scale); off > 2*stdDev.Turn || turns > 0.5 && off > 0.05 {
			t.Errorf("%s: the scale of the turn is %.3f ± %.3f, want %.2f", name, mean.Turn, stdDev.Turn, scale)
		}
	}
}

// A skid-steered robot whose true turn is half of its wheels' turns about, without fixes. Its
// heading follows the gyroscope within the claimed deviation, and the turn scale and the bias are
// learnt; without the gyroscope the heading is 90° off.
func TestHeadingFollowsTheGyro(t *testing.T) {
	for _, gyro := range []bool{true, false} {
		f := initialised(t, perfectWheels(), 0)
		rng := rand.New(rand.NewPCG(8, 8))
		yaw, stamp := 0.0, int64(0)
		for k := range 5000 { // 10 ms
			stamp += 10 * ms
			omega := 0.0
			if k >= 2000 && k < 2000+628 {
				omega = 0.5 // of the wheels
			}
			yaw += 0.5 * omega * 0.01
			if gyro {
				must.OK(t, f.PredictGyro(stamp, 0.5*omega+0.02+0.005*rng.NormFloat64(), 0.005*0.005))
			}
			if k%5 == 4 {
				must.OK(t, f.PredictTwist(stamp, Twist{Yaw: omega}))
			}
			if gyro && k == 2300 {
				near(t, "yaw rate", f.Velocity().Yaw, 0.25, 0.02)
			}
		}
		p := first(f.Pose())
		off := math.Abs(wrapAngle(p.Yaw - yaw))
		slip, sd := f.Slip()
		if !gyro {
			if off < 1.4 {
				t.Errorf("without the gyroscope the heading is %.2f rad off: the test shows nothing", off)
			}
			continue
		}
		if claimed := math.Sqrt(p.Cov[2][2]); off > 0.05 || off > 3*claimed+0.1 {
			t.Errorf("the heading is %.3f rad off, claimed %.3f", off, claimed)
		}
		if math.Abs(slip.Turn-0.5) > 3*sd.Turn || sd.Turn > 0.1 {
			t.Errorf("turn scale %.3f ± %.3f, want 0.5", slip.Turn, sd.Turn)
		}
		near(t, "bias", f.hist.newest().after.x[stateBias], 0.02, 1e-3)
	}
}

func first[T any](v T, _ error) T { return v }

// A robot that drives from place to place, with a gyroscope whose scale is off by 5 %, still knows where it is: its fixes teach the
// scale.
func TestScaleOfTheGyroscope(t *testing.T) {
	for _, stdDev := range []float64{0.02, 1} {
		for _, scale := range []float64{0.95, 1, 1.05} {
			f := initialised(t, DefaultConfig(), 0)
			rng := rand.New(rand.NewPCG(5, 5))
			var x, y, yaw, worst float64
			stamp := int64(0)
			step := func(speed, rate float64) { // 50 ms
				stamp += 50 * ms
				x, y, yaw = x+0.05*speed*math.Cos(yaw), y+0.05*speed*math.Sin(yaw), yaw+0.05*rate
				must.OK(t, f.PredictGyro(stamp, rate/scale+0.003*rng.NormFloat64(), 1e-5))
				must.OK(t, f.PredictTwist(stamp, Twist{X: speed, Yaw: rate / 0.8}))
				if stamp%(200*ms) == 0 {
					first(f.FusePosition(Fix{Stamp: stamp, X: x + stdDev*rng.NormFloat64(), Y: y + stdDev*rng.NormFloat64(), Cov: diag2(stdDev*stdDev, stdDev*stdDev)}))
				}
				if p := first(f.Pose()); stamp > 600_000*ms {
					worst = max(worst, math.Hypot(p.X-x, p.Y-y))
				}
			}
			for range 30 {
				turn := math.Pi * rng.Float64() // always to the left
				for ; turn > 0; turn -= 0.05 * 0.5 {
					step(0, 0.5)
				}
				for metres := 40.0; metres > 0; metres -= 0.05 {
					step(1, 0)
				}
			}
			learnt, sd := f.now().x[stateScale], math.Sqrt(f.now().p[stateScale][stateScale])
			t.Logf("fixes of %g m, scale %g: at most %.2f m off after 10 minutes; learnt %.3f ± %.3f", stdDev, scale, worst, learnt, sd)
			if worst > 5*stdDev || math.Abs(learnt-scale) > 4*sd {
				t.Errorf("fixes of %g m, scale %g: %.2f m off; learnt %.3f ± %.3f", stdDev, scale, worst, learnt, sd)
			}
		}
	}
}

// A robot that is carried and turned by hand while its wheels stand: the heading follows the
// gyroscope, and its bias is not touched. A bias that is much larger than configured is learnt.
func TestGyroAgainstStandingWheels(t *testing.T) {
	for name, c := range map[string]struct {
		bias, carried float64 // rad/s; carried from 20 to 22 s
		bad           bool
	}{
		"carried":    {0.01, 0.8, false},
		"large bias": {0.5, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := initialised(t, DefaultConfig(), 0)
			rng := rand.New(rand.NewPCG(9, 9))
			yaw := 0.0
			for k := int64(1); k <= 4000; k++ {
				rate := 0.0
				if k > 2000 && k <= 2200 {
					rate = c.carried
				}
				yaw += rate * 0.01
				must.OK(t, f.PredictGyro(k*10*ms, rate+c.bias+0.003*rng.NormFloat64(), 1e-5))
				if k%5 == 0 {
					must.OK(t, f.PredictTwist(k*50*ms/5, Twist{}))
				}
			}
			near(t, "bias", f.hist.newest().after.x[stateBias], c.bias, 0.002)
			if f.Mode() != Running {
				if !c.bad {
					t.Error("the heading was lost")
				}
				return
			}
			p := first(f.Pose())
			off, claimed := math.Abs(wrapAngle(p.Yaw-yaw)), math.Sqrt(p.Cov[2][2])
			if off > 3*claimed+0.02 || !c.bad && off > 0.05 {
				t.Errorf("the heading is %.3f rad off, claimed %.3f", off, claimed)
			}
		})
	}
}

func TestGyroRefused(t *testing.T) {
	f := initialised(t, DefaultConfig(), 10_000)
	for _, c := range []struct {
		stampMs        int64
		rate, variance float64
		want           error
	}{
		{10_000, 1, 0, nil},
		{10_050, -3, 0.1, nil},
		{10_020, 0, 0.1, nil},
		{10_020, 0, 0.1, errStale},
		{5_000, 0, 0.1, errStale},
		{10_060, 3.1, 0.1, errImplausible},
		{10_060, math.NaN(), 0.1, errImplausible},
		{10_060, math.Inf(-1), 0.1, errImplausible},
		{10_060, 0, -1, errImplausible},
		{10_060, 0, math.NaN(), errImplausible},
	} {
		if err := f.PredictGyro(c.stampMs*ms, c.rate, c.variance); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if c := f.Counts(); c.Gyro != 3 || c.GyroRefused != 7 {
		t.Errorf("%d used, %d refused", c.Gyro, c.GyroRefused)
	}
}

// mirrored drives a robot along a square with arcs, from one time to another, s, tells a filter its wheels, perhaps a gyroscope that is upside
// down, and fixes with a standard deviation, m, and returns its true pose.
func mirrored(t *testing.T, f *EKF, from, to int, gyroscope bool, fixes float64) (x, y, yaw float64) {
	rng := rand.New(rand.NewPCG(5, 6))
	for k := range 20 * to {
		w := 0.0
		if k%200 > 100 {
			w = math.Pi / 10
		}
		yaw += w * 0.05
		x += 0.05 * math.Cos(yaw-w*0.025)
		y += 0.05 * math.Sin(yaw-w*0.025)
		stamp := int64(k+1) * 50 * ms
		if k < 20*from {
			continue
		}
		if gyroscope {
			must.OK(t, f.PredictGyro(stamp, -w, 1e-4))
		}
		must.OK(t, f.PredictTwist(stamp, Twist{X: 1, Yaw: w}))
		if fixes > 0 && k%20 == 0 {
			_, err := f.FusePosition(Fix{Stamp: stamp, X: x + fixes*rng.NormFloat64(), Y: y + fixes*rng.NormFloat64(), Cov: diag2(fixes*fixes, fixes*fixes)})
			must.OK(t, err)
		}
	}
	return x, y, yaw
}

// Yaw rates that are forgotten within MaxDelay leave nothing behind. Later the heading is in doubt, and fixes find it.
func TestForgetGyro(t *testing.T) {
	cfg := perfectWheels()
	cfg.HeadingGiven = true
	a, b := New(cfg), New(cfg)
	a.ForgetGyro(true) // before anything has come
	mirrored(t, a, 0, 4, true, 1)
	a.ForgetGyro(true)
	mirrored(t, b, 0, 4, false, 1)
	equal := func() {
		t.Helper()
		got, err := a.Pose()
		must.OK(t, err)
		want, err := b.Pose()
		must.OK(t, err)
		if got != want {
			t.Errorf("%+v, without a gyroscope %+v", got, want)
		}
	}
	equal()
	mirrored(t, a, 4, 30, false, 1)
	mirrored(t, b, 4, 30, false, 1)
	equal()

	f := New(cfg)
	mirrored(t, f, 0, 30, true, 1)
	f.ForgetGyro(true)
	pose, err := f.Pose()
	must.OK(t, err)
	if e := &f.hist.newest().after; e.p[stateYaw][stateYaw] < 0.05 || e.x[stateBias] != 0 || smallestEigenvalue(t, &e.p) < -1e-9 {
		t.Errorf("%+v, bias %v", pose, e.x[stateBias])
	}
	x, y, yaw := mirrored(t, f, 30, 90, false, 1)
	pose, err = f.Pose()
	must.OK(t, err)
	if off := math.Abs(wrapAngle(pose.Yaw - yaw)); off > 0.3 || math.Hypot(pose.X-x, pose.Y-y) > 4 {
		t.Errorf("a minute later %+v, truly at (%v, %v) with %v rad", pose, x, y, wrapAngle(yaw))
	}
}
