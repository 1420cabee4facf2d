// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// ideal is a plant that does what it is told, but for lag and limits.
func ideal() PlantConfig {
	c := DefaultPlantConfig()
	c.TurnFractionLow, c.TurnFractionHigh, c.TurnFractionMin, c.TurnFractionStdDev = 1, 1, 1, 0
	c.LongitudinalSlip, c.LongitudinalSlipStdDev, c.LateralStdDev, c.CentreOfTurnStdDev, c.ActuatorNoiseStdDev = 0, 0, 0, 0, 0
	return c
}

// drive commands v, w before each of n steps.
func drive(t testing.TB, p *Plant, v, w, dt float64, n int) PlantState {
	t.Helper()
	var s PlantState
	for range n {
		must.OK(t, p.Command(v, w))
		s = p.Step(dt)
	}
	return s
}

// One exact step against the differential equation ẋ = R(yaw)·(vx, vy), yaẇ = w,
// integrated by the midpoint rule in 20 000 steps (error below 1e-8).
func TestPoseMovedAgainstIntegration(t *testing.T) {
	for _, m := range []struct{ vx, vy, w, dt float64 }{
		{1, 0, 0, 2}, {1, 0.2, 0.7, 3}, {-0.5, 0.1, -1, 10}, {2, -0.3, 1e-5, 5}, {0, 0, 2, 4}, {1, 1, 9e-5, 1},
	} {
		start := Pose{3, -2, 2.9}
		got := start.moved(m.vx, m.vy, m.w, m.dt)
		x, y, n := start.X, start.Y, 20000
		h := m.dt / float64(n)
		for k := range n {
			s, c := math.Sincos(start.Yaw + m.w*h*(float64(k)+0.5))
			x += h * (c*m.vx - s*m.vy)
			y += h * (s*m.vx + c*m.vy)
		}
		near(t, "x", got.X, x, 1e-7)
		near(t, "y", got.Y, y, 1e-7)
		near(t, "yaw", math.Cos(got.Yaw-start.Yaw-m.w*m.dt), 1, 1e-12)
		if got.Yaw <= -math.Pi || got.Yaw > math.Pi {
			t.Errorf("yaw %v is not wrapped", got.Yaw)
		}
	}
}

func TestPlantLimitsAndLag(t *testing.T) {
	c := ideal()
	p := NewPlant(c, Pose{}, Stream(1, "plant"))
	last := p.State()
	for range 400 {
		s := drive(t, p, 50, -50, 0.01, 1)
		if a := (s.Forward - last.Forward) / 0.01; a > maxAcceleration+1e-9 {
			t.Fatalf("acceleration of %v m/s²", a)
		}
		if a := (last.YawRate - s.YawRate) / 0.01; a > maxYawAccel+1e-9 {
			t.Fatalf("yaw acceleration of %v rad/s²", a)
		}
		last = s
	}
	near(t, "speed", last.Forward, c.MaxSpeed, 1e-4)
	near(t, "yaw rate", last.YawRate, -maxYawRate, 1e-4)

	// Small changes stay below the limits: a first-order lag, 1 − e^(−t/τ).
	p = NewPlant(c, Pose{}, Stream(1, "plant"))
	s := drive(t, p, 0.1, 0, 0.01, 15)
	near(t, "speed after one time constant", s.Forward, 0.1*(1-math.Exp(-1)), 1e-12)
}

func TestPlantStopsWithoutCommands(t *testing.T) {
	p := NewPlant(ideal(), Pose{}, Stream(1, "plant"))
	if s := p.Step(0.1); s.Forward != 0 || !s.isStanding() {
		t.Error("moves before the first command")
	}
	drive(t, p, 1, 0, 0.05, 60)
	// The last command was followed by one step of 0.05 s; 9 more make 0.5 s.
	for range 9 {
		if s := p.Step(0.05); s.Forward < 0.99 {
			t.Fatalf("slows down to %v m/s before the timeout", s.Forward)
		}
	}
	before := p.State().Forward
	if s := p.Step(0.05); s.Forward >= before-0.04 {
		t.Errorf("goes on at %v m/s after the timeout", s.Forward)
	}
	var s PlantState
	for range 60 {
		s = p.Step(0.05)
	}
	if !s.isStanding() {
		t.Errorf("still moves at %v m/s", s.Forward)
	}

	drive(t, p, 1, 0, 0.05, 60)
	err := p.Command(math.NaN(), 0)
	wantError(t, err, "must be finite")
	for range 60 {
		s = p.Step(0.05)
	}
	if !s.isStanding() {
		t.Error("goes on after a command that is no number")
	}
}

// Slip within its bounds, different from run to run and within a run, and its
// mean over many runs at the middle of the range it is drawn from.
func TestPlantSlip(t *testing.T) {
	const runs = 200
	c := DefaultPlantConfig()
	c.ActuatorNoiseStdDev = 0
	var means, sides []float64
	for seed := range uint64(runs) {
		p := NewPlant(c, Pose{}, Stream(seed, "plant"))
		drive(t, p, 1, 0.5, 0.05, 100)
		lo, hi, mean, side := math.Inf(1), math.Inf(-1), 0.0, 0.0
		for range 400 {
			s := drive(t, p, 1, 0.5, 0.05, 1)
			turn := s.YawRate / 0.5
			lo, hi = min(lo, turn), max(hi, turn)
			mean += turn / 400
			side += s.Left / 400
			if s.Forward < 0.85 || s.Forward > 1.1 {
				t.Fatalf("forward speed %v m/s of 1", s.Forward)
			}
		}
		// The yaw rate of the wheels reaches 0.5 to 1e-12 in 5 s.
		if lo < 0.6-1e-9 || hi > 1+1e-9 {
			t.Fatalf("run %d: turn fraction in %v … %v", seed, lo, hi)
		}
		if hi-lo < 0.01 {
			t.Errorf("run %d: turn fraction hardly varies, %v … %v", seed, lo, hi)
		}
		means, sides = append(means, mean), append(sides, side)
	}
	mean, variance := moments(means)
	near(t, "mean turn fraction", mean, 0.8, 4*math.Sqrt(variance/runs))
	// Uniform over 0.2 has a variance of 0.04/12; the variation in 20 s adds less
	// than its own, 0.05².
	if variance < 0.04/12*0.8 || variance > 0.04/12*1.2+0.05*0.05 {
		t.Errorf("variance of the turn fraction between runs is %v", variance)
	}
	mean, variance = moments(sides)
	near(t, "mean sideways speed", mean, 0, 4*math.Sqrt(variance/runs))
	if variance < 0.02*0.02 {
		t.Errorf("variance of the sideways speed between runs is %v", variance)
	}
}

// Held, the wheels turn and the body stays; carried, the body moves and the wheels stay.
func TestHoldAndCarry(t *testing.T) {
	p := NewPlant(DefaultPlantConfig(), Pose{X: 1, Y: 2, Yaw: 0.5}, Stream(1, "plant"))
	p.Hold(true)
	for range 200 {
		must.OK(t, p.Command(1, 0.3))
		p.Step(0.02)
	}
	s := p.State()
	if s.Pose != (Pose{X: 1, Y: 2, Yaw: 0.5}) || s.Forward != 0 || s.YawRate != 0 || s.LeftTravel < 2 || s.RightTravel < s.LeftTravel+0.2 {
		t.Errorf("held: %+v", s)
	}
	p.Hold(false)
	p.Carry(Pose{X: -7, Y: 3, Yaw: 4})
	if c := p.State(); c.X != -7 || c.Y != 3 || math.Abs(c.Yaw-(4-2*math.Pi)) > 1e-12 || c.LeftTravel != s.LeftTravel || c.RightTravel != s.RightTravel {
		t.Errorf("carried: %+v", c)
	}
	if p.Step(0.02); p.State().X == -7 {
		t.Error("the robot does not drive on")
	}
}
