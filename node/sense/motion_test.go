// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"ugp_explorer/localization"
)

// drives tells m of poses every period for so long, at what the path says,
// spoilt by the noise.
func drives(m *motion, start int64, length, period time.Duration, path func(s float64) (x, y float64), noise func() float64) (metres float64) {
	for at := time.Duration(0); at <= length; at += period {
		x, y := path(at.Seconds())
		metres += m.inferred(localization.Pose{Stamp: start + int64(at), X: x + noise(), Y: y + noise()})
	}
	return metres
}

// Distance and speed from poses alone, whose estimate jitters: evenly within
// ± 0.3 m, or with a standard deviation of 0.3 m, again at each pose.
func TestInferredMotion(t *testing.T) {
	still := func(float64) (x, y float64) { return 7, -3 }
	straight := func(v float64) func(float64) (x, y float64) {
		return func(s float64) (x, y float64) { return 0.6 * v * s, 0.8 * v * s }
	}
	circle := func(s float64) (x, y float64) { return 20 * math.Cos(s/20), 20 * math.Sin(s/20) } // 1 m/s
	for _, c := range []struct {
		name   string
		length time.Duration
		path   func(s float64) (x, y float64)
		want   float64 // m
		within float64 // m
		speed  float64 // m/s, at the end
		about  float64 // m/s
	}{
		{"stands for ten minutes", 600 * time.Second, still, 0, 0, 0, 0},
		{"100 m at 2 m/s", 50 * time.Second, straight(2), 100, 5, 2, 0.6},
		{"100 m at 1 m/s", 100 * time.Second, straight(1), 100, 5, 1, 0.4},
		{"100 m at 0.5 m/s", 200 * time.Second, straight(0.5), 100, 5, 0.5, 0.3},
		{"100 m round a circle of 20 m", 100 * time.Second, circle, 100, 6, 1, 0.4},
	} {
		for _, period := range []time.Duration{50 * time.Millisecond, 200 * time.Millisecond} {
			for noise, draw := range map[string]func(*rand.Rand) float64{
				"none":     func(*rand.Rand) float64 { return 0 },
				"even":     func(rng *rand.Rand) float64 { return 0.6*rng.Float64() - 0.3 },
				"Gaussian": func(rng *rand.Rand) float64 { return 0.3 * rng.NormFloat64() },
			} {
				m, rng := new(motion), rand.New(rand.NewPCG(1, uint64(period)))
				got := drives(m, 5e9, c.length, period, c.path, func() float64 { return draw(rng) })
				if math.Abs(got-c.want) > c.within || math.Abs(m.speed-c.speed) > c.about {
					t.Errorf("%s, poses every %v, noise %s: %.2f m and %.2f m/s, want %g ± %g m and %g ± %g m/s",
						c.name, period, noise, got, m.speed, c.want, c.within, c.speed, c.about)
				}
			}
		}
	}
}

// A clock that was set back, or a repeated stamp, adds nothing.
func TestInferredOddStamps(t *testing.T) {
	at := func(m *motion, s, x float64) float64 {
		return m.inferred(localization.Pose{Stamp: int64(s * 1e9), X: x})
	}
	m := new(motion)
	at(m, 100, 0)
	if d := at(m, 10, 50); d != 0 || m.speed != 0 {
		t.Errorf("after time was set back: %g m, %g m/s", d, m.speed)
	}
	total := 0.0
	for k := range 100 {
		total += at(m, 10+0.1*float64(k), 50+0.1*float64(k))
	}
	if math.Abs(total-9.9) > 1.5 {
		t.Errorf("driven 9.9 m, counted %g m", total)
	}
	if d := at(m, 19.9, 59.9); math.IsNaN(d) || d > 2 || math.IsNaN(m.speed) || math.IsInf(m.speed, 0) {
		t.Errorf("the same stamp again: %g m, %g m/s", d, m.speed)
	}
}

// A filter that was lost for a minute finds the robot elsewhere: the mission stood, so that is no driving, and later metres count. So it is if
// a pose is corrected by more than a robot can have driven.
func TestInferredWhileLost(t *testing.T) {
	for _, broken := range []bool{true, false} {
		m, total := new(motion), 0.0
		for k := range 100 {
			if k == 50 {
				m.broken = broken
			}
			x := 0.1 * float64(k)
			if k >= 50 {
				x += 30
			}
			total += m.inferred(localization.Pose{Stamp: int64(k) * 1e8, X: x})
			if m.speed > 1.1 {
				t.Errorf("broken is %v: %g m/s at 1 m/s", broken, m.speed)
			}
		}
		if math.Abs(total-9.9) > 2 {
			t.Errorf("broken is %v: driven 9.9 m, counted %g m", broken, total)
		}
	}
}

// With a measured speed the metres are speed times time, of either sign; a
// speed is not believed for more than a second.
func TestMeasuredMotion(t *testing.T) {
	m := new(motion)
	for i, c := range []struct{ at, speed, want float64 }{
		{10, 3, 0}, // the first pose says nothing of what was before
		{10.1, 2, 0.2},
		{10.3, -1, 0.2},
		{10.3, 5, 0}, // the same stamp
		{13.3, 2, 2}, // 3 s of silence count as one
		{12, 2, 0},   // set back
		{12.5, 2, 1},
	} {
		got := m.measured(localization.Pose{Stamp: int64(math.Round(c.at * 1e9))}, c.speed)
		if math.Abs(got-c.want) > 1e-9 || m.speed != c.speed {
			t.Errorf("pose %d at %g s: %g m and %g m/s, want %g and %g", i, c.at, got, m.speed, c.want, c.speed)
		}
	}
}

// A robot that stops is seen to stand within seconds, and one that sets off is seen to drive.
func TestInferredStopAndGo(t *testing.T) {
	m := new(motion)
	path := func(s float64) (x, y float64) { return 2 * min(s, 10), 0 }
	none := func() float64 { return 0 }
	drives(m, 1e9, 10*time.Second, 100*time.Millisecond, path, none)
	if math.Abs(m.speed-2) > 0.3 {
		t.Errorf("driving at %g m/s, want 2", m.speed)
	}
	drives(m, 11e9+1e8, 5*time.Second, 100*time.Millisecond, func(float64) (x, y float64) { return 20, 0 }, none)
	if m.speed != 0 {
		t.Errorf("5 s after the stop: %g m/s", m.speed)
	}
	drives(m, 17e9, 5*time.Second, 100*time.Millisecond, func(s float64) (x, y float64) { return 20 + s, 0 }, none)
	if math.Abs(m.speed-1) > 0.3 {
		t.Errorf("5 s after setting off at 1 m/s: %g m/s", m.speed)
	}
}
