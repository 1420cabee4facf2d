// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
)

// On random fields no point of a free cell is nearer to an edge than the margin, every cell
// that lies well inside is free, and the raster covers the field.
func TestRasterIsOnTheSafeSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		f := randomField(rng)
		margin := rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "margin")
		cell := rapid.SampledFrom([]float64{0.7, 1, 3, 11}).Draw(t, "cell")
		r, err := NewRegion(f, margin)
		var empty *EmptyRegionError
		if errors.As(err, &empty) {
			return
		}
		must.OK(t, err)
		g, err := r.Raster(cell)
		must.OK(t, err)
		for _, p := range f.Boundary[0] {
			if i, j := g.column(p[0]), g.row(p[1]); i < rasterBorder || j < rasterBorder || i > g.NX-rasterBorder || j > g.NY-rasterBorder {
				t.Fatalf("the field's corner %v is in cell (%d, %d) of %d × %d", p, i, j, g.NX, g.NY)
			}
		}
		for k, free := range g.Free {
			if rng.IntN(8) > 0 { // of many fields an eighth of the cells is enough
				continue
			}
			x, y := g.Origin[0]+float64(k%g.NX)*cell, g.Origin[1]+float64(k/g.NX)*cell
			centre := orb.Point{x + cell/2, y + cell/2}
			if !free {
				if d := bruteClearance(f, centre); d > margin+cell*math.Sqrt2/2 {
					t.Fatalf("cell (%d, %d) is not free, and its centre is %g m from every edge", k%g.NX, k/g.NX, d)
				}
				continue
			}
			points := []orb.Point{centre, {x, y}, {x + cell, y}, {x, y + cell}, {x + cell, y + cell}}
			for range 8 {
				points = append(points, orb.Point{x + cell*rng.Float64(), y + cell*rng.Float64()})
			}
			for _, p := range points {
				if d := bruteClearance(f, p); d < margin-1e-6 {
					t.Fatalf("cell (%d, %d) of %g m is free, and %v in it is %g m from an edge, margin %g m", k%g.NX, k/g.NX, cell, p, d, margin)
				}
			}
		}
	})
}

// Cells that a region's edge touches from outside are not free, holes of keep-outs are, and
// holes and keep-outs that overlap stay occupied.
func TestRasterOfKnownShapes(t *testing.T) {
	square := orb.Polygon{plantest.Rect(0, 0, 10, 10)}
	for _, c := range []struct {
		name   string
		field  Field
		margin float64
		cell   float64
		want   float64 // m², counted by hand
	}{
		{"square, margin", Field{Boundary: square}, 1, 1, 64},
		{"square, margin, cells that do not fit", Field{Boundary: square}, 1, 3, 36},
		// The corner cells of the 8 × 8 cells less 4 × 4 stay occupied: they touch the arcs.
		{"keep-out, margin", Field{Boundary: square, KeepOuts: []orb.Polygon{{plantest.Rect(4, 4, 6, 6)}}}, 1, 1, 64 - 16},
		{"keep-out with a hole", Field{Boundary: square, KeepOuts: []orb.Polygon{{plantest.Rect(2, 2, 8, 8), plantest.Rect(3, 3, 7, 7)}}}, 1, 1, 4},
		// Columns of 1 m from 0.1 m on: the keep-out takes the one of 5.1 to 6.1 m.
		{"a thin keep-out", Field{Boundary: square, KeepOuts: []orb.Polygon{{plantest.Rect(5.4, -1, 5.41, 11)}}}, 0.1, 1, 8 * 9},
		// Two squares of 5 m, of which 4 m are common.
		{"holes that overlap", Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 10, 10), plantest.Rect(3, 3, 6, 6), plantest.Rect(4, 4, 7, 7)}}, 1, 1, 64 - (25 + 25 - 16)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := mustRegion(t, c.field, c.margin).Raster(c.cell)
			must.OK(t, err)
			if math.Abs(g.Area()-c.want) > 1e-9 {
				t.Errorf("%g m² are free, want %g m²", g.Area(), c.want)
			}
		})
	}
	r := mustRegion(t, Field{Boundary: square}, 1)
	for _, cell := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-5} {
		if _, err := r.Raster(cell); err == nil {
			t.Errorf("a raster with cells of %g m was made", cell)
		}
	}
}

// Nearest returns the place itself in a free cell, else the nearest place of one, which no
// other free cell undercuts.
func TestRasterNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		r, err := NewRegion(randomField(rng), 1)
		var empty *EmptyRegionError
		if errors.As(err, &empty) {
			return
		}
		must.OK(t, err)
		const cell = 1.5
		g, err := r.Raster(cell)
		must.OK(t, err)
		for range 50 {
			p := orb.Point{140*rng.Float64() - 70, 140*rng.Float64() - 70}
			q, ok := g.Nearest(p)
			if !ok {
				if g.Area() > 0 {
					t.Fatalf("nothing is near %v, and %g m² are free", p, g.Area())
				}
				return
			}
			if !g.At(q) || !r.Contains(q[:]) {
				t.Fatalf("%v, nearest to %v, is not free", q, p)
			}
			if g.At(p) && dist(p, q) > 2*rasterInset*cell {
				t.Fatalf("%v is free and was moved to %v", p, q)
			}
			for k, free := range g.Free {
				x, y := g.Origin[0]+float64(k%g.NX)*cell, g.Origin[1]+float64(k/g.NX)*cell
				dx, dy := max(x-p[0], p[0]-x-cell, 0), max(y-p[1], p[1]-y-cell, 0)
				if free && math.Hypot(dx, dy) < dist(p, q)-2*rasterInset*cell {
					t.Fatalf("%v is %g m from %v, and cell (%d, %d) is nearer", q, dist(p, q), p, k%g.NX, k/g.NX)
				}
			}
		}
	})
}

// Clear is what the points of a line say.
func TestClear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		f := randomField(rng)
		r, err := NewRegion(f, 2)
		var empty *EmptyRegionError
		if errors.As(err, &empty) {
			return
		}
		must.OK(t, err)
		for range 8 {
			p := orb.Point{100*rng.Float64() - 50, 100*rng.Float64() - 50}
			q := orb.Point{p[0] + 30*rng.NormFloat64(), p[1] + 30*rng.NormFloat64()}
			clearance := 3 * rng.Float64()
			if rng.IntN(4) == 0 {
				clearance = 0
			}
			least := math.Inf(1)
			const n = 400
			for i := range n + 1 {
				a := float64(i) / n
				least = min(least, bruteClearance(f, orb.Point{p[0] + a*(q[0]-p[0]), p[1] + a*(q[1]-p[1])}))
			}
			step := dist(p, q) / n
			if got := r.Clear(p, q, clearance); got && least < clearance-1e-5 || !got && least > clearance+step {
				t.Fatalf("Clear(%v, %v, %g) = %v, and the line's clearance is about %g m", p, q, clearance, got, least)
			}
		}
	})
}

// On random fields every point of a cell beside free ones is within the width of one, and with a
// width of the margin inside the field. Every cell that is near enough is one.
func TestRasterBeside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := plantest.Rand(rapid.Uint64().Draw(t, "seed"))
		f := randomField(rng)
		const margin = 2
		cell := rapid.SampledFrom([]float64{0.4, 0.7, 1, 3}).Draw(t, "cell")
		width := rapid.SampledFrom([]float64{0, 1.2, margin}).Draw(t, "width")
		r, err := NewRegion(f, margin)
		var empty *EmptyRegionError
		if errors.As(err, &empty) {
			return
		}
		must.OK(t, err)
		g, err := r.Raster(cell)
		must.OK(t, err)
		g.Widen(width)
		var free []int
		for k := range g.Free {
			if g.Free[k] {
				free = append(free, k)
			}
		}
		for range 200 {
			k := rng.IntN(len(g.Free))
			i, j := k%g.NX, k/g.NX
			want := false
			for _, v := range free {
				want = want || math.Hypot(float64(v%g.NX-i), float64(v/g.NX-j))*cell <= width+1e-6
			}
			at := orb.Point{g.Origin[0] + (float64(i)+rng.Float64())*cell, g.Origin[1] + (float64(j)+rng.Float64())*cell}
			if g.Beside[k] != (want && !g.Free[k]) || g.Passable(at) != want {
				t.Fatalf("cell (%d, %d) of %g m: beside %v, free %v, passable %v, want %v", i, j, cell, g.Beside[k], g.Free[k], g.Passable(at), want)
			}
			if g.Beside[k] && bruteClearance(f, at) < margin-width-1e-6 {
				t.Fatalf("%v, in cell (%d, %d) beside free ones, is %g m from an edge, margin %d m, width %g m", at, i, j, bruteClearance(f, at), margin, width)
			}
		}
	})
}
