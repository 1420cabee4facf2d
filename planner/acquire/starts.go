// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// place writes the point of the box at u, shifted in the unit cube with wrap-around,
// into x.
func (s *Searcher) place(x, u, lo, hi []float64) {
	for i := range x {
		v := u[i] + s.shift[i]
		if v >= 1 {
			v--
		}
		x[i] = lo[i] + v*(hi[i]-lo[i])
	}
}

// Candidates calls visit with each start of a search for q that may be chosen. visit must
// not keep the slice. The error is a [*NoTargetError] if no start may be chosen.
func (s *Searcher) Candidates(q Query, visit func(x []float64)) error {
	s.filter.Begin(q.Robot, q.Reach)
	n := s.starts(&q)
	if n == 0 {
		return s.filter.NoTarget()
	}
	for i := range n {
		visit(s.rows.RawRowView(i))
	}
	return nil
}

// starts fills rows and cost: first with fixed starts, then with the caller's and the shifted ones,
// as far as they may be chosen. It returns their number.
func (s *Searcher) starts(q *Query) (n int) {
	own := s.cfg.Starts
	if q.MaxStarts > 0 {
		own = min(own, q.MaxStarts)
	}
	most := len(q.Starts) + own // if all of the caller's starts may be chosen
	if s.rows.RawMatrix().Rows < most {
		s.rows, s.cost = mat.NewDense(most, s.space.Dim(), nil), make([]float64, most)
	}
	copy(s.lo, s.spaceLo)
	copy(s.hi, s.spaceHi)
	s.filter.Box(s.lo, s.hi)
	take := func(row []float64) bool {
		l, ok := s.filter.Pass(row, q.TravelWeight != 0)
		if ok {
			copy(s.rows.RawRowView(n), row)
			s.cost[n] = q.TravelWeight * l
			n++
		}
		return ok
	}
	for _, row := range s.fixed[:min(len(s.fixed), max(own-shiftedStarts, 0))] {
		take(row)
	}
	for _, x := range q.Starts {
		row := s.rows.RawRowView(n)
		s.space.Project(row, x)
		if !take(row) {
			most--
		}
	}
	empty := false
	for i := range s.shift {
		s.shift[i] = q.Rng.Float64()
		empty = empty || s.lo[i] > s.hi[i] // nothing of the box is within range
	}
	if !empty {
		cube := s.unit.RawMatrix().Rows
		for i := 0; i < cube && n < most; i++ {
			row := s.rows.RawRowView(n)
			if s.place(row, s.unit.RawRowView(i), s.lo, s.hi); s.space.Contains(row) {
				take(row)
			}
		}
		// If the space is narrow in its box, use points on its edge.
		for i := 0; i < cube && i < own && n < min(own+len(q.Starts), s.cfg.Refine); i++ {
			row := s.rows.RawRowView(n)
			if s.place(row, s.unit.RawRowView(i), s.lo, s.hi); !s.space.Contains(row) {
				s.space.Project(row, row)
				take(row)
			}
		}
	}
	return n
}

// start is one of the starts of a search.
type start struct {
	row   int
	score float64 // acquisition less the cost of travel
}

// best returns the best of the starts, best first and equal ones in the order of rows, without those
// whose score is NaN or -Inf.
func (s *Searcher) best(of Acquisition, starts *mat.Dense) []start {
	n, _ := starts.Dims()
	s.value = sized(s.value, n)
	of.Values(s.value, starts)
	found := s.top[:0]
	for r, v := range s.value {
		v -= s.cost[r]
		full := len(found) == cap(found)
		if !(v > math.Inf(-1)) || full && !(v > found[len(found)-1].score) {
			continue
		}
		if !full {
			found = append(found, start{})
		}
		i := len(found) - 1
		for ; i > 0 && v > found[i-1].score; i-- {
			found[i] = found[i-1]
		}
		found[i] = start{r, v}
	}
	return found
}
