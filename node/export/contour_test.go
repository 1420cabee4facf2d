// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"pgregory.net/rapid"

	"ugp_explorer/node/record"
)

func above(g record.Grid, values []float64, level float64) orb.MultiPolygon {
	return between(g, values, level, math.Inf(1))
}

// A cone has circles as lines. Chords of at most √2 cells take up to 2/6r² of the area of a
// circle of r cells.
func TestCone(t *testing.T) {
	g := record.Grid{X: -60, Y: -60, Cell: 1, NX: 120, NY: 120}
	hill, pit := make([]float64, g.NX*g.NY), make([]float64, g.NX*g.NY)
	for k := range hill {
		c := g.Centre(k%g.NX, k/g.NX)
		hill[k] = 60 - math.Hypot(c[0], c[1])
		pit[k] = -hill[k]
	}
	for _, radius := range []float64{10, 30, 50} {
		whole := above(g, hill, 60-radius)
		if want := math.Pi * radius * radius; len(whole) != 1 || len(whole[0]) != 1 || math.Abs(planar.Area(whole)/want-1) > 1/(3*radius*radius) {
			t.Errorf("radius %g: %d polygons of area %g, want one of %g", radius, len(whole), planar.Area(whole), want)
		}
		outside := above(g, pit, radius-60)
		if len(outside) != 1 || len(outside[0]) != 2 || outside[0][1].Orientation() != orb.CW {
			t.Fatalf("radius %g: the outside of a pit is %d polygons", radius, len(outside))
		}
		// The corners of the square of 120 cells are cut off.
		if want := 120*120 - 4*0.125 - math.Pi*radius*radius; math.Abs(planar.Area(outside)/want-1) > 1e-3 {
			t.Errorf("radius %g: the outside of a pit has area %g, want %g", radius, planar.Area(outside), want)
		}
	}
}

// The two saddles: two corners at 1, two at 0.
func TestSaddle(t *testing.T) {
	g := record.Grid{Cell: 1, NX: 2, NY: 2}
	for _, values := range [][]float64{{1, 0, 0, 1}, {0, 1, 1, 0}} {
		if n := len(above(g, values, 0.4)); n != 1 {
			t.Errorf("%v: %d polygons above 0.4, want the corners joined", values, n)
		}
		if n := len(above(g, values, 0.6)); n != 2 {
			t.Errorf("%v: %d polygons above 0.6, want the corners apart", values, n)
		}
	}
}

// For any values: centres are inside the polygons when their values are above the level, and
// outer rings and holes have their orientations.
func TestCentres(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := record.Grid{X: 10, Y: -5, Cell: 2, NX: rapid.IntRange(1, 8).Draw(t, "nx"), NY: rapid.IntRange(1, 8).Draw(t, "ny")}
		values := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, math.NaN()}), g.NX*g.NY, g.NX*g.NY).Draw(t, "values")
		level := rapid.SampledFrom([]float64{0.5, 1, 2.25, 3}).Draw(t, "level")
		whole := above(g, values, level)
		for k, v := range values {
			c := g.Centre(k%g.NX, k/g.NX)
			if want := v >= level; planar.MultiPolygonContains(whole, c) != want {
				t.Fatalf("the centre %v with the value %g: inside %v", c, v, !want)
			}
		}
		part := between(g, values, level, level+0.75)
		for k, v := range values {
			c := g.Centre(k%g.NX, k/g.NX)
			if want := v >= level && v < level+0.75; planar.MultiPolygonContains(part, c) != want {
				t.Fatalf("the centre %v with the value %g: between %v", c, v, !want)
			}
		}
		for _, p := range append(whole, part...) {
			for i, r := range p {
				if want := map[bool]orb.Orientation{true: orb.CCW, false: orb.CW}[i == 0]; r.Orientation() != want || !r.Closed() || len(r) < 4 {
					t.Fatalf("ring %d of %v", i, p)
				}
			}
		}
	})
}
