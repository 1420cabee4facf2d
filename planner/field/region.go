package field

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner/internal/valid"
)

// Field is the outline of a field in metres: the boundary with its holes, and
// polygons that the robot must keep out of. Keep-outs may overlap one another
// and the boundary, and may have holes. Rings may be closed or left open.
type Field struct {
	Boundary orb.Polygon
	KeepOuts []orb.Polygon
}

// Region is the part of a planar field in which the robot's reference point may
// be: all points inside the boundary whose distance to its edges, its holes and
// the keep-outs is at least the margin. Coordinates are metres.
//
// A Region is made once and never changes; it may be shared by goroutines. To
// one part in 10⁸ of the field's extent it is indifferent to where a point lies.
type Region struct {
	margin float64 // as asked for
	keep   float64 // the margin that points made here keep: never quite zero, so that crossing an edge is always seen
	tol    float64 // by how much less a point may keep that counts as keeping it

	outlines []outline
	corners  []reflex    // where the obstacles stick out
	tips     []orb.Point // the region's own outward corners
	edge     [][2]orb.Point
	area     float64
	lo, hi   orb.Point
	pole     orb.Point
	graph    graph
}

var _ Space = (*Region)(nil)

// outline is a polygon: inside its first ring and outside all others.
type outline struct {
	rings []ring
	free  bool // the free side is inside: the field's boundary
}

// NewRegion returns the region of a field that keeps margin metres from every
// edge. Its errors say which ring is wrong and where: they wrap [ErrPolygon], or
// are a [*CrossingError] or an [*EmptyRegionError]. Building takes time in
// proportion to the square of the number of edges, and more where many of them
// see each other: milliseconds for a hundred.
func NewRegion(f Field, margin float64) (*Region, error) {
	if !valid.Finite(margin) || margin < 0 {
		return nil, fmt.Errorf("planner: margin is %g m, want a finite number ≥ 0", margin)
	}
	r := &Region{margin: margin}
	if err := r.addOutline("boundary", f.Boundary, true); err != nil {
		return nil, err
	}
	for i, k := range f.KeepOuts {
		if err := r.addOutline(fmt.Sprintf("keep-out %d", i+1), k, false); err != nil {
			return nil, err
		}
	}
	b := &r.outlines[0].rings[0]
	extent := max(b.maxX-b.minX, b.maxY-b.minY)
	reach := max(math.Abs(b.minX), math.Abs(b.maxX), math.Abs(b.minY), math.Abs(b.maxY))
	least := 1e-8*extent + 1e-11*reach
	r.keep, r.tol = max(margin, least), least/8

	r.findReflex()
	r.trace()
	pole, inscribed := r.inscribed()
	if len(r.tips) == 0 {
		return nil, &EmptyRegionError{Margin: margin, Inscribed: max(inscribed, 0), At: pole}
	}
	r.pole = r.snap(pole)
	r.graph.build(r)
	return r, nil
}

// EmptyRegionError says that nothing of a field is left once the margin is kept
// from its edges and keep-outs.
type EmptyRegionError struct {
	Margin    float64   // m
	Inscribed float64   // m, radius of the largest disc that fits between the edges; 0 when keep-outs cover the field
	At        orb.Point // m, the centre of that disc
}

func (e *EmptyRegionError) Error() string {
	if e.Inscribed <= 0 {
		return "planner: no free place: the keep-outs cover the whole boundary"
	}
	return fmt.Sprintf("planner: a margin of %g m leaves nothing of the field: its widest place, around (%.6g, %.6g), is %.3g m away from the nearest edge; choose a smaller margin",
		e.Margin, e.At[0], e.At[1], e.Inscribed)
}

// addOutline checks the rings of p and takes them up.
func (r *Region) addOutline(name string, p orb.Polygon, free bool) error {
	if len(p) == 0 || len(p[0]) == 0 {
		return fmt.Errorf("%w: the %s is empty, want at least 3 points", ErrPolygon, name)
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
		if i > 0 {
			if err := checkHole(&out.rings[0], &ring); err != nil {
				return err
			}
		}
		out.rings = append(out.rings, ring)
	}
	r.outlines = append(r.outlines, out)
	return nil
}

// checkHole returns an error unless the hole lies in the outer ring; it may touch it.
func checkHole(outer, hole *ring) error {
	touching := 1e-12 * (math.Abs(outer.maxX) + math.Abs(outer.minX) + math.Abs(outer.maxY) + math.Abs(outer.minY))
	for i := range hole.edges {
		e := &hole.edges[i]
		d2, inside := outer.nearest(e.ax, e.ay, math.Inf(1))
		if !inside && d2 > touching*touching {
			return fmt.Errorf("%w: %s reaches outside it: point (%g, %g) is %.3g m beyond its edge", ErrPolygon, hole.name, e.ax, e.ay, math.Sqrt(d2))
		}
		for j := range outer.edges {
			if o := &outer.edges[j]; crosses(e, o) {
				return &CrossingError{Ring: hole.name, Other: outer.name, A: e.ends(), B: o.ends()}
			}
		}
	}
	return nil
}

// nearest returns the squared distance of (x, y) to the outline's edges and
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

// SignedDistance returns the distance in metres from p to the nearest edge of
// the boundary, a hole or a keep-out, positive where p is free. Where it is not
// free, the result is negative and its size a lower bound of the way out of the
// obstacles. The margin is not taken off.
func (r *Region) SignedDistance(p orb.Point) float64 {
	d := math.Inf(1)
	for i := range r.outlines {
		o := &r.outlines[i]
		if !o.free && o.rings[0].boxDistance2(p[0], p[1]) > d*d {
			continue // outside this keep-out, and farther from it than from what is negative or nearer already
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
func (r *Region) clear(x, y, need float64) bool {
	need2 := need * need
	for i := range r.outlines {
		o := &r.outlines[i]
		if !o.free && o.rings[0].boxDistance2(x, y) > need2 {
			continue
		}
		if d2, inside := o.nearest(x, y); inside != o.free || d2 < need2 {
			return false
		}
	}
	return true
}

// strict reports whether (x, y) belongs to the region that ways are made in.
func (r *Region) strict(x, y float64) bool { return r.clear(x, y, r.keep-r.tol) }

// Dim returns 2.
func (r *Region) Dim() int { return 2 }

// Margin returns the margin in metres.
func (r *Region) Margin() float64 { return r.margin }

// Edge returns the region's edge as line segments, in no particular order, each with
// the region to its left. Arcs round what sticks out are chords of arcPiece radians
// at most, which cut the margin short by half a percent at most. It must not be
// changed.
func (r *Region) Edge() [][2]orb.Point { return r.edge }

// Area returns the area of the region in m², exactly but for rounding.
func (r *Region) Area() float64 { return r.area }

// Parts returns the number of parts that no way inside the region joins. A
// passage counts as a way when it is about 2 % wider than two margins.
func (r *Region) Parts() int { return r.graph.parts }

// Contains reports whether x keeps the margin.
func (r *Region) Contains(x []float64) bool {
	if len(x) != 2 {
		panic(panicDim)
	}
	if r.clear(x[0], x[1], max(r.margin-r.tol, 0)) {
		return true
	}
	// On the very edge the inside is a matter of rounding.
	return r.margin == 0 && r.SignedDistance(orb.Point{x[0], x[1]}) >= -r.tol
}

// Bounds returns the smallest box around the region.
func (r *Region) Bounds() (lo, hi []float64) {
	return []float64{r.lo[0], r.lo[1]}, []float64{r.hi[0], r.hi[1]}
}

// Centre returns the centre of the largest disc that fits between the edges, to
// about one part in 500 of its radius. Of discs that good the one nearest to the
// boundary's centroid is preferred, when that is one of them.
func (r *Region) Centre() []float64 { return []float64{r.pole[0], r.pole[1]} }

// Points returns n points of a randomised Halton sequence over the bounding box
// that fall into the region. Where less than one in 100 does, some are brought
// in by Project and lie on its edge.
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

// Travel returns the length of the shortest way inside the region.
func (r *Region) Travel() Travel { return r.NewDistanceField() }
