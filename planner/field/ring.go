// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
)

// errPolygon is wrapped by every error about a ring or a polygon that cannot be
// used.
var errPolygon = errors.New("planner: invalid polygon")

// crossing reports that edge a of a ring, and edge b of the same or another one, meet although they must not.
type crossing struct {
	ring, other string
	a, b        edge
}

func (c *crossing) Error() string {
	what := c.ring + " crosses or touches itself"
	if c.other != c.ring {
		what = c.ring + " crosses " + c.other
	}
	return fmt.Sprintf("%v: the %s: edge (%.9g, %.9g)–(%.9g, %.9g) meets edge (%.9g, %.9g)–(%.9g, %.9g)", errPolygon, what, c.a.ax, c.a.ay, c.a.bx, c.a.by, c.b.ax, c.b.ay, c.b.bx, c.b.by)
}

func (c *crossing) Unwrap() error { return errPolygon }

// edge is a side of a ring from a to b. The free side lies on its left.
type edge struct {
	ax, ay, dx, dy float64 // first point, and the vector to the last
	inv            float64 // 1/(dx²+dy²)
	bx, by         float64
}

func newEdge(a, b orb.Point) edge {
	dx, dy := b[0]-a[0], b[1]-a[1]
	return edge{ax: a[0], ay: a[1], bx: b[0], by: b[1], dx: dx, dy: dy, inv: 1 / (dx*dx + dy*dy)}
}

// normal returns the unit vector to the left.
func (e *edge) normal() (x, y float64) {
	s := math.Sqrt(e.inv)
	return -e.dy * s, e.dx * s
}

// ring is a simple closed polygon with its bounding box.
type ring struct {
	name                   string
	edges                  []edge
	minX, minY, maxX, maxY float64
}

// ringPoints returns the points of an orb ring without those that repeat the one before
// them. The ring may repeat its first point at its end. It is an error if fewer than
// three points are distinct, or one is not finite.
func ringPoints(name string, r orb.Ring) ([]orb.Point, error) {
	var points []orb.Point
	for i, p := range r {
		if !num.Finite(p[0]) || !num.Finite(p[1]) {
			return nil, fmt.Errorf("%w: point %d of the %s is (%g, %g), want finite numbers", errPolygon, i, name, p[0], p[1])
		}
		if len(points) == 0 || points[len(points)-1] != p {
			points = append(points, p)
		}
	}
	for len(points) > 1 && points[0] == points[len(points)-1] {
		points = points[:len(points)-1]
	}
	distinct := make(map[orb.Point]bool, len(points))
	for _, p := range points {
		distinct[p] = true
	}
	if len(distinct) < 3 {
		return nil, fmt.Errorf("%w: the %s has %d distinct points, want at least 3", errPolygon, name, len(distinct))
	}
	return points, nil
}

// newRing checks r and returns it with its free side on the left of its edges: the
// inside if freeInside, else the outside.
func newRing(name string, r orb.Ring, freeInside bool) (ring, error) {
	points, err := ringPoints(name, r)
	if err != nil {
		return ring{}, err
	}
	b := orb.MultiPoint(points).Bound()
	out := ring{name: name, edges: edgesOf(points), minX: b.Min[0], minY: b.Min[1], maxX: b.Max[0], maxY: b.Max[1]}
	if size := math.Hypot(out.maxX-out.minX, out.maxY-out.minY); !(size > 1e-12*(math.Abs(out.maxX)+math.Abs(out.maxY))) || size > 1e150 || size < 1e-150 {
		return ring{}, fmt.Errorf("%w: the %s measures %g m across, which is too large, too small or too far from the origin to compute with", errPolygon, name, size)
	}
	if i, j, found := meeting(out.edges); found {
		return ring{}, &crossing{name, name, out.edges[i], out.edges[j]}
	}
	if (planar.Area(orb.Ring(points)) > 0) != freeInside {
		slices.Reverse(points[1:])
		out.edges = edgesOf(points)
	}
	return out, nil
}

// edgesOf returns the edges of a ring of points, the last one from the last point to the first.
func edgesOf(points []orb.Point) []edge {
	edges := make([]edge, len(points))
	for i, p := range points {
		edges[i] = newEdge(p, points[(i+1)%len(points)])
	}
	return edges
}

// meeting returns the first two edges of a ring that have a point in common other than the vertex that joins them.
func meeting(edges []edge) (i, j int, found bool) {
	for i := range edges {
		for j := i + 1; j < len(edges); j++ {
			if badPair(edges, i, j) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// badPair reports whether edges i < j of a ring have a point in common other than the vertex that joins them.
func badPair(edges []edge, i, j int) bool {
	a, b := &edges[i], &edges[j]
	switch {
	case j == i+1:
		return foldsBack(a, b)
	case i == 0 && j == len(edges)-1:
		return foldsBack(b, a)
	}
	return touch(a, b)
}

// foldsBack reports whether b, which begins where a ends, runs back along a.
func foldsBack(a, b *edge) bool {
	cross, dot := a.dx*b.dy-a.dy*b.dx, a.dx*b.dx+a.dy*b.dy
	return dot < 0 && cross == 0
}

// touch reports whether two edges have a point in common.
func touch(a, b *edge) bool {
	if max(a.ax, a.bx) < min(b.ax, b.bx) || max(b.ax, b.bx) < min(a.ax, a.bx) ||
		max(a.ay, a.by) < min(b.ay, b.by) || max(b.ay, b.by) < min(a.ay, a.by) {
		return false
	}
	s1, s2 := a.side(b.ax, b.ay), a.side(b.bx, b.by)
	s3, s4 := b.side(a.ax, a.ay), b.side(a.bx, a.by)
	// Their boxes overlap, so they meet unless the line of one separates the other.
	return s1*s2 <= 0 && s3*s4 <= 0
}

// crosses reports whether two edges cross at a point that is interior to both.
func crosses(a, b *edge) bool {
	return a.side(b.ax, b.ay)*a.side(b.bx, b.by) < 0 && b.side(a.ax, a.ay)*b.side(a.bx, a.by) < 0
}

// side returns 1, 0 or -1 for a point to the left of e's line, on it, or to its right.
func (e *edge) side(x, y float64) int {
	switch c := e.dx*(y-e.ay) - e.dy*(x-e.ax); {
	case c > 0:
		return 1
	case c < 0:
		return -1
	default:
		return 0
	}
}

// boxDistance2 returns the squared distance from (x, y) to the bounding box.
func (r *ring) boxDistance2(x, y float64) float64 {
	dx := max(r.minX-x, x-r.maxX, 0)
	dy := max(r.minY-y, y-r.maxY, 0)
	return dx*dx + dy*dy
}

// nearest returns the squared distance from (x, y) to the ring, or d2 if that is
// smaller, and reports whether the point lies inside, by the parity of crossings.
func (r *ring) nearest(x, y, d2 float64) (float64, bool) {
	inside := false
	for i := range r.edges {
		e := &r.edges[i]
		px, py := x-e.ax, y-e.ay
		if (e.ay > y) != (e.by > y) && (px*e.dy < py*e.dx) == (e.dy > 0) {
			inside = !inside
		}
		t := (px*e.dx + py*e.dy) * e.inv
		if t > 0 {
			t = min(t, 1)
			px -= t * e.dx
			py -= t * e.dy
		}
		if q := px*px + py*py; q < d2 {
			d2 = q
		}
	}
	return d2, inside
}
