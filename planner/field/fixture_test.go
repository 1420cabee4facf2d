// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
)

// starField is [star] as a field.
func starField() Field {
	boundary, keepOuts := plantest.Star()
	return Field{Boundary: boundary, KeepOuts: keepOuts}
}

func mustRegion(tb testing.TB, f Field, margin float64) *Region {
	tb.Helper()
	r, err := NewRegion(f, margin)
	must.OK(tb, err)
	return r
}

// randomField returns a star-shaped polygon with up to three holes and keep-outs that may
// overlap anything; it is valid by construction.
func randomField(rng *rand.Rand) Field {
	star := func(cx, cy, size float64, n int) orb.Ring {
		ring := make(orb.Ring, n)
		for i := range ring {
			a := 2 * math.Pi * (float64(i) + 0.8*rng.Float64()) / float64(n)
			radius := size * (0.35 + 0.65*rng.Float64())
			ring[i] = orb.Point{cx + radius*math.Cos(a), cy + radius*math.Sin(a)}
		}
		return ring
	}
	f := Field{Boundary: orb.Polygon{star(0, 0, 50, 5+rng.IntN(12))}}
	for k := range rng.IntN(4) {
		a, d := 2*math.Pi*rng.Float64(), 40*rng.Float64()
		ring := star(d*math.Cos(a), d*math.Sin(a), 3+9*rng.Float64(), 3+rng.IntN(6))
		if k%2 == 0 {
			f.Boundary = append(f.Boundary, ring)
		} else {
			f.KeepOuts = append(f.KeepOuts, orb.Polygon{ring})
		}
	}
	return f
}

// The functions below are the independent reference: plain definitions, without
// any of the package's types.

// bruteInside reports whether p is inside a ring, by its winding number.
func bruteInside(ring orb.Ring, p orb.Point) bool {
	angle := 0.0
	for i := range ring {
		a, b := ring[i], ring[(i+1)%len(ring)]
		ax, ay, bx, by := a[0]-p[0], a[1]-p[1], b[0]-p[0], b[1]-p[1]
		angle += math.Atan2(ax*by-ay*bx, ax*bx+ay*by)
	}
	return math.Abs(angle) > math.Pi
}

// bruteDistance returns the distance of p to the edges of a ring.
func bruteDistance(ring orb.Ring, p orb.Point) float64 {
	best := math.Inf(1)
	for i := range ring {
		a, b := ring[i], ring[(i+1)%len(ring)]
		l := math.Hypot(b[0]-a[0], b[1]-a[1])
		t := 0.0
		if l > 0 {
			t = math.Max(0, math.Min(1, ((p[0]-a[0])*(b[0]-a[0])+(p[1]-a[1])*(b[1]-a[1]))/(l*l)))
		}
		best = math.Min(best, math.Hypot(a[0]+t*(b[0]-a[0])-p[0], a[1]+t*(b[1]-a[1])-p[1]))
	}
	return best
}

// bruteClearance returns how far a free place is from every edge, and minus the
// distance to the nearest edge of an obstacle's where it is not free.
func bruteClearance(f Field, p orb.Point) float64 {
	free, near := true, math.Inf(1)
	polygons := append([]orb.Polygon{f.Boundary}, f.KeepOuts...)
	for i, polygon := range polygons {
		inside := bruteInside(polygon[0], p)
		for _, ring := range polygon {
			near = math.Min(near, bruteDistance(ring, p))
		}
		for _, hole := range polygon[1:] {
			inside = inside && !bruteInside(hole, p)
		}
		free = free && inside == (i == 0)
	}
	if !free {
		return -near
	}
	return near
}
