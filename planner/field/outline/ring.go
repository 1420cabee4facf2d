// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/field"
)

// Ring is a closed ring of an edge.
type Ring struct {
	Kind   Kind
	Points orb.Ring // counter-clockwise, the first point repeated at the end, to a millimetre, m
	Area   float64  // m²
	Length float64  // m

	Collected int       // points before the simplification
	Tolerance float64   // of the simplification, m
	Shift     float64   // largest distance of a collected point from the ring, m
	StdDev    float64   // largest standard deviation of the edge, m: of poses and shift together
	Overlap   float64   // length of the drive that was dropped where it came round to its start, m
	Loops     int       // small loops, and ways back along the same line, that were cut
	Gap       float64   // straight line that closes the ring, m
	Refused   []Stretch // of the drive
}

// String returns area, length, corners and uncertainty in words.
func (r Ring) String() string {
	area := fmt.Sprintf("%.0f m²", r.Area)
	if r.Area >= 1000 {
		area = fmt.Sprintf("%.3g ha", r.Area/1e4)
	}
	return fmt.Sprintf("%s, %.0f m long, %d corners, standard deviation of its edge %.2g m", area, r.Length, len(r.Points)-1, r.StdDev)
}

// grid is the precision of a ring's points, 1/m.
const grid = 1000

// Close makes a ring of the points of the open one. On an error the ring stays open, so that
// points can be taken back or added. The error is a [*GapError] or a [*CrossingsError], wraps
// [ErrNotOpen], or says why the points make no ring.
func (r *Recorder) Close() (Ring, error) {
	if r.open == nil {
		return Ring{}, fmt.Errorf("%w: begin an outline or a keep-out first", ErrNotOpen)
	}
	ring, err := r.open.close(&r.cfg)
	if err != nil {
		return Ring{}, err
	}
	r.open.Ring = ring
	r.closed, r.open = append(r.closed, *r.open), nil
	return ring, nil
}

func (o *recording) close(cfg *Config) (Ring, error) {
	ring := Ring{Kind: o.Kind, Collected: len(o.Points), Refused: slices.Clone(o.Refused)}
	long := GapError{Kind: o.Kind, Limit: cfg.MaxGap}
	for _, s := range o.Refused {
		if s.Length > cfg.MaxGap {
			long.Gaps = append(long.Gaps, s)
		}
	}
	if len(long.Gaps) > 0 {
		return ring, &long
	}
	points := o.Points
	if n := len(points); n > 0 && o.Last != nil && o.Last.Stamp != points[n-1].Stamp { // up to the last usable pose
		points = append(slices.Clone(points), *o.Last)
	}
	points = distinct(points)
	if len(points) < 3 {
		return ring, fmt.Errorf("%w: the %v has %s, want at least 3%s", errRing, o.Kind, num.Count(len(points), "distinct point"), o.why(cfg))
	}
	points, ring.Overlap = comeRound(points, cfg)
	first, last := points[0], points[len(points)-1]
	ring.Gap = distance(last.At, first.At)
	if ring.Gap > max(cfg.MaxGap, nearness(last, first, cfg)) && first.Driven && last.Driven {
		return ring, fmt.Errorf("%w: the drive along the %v ends at (%.2f, %.2f) m, %.1f m from its start at (%.2f, %.2f) m, and gaps are at most %g m long: drive on to the start",
			errRing, o.Kind, last.At[0], last.At[1], ring.Gap, first.At[0], first.At[1], cfg.MaxGap)
	}
	points, cut, left := cutLoops(points, cfg)
	ring.Loops = len(cut)
	if len(left) > 0 {
		return ring, &CrossingsError{Kind: o.Kind, Crossings: left}
	}
	if err := o.side(points, cfg); err != nil {
		return ring, err
	}
	var err error
	if ring.Points, ring.Tolerance, err = simplified(points); err != nil {
		return ring, fmt.Errorf("%w: the %v: %w", errRing, o.Kind, err)
	}
	inside, err := field.Inscribed(field.Field{Boundary: orb.Polygon{ring.Points}})
	if err != nil {
		return ring, fmt.Errorf("outline: the %v: %w", o.Kind, err)
	}
	if cfg.Offset == 0 { // the loops of an edge beside the robot are there because it turned
		ring.StdDev = slices.Max(append(cut, 0))
	}
	ring.uncertain(points)
	ring.measure()
	if o.Kind == Boundary && inside <= 2*ring.StdDev {
		return ring, fmt.Errorf("%w: the %v is too small for the uncertainty of its edge: the largest circle in it has a radius of %.2g m, and 2σ of its edge is %.2g m: drive around a larger field, or with a better position",
			errRing, o.Kind, inside, 2*ring.StdDev)
	}
	return ring, nil
}

// measure sets the area and the length.
func (r *Ring) measure() {
	r.Area, r.Length = math.Abs(planar.Area(r.Points)), planar.Length(r.Points)
}

// why says that poses were refused, as the reason for too few points.
func (o *recording) why(cfg *Config) string {
	n, worst := 0, 0.0
	for _, s := range o.Refused {
		n, worst = n+s.Poses, max(worst, s.StdDev)
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s refused, with standard deviations up to %.3g m, and the limit is %g m", num.Count(n, "pose"), worst, cfg.MaxStdDev)
}

// side returns an error if the edge beside the robot lies on the wrong side of the driven line: a
// field is outside of it, a keep-out inside.
func (o *recording) side(points []point, cfg *Config) error {
	counterClockwise := planar.Area(places(points)) > 0
	if cfg.Offset == 0 || counterClockwise == (cfg.Offset > 0) == (o.Kind == KeepOut) {
		return nil
	}
	side, turn, where := "left", "clockwise", "inside"
	if cfg.Offset < 0 {
		side = "right"
	}
	if counterClockwise {
		turn = "counter-clockwise"
	}
	if o.Kind == KeepOut {
		where = "outside"
	}
	return fmt.Errorf("%w: the edge is %g m to the robot's %s, and the robot drove around the %v %s, so the edge is %s the driven line: drive in the other direction, or change the sign of the offset",
		errRing, math.Abs(cfg.Offset), side, o.Kind, turn, where)
}

// uncertain sets the shift and the standard deviation, rounded up to a millimetre. A point of the edge with the standard
// deviation σ, at the distance d from the ring, has the mean squared distance σ² + d² from it.
func (r *Ring) uncertain(points []point) {
	for _, p := range points {
		d := math.Inf(1)
		for i := 1; i < len(r.Points); i++ {
			d = min(d, planar.DistanceFromSegment(r.Points[i-1], r.Points[i], p.At))
		}
		r.Shift = max(r.Shift, d)
		r.StdDev = max(r.StdDev, math.Hypot(p.StdDev, d))
	}
	const rounding = 1e-9
	r.StdDev = math.Ceil(r.StdDev*grid-rounding) / grid
}

// distinct returns the points, to the grid, without those that repeat the one before them.
func distinct(points []point) (out []point) {
	for _, p := range points {
		p.At = orb.Point{math.Round(p.At[0]*grid) / grid, math.Round(p.At[1]*grid) / grid}
		if len(out) == 0 || out[len(out)-1].At != p.At {
			out = append(out, p)
		}
	}
	for len(out) > 1 && out[0].At == out[len(out)-1].At {
		out = out[:len(out)-1]
	}
	return out
}

func places(points []point) orb.Ring {
	ring := make(orb.Ring, len(points), len(points)+1)
	for i := range points {
		ring[i] = points[i].At
	}
	return ring
}
