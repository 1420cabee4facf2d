// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"container/heap"
	"math"

	"github.com/paulmach/orb"
)

// poleCells limits the search for the largest inscribed disc. A field a thousand times
// as long as wide needs about this many cells.
const poleCells = 200_000

// cell is a square of the search for the largest inscribed disc.
type cell struct {
	x, y, half float64 // centre and half a side
	bound      float64 // upper bound of the signed distance in the cell, m
}

// cells is a heap, the cell with the largest bound on top.
type cells []cell

func (c cells) Len() int           { return len(c) }
func (c cells) Less(i, j int) bool { return c[i].bound > c[j].bound }
func (c cells) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *cells) Push(x any)        { *c = append(*c, x.(cell)) }
func (c *cells) Pop() any {
	old := *c
	last := old[len(old)-1]
	*c = old[:len(old)-1]
	return last
}

// inscribed returns the centre and radius of the largest disc that touches no edge and
// no keep-out. It is a branch and bound over squares: between two points the signed
// distance changes by at most their distance (the method of mapbox/polylabel). The
// radius is exact to 0.2 %. It is negative if keep-outs cover the whole boundary.
func (w *walls) inscribed() (at orb.Point, radius float64) {
	b := &w.outlines[0].rings[0]
	at = w.outlines[0].centroid()
	radius = w.SignedDistance(at)

	dx, dy := b.maxX-b.minX, b.maxY-b.minY
	floor := 1e-6 * max(dx, dy)
	side := max(min(dx, dy), max(dx, dy)/256)
	var queue cells
	push := func(x, y, half float64) {
		d := w.SignedDistance(orb.Point{x, y})
		if d > radius+max(1e-3*math.Abs(radius), floor) {
			at, radius = orb.Point{x, y}, d
		}
		heap.Push(&queue, cell{x, y, half, d + half*math.Sqrt2})
	}
	for y := b.minY; y < b.maxY; y += side {
		for x := b.minX; x < b.maxX; x += side {
			push(x+side/2, y+side/2, side/2)
		}
	}
	for n := 0; len(queue) > 0 && n < poleCells; n += 4 {
		c := heap.Pop(&queue).(cell)
		if c.bound <= radius+max(2e-3*math.Abs(radius), 2*floor) {
			break
		}
		q := c.half / 2
		push(c.x-q, c.y-q, q)
		push(c.x+q, c.y-q, q)
		push(c.x-q, c.y+q, q)
		push(c.x+q, c.y+q, q)
	}
	return at, radius
}

// centroid returns the centre of mass of the outline. The edges of holes run in the
// opposite direction, so their areas are subtracted.
func (o *outline) centroid() orb.Point {
	ox, oy := o.rings[0].minX, o.rings[0].minY
	var x, y, twice float64
	for i := range o.rings {
		for _, e := range o.rings[i].edges {
			ax, ay, bx, by := e.ax-ox, e.ay-oy, e.bx-ox, e.by-oy
			w := ax*by - bx*ay
			x, y, twice = x+w*(ax+bx), y+w*(ay+by), twice+w
		}
	}
	if !(math.Abs(twice) > 0) {
		return orb.Point{ox, oy}
	}
	return orb.Point{ox + x/(3*twice), oy + y/(3*twice)}
}
