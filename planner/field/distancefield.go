package field

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// DistanceField holds the lengths of the shortest paths inside a [Region] from one
// start. [DistanceField.From] searches the visibility graph of the region. Each length
// after that takes a few microseconds and allocates nothing. A DistanceField is not
// safe for concurrent use.
//
// A start or an end outside the region is joined to the nearest point of the region by
// a straight line. The line counts towards the length; obstacles on it are ignored.
type DistanceField struct {
	region *Region
	asked  orb.Point // the start, possibly outside the region
	start  orb.Point // the nearest point of the region
	detour float64   // m, from asked to start
	dist   []float64 // m, from asked to each node of the graph
	prev   []int     // the node before it on the path; -1: the start
	done   []bool
	bound  []float64 // workspace of to
}

var _ Travel = (*DistanceField)(nil)

// NewDistanceField returns a distance field whose start is the region's centre.
func (r *Region) NewDistanceField() *DistanceField {
	n := len(r.graph.nodes)
	d := &DistanceField{region: r, dist: make([]float64, n), prev: make([]int, n), done: make([]bool, n), bound: make([]float64, n)}
	d.From(r.pole[:])
	return d
}

// From sets the start and finds the distance of every node by Dijkstra's algorithm. It
// allocates nothing.
func (d *DistanceField) From(x []float64) {
	if len(x) != 2 {
		panic(panicDim)
	}
	d.asked = orb.Point{x[0], x[1]}
	d.start = d.region.snap(d.asked)
	d.detour = dist(d.asked, d.start)
	for i, p := range d.region.graph.nodes {
		d.dist[i], d.prev[i], d.done[i] = math.Inf(1), -1, false
		if d.region.visible(d.start, p) {
			d.dist[i] = d.detour + dist(d.start, p)
		}
	}
	for {
		at := -1
		for i, l := range d.dist {
			if !d.done[i] && !math.IsInf(l, 1) && (at < 0 || l < d.dist[at]) {
				at = i
			}
		}
		if at < 0 {
			return
		}
		d.done[at] = true
		for i, l := range d.region.graph.length[at] {
			if s := d.dist[at] + l; s < d.dist[i] {
				d.dist[i], d.prev[i] = s, at
			}
		}
	}
}

// Length returns the length of the shortest path from the start to x in metres, or
// +Inf if x lies in another part of the region.
func (d *DistanceField) Length(x []float64) float64 {
	if len(x) != 2 {
		panic(panicDim)
	}
	l, _, _ := d.to(orb.Point{x[0], x[1]})
	return l
}

// LengthGrad returns Length and its gradient: the direction from the last bend
// to x.
func (d *DistanceField) LengthGrad(dst, x []float64) float64 {
	if len(dst) != 2 || len(x) != 2 {
		panic(panicDim)
	}
	asked := orb.Point{x[0], x[1]}
	l, last, end := d.to(asked)
	from := d.start
	if last >= 0 {
		from = d.region.graph.nodes[last]
	}
	if asked != end { // x is outside: the path reaches it from the edge of the region
		from = end
	}
	dst[0], dst[1] = 0, 0
	if s := dist(from, asked); s > 0 && !math.IsInf(l, 1) {
		dst[0], dst[1] = (asked[0]-from[0])/s, (asked[1]-from[1])/s
	}
	return l
}

// to returns the length of the path to p, the last bend before p (-1 for none), and the
// point of the region nearest to p.
func (d *DistanceField) to(p orb.Point) (length float64, last int, end orb.Point) {
	r := d.region
	end = r.snap(p)
	detour := dist(p, end)
	if r.visible(d.start, end) {
		return d.detour + dist(d.start, end) + detour, -1, end
	}
	// A path over a bend is at least as long as if the end were visible from the bend. So
	// in the order of these bounds the first bend from which it is visible is the best.
	for i, n := range r.graph.nodes {
		d.bound[i] = d.dist[i] + dist(n, end)
	}
	for {
		best := -1
		for i, b := range d.bound {
			if !math.IsInf(b, 1) && (best < 0 || b < d.bound[best]) {
				best = i
			}
		}
		if best < 0 {
			return math.Inf(1), -1, end
		}
		if r.visible(r.graph.nodes[best], end) {
			return d.bound[best] + detour, best, end
		}
		d.bound[best] = math.Inf(1)
	}
}

// Path returns the shortest path from one place to another that keeps the margin: its
// points, both ends included, and its length in metres. Round a corner it is longer
// than the ideal by at most 1.3 % of the arc. An end outside the region is joined to
// the nearest point of the region by a straight line, whatever lies on it. The error is
// an [*UnreachableError].
func (r *Region) Path(from, to orb.Point) ([]orb.Point, float64, error) {
	d := r.NewDistanceField()
	d.From(from[:])
	return d.Path(to)
}

// Path returns the shortest path from the start to a place, as [Region.Path] does.
func (d *DistanceField) Path(to orb.Point) ([]orb.Point, float64, error) {
	length, last, end := d.to(to)
	if last < 0 && !d.region.visible(d.start, end) {
		return nil, 0, &UnreachableError{From: d.asked, To: to, Parts: d.region.graph.parts}
	}
	points := []orb.Point{to, end}
	for i := last; i >= 0; i = d.prev[i] {
		points = append(points, d.region.graph.nodes[i])
	}
	points = append(points, d.start, d.asked)
	slices.Reverse(points)
	return slices.Compact(points), length, nil
}

// UnreachableError reports that no path inside the region joins two places.
type UnreachableError struct {
	From, To orb.Point // m
	Parts    int       // number of parts into which the margin and the keep-outs divide the region
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("planner: no path from (%.6g, %.6g) to (%.6g, %.6g): the margin and the keep-outs divide the region into %d parts, and these places lie in different parts",
		e.From[0], e.From[1], e.To[0], e.To[1], e.Parts)
}
