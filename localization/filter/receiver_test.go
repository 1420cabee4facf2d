// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/must"
)

// slowNoise is a slow error: a first-order Gauss-Markov process with steps of 1 s.
type slowNoise struct {
	rng              *rand.Rand
	tau, stdDev, now float64
}

func (n *slowNoise) next() float64 {
	if n.now == 0 {
		n.now = n.stdDev * n.rng.NormFloat64()
	}
	phi := math.Exp(-1 / n.tau)
	n.now = phi*n.now + math.Sqrt(1-phi*phi)*n.stdDev*n.rng.NormFloat64()
	return n.now
}

// shuttle drives a filter to and fro for some seconds, with fixes of an error each second, and returns the deviation of
// the position that it claims at the end and how far it is off.
func shuttle(t *testing.T, f *EKF, from, seconds int64, speed float64, stated [2][2]float64, x0 float64, ex, ey func() float64) (sigma, off, x float64) {
	t.Helper()
	x = x0
	for k := from * 20; k < (from+seconds)*20; k++ {
		v := speed
		if k/1600%2 == 1 {
			v = -speed
		}
		if k > from*20 {
			x += v / 20
		}
		must.OK(t, f.PredictGyro(k*50*ms, 0, 1e-6))
		must.OK(t, f.PredictTwist(k*50*ms, Twist{X: v}))
		if k%20 == 0 {
			if _, err := f.FusePosition(Fix{Stamp: k * 50 * ms, X: x + ex(), Y: ey(), Cov: stated}); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := first(f.Pose())
	return math.Sqrt((p.Cov[0][0] + p.Cov[1][1]) / 2), math.Hypot(p.X-x, p.Y), x
}

// Beside trees, a receiver finds wrong ambiguities for seconds, claims 1 cm, and is as far off as its float fixes. Ambiguities that last are
// right.
func TestFixedForSeconds(t *testing.T) {
	cfg := DefaultConfig()
	cfg.HeadingGiven = true
	f := New(cfg)
	const slow = 1.2 // m
	float, fixed := diag2(0.15*0.15, 0.15*0.15), diag2(0.01*0.01, 0.01*0.01)
	var now, sigma, off, x float64
	drive := func(what string, seconds float64, stated [2][2]float64, e float64, right func() bool) {
		sigma, off, x = shuttle(t, f, int64(now), int64(seconds), 1, stated, x, func() float64 { return e }, func() float64 { return 0 })
		if now += seconds; !right() {
			t.Errorf("%s: it claims %.3f m and is %.3f m off", what, sigma, off)
		}
	}
	honest := func() bool { return off < 4*sigma }
	drive("float", 30, float, slow, honest)
	for _, wrong := range [...]float64{0.05, 0.05, -0.5, 0.3} {
		drive("fixed for 5 s", 5, fixed, slow+wrong, honest)
		drive("float after it", 15, float, slow, honest)
	}
	drive("fixed for 20 s", 20, fixed, 0, func() bool { return sigma < 0.1 && off < 3*sigma })
}

// Fixes that stray alone, by up to 30 m, do not hide what the others show.
func TestStrayFixes(t *testing.T) {
	const blocks, seconds, stray = 15, 60, 0.1
	squares, n := 0.0, 0.0
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 11))
		e := func() float64 {
			if rng.Float64() < stray {
				return 60*rng.Float64() - 30
			}
			return 0.3 * rng.NormFloat64()
		}
		cfg := DefaultConfig()
		cfg.HeadingGiven = true
		f, x := New(cfg), 0.0
		for block := range int64(blocks) {
			var off float64
			_, off, x = shuttle(t, f, block*seconds, seconds, 1, diag2(0.5*0.5, 0.5*0.5), x, e, e)
			if block >= 2 {
				squares += off * off
				n++
			}
		}
	}
	// The mean of the 49 fixes of a minute that are right errs by 0.06 m.
	if rms := math.Sqrt(squares / n); rms > 0.6 {
		t.Errorf("the position is off by %.2f m, want 0.6 m at most", rms)
	}
}

// What fixes err is learnt from driving: that they are white, that the slow error is larger or far smaller than stated.
func TestSizesAreLearnt(t *testing.T) {
	for _, c := range []struct {
		name        string
		white, slow float64 // m
		stated      float64
		seconds     int64
		least, most float64 // of the claimed deviation, m
	}{
		{"before it is learnt", 1, 0, 1, 5, 0.6, 1.5},
		{"white", 1, 0, 1, 240, 0.1, 0.7},
		{"white, states half", 1, 0, 0.5, 240, 0.1, 0.7},
		{"slow", 0.01, 1, 1, 600, 0.7, 1.6},
		{"slow, states a third", 0.01, 3, 1, 600, 1.7, 6},
		{"slow, states ten times as much", 0.01, 0.3, 3, 1800, 0.2, 0.8},
		{"float, no floor any more", 0.01, 0.06, 0.06, 1800, 0.05, 0.3},
	} {
		sum := 0.0
		const seeds = 4
		for seed := range uint64(seeds) {
			rng := rand.New(rand.NewPCG(seed, 5))
			cfg := DefaultConfig()
			cfg.HeadingGiven = true
			a, b := &slowNoise{rng: rng, tau: 60, stdDev: c.slow}, &slowNoise{rng: rng, tau: 60, stdDev: c.slow}
			sigma, _, _ := shuttle(t, New(cfg), 0, c.seconds, 1, diag2(c.stated*c.stated, c.stated*c.stated), 0,
				func() float64 { return a.next() + c.white*rng.NormFloat64() }, func() float64 { return b.next() + c.white*rng.NormFloat64() })
			sum += sigma / seeds
		}
		t.Logf("%s: claims %.2f m", c.name, sum)
		if sum < c.least || sum > c.most {
			t.Errorf("%s: claims %.2f m, want %g to %g m", c.name, sum, c.least, c.most)
		}
	}
}

// A receiver that errs by 2 m in all directions, and states that in one direction it errs by a fraction of that, is not believed.
func TestStatedDirection(t *testing.T) {
	for name, stated := range map[string][2][2]float64{
		"the truth":         diag2(4, 4),
		"north is certain":  diag2(4, 0.04),
		"east is certain":   diag2(0.04, 4),
		"east is as north":  {{4, 3.96}, {3.96, 4}},
		"east is not north": {{4, -3.9999}, {-3.9999, 4}},
	} {
		const seeds = 12
		sum := 0.0
		for seed := range uint64(seeds) {
			rng := rand.New(rand.NewPCG(seed, 8))
			a, b := &slowNoise{rng: rng, tau: 60, stdDev: 2}, &slowNoise{rng: rng, tau: 60, stdDev: 2}
			cfg := DefaultConfig()
			cfg.HeadingGiven = true
			f := New(cfg)
			_, _, x := shuttle(t, f, 0, 60, 1, stated, 0, a.next, b.next)
			p := first(f.Pose())
			sum += normalised(t, []float64{p.X - x, p.Y}, &p.Cov) / seeds
		}
		t.Logf("%s: d² %.2f", name, sum)
		if sum > 5 {
			t.Errorf("%s: the mean squared Mahalanobis distance is %.1f, want about 2", name, sum)
		}
	}
	for range 100 {
		c := diag2(rand.Float64(), rand.Float64())
		c[0][1] = (2*rand.Float64() - 1) * math.Sqrt(c[0][0]*c[1][1])
		c[1][0] = c[0][1]
		got := rounder(c)
		var before, after mat.EigenSym
		if !before.Factorize(mat.NewSymDense(2, []float64{c[0][0], c[0][1], c[0][1], c[1][1]}), true) || !after.Factorize(mat.NewSymDense(2, []float64{got[0][0], got[0][1], got[0][1], got[1][1]}), true) {
			t.Fatal(c, got)
		}
		was, is := before.Values(nil), after.Values(nil)
		near(t, "largest variance", is[1], was[1], 1e-12)
		near(t, "smallest variance", is[0], max(was[0], was[1]/4), 1e-12)
	}
}

// A receiver that holds its position while the robot stands, to the bit or nearly, tells it once: after an hour its error is
// as likely as before.
func TestHeldPositionCountsOnce(t *testing.T) {
	for name, jitter := range map[string]float64{"to the bit": 0, "nearly": 0.002} {
		rng := rand.New(rand.NewPCG(1, 5))
		cfg := DefaultConfig()
		cfg.HeadingGiven = true
		f := New(cfg)
		held := func() float64 { return 1.5 + jitter*rng.NormFloat64() }
		start, _, _ := shuttle(t, f, 0, 5, 0, diag2(4, 4), 0, held, held)
		yaw := first(f.Pose())
		if name == "to the bit" {
			for range 100 {
				f.FuseYaw(4950*ms, 0.1, 0.01)
			}
			if again := first(f.Pose()); again.Cov[2][2] < 0.4*min(yaw.Cov[2][2], 0.01) {
				t.Errorf("a heading of 0.1 rad that is said 100 times is known within %.3f rad", math.Sqrt(again.Cov[2][2]))
			}
		}
		sigma, off, _ := shuttle(t, f, 5, 3600, 0, diag2(4, 4), 0, held, held)
		t.Logf("%s: claims %.2f m at first and %.2f m after an hour; off by %.2f m", name, start, sigma, off)
		if sigma < 0.4*start || off > 2.5*math.Sqrt2*sigma {
			t.Errorf("%s: claims %.2f m at first and %.2f m after an hour; off by %.2f m", name, start, sigma, off)
		}
	}
}
