// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/field"
)

// ErrNoTarget is wrapped by every [*NoTargetError].
var ErrNoTarget = errors.New("planner: no reachable place left")

// NoTargetError reports why none of the places tried may be a target.
type NoTargetError struct {
	Tried     int     // places of the space that were tried
	TooFar    int     // of these, places whose path there and home exceeds Range
	NoPath    int     // places without a path there or home
	Avoided   int     // places inside a disc of Reach.Avoid
	Refused   int     // places refused by Reach.Allowed
	Range     float64 // m, longest path there and home that was allowed
	Home      float64 // m, length of the path from the robot to home; 0 without a home
	GridSize  int     // number of points of the even grid; 0 for other methods
	GridTaken int     // points of the grid that were chosen
}

func (e *NoTargetError) Error() string { return fmt.Sprintf("%v: %s", ErrNoTarget, e.Why()) }

// Why returns how many places were tried and what excluded them.
func (e *NoTargetError) Why() string {
	tooFar := fmt.Sprintf("exceed the range of %.4g m", e.Range)
	if e.Home > 0 {
		tooFar += fmt.Sprintf(" there and home (home alone takes %.4g m)", e.Home)
	}
	var why []string
	for _, w := range []struct {
		n    int
		text string
	}{
		{e.TooFar, tooFar}, {e.NoPath, "have no path"}, {e.Avoided, "lie in an area to avoid, such as near an earlier sample or a skipped target"}, {e.Refused, "were refused"},
	} {
		if w.n > 0 {
			why = append(why, fmt.Sprintf("%d %s", w.n, w.text))
		}
	}
	of := fmt.Sprintf("of %s tried", num.Count(e.Tried, "place"))
	if e.GridSize > 0 {
		of = fmt.Sprintf("%d of the %d points of the grid have been chosen; %s", e.GridTaken, e.GridSize, of)
	}
	return strings.Join(append([]string{of}, why...), ", ")
}

func (e *NoTargetError) Unwrap() error { return ErrNoTarget }

// Filter decides which places may be chosen at one decision and counts the reasons why
// others may not. It is not safe for concurrent use.
type Filter struct {
	there field.Travel // from the robot
	home  field.Travel // from home

	robot   []float64
	reach   Reach
	always  bool // there is a path to every place
	rejects NoTargetError
}

// NewFilter returns a filter for places of space. [Filter.Begin] must come first.
func NewFilter(space field.Space) *Filter {
	f := &Filter{there: space.Travel(), home: space.Travel(), always: true}
	if r, ok := space.(*field.Region); ok {
		f.always = r.Parts() == 1
	}
	return f
}

// Begin starts a decision: it sets the robot's position and the limits, both of which it
// keeps, and resets the counts.
func (f *Filter) Begin(robot []float64, reach Reach) {
	f.robot, f.reach = robot, reach
	f.rejects = NoTargetError{Range: reach.Range}
	f.there.From(robot)
	if reach.Home != nil {
		f.home.From(reach.Home)
		f.rejects.Home = f.there.Length(reach.Home)
	}
}

// Length returns the length of the path from the robot to x, +Inf if there is none.
func (f *Filter) Length(x []float64) float64 { return f.there.Length(x) }

// NoTarget returns the counts since Begin as an error.
func (f *Filter) NoTarget() *NoTargetError {
	e := f.rejects
	return &e
}

// Pass reports whether x, a place of the space, may be a target, and returns the length
// of the path there. The length is 0 unless wantLength is set or it is needed to decide.
func (f *Filter) Pass(x []float64, wantLength bool) (length float64, ok bool) {
	f.rejects.Tried++
	for i := range f.reach.Avoid {
		if d := &f.reach.Avoid[i]; field.Distance(x, d.Centre) <= d.Radius {
			f.rejects.Avoided++
			return 0, false
		}
	}
	limited := !math.IsInf(f.reach.Range, 1)
	if limited {
		straight := field.Distance(f.robot, x)
		if f.reach.Home != nil {
			straight += field.Distance(x, f.reach.Home)
		}
		if straight > f.reach.Range {
			f.rejects.TooFar++
			return 0, false
		}
	}
	if limited || wantLength || !f.always {
		length = f.there.Length(x)
		total := length
		if f.reach.Home != nil && (limited || !f.always) {
			total += f.home.Length(x)
		}
		if math.IsInf(total, 1) {
			f.rejects.NoPath++
			return 0, false
		}
		if total > f.reach.Range {
			f.rejects.TooFar++
			return 0, false
		}
	}
	if f.reach.Allowed != nil && !f.reach.Allowed(x) {
		f.rejects.Refused++
		return 0, false
	}
	return length, true
}

// Box narrows the box from lo to hi to the places within range: the ellipsoid of the
// points whose distances to the robot and to home add up to the range.
func (f *Filter) Box(lo, hi []float64) {
	if math.IsInf(f.reach.Range, 1) {
		return
	}
	if f.reach.Home == nil {
		for i, v := range f.robot {
			lo[i], hi[i] = max(lo[i], v-f.reach.Range), min(hi[i], v+f.reach.Range)
		}
		return
	}
	focal := field.Distance(f.robot, f.reach.Home)
	long2 := f.reach.Range * f.reach.Range / 4 // semi-axis through both foci, squared
	short2 := max(0, long2-focal*focal/4)      // all others
	for i := range lo {
		u2 := 0.0
		if focal > 0 {
			u := (f.reach.Home[i] - f.robot[i]) / focal
			u2 = u * u
		}
		half := math.Sqrt(long2*u2 + short2*(1-u2))
		c := f.robot[i]/2 + f.reach.Home[i]/2
		lo[i], hi[i] = max(lo[i], c-half), min(hi[i], c+half)
	}
}
