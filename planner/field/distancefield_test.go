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

// On random fields a path stays inside, begins and ends where it should, is as
// long as it says, not shorter than the straight line, the same back again, and
// not beaten by a detour over any other place.
func TestPathProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		f := randomField(rng)
		margin := rapid.SampledFrom([]float64{0, 0.3, 2}).Draw(t, "margin")
		r, err := NewRegion(f, margin)
		if err != nil {
			return
		}
		points := r.Points(30, rng)
		d := r.NewDistanceField()
		e := r.NewDistanceField()
		for i := 0; i < 30; i += 3 {
			a, b, c := orb.Point(points.RawRowView(i)), orb.Point(points.RawRowView(i+1)), orb.Point(points.RawRowView(i+2))
			d.From(a[:])
			path, length, err := d.pathTo(b)
			if errors.Is(err, errUnreachable) {
				if r.Parts() < 2 || !math.IsInf(d.Length(b[:]), 1) {
					t.Fatalf("%v, but there are %d parts and the length is %g", err, r.Parts(), d.Length(b[:]))
				}
				continue
			}
			must.OK(t, err)
			if path[0] != a || path[len(path)-1] != b {
				t.Fatalf("path %v does not go from %v to %v", path, a, b)
			}
			sum := 0.0
			for k := 1; k < len(path); k++ {
				sum += dist(path[k-1], path[k])
				for s := 0.0; s <= 1; s += 0.02 {
					p := orb.Point{path[k-1][0] + s*(path[k][0]-path[k-1][0]), path[k-1][1] + s*(path[k][1]-path[k-1][1])}
					if c := bruteClearance(f, p); c < margin-1e-5 {
						t.Fatalf("path %v keeps only %g m at %v", path, c, p)
					}
				}
			}
			if math.Abs(sum-length) > 1e-9*(1+sum) {
				t.Fatalf("the path is %g m long, said to be %g m", sum, length)
			}
			if length < dist(a, b)-1e-9 {
				t.Fatalf("%g m from %v to %v is less than the straight line", length, a, b)
			}
			e.From(b[:])
			if back := e.Length(a[:]); math.Abs(back-length) > 1e-6*(1+length) {
				t.Fatalf("%g m there, %g m back", length, back)
			}
			// Ways round corners are longer than the ideal by up to 1.3 % of the arcs.
			if over := d.Length(c[:]) + e.Length(c[:]); over < length*(1-0.002)-0.1*margin {
				t.Fatalf("%g m from %v to %v, but %g m over %v", length, a, b, over, c)
			}
		}
	})
}

func TestRegionParts(t *testing.T) {
	square := orb.Polygon{plantest.Rect(0, 0, 30, 10)}
	wall := func(x float64) orb.Polygon { return orb.Polygon{plantest.Rect(x, -1, x+1, 11)} }
	gate := []orb.Polygon{{plantest.Rect(10, -1, 11, 4)}, {plantest.Rect(10, 6, 11, 11)}}
	tests := []struct {
		name   string
		field  Field
		margin float64
		want   int
	}{
		{"whole", Field{Boundary: square}, 1, 1},
		{"a wall", Field{Boundary: square, KeepOuts: []orb.Polygon{wall(10)}}, 1, 2},
		{"two walls", Field{Boundary: square, KeepOuts: []orb.Polygon{wall(10), wall(20)}}, 1, 3},
		{"a gate of 2 m, margin 0.9", Field{Boundary: square, KeepOuts: gate}, 0.9, 1},
		{"a neck of two margins, in which no path bends", Field{Boundary: orb.Polygon{{{0, 0}, {12, 0}, {12, 1}, {6, 0.25}, {0, 1}}}}, 0.125, 2},
		{"a gate of 2 m, margin 1.1", Field{Boundary: square, KeepOuts: gate}, 1.1, 2},
		{"an island in a keep-out", Field{Boundary: square, KeepOuts: []orb.Polygon{{plantest.Rect(2, 2, 8, 8), plantest.Rect(3, 3, 7, 7)}}}, 0.5, 2},
		{"a round hole", Field{Boundary: orb.Polygon{square[0], plantest.Rect(4, 4, 6, 6)}}, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustRegion(t, tt.field, tt.margin).Parts(); got != tt.want {
				t.Errorf("%d parts, want %d", got, tt.want)
			}
		})
	}
	r := mustRegion(t, tests[1].field, 1)
	_, _, err := r.Path(orb.Point{3, 5}, orb.Point{20, 5})
	if !errors.Is(err, errUnreachable) || !strings.Contains(err.Error(), "into 2 parts") {
		t.Errorf("through a wall: %v", err)
	}
}

func TestDistanceFieldGradient(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	d := r.NewDistanceField()
	d.From([]float64{20, 60})
	points := r.Points(200, plantest.Rand(3))
	g := make([]float64, 2)
	bent := 0
	for i := range 200 {
		x := points.RawRowView(i)
		if r.SignedDistance(orb.Point(x)) < 2.001 {
			continue
		}
		l := d.LengthGrad(g, x)
		if l > Distance([]float64{20, 60}, x)+1e-9 {
			bent++
		}
		const h = 1e-4
		for k := range g {
			a, b := append([]float64(nil), x...), append([]float64(nil), x...)
			a[k] -= h
			b[k] += h
			fd := (d.Length(b) - d.Length(a)) / (2 * h)
			if math.Abs(fd-g[k]) > 1e-4 {
				t.Errorf("at %v: ∂/∂x%d is %g, by differences %g", x, k, g[k], fd)
			}
		}
	}
	if bent < 10 {
		t.Errorf("only %d paths had bends", bent)
	}
}
