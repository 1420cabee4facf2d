package explorer

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// ground is where the robot may be: the field, its home, and the paths to both.
type ground struct {
	outline field.Field
	region  *field.Region
	size    Size
	reduced bool               // the margin is automatic, and less than on a large field
	grid    record.Grid        // of the maps
	cell    float64            // of ~/keepout, m
	cells   *field.Raster      // the region as ~/keepout has it; nil: not computed yet
	probe   localization.Lever // where the probe is on the robot
	runUp   float64            // length of a leg that is there to give the heading, m

	home          orb.Point // m
	homeDistances *field.DistanceField
	homeTolerance float64 // m

	detours detours
}

func newGround(cfg *Config) (*ground, error) {
	g := &ground{outline: cfg.Outline, probe: cfg.Matcher.Probe}
	name := "the field"
	if cfg.OutlineName != "" {
		name = cfg.OutlineName
	}
	var err error
	if cfg.Field.File != "" {
		if g.outline, err = convert.ReadBoundary(cfg.Field.File, cfg.Field.Datum); err != nil {
			return nil, fmt.Errorf("explorer: field.file: %w", err)
		}
		name = "field.file: " + cfg.Field.File
	}
	if len(g.outline.Boundary) == 0 {
		return nil, errors.New("explorer: field.file is empty: give a GeoJSON file with the outline of the field")
	}
	automatic := math.IsNaN(cfg.Field.Margin)
	if g.region, g.size, err = cfg.region(g.outline); err != nil {
		return nil, fmt.Errorf("explorer: %s: %w", name, err)
	}
	g.homeTolerance = cfg.Mission.HomeTolerance
	g.reduced = automatic && cfg.Field.Margin < mostMargin
	g.runUp = runUp(g.size)
	if g.grid, err = newMapGrid(g.region, cfg.MapCell); err != nil {
		return nil, err
	}
	if g.cell, err = keepoutCell(g.region, cfg.KeepoutCell); err != nil {
		return nil, err
	}
	g.homeDistances = g.region.NewDistanceField()
	g.detours = detours{field: g.outline, margin: g.region.Margin()}
	return g, nil
}

// trackSpacing returns the least distance between two points of a recorded path, m.
func (g *ground) trackSpacing() float64 { return min(1, g.size.Inscribed/50) }

// setHome makes a place the robot's home.
func (g *ground) setHome(home orb.Point) {
	g.home = home
	g.homeDistances.From(home[:])
}

// homeDistance returns the drivable distance from a place to home, m. A robot that
// stands at its home is there, though both may lie outside the field: at the gate, or
// where a poor first pose put them. Where the field is in parts and the robot was
// carried into another, there is no path, and the straight line is the best estimate.
func (g *ground) homeDistance(at orb.Point) float64 {
	straight := math.Hypot(at[0]-g.home[0], at[1]-g.home[1])
	distance := g.homeDistances.Length(at[:])
	if straight <= g.homeTolerance || math.IsInf(distance, 1) {
		return straight
	}
	return distance
}

// pathHome returns the shortest path home.
func (g *ground) pathHome(from orb.Point) ([]orb.Point, error) {
	return g.detours.path(g.region, from, g.home)
}

// mostCells bounds the maps: a cloud of so many points has 32 MB.
const mostCells = 1_000_000

// newMapGrid returns the cells that cover a region and its margin.
func newMapGrid(region *field.Region, cell float64) (record.Grid, error) {
	lo, hi := region.Bounds()
	margin := region.Margin()
	g := record.Grid{
		X: math.Floor((lo[0]-margin)/cell) * cell, Y: math.Floor((lo[1]-margin)/cell) * cell, Cell: cell,
	}
	nx, ny := math.Ceil((hi[0]+margin-g.X)/cell), math.Ceil((hi[1]+margin-g.Y)/cell)
	if nx*ny > mostCells {
		return g, fmt.Errorf("explorer: map.cell is %g m: the maps would have %.3g cells, at most %d are allowed", cell, nx*ny, mostCells)
	}
	g.NX, g.NY = int(nx), int(ny)
	return g, nil
}

const (
	// shortestLeg is the least length of the last leg of a path, m: a shorter one
	// gives the robot no heading.
	shortestLeg = 0.1
	// runUps is how many headings are tried for such a leg.
	runUps = 16
)

// runUp returns the length of a leg that is there to give the heading: 2 m, or less for a
// small robot and on a narrow field, where there is no room for more.
func runUp(s Size) float64 {
	return max(shortestLeg, min(2, 2.5*s.Radius, s.Inscribed))
}

// pathTo returns a path at the end of which the robot's probe lies on the target:
// straight on from the last corner before it, where the base then stands in the
// region. Otherwise, and for a target nearer than the probe, the path ends with a
// run-up: of all headings the one nearest to straight on that stays in the region.
// Where none does, as for a probe behind the base and a target on the region's very
// edge, the base comes closer to the edge than the margin, as little as possible. It
// never leaves the field or enters a keep-out: then the error says that there is no path.
func (g *ground) pathTo(from, target orb.Point) ([]orb.Point, error) {
	path, err := g.detours.path(g.region, from, target)
	if err != nil {
		return nil, err
	}
	path = path[: len(path)-1 : len(path)-1]
	before := from
	if n := len(path); n > 0 {
		before = path[n-1]
	}
	centre := g.region.Centre()
	heading := math.Atan2(target[1]-centre[1], target[0]-centre[0]) // outwards: there is room behind
	most := 0.0
	var last []orb.Point // of the path: the base's place, and where the run-up to it begins
	if base, ok := g.approach(before, target); ok {
		heading = math.Atan2(base[1]-before[1], base[0]-before[0])
		if room := g.room(middle(before, base), base); room > most {
			most, last = room, []orb.Point{base}
		}
	}
	for i := 0; i < runUps && !math.IsInf(most, 1); i++ {
		turn := float64((i+1)/2) * 2 * math.Pi / runUps // 0, 1, -1, 2, -2 …
		if i%2 == 0 {
			turn = -turn
		}
		behind, base := g.lastLeg(target, heading+turn)
		if room := g.room(behind, middle(behind, base), base); room > most {
			most, last = room, []orb.Point{behind, base}
		}
	}
	switch len(last) {
	case 0:
		return nil, fmt.Errorf("with its probe on (%.6g, %.6g) the robot would stand, or have come, outside the field or in a keep-out", target[0], target[1])
	case 2:
		if path, err = g.detours.path(g.region, from, last[0]); err != nil {
			return nil, err
		}
	}
	return append(path, last[len(last)-1]), nil
}

// room returns the least distance of the places from the field's edges and
// keep-outs, m, negative outside; +Inf when all of them are in the region.
func (g *ground) room(places ...orb.Point) float64 {
	room := math.Inf(1)
	for _, p := range places {
		if !g.region.Contains(p[:]) {
			room = min(room, g.region.SignedDistance(p))
		}
	}
	return room
}

func middle(a, b orb.Point) orb.Point { return orb.Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2} }

// approach returns where the base has to stand for its probe to lie on the
// target when it has come there straight: d metres on at the heading θ with
//
//	from + d·(cos θ, sin θ) + R(θ)·lever = target
//
// It is false when there is no such place ahead.
func (g *ground) approach(from, target orb.Point) (base orb.Point, ok bool) {
	lever := g.probe
	if lever == (localization.Lever{}) {
		return target, true
	}
	dx, dy := target[0]-from[0], target[1]-from[1]
	ahead2 := dx*dx + dy*dy - lever.Y*lever.Y // (d + lever.X)²
	if ahead2 < 0 || math.Sqrt(ahead2)-lever.X < shortestLeg {
		return base, false
	}
	ahead := math.Sqrt(ahead2)
	sin, cos := math.Sincos(math.Atan2(dy, dx) - math.Atan2(lever.Y, ahead))
	d := ahead - lever.X
	return orb.Point{from[0] + d*cos, from[1] + d*sin}, true
}

// lastLeg returns a place from which the base drives straight on at the heading to
// the place where its probe lies on the target.
func (g *ground) lastLeg(target orb.Point, heading float64) (behind, base orb.Point) {
	sin, cos := math.Sincos(heading)
	lever := g.probe
	base = orb.Point{target[0] - cos*lever.X + sin*lever.Y, target[1] - sin*lever.X - cos*lever.Y}
	return orb.Point{base[0] - cos*g.runUp, base[1] - sin*g.runUp}, base
}
