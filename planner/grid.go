// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"math"
	"slices"
)

// gridStrategy visits the points of an even grid in order, from the end nearer to the robot
// at the first request. It passes over points that may not be chosen at their turn. In the
// end it visits those of them that may be chosen then, each time the nearest.
type gridStrategy struct {
	common
	points [][]float64
}

var _ Strategy = (*gridStrategy)(nil)

func (s *gridStrategy) Next(q Request) (Target, error) {
	s.filter.Begin(q.Robot, q.Reach)
	left := func(x []float64) bool {
		return !slices.ContainsFunc(q.Chosen, func(c []float64) bool { return slices.Equal(c, x) })
	}
	next, step := s.after(q.Chosen)
	for ; next >= 0 && next < len(s.points); next += step {
		x := s.points[next]
		if !left(x) {
			continue
		}
		if _, ok := s.filter.Pass(x, false); ok {
			return s.target(&q, x, formBelief), nil
		}
	}
	s.filter.Begin(q.Robot, q.Reach) // all that are left count once
	var nearest []float64
	least, taken := math.Inf(1), len(s.points)
	for _, x := range s.points {
		if !left(x) {
			continue
		}
		taken--
		if length, ok := s.filter.Pass(x, true); ok && length < least {
			nearest, least = x, length
		}
	}
	if nearest != nil {
		return s.target(&q, nearest, formBelief), nil
	}
	e := s.filter.NoTarget()
	e.GridSize, e.GridTaken = len(s.points), taken
	return Target{}, e
}

// after returns the index of the next point, and the step to the one after it, 1 or -1.
// The chosen targets give the direction; a single target lies near the end from which the
// grid was begun. Targets that are not points of the grid are ignored. Without any target,
// the end nearer to the robot comes first.
func (s *gridStrategy) after(chosen [][]float64) (next, step int) {
	end := len(s.points) - 1
	first, last := -1, -1
	for i := 0; i < len(chosen) && first < 0; i++ {
		first = s.index(chosen[i])
	}
	for i := len(chosen) - 1; i >= 0 && last < 0; i-- {
		last = s.index(chosen[i])
	}
	switch {
	case end < 0:
		return 0, 1
	case first < 0 && s.filter.Length(s.points[end]) < s.filter.Length(s.points[0]):
		return end, -1
	case first < 0:
		return 0, 1
	case last < first, last == first && first > end/2:
		return last - 1, -1
	}
	return last + 1, 1
}

// index returns the index of the grid point at x, or -1.
func (s *gridStrategy) index(x []float64) int {
	return slices.IndexFunc(s.points, func(p []float64) bool { return slices.Equal(p, x) })
}
