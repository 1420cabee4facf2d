// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"

	"ugp_explorer/internal/num"
)

// Change is a small fault of a file that was mended as it was read.
type Change struct {
	Kind  ChangeKind
	Count int     // parts left out, rings repaired, or corners before thinning
	Left  int     // corners after thinning
	Area  float64 // m², by which the area of parts or rings changed
	Metre float64 // m, by which edges moved at most
}

// ChangeKind is what was mended.
type ChangeKind int

// The kinds.
const (
	LeftOut  ChangeKind = iota // parts that are slivers
	Repaired                   // rings with spikes, or that touch or cross themselves
	Thinned                    // corners
)

// String says it in a clause.
func (c Change) String() string {
	switch c.Kind {
	case LeftOut:
		return fmt.Sprintf("%s of %.2g m² in all left out", num.Count(c.Count, "further part"), c.Area)
	case Repaired:
		return fmt.Sprintf("%s with spikes, or that touched or crossed itself, repaired, which changed %.2g m²", num.Count(c.Count, "ring"), c.Area)
	}
	return fmt.Sprintf("%d of %d corners left out, which moves edges by up to %.2g m", c.Count-c.Left, c.Count, c.Metre)
}

// tolerances are the distances, m, by which edges may move for a field to have few enough corners. The least that suffices is taken,
// unless it is more than the share unnoticed of the field's length.
var tolerances = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100}

const (
	unnoticed = 1e-3
	// repairable is the share of a ring's area that a repair may change.
	repairable = 1e-3
	// avoided is the area, m², that a repair may take from a place to avoid.
	avoided = 1
	// mostRepairs bounds the time of a repair.
	mostRepairs = 50
)

// mend thins the corners of a field that has too many, repairs its rings, and checks it.
func (l *layer) mend(f *Field, file string) error {
	if err := l.thin(f, file); err != nil {
		return err
	}
	change := Change{Kind: Repaired}
	for k, p := range f.polygons() {
		for i, points := range p {
			most := repairable * l.area(orb.Polygon{points})
			if k > 0 || i > 0 {
				most = min(most, avoided)
			}
			if mended, by, ok := repaired(points, most/(l.unit[0]*l.unit[1])); ok {
				p[i] = mended
				change.Count, change.Area = change.Count+1, change.Area+by*l.unit[0]*l.unit[1]
			}
		}
	}
	if change.Count > 0 {
		f.Changes = append(f.Changes, change)
	}
	_, err := wallsOf(*f)
	return err
}

// thin leaves out corners of a field that has too many. The error names the command that leaves out enough.
func (l *layer) thin(f *Field, file string) error {
	n, rings := f.corners()
	if n <= maxCorners {
		return nil
	}
	b := f.Boundary.Bound()
	length := max((b.Max[0]-b.Min[0])*l.unit[0], (b.Max[1]-b.Min[1])*l.unit[1])
	for _, by := range tolerances {
		own := l.thinned(*f, by)
		left, _ := own.corners()
		if left > maxCorners {
			continue
		}
		if by > max(tolerances[0], unnoticed*length) {
			return fmt.Errorf("%w: the field has %d corners in %d rings, at most %d are allowed; leave some out, which moves edges by up to %g m: ogr2ogr -f GeoJSON -simplify %.2g thin.geojson %q",
				errPolygon, n, rings, maxCorners, by, by/max(l.unit[0], l.unit[1]), file)
		}
		own.Changes = append(own.Changes, Change{Kind: Thinned, Count: n, Left: left, Metre: by})
		own.StdDev = max(own.StdDev, by/2) // twice that is added to the margin, so that the robot stays within the edges
		*f = own
		return nil
	}
	return f.checkSize()
}

// thinned returns a copy of a field with fewer corners, which moves no edge by more than the tolerance, m: the
// algorithm of Douglas and Peucker.
func (l *layer) thinned(f Field, tolerance float64) Field {
	f = f.clone()
	for _, p := range f.polygons() {
		for i, ring := range p {
			if len(ring) < 5 {
				continue
			}
			metres := make(orb.LineString, len(ring))
			for j, at := range ring {
				metres[j] = orb.Point{at[0] * l.unit[0], at[1] * l.unit[1]}
			}
			// In two halves: between a ring's first corner and its last, which is the same, there is no line.
			half := len(metres) / 2
			rule := simplify.DouglasPeucker(tolerance)
			line := append(rule.LineString(metres[:half+1].Clone()), rule.LineString(metres[half:].Clone())[1:]...)
			if len(line) < 4 {
				continue
			}
			thin := make(orb.Ring, len(line))
			for j, at := range line {
				thin[j] = orb.Point{at[0] / l.unit[0], at[1] / l.unit[1]}
			}
			p[i] = thin
		}
	}
	return f
}

// repaired returns a ring without spikes, and without the loops that it forms where it touches or crosses itself, if these have
// no more area than allowed, the area of these loops, and whether the ring changed.
func repaired(r orb.Ring, most float64) (mended orb.Ring, area float64, changed bool) {
	points, err := ringPoints("", r)
	for n := 0; err == nil; n++ {
		a, b, found := meeting(edgesOf(points))
		if !found {
			if n == 0 {
				return r, 0, false
			}
			return append(orb.Ring(points), points[0]), area, true
		}
		if n == mostRepairs || !(area <= most) {
			break
		}
		one, other := split(points, a, b)
		if ringArea(one) > ringArea(other) {
			one, other = other, one
		}
		area += ringArea(one)
		if area > most {
			break
		}
		points, err = ringPoints("", other)
	}
	return r, 0, false
}

// split cuts a ring where two of its edges meet.
func split(points []orb.Point, i, j int) (one, other []orb.Point) {
	n := len(points)
	if j == i+1 || i == 0 && j == n-1 { // a spike, whose tip is the corner between them
		tip := j
		if j != i+1 {
			tip = 0
		}
		return nil, slices.Concat(points[:tip], points[tip+1:])
	}
	a, b := newEdge(points[i], points[i+1]), newEdge(points[j], points[(j+1)%n])
	x := common(&a, &b)
	one = append([]orb.Point{x}, points[i+1:j+1]...)
	other = slices.Concat(points[:i+1], []orb.Point{x}, points[j+1:])
	return one, other
}

// common returns a point that two edges have in common.
func common(a, b *edge) orb.Point {
	for _, c := range []struct {
		e    *edge
		x, y float64
	}{{a, b.ax, b.ay}, {a, b.bx, b.by}, {b, a.ax, a.ay}, {b, a.bx, a.by}} {
		e := c.e
		if e.side(c.x, c.y) == 0 && min(e.ax, e.bx) <= c.x && c.x <= max(e.ax, e.bx) && min(e.ay, e.by) <= c.y && c.y <= max(e.ay, e.by) {
			return orb.Point{c.x, c.y}
		}
	}
	t := ((b.ax-a.ax)*b.dy - (b.ay-a.ay)*b.dx) / (a.dx*b.dy - a.dy*b.dx)
	return orb.Point{a.ax + t*a.dx, a.ay + t*a.dy}
}

// ringArea returns the area of a ring, in the square of its unit.
func ringArea(points []orb.Point) float64 { return math.Abs(planar.Area(orb.Ring(points))) }

// withMakeValid adds the command that repairs a file to an error about rings that meet.
func withMakeValid(err error, file string) error {
	if errors.As(err, new(*crossing)) {
		return fmt.Errorf("%w; repair it: ogr2ogr -f GeoJSON -makevalid repaired.geojson %q", err, file)
	}
	return err
}
