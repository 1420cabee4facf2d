// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"errors"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"
)

// meet returns the place where the lines ab and cd meet; met is false if they have no point in
// common.
func meet(a, b, c, d orb.Point) (at orb.Point, met bool) {
	if max(a[0], b[0]) < min(c[0], d[0]) || max(c[0], d[0]) < min(a[0], b[0]) ||
		max(a[1], b[1]) < min(c[1], d[1]) || max(c[1], d[1]) < min(a[1], b[1]) {
		return at, false
	}
	c1, d1, a1, b1 := turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
	if math.Max(c1, d1) < 0 || math.Min(c1, d1) > 0 || math.Max(a1, b1) < 0 || math.Min(a1, b1) > 0 {
		return at, false
	}
	if c1 != d1 { // the lines are not parallel
		t := c1 / (c1 - d1)
		return orb.Point{c[0] + t*(d[0]-c[0]), c[1] + t*(d[1]-c[1])}, true
	}
	for _, p := range []orb.Point{c, d} { // an end of the one that lies on the other
		if (p[0]-a[0])*(p[0]-b[0])+(p[1]-a[1])*(p[1]-b[1]) <= 0 {
			return p, true
		}
	}
	return a, true
}

// turn returns twice the area of the triangle abc, m², positive if c lies to the left of ab.
func turn(a, b, c orb.Point) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// foldsBack reports whether the line bc runs back along ab.
func foldsBack(a, b, c orb.Point) bool {
	return turn(a, b, c) == 0 && (b[0]-a[0])*(c[0]-b[0])+(b[1]-a[1])*(c[1]-b[1]) < 0
}

// halvings is how often the tolerance of the simplification is halved where the result would cross
// itself or be no ring.
const halvings = 8

// simplified returns the ring of points that do not cross, closed and counter-clockwise, without
// those that lie within the least standard deviation of a point from the ring without them, so
// that no point moves by more than its own standard deviation. The tolerance, m, is less where
// the result would cross itself.
func simplified(points []point) (ring orb.Ring, tolerance float64, err error) {
	if len(points) < 3 {
		return nil, 0, errors.New("no room is left inside")
	}
	tolerance = math.Inf(1)
	start := 0
	for i, p := range points {
		tolerance = min(tolerance, p.StdDev)
		if q := points[start].At; p.At[0] < q[0] || p.At[0] == q[0] && p.At[1] < q[1] {
			start = i // an outer corner, which is not left out
		}
	}
	all := places(slices.Concat(points[start:], points[:start]))
	if planar.Area(all) < 0 {
		slices.Reverse(all[1:])
	}
	all = append(all, all[0])
	for range halvings {
		ring = orb.Ring(simplify.DouglasPeucker(tolerance).LineString(slices.Clone(orb.LineString(all))))
		if len(ring) > 3 && planar.Area(ring) > 0 && len(crossings(ring, 1)) == 0 {
			return ring, tolerance, nil
		}
		tolerance /= 2
	}
	return all, 0, nil
}
