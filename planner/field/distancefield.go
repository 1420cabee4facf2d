// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// errUnreachable is wrapped if no path inside the region joins two places.
var errUnreachable = errors.New("planner: no path")

// DistanceField holds the lengths of the shortest paths inside a [Region] from one
// start. [DistanceField.From] searches the visibility graph of the region. Each length
// after that takes a few microseconds and allocates nothing. A DistanceField is not
// safe for concurrent use.
//
// A start or an end that does not keep the margin is joined to the region by the way in
// that [Region.Path] describes, which counts towards the length.
type DistanceField struct {
	region *Region
	in     []orb.Point // the way in from the start that was asked for
	start  orb.Point   // its end, in the region
	detour float64     // m, its length; +Inf: there is none
	dist   []float64   // m, from the start that was asked for to each node of the graph
	prev   []int       // the node before it on the path; -1: the start
	done   []bool
	out    []orb.Point // the way in from the end of the last path
	bound  []float64   // workspace of to
}

var _ Travel = (*DistanceField)(nil)

// NewDistanceField returns a distance field whose start is the region's centre.
func (r *Region) NewDistanceField() *DistanceField {
	d := r.newDistanceField()
	d.From(r.pole[:])
	return d
}

// newDistanceField returns a distance field that has no start yet.
func (r *Region) newDistanceField() *DistanceField {
	n := len(r.graph.nodes)
	return &DistanceField{region: r, dist: make([]float64, n), prev: make([]int, n), done: make([]bool, n), bound: make([]float64, n)}
}

// From sets the start and finds the distance of every node by Dijkstra's algorithm. It
// allocates nothing, unless the straight line into the region is blocked.
func (d *DistanceField) From(x []float64) {
	if len(x) != 2 {
		panic(panicDim)
	}
	d.in, d.detour = d.region.wayIn(d.in[:0], orb.Point{x[0], x[1]})
	d.start = d.in[len(d.in)-1]
	for i, p := range d.region.graph.nodes {
		d.dist[i], d.prev[i], d.done[i] = math.Inf(1), -1, false
		if d.reaches(p) {
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

// reaches reports whether a straight line leads from the start to p.
func (d *DistanceField) reaches(p orb.Point) bool {
	return !math.IsInf(d.detour, 1) && d.region.visible(d.start, p)
}

// Length returns the length of the shortest path from the start to x in metres, or
// +Inf if there is none.
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
	l, last, out := d.to(asked)
	from := d.start
	if last >= 0 {
		from = d.region.graph.nodes[last]
	}
	if len(out) > 1 { // x is outside: the path reaches it by the way out
		from = out[1]
	}
	dst[0], dst[1] = 0, 0
	if s := dist(from, asked); s > 0 && !math.IsInf(l, 1) {
		dst[0], dst[1] = (asked[0]-from[0])/s, (asked[1]-from[1])/s
	}
	return l
}

// to returns the length of the path to p, the last bend before p (-1 for none), and the way
// into the region from p, which is valid until the next call.
func (d *DistanceField) to(p orb.Point) (length float64, last int, in []orb.Point) {
	r := d.region
	in, detour := r.wayIn(d.out[:0], p)
	d.out = in
	end := in[len(in)-1]
	if math.IsInf(detour, 1) {
		return detour, -1, in
	}
	if d.reaches(end) {
		return d.detour + dist(d.start, end) + detour, -1, in
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
			return math.Inf(1), -1, in
		}
		if r.visible(r.graph.nodes[best], end) {
			return d.bound[best] + detour, best, in
		}
		d.bound[best] = math.Inf(1)
	}
}

// Path returns the shortest path from one place to another that keeps the margin: its
// points, both ends included, and its length in metres. Round a corner it is longer
// than the ideal by at most 1.3 % of the arc. An end that does not keep the margin is
// joined to the nearest place that does by a straight line; where an edge crosses that line,
// by the shortest path that keeps at least half of the margin, or a quarter, and so on. An
// end outside the field or in a keep-out is joined to the nearest free place first. The
// error says that no path joins them.
func (r *Region) Path(from, to orb.Point) ([]orb.Point, float64, error) {
	if r.strict(from[0], from[1]) && r.strict(to[0], to[1]) && r.visible(from, to) {
		return slices.Compact([]orb.Point{from, to}), dist(from, to), nil
	}
	d := r.newDistanceField()
	d.From(from[:])
	return d.pathTo(to)
}

// pathTo returns the shortest path from the start to a place, as [Region.Path] does.
func (d *DistanceField) pathTo(to orb.Point) ([]orb.Point, float64, error) {
	length, last, in := d.to(to)
	if math.IsInf(length, 1) {
		from := d.in[0]
		return nil, 0, fmt.Errorf("%w from (%.6g, %.6g) to (%.6g, %.6g): the margin and the keep-outs divide the region into %d parts, and these places lie in different parts",
			errUnreachable, from[0], from[1], to[0], to[1], d.region.graph.parts)
	}
	points := slices.Clone(in)
	for i := last; i >= 0; i = d.prev[i] {
		points = append(points, d.region.graph.nodes[i])
	}
	slices.Reverse(points)
	return slices.Compact(append(slices.Clone(d.in), points...)), length, nil
}
