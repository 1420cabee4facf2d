// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// drawField returns the outline of a small field of one of several awkward shapes.
func drawField(rng *rand.Rand) field.Field {
	w, h := between(rng, 14, 40), between(rng, 14, 40)
	var f field.Field
	switch rng.IntN(7) {
	case 0:
		f = rectangle(w, h)
	case 1: // rooms with a narrow neck
		neck, long := between(rng, 1.2, 4), between(rng, 1, 6)
		low := between(rng, 0.2*h, 0.8*h-neck)
		high, a := low+neck, w/2
		f = polygon(0, 0, a, 0, a, low, a+long, low, a+long, 0, a+long+w/2, 0, a+long+w/2, h, a+long, h, a+long, high, a, high, a, h, 0, h)
	case 2: // an L
		a, b := between(rng, 0.35, 0.7)*w, between(rng, 0.35, 0.7)*h
		f = polygon(0, 0, w, 0, w, b, a, b, a, h, 0, h)
	case 3: // a U
		a := 0.25*w + between(rng, 0, 0.15)*w
		b := between(rng, 0.3, 0.6) * h
		f = polygon(0, 0, w, 0, w, h, w-a, h, w-a, b, a, b, a, h, 0, h)
	case 4: // a hole
		f = rectangle(w, h)
		f.Boundary = append(f.Boundary, box(between(rng, 0.3, 0.45)*w, between(rng, 0.3, 0.45)*h, between(rng, 0.1, 0.25)*w, between(rng, 0.1, 0.25)*h))
	case 5: // parts: a keep-out from edge to edge, sometimes with a gap
		f = rectangle(w, h)
		gap := 0.0
		if rng.IntN(2) == 0 {
			gap = between(rng, 1, 3)
		}
		f.KeepOuts = []orb.Polygon{{box(between(rng, 0.3, 0.6)*w, -1, between(rng, 0.5, 3), h+2-gap)}}
	default: // star-shaped
		n := 5 + rng.IntN(5)
		ring := make(orb.Ring, 0, n+1)
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + between(rng, -0.2, 0.2)) / float64(n))
			r := between(rng, 0.6, 1) * min(w, h) / 2 * 1.2
			ring = append(ring, orb.Point{w/2 + r*cos, h/2 + r*sin})
		}
		f.Boundary = orb.Polygon{append(ring, ring[0])}
	}
	if rng.IntN(4) == 0 { // a pond
		at := box(between(rng, 0.1, 0.8)*w, between(rng, 0.1, 0.8)*h, between(rng, 1, 4), between(rng, 1, 4))
		f.KeepOuts = append(f.KeepOuts, orb.Polygon{at})
	}
	east, north := between(rng, -100, 100), between(rng, -100, 100)
	shift(f.Boundary, east, north)
	for _, k := range f.KeepOuts {
		shift(k, east, north)
	}
	return f
}

func between(rng *rand.Rand, lo, hi float64) float64 { return lo + rng.Float64()*(hi-lo) }

func rectangle(w, h float64) field.Field {
	return field.Field{Boundary: orb.Polygon{box(0, 0, w, h)}}
}

func box(x, y, w, h float64) orb.Ring {
	return orb.Ring{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}}
}

// polygon returns the field with the corners x, y, x, y …
func polygon(xy ...float64) field.Field {
	var ring orb.Ring
	for i := 0; i < len(xy); i += 2 {
		ring = append(ring, orb.Point{xy[i], xy[i+1]})
	}
	return field.Field{Boundary: orb.Polygon{append(ring, ring[0])}}
}

func shift(p orb.Polygon, east, north float64) {
	for _, ring := range p {
		for i := range ring {
			ring[i][0] += east
			ring[i][1] += north
		}
	}
}

// ground is where the robot may be, for the checks. It shares no code with the planner.
type ground struct {
	inside  orb.Polygon   // the outline with its holes
	outside []orb.Polygon // keep-outs
}

// depth returns how far a place is from the nearest edge of the field, a hole or a keep-out,
// m, where the robot may be. Elsewhere it is negative: how far the place is at least from
// where the robot may be.
func (g ground) depth(p orb.Point) float64 {
	in, out := math.Inf(1), 0.0
	judge := func(edges orb.Polygon, free bool) {
		if d := distance(edges, p); free {
			in = min(in, d)
		} else {
			out = max(out, d)
		}
	}
	judge(g.inside, contains(g.inside, p))
	for _, k := range g.outside {
		judge(k, !contains(k, p))
	}
	if out > 0 {
		return -out
	}
	return in
}

// deepest returns the largest depth of a place, m, from a grid of 100 by 100.
func (g ground) deepest() float64 {
	b, deepest, n := g.inside.Bound(), 0.0, 100
	for i := range n * n {
		x, y := float64(i%n)+0.5, float64(i/n)+0.5
		deepest = max(deepest, g.depth(orb.Point{b.Min[0] + x/float64(n)*(b.Max[0]-b.Min[0]), b.Min[1] + y/float64(n)*(b.Max[1]-b.Min[1])}))
	}
	return deepest
}

// contains reports whether a place is in a polygon and not in its holes, by the number of
// edges that a ray from it crosses.
func contains(polygon orb.Polygon, p orb.Point) bool {
	in := false
	for _, ring := range polygon {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
				in = !in
			}
		}
	}
	return in
}

// distance returns the distance of a place from the edges of a polygon, m.
func distance(polygon orb.Polygon, p orb.Point) float64 {
	least := math.Inf(1)
	for _, ring := range polygon {
		for i := 1; i < len(ring); i++ {
			a, dx, dy := ring[i-1], ring[i][0]-ring[i-1][0], ring[i][1]-ring[i-1][1]
			t := 0.0
			if l := dx*dx + dy*dy; l > 0 {
				t = min(1, max(0, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/l))
			}
			least = min(least, math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy))
		}
	}
	return least
}
