// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// track is a path split at its cusps, with the position reached on it.
type track struct {
	pts  []orb.Point
	arc  []float64 // arc[i] is the length of the path up to pts[i]
	legs []int     // indices of the last points of the legs, ascending

	open bool    // pts[0] is not known yet: it will be the robot's position
	leg  int     // the leg being driven, an index into legs
	seg  int     // the segment pts[seg], pts[seg+1] nearest to the robot
	s    float64 // the arc length of the point nearest to the robot
}

// set replaces the path. It drops points equal to their predecessors.
func (t *track) set(points []orb.Point) error {
	if len(points) == 0 {
		return fmt.Errorf("pursuit: path has no points: must have at least one, the goal")
	}
	if n := len(points); n > maxPoints {
		return fmt.Errorf("pursuit: path has %d points: must have at most %d", n, maxPoints)
	}
	for i, p := range points {
		// A bound far beyond any field keeps squares and lengths finite.
		if !(math.Abs(p[0]) <= maxCoordinate && math.Abs(p[1]) <= maxCoordinate) {
			return fmt.Errorf("pursuit: path point %d is (%g, %g): must be within ±%g m", i, p[0], p[1], float64(maxCoordinate))
		}
	}
	t.pts, t.arc, t.legs = t.pts[:0], t.arc[:0], t.legs[:0]
	t.leg, t.seg, t.s = 0, 0, 0
	for _, p := range points {
		if n := len(t.pts); n == 0 || p != t.pts[n-1] {
			t.pts = append(t.pts, p)
		}
	}
	t.open = len(t.pts) == 1
	if t.open {
		t.pts = append(t.pts, t.pts[0])
	}
	for i, p := range t.pts {
		if i == 0 {
			t.arc = append(t.arc, 0)
			continue
		}
		t.arc = append(t.arc, t.arc[i-1]+dist(t.pts[i-1], p))
		if i+1 < len(t.pts) && math.Abs(corner(t.pts[i-1], p, t.pts[i+1])) > cuspAngle {
			t.legs = append(t.legs, i)
		}
	}
	t.legs = append(t.legs, len(t.pts)-1)
	return nil
}

const maxCoordinate = 1e9

// maxPoints is the largest number of points of a path: 5 km in steps of 5 cm.
const maxPoints = 100_000

// start sets the robot's position p as the first point of the path to a goal.
func (t *track) start(p orb.Point) {
	if t.open {
		t.open = false
		t.pts[0] = p
		t.arc[1] = dist(p, t.pts[1])
	}
}

// end returns the last point of the leg.
func (t *track) end() orb.Point { return t.pts[t.legs[t.leg]] }

// advance moves the position on the leg to the point nearest to p, never back and at most window metres ahead, so that a path
// that comes close to itself is not cut short.
func (t *track) advance(p orb.Point, window float64) {
	last := t.legs[t.leg]
	best, bestSeg, bestS := math.Inf(1), t.seg, t.s
	for i := t.seg; i < last && t.arc[i] <= t.s+window; i++ {
		a, b := t.pts[i], t.pts[i+1]
		dx, dy := b[0]-a[0], b[1]-a[1]
		length := t.arc[i+1] - t.arc[i]
		along := 0.0
		if length > 0 {
			along = ((p[0]-a[0])*dx + (p[1]-a[1])*dy) / length
		}
		along = min(max(along, t.s-t.arc[i], 0), length, t.s+window-t.arc[i])
		q := at(a, b, along, length)
		if d := dist(p, q); d < best {
			best, bestSeg, bestS = d, i, t.arc[i]+along
		}
	}
	t.seg, t.s = bestSeg, max(t.s, bestS)
}

// lookahead returns the first point of the leg, from the current position on, that is d metres away from p, or the end of the
// leg.
func (t *track) lookahead(p orb.Point, d float64) orb.Point {
	last := t.legs[t.leg]
	for i := t.seg; i < last; i++ {
		a, b := t.pts[i], t.pts[i+1]
		if i == t.seg {
			a = at(t.pts[i], b, t.s-t.arc[i], t.arc[i+1]-t.arc[i])
			if dist(p, a) >= d { // off the path: return to it
				return a
			}
		}
		if dist(p, b) < d {
			continue
		}
		// |a + u·(b−a) − p| = d with |a−p| < d ≤ |b−p|: the one root in (0, 1] of u²·A + 2u·B + C = 0, where C < 0.
		dx, dy := b[0]-a[0], b[1]-a[1]
		ex, ey := a[0]-p[0], a[1]-p[1]
		A, B, C := dx*dx+dy*dy, ex*dx+ey*dy, ex*ex+ey*ey-d*d
		u := min(1, -C/(B+math.Sqrt(max(0, B*B-A*C))))
		if B < 0 {
			u = min(1, (-B+math.Sqrt(max(0, B*B-A*C)))/A)
		}
		return orb.Point{a[0] + u*dx, a[1] + u*dy}
	}
	return t.end()
}

// at returns the point of the segment from a to b that is along metres from a. length is the length of the segment.
func at(a, b orb.Point, along, length float64) orb.Point {
	if along <= 0 || length <= 0 {
		return a
	}
	return Between(a, b, along/length)
}

// corner returns the change of direction at b, rad, positive to the left.
func corner(a, b, c orb.Point) float64 {
	return wrap(math.Atan2(c[1]-b[1], c[0]-b[0]) - math.Atan2(b[1]-a[1], b[0]-a[0]))
}

func dist(a, b orb.Point) float64 { return math.Hypot(b[0]-a[0], b[1]-a[1]) }

// wrap returns the angle in [−π, π].
func wrap(a float64) float64 { return math.Remainder(a, 2*math.Pi) }
