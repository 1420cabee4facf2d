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

const (
	// maxCorners is the largest number of corners of a ring that is edited.
	maxCorners = 2000
	// farthest is the largest coordinate of an edited corner, m.
	farthest = 1e6
)

// edit is a change of a closed ring by a person.
type edit struct {
	Ring   int
	Before Ring
	Closed int // closed rings at that time
}

// Edit replaces the corners of a closed ring, by its index in [Recorder.Rings]; the last corner need
// not repeat the first. The standard deviation of its edge stays: a person who moves a corner
// knows the place no better than the robot. The error is a [*CrossingsError], or says why
// the corners make no ring, or that a ring is open; then nothing changes.
func (r *Recorder) Edit(ring int, corners []orb.Point) (Ring, error) {
	o, err := r.editable(ring)
	if err != nil {
		return Ring{}, err
	}
	next := o.Ring
	if next.Points, err = edited(o.Kind, corners); err != nil {
		return Ring{}, err
	}
	next.measure()
	r.edits = append(r.edits, edit{ring, o.Ring, len(r.closed)})
	o.Ring = next
	return next, nil
}

// Remove removes a closed ring, by its index in [Recorder.Rings], where it leaves a ring without
// points. It is an error if there is none, or a ring is open.
func (r *Recorder) Remove(ring int) error {
	o, err := r.editable(ring)
	if err != nil {
		return err
	}
	r.edits = append(r.edits, edit{ring, o.Ring, len(r.closed)})
	o.Ring = Ring{Kind: o.Kind}
	return nil
}

// Load adds the rings of a field as closed rings, for editing. Holes of the outline become keep-outs. Use it only for a recorder without
// rings. The errors are those of Edit; a keep-out with holes cannot be edited either.
func (r *Recorder) Load(f field.Field) error {
	if r.open != nil || len(r.closed) > 0 {
		return fmt.Errorf("%w: a field cannot be edited during a recording: save or discard it first", errOpen)
	}
	if len(f.Boundary) == 0 {
		return fmt.Errorf("%w, and this one has none", errBoundary)
	}
	polygons := []orb.Polygon{f.Boundary[:1]}
	for _, hole := range f.Boundary[1:] {
		polygons = append(polygons, orb.Polygon{hole})
	}
	var loaded []recording
	for i, p := range append(polygons, f.KeepOuts...) {
		o := recording{Kind: KeepOut, Loaded: true}
		if i == 0 {
			o.Kind = Boundary
		}
		if len(p) != 1 {
			return fmt.Errorf("%w: keep-out %d has holes, which cannot be edited", errRing, i)
		}
		ring := Ring{Kind: o.Kind, StdDev: f.StdDev}
		var err error
		if ring.Points, err = edited(o.Kind, p[0]); err != nil {
			return err
		}
		ring.measure()
		o.Ring = ring
		loaded = append(loaded, o)
	}
	r.closed = loaded
	return nil
}

// editable returns a closed ring that is not removed.
func (r *Recorder) editable(ring int) (*recording, error) {
	switch {
	case r.open != nil:
		return nil, fmt.Errorf("%w: close the %v first", errOpen, r.open.Kind)
	case ring < 0 || ring >= len(r.closed) || r.closed[ring].Ring.Points == nil:
		return nil, fmt.Errorf("%w: there is no ring %d", errRing, ring+1)
	}
	return &r.closed[ring], nil
}

// edited returns the ring of corners that a person has chosen.
func edited(kind Kind, corners []orb.Point) (orb.Ring, error) {
	points := make([]point, len(corners))
	for i, c := range corners {
		if !near(c) {
			return nil, fmt.Errorf("%w: the %v has a corner at (%g, %g) m, want at most %g m", errRing, kind, c[0], c[1], farthest)
		}
		points[i].At = c
	}
	points = distinct(points)
	switch n := len(points); {
	case n < 3:
		return nil, fmt.Errorf("%w: the %v would have %s, want at least 3", errRing, kind, num.Count(n, "distinct corner"))
	case n > maxCorners:
		return nil, fmt.Errorf("%w: the %v would have %d corners, and a ring that is edited has at most %d", errRing, kind, n, maxCorners)
	}
	ring := places(points)
	if planar.Area(ring) < 0 {
		slices.Reverse(ring[1:])
	}
	ring = append(ring, ring[0])
	if left := crossings(ring, mostCrossings); len(left) > 0 {
		return nil, &CrossingsError{Kind: kind, Crossings: left, Edited: true}
	}
	if _, err := field.Inscribed(field.Field{Boundary: orb.Polygon{ring}}); err != nil {
		return nil, fmt.Errorf("outline: the %v: %w", kind, err)
	}
	return ring, nil
}

// near reports whether a place may be a corner.
func near(p orb.Point) bool {
	return math.Abs(p[0]) <= farthest && math.Abs(p[1]) <= farthest // NaN is no place either
}

// mostCrossings is how many crossings an error about an edit names.
const mostCrossings = 20

// crossings returns the first places where a closed ring crosses or touches itself.
func crossings(ring orb.Ring, most int) (left []Crossing) {
	n := len(ring) - 1
	for i := 0; i < n && len(left) < most; i++ {
		if foldsBack(ring[i], ring[i+1], ring[(i+1)%n+1]) {
			left = append(left, Crossing{At: ring[i+1]})
		}
		for j := i + 2; j < n && (i > 0 || j < n-1) && len(left) < most; j++ {
			if at, met := meet(ring[i], ring[i+1], ring[j], ring[j+1]); met {
				left = append(left, Crossing{At: at})
			}
		}
	}
	return left
}

// outside returns an error that names the first keep-out that has no place in common with the
// outline.
func outside(f field.Field) error {
	boundary := f.Boundary[0]
	for k, p := range f.KeepOuts {
		ring := p[0]
		meets := planar.RingContains(ring, boundary[0])
		for i := 0; i < len(ring)-1 && !meets; i++ {
			meets = planar.RingContains(boundary, ring[i])
			for j := 0; j < len(boundary)-1 && !meets; j++ {
				_, meets = meet(ring[i], ring[i+1], boundary[j], boundary[j+1])
			}
		}
		if !meets {
			return fmt.Errorf("%w: keep-out %d near (%.1f, %.1f) m lies outside of the outline", errRing, k+1, ring[0][0], ring[0][1])
		}
	}
	return nil
}
