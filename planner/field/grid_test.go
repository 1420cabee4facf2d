// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
)

func TestRegionGrid(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	for _, n := range []int{1, 2, 5, 30, 31, 100, 997} {
		points := r.Grid(n, 1)
		if len(points) != n {
			t.Errorf("%d points, want %d", len(points), n)
		}
		for _, p := range points {
			if !r.Contains(p) {
				t.Errorf("n = %d: %v is outside", n, p)
			}
		}
		if n < 30 {
			continue
		}
		// A square lattice: every point's nearest neighbour is one spacing away, save for lone ones.
		side := math.Sqrt(r.Area() / float64(n))
		near := 0
		for i, p := range points {
			best := math.Inf(1)
			for j, q := range points {
				if i != j {
					best = math.Min(best, Distance(p, q))
				}
			}
			if math.Abs(best-side) < 0.25*side {
				near++
			}
		}
		if near < n*9/10 {
			t.Errorf("n = %d: only %d points have a neighbour about %g m away", n, near, side)
		}
		drive := 0.0
		for i := 1; i < n; i++ {
			drive += Distance(points[i-1], points[i])
		}
		if drive > 1.5*side*float64(n) {
			t.Errorf("n = %d: the points in their order are %g m to drive, with %g m between neighbours", n, drive, side)
		}
	}
}

// In strips narrower than the spacing the points are as even as a line allows.
func TestRegionGridInStrips(t *testing.T) {
	for _, c := range []struct {
		ring   orb.Ring
		margin float64
	}{
		{plantest.Rect(0, 0, 1000, 0.5), 0.01},
		{orb.Ring{{0, 0}, {1000, 999.9}, {1000, 1000}, {0, 0.1}}, 0.01},
		{plantest.Rect(0, 0, 1000, 2), 0.99999}, // almost a line: lattices as fine as its area would never end
	} {
		ring := c.ring
		r := mustRegion(t, Field{Boundary: orb.Polygon{ring}}, c.margin)
		points := r.Grid(30, 1)
		if len(points) != 30 {
			t.Fatalf("%d points, want 30", len(points))
		}
		length := Distance([]float64{ring[0][0], ring[0][1]}, []float64{ring[2][0], ring[2][1]})
		for i := 1; i < 30; i++ {
			if !r.Contains(points[i]) {
				t.Errorf("%v is outside", points[i])
			}
			if d := Distance(points[i], points[i-1]); d < length/75 || d > length/12 {
				t.Errorf("%g m from %v to %v, want about %g m", d, points[i-1], points[i], length/29)
			}
		}
	}
}

// Lines are as far apart as they should be: most points have their neighbour along the line at
// one spacing, and none across it nearer than that.
func TestRegionGridOfLines(t *testing.T) {
	const n, apart = 60, 2.0
	r := mustRegion(t, Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 1000, 600)}}, 1)
	points := r.Grid(n, apart)
	if len(points) != n {
		t.Fatalf("%d points, want %d", len(points), n)
	}
	step := math.Sqrt(r.Area() / (n * apart))
	rows := map[float64]int{}
	for i, p := range points {
		rows[math.Round(p[1])]++
		if i > 0 && p[1] == points[i-1][1] {
			if d := Distance(p, points[i-1]); math.Abs(d-step) > 0.2*step {
				t.Errorf("%g m from %v to %v, want about %g m", d, points[i-1], p, step)
			}
		} else if i > 0 {
			if d := math.Abs(p[1] - points[i-1][1]); math.Abs(d-apart*step) > 0.2*apart*step {
				t.Errorf("lines %g m apart, want about %g m", d, apart*step)
			}
		}
	}
	if len(rows) > 6 { // a square lattice has 6
		t.Errorf("%d lines", len(rows))
	}
	b, err := NewBox([]float64{0, 0}, []float64{1, 1})
	must.OK(t, err)
	counts := map[float64]int{}
	for _, p := range b.Grid(32, apart) { // 4 × 8
		counts[p[0]]++
	}
	if len(counts) != 4 {
		t.Errorf("%d lines in a box, want 4", len(counts))
	}
}
