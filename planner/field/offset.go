// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// reflex is a vertex at which an obstacle protrudes into the free side. The edge of the
// region runs round it on an arc, clockwise from its first normal to its second.
type reflex struct {
	x, y     float64
	n0x, n0y float64
	n1x, n1y float64
	turn     float64 // radians from the first normal to the second, > 0
	start    float64 // direction of the first normal
}

// findReflex fills in the corners of all outlines.
func (w *walls) findReflex() {
	for i := range w.outlines {
		for j := range w.outlines[i].rings {
			edges := w.outlines[i].rings[j].edges
			for k := range edges {
				a, b := &edges[(k+len(edges)-1)%len(edges)], &edges[k]
				turn := -math.Atan2(a.dx*b.dy-a.dy*b.dx, a.dx*b.dx+a.dy*b.dy)
				if turn < 1e-12 {
					continue // straight on, or an inner corner
				}
				c := reflex{x: b.ax, y: b.ay, turn: turn}
				c.n0x, c.n0y = a.normal()
				c.n1x, c.n1y = b.normal()
				c.start = math.Atan2(c.n0y, c.n0x)
				w.corners = append(w.corners, c)
			}
		}
	}
}

// curve is a candidate piece of the region's edge: an edge moved inwards by the margin,
// or the arc round a reflex corner. The region lies to the left of its direction. Its
// parameter t runs from 0 to 1.
type curve struct {
	arc        bool
	x, y       float64 // first point of the line, or centre of the arc
	dx, dy     float64 // the line from its first point to its last
	radius     float64
	start      float64 // direction at which the arc begins; it runs clockwise
	turn       float64
	minX, maxX float64 // bounding box
	minY, maxY float64
}

func (c *curve) at(t float64) (x, y float64) {
	if !c.arc {
		return c.x + t*c.dx, c.y + t*c.dy
	}
	s, co := math.Sincos(c.start - t*c.turn)
	return c.x + c.radius*co, c.y + c.radius*s
}

// sweep returns ∫ x dy - y dx along c from t0 to t1, about the origin (ox, oy).
func (c *curve) sweep(t0, t1, ox, oy float64) float64 {
	x0, y0 := c.at(t0)
	x1, y1 := c.at(t1)
	s := (x0-ox)*(y1-oy) - (x1-ox)*(y0-oy)
	if c.arc { // the part between the chord and the arc, clockwise
		angle := (t1 - t0) * c.turn
		s -= c.radius * c.radius * (angle - math.Sin(angle))
	}
	return s
}

// arcPiece is the largest part of an arc, in radians, that one line segment replaces.
const arcPiece = math.Pi / 16

// segments appends line segments that follow c from t0 to t1 to dst.
func (c *curve) segments(dst [][2]orb.Point, t0, t1 float64) [][2]orb.Point {
	n := 1
	if c.arc {
		n = max(1, int(math.Ceil((t1-t0)*c.turn/arcPiece)))
	}
	x, y := c.at(t0)
	for i := 1; i <= n; i++ {
		x1, y1 := c.at(t0 + (t1-t0)*float64(i)/float64(n))
		dst = append(dst, [2]orb.Point{{x, y}, {x1, y1}})
		x, y = x1, y1
	}
	return dst
}

// curves returns all candidate pieces that keep a margin, lines first.
func (w *walls) curves(keep float64) []curve {
	var out []curve
	for i := range w.outlines {
		for j := range w.outlines[i].rings {
			for k := range w.outlines[i].rings[j].edges {
				e := &w.outlines[i].rings[j].edges[k]
				nx, ny := e.normal()
				c := curve{x: e.ax + keep*nx, y: e.ay + keep*ny, dx: e.dx, dy: e.dy}
				c.minX, c.maxX = min(c.x, c.x+c.dx), max(c.x, c.x+c.dx)
				c.minY, c.maxY = min(c.y, c.y+c.dy), max(c.y, c.y+c.dy)
				out = append(out, c)
			}
		}
	}
	for _, v := range w.corners {
		out = append(out, curve{
			arc: true, x: v.x, y: v.y, radius: keep, start: v.start, turn: v.turn,
			minX: v.x - keep, maxX: v.x + keep, minY: v.y - keep, maxY: v.y + keep,
		})
	}
	return out
}

// trace finds the edge of the region: the curves, cut where they meet, less the pieces
// that do not keep the margin. The area follows by Green's theorem. The points where the
// pieces meet are the outward corners, and every part of the region has some: an outer
// edge of straight lines and clockwise arcs alone would never close.
func (r *Region) trace() {
	curves := r.curves(r.keep)
	cuts := make([][]float64, len(curves))
	for i := range curves {
		for j := i + 1; j < len(curves); j++ {
			a, b := &curves[i], &curves[j]
			if a.minX > b.maxX+r.tol || b.minX > a.maxX+r.tol || a.minY > b.maxY+r.tol || b.minY > a.maxY+r.tol {
				continue
			}
			meet(a, b, r.tol, func(x, y float64, touching bool) {
				ta, okA := a.param(x, y, r.tol)
				tb, okB := b.param(x, y, r.tol)
				if !okA || !okB || touching && a.atEnd(ta, r.tol) && b.atEnd(tb, r.tol) {
					return // they have nothing in common, or are an arc and an edge of its own corner
				}
				cuts[i], cuts[j] = append(cuts[i], ta), append(cuts[j], tb)
				known := func(p orb.Point) bool { return math.Abs(p[0]-x) <= r.tol && math.Abs(p[1]-y) <= r.tol }
				if r.strict(x, y) && !slices.ContainsFunc(r.tips, known) {
					r.tips = append(r.tips, orb.Point{x, y})
				}
			})
		}
	}
	ox, oy := r.outlines[0].rings[0].minX, r.outlines[0].rings[0].minY
	twice := 0.0
	for i := range curves {
		t := append(cuts[i], 0, 1)
		slices.Sort(t)
		for k := 1; k < len(t); k++ {
			if t[k] == t[k-1] {
				continue
			}
			x, y := curves[i].at((t[k-1] + t[k]) / 2)
			if r.strict(x, y) && !curves[i].doubled(curves[:i], x, y, r.tol) {
				twice += curves[i].sweep(t[k-1], t[k], ox, oy)
				r.edge = curves[i].segments(r.edge, t[k-1], t[k])
			}
		}
	}
	r.area = twice / 2
	r.lo = orb.Point{math.Inf(1), math.Inf(1)}
	r.hi = orb.Point{math.Inf(-1), math.Inf(-1)}
	for _, p := range r.tips {
		for i, v := range p {
			r.lo[i], r.hi[i] = min(r.lo[i], v), max(r.hi[i], v)
		}
	}
}

// doubled reports whether one of the earlier curves runs through (x, y) in c's
// direction, as where the edges of two obstacles lie on one line.
func (c *curve) doubled(earlier []curve, x, y, tol float64) bool {
	if c.arc {
		for i := range earlier {
			e := &earlier[i]
			if e.arc && e.x == c.x && e.y == c.y {
				if _, ok := e.param(x, y, tol); ok {
					return true
				}
			}
		}
		return false
	}
	for i := range earlier {
		e := &earlier[i]
		if e.arc || x < e.minX-tol || x > e.maxX+tol || y < e.minY-tol || y > e.maxY+tol {
			continue
		}
		if _, ok := e.param(x, y, tol); !ok || e.dx*c.dx+e.dy*c.dy <= 0 {
			continue
		}
		l := math.Hypot(e.dx, e.dy)
		if math.Abs(e.dx*(y-e.y)-e.dy*(x-e.x)) <= tol*l && math.Abs(e.dx*c.dy-e.dy*c.dx) <= tol*l {
			return true
		}
	}
	return false
}

// param returns the parameter of the point of c nearest to (x, y), which lies on c's
// whole line or circle, and reports whether (x, y) is within tol of c itself.
func (c *curve) param(x, y, tol float64) (float64, bool) {
	if !c.arc {
		l2 := c.dx*c.dx + c.dy*c.dy
		t := ((x-c.x)*c.dx + (y-c.y)*c.dy) / l2
		slack := tol / math.Sqrt(l2)
		return min(max(t, 0), 1), t >= -slack && t <= 1+slack
	}
	angle := math.Mod(c.start-math.Atan2(y-c.y, x-c.x), 2*math.Pi)
	if angle < 0 {
		angle += 2 * math.Pi
	}
	slack := tol / c.radius
	if angle > 2*math.Pi-slack {
		angle = 0
	}
	return min(angle/c.turn, 1), angle <= c.turn+slack
}

// atEnd reports whether the point with parameter t is within tol of an end of c.
func (c *curve) atEnd(t, tol float64) bool {
	length := math.Hypot(c.dx, c.dy)
	if c.arc {
		length = c.radius * c.turn
	}
	return min(t, 1-t)*length <= tol
}

// meet calls f with the common points of the whole lines or circles of a and b. A line that
// rounding keeps off a circle, by at most tol, is said to be touching: where an obstacle goes on
// along the line of another's edge, the edge of the region turns from that line onto the arc
// there. Parallel lines have no common points.
func meet(a, b *curve, tol float64, f func(x, y float64, touching bool)) {
	switch {
	case a.arc && b.arc:
		dx, dy := b.x-a.x, b.y-a.y
		d2 := dx*dx + dy*dy
		h2 := a.radius*a.radius - d2/4 // both have the same radius
		if d2 == 0 || h2 < 0 {
			return
		}
		s := math.Sqrt(h2 / d2)
		mx, my := (a.x+b.x)/2, (a.y+b.y)/2
		f(mx-s*dy, my+s*dx, false)
		f(mx+s*dy, my-s*dx, false)
	case a.arc:
		meet(b, a, tol, f)
	case b.arc:
		l2 := a.dx*a.dx + a.dy*a.dy
		t := ((b.x-a.x)*a.dx + (b.y-a.y)*a.dy) / l2
		fx, fy := a.x+t*a.dx, a.y+t*a.dy
		h2 := b.radius*b.radius - ((b.x-fx)*(b.x-fx) + (b.y-fy)*(b.y-fy))
		if h2 < 0 {
			if h2 >= -2*b.radius*tol {
				f(fx, fy, true)
			}
			return
		}
		s := math.Sqrt(h2 / l2)
		f(fx-s*a.dx, fy-s*a.dy, false)
		f(fx+s*a.dx, fy+s*a.dy, false)
	default:
		cross := a.dx*b.dy - a.dy*b.dx
		if cross == 0 {
			return
		}
		t := ((b.x-a.x)*b.dy - (b.y-a.y)*b.dx) / cross
		f(a.x+t*a.dx, a.y+t*a.dy, false)
	}
}
