// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
)

func initialised(t testing.TB, cfg Config, stampMs int64) *EKF {
	t.Helper()
	f := New(cfg)
	must.OK(t, f.Initialise(localization.Pose{Stamp: stampMs * ms, Cov: diag(0.01, 0.01, 0.01)}))
	return f
}

// Odometry that is too old is dropped. Only a run of it without newer odometry shows that time was set
// back.
func TestOdometryTooOldAndTimeSetBack(t *testing.T) {
	f := initialised(t, DefaultConfig(), 10_000)
	step := func(stampMs int64, want error) {
		t.Helper()
		if err := f.PredictTwist(stampMs*ms, Twist{X: 1}); !errors.Is(err, want) {
			t.Errorf("%d ms: %v, want %v", stampMs, err, want)
		}
	}
	step(10_100, nil)
	step(10_100, errStale)
	for i := range int64(40) { // late messages among newer ones
		step(1000+100*i, errStale)
		step(10_200+100*i, nil)
	}
	for i := range int64(20) { // copies of a few old messages
		step(8000+100*(i%5), errStale)
	}
	step(14_200, nil)
	for i := range int64(10) {
		step(1000+100*i, errStale)
	}
	if f.Mode() != Running {
		t.Fatal("late messages reset the filter")
	}
	step(2000, ErrTimeReset)
	if _, err := f.Pose(); !errors.Is(err, ErrNotInitialised) {
		t.Errorf("after time was set back: %v", err)
	}
	step(2100, nil)
	step(2200, nil)
	c := f.Counts()
	if c.OdometryStale != 1+40+20+10 || c.Resets != 1 || c.Odometry != 1+40+1+1 || c.Initialised != 1 {
		t.Errorf("counts %+v", c)
	}
}

// The clock of a robot that drives is set back by some seconds or an hour. The odometry's pose goes on,
// so the filter's pose does. After a jump of the odometry the filter starts over, and does not use the
// given heading again: the robot may have turned since.
func TestClockSetBack(t *testing.T) {
	for _, c := range []struct {
		back  int64 // ms
		jump  float64
		twist bool
		kept  bool
		again bool
	}{
		{3000, 0, false, true, false}, {3_600_000, 0, false, true, false}, {3_600_000, 5, false, false, false}, {3000, 0, true, false, false},
		{60_000, 0, true, false, false}, {3_600_000, 5, false, false, true},
	} {
		cfg := perfectWheels()
		cfg.HeadingGiven, cfg.InitialYaw, cfg.HeadingAgain = true, 0, c.again
		f := New(cfg)
		at, shift, resets := 0.0, int64(0), 0
		for i := range int64(200) {
			at += 0.1
			if i == 100 {
				shift = c.back
				at += c.jump
			}
			stamp := (i*100 - shift) * ms
			var err error
			if c.twist {
				err = f.PredictTwist(stamp, Twist{X: 1})
			} else {
				err = f.PredictPose(stamp, at, 0, 0)
			}
			switch {
			case errors.Is(err, ErrTimeReset):
				resets++
			case err != nil && i < 100:
				t.Fatal(err)
			}
			if i == 1 {
				if _, err := f.FusePosition(Fix{Stamp: stamp, X: 0.1, Cov: diag2(0.01, 0.01)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if resets != 1 {
			t.Errorf("%+v: %d resets", c, resets)
		}
		if c.again {
			if s, err := f.FusePosition(Fix{Stamp: (19900 - c.back) * ms, X: 1, Cov: diag2(0.01, 0.01)}); err != nil || f.Mode() != Running {
				t.Errorf("%+v: %v after a fix (%v, %v), want the given heading", c, f.Mode(), s, err)
			}
			continue
		}
		if !c.kept {
			if f.Mode() != Aligning {
				t.Errorf("%+v: %v, want to start over without the given heading", c, f.Mode())
			}
			continue
		}
		p, err := f.Pose()
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		near(t, "x", p.X, 19.9, 0.06)
		near(t, "yaw", p.Yaw, 0, 0.01)
		if _, err := f.FusePosition(Fix{Stamp: p.Stamp, X: p.X, Cov: diag2(0.01, 0.01)}); err != nil || p.Stamp != (19900-c.back)*ms {
			t.Errorf("%+v: stamp %d, %v", c, p.Stamp, err)
		}
	}
}

// Implausible twists are refused: simulators spike in their first messages (a
// teleport reads as 200 m/s).
func TestImplausibleTwist(t *testing.T) {
	f := initialised(t, DefaultConfig(), 0)
	for _, bad := range []Twist{{X: 200}, {Yaw: -50}, {X: math.NaN()}, {Y: math.Inf(1)}, {Yaw: math.NaN()}} {
		if err := f.PredictTwist(100*ms, bad); !errors.Is(err, errImplausible) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	for want, bad := range map[string]Twist{
		"it moves at 5 m/s, and max_speed is 3 m/s":          {X: 3, Y: 4},
		"it turns at 50 rad/s, and max_turn_rate is 3 rad/s": {Yaw: -50},
	} {
		if err := f.PredictTwist(100*ms, bad); !errors.Is(err, errImplausible) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", bad, err, want)
		}
	}
	must.OK(t, f.PredictTwist(200*ms, Twist{X: 1}))
	p, _ := f.Pose()
	near(t, "x after 0.2 s at 1 m/s", p.X, 0.2, 1e-12)
	must.OK(t, f.PredictTwist(300*ms, Twist{X: 3.2, Yaw: -3.2})) // wheels exceed what is commanded
	if n := f.Counts().OdometryImplausible; n != 7 {
		t.Errorf("%d counted", n)
	}
}

// A robot that is faster than configured for some time is believed, by twists and by poses; odometry that no robot can have, and single spikes,
// are not.
func TestLimitBelowTheRobot(t *testing.T) {
	for _, poses := range []bool{false, true} {
		for speed, want := range map[float64]float64{5: 5, 80: 3} {
			f := initialised(t, DefaultConfig(), 0)
			used := 0
			for i := range int64(100) {
				stamp, err := (i+1)*100*ms, error(nil)
				if poses {
					err = f.PredictPose(stamp, speed*float64(i)*0.1, 0, 0)
				} else {
					err = f.PredictTwist(stamp, Twist{X: speed})
				}
				if err == nil {
					used++
				}
			}
			if got := f.Repair().MaxSpeed; math.Abs(got-want) > 1e-9 || (used > 90) != (want == speed) {
				t.Errorf("poses %v, %g m/s: the limit is %g m/s, and %d of 100 are used", poses, speed, got, used)
			}
		}
		f := initialised(t, DefaultConfig(), 0)
		for i, x := int64(0), 0.0; i < 100; i++ {
			step := 0.1
			if i%5 == 4 {
				step = 0.8
			}
			if x += step; poses {
				_ = f.PredictPose((i+1)*100*ms, x, 0, 0)
			} else {
				_ = f.PredictTwist((i+1)*100*ms, Twist{X: 10 * step})
			}
		}
		if got := f.Repair().MaxSpeed; got != 3 {
			t.Errorf("poses %v: after spikes, the limit is %g m/s", poses, got)
		}
	}
}

// Odometry that comes late is refused. If it is of another frame, as from a second sender, it would make each motion about it unknown.
func TestLateOdometryOfAnotherFrame(t *testing.T) {
	f := initialised(t, DefaultConfig(), 0)
	for i := range int64(100) {
		must.OK(t, f.PredictPose((i+1)*100*ms, float64(i)*0.1, 0, 0))
		if i == 0 {
			continue
		}
		if err := f.PredictPose((i*100+50)*ms, 50, 0, 0); !errors.Is(err, errStale) {
			t.Fatalf("%d ms: %v, want %v", i*100+50, err, errStale)
		}
	}
	p, err := f.Pose()
	must.OK(t, err)
	near(t, "x", p.X, 9.9, 1e-9)
	if c := f.Counts(); c.OdometryStale != 99 || p.Cov[0][0] > 1 {
		t.Errorf("variance of x %g m², counts %+v", p.Cov[0][0], c)
	}
}

// When a driver restarts at zero, the jump is no motion, and later motion is measured
// from there.
func TestOdometryPoseJump(t *testing.T) {
	cfg := DefaultConfig()
	f := initialised(t, cfg, 0)
	odometry := func(stampMs int64, x float64, want error) {
		t.Helper()
		if err := f.PredictPose(stampMs*ms, x, 0, 0); !errors.Is(err, want) {
			t.Fatalf("%d ms: %v, want %v", stampMs, err, want)
		}
	}
	odometry(0, 50, errStale) // the filter is at this stamp already: an anchor would need a later one
	odometry(100, 50, nil)
	odometry(200, 50.1, nil)
	odometry(300, 0, errImplausible)
	odometry(400, 0.1, nil)
	odometry(500, math.NaN(), errImplausible)
	p, err := f.Pose()
	must.OK(t, err)
	near(t, "x", p.X, 0.2, 1e-12)
	if p.Cov[0][0] < 0.01+0.3*0.3 {
		t.Errorf("the jump left the variance of x at %v", p.Cov[0][0])
	}
	if c := f.Counts(); c.OdometryImplausible != 2 || c.OdometryGaps != 1 {
		t.Errorf("counts %+v", c)
	}
	for i := range int64(10) {
		odometry(-9000+100*i, 6, errStale)
	}
	odometry(-8000, 7, ErrTimeReset)
	odometry(-7900, 7.1, nil)
	odometry(-7800, 7.2, nil)
	if v := f.Velocity(); math.Abs(v.X-1) > 1e-9 {
		t.Errorf("velocity %v after time was set back, want 1 m/s", v)
	}
}
