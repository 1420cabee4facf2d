// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/num"
)

// Field is the outline of a field in metres: the boundary with its holes, and the
// polygons that the robot must not enter. Holes and keep-outs may overlap one another and the
// boundary, as those do that touch it in degrees. Keep-outs may have holes inside. Rings may be closed or open.
type Field struct {
	Boundary orb.Polygon
	KeepOuts []orb.Polygon

	Name         string   // "": it has none
	KeepOutNames []string // by the number of the keep-out; may end before the last one that has none
	Changes      []Change // of the file that it was read from

	StdDev float64 // largest standard deviation of an edge, m; 0: exact, or not known

	Localization []LocalizationZone // where it is stated how well a robot knows its place; they restrict nothing
}

// nameOf returns the name of a keep-out, "" if it has none.
func (f *Field) nameOf(i int) string {
	if i < len(f.KeepOutNames) {
		return f.KeepOutNames[i]
	}
	return ""
}

// KeepOut returns what a keep-out is called in a sentence: by its name, or else by its number from 1.
func (f *Field) KeepOut(i int) string {
	if name := f.nameOf(i); name != "" {
		return fmt.Sprintf("keep-out %.60q", name)
	}
	return fmt.Sprintf("keep-out %d", i+1)
}

// LocalizationZone is a part of a field in which the standard deviation of a robot's position
// is known: under trees, beside a wall.
type LocalizationZone struct {
	Polygon orb.Polygon
	StdDev  float64 // in x and in y, m
}

// Region is the part of a planar field in which the robot's reference point may be: all
// points inside the boundary whose distance to its edges, its holes and the keep-outs
// is at least the margin. Coordinates are metres.
//
// A Region never changes and is safe for concurrent use. Whether a point on its edge
// belongs to it is exact to one part in 10⁸ of the field's extent.
type Region struct {
	margin float64 // m, as given
	keep   float64 // m, the margin of all computed points: never quite zero, so that crossing an edge is always detected
	tol    float64 // m, tolerance within which a point counts as keeping the margin

	walls
	tips   []orb.Point // the region's own outward corners
	edge   [][2]orb.Point
	area   float64
	lo, hi orb.Point
	pole   orb.Point
	graph  graph
	wider  func() *Region // the region with less margin, nil if this one has none; made when it is needed first
}

var _ Space = (*Region)(nil)

// walls are the outlines of a field, whatever margin is kept from them.
type walls struct {
	outlines []outline
	corners  []reflex // where the obstacles protrude
}

// outline is a polygon: inside its first ring and outside all others.
type outline struct {
	rings []ring
	free  bool // the free side is the inside, as of the field's boundary
}

// NewRegion returns the region of a field that keeps margin metres from every edge. The
// errors name the ring and the place; one is an [*EmptyRegionError]. The time grows with the square of the number of edges, and
// faster if many of them see each other: milliseconds for a hundred edges, and up to half a minute
// for the largest field, of [maxCorners] corners.
func NewRegion(f Field, margin float64) (*Region, error) {
	if !num.Finite(margin) || margin < 0 {
		return nil, fmt.Errorf("planner: margin is %g m, want a finite number ≥ 0", margin)
	}
	w, err := wallsOf(f)
	if err != nil {
		return nil, err
	}
	w.findReflex()
	if n := w.bends(); n > maxBends {
		return nil, fmt.Errorf("%w: paths may bend around %d corners of the field, at most %d are allowed: %s", errPolygon, n, maxBends, thin)
	}
	return w.withMargin(margin)
}

// withMargin returns the region that keeps a margin from the walls. The
// only error is an [*EmptyRegionError].
func (w *walls) withMargin(margin float64) (*Region, error) {
	b := &w.outlines[0].rings[0]
	extent := max(b.maxX-b.minX, b.maxY-b.minY)
	reach := max(math.Abs(b.minX), math.Abs(b.maxX), math.Abs(b.minY), math.Abs(b.maxY))
	least := 1e-8*extent + 1e-11*reach
	r := &Region{margin: margin, keep: max(margin, least), tol: least / 8, walls: *w}
	r.wider = sync.OnceValue(r.widen)

	r.trace()
	pole, inscribed := w.inscribed()
	if len(r.tips) == 0 || r.area <= r.tol*extent { // nothing, or a line: only rounding makes it wide
		return nil, &EmptyRegionError{Margin: margin, Inscribed: max(inscribed, 0), At: pole}
	}
	r.pole = r.snap(pole)
	r.graph.build(r)
	return r, nil
}

// wallsOf checks the outlines of a field and returns them, without the corners.
func wallsOf(f Field) (*walls, error) {
	w, err := new(walls), f.checkSize()
	if err == nil {
		err = w.addOutline("boundary", f.Boundary, true)
	}
	for i := 0; i < len(f.KeepOuts) && err == nil; i++ {
		err = w.addOutline(f.KeepOut(i), f.KeepOuts[i], false)
	}
	return w, err
}

// SignedDistance returns the function [Region.SignedDistance] of a field without the cost of a
// region. It changes by at most 1 per metre. The errors are those of [NewRegion].
func SignedDistance(f Field) (func(orb.Point) float64, error) {
	w, err := wallsOf(f)
	return w.SignedDistance, err
}

// Inscribed returns the radius of the largest disc, m, that fits between the edges, holes
// and keep-outs of a field, to 0.2 %. The errors are those of [NewRegion]; a field that
// keep-outs cover is an [*EmptyRegionError].
func Inscribed(f Field) (float64, error) {
	w, err := wallsOf(f)
	if err != nil {
		return 0, err
	}
	at, radius := w.inscribed()
	if radius <= 0 {
		return 0, &EmptyRegionError{At: at}
	}
	return radius, nil
}

// EmptyRegionError reports that no point of a field keeps the margin.
type EmptyRegionError struct {
	Margin    float64   // m
	Inscribed float64   // m, radius of the largest disc that fits between the edges; 0 if keep-outs cover the field
	At        orb.Point // m, the centre of that disc
}

func (e *EmptyRegionError) Error() string {
	if e.Inscribed <= 0 {
		return "planner: no free place: holes and keep-outs cover the whole boundary: correct them, or take the property keep_out from the polygon that is the field"
	}
	return fmt.Sprintf("planner: a margin of %g m leaves nothing of the field: the place farthest from all edges, (%.6g, %.6g), is only %.3g m from the nearest; choose a smaller margin",
		e.Margin, e.At[0], e.At[1], e.Inscribed)
}

// addOutline checks the rings of p and adds them.
func (w *walls) addOutline(name string, p orb.Polygon, free bool) error {
	if len(p) == 0 || len(p[0]) == 0 {
		return fmt.Errorf("%w: the %s is empty, want at least 3 points", errPolygon, name)
	}
	out := outline{free: free}
	for i, points := range p {
		ringName := name
		if i > 0 {
			ringName = fmt.Sprintf("hole %d of the %s", i, name)
		}
		ring, err := newRing(ringName, points, free == (i == 0))
		if err != nil {
			return err
		}
		if i > 0 && !free {
			if err := checkHole(&out.rings[0], &ring); err != nil {
				return err
			}
		}
		out.rings = append(out.rings, ring)
	}
	w.outlines = append(w.outlines, out)
	return nil
}

// checkHole returns an error unless the hole of a keep-out lies inside its outer ring, which it may
// touch: elsewhere it would be a wall with free places on both sides.
func checkHole(outer, hole *ring) error {
	touching := 1e-12 * (math.Abs(outer.maxX) + math.Abs(outer.minX) + math.Abs(outer.maxY) + math.Abs(outer.minY))
	for i := range hole.edges {
		e := &hole.edges[i]
		d2, inside := outer.nearest(e.ax, e.ay, math.Inf(1))
		if !inside && d2 > touching*touching {
			return fmt.Errorf("%w: %s reaches outside it: point (%.9g, %.9g) is beyond its edge", errPolygon, hole.name, e.ax, e.ay)
		}
		for j := range outer.edges {
			if o := &outer.edges[j]; crosses(e, o) {
				return &crossing{hole.name, outer.name, *e, *o}
			}
		}
	}
	return nil
}

// nearest returns the squared distance from (x, y) to the outline's edges and reports
// whether the point is inside the outline.
func (o *outline) nearest(x, y float64) (float64, bool) {
	d2, inside := o.rings[0].nearest(x, y, math.Inf(1))
	for i := 1; i < len(o.rings); i++ {
		h := &o.rings[i]
		if h.boxDistance2(x, y) >= d2 {
			continue // too far to matter, and (x, y) is not inside it
		}
		var in bool
		d2, in = h.nearest(x, y, d2)
		inside = inside && !in
	}
	return d2, inside
}

// SignedDistance returns the distance in metres from p to the nearest edge of the
// boundary, a hole or a keep-out, positive where p is free. Elsewhere the result is
// negative, and its magnitude is a lower bound of the distance to free space. The margin
// is not subtracted.
func (w *walls) SignedDistance(p orb.Point) float64 {
	d := math.Inf(1)
	for i := range w.outlines {
		o := &w.outlines[i]
		if !o.free && o.rings[0].boxDistance2(p[0], p[1]) > d*d {
			continue // outside this keep-out, and farther from it than |d|
		}
		d2, inside := o.nearest(p[0], p[1])
		s := math.Sqrt(d2)
		if inside != o.free {
			s = -s
		}
		d = min(d, s)
	}
	return d
}

// clear reports whether the signed distance of (x, y) is at least need ≥ 0.
func (w *walls) clear(x, y, need float64) bool {
	need2 := need * need
	for i := range w.outlines {
		o := &w.outlines[i]
		if !o.free && o.rings[0].boxDistance2(x, y) > need2 {
			continue
		}
		if d2, inside := o.nearest(x, y); inside != o.free || d2 < need2 {
			return false
		}
	}
	return true
}

// strict reports whether (x, y) belongs to the strict region, in which paths lie.
func (r *Region) strict(x, y float64) bool { return r.clear(x, y, r.keep-r.tol) }

// Dim returns 2.
func (r *Region) Dim() int { return 2 }

// Margin returns the margin in metres.
func (r *Region) Margin() float64 { return r.margin }

// Edge returns the edge of the region as line segments, in no particular order, each
// with the region to its left. Chords of at most π/16 replace the arcs round reflex
// corners, which reduces the margin by at most half a percent. The caller must not
// change the result.
func (r *Region) Edge() [][2]orb.Point { return r.edge }

// Area returns the area of the region in m², exact up to rounding.
func (r *Region) Area() float64 { return r.area }

// Parts returns the number of parts that no path inside the region joins. A passage
// joins two parts if it is about 2 % wider than two margins.
func (r *Region) Parts() int { return r.graph.parts }

// Contains reports whether x keeps the margin.
func (r *Region) Contains(x []float64) bool {
	if len(x) != 2 {
		panic(panicDim)
	}
	if r.clear(x[0], x[1], max(r.margin-r.tol, 0)) {
		return true
	}
	// On the edge itself, rounding decides what is inside.
	return r.margin == 0 && r.SignedDistance(orb.Point{x[0], x[1]}) >= -r.tol
}

// Bounds returns the smallest box around the region.
func (r *Region) Bounds() (lo, hi []float64) {
	return []float64{r.lo[0], r.lo[1]}, []float64{r.hi[0], r.hi[1]}
}

// Centre returns the centre of the largest disc that fits between the edges, to about
// one part in 500 of its radius. It is the boundary's centroid if that is as good.
func (r *Region) Centre() []float64 { return []float64{r.pole[0], r.pole[1]} }

// Points returns n points of a randomised Halton sequence over the bounding box
// that fall into the region. If fewer than one in 100 do, some are projected onto the
// edge of the region.
func (r *Region) Points(n int, rng *rand.Rand) *mat.Dense {
	if n <= 0 {
		panic(panicPoints)
	}
	w, h := r.hi[0]-r.lo[0], r.hi[1]-r.lo[1]
	share := max(r.area/(w*h), 1.0/100)
	points := mat.NewDense(n, 2, nil)
	for size := int(1.1*float64(n)/share) + 32; ; size *= 2 {
		u := Halton(size, 2, rng)
		last := size > 200*n+64
		found := 0
		for i := 0; i < size && found < n; i++ {
			p := u.RawRowView(i)
			p[0], p[1] = r.lo[0]+p[0]*w, r.lo[1]+p[1]*h
			if last && size-i <= n-found {
				r.Project(p, p)
			}
			if r.Contains(p) {
				points.SetRow(found, p)
				found++
			}
		}
		if found == n {
			return points
		}
	}
}

// Travel measures shortest paths inside the region.
func (r *Region) Travel() Travel { return r.NewDistanceField() }
