// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"

	"github.com/paulmach/orb"
)

// leastMargin is the margin, m, below which the next less one is none.
const leastMargin = 0.1

// widen returns the region of the same field with half the margin, nil if r has none.
func (r *Region) widen() *Region {
	if r.margin == 0 {
		return nil
	}
	margin := r.margin / 2
	if margin < leastMargin {
		margin = 0
	}
	wider, err := r.withMargin(margin)
	if err != nil {
		panic(err) // it would be empty, but it contains r
	}
	return wider
}

// wayIn appends the way from p to a place of the region to dst, p included, and returns it
// with its length, m: p alone if it keeps the margin. Otherwise it is a straight line to the
// nearest place that does. If that line crosses an edge, as from a narrow place beside a
// fence, it is the shortest path in the region with less margin. From outside the field or
// in a keep-out it leads to the nearest free place first. Where there is none, the length is
// +Inf: p is free, and closed in.
func (r *Region) wayIn(dst []orb.Point, p orb.Point) ([]orb.Point, float64) {
	if r.strict(p[0], p[1]) {
		return append(dst, p), 0
	}
	free := p
	if !r.clear(p[0], p[1], r.tol) { // also if p is no number
		free = r.free().snap(p)
	}
	if near := r.snap(free); free == near || r.Clear(free, near, 0) {
		out := dist(p, free)
		if straight := dist(p, near); out+dist(free, near) <= straight+r.tol {
			return append(dst, p, near), straight
		}
		return append(dst, p, free, near), out + dist(free, near)
	}
	if r.margin == 0 {
		return append(dst, p, free), dist(p, free)
	}
	way, length := r.wider().wayIn(nil, free)
	if math.IsInf(length, 1) {
		return append(dst, p), length
	}
	paths := r.wider().NewDistanceField()
	paths.From(way[len(way)-1][:])
	entry, least := orb.Point{}, math.Inf(1)
	// The path may enter r at the place nearest to its start or to a bend, or at an outward
	// corner, of which each part of r has some.
	places := append([]orb.Point{r.snap(way[len(way)-1])}, r.tips...)
	for _, n := range paths.region.graph.nodes {
		places = append(places, r.snap(n))
	}
	for _, q := range places {
		if l := paths.Length(q[:]); l < least {
			entry, least = q, l
		}
	}
	if math.IsInf(least, 1) {
		return append(dst, p), least
	}
	rest, _, err := paths.pathTo(entry)
	if err != nil {
		panic(err) // its length is known
	}
	if p != free {
		dst = append(dst, p)
	}
	dst = append(append(dst, way...), rest[1:]...)
	return dst, dist(p, free) + length + least
}

// free returns the region of the same field without a margin.
func (r *Region) free() *Region {
	for r.margin > 0 {
		r = r.wider()
	}
	return r
}
