// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"
)

const tick = 20_000_000 // ns, one step of the plant

func perfectOdometer() OdometerConfig {
	c := DefaultOdometerConfig()
	c.TurnFraction, c.RadiusStdDev, c.RadiusDiffStdDev, c.TrackStdDev, c.RollStdDev = 1, 0, 0, 0, 0
	return c
}

// weave is a command that bends both ways.
func weave(k int) (v, w float64) { return 0.8, 0.4 * math.Sin(0.01*float64(k)) }

// Without slip and without errors, odometry is the truth in another frame. The
// twist varies within a message's period, which the arcs of the odometer do not
// follow: at 50 Hz that costs less than a millimetre here.
func TestOdometryWithoutErrors(t *testing.T) {
	p := NewPlant(ideal(), Pose{5, 6, 0.7}, Stream(1, "plant"))
	c := perfectOdometer()
	c.Period = 0.02
	o := NewOdometer(c, Stream(1, "odometer"))
	var m Odometry
	messages := 0
	o.Tick(0, p.State())
	for k := 1; k <= 2000; k++ {
		v, w := weave(k)
		s := drive(t, p, v, w, 0.02, 1)
		got, ok := o.Tick(int64(k)*tick, s)
		if !ok {
			t.Fatalf("no message at step %d", k)
		}
		m = got
		messages++
		near(t, "forward speed", m.Forward, s.Forward, 1e-9)
		near(t, "yaw rate", m.YawRate, s.YawRate, 1e-9)
	}
	s := p.State()
	start := Pose{5, 6, 0.7}
	at := start.Point(m.Pose.X, m.Pose.Y)
	near(t, "x", at[0], s.X, 1e-6)
	near(t, "y", at[1], s.Y, 1e-6)
	near(t, "yaw", wrap(m.Pose.Yaw+start.Yaw-s.Yaw), 0, 1e-9)
	if m.Stamp != 2000*tick || messages != 2000 {
		t.Errorf("%d messages, the last one at %d", messages, m.Stamp)
	}
}

func TestOdometerPeriod(t *testing.T) {
	p := NewPlant(ideal(), Pose{}, Stream(1, "plant"))
	o := NewOdometer(perfectOdometer(), Stream(1, "odometer")) // 50 ms on ticks of 20 ms
	var stamps []int64
	for k := range 16 {
		if m, ok := o.Tick(int64(k)*tick, p.Step(0.02)); ok {
			stamps = append(stamps, m.Stamp/1e6)
		}
	}
	want := []int64{60, 100, 160, 200, 260, 300} // first ticks at or after 50, 100, 150, …
	if len(stamps) != len(want) {
		t.Fatalf("messages at %v ms, want %v", stamps, want)
	}
	for i := range want {
		if stamps[i] != want[i] {
			t.Errorf("messages at %v ms, want %v", stamps, want)
		}
	}
}

// The errors have the sizes that the configuration says: over many runs of 100 m
// straight on, way and heading have the variances that follow from it.
func TestOdometerErrors(t *testing.T) {
	const runs, way = 400, 100.0
	c := perfectOdometer()
	c.RadiusStdDev, c.RadiusDiffStdDev, c.RollStdDev = 0.01, 0.003, 0.02
	var ways, turns []float64
	for seed := range uint64(runs) {
		o := NewOdometer(c, Stream(seed, "odometer"))
		var s PlantState
		o.Tick(0, s)
		forward, turn := 0.0, 0.0
		for k := 1; k <= 100; k++ {
			s.LeftTravel += way / 100
			s.RightTravel += way / 100
			m, ok := o.Tick(int64(k)*1e9, s)
			if !ok {
				t.Fatal("no message")
			}
			forward += m.Forward
			turn += m.YawRate
		}
		ways, turns = append(ways, forward), append(turns, turn)
	}
	// Rolling: 0.02²·100 for each side, of which the way is the mean and the
	// turn the difference over the track.
	roll := square(0.02) * way
	for _, tt := range []struct {
		name       string
		v          []float64
		mean, want float64
	}{
		{"way", ways, way, square(0.01*way) + roll/2},
		{"turn", turns, 0, (square(0.003*way) + 2*roll) / square(Track)},
	} {
		mean, variance := moments(tt.v)
		near(t, tt.name, mean, tt.mean, 4*math.Sqrt(tt.want/runs))
		near(t, tt.name+" variance", variance, tt.want, 4*tt.want*math.Sqrt(2.0/runs))
	}
}

// The claims cover the errors, on two scales of time. From message to message,
// errors squared are compared with the twist's own variances (with a claim time
// of one period). Over windows of a claim time, the errors added up are
// compared with the variances added up, as a filter adds them that takes them
// for white. Means of the ratios far below 1 would make the claim useless; above
// 1 a filter could not rely on it.
func TestOdometryClaims(t *testing.T) {
	for _, window := range []float64{0.06, 2} {
		c := DefaultOdometerConfig()
		c.Period, c.ClaimTime = 0.06, window // whole ticks
		var sum [3]float64
		n := 0.0
		for seed := range uint64(100) {
			p := NewPlant(DefaultPlantConfig(), Pose{}, Stream(seed, "plant"))
			o := NewOdometer(c, Stream(seed, "odometer"))
			var off, claimed [3]float64
			last := p.State().Pose
			from := int64(0)
			o.Tick(0, p.State())
			for k := 1; k <= 1500; k++ {
				v, w := weave(k)
				s := drive(t, p, v, w, 0.02, 1)
				m, ok := o.Tick(int64(k)*tick, s)
				if !ok {
					continue
				}
				// The way since the last message in the robot's frame there.
				sin, cos := math.Sincos(last.Yaw)
				dx, dy := s.X-last.X, s.Y-last.Y
				off[0] += cos*dx + sin*dy - m.Forward*0.06
				off[1] += cos*dy - sin*dx - m.Forward*0.06*m.YawRate*0.03
				off[2] += wrap(s.Yaw-last.Yaw) - m.YawRate*0.06
				last = s.Pose
				for i := range claimed {
					claimed[i] += m.TwistCov[i][i] * 0.06 * 0.06
				}
				if float64(m.Stamp-from)*1e-9 < window-1e-9 {
					continue
				}
				from = m.Stamp
				for i := range off {
					sum[i] += off[i] * off[i] / claimed[i]
				}
				n++
				off, claimed = [3]float64{}, [3]float64{}
			}
		}
		for i, name := range []string{"forward", "left", "yaw"} {
			t.Logf("over %v s, %s: mean squared error is %.2f of what is claimed", window, name, sum[i]/n)
			if r := sum[i] / n; !(r > 0.2 && r < 1) {
				t.Errorf("over %v s, %s: mean squared error is %v of what is claimed", window, name, r)
			}
		}
	}
}

// An encoder that is dead counts nothing: the odometer believes that its side stands, in the
// twist and in the pose, until the encoder counts again.
func TestOdometryOfADeadEncoder(t *testing.T) {
	p := NewPlant(ideal(), Pose{}, Stream(1, "plant"))
	c := perfectOdometer()
	c.Period = 0.02
	o := NewOdometer(c, Stream(1, "odometer"))
	o.Tick(0, p.State())
	after := func(steps ...int64) (m Odometry, s PlantState) {
		for k := steps[0]; k < steps[1]; k++ {
			s = drive(t, p, 0.5, 0, 0.02, 1)
			m, _ = o.Tick((k+1)*tick, s)
		}
		return m, s
	}
	before, _ := after(0, 100)
	o.Encoders(0, 1)
	m, s := after(100, 150)
	near(t, "forward speed", m.Forward, s.Forward/2, 1e-9)
	near(t, "yaw rate", m.YawRate, s.Forward/Track, 1e-9)
	near(t, "yaw", m.Pose.Yaw, s.Forward/Track, 0.02)
	if before.Pose.Yaw != 0 {
		t.Errorf("the yaw was %g before", before.Pose.Yaw)
	}
	o.Encoders(1, 1)
	m, s = after(150, 160)
	near(t, "forward speed of the repaired one", m.Forward, s.Forward, 1e-9)
	near(t, "yaw rate of the repaired one", m.YawRate, 0, 1e-9)
}
