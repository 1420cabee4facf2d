// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package surface_test

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// covariance of standard deviations a, b along axes turned by angle.
func covariance(a, b, angle float64) [2][2]float64 {
	s, c := math.Sincos(angle)
	xy := c * s * (a*a - b*b)
	return [2][2]float64{{c*c*a*a + s*s*b*b, xy}, {xy, s*s*a*a + c*c*b*b}}
}

func expected(t *testing.T, f surface.Surface, resolution, x, y float64, cov [2][2]float64) float64 {
	t.Helper()
	e, err := surface.NewExpectation(cov, resolution)
	must.OK(t, err)
	return e.At(f, x, y)
}

// Smooth functions whose expectation has a closed form.
func TestExpectedValueClosedForms(t *testing.T) {
	for _, cov := range [][2][2]float64{
		{}, covariance(2, 2, 0), covariance(5, 1, 0.4), covariance(3, 0, 2), covariance(40, 0.01, -1),
	} {
		x, y := 3.0, -7.0
		// E[x²+2xy−y] = f + Σxx + 2Σxy. Leaving out what lies beyond 6σ takes
		// 1.4e-7 off a variance: 12·φ(6).
		quadratic := func(x, y float64) float64 { return x*x + 2*x*y - y }
		scale := cov[0][0] + cov[1][1] + 2*math.Abs(cov[0][1])
		near(t, "quadratic", expected(t, quadratic, 5, x, y, cov), quadratic(x, y)+cov[0][0]+2*cov[0][1], 3e-7*scale+1e-12)
		// E[cos(k·x̃)] = cos(k·x)·exp(−kᵀΣk/2), the characteristic function.
		kx, ky := 0.11, -0.2
		wave := func(x, y float64) float64 { return math.Cos(kx*x + ky*y) }
		damp := math.Exp(-(kx*kx*cov[0][0] + 2*kx*ky*cov[0][1] + ky*ky*cov[1][1]) / 2)
		near(t, "wave", expected(t, wave, 5, x, y, cov), wave(x, y)*damp, 1e-8)
	}
}

// rough is a field of pure nugget, the roughest there is.
func rough(t testing.TB) *surface.GridField {
	t.Helper()
	f, err := sim.Simulate(surface.Grid{DX: 5, DY: 5, NX: 41, NY: 41}, sim.Variogram{Model: sim.Spherical, Nugget: 1, Range: 1}, 0, "z", "", sim.Stream(1, "rough"))
	must.OK(t, err)
	return f
}

// tent returns E[max(0, 1 − |X−c|/h)] for X ~ N(m, s²), in closed form: with
// G(t) = (t−m)Φ((t−m)/s) + sφ((t−m)/s), the second antiderivative of the
// density, it is (G(c+h) − 2G(c) + G(c−h))/h.
func tent(c, h, m, s float64) float64 {
	g := func(t float64) float64 {
		z := (t - m) / s
		return (t-m)*0.5*math.Erfc(-z/math.Sqrt2) + s*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
	}
	return (g(c+h) - 2*g(c) + g(c-h)) / h
}

// A field on a grid is a sum of products of tents, so for Σ along the axes its
// expectation is known in closed form. On pure nugget of variance 1 the rule
// must be right to 0.01. At Broom's Barn, where the nugget's deviation is 0.068,
// that is a thirtieth of the soil probe's noise of 0.02.
func TestExpectedValueOfRoughField(t *testing.T) {
	f := rough(t)
	g := f.Grid()
	for _, sd := range [][2]float64{{0.3, 0.3}, {1.4, 1.4}, {5, 5}, {2, 9}, {12, 12}} {
		worst := 0.0
		for k := range 40 {
			x, y := 85+0.77*float64(k), 90+0.53*float64(k)
			want := 0.0
			for j := range g.NY {
				for i := range g.NX {
					cx, cy := g.Node(i, j)
					v, _ := f.At(i, j)
					want += v * tent(cx, 5, x, sd[0]) * tent(cy, 5, y, sd[1])
				}
			}
			got := expected(t, f.Value, f.Resolution(), x, y, covariance(sd[0], sd[1], 0))
			worst = max(worst, math.Abs(got-want))
		}
		t.Logf("deviations %v m: worst error %.2g", sd, worst)
		if worst > 0.01 {
			t.Errorf("deviations %v m: worst error %v", sd, worst)
		}
	}
}

func TestExpectationErrors(t *testing.T) {
	for _, tt := range []struct {
		cov        [2][2]float64
		resolution float64
		want       string
	}{
		{[2][2]float64{{1, 2}, {2, 1}}, 5, "not a covariance"},
		{[2][2]float64{{1, 0.5}, {0.4, 1}}, 5, "not a covariance"},
		{[2][2]float64{{-1, 0}, {0, 1}}, 5, "not a covariance"},
		{[2][2]float64{{math.NaN(), 0}, {0, 1}}, 5, "not a covariance"},
		{[2][2]float64{{1, 0}, {0, math.Inf(1)}}, 5, "not a covariance"},
		{[2][2]float64{{1, 0}, {0, 1}}, 0, "resolution"},
		{[2][2]float64{{1e8, 0}, {0, 1e8}}, 5, "at most"},
		{[2][2]float64{{1e300, 0}, {0, 1}}, 5, "too many nodes"},
	} {
		_, err := surface.NewExpectation(tt.cov, tt.resolution)
		wantError(t, err, tt.want)
	}
	e, err := surface.NewExpectation(covariance(2, 1, 1), 5)
	must.OK(t, err)
	surface := rough(t).Value
	if n := testing.AllocsPerRun(10, func() { e.At(surface, 100, 100) }); n != 0 {
		t.Errorf("At allocates %v times", n)
	}
}

// Two Gaussian hills of one height: spread takes more off the narrow one.
func TestMaxExpected(t *testing.T) {
	hills := func(x, y float64) float64 {
		narrow := 1.1 * math.Exp(-(square(x-30)+square(y-40))/(2*square(4)))
		wide := math.Exp(-(square(x-153.3) + square(y-61.7)) / (2 * square(20)))
		return narrow + wide
	}
	b := orb.Bound{Max: orb.Point{200, 100}}
	everywhere := func(x, y float64) bool { return true }
	find := func(inside func(x, y float64) bool, cov [2][2]float64) surface.Place {
		p, err := surface.MaxExpected(hills, b, 5, inside, cov)
		must.OK(t, err)
		return p
	}
	p := find(everywhere, [2][2]float64{})
	near(t, "narrow x", p.X, 30, 0.02)
	near(t, "narrow y", p.Y, 40, 0.02)
	near(t, "narrow height", p.Value, 1.1, 1e-4)
	// A Gaussian of width w spread by s is one of width √(w²+s²), its height less
	// by w²/(w²+s²) in the plane.
	p = find(everywhere, covariance(6, 6, 0))
	near(t, "wide x", p.X, 153.3, 0.05)
	near(t, "wide y", p.Y, 61.7, 0.05)
	near(t, "wide height", p.Value, 400.0/436, 1e-5)
	// Where the hills are out of bounds, the maximum is on the edge.
	p = find(func(x, y float64) bool { return x <= 120.007 && math.Hypot(x-30, y-40) > 20 }, [2][2]float64{})
	near(t, "edge x", p.X, 120.007, 0.011)
	near(t, "edge y", p.Y, 61.7, 0.1)
	// A strip between the lines of the first scan.
	p = find(func(x, y float64) bool { return x > 151.1 && x < 152.4 }, [2][2]float64{})
	near(t, "strip x", p.X, 152.4, 0.02)
	near(t, "strip y", p.Y, 61.7, 0.1)

	_, err := surface.MaxExpected(hills, b, 5, func(x, y float64) bool { return false }, [2][2]float64{})
	if !errors.Is(err, surface.ErrNoPlace) {
		t.Errorf("no place: %v", err)
	}
	_, err = surface.MaxExpected(hills, b, 5, everywhere, [2][2]float64{{1, 2}, {2, 1}})
	wantError(t, err, "not a covariance")
	_, err = surface.MaxExpected(hills, b, 1e-3, everywhere, [2][2]float64{})
	wantError(t, err, "too many positions")
}
