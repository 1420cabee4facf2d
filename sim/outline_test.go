// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
)

// drawn returns data at the # of a drawing, 10 m apart, its first row on top.
func drawn(rows ...string) *PointData {
	p := &PointData{}
	for r, row := range rows {
		for i, c := range row {
			if c == '#' {
				p.XY = append(p.XY, orb.Point{10 * float64(i), 10 * float64(len(rows)-1-r)})
				p.Values = append(p.Values, 1)
			}
		}
	}
	return p
}

// checkSimple fails unless all rings are closed, outer counter-clockwise and
// inner clockwise, and no ring meets itself or another one.
func checkSimple(t *testing.T, poly orb.Polygon) {
	t.Helper()
	type edge struct{ a, b orb.Point }
	var edges []edge
	for k, r := range poly {
		if len(r) < 4 || r[0] != r[len(r)-1] {
			t.Fatalf("ring %d is not closed: %v", k, r)
		}
		if ccw := r.Orientation() == orb.CCW; ccw != (k == 0) {
			t.Errorf("ring %d has orientation %v", k, r.Orientation())
		}
		seen := map[orb.Point]bool{}
		for i := range r[1:] {
			if seen[r[i]] {
				t.Errorf("ring %d meets itself in %v", k, r[i])
			}
			seen[r[i]] = true
			edges = append(edges, edge{r[i], r[i+1]})
		}
	}
	for i, e := range edges {
		for _, f := range edges[:i] {
			if turn(e.a, e.b, f.a)*turn(e.a, e.b, f.b) < 0 && turn(f.a, f.b, e.a)*turn(f.a, f.b, e.b) < 0 {
				t.Errorf("edges %v and %v cross", e, f)
			}
		}
	}
}

func TestOutlineOfCells(t *testing.T) {
	tests := []struct {
		name   string
		rows   []string
		cells  float64 // area in cells
		rings  int
		corner int // of all rings
	}{
		{"square", []string{"##", "##"}, 4, 1, 4},
		{"L", []string{"#.", "##"}, 3, 1, 6},
		{"hole filled", []string{"###", "#.#", "###"}, 9, 1, 4},
		{"bay", []string{"###", "#..", "###"}, 7, 1, 8},
		{"opening at a corner", []string{"###", "#.#", ".##"}, 8, 1, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := drawn(tt.rows...)
			o, err := Outline(p)
			must.OK(t, err)
			checkSimple(t, o)
			near(t, "cells", planar.Area(o)/100, tt.cells, 1e-9)
			corners := 0
			for _, r := range o {
				corners += len(r) - 1
			}
			if len(o) != tt.rings || corners != tt.corner {
				t.Errorf("%d rings with %d corners, want %d with %d: %v", len(o), corners, tt.rings, tt.corner, o)
			}
			for _, at := range p.XY {
				if !planar.PolygonContains(o, at) {
					t.Errorf("sample at %v is outside", at)
				}
			}
		})
	}
}

func TestOutlineOfScatteredData(t *testing.T) {
	p := scattered(60, 9)
	o, err := Outline(p)
	must.OK(t, err)
	checkSimple(t, o)
	// Every datum keeps its distance, and the edges are just that far from some.
	d := p.spacing() / 2
	least := math.Inf(1)
	for _, at := range p.XY {
		if !planar.PolygonContains(o, at) {
			t.Errorf("datum %v is outside", at)
		}
		least = min(least, math.Abs(planar.DistanceFrom(orb.LineString(o[0]), at)))
	}
	if least < d*math.Sqrt(0.5)-1e-9 || least > d+1e-9 {
		t.Errorf("nearest datum is %v m from the outline, half a spacing is %v m", least, d)
	}
	// Cells apart from one another are no field: the hull is taken.
	far, err := Outline(drawn("##..##", "##..##"))
	must.OK(t, err)
	if corner, err := Outline(drawn("##..", "##..", "..##", "..##")); err != nil || len(corner[0]) != 2*6+1 {
		t.Errorf("cells that touch at a corner only: %v, %v; want the hull", corner, err)
	}
	// 60 × 20 m less a half cell all around, grown by 5 m, corners cut.
	near(t, "area of the hull of two fields", planar.Area(far), 60*20-4*12.5, 1e-9)
}

func TestOutlineErrors(t *testing.T) {
	_, err := Outline(drawn("##"))
	wantError(t, err, "needs at least 3 points, and there are 2; give a boundary")
	_, err = Outline(drawn("#####"))
	wantError(t, err, "on one line")
	diagonal := &PointData{XY: []orb.Point{{0, 0}, {1, 1}, {5, 5}, {9, 9}}, Values: make([]float64, 4)}
	_, err = Outline(diagonal)
	wantError(t, err, "on one line")
}
