// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
)

// Before it has a heading the filter tells the position from the newest fix: the error of a robot
// that drives about, with an antenna a metre off, has the claimed covariance over all headings. The
// NEES of 2000 independent robots follows χ² with two degrees of freedom each.
func TestPositionWithoutHeading(t *testing.T) {
	const robots = 500
	rng := rand.New(rand.NewPCG(6, 6))
	cfg := DefaultConfig()
	cfg.Antenna = localization.Lever{X: 0.8, Y: -0.6}
	cfg.Motion = MotionNoise{SlipLength: Slip{1, 1, 1, 1}, Turn: 1} // as this odometry is
	for _, seconds := range []int64{0, 2, 4} {                      // of driving at 0.25 m/s since the newest fix
		sum := 0.0
		for range robots {
			f := New(cfg)
			yaw0, x, y := 2*math.Pi*rng.Float64(), 0.0, 0.0
			yaw := yaw0
			must.OK(t, f.PredictTwist(0, Twist{}))
			if _, err := f.Position(); !errors.Is(err, ErrNotInitialised) {
				t.Fatalf("a position before any fix: %v", err)
			}
			for k := int64(1); k <= 20*(6+seconds); k++ {
				if k > 1 {
					if p, err := f.Position(); err != nil || p.HeadingKnown() || p.Cov[2][2] != math.Pi*math.Pi {
						t.Fatalf("a heading before it can be known: %+v, %v", p, err)
					}
				}
				x, y = x+0.0125*math.Cos(yaw), y+0.0125*math.Sin(yaw)
				yaw += 0.01
				must.OK(t, f.PredictTwist(k*50*ms, Twist{X: 0.25, Yaw: 0.2}))
				if k == 1 || k == 50 || k == 20*6 {
					sin, cos := math.Sincos(yaw)
					fix := Fix{Stamp: k * 50 * ms, Cov: diag2(0.25, 0.25)}
					fix.X = x + cos*0.8 + sin*0.6 + 0.5*rng.NormFloat64()
					fix.Y = y + sin*0.8 - cos*0.6 + 0.5*rng.NormFloat64()
					if _, err := f.FusePosition(fix); err != nil {
						t.Fatal(err)
					}
				}
			}
			p := first(f.Position())
			ex, ey := p.X-x, p.Y-y
			det := p.Cov[0][0]*p.Cov[1][1] - p.Cov[0][1]*p.Cov[0][1]
			sum += (ex*ex*p.Cov[1][1] - 2*ex*ey*p.Cov[0][1] + ey*ey*p.Cov[0][0]) / det
		}
		chi2 := distuv.ChiSquared{K: 2 * robots}
		// A vector of known length has a kurtosis below the Gaussian's, so the band is safe.
		if lo, hi := chi2.Quantile(0.001), chi2.Quantile(0.999); sum < lo || sum > hi {
			t.Errorf("%d s after the fix: NEES %.3f, want %.3f to %.3f", seconds, sum/robots, lo/robots, hi/robots)
		}
	}
}

// The position without a heading ends five seconds after the last fix; a pose is one in every case.
func TestPositionNeedsAFreshFix(t *testing.T) {
	f := New(DefaultConfig())
	for k := range int64(200) {
		must.OK(t, f.PredictTwist(k*50*ms, Twist{}))
		if k == 20 {
			if _, err := f.FusePosition(Fix{Stamp: k * 50 * ms, X: 3, Y: 4, Cov: diag2(1, 1)}); err != nil {
				t.Fatal(err)
			}
		}
		p, err := f.Position()
		if want := k >= 20 && k <= 120; (err == nil) != want {
			t.Fatalf("%d ms: %v, want a position: %v", k*50, err, want)
		}
		if err == nil && (p.X != 3 || p.Y != 4 || p.Stamp != k*50*ms) {
			t.Fatalf("%d ms: %+v", k*50, p)
		}
	}
	f = initialised(t, DefaultConfig(), 0)
	a, errA := f.Pose()
	b, errB := f.Position()
	if a != b || errA != nil || errB != nil || !b.HeadingKnown() {
		t.Errorf("position %+v, pose %+v: %v, %v", b, a, errB, errA)
	}
}
