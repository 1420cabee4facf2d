// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/localization"
	"ugp_explorer/planner/field"
)

// Config describes the field and the robot on it.
type Config struct {
	Outline       field.Field
	Region        *field.Region      // of the outline: the places that keep the margin
	Inscribed     float64            // radius of the largest circle between the outline's edges and keep-outs, m
	Radius        float64            // of the robot, m
	Sigmas        float64            // number of standard deviations of the position that the robot keeps from edges; 0: none
	Probe         localization.Lever // where the probe is on the robot
	HomeTolerance float64            // straight distance below which the robot is at home, m
	Cell          float64            // edge length of the cells of ~/keepout, m; 0: by the region's size
	Nav2          bool               // Nav2 drives the robot and plans in these cells
}

// Ground describes where the robot may be: the field, its home, the paths to both, and the places that are avoided for a while. It is not
// safe for concurrent use; its Region is.
type Ground struct {
	cfg   Config
	cells *field.Raster // the region as ~/keepout has it; nil: not computed yet
	runUp float64       // length of a leg that only gives the heading, m: 2, or less for a small robot and on a narrow field
	inset float64       // least distance of targets from edges and keep-outs now, m, ≥ the margin

	home          orb.Point // m
	homeDistances *field.DistanceField
	typicalHome   float64   // see TypicalHome; NaN: not computed yet
	depths        []float64 // see insets; nil: not computed yet

	detours detours
	skipped []leftOut

	seen struct { // where the distance to all edges was last computed
		at       orb.Point
		distance float64 // m
	}
}

// New returns the ground of a robot whose home is the origin. The error names keepout.cell.
func New(cfg Config) (*Ground, error) {
	g := &Ground{cfg: cfg, runUp: max(shortestLeg, min(2, 2.5*cfg.Radius, cfg.Inscribed))}
	var err error
	if g.cfg.Cell, err = keepoutCell(cfg.Region, cfg.Radius, cfg.Cell); err != nil {
		return nil, err
	}
	g.homeDistances = cfg.Region.NewDistanceField()
	g.inset, g.typicalHome = cfg.Region.Margin(), math.NaN()
	g.detours = detours{field: cfg.Outline, least: g.inset, margin: g.inset}
	return g, nil
}

// Outline returns the field with its keep-outs.
func (g *Ground) Outline() field.Field { return g.cfg.Outline }

// Region returns the places that keep the margin, where targets are.
func (g *Ground) Region() *field.Region { return g.cfg.Region }

// Inside returns the place nearest to p that is at least needs inside the field, m, and that Nav2 can reach: p itself if it is such a
// place, or if there is none. A negative need allows places that are not farther outside; for those that are, it is a place of the region.
func (g *Ground) Inside(p orb.Point, needs float64) orb.Point {
	if g.cfg.Region.SignedDistance(p) < needs {
		region, err := g.cfg.Region, error(nil)
		if needs > 0 {
			region, err = field.NewRegion(g.cfg.Outline, needs)
		}
		if err == nil {
			region.Project(p[:], p[:])
		}
	}
	if g.cfg.Nav2 {
		p = g.Allowed(p)
	}
	return p
}

// SetHome makes a place the robot's home.
func (g *Ground) SetHome(home orb.Point) {
	g.home = home
	g.homeDistances.From(home[:])
	g.typicalHome = math.NaN()
}

// Home returns the robot's home, m.
func (g *Ground) Home() orb.Point { return g.home }

// PathLengthHome returns the length of the shortest path home from a place, m; +Inf if there
// is none.
func (g *Ground) PathLengthHome(from orb.Point) float64 { return g.homeDistances.Length(from[:]) }

// TypicalHome returns the mean length of the path home, m, from places spread over the field.
func (g *Ground) TypicalHome() float64 {
	if math.IsNaN(g.typicalHome) {
		sum, n := 0.0, 0.0
		for _, x := range g.cfg.Region.Grid(typicalPlaces, 1) {
			if length := g.PathLengthHome(orb.Point(x)); !math.IsInf(length, 1) {
				sum, n = sum+length, n+1
			}
		}
		g.typicalHome = sum / max(n, 1)
	}
	return g.typicalHome
}

// typicalPlaces is the number of these places.
const typicalPlaces = 30

// HomeDistance returns the drivable distance from a place to home, m. A robot at home has no distance to drive, even if home is outside the
// field: at the gate, or where a poor first pose put it. If the field has several parts and the robot was carried into another one, there
// is no path, and the straight line is the best estimate.
func (g *Ground) HomeDistance(at orb.Point) float64 {
	distance := g.PathLengthHome(at)
	if g.IsHome(at) || math.IsInf(distance, 1) {
		return planar.Distance(at, g.home)
	}
	return distance
}

// IsHome reports whether a robot at a place is at home.
func (g *Ground) IsHome(at orb.Point) bool { return planar.Distance(at, g.home) <= g.cfg.HomeTolerance }

// PathHome returns the shortest path home. From outside the field the path leads inside first, but a robot at home stays there.
func (g *Ground) PathHome(from orb.Point) ([]orb.Point, error) {
	if g.IsHome(from) {
		return []orb.Point{g.home}, nil
	}
	return g.detours.path(g.cfg.Region, from, g.home)
}

// Outside returns how far a place is outside the field or inside a keep-out, m, beyond home; 0: it is not.
func (g *Ground) Outside(at orb.Point) float64 {
	if g.within(at, 0) {
		return 0
	}
	return max(0, -g.cfg.Region.SignedDistance(at)-max(0, -g.cfg.Region.SignedDistance(g.home)))
}

const (
	// shortestLeg is the least length of the last leg of a path, m: a shorter one
	// gives the robot no heading.
	shortestLeg = 0.1
	// runUps is how many headings are tried for such a leg.
	runUps = 16
)

// PathTo returns a path that ends with the robot's probe on the target. The path continues straight on from its last corner if the base
// then stands in the region. Otherwise, and for a target nearer than the probe, it ends with a run-up at the heading closest to straight on
// that stays in the region. If no heading does, as for a probe behind the base and a target on the edge of the region, the base comes
// closer to the edge than the margin, as little as possible. The base never leaves the field or enters a keep-out: in that case the error
// says that there is no path.
func (g *Ground) PathTo(from, target orb.Point) ([]orb.Point, error) {
	path, err := g.detours.path(g.cfg.Region, from, target)
	if err != nil {
		return nil, err
	}
	path = path[: len(path)-1 : len(path)-1]
	before := from
	if n := len(path); n > 0 {
		before = path[n-1]
	}
	last, most := []orb.Point(nil), 0.0
	if g.cfg.Nav2 && g.cfg.Region.SignedDistance(target) >= g.inset { // so should the base
		last, most = g.arrival(before, target, g.inset)
	}
	if !math.IsInf(most, 1) {
		last, _ = g.arrival(before, target, 0)
	}
	switch len(last) {
	case 0:
		return nil, fmt.Errorf("with its probe on (%.6g, %.6g), the robot, or its path there, would be outside the field or in a keep-out", target[0], target[1])
	case 2:
		if path, err = g.detours.path(g.cfg.Region, from, last[0]); err != nil {
			return nil, err
		}
	}
	return append(path, last[len(last)-1]), nil
}

// arrival returns the end of a path whose last corner is before: the base's place, and where the
// run-up to it begins, if there is one; and the room of these, see room.
func (g *Ground) arrival(before, target orb.Point, keep float64) (last []orb.Point, most float64) {
	centre := g.cfg.Region.Centre()
	heading := math.Atan2(target[1]-centre[1], target[0]-centre[0]) // outwards: there is room behind
	if base, ok := g.cfg.approach(before, target); ok {
		heading = math.Atan2(base[1]-before[1], base[0]-before[0])
		if room := g.room(keep, middle(before, base), base); room > most {
			most, last = room, []orb.Point{base}
		}
	}
	for _, runUp := range []float64{g.runUp, max(shortestLeg, g.runUp/4)} { // a shorter one where there is no room, as in a corner
		for i := 0; i < runUps && !math.IsInf(most, 1); i++ {
			turn := float64((i+1)/2) * 2 * math.Pi / runUps // 0, 1, -1, 2, -2 …
			if i%2 == 0 {
				turn = -turn
			}
			sin, cos := math.Sincos(heading + turn)
			lever := g.cfg.Probe
			base := orb.Point{target[0] - cos*lever.X + sin*lever.Y, target[1] - sin*lever.X - cos*lever.Y}
			behind := orb.Point{base[0] - cos*runUp, base[1] - sin*runUp}
			if room := g.room(keep, behind, middle(behind, base), base); room > most {
				most, last = room, []orb.Point{behind, base}
			}
		}
	}
	return last, most
}

// room returns the least distance of the places from the field's edges and
// keep-outs, m, negative outside; +Inf when all of them are in the region and at least that far from edges.
func (g *Ground) room(keep float64, places ...orb.Point) float64 {
	room := math.Inf(1)
	for _, p := range places {
		if d := g.cfg.Region.SignedDistance(p); !g.cfg.Region.Contains(p[:]) || d < keep {
			room = min(room, d)
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
func (c *Config) approach(from, target orb.Point) (base orb.Point, ok bool) {
	lever := c.Probe
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
