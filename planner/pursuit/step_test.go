// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
)

// Between any two steps the command changes within the limits, whatever the pose, the path and the time between them.
func TestAccelerationLimits(t *testing.T) {
	cfg := DefaultConfig()
	rapid.Check(t, func(t *rapid.T) {
		f, err := New(cfg)
		must.OK(t, err)
		coordinate, angle := rapid.Float64Range(-5, 5), rapid.Float64Range(-7, 7)
		now, before := int64(1e9), Command{}
		p := Pose{}
		for i := range rapid.IntRange(1, 120).Draw(t, "steps") {
			passed := rapid.Int64Range(-1e7, 3e8).Draw(t, "interval")
			now += passed
			switch rapid.IntRange(0, 30).Draw(t, "what") {
			case 0:
				f.Clear()
			case 1:
				must.OK(t, f.SetPath(drawPath(t)))
			case 2:
				must.OK(t, f.SetPath([]orb.Point{{coordinate.Draw(t, "gx"), coordinate.Draw(t, "gy")}}))
			case 3:
				p.X, p.Y, p.Yaw = coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), angle.Draw(t, "yaw")
			}
			p.Stamp = now
			c, st := f.Step(now, p)
			s := min(max(float64(passed)/1e9, 0), MaxStepInterval)
			if i == 0 {
				s = 0
			}
			const rounding = 1e-12
			if c.Linear-before.Linear > cfg.Acceleration*s+rounding || before.Linear-c.Linear > cfg.Deceleration*s+rounding ||
				math.Abs(c.Angular-before.Angular) > turnRateChange*s+rounding {
				t.Fatalf("from %+v to %+v in %g s", before, c, s)
			}
			if c.Linear < 0 || c.Linear > cfg.MaxSpeed || math.Abs(c.Angular) > cfg.MaxTurnRate {
				t.Fatalf("command %+v is beyond the limits", c)
			}
			if st.Phase == PhaseTurning && c.Linear > 0 && math.Abs(c.Angular) > math.Abs(before.Angular) {
				t.Fatalf("turning on the spot begins at %g m/s", c.Linear)
			}
			before = c
			p.X += c.Linear * s * math.Cos(p.Yaw)
			p.Y += c.Linear * s * math.Sin(p.Yaw)
			p.Yaw += c.Angular * s
		}
	})
}

func driving(t *testing.T) *trial {
	t.Helper()
	r := newTrial(t, DefaultConfig(), unicycle{})
	r.path(t, orb.Point{50, 0})
	for range 60 {
		r.step()
	}
	return r
}

func TestStopsAtOnceOnBadPoses(t *testing.T) {
	good := Pose{X: 1}
	for _, c := range []struct {
		name string
		pose func(now int64) Pose
		want Phase
	}{
		{"older than MaxPoseAge", func(now int64) Pose { p := good; p.Stamp = now - 500_000_001; return p }, PhaseStale},
		{"from the future", func(now int64) Pose { p := good; p.Stamp = now + 500_000_001; return p }, PhaseStale},
		{"as old as int64 goes", func(int64) Pose { p := good; p.Stamp = math.MinInt64; return p }, PhaseStale},
		{"as late as int64 goes", func(int64) Pose { p := good; p.Stamp = math.MaxInt64; return p }, PhaseStale},
		{"NaN x", func(now int64) Pose { return Pose{Stamp: now, X: math.NaN()} }, PhaseBadPose},
		{"infinite y", func(now int64) Pose { return Pose{Stamp: now, Y: math.Inf(-1)} }, PhaseBadPose},
		{"y beyond any field", func(now int64) Pose { return Pose{Stamp: now, Y: 1e300} }, PhaseBadPose},
		{"NaN yaw", func(now int64) Pose { return Pose{Stamp: now, Yaw: math.NaN()} }, PhaseBadPose},
		{"NaN speed", func(now int64) Pose { return Pose{Stamp: now, V: math.NaN()} }, PhaseBadPose},
		{"infinite turn rate", func(now int64) Pose { return Pose{Stamp: now, W: math.Inf(1)} }, PhaseBadPose},
	} {
		r := driving(t)
		cmd, st := r.f.Step(r.now, c.pose(r.now))
		if cmd != (Command{}) || st != (Status{Phase: c.want}) {
			t.Errorf("%s: %+v, %+v; want a zero command and %v", c.name, cmd, st, c.want)
		}
		// When good poses return, the command starts from zero.
		r.now += period
		cmd, st = r.step()
		if want := r.f.cfg.Acceleration * dt; cmd.Linear <= 0 || cmd.Linear > want+1e-12 || st.Phase != PhaseTracking {
			t.Errorf("%s: %+v in %v with the pose back, want tracking at most %g m/s", c.name, cmd, st.Phase, want)
		}
	}
	r := driving(t)
	if cmd, st := r.f.Step(r.now, Pose{Stamp: r.now - 500_000_000, X: r.u.x}); cmd.Linear == 0 || st.Phase != PhaseTracking {
		t.Errorf("pose as old as MaxPoseAge: %+v in %v, want it to continue", cmd, st.Phase)
	}
}

// The first step, a repeated step and a step before the latest count as no time; any other counts as at most MaxStepInterval.
func TestStepIntervals(t *testing.T) {
	f, err := New(DefaultConfig())
	must.OK(t, err)
	must.OK(t, f.SetPath([]orb.Point{{50, 0}}))
	for i, s := range []struct {
		now  int64
		want float64 // acceleration 0.5 m/s²
	}{
		{5e9, 0}, {5e9, 0}, {5.1e9, 0.05}, {5.1e9, 0.05}, {4e9, 0.05}, {4.1e9, 0.1}, {4.3e9, 0.2}, {9e9, 0.3}, {math.MaxInt64, 0.4}, {math.MinInt64, 0.4},
	} {
		if c, _ := f.Step(s.now, Pose{Stamp: s.now}); math.Abs(c.Linear-s.want) > 1e-9 {
			t.Errorf("step %d at %d: %g m/s, want %g m/s", i, s.now, c.Linear, s.want)
		}
	}
}

// A pose 0.4 s old of a moving robot counts as a pose 0.32 m further on.
func TestExtrapolates(t *testing.T) {
	old, fresh := driving(t), driving(t)
	p := fresh.u.pose(fresh.now)
	_, want := fresh.f.Step(fresh.now, p)
	p.Stamp -= 400_000_000
	p.X -= 0.4 * p.V
	_, got := old.f.Step(old.now, p)
	if math.Abs(got.Remaining-want.Remaining) > 1e-9 {
		t.Errorf("%g m remain by the old pose, %g m by the fresh one", got.Remaining, want.Remaining)
	}
	// A measured speed of 100 m/s, as when odometry starts with a jump, counts as MaxSpeed.
	p.V = 100
	_, got = old.f.Step(old.now, p)
	if math.Abs(got.Remaining-want.Remaining) > 1e-9 {
		t.Errorf("%g m remain by a pose at 100 m/s, %g m by one at MaxSpeed", got.Remaining, want.Remaining)
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	r := newTrial(t, DefaultConfig(), unicycle{x: 3, yaw: math.Pi / 2})
	path := circle(3, 100, 2)
	r.path(t, path...)
	now, pose := r.now, r.u.pose(r.now)
	if n := testing.AllocsPerRun(100, func() {
		now += period
		pose.Stamp = now
		r.f.Step(now, pose)
	}); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		if r.f.SetPath(path) != nil {
			t.Fail()
		}
	}); n != 0 {
		t.Errorf("%g allocations for a path as long as one before", n)
	}
}

func BenchmarkStep(b *testing.B) {
	r := newTrial(b, DefaultConfig(), unicycle{x: 3, yaw: math.Pi / 2})
	r.path(b, circle(3, 100, 2)...)
	for range 50 {
		r.step()
	}
	pose := r.u.pose(r.now)
	b.ReportAllocs()
	for b.Loop() {
		r.now += period
		pose.Stamp = r.now
		r.f.Step(r.now, pose)
	}
}

// A new speed limit applies from the next step on, within the acceleration limits, and the robot continues along its path.
// A refused configuration changes nothing.
func TestSetConfigWhileDriving(t *testing.T) {
	r := newTrial(t, DefaultConfig(), unicycle{})
	r.path(t, orb.Point{0, 0}, orb.Point{10, 0}, orb.Point{20, 5})
	for range 120 {
		r.step()
	}
	slow := DefaultConfig()
	slow.MaxSpeed = 0.3
	bad := slow
	bad.Acceleration = math.NaN()
	must.OK(t, r.f.SetConfig(slow))
	if err := r.f.SetConfig(bad); err == nil || err.Error() != "pursuit: Acceleration is NaN: must be above 0 and finite" {
		t.Errorf("the error is %v", err)
	}
	before := r.u.v
	for range 13 { // 0.5 m/s at 0.8 m/s² in steps of 0.05 s
		c, st := r.step()
		if d := before - c.Linear; d > slow.Deceleration*dt+1e-12 || d < 0 || st.Phase != PhaseTracking {
			t.Fatalf("%v, from %g to %g m/s, deceleration is %g m/s²", st.Phase, before, c.Linear, slow.Deceleration)
		}
		before = c.Linear
	}
	if before != slow.MaxSpeed {
		t.Errorf("%g m/s after the time to slow down, want %g", before, slow.MaxSpeed)
	}
	r.until(t, PhaseArrived, 90, func(c Command, st Status) {
		if c.Linear > slow.MaxSpeed {
			t.Fatalf("%g m/s, allowed %g", c.Linear, slow.MaxSpeed)
		}
	})
}

func TestClearSlowsDown(t *testing.T) {
	r := driving(t)
	v := r.u.v
	r.f.Clear()
	for i := range 30 {
		c, st := r.step()
		if want := max(0, v-float64(i+1)*0.8*dt); math.Abs(c.Linear-want) > 1e-9 || st != (Status{Phase: phaseIdle}) {
			t.Fatalf("step %d after Clear: %+v, %+v; want %g m/s and idle", i, c, st, want)
		}
	}
	if c, _ := r.f.Step(r.now, Pose{X: math.NaN()}); c != (Command{}) {
		t.Errorf("at rest: %+v", c)
	}
}
