package localizability

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/internal/valid"
)

// errMap is wrapped by the errors of this package.
var errMap = errors.New("planner: invalid map of localisation")

// Config is the extent of a [Map], and what it assumes.
type Config struct {
	Min, Max orb.Point                // corners of the rectangle that is mapped, m
	Cells    int                      // number of cells along its longer side, 1 to 200
	Memory   time.Duration            // > 0, time after which what was seen of a cell counts 1/e
	Zones    []field.LocalizationZone // where the standard deviation is stated; the first that holds a place counts
}

// DefaultConfig returns a map of 160 cells that forgets within an hour.
func DefaultConfig(lo, hi orb.Point) Config {
	return Config{Min: lo, Max: hi, Cells: 160, Memory: time.Hour}
}

// validate returns an error that wraps [errMap] and names the first field outside its range.
func (c *Config) validate() error {
	for i := range c.Min {
		if !valid.Finite(c.Min[i]) || !valid.Finite(c.Max[i]) || !(c.Min[i] < c.Max[i]) {
			return fmt.Errorf("%w: it extends from %v to %v m, want finite numbers, the latter larger", errMap, c.Min, c.Max)
		}
	}
	switch {
	case c.Cells < 1 || c.Cells > 200:
		return fmt.Errorf("%w: Cells is %d, want 1 to 200", errMap, c.Cells)
	case c.Memory <= 0:
		return fmt.Errorf("%w: Memory is %v, want > 0", errMap, c.Memory)
	}
	for i, z := range c.Zones {
		if !valid.Finite(z.StdDev) || z.StdDev < 0 {
			return fmt.Errorf("%w: the standard deviation of zone %d is %g m, want a finite number ≥ 0", errMap, i+1, z.StdDev)
		}
	}
	return nil
}

// full is the driving in a cell, in its edge lengths, beyond which more of it counts no
// more. So a few new passages outweigh many old ones.
const full = 2

// cell is what was seen of the robot's position in a square.
type cell struct {
	variance float64 // mean over the driving, m²
	weight   float64 // driving that it is the mean of, edge lengths, at stamp
	stamp    int64
}

// Map is the map. It is not safe for concurrent use. [Map.Add] allocates nothing.
type Map struct {
	cfg    Config
	edge   float64 // of a cell, m
	nx, ny int
	cells  []cell
	zone   []int // of each cell: 0 for none, else 1 + the index in cfg.Zones
	seen   int   // cells that the robot has been in
	newest int64
}

// New returns a map without poses. The error names the first field outside its range.
func New(cfg Config) (*Map, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	w, h := cfg.Max[0]-cfg.Min[0], cfg.Max[1]-cfg.Min[1]
	m := &Map{cfg: cfg, edge: max(w, h) / float64(cfg.Cells)}
	m.nx, m.ny = int(math.Ceil(w/m.edge-1e-9)), int(math.Ceil(h/m.edge-1e-9))
	m.cells, m.zone = make([]cell, m.nx*m.ny), make([]int, m.nx*m.ny)
	for k := range m.zone {
		for i, z := range cfg.Zones {
			if planar.PolygonContains(z.Polygon, m.centre(k)) {
				m.zone[k] = i + 1
				break
			}
		}
	}
	return m, nil
}

func (m *Map) centre(k int) orb.Point {
	return orb.Point{m.cfg.Min[0] + (float64(k%m.nx)+0.5)*m.edge, m.cfg.Min[1] + (float64(k/m.nx)+0.5)*m.edge}
}

// index returns the cell of a place, the nearest one to a place outside.
func (m *Map) index(x, y float64) int {
	i := min(max(int((x-m.cfg.Min[0])/m.edge), 0), m.nx-1)
	j := min(max(int((y-m.cfg.Min[1])/m.edge), 0), m.ny-1)
	return j*m.nx + i
}

// outside is the distance from the map, as a share of its longer side, from which on a place
// is not on it.
const outside = 1.0 / 40

// Add takes up that the robot has driven so many metres to a place, where its position has
// a variance in x and in y of variance on average, m². It reports whether that is used:
// what is not finite, negative, or off the map is not.
func (m *Map) Add(stamp int64, at orb.Point, variance, metres float64) bool {
	if !m.fits(at, variance, metres) {
		return false
	}
	c := &m.cells[m.index(at[0], at[1])]
	if c.weight == 0 {
		m.seen++
	}
	m.newest = max(m.newest, stamp)
	w := min(metres/m.edge, 1)
	old := c.weight * m.left(c.stamp, stamp)
	c.variance = (old*c.variance + w*variance) / (old + w)
	c.weight, c.stamp = min(old+w, full), max(c.stamp, stamp)
	return true
}

func (m *Map) fits(at orb.Point, variance, metres float64) bool {
	most := outside * float64(m.cfg.Cells) * m.edge
	for i, v := range at {
		if !(v > m.cfg.Min[i]-most && v < m.cfg.Max[i]+most) {
			return false
		}
	}
	return valid.Finite(variance) && variance >= 0 && metres > 0
}

// left returns the share that is left at now of what was seen at then.
func (m *Map) left(then, now int64) float64 {
	if now <= then {
		return 1
	}
	return max(math.Exp(-float64(now-then)/float64(m.cfg.Memory)), 1e-9) // a cell that was seen stays one
}

// Shift moves all stamps by ns, after the clock was set.
func (m *Map) Shift(by int64) {
	for i := range m.cells {
		m.cells[i].stamp += by
	}
	m.newest += by
}
