// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/peterstace/simplefeatures/geom"

	"ugp_explorer/planner/surface"
)

// minOccupancy is the fraction of a lattice that must be sampled for data to
// count as gridded.
const minOccupancy = 0.3

// Outline returns a polygon around the places of the data, in metres, with one ring,
// counter-clockwise.
//
// For data on a regular grid it is the union of the sampled cells and of those that they
// enclose. For other data, and for cells that are not connected by their sides, it is the
// convex hull grown by half the median spacing, with its corners cut off.
func Outline(p *PointData) (orb.Polygon, error) {
	if len(p.XY) < 3 {
		return nil, fmt.Errorf("sim: an outline of point data needs at least 3 points, and there are %d; give a boundary", len(p.XY))
	}
	if g, ok := lattice(p); ok {
		cells := make([]geom.Geometry, len(p.XY))
		for k, at := range p.XY {
			i, j := math.Round((at[0]-g.X0)/g.DX), math.Round((at[1]-g.Y0)/g.DY)
			corner := func(i, j float64) geom.XY { return geom.XY{X: g.X0 + i*g.DX - g.DX/2, Y: g.Y0 + j*g.DY - g.DY/2} }
			cells[k] = geom.NewEnvelope(corner(i, j), corner(i+1, j+1)).AsGeometry()
		}
		union, err := geom.UnionMany(cells)
		if err != nil {
			return nil, fmt.Errorf("sim: the outline of %d cells: %w", len(cells), err)
		}
		if union.IsPolygon() {
			return orb.Polygon{closed(corners(union.MustAsPolygon(), 1))}, nil
		}
	}
	places := make([]float64, 0, 2*len(p.XY))
	for _, at := range p.XY {
		places = append(places, at[0], at[1])
	}
	hull := geom.NewLineString(geom.NewSequence(places, geom.DimXY)).ConvexHull()
	if !hull.IsPolygon() {
		return nil, fmt.Errorf("sim: %d points lie on one line and have no outline; give a boundary", len(p.XY))
	}
	// Every edge is moved outwards and the ends are joined, which cuts the corners off.
	var grown []orb.Point
	d, ring := p.spacing()/2, corners(hull.MustAsPolygon(), 0)
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		l := math.Hypot(b[0]-a[0], b[1]-a[1])
		nx, ny := d*(b[1]-a[1])/l, -d*(b[0]-a[0])/l
		grown = append(grown, orb.Point{a[0] + nx, a[1] + ny}, orb.Point{b[0] + nx, b[1] + ny})
	}
	return orb.Polygon{closed(grown)}, nil
}

// corners returns the corners of a polygon's outer ring counter-clockwise, without places on straight
// edges along an axis, from the one with the smallest coordinate along the axis first, and then along the other.
func corners(p geom.Polygon, first int) []orb.Point {
	seq := p.ForceCCW().ExteriorRing().Coordinates()
	n := seq.Length() - 1 // the last is the first
	var list []orb.Point
	for i := range n {
		a, b, c := seq.GetXY((i+n-1)%n), seq.GetXY(i), seq.GetXY(i+1)
		if a.X == b.X && b.X == c.X || a.Y == b.Y && b.Y == c.Y {
			continue
		}
		list = append(list, orb.Point{b.X, b.Y})
	}
	begin := 0
	for i, at := range list {
		if least := list[begin]; at[first] < least[first] || at[first] == least[first] && at[1-first] < least[1-first] {
			begin = i
		}
	}
	return slices.Concat(list[begin:], list[:begin])
}

// lattice returns a grid that has a node at every point, when the points occupy a
// sufficient part of it.
func lattice(p *PointData) (surface.Grid, bool) {
	b := orb.MultiPoint(p.XY).Bound()
	g := surface.Grid{X0: b.Min[0], Y0: b.Min[1]}
	var okX, okY bool
	g.DX, g.NX, okX = steps(p.XY, 0)
	g.DY, g.NY, okY = steps(p.XY, 1)
	return g, okX && okY && float64(len(p.XY)) >= minOccupancy*float64(g.NX)*float64(g.NY)
}

// steps returns the smallest distance between the points' coordinates along an
// axis, the number of grid values that result, and whether all differences are multiples
// of it.
func steps(points []orb.Point, axis int) (step float64, n int, ok bool) {
	v := make([]float64, len(points))
	for i, p := range points {
		v[i] = p[axis]
	}
	slices.Sort(v)
	v = slices.Compact(v)
	if len(v) < 2 {
		return 0, 0, false
	}
	step = math.Inf(1)
	for i := range v[1:] {
		step = min(step, v[i+1]-v[i])
	}
	for _, c := range v {
		if t := (c - v[0]) / step; math.Abs(t-math.Round(t)) > 0.01 || t > surface.MaxNodes {
			return 0, 0, false
		}
	}
	return step, int(math.Round((v[len(v)-1]-v[0])/step)) + 1, true
}

// closed returns a ring that ends where it begins.
func closed(corners []orb.Point) orb.Ring {
	return append(slices.Clone(corners), corners[0])
}
