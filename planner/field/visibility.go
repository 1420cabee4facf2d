// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// arcStep is the largest turn, in radians, that a path makes in one bend: 22.5°. The
// bends lie outside the arc of the margin, by at most 2 % of the margin, and the
// straight lines between them touch it.
const arcStep = math.Pi / 8

// graph is the visibility graph: the bends round all reflex corners, and the pairs of
// them that a straight line joins without leaving the region. The shortest path
// between two places consists of straight lines between such bends (Lozano-Pérez and
// Wesley, CACM 1979).
type graph struct {
	nodes  []orb.Point
	length [][]float64 // m, from node to node in a straight line; +Inf where that is blocked
	parts  int
}

// maxBends bounds the time and the memory that the graph takes: 134 MB.
const maxBends = 4096

// bends returns the largest number of nodes that the graph may have.
func (w *walls) bends() (n int) {
	for i := range w.corners {
		n += w.corners[i].bends()
	}
	return n
}

// bends returns the number of bends round a corner.
func (c *reflex) bends() int { return int(math.Ceil(c.turn / arcStep)) }

// build fills in the graph of r.
func (g *graph) build(r *Region) {
	for i := range r.corners {
		c := &r.corners[i]
		k := c.bends()
		step := c.turn / float64(k)
		// Outside by half the tolerance, so that rounding does not block the lines between.
		radius := (r.keep + r.tol/2) / math.Cos(step/2)
		for j := range k {
			s, co := math.Sincos(c.start - (float64(j)+0.5)*step)
			p := orb.Point{c.x + radius*co, c.y + radius*s}
			if r.strict(p[0], p[1]) {
				g.nodes = append(g.nodes, p)
			}
		}
	}
	n := len(g.nodes)
	g.length = make([][]float64, n)
	all := make([]float64, n*n)
	for i := range n {
		g.length[i] = all[i*n : (i+1)*n]
		for j := range i {
			l := math.Inf(1)
			if r.visible(g.nodes[i], g.nodes[j]) {
				l = math.Hypot(g.nodes[i][0]-g.nodes[j][0], g.nodes[i][1]-g.nodes[j][1])
			}
			g.length[i][j], g.length[j][i] = l, l
		}
	}
	g.countParts(r)
}

// countParts counts the parts of r by paths: those from the centre and then from an outward
// corner that none has reached. Every part of the region has outward corners. No path bends at
// one, so that a point at which two parts touch, as in a passage of exactly two margins, joins
// them as little as it does for a path.
func (g *graph) countParts(r *Region) {
	paths := r.NewDistanceField() // from the centre
	reached := func(p orb.Point) bool { return !math.IsInf(paths.Length(p[:]), 1) }
	left := slices.DeleteFunc(slices.Clone(r.tips), reached)
	for g.parts = 1; len(left) > 0; g.parts++ {
		paths.From(left[0][:])
		left = slices.DeleteFunc(left[1:], reached)
	}
}

// Clear reports whether all points of the straight line from p to q are free and at least
// clearance ≥ 0 metres from every edge, whatever the region's margin is.
func (r *Region) Clear(p, q orb.Point, clearance float64) bool {
	need := max(clearance, 2*r.tol) - r.tol // above zero, so that crossing an edge is detected
	return r.clear(p[0], p[1], need) && r.clear(q[0], q[1], need) && r.sees(p, q, need)
}

// visible reports whether the straight line from p to q keeps the margin, given that p
// and q do.
func (r *Region) visible(p, q orb.Point) bool { return r.sees(p, q, r.keep-r.tol) }

// sees reports whether the straight line from p to q is nowhere nearer than need > 0 to an
// edge, given that p and q are not.
func (w *walls) sees(p, q orb.Point, need float64) bool {
	ux, uy := q[0]-p[0], q[1]-p[1]
	l2 := ux*ux + uy*uy
	gap := need * math.Sqrt(l2)
	minX, maxX := min(p[0], q[0])-need, max(p[0], q[0])+need
	minY, maxY := min(p[1], q[1])-need, max(p[1], q[1])+need
	for i := range w.outlines {
		for j := range w.outlines[i].rings {
			ring := &w.outlines[i].rings[j]
			if ring.minX > maxX || ring.maxX < minX || ring.minY > maxY || ring.maxY < minY {
				continue
			}
			last := &ring.edges[len(ring.edges)-1]
			before := ux*(last.ay-p[1]) - uy*(last.ax-p[0])
			for k := range ring.edges {
				e := &ring.edges[k]
				wx, wy := e.ax-p[0], e.ay-p[1]
				side := ux*wy - uy*wx // signed distance of the vertex from the line, times the length of the line
				if math.Abs(side) < gap {
					if along := ux*wx + uy*wy; along > 0 && along < l2 {
						return false // the vertex is too near
					}
				}
				if (side > 0) != (before > 0) {
					// The edge that ends here crosses the infinite line; does it cross between p and q?
					if last.side(p[0], p[1]) != last.side(q[0], q[1]) {
						return false
					}
				}
				before, last = side, e
			}
		}
	}
	return true
}
