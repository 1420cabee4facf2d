// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
)

// Turned and moved, a field has the same area, whatever rounding makes of edges that lie on one
// line, and of arcs that begin on the line of an edge of another outline.
func TestRegionAreaDoesNotTurn(t *testing.T) {
	square := orb.Polygon{plantest.Rect(0, 0, 4, 6)}
	fields := map[string]Field{
		"keep-outs in one line": {Boundary: square, KeepOuts: []orb.Polygon{{plantest.Rect(1, 5, 3, 9)}, {plantest.Rect(-1, 5, 2, 7)}}},
		"a keep-out in halves":  {Boundary: square, KeepOuts: []orb.Polygon{{plantest.Rect(1, 2, 2, 4)}, {plantest.Rect(2, 2, 3, 4)}}},
	}
	for name, f := range fields {
		for _, margin := range []float64{0, 0.3} {
			want := mustRegion(t, f, margin).Area()
			for k := range 60 {
				sin, cos := math.Sincos(0.1 * float64(k))
				moved := f.moved(func(p orb.Point) orb.Point {
					return orb.Point{cos*p[0] - sin*p[1] + float64(k%3)*1e5, sin*p[0] + cos*p[1]}
				})
				if got := mustRegion(t, moved, margin).Area(); math.Abs(got-want) > 1e-3*want {
					t.Errorf("%s, margin %g, turned by %.1f: area %.9g, want %.9g", name, margin, 0.1*float64(k), got, want)
				}
			}
		}
	}
}

// moved returns f with all corners moved.
func (f Field) moved(by func(orb.Point) orb.Point) Field {
	polygon := func(p orb.Polygon) orb.Polygon {
		p = p.Clone()
		for _, ring := range p {
			for i := range ring {
				ring[i] = by(ring[i])
			}
		}
		return p
	}
	g := Field{Boundary: polygon(f.Boundary)}
	for _, k := range f.KeepOuts {
		g.KeepOuts = append(g.KeepOuts, polygon(k))
	}
	return g
}

// On random fields the area is that found by counting points, and Contains and
// SignedDistance are what their definitions say.
func TestRegionAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		f := randomField(rng)
		margin := rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "margin")
		r, err := NewRegion(f, margin)
		var empty *EmptyRegionError
		if errors.As(err, &empty) {
			return
		}
		must.OK(t, err)
		inside := 0
		const n = 4000
		for range n {
			p := orb.Point{100*rng.Float64() - 50, 100*rng.Float64() - 50}
			want := bruteClearance(f, p)
			got := r.SignedDistance(p)
			if want >= 0 && math.Abs(got-want) > 1e-9 || want < 0 && got > 0 {
				t.Fatalf("signed distance at %v is %g, want %g", p, got, want)
			}
			if math.Abs(want-margin) < 1e-5 {
				continue
			}
			if c := r.Contains(p[:]); c != (want >= margin) {
				t.Fatalf("Contains(%v) = %v at clearance %g, margin %g", p, c, want, margin)
			}
			if want >= margin {
				inside++
			}
		}
		share := r.Area() / 1e4
		if sd := math.Sqrt(share * (1 - share) / n); math.Abs(float64(inside)/n-share) > 5*sd+1e-3 {
			t.Fatalf("area %g m², but %d of %d points of a hectare are inside", r.Area(), inside, n)
		}
	})
}

// The edge closes, keeps the margin but for what chords cut off of arcs, and has the
// region's area to its left.
func TestRegionEdge(t *testing.T) {
	rng := plantest.Rand(8)
	fields := []Field{{Boundary: orb.Polygon{plantest.Rect(0, 0, 40, 30), plantest.Rect(10, 10, 20, 20)}}, starField()}
	for range 20 {
		fields = append(fields, randomField(rng))
	}
	const margin = 2.0
	edges := 0
	for i, f := range fields {
		r, err := NewRegion(f, margin)
		if err != nil {
			continue // nothing is left of it
		}
		twice, length := 0.0, 0.0
		ends := map[[2]int64]int{}
		round := func(p orb.Point) [2]int64 {
			return [2]int64{int64(math.Round(p[0] * 1e4)), int64(math.Round(p[1] * 1e4))}
		}
		for _, s := range r.Edge() {
			a, b := s[0], s[1]
			twice += a[0]*b[1] - a[1]*b[0]
			length += math.Hypot(b[0]-a[0], b[1]-a[1])
			ends[round(a)]++
			ends[round(b)]--
			for _, p := range []orb.Point{a, {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}} {
				if d := r.SignedDistance(p); d < 0.995*margin || d > 1.0001*margin {
					t.Errorf("field %d: the edge is at (%g, %g), %g m from what it keeps clear of, want %g m", i, p[0], p[1], d, margin)
				}
			}
		}
		for p, n := range ends {
			if n != 0 {
				t.Errorf("field %d: at (%d, %d)/10⁴ %d pieces more begin than end", i, p[0], p[1], n)
			}
		}
		if d := math.Abs(twice/2 - r.Area()); d > 0.005*margin*length {
			t.Errorf("field %d: %g m² lie to the edge's left, want %g m²", i, twice/2, r.Area())
		}
		edges += len(r.Edge())
	}
	if edges < 500 {
		t.Errorf("only %d pieces were looked at", edges)
	}
	square := mustRegion(t, Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 10, 10)}}, margin)
	if n := len(square.Edge()); n != 4 {
		t.Errorf("a square's edge has %d pieces, want 4", n)
	}
}

func TestRegionBoundsAndCentre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		r, err := NewRegion(randomField(rng), 1)
		if err != nil {
			return
		}
		lo, hi := r.Bounds()
		points := r.Points(300, rng)
		centre := r.Centre()
		if !r.Contains(centre) {
			t.Fatalf("centre %v is outside", centre)
		}
		radius := r.SignedDistance(orb.Point{centre[0], centre[1]})
		for i := range 300 {
			p := points.RawRowView(i)
			if !r.Contains(p) {
				t.Fatalf("point %v is outside", p)
			}
			if d := r.SignedDistance(orb.Point{p[0], p[1]}); d > radius*1.005+1e-3 {
				t.Fatalf("%v is %g m from every edge, the centre %v only %g m", p, d, centre, radius)
			}
			for k := range p {
				if p[k] < lo[k]-1e-6 || p[k] > hi[k]+1e-6 {
					t.Fatalf("point %v is outside the bounds %v, %v", p, lo, hi)
				}
			}
		}
	})
}

// The centre of a rectangle is one of many equally good ones.
func TestRegionCentrePrefersTheMiddle(t *testing.T) {
	r := mustRegion(t, Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 100, 10)}}, 1)
	if c := r.Centre(); math.Hypot(c[0]-50, c[1]-5) > 1e-6 {
		t.Errorf("centre is %v, want (50, 5)", c)
	}
}

func TestNewRegionErrors(t *testing.T) {
	square := plantest.Rect(0, 0, 10, 10)
	tests := []struct {
		name   string
		field  Field
		margin float64
		want   string // part of the message
	}{
		{"empty", Field{}, 0, "boundary is empty"},
		{"empty ring", Field{Boundary: orb.Polygon{{}}}, 0, "boundary is empty"},
		{"two points", Field{Boundary: orb.Polygon{{{0, 0}, {1, 1}, {0, 0}, {1, 1}}}}, 0, "2 distinct points"},
		{"empty keep-out", Field{Boundary: orb.Polygon{square}, KeepOuts: []orb.Polygon{{}}}, 0, "keep-out 1 is empty"},
		{"NaN", Field{Boundary: orb.Polygon{{{0, 0}, {10, math.NaN()}, {10, 10}}}}, 0, "point 1 of the boundary is (10, NaN)"},
		{"infinite", Field{Boundary: orb.Polygon{{{0, 0}, {10, 0}, {10, math.Inf(1)}}}}, 0, "point 2 of the boundary is (10, +Inf)"},
		{"huge", Field{Boundary: orb.Polygon{{{0, 0}, {1e200, 0}, {0, 1e200}}}}, 0, "which is too large, too small or too far from the origin to compute with"},
		{"no area", Field{Boundary: orb.Polygon{{{0, 0}, {1, 1}, {2, 2}}}}, 0, "crosses or touches itself"},
		{"bow tie", Field{Boundary: orb.Polygon{{{0, 0}, {10, 10}, {10, 0}, {0, 10}}}}, 0, "edge (0, 0)–(10, 10) meets edge (10, 0)–(0, 10)"},
		{"touches itself", Field{Boundary: orb.Polygon{{{0, 0}, {10, 0}, {10, 10}, {5, 0}, {0, 10}}}}, 0, "edge (0, 0)–(10, 0) meets edge (10, 10)–(5, 0)"},
		{"spike", Field{Boundary: orb.Polygon{{{0, 0}, {10, 0}, {15, 0}, {10, 0}, {10, 10}}}}, 0, "crosses or touches itself"},
		{"hole crosses itself", Field{Boundary: orb.Polygon{square, {{2, 2}, {4, 4}, {4, 2}, {2, 4}}}}, 0, "hole 1 of the boundary crosses or touches itself"},
		{"keep-out's hole round a notch", Field{Boundary: orb.Polygon{plantest.Rect(-1, -1, 11, 11)}, KeepOuts: []orb.Polygon{{{{0, 0}, {10, 0}, {5, 8}, {10, 10}, {0, 10}}, {{1, 1}, {8, 2}, {7, 9}}}}}, 0, "hole 1 of the keep-out 1 crosses keep-out 1"},
		{"keep-out's hole outside", Field{Boundary: orb.Polygon{square}, KeepOuts: []orb.Polygon{{plantest.Rect(2, 2, 4, 4), plantest.Rect(6, 6, 7, 7)}}}, 0, "hole 1 of the keep-out 1 reaches outside it: point (6, 6)"},
		{"negative margin", Field{Boundary: orb.Polygon{square}}, -1, "margin is -1 m"},
		{"NaN margin", Field{Boundary: orb.Polygon{square}}, math.NaN(), "margin is NaN m"},
		{"margin too large", Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 10, 6)}}, 3.1, "a margin of 3.1 m leaves nothing of the field: the place farthest from all edges, (5, 3), is only 3 m from the nearest"},
		{"margin of half the width", Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 10, 6)}}, 3, "a margin of 3 m leaves nothing of the field"},
		{"covered", Field{Boundary: orb.Polygon{square}, KeepOuts: []orb.Polygon{{plantest.Rect(-1, -1, 11, 11)}}}, 0, "keep-outs cover the whole boundary"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := NewRegion(tt.field, tt.margin)
			if err == nil {
				t.Fatalf("no error, area %g", r.Area())
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q, want it to say %q", err, tt.want)
			}
		})
	}
}
