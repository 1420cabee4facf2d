// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
)

func TestProjectOntoKnownShapes(t *testing.T) {
	square := Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 10, 10)}}
	ell := Field{Boundary: orb.Polygon{{{0, 0}, {10, 0}, {10, 4}, {4, 4}, {4, 10}, {0, 10}}}}
	h := math.Sqrt2 / 2
	tests := []struct {
		name   string
		field  Field
		margin float64
		x      orb.Point
		want   orb.Point
	}{
		{"inside stays", square, 1, orb.Point{3, 7}, orb.Point{3, 7}},
		{"over an edge", square, 1, orb.Point{-5, 4}, orb.Point{1, 4}},
		{"in the margin", square, 1, orb.Point{9.5, 4}, orb.Point{9, 4}},
		{"past a corner", square, 1, orb.Point{12, 13}, orb.Point{9, 9}},
		{"on a corner, no margin", square, 0, orb.Point{10, 10}, orb.Point{10, 10}},
		{"past a corner, no margin", square, 0, orb.Point{12, 13}, orb.Point{10, 10}},
		{"far away", square, 1, orb.Point{1e7, 5}, orb.Point{9, 5}},
		{"round a reflex corner", ell, 1, orb.Point{3.8, 3.8}, orb.Point{4 - h, 4 - h}},
		{"on the reflex corner", ell, 1, orb.Point{4, 4}, orb.Point{3, 4}}, // or (4, 3): the first is taken
		{"in the notch, nearer to one arm", ell, 1, orb.Point{7, 5}, orb.Point{7, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := mustRegion(t, tt.field, tt.margin)
			x := tt.x
			r.Project(x[:], x[:])
			d, want := dist(tt.x, x), dist(tt.x, tt.want)
			if math.Abs(d-want) > 1e-6*(1+want) || dist(x, tt.want) > 1e-6*(1+want) && tt.name != "on the reflex corner" {
				t.Errorf("got %v at %g m, want %v at %g m", x, d, tt.want, want)
			}
		})
	}
	r := mustRegion(t, square, 1)
	if x := []float64{math.NaN(), 3}; true {
		r.Project(x, x)
		if !r.Contains(x) {
			t.Errorf("NaN is projected onto %v", x)
		}
	}
}

// A place straight before a corner in the middle of a straight edge is projected to that corner,
// whatever rounding makes of the edges' directions.
func TestProjectOntoACornerInAnEdge(t *testing.T) {
	for k := range 400 {
		sin, cos := math.Sincos(0.06 * float64(k))
		turned := func(x, y float64) orb.Point { return orb.Point{cos*x - sin*y, sin*x + cos*y} }
		at := 1 + float64(k%7)
		r := mustRegion(t, Field{Boundary: orb.Polygon{{turned(0, 0), turned(at, 0), turned(10, 0), turned(10, 10), turned(0, 10)}}}, 1)
		p := turned(at, -3)
		x := p
		r.Project(x[:], x[:])
		if d := dist(p, x); math.Abs(d-4) > 1e-6 {
			t.Errorf("corner at %g, turned by %.2f: %v is projected to %v at %g m, want 4 m", at, 0.06*float64(k), p, x, d)
		}
	}
}

// The projection lies inside, and no admissible point found by sampling, evenly
// and close to the projection, is nearer.
func TestProjectIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		f := randomField(rng)
		margin := rapid.SampledFrom([]float64{0, 0.3, 2}).Draw(t, "margin")
		r, err := NewRegion(f, margin)
		if err != nil {
			return
		}
		var samples []orb.Point
		points := r.Points(400, rng)
		for i := range 400 {
			samples = append(samples, orb.Point{points.At(i, 0), points.At(i, 1)})
		}
		for range 50 {
			x := orb.Point{140*rng.Float64() - 70, 140*rng.Float64() - 70}
			var p orb.Point
			r.Project(p[:], x[:])
			if !r.Contains(p[:]) {
				t.Fatalf("%v is projected onto %v, which is outside: clearance %g", x, p, bruteClearance(f, p))
			}
			d := dist(x, p)
			if r.Contains(x[:]) && p != x {
				t.Fatalf("%v is inside and yet moved to %v", x, p)
			}
			for range 100 {
				s := 3 * rng.ExpFloat64() * rng.Float64()
				samples = append(samples, orb.Point{p[0] + s*rng.NormFloat64(), p[1] + s*rng.NormFloat64()})
			}
			for _, q := range samples {
				if dist(x, q) < d-1e-4 && bruteClearance(f, q) >= margin {
					t.Fatalf("%v is projected onto %v, %g m away, but %v is %g m away", x, p, d, q, dist(x, q))
				}
			}
			samples = samples[:400]
		}
	})
}

func TestBoxProjectsAndContains(t *testing.T) {
	b, err := NewBox([]float64{0, -1, 5}, []float64{1, 1, 6})
	must.OK(t, err)
	x := []float64{-3, 0.5, math.NaN()}
	if b.Contains(x) {
		t.Error("a NaN is inside")
	}
	b.Project(x, x)
	if x[0] != 0 || x[1] != 0.5 || x[2] != 5.5 || !b.Contains(x) {
		t.Errorf("projected onto %v", x)
	}
	points := b.Points(200, plantest.Rand(1))
	for i := range 200 {
		if !b.Contains(points.RawRowView(i)) {
			t.Errorf("point %v is outside", points.RawRowView(i))
		}
	}
	if c := b.Centre(); c[0] != 0.5 || c[1] != 0 || c[2] != 5.5 {
		t.Errorf("centre %v", c)
	}
}
