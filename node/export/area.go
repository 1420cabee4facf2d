// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"fmt"

	"github.com/paulmach/orb"
	"github.com/peterstace/simplefeatures/geom"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// area is the part of the field that is mapped: the outline without holes and keep-outs.
type area struct {
	region *field.Region
	shape  geom.Geometry // the same, m in the map frame
}

func outlineOf(f record.Field) field.Field {
	outline := field.Field{Boundary: polygon(f.Boundary)}
	for _, k := range f.KeepOuts {
		outline.KeepOuts = append(outline.KeepOuts, polygon(k))
	}
	return outline
}

func newArea(f record.Field) (*area, error) {
	outline, a := outlineOf(f), new(area)
	var err error
	if a.region, err = field.NewRegion(outline, 0); err != nil {
		return nil, fmt.Errorf("export: the field: %w", err)
	}
	a.shape = shape(orb.MultiPolygon{outline.Boundary})
	for i, k := range outline.KeepOuts {
		if a.shape, err = geom.Difference(a.shape, shape(orb.MultiPolygon{k})); err != nil {
			return nil, fmt.Errorf("export: %s: %w", outline.KeepOut(i), err)
		}
	}
	return a, nil
}

// contains reports whether a place belongs to the area.
func (a *area) contains(p record.Place) bool { return a.region.SignedDistance(p) >= 0 }

func polygon(rings [][]record.Place) orb.Polygon {
	p := make(orb.Polygon, len(rings))
	for i, r := range rings {
		p[i] = r
	}
	return p
}

// shape converts polygons. It closes their rings.
func shape(polygons orb.MultiPolygon) geom.Geometry {
	list := make([]geom.Polygon, len(polygons))
	for i, p := range polygons {
		rings := make([]geom.LineString, len(p))
		for k, r := range p {
			if n := len(r); n > 0 && r[0] != r[n-1] {
				r = append(r[:n:n], r[0])
			}
			rings[k] = lineString(orb.LineString(r))
		}
		list[i] = geom.NewPolygon(rings)
	}
	return geom.NewMultiPolygon(list).AsGeometry()
}

func lineString(points orb.LineString) geom.LineString {
	numbers := make([]float64, 0, 2*len(points))
	for _, p := range points {
		numbers = append(numbers, p[0], p[1])
	}
	return geom.NewLineString(geom.NewSequence(numbers, geom.DimXY))
}

// leastPart is the least area of a polygon, m², and the least length of a line, m: smaller ones are
// rounding errors.
const leastPart = 1e-3

// polygons returns the polygons of a geometry that have at least the area leastPart.
func polygons(g geom.Geometry) (list orb.MultiPolygon) {
	for _, part := range g.Dump() {
		if !part.IsPolygon() || part.Area() < leastPart {
			continue
		}
		var rings orb.Polygon
		for _, r := range part.MustAsPolygon().DumpRings() {
			rings = append(rings, orb.Ring(points(r)))
		}
		list = append(list, rings)
	}
	return list
}

// lines returns the lines of a geometry that have at least the length leastPart.
func lines(g geom.Geometry) (list orb.MultiLineString) {
	for _, part := range g.Dump() {
		if part.IsLineString() && part.Length() >= leastPart {
			list = append(list, points(part.MustAsLineString()))
		}
	}
	return list
}

func points(l geom.LineString) orb.LineString {
	sequence := l.Coordinates()
	list := make(orb.LineString, sequence.Length())
	for i := range list {
		at := sequence.GetXY(i)
		list[i] = orb.Point{at.X, at.Y}
	}
	return list
}

// Inside returns a place well inside a polygon, for its label.
func Inside(p orb.Polygon) orb.Point {
	xy, _ := shape(orb.MultiPolygon{p}).PointOnSurface().XY()
	return orb.Point{xy.X, xy.Y}
}
