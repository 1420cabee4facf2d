// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
)

var (
	// errOpen is wrapped if a ring is open that must be closed first.
	errOpen = errors.New("outline: a ring is open")
	// ErrNotOpen is wrapped if no ring is open.
	ErrNotOpen = errors.New("outline: no ring is open")
	// errBoundary is wrapped if the field has an outline already, or none yet.
	errBoundary = errors.New("outline: a field has one outline")
	// errRing is wrapped if the points of a ring are no ring.
	errRing = errors.New("outline: not a ring")
)

// PoseError reports a pose that is not used.
type PoseError struct {
	At      orb.Point // of the robot, m
	StdDev  float64   // of the edge's point along its least certain direction, m
	Limit   float64   // m
	Heading bool      // the heading is unknown, and the edge is beside the robot
}

func (e *PoseError) Error() string {
	if e.Heading {
		return fmt.Sprintf("outline: the pose at (%.2f, %.2f) m is refused: its heading is unknown, and the edge is beside the robot; drive on until the heading is known", e.At[0], e.At[1])
	}
	return fmt.Sprintf("outline: the pose at (%.2f, %.2f) m is refused: its standard deviation is %.3g m, and the limit is %g m; wait until the position is better", e.At[0], e.At[1], e.StdDev, e.Limit)
}

// Stretch is a part of a drive without usable poses. A straight line replaces it.
type Stretch struct {
	First, Last int64     // stamps of the first and the last refused pose, or of the poses around a gap, ns
	Poses       int       // refused poses; 0: no pose came
	StdDev      float64   // largest of the refused poses, m
	Headings    int       // poses that were refused because of an unknown heading
	From, To    orb.Point // the edge's points around the stretch, m
	Length      float64   // between them, m; 0 if the stretch is before the first point or after the last one

	Before int  // points collected before it
	Open   bool // no usable pose has followed
}

// GapError reports stretches without usable poses that are too long to be replaced by a straight
// line.
type GapError struct {
	Kind  Kind
	Gaps  []Stretch // those that are too long
	Limit float64   // m
}

func (e *GapError) Error() string {
	var list []string
	for _, g := range e.Gaps {
		why := "without a pose"
		if g.Poses > 0 {
			why = fmt.Sprintf("with %d refused poses", g.Poses)
		}
		list = append(list, fmt.Sprintf("%.1f m from (%.2f, %.2f) to (%.2f, %.2f) m %s", g.Length, g.From[0], g.From[1], g.To[0], g.To[1], why))
	}
	return fmt.Sprintf("outline: the %v has gaps longer than %g m: %s; drive there again, or allow longer gaps", e.Kind, e.Limit, strings.Join(list, "; "))
}

// Crossing is a place where a ring crosses or touches itself.
type Crossing struct {
	At            orb.Point // m
	First, Second int64     // stamps at which the robot passed it, ns; 0 for an edited ring
}

// CrossingsError reports the places where a ring crosses itself.
type CrossingsError struct {
	Kind      Kind
	Crossings []Crossing
	Edited    bool // a person would have moved the corners so
}

func (e *CrossingsError) Error() string {
	const most = 5
	var list []string
	for i, c := range e.Crossings {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprintf("(%.2f, %.2f) m", c.At[0], c.At[1]))
	}
	places := num.Count(len(e.Crossings), "place")
	if e.Edited {
		return fmt.Sprintf("outline: the %v would cross itself in %s: %s", e.Kind, places, strings.Join(list, ", "))
	}
	return fmt.Sprintf("outline: the %v crosses itself in %s: %s; undo the points from there on, or drive along it again", e.Kind, places, strings.Join(list, ", "))
}
