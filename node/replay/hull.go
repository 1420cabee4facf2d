// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/peterstace/simplefeatures/geom"

	"ugp_explorer/planner/field"
)

// path is the coordinates of places, x and y by turns, m.
type path []float64

func (p path) lineString() geom.LineString {
	return geom.NewLineString(geom.NewSequence(p, geom.DimXY))
}

// extent returns the longer side of the box around the places, m.
func (p path) extent() float64 {
	box := p.lineString().Envelope()
	return max(box.Width(), box.Height())
}

// field returns the convex hull of the places, of which there is one at least, extended by a margin around it, m, with
// rounded corners.
func (p path) field(around float64) field.Field {
	const corners = 16 // corners per circle; its chords are at most 2 % inside
	var wide path
	hull := p.lineString().ConvexHull().DumpCoordinates()
	for i := range hull.Length() {
		at := hull.GetXY(i)
		for k := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
			wide = append(wide, at.X+around*cos, at.Y+around*sin)
		}
	}
	var ring orb.Ring
	hull = wide.lineString().ConvexHull().DumpCoordinates()
	for i := range hull.Length() {
		at := hull.GetXY(i)
		ring = append(ring, orb.Point{at.X, at.Y})
	}
	return field.Field{Boundary: orb.Polygon{ring}}
}
