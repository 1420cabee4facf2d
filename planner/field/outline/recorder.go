// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	"ugp_explorer/planner/field"
)

// Kind says what a ring encloses.
type Kind int

const (
	Boundary Kind = iota // the field: the robot stays inside
	KeepOut              // a place of the field that the robot must not enter
)

func (k Kind) String() string {
	if k == KeepOut {
		return "keep-out"
	}
	return "outline"
}

// point is a point of an edge.
type point struct {
	At     orb.Point // m
	StdDev float64   // along the least certain direction, m
	Stamp  int64     // ns
	Yaw    float64   // of the robot, rad
	Driven bool      // collected while driving, not at a corner
}

// recording is a ring with the points that it was made of.
type recording struct {
	Kind    Kind
	Points  []point
	Refused []Stretch
	Last    *point // the last usable pose; nil: none, or it was taken back
	Ring    Ring   // when it is closed; without points: it was removed
	Loaded  bool   // it was not recorded: there are no points to take back
}

// Recorder collects the rings of a field. It is not safe for concurrent use.
type Recorder struct {
	cfg    Config
	closed []recording
	open   *recording // nil: none
	edits  []edit
}

// maxPoints is the largest number of points of an open ring.
const maxPoints = 10_000

// New returns a recorder without rings. The values of cfg are finite, and all but Offset above 0.
func New(cfg Config) *Recorder { return &Recorder{cfg: cfg} }

// Begin opens a ring. The keep-outs may come before the outline. It is an error if a ring is open,
// or for a second outline.
func (r *Recorder) Begin(kind Kind) error {
	if r.open != nil {
		return fmt.Errorf("%w: close the %v with its %s first, or undo them", errOpen, r.open.Kind, num.Count(len(r.open.Points), "point"))
	}
	if kind == Boundary {
		for i := range r.closed {
			if r.closed[i].Kind == Boundary && r.closed[i].Ring.Points != nil {
				return fmt.Errorf("%w, and this field already has its outline", errBoundary)
			}
		}
	}
	r.open = &recording{Kind: kind}
	return nil
}

// Drive takes a pose of a robot that drives along the edge, and reports whether it was collected:
// it is if the edge's point is Spacing away from the last one, or the robot has turned by Turn.
// A pose that cannot be used is a [*PoseError]; the recording continues with the next one.
// Without an open ring the error wraps [ErrNotOpen].
func (r *Recorder) Drive(p localization.Pose) (collected bool, err error) { return r.take(p, true) }

// Corner collects a pose as a corner of the edge. The edge to the point before and to the next
// one is straight if that is a corner, too. The errors are those of [Recorder.Drive].
func (r *Recorder) Corner(p localization.Pose) error {
	_, err := r.take(p, false)
	return err
}

func (r *Recorder) take(p localization.Pose, driven bool) (bool, error) {
	if r.open == nil {
		return false, fmt.Errorf("%w: begin an outline or a keep-out first", ErrNotOpen)
	}
	if len(r.open.Points) >= maxPoints {
		return false, fmt.Errorf("%w: the %v has %d points, the largest number allowed: close it, or undo some", errRing, r.open.Kind, maxPoints)
	}
	at, refusal := r.edge(p)
	if refusal != nil {
		r.open.refuse(p.Stamp, refusal)
		return false, refusal
	}
	at.Driven = driven
	return r.open.accept(at, &r.cfg), nil
}

// Check returns a [*PoseError] if a pose cannot be used.
func (r *Recorder) Check(p localization.Pose) error {
	if _, refusal := r.edge(p); refusal != nil {
		return refusal
	}
	return nil
}

// edge returns the point of the edge beside a pose, or why the pose cannot be used.
func (r *Recorder) edge(p localization.Pose) (point, *PoseError) {
	at := p.At(localization.Lever{Y: r.cfg.Offset})
	major, _, _ := at.Covariance().Axes()
	if !num.Finite(at.X) || !num.Finite(at.Y) || !num.Finite(p.Yaw) {
		major = math.NaN()
	}
	refusal := &PoseError{At: orb.Point{p.X, p.Y}, StdDev: major, Limit: r.cfg.MaxStdDev, Heading: r.cfg.Offset != 0 && !p.HeadingKnown()}
	if refusal.Heading || !(major <= r.cfg.MaxStdDev) {
		return point{}, refusal
	}
	return point{At: orb.Point{at.X, at.Y}, StdDev: major, Stamp: p.Stamp, Yaw: p.Yaw}, nil
}

// refuse counts a refused pose.
func (o *recording) refuse(stamp int64, e *PoseError) {
	n := len(o.Refused)
	if n == 0 || !o.Refused[n-1].Open {
		o.Refused = append(o.Refused, Stretch{First: stamp, Before: len(o.Points), Open: true})
		n++
	}
	s := &o.Refused[n-1]
	s.Last = stamp
	s.Poses++
	if e.Heading {
		s.Headings++
	} else if num.Finite(e.StdDev) {
		s.StdDev = max(s.StdDev, e.StdDev)
	}
}

// accept ends a refused stretch, and collects a point if it is due.
func (o *recording) accept(p point, cfg *Config) bool {
	bridged := p.Driven && o.Last != nil
	var gap *Stretch // that ends here
	if n := len(o.Refused); n > 0 && o.Refused[n-1].Open {
		gap = &o.Refused[n-1]
		gap.Open = false
	} else if bridged && distance(o.Last.At, p.At) > cfg.MaxGap {
		o.Refused = append(o.Refused, Stretch{First: o.Last.Stamp, Last: p.Stamp, Before: len(o.Points)})
		gap = &o.Refused[n]
	}
	if gap != nil && bridged {
		gap.From, gap.To, gap.Length = o.Last.At, p.At, distance(o.Last.At, p.At)
		if n := len(o.Points); n > 0 && o.Last.Stamp != o.Points[n-1].Stamp { // the edge is known up to there
			o.Points = append(o.Points, *o.Last)
			gap.Before++
		}
	}
	o.Last = &p
	if !p.Driven || len(o.Points) == 0 {
		o.Points = append(o.Points, p)
		return true
	}
	before := &o.Points[len(o.Points)-1]
	away := distance(before.At, p.At)
	turned := math.Abs(math.Remainder(p.Yaw-before.Yaw, 2*math.Pi))
	if away >= cfg.Spacing || turned >= cfg.Turn && away >= least*cfg.Spacing {
		o.Points = append(o.Points, p)
		return true
	}
	return false
}

// Undo takes back the last point of the open ring or the last edit, or opens the ring that was
// closed last. A ring without points is dropped. The error wraps [ErrNotOpen] if there is nothing.
func (r *Recorder) Undo() error {
	switch n, edits := len(r.closed), len(r.edits); {
	case r.open == nil && edits > 0 && r.edits[edits-1].Closed == n: // it was made after the last ring was closed
		last := r.edits[edits-1]
		r.closed[last.Ring].Ring, r.edits = last.Before, r.edits[:edits-1]
	case r.open == nil && (n == 0 || r.closed[n-1].Loaded):
		return fmt.Errorf("%w: there is nothing to undo", ErrNotOpen)
	case r.open == nil:
		last := r.closed[n-1]
		last.Ring = Ring{}
		r.open, r.closed = &last, r.closed[:n-1]
	case len(r.open.Points) == 0:
		r.open = nil
	default:
		o, n := r.open, len(r.open.Points)-1
		o.Points = o.Points[:n]
		for len(o.Refused) > 0 && o.Refused[len(o.Refused)-1].Before > n {
			o.Refused = o.Refused[:len(o.Refused)-1]
		}
		if o.Last = nil; n > 0 {
			last := o.Points[n-1]
			o.Last = &last
		}
	}
	return nil
}

// Open returns the kind and the points so far of the open ring, m; ok is false if none is open.
func (r *Recorder) Open() (kind Kind, points []orb.Point, ok bool) {
	if r.open == nil {
		return 0, nil, false
	}
	for i := range r.open.Points {
		points = append(points, r.open.Points[i].At)
	}
	return r.open.Kind, points, true
}

// Rings returns the closed rings in the order in which they were recorded. One that was removed
// has no points.
func (r *Recorder) Rings() []Ring {
	var rings []Ring
	for i := range r.closed {
		rings = append(rings, r.closed[i].Ring)
	}
	return rings
}

// Field returns the field of the closed rings, with the largest standard deviation of their edges.
// It is an error if a ring is open, there is no outline, or a keep-out lies outside of it; a
// [*field.EmptyRegionError] if the keep-outs cover the field.
func (r *Recorder) Field() (field.Field, error) {
	if r.open != nil {
		return field.Field{}, fmt.Errorf("%w: close the %v first", errOpen, r.open.Kind)
	}
	var f field.Field
	for i := range r.closed {
		ring := &r.closed[i].Ring
		if ring.Points == nil {
			continue
		}
		if ring.Kind == Boundary {
			f.Boundary = orb.Polygon{ring.Points}
		} else {
			f.KeepOuts = append(f.KeepOuts, orb.Polygon{ring.Points})
		}
		f.StdDev = max(f.StdDev, ring.StdDev)
	}
	if f.Boundary == nil {
		return field.Field{}, fmt.Errorf("%w, and this one has none yet", errBoundary)
	}
	if err := outside(f); err != nil {
		return field.Field{}, err
	}
	if _, err := field.Inscribed(f); err != nil {
		return field.Field{}, err
	}
	return f, nil
}

func distance(a, b orb.Point) float64 { return math.Hypot(b[0]-a[0], b[1]-a[1]) }
