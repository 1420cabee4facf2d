// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/surface"
)

// stand ticks a receiver for n seconds at one place, and returns the fixes with
// the times at which they were delivered.
func stand(c FixConfig, seed uint64, x, y float64, n int) (fixes []Fix, at []int64) {
	f := NewFixSensor(c, Stream(seed, "fix"))
	for now := int64(0); now < int64(n)*1e9; now += tick {
		f.Tick(now, PlantState{Pose: Pose{X: x, Y: y}})
		for {
			m, ok := f.Next(now)
			if !ok {
				break
			}
			fixes, at = append(fixes, m), append(at, now)
		}
	}
	return fixes, at
}

func TestFixTimes(t *testing.T) {
	c := DefaultFixConfig()
	c.OutageGap, c.Delay = 0, 0.25
	fixes, at := stand(c, 1, 0, 0, 20)
	if len(fixes) != 20 {
		t.Fatalf("%d fixes in 20 s", len(fixes))
	}
	for i, f := range fixes {
		// 0.25 s is between two ticks of 20 ms: delivered at the next, 0.26 s.
		if f.Stamp != int64(i)*1e9 || at[i] != f.Stamp+260e6 {
			t.Errorf("fix %d is of %d, delivered at %d", i, f.Stamp, at[i])
		}
	}
}

// The errors are white with the claimed covariance: the mean of the squared
// errors over the claimed variance is chi-squared with 2n degrees of freedom,
// and neighbours are uncorrelated.
func TestFixErrors(t *testing.T) {
	c := DefaultFixConfig()
	c.OutageGap, c.StdDev = 0, 1.7
	const n = 4000
	fixes, _ := stand(c, 2, 100, -50, n)
	sum, neighbours, cross := 0.0, 0.0, 0.0
	for i, f := range fixes {
		ex, ey := f.X-100, f.Y+50
		sum += ex*ex/f.Cov[0][0] + ey*ey/f.Cov[1][1]
		cross += ex * ey / f.Cov[0][0]
		near(t, "claimed variance of x", f.Cov[0][0], 2.89, 1e-12)
		near(t, "claimed variance of y", f.Cov[1][1], 2.89, 1e-12)
		near(t, "claimed covariance", f.Cov[0][1]+f.Cov[1][0], 0, 0)
		if i > 0 {
			neighbours += ex * (fixes[i-1].X - 100) / f.Cov[0][0]
		}
	}
	m := float64(len(fixes))
	near(t, "squared errors over claim", sum/m, 2, 4*math.Sqrt(4/m))
	near(t, "correlation of x and y", cross/m, 0, 4/math.Sqrt(m))
	near(t, "correlation of neighbours", neighbours/m, 0, 4/math.Sqrt(m))
}

func TestFixCorrelatedError(t *testing.T) {
	c := DefaultFixConfig()
	c.OutageGap, c.StdDev, c.CorrelatedStdDev, c.CorrelationTime = 0, 0.1, 2, 5
	const n = 8000
	fixes, _ := stand(c, 3, 0, 0, n)
	var v, products []float64
	for i, f := range fixes {
		v = append(v, f.X)
		if i > 0 {
			products = append(products, f.X*fixes[i-1].X)
		}
		near(t, "claim, without the slow error", f.Cov[0][0], 0.01, 1e-15)
	}
	rho := math.Exp(-1.0 / 5)
	spread := math.Sqrt((1 + rho*rho) / (1 - rho*rho)) // inflates standard errors
	_, variance := moments(v)
	near(t, "variance", variance, 4+0.01, 4*4.01*math.Sqrt(2.0/n)*spread)
	mean, _ := moments(products)
	near(t, "covariance at 1 s", mean, 4*rho, 4*4.01*math.Sqrt(2.0/n)*spread)
}

// The fraction of fixes lost is that of a process with exponential outages and
// gaps; and an outage loses fixes without changing the others.
func TestFixOutages(t *testing.T) {
	c := DefaultFixConfig()
	c.OutageGap = 0
	const n = 40000
	all, _ := stand(c, 4, 0, 0, n)
	c.OutageGap, c.OutageLength = 60, 20
	some, _ := stand(c, 4, 0, 0, n)
	// n/80 cycles; the standard error of the fraction over k cycles is p(1−p)·√(2/k)
	// (Cox 1962, Renewal Theory, section 7.3).
	near(t, "fraction received", float64(len(some))/float64(len(all)), 0.75, 4*0.25*0.75*math.Sqrt(2*80.0/n))
	k, longest := 0, int64(0)
	for i, f := range some {
		for all[k].Stamp != f.Stamp {
			k++
		}
		if all[k] != f {
			t.Fatalf("fix at %d differs: %v, %v", f.Stamp, all[k], f)
		}
		if i > 0 {
			longest = max(longest, f.Stamp-some[i-1].Stamp)
		}
	}
	if longest < 60e9 {
		t.Errorf("in 500 outages of 20 s on average the longest lasted %v s", longest/1e9)
	}
}

func TestFixShadows(t *testing.T) {
	square := func(x0, x1 float64) orb.Polygon {
		return orb.Polygon{{{x0, 0}, {x1, 0}, {x1, 10}, {x0, 10}, {x0, 0}}}
	}
	c := DefaultFixConfig()
	c.OutageGap = 0
	c.Shadows = []Shadow{{Area: square(0, 10), Factor: 3}, {Area: square(5, 15), Factor: 2}, {Area: square(12, 20), Missing: true}}
	open := c
	open.Shadows = nil
	for _, tt := range []struct {
		x      float64
		factor float64 // 0: no fixes
	}{{-3, 1}, {2, 3}, {7, 3}, {11, 2}, {13, 0}, {18, 0}, {25, 1}} {
		fixes, _ := stand(c, 5, tt.x, 5, 50)
		bright, _ := stand(open, 5, tt.x, 5, 50)
		if tt.factor == 0 {
			if len(fixes) != 0 {
				t.Errorf("%d fixes at x = %v", len(fixes), tt.x)
			}
			continue
		}
		if len(fixes) != len(bright) {
			t.Fatalf("%d fixes at x = %v, %d without shadows", len(fixes), tt.x, len(bright))
		}
		for i, f := range fixes {
			near(t, "error", f.X-tt.x, tt.factor*(bright[i].X-tt.x), 1e-9)
			near(t, "claim", f.Cov[1][1], tt.factor*tt.factor, 1e-12)
		}
	}
}

// slope is a field that tells where it was read.
func slope(x, y float64) float64 { return 1000*x + y }

func newProbe(t testing.TB, c ProbeConfig, f surface.Surface) *Probe {
	t.Helper()
	p, err := NewProbe(c, f, Stream(6, "probe"))
	must.OK(t, err)
	return p
}

// The probe reads the field's Value where it truly stands: 0.4 m behind the base
// and, here, 0.1 m to its left, turned with the robot.
func TestProbePlace(t *testing.T) {
	c := DefaultProbeConfig()
	c.Left, c.StdDev, c.Jitter = 0.1, 0, 0
	for _, tt := range []struct {
		pose Pose
		x, y float64
	}{
		{Pose{10, 20, 0}, 9.6, 20.1},
		{Pose{10, 20, math.Pi / 2}, 9.9, 19.6},
		{Pose{10, 20, math.Pi}, 10.4, 19.9},
	} {
		p := newProbe(t, c, slope)
		for now := int64(0); now <= 1500e6; now += tick {
			p.Tick(now, PlantState{Pose: tt.pose})
		}
		r, ok := p.Next(5e9)
		if !ok {
			t.Fatal("no reading")
		}
		near(t, "value", r.Value, 1000*tt.x+tt.y, 1e-9)
	}
}

func TestProbeTimes(t *testing.T) {
	standing, moving := PlantState{}, PlantState{Forward: 1}
	run := func(c ProbeConfig) (stamps, delivered []int64) {
		p := newProbe(t, c, slope)
		for now := int64(0); now < 12e9; now += tick {
			s := standing
			if now >= 4e9 && now < 6e9 {
				s = moving
			}
			p.Tick(now, s)
			if r, ok := p.Next(now); ok {
				stamps, delivered = append(stamps, r.Stamp/1e6), append(delivered, now/1e6)
			}
		}
		return stamps, delivered
	}
	c := DefaultProbeConfig()
	c.Jitter = 0
	// Ticks are 20 ms apart. Standing since 0: due at 1.5 and 3 s. Lifted at 4 s,
	// standing since 6 s: due at 7.5, 9, 10.5 s (12 is beyond the end).
	stamps, delivered := run(c)
	if want := []int64{1500, 3000, 7500, 9000, 10500}; !slices.Equal(stamps, want) {
		t.Errorf("readings at %v ms, want %v", stamps, want)
	}
	for i := range stamps {
		if delivered[i] != stamps[i]+200 {
			t.Errorf("reading of %d ms delivered at %d ms", stamps[i], delivered[i])
		}
	}
	c.OnlyStanding = false
	if stamps, _ := run(c); !slices.Equal(stamps, []int64{1500, 3000, 4500, 6000, 7500, 9000, 10500}) {
		t.Errorf("readings at %v ms", stamps)
	}
	c.Jitter = 0.3
	stamps, _ = run(c)
	varied := false
	for i := range stamps[1:] {
		d := stamps[i+1] - stamps[i]
		varied = varied || d != stamps[1]-stamps[0]
		if d < 1200 || d > 1820 { // 1.5 ± 0.3 s, up to the next tick
			t.Errorf("readings %d ms apart", d)
		}
	}
	if !varied {
		t.Error("the jitter has no effect")
	}
}

func TestProbeErrors(t *testing.T) {
	c := DefaultProbeConfig()
	c.Jitter = 2
	_, err := NewProbe(c, slope, Stream(1, "probe"))
	wantError(t, err, "Jitter is 2 s")
}
