// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localizability

import "math"

// The weights of the interpolation, which is that of Shepard (1968): a cell at distance r
// counts (1 + (r/edge)²)^-4. What is expected without it counts like the nearest cell, however
// many there are, if that is at typicalDistance, or at zoneDistance for what a zone states.
// Both are shares of the map's longer side.
const (
	typicalDistance = 1.0 / 5
	zoneDistance    = 1.0 / 40
)

// unknownShare limits the variance that is expected far from all places where the robot has been.
// That is the mean of all cells, but at most this share of the way from the lowest variance to the
// highest. Otherwise a robot that has hardly been outside a wood would expect a wood everywhere, and
// never leave it.
const unknownShare = 0.5

// If the robot has been within near cells of a place, the cells count that are at most farther times
// as far away as the nearest one. Otherwise blocks of cells count.
const (
	near    = 3
	farther = 3
	block   = 4 // cells along each side
)

// Expectation is the expected variance of the robot's position at every place, a snapshot of a
// [Map]. It computes a place when it is first asked for, without allocating, so only one goroutine
// may use it at a time.
//
// Near places where the robot has been, it is a mean of variances, not of their logarithms, since
// the law of total variance adds that mean to the execution noise.
type Expectation struct {
	m       *Map
	seen    []known
	here    []int32 // of each cell: 0 where the robot has not been, else 1 + the index in seen
	blocks  []known // seen, taken together block by block and zone by zone
	highest float64 // m²
	mean    float64 // m²
	unknown float64 // m², expected far from all places where the robot has been
	values  []float64
}

// known is a cell that the robot has been in, or the cells of a block.
type known struct {
	x, y, weight, variance float64
	zone                   int
}

// Expect returns the expectation now, nil if the robot has been nowhere and nothing is stated.
func (m *Map) Expect(now int64) *Expectation {
	if m == nil || m.seen == 0 && len(m.cfg.Zones) == 0 {
		return nil
	}
	e := &Expectation{
		m:    &Map{cfg: m.cfg, side: m.side, edge: m.edge, nx: m.nx, ny: m.ny, zone: m.zone}, // without what changes
		seen: make([]known, 0, m.seen), here: make([]int32, len(m.cells)), values: make([]float64, len(m.cells)),
	}
	for k := range e.values {
		e.values[k] = math.NaN()
	}
	sum, weight, low, high := 0.0, 0.0, math.Inf(1), 0.0
	for k, c := range m.cells {
		if c.weight == 0 {
			continue
		}
		at := m.centre(k)
		s := known{x: at[0], y: at[1], weight: min(c.weight, 1) * m.left(c.stamp, now), variance: c.variance, zone: m.zone[k]}
		e.seen = append(e.seen, s)
		e.here[k] = int32(len(e.seen))
		e.highest = max(e.highest, c.variance)
		if s.zone == 0 {
			sum += s.weight * c.variance
			weight += s.weight
			low, high = min(low, s.variance), max(high, s.variance)
		}
	}
	if weight > 0 {
		e.mean = sum / weight
		e.unknown = min(e.mean, low+unknownShare*(high-low))
	}
	e.join()
	for _, z := range m.cfg.Zones {
		e.highest = max(e.highest, z.StdDev*z.StdDev)
	}
	return e
}

// Highest returns the largest variance that was seen or is stated anywhere, m².
func (e *Expectation) Highest() float64 { return e.highest }

// Mean returns the mean of the variances that were seen outside of zones, m²; 0 if none was.
func (e *Expectation) Mean() float64 { return e.mean }

// Variance returns the expected variance of the robot's position in x and in y at a place,
// m². It is the same within a cell.
func (e *Expectation) Variance(x []float64) float64 {
	k := e.m.index(x[0], x[1])
	if math.IsNaN(e.values[k]) {
		e.values[k] = e.compute(k)
	}
	return e.values[k]
}

// join sets the blocks.
func (e *Expectation) join() {
	columns, zones := (e.m.nx+block-1)/block, len(e.m.cfg.Zones)+1
	number := make([]int, columns*((e.m.ny+block-1)/block)*zones) // of each block, as in here
	for k, n := range e.here {
		if n == 0 {
			continue
		}
		c := &e.seen[n-1]
		at := &number[(k/e.m.nx/block*columns+k%e.m.nx/block)*zones+c.zone]
		if *at == 0 {
			e.blocks = append(e.blocks, known{zone: c.zone})
			*at = len(e.blocks)
		}
		e.blocks[*at-1].join(c)
	}
}

// join takes up c.
func (b *known) join(c *known) {
	b.weight += c.weight
	share := c.weight / b.weight
	b.x += share * (c.x - b.x)
	b.y += share * (c.y - b.y)
	b.variance += share * (c.variance - b.variance)
}

// compute returns the expected variance in cell k.
func (e *Expectation) compute(k int) float64 {
	zone, at := e.m.zone[k], e.m.centre(k)
	prior, far := e.unknown, typicalDistance*float64(e.m.side)
	if zone > 0 {
		s := e.m.cfg.Zones[zone-1].StdDev
		prior, far = s*s, zoneDistance*float64(e.m.side)
	}
	sum, total, nearest, scale := 0.0, 0.0, 0.0, 1/(e.m.edge*e.m.edge)
	add := func(c *known) bool {
		if c.zone != zone {
			return false
		}
		dx, dy := c.x-at[0], c.y-at[1]
		s := shepard((dx*dx + dy*dy) * scale)
		sum += s * c.weight * c.variance
		total += s * c.weight
		nearest = max(nearest, s*min(c.weight, 1))
		return true
	}
	last, found := near, false
	for r := 0; r <= last; r++ {
		if e.ring(k%e.m.nx, k/e.m.nx, r, add) && !found {
			last, found = farther*(r+1), true
		}
	}
	if !found {
		for i := range e.blocks {
			add(&e.blocks[i])
		}
	}
	if total == 0 {
		return prior
	}
	own := shepard(far * far)
	return (nearest*sum/total + own*prior) / (nearest + own)
}

// ring calls f with each cell that the robot has been in, among those which are r columns or
// rows off column i and row j and no further in the other direction. It reports whether f
// returned true for any.
func (e *Expectation) ring(i, j, r int, f func(*known) bool) (any bool) {
	for y := max(j-r, 0); y <= min(j+r, e.m.ny-1); y++ {
		step := 1
		if y != j-r && y != j+r {
			step = 2 * r
		}
		for x := i - r; x <= i+r; x += step {
			if x < 0 || x >= e.m.nx {
				continue
			}
			if n := e.here[y*e.m.nx+x]; n > 0 && f(&e.seen[n-1]) {
				any = true
			}
		}
	}
	return any
}

// shepard returns the weight of a cell, from the square of its distance in cells.
func shepard(r2 float64) float64 {
	w := 1 / ((1 + r2) * (1 + r2))
	return w * w
}
