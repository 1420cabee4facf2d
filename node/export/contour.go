// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/record"
)

// between returns the part of a map where the values are at least low and below high, as polygons
// with closed rings, outer rings counter-clockwise and holes clockwise. -Inf and +Inf are no limit.
// It is found by marching squares (W. E. Lorensen, H. E. Cline: Marching cubes, SIGGRAPH 1987, in two
// dimensions), and ends less than a cell beyond the outermost centres. values has grid.NX·grid.NY
// entries; NaN counts as below every level.
//
// The rings neither cross nor touch one another, if the limits differ by more than a millionth of the
// range of the values.
func between(grid record.Grid, values []float64, low, high float64) orb.MultiPolygon {
	rings := march(grid, values, max(low, -math.MaxFloat64), 0.5)
	for _, r := range march(grid, values, high, 0.25) {
		r.Reverse()
		rings = append(rings, r)
	}
	return nest(rings)
}

// march returns the lines of a level as closed rings, with what is above it on the left. Between the
// centres of neighbouring cells the values are interpolated linearly along the cells' axes. Beyond
// the outermost centres the lines run at a share of a cell. The rings neither cross nor touch.
func march(grid record.Grid, values []float64, level, beyond float64) []orb.Ring {
	m := marcher{grid: grid, values: values, level: level, beyond: beyond, next: map[edge]edge{}}
	for j := -1; j < grid.NY; j++ {
		for i := -1; i < grid.NX; i++ {
			m.square(i, j)
		}
	}
	return m.rings()
}

// edge joins two neighbouring centres: (i, j) and the one right of it, or above it.
type edge struct {
	i, j int
	up   bool
}

// marcher follows the line of a level. Outside the grid all values are -∞, so that each line
// is closed.
type marcher struct {
	grid   record.Grid
	values []float64
	level  float64
	beyond float64

	// next leads from each edge that the line crosses to the next one, with the values above
	// the level on the left. starts are its keys, in the order in which they were found.
	next   map[edge]edge
	starts []edge
}

func (m *marcher) at(i, j int) float64 {
	if i < 0 || j < 0 || i >= m.grid.NX || j >= m.grid.NY {
		return math.Inf(-1)
	}
	if v := m.values[j*m.grid.NX+i]; !math.IsNaN(v) {
		return v
	}
	return math.Inf(-1)
}

// square adds the line in the square whose lower left corner is the centre (i, j).
func (m *marcher) square(i, j int) {
	a, b, c, d := m.at(i, j), m.at(i+1, j), m.at(i+1, j+1), m.at(i, j+1) // counter-clockwise
	corners := 0                                                         // of which the values are above the level
	for k, v := range [4]float64{a, b, c, d} {
		if v >= m.level {
			corners |= 1 << k
		}
	}
	edges := [4]edge{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}}
	if joined := (a+b+c+d)/4 >= m.level; joined && (corners == 5 || corners == 10) {
		corners += 11 // a saddle: its middle decides which corners are joined
	}
	for _, piece := range pieces[corners] {
		m.next[edges[piece[0]]] = edges[piece[1]]
		m.starts = append(m.starts, edges[piece[0]])
	}
}

// The edges of a square, counter-clockwise.
const bottom, right, top, left = 0, 1, 2, 3

// pieces has the pieces of the line in a square, from edge to edge, by the corners above the level:
// 1, 2, 4 and 8 counter-clockwise from the lower left. 16 and 21 are the saddles 5 and 10 with joined
// corners.
var pieces = [22][][2]int{
	1: {{bottom, left}}, 2: {{right, bottom}}, 3: {{right, left}}, 4: {{top, right}}, 6: {{top, bottom}}, 7: {{top, left}},
	8: {{left, top}}, 9: {{bottom, top}}, 11: {{right, top}}, 12: {{left, right}}, 13: {{bottom, right}}, 14: {{left, bottom}},
	5: {{bottom, left}, {top, right}}, 16: {{bottom, right}, {top, left}}, 10: {{right, bottom}, {left, top}}, 21: {{left, bottom}, {right, top}},
}

// rings returns the closed lines.
func (m *marcher) rings() (rings []orb.Ring) {
	for _, start := range m.starts {
		var ring orb.Ring
		for e, ok := m.next[start]; ok; e, ok = m.next[e] {
			delete(m.next, start)
			ring, start = append(ring, m.crossing(e)), e
		}
		if len(ring) > 0 {
			rings = append(rings, append(ring, ring[0]))
		}
	}
	return rings
}

// leastShare keeps the crossings away from the centres, so that rings do not touch there.
const leastShare = 1e-6

// crossing returns where the line crosses an edge, m.
func (m *marcher) crossing(e edge) orb.Point {
	i, j := e.i+1, e.j
	if e.up {
		i, j = e.i, e.j+1
	}
	p, q := m.grid.Centre(e.i, e.j), m.grid.Centre(i, j)
	v, w := m.at(e.i, e.j), m.at(i, j)
	share := (m.level - v) / (w - v)
	switch {
	case math.IsInf(v, -1):
		share = 1 - m.beyond
	case math.IsInf(w, -1):
		share = m.beyond
	}
	share = min(max(share, leastShare), 1-leastShare)
	return orb.Point{p[0] + share*(q[0]-p[0]), p[1] + share*(q[1]-p[1])}
}

// nest makes polygons of rings. Each hole belongs to the smallest ring around it.
func nest(rings []orb.Ring) (polygons orb.MultiPolygon) {
	var holes []orb.Ring
	for _, r := range rings {
		if r.Orientation() == orb.CCW {
			polygons = append(polygons, orb.Polygon{r})
		} else {
			holes = append(holes, r)
		}
	}
	for _, h := range holes {
		around, least := -1, math.Inf(1)
		for k, p := range polygons {
			if !p[0].Bound().Contains(h[0]) || !planar.RingContains(p[0], h[0]) {
				continue
			}
			if area := planar.Area(p[0]); area < least {
				around, least = k, area
			}
		}
		if around >= 0 {
			polygons[around] = append(polygons[around], h)
		}
	}
	return polygons
}
