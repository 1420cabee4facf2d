// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

const (
	// headedAlike is the least cosine between the directions at the start of a drive and where
	// it comes round: a start at a right-angled corner passes, a drive past the start in the
	// opposite direction does not.
	headedAlike = -0.5
	// sameLine is the least cosine between directions that are those of one line.
	sameLine = 0.7
	// mostTails is the largest share of a drive that may lie before and after the place where
	// its end crosses its beginning.
	mostTails = 0.2
)

// nearness returns the distance at which the end of a drive is at its start, m: two points of the
// path, and twice the standard deviation of both.
func nearness(a, b point, cfg *Config) float64 {
	near := 2 * (a.StdDev + b.StdDev)
	if a.Driven && b.Driven {
		near += 2 * cfg.Spacing
	}
	return near
}

// comeRound drops the overlap at the end of a path that has come back to its beginning, and returns
// the length of the dropped part, m.
func comeRound(points []point, cfg *Config) ([]point, float64) {
	total := pathLength(points)
	if last := firstReturn(points, cfg); last >= 0 {
		end := last
		if !points[0].Driven && end > 3 { // the first corner again
			return points[:end], pathLength(points[last:])
		}
		// Points beside the start, or past it on the same line, would turn the ring back.
		for d := 0.0; end > 3; end-- {
			if d = distance(points[end].At, points[0].At); d >= cfg.Spacing/2 &&
				(d > nearness(points[end], points[0], cfg) || along(points, end) <= 0 || cosine(points, end) < sameLine) {
				break
			}
		}
		return points[:end+1], pathLength(points[last:])
	}
	best := mostTails * total
	var ring []point
	for i, before := 0, 0.0; i < len(points)-2 && before < best; i++ {
		after := 0.0
		for j := len(points) - 2; j > i+1 && before+after < best; j-- {
			if at, met := meet(points[i].At, points[i+1].At, points[j].At, points[j+1].At); met {
				if tails := before + distance(points[i].At, at) + after + distance(at, points[j+1].At); tails < best {
					best = tails
					ring = append([]point{between(at, points[i], points[i+1], points[j], points[j+1])}, points[i+1:j+1]...)
				}
			}
			after += distance(points[j].At, points[j+1].At)
		}
		before += distance(points[i].At, points[i+1].At)
	}
	if ring == nil {
		return points, 0
	}
	return distinct(ring), best
}

// firstReturn returns the index of the point nearest to the start of a path at its first return there
// with the same heading; -1 if it does not return.
func firstReturn(points []point, cfg *Config) int {
	from, away := points[0], false
	for i := 1; i < len(points); i++ {
		near, d := nearness(points[i], from, cfg), distance(points[i].At, from.At)
		away = away || d > 2*near
		if !away || d > near || cosine(points, i) < headedAlike {
			continue
		}
		for i+1 < len(points) && distance(points[i+1].At, from.At) < distance(points[i].At, from.At) {
			i++
		}
		return i
	}
	return -1
}

// cosine returns the cosine between the directions of a path at its start and at its point i.
func cosine(points []point, i int) float64 {
	a, b := points[0].At, points[1].At
	c, d := points[i-1].At, points[i].At
	return ((b[0]-a[0])*(d[0]-c[0]) + (b[1]-a[1])*(d[1]-c[1])) / (distance(a, b) * distance(c, d))
}

// along returns by how much point i of a path lies ahead of its start, m.
func along(points []point, i int) float64 {
	a, b, p := points[0].At, points[1].At, points[i].At
	return ((p[0]-a[0])*(b[0]-a[0]) + (p[1]-a[1])*(b[1]-a[1])) / distance(a, b)
}

func pathLength(points []point) float64 { return planar.Length(places(points)) }

// between returns a point of the edge at a place where two lines meet, as uncertain as the most
// uncertain of their ends.
func between(at orb.Point, ends ...point) point {
	p := ends[0]
	p.At = at
	for _, e := range ends {
		p.StdDev = max(p.StdDev, e.StdDev)
		p.Driven = p.Driven && e.Driven
	}
	return p
}

// cutLoops removes the loops of a ring that the spacing, the uncertainty and the offset of the edge can
// explain by their size, and spurs driven out and back on one line. It returns the remaining points,
// the standard deviation of the edge at each loop, m, and where the ring still crosses itself.
func cutLoops(points []point, cfg *Config) (ring []point, cut []float64, left []Crossing) {
	ring = slices.Clone(points)
	from := 0
next:
	for {
		n := len(ring)
		if n < 4 {
			return ring, cut, left
		}
		for i := from; i < n; i++ {
			a, b, c := ring[i], ring[(i+1)%n], ring[(i+2)%n]
			if foldsBack(a.At, b.At, c.At) && min(distance(a.At, b.At), distance(b.At, c.At)) <= small([]point{a, b, c}, cfg) {
				cut = append(cut, b.StdDev) // it encloses nothing, however long
				ring = distinct(slices.Delete(ring, (i+1)%n, (i+1)%n+1))
				from = 0
				continue next
			}
			for j := i + 2; j < n && (i > 0 || j < n-1); j++ {
				at, met := meet(ring[i].At, ring[i+1].At, ring[j].At, ring[(j+1)%n].At)
				if !met {
					continue
				}
				inner, outer := ring[i+1:j+1], slices.Concat(ring[j+1:], ring[:i+1])
				x := between(at, ring[i], ring[i+1], ring[j], ring[(j+1)%n])
				switch {
				case extent(inner) <= extent(outer) && extent(inner) <= small(inner, cfg):
					cut = append(cut, wide(inner, x))
					ring = distinct(slices.Concat(ring[:i+1], []point{x}, ring[j+1:]))
				case extent(outer) < extent(inner) && extent(outer) <= small(outer, cfg):
					cut = append(cut, wide(outer, x))
					ring = distinct(append([]point{x}, slices.Clone(inner)...))
				default:
					left = append(left, Crossing{at, ring[i].Stamp, ring[j].Stamp})
					continue
				}
				from, left = 0, nil
				continue next
			}
		}
		return ring, cut, left
	}
}

// wide returns the standard deviation of an edge with a loop that was cut at x, m: the edge may be
// on any side of the loop, whose width is about the root of its area.
func wide(loop []point, x point) float64 {
	return math.Sqrt(x.StdDev*x.StdDev + math.Abs(planar.Area(places(append(slices.Clone(loop), x)))))
}

// small returns the largest extent of a loop that is cut, m.
func small(loop []point, cfg *Config) float64 {
	limit, worst := 2*math.Abs(cfg.Offset), 0.0
	for _, p := range loop {
		worst = max(worst, p.StdDev)
		if p.Driven {
			limit = max(limit, 2*math.Abs(cfg.Offset)+cfg.Spacing)
		}
	}
	return limit + 4*worst
}

// extent returns the diagonal of the bounding box of points, m.
func extent(points []point) float64 {
	b := orb.MultiPoint(places(points)).Bound()
	return distance(b.Min, b.Max)
}
