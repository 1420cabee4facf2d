// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localizability

import (
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/field"
)

const (
	// cells is the number of cells along the longer side of a map.
	cells = 160
	// memory is the time after which what was seen of a cell counts 1/e: satellites come and
	// go, so fixes become better or worse within hours.
	memory = time.Hour
)

// full is the driving in a cell, in its edge lengths, beyond which more of it counts no
// more. So a few new passages outweigh many old ones.
const full = 2

// cell is what was seen of the robot's position in a square.
type cell struct {
	variance float64 // mean over the driving, m²
	weight   float64 // driving that it is the mean of, edge lengths, at stamp
	stamp    int64
}

// Config is what a [Map] assumes.
type Config struct {
	Bound orb.Bound                // the rectangle that is mapped, m
	Zones []field.LocalizationZone // where the standard deviation is stated; the first that holds a place counts

	// Lost is the standard deviation that is assumed where there was no pose for longer than Gap, or one
	// that was too uncertain to be used, m.
	Lost float64
	Gap  time.Duration
}

// Map estimates how well the robot's position is known at each place, from its poses and from
// their absence. Additions take effect with the next [Map.Take], so the values that Take
// returned suffice to rebuild the map. The methods of a nil Map do nothing. It is not safe for
// concurrent use.
type Map struct {
	cfg    Config
	side   int     // cells along the longer side
	edge   float64 // of a cell, m
	nx, ny int
	cells  []cell
	zone   []int  // of each cell: 0 for none, else 1 + the index in cfg.Zones
	seen   int    // cells that the robot has been in
	news   []Seen // since the last Take

	at    orb.Point // of the newest pose, or of the newest that was refused
	stamp int64
	known bool
}

// New returns a map without poses.
func New(cfg Config) *Map { return newMap(cfg, cells) }

func newMap(cfg Config, side int) *Map {
	w, h := cfg.Bound.Max[0]-cfg.Bound.Min[0], cfg.Bound.Max[1]-cfg.Bound.Min[1]
	m := &Map{cfg: cfg, side: side, edge: max(w, h) / float64(side)}
	m.nx, m.ny = int(math.Ceil(w/m.edge-1e-9)), int(math.Ceil(h/m.edge-1e-9))
	m.cells, m.zone = make([]cell, m.nx*m.ny), make([]int, m.nx*m.ny)
	for k := range m.zone {
		m.zone[k] = 1 + slices.IndexFunc(cfg.Zones, func(z field.LocalizationZone) bool { return planar.PolygonContains(z.Polygon, m.centre(k)) })
	}
	return m
}

func (m *Map) centre(k int) orb.Point {
	return orb.Point{m.cfg.Bound.Min[0] + (float64(k%m.nx)+0.5)*m.edge, m.cfg.Bound.Min[1] + (float64(k/m.nx)+0.5)*m.edge}
}

// index returns the cell of a place, the nearest one to a place outside.
func (m *Map) index(x, y float64) int {
	i := min(max(int((x-m.cfg.Bound.Min[0])/m.edge), 0), m.nx-1)
	j := min(max(int((y-m.cfg.Bound.Min[1])/m.edge), 0), m.ny-1)
	return j*m.nx + i
}

// outside is the distance from the map, as a share of its longer side, from which on a place
// is not on it.
const outside = 1.0 / 40

// add adds a piece of path, unless [Map.fits] is false for it. It allocates nothing.
func (m *Map) add(stamp int64, s Seen) {
	if !m.fits(s.At, s.Variance, s.Metres) {
		return
	}
	c := &m.cells[m.index(s.At[0], s.At[1])]
	if c.weight == 0 {
		m.seen++
	}
	w := min(s.Metres/m.edge, 1)
	old := c.weight * m.left(c.stamp, stamp)
	c.variance = (old*c.variance + w*s.Variance) / (old + w)
	c.weight, c.stamp = min(old+w, full), max(c.stamp, stamp)
}

// fits reports whether a piece of path counts: what is not finite, negative, or off the map does not.
func (m *Map) fits(at orb.Point, variance, metres float64) bool {
	most := outside * float64(m.side) * m.edge
	for i, v := range at {
		if !(v > m.cfg.Bound.Min[i]-most && v < m.cfg.Bound.Max[i]+most) {
			return false
		}
	}
	return num.Finite(variance) && variance >= 0 && metres > 0
}

// left returns the weight at now of an observation made at then, from 0 to 1.
func (m *Map) left(then, now int64) float64 {
	if now <= then {
		return 1
	}
	return max(math.Exp(-float64(now-then)/float64(memory)), 1e-9) // a cell that was seen stays one
}
