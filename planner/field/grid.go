// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"
)

const (
	// gridScan is the number of lattice spacings that are tried. They range over half
	// of the spacing that the area suggests, to either side of it.
	gridScan = 400
	// gridShifts is the number of positions of each lattice that are tried per axis.
	gridShifts = 4
	// gridSpread is the largest number of points for which a grid is spread out when no
	// lattice fits. The time that takes grows with the square of the number.
	gridSpread = 5000
)

// Grid returns n points of a lattice inside the region. Rows run along the longer side of
// the bounding box, in alternating directions, and are apart times as far from one another
// as the points of a row: 1 for a square lattice, more for lines. If no lattice has
// exactly n points, one with up to 2 % more or fewer is returned. If there is none of
// those either, as in a region narrower than the spacing, Grid returns n points as far
// as possible from one another, each followed by the nearest of the rest; for n > 5000,
// the best lattice found.
func (r *Region) Grid(n int, apart float64) [][]float64 {
	if n <= 0 {
		panic(panicPoints)
	}
	side := math.Sqrt(r.area / (float64(n) * apart))
	var best []orb.Point
	for k := range gridScan {
		// 1, 1+s, 1-s, 1+2s, …: of equally good lattices the one whose cells are closest to area/n.
		f := side * (1 + float64((k+1)/2)*float64(1-2*(k%2))/gridScan)
		if w, h := r.hi[0]-r.lo[0], r.hi[1]-r.lo[1]; w*h > f*f*apart*float64(30*n+3000) || max(w, h) > f*float64(30*n+3000) {
			break // the region is a tiny part of its box, or almost a line
		}
		for s := range gridShifts * gridShifts {
			got := r.lattice(f, apart*f, float64(s%gridShifts)/gridShifts, float64(s/gridShifts)/gridShifts)
			if best == nil || abs(len(got)-n) < abs(len(best)-n) {
				best = got
			}
			if len(best) == n {
				return coordinates(best)
			}
		}
	}
	if n > gridSpread && len(best) > 0 || abs(len(best)-n) <= n/50 {
		return coordinates(best)
	}
	return coordinates(r.spread(n))
}

// lattice returns the points inside the region of the lattice with the given spacings along
// the rows and between them, m, shifted by u spacings along the rows and v across them.
func (r *Region) lattice(side, between, u, v float64) []orb.Point {
	w, h := r.hi[0]-r.lo[0], r.hi[1]-r.lo[1]
	along, across := 0, 1
	if h > w {
		along, across = 1, 0
	}
	var out []orb.Point
	// With u and v of 0 the lattice begins half a cell from the edge of the box.
	for row := 0; ; row++ {
		var p orb.Point
		p[across] = r.lo[across] + (float64(row)+0.5-v)*between
		if p[across] > r.hi[across] {
			return out
		}
		begin := len(out)
		for col := 0; ; col++ {
			p[along] = r.lo[along] + (float64(col)+0.5-u)*side
			if p[along] > r.hi[along] {
				break
			}
			if r.strict(p[0], p[1]) {
				out = append(out, p)
			}
		}
		if row%2 == 1 {
			slices.Reverse(out[begin:])
		}
	}
}

// spread returns n of many quasi-random points: first the centre, then always the point
// farthest from those chosen. It orders them as a tour that begins at an end.
func (r *Region) spread(n int) []orb.Point {
	many := r.Points(20*n+200, rand.New(rand.NewPCG(1, 1)))
	count, _ := many.Dims()
	from := make([]float64, count) // m, distance to the nearest point chosen
	for i := range from {
		from[i] = math.Inf(1)
	}
	chosen := make([]orb.Point, 0, n)
	for at := r.pole; ; {
		chosen = append(chosen, at)
		if len(chosen) == n {
			break
		}
		far := 0
		for i := range from {
			from[i] = min(from[i], dist(at, orb.Point(many.RawRowView(i))))
			if from[i] > from[far] {
				far = i
			}
		}
		at = orb.Point(many.RawRowView(far))
	}
	// The point farthest from the centre is an end.
	begin := 0
	for i, p := range chosen {
		if dist(p, r.pole) > dist(chosen[begin], r.pole) {
			begin = i
		}
	}
	chosen[0], chosen[begin] = chosen[begin], chosen[0]
	for i := 1; i < n; i++ {
		next := i
		for j := i; j < n; j++ {
			if dist(chosen[j], chosen[i-1]) < dist(chosen[next], chosen[i-1]) {
				next = j
			}
		}
		chosen[i], chosen[next] = chosen[next], chosen[i]
	}
	return chosen
}

func coordinates(points []orb.Point) [][]float64 {
	out := make([][]float64, len(points))
	for i := range points {
		out[i] = []float64{points[i][0], points[i][1]}
	}
	return out
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
