// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"

	"github.com/paulmach/orb"
)

// Project writes the point of the region nearest to x into dst, which may be x. A point
// with a NaN is projected to the centre. Project allocates nothing.
func (r *Region) Project(dst, x []float64) {
	if len(dst) != 2 {
		panic(panicDim)
	}
	if r.Contains(x) {
		copy(dst, x)
		return
	}
	p := r.snap(orb.Point{x[0], x[1]})
	dst[0], dst[1] = p[0], p[1]
}

// snap returns the point of the strict region nearest to p. That is p itself, a point of
// an edge moved inwards by the margin, a point of the arc round a reflex corner, or an
// outward corner, where two of these meet. Each candidate nearer than the best so far is
// tried.
func (r *Region) snap(p orb.Point) orb.Point {
	x, y := p[0], p[1]
	if math.IsNaN(x) || math.IsNaN(y) {
		return r.pole
	}
	if r.strict(x, y) {
		return p
	}
	best, best2 := r.tips[0], math.Inf(1)
	for _, t := range r.tips {
		if d2 := (t[0]-x)*(t[0]-x) + (t[1]-y)*(t[1]-y); d2 < best2 {
			best, best2 = t, d2
		}
	}
	try := func(cx, cy float64) {
		if d2 := (cx-x)*(cx-x) + (cy-y)*(cy-y); d2 < best2 && r.strict(cx, cy) {
			best, best2 = orb.Point{cx, cy}, d2
		}
	}
	for i := range r.outlines {
		for j := range r.outlines[i].rings {
			edges := r.outlines[i].rings[j].edges
			for k := range edges {
				e := &edges[k]
				slack := r.tol * math.Sqrt(e.inv) // a foot between two edges on one line must not fall between both
				if t := ((x-e.ax)*e.dx + (y-e.ay)*e.dy) * e.inv; t >= -slack && t <= 1+slack {
					nx, ny := e.normal()
					try(e.ax+t*e.dx+r.keep*nx, e.ay+t*e.dy+r.keep*ny)
				}
			}
		}
	}
	for i := range r.corners {
		c := &r.corners[i]
		dx, dy := x-c.x, y-c.y
		if d := math.Hypot(dx, dy); d > 0 {
			try(c.x+r.keep*dx/d, c.y+r.keep*dy/d)
		} else {
			try(c.x+r.keep*c.n0x, c.y+r.keep*c.n0y)
			try(c.x+r.keep*c.n1x, c.y+r.keep*c.n1y)
		}
	}
	return best
}
