package acquire

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
)

// reserve makes room for n starts.
func (s *Searcher) reserve(n int) {
	if s.rows != nil && s.rows.RawMatrix().Rows >= n {
		return
	}
	rows := mat.NewDense(n, s.space.Dim(), nil)
	for i := range s.fixed {
		copy(rows.RawRowView(i), s.rows.RawRowView(i))
	}
	s.rows, s.penalty, s.straight = rows, make([]float64, n), make([]bool, n)
}

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
		if s.penalty[i] < math.Inf(1) {
			visit(s.rows.RawRowView(i))
		}
	}
	return nil
}

// starts fills rows and penalty: first the fixed starts, with an infinite penalty where
// they may not be chosen or exceed the number wanted, then the caller's starts and the
// shifted ones, as far as they may be chosen. It returns the number of rows, or 0 if none
// may be chosen.
func (s *Searcher) starts(q *Query) int {
	own := s.cfg.Starts
	if q.MaxStarts > 0 {
		own = min(own, q.MaxStarts)
	}
	s.reserve(s.fixed + len(q.Starts) + own)
	copy(s.lo, s.spaceLo)
	copy(s.hi, s.spaceHi)
	s.filter.Box(s.lo, s.hi)
	n, passed := 0, 0
	weighs := q.TravelWeight != 0
	_, cheap := q.Acquisition.(Screening)
	straight := weighs && cheap && s.filter.always && math.IsInf(q.Reach.Range, 1) // every place can be reached, and no path is too long
	if home := q.Reach.Home; !slices.Equal(s.home, home) {
		s.home = append(s.home[:0], home...)
		for i := range s.homeLength {
			s.homeLength[i] = math.NaN()
		}
	}
	take := func(row []float64, home *float64) bool {
		l, ok := s.filter.passHome(row, weighs && !straight, home)
		if ok {
			if straight {
				l = field.Distance(q.Robot, row)
			}
			s.straight[n] = straight
			s.penalty[n] = q.TravelWeight * l
			n++
			passed++
		}
		return ok
	}
	for n < s.fixed {
		if n >= own-shiftedStarts || !take(s.rows.RawRowView(n), &s.homeLength[n]) {
			s.penalty[n], s.straight[n] = math.Inf(1), false
			n++
		}
	}
	most := n + len(q.Starts) + own - passed // if all of the caller's starts may be chosen
	for _, x := range q.Starts {
		row := s.rows.RawRowView(n)
		s.space.Project(row, x)
		if !take(row, nil) {
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
				take(row, nil)
			}
		}
		// If the space is narrow in its box, use points on its edge.
		for i := 0; i < cube && i < own && passed < min(own+len(q.Starts), s.cfg.Refine); i++ {
			row := s.rows.RawRowView(n)
			if s.place(row, s.unit.RawRowView(i), s.lo, s.hi); !s.space.Contains(row) {
				s.space.Project(row, row)
				take(row, nil)
			}
		}
	}
	if passed == 0 {
		return 0
	}
	return n
}

// best returns the best of the starts. If Top is cheap to repeat, the cost of travel is
// first that of the straight line. best computes the true path only for the starts that
// are among the best, and repeats until that changes nothing.
func (s *Searcher) best(q *Query, starts *mat.Dense) []gp.Candidate {
	n, _ := starts.Dims()
	for {
		found := q.Acquisition.Top(s.top, starts, s.penalty[:n])
		other := false
		for _, c := range found {
			if s.straight[c.Row] {
				s.straight[c.Row] = false
				before := s.penalty[c.Row]
				s.penalty[c.Row] = q.TravelWeight * s.filter.Length(starts.RawRowView(c.Row))
				other = other || s.penalty[c.Row] != before
			}
		}
		if !other {
			return found
		}
	}
}
