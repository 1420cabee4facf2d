package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/planner/surface"
)

// minOccupancy is the fraction of a lattice that must be sampled for data to
// count as gridded.
const minOccupancy = 0.3

// Outline returns a polygon around the places of the data, in metres, with its
// outer ring counter-clockwise.
//
// For data on a regular grid it is the union of the sampled cells and of those that they
// enclose. Where two cells would touch only at a corner, one of their common neighbours is added, so that no
// ring touches itself. For other data, and for cells that are not connected, it is the
// convex hull grown by half the median spacing, with its corners cut off.
func Outline(p *PointData) (orb.Polygon, error) {
	if len(p.XY) < 3 {
		return nil, fmt.Errorf("sim: an outline of point data needs at least 3 points, and there are %d", len(p.XY))
	}
	if g, ok := lattice(p); ok {
		m := newCellMask(g)
		for _, at := range p.XY {
			m.set(int(math.Round((at[0]-g.X0)/g.DX)), int(math.Round((at[1]-g.Y0)/g.DY)))
		}
		if m.close(); m.connected() {
			return m.trace(), nil
		}
	}
	hull := convexHull(p.XY)
	if len(hull) < 3 || planar.Area(orb.Polygon{closed(hull)}) == 0 {
		return nil, fmt.Errorf("sim: %d points lie on one line and have no outline; give a boundary", len(p.XY))
	}
	return orb.Polygon{grown(hull, p.Spacing()/2)}, nil
}

// lattice returns a grid that has a node at every point, when the points occupy a
// sufficient part of it.
func lattice(p *PointData) (surface.Grid, bool) {
	b := p.Bound()
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

// convexHull returns the corners of the convex hull counter-clockwise, by
// Andrew's monotone chain (1979, Inf. Process. Lett. 9:216).
func convexHull(points []orb.Point) []orb.Point {
	s := slices.Clone(points)
	slices.SortFunc(s, func(a, b orb.Point) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	s = slices.Compact(s)
	half := func(hull []orb.Point, p orb.Point, from int) []orb.Point {
		for len(hull)-from >= 2 && turn(hull[len(hull)-2], hull[len(hull)-1], p) <= 0 {
			hull = hull[:len(hull)-1]
		}
		return append(hull, p)
	}
	var hull []orb.Point
	for _, p := range s {
		hull = half(hull, p, 0)
	}
	from := len(hull) - 1
	for i := len(s) - 2; i >= 0; i-- {
		hull = half(hull, s[i], from)
	}
	return hull[:max(len(hull)-1, 0)]
}

// turn is positive when a → b → c turns left.
func turn(a, b, c orb.Point) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// grown moves every edge of a convex, counter-clockwise ring outwards by d and joins the
// ends, which cuts the corners off.
func grown(hull []orb.Point, d float64) orb.Ring {
	var r orb.Ring
	for i, a := range hull {
		b := hull[(i+1)%len(hull)]
		l := math.Hypot(b[0]-a[0], b[1]-a[1])
		nx, ny := d*(b[1]-a[1])/l, -d*(b[0]-a[0])/l
		r = append(r, orb.Point{a[0] + nx, a[1] + ny}, orb.Point{b[0] + nx, b[1] + ny})
	}
	return closed(r)
}

// closed returns a ring that ends where it begins.
func closed(corners []orb.Point) orb.Ring {
	return append(slices.Clone(corners), corners[0])
}
