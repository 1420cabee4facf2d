package planner

import (
	"slices"
)

// randomTries bounds the independent draws for one random target. A reachable
// part of the sampled box of one in 10 000 is then missed once in 20 decisions.
const randomTries = 30_000

// randomStrategy draws targets independently and uniformly from the places that
// may be chosen.
type randomStrategy struct{ baseline }

var _ Strategy = (*randomStrategy)(nil)

func (s *randomStrategy) Name() string { return "random" }

func (s *randomStrategy) Next(q Request) (Target, error) {
	if err := q.validate(s.space.Dim()); err != nil {
		return Target{}, err
	}
	s.filter.begin(q.Robot, q.Reach)
	lo, hi := s.space.Bounds()
	s.filter.box(lo, hi)
	x := make([]float64, len(lo))
	for range randomTries {
		empty := false
		for i := range x {
			x[i] = lo[i] + q.Rng.Float64()*(hi[i]-lo[i])
			empty = empty || lo[i] > hi[i]
		}
		if empty {
			break
		}
		if !s.space.Contains(x) {
			continue
		}
		if _, ok := s.filter.pass(x, false); ok {
			return s.target(&q, x, s.Data()), nil
		}
	}
	e := s.filter.rejects
	return Target{}, &e
}

// gridStrategy visits the points of an even grid in their order, from whichever
// end is nearer to the robot at the first request. Points that may not be chosen
// when their turn comes are passed over for good.
type gridStrategy struct {
	baseline
	points [][]float64
	next   int
	begun  bool
}

var (
	_ Strategy = (*gridStrategy)(nil)
	_ Resumer  = (*gridStrategy)(nil)
)

func (s *gridStrategy) Name() string { return "grid" }

func (s *gridStrategy) Next(q Request) (Target, error) {
	if err := q.validate(s.space.Dim()); err != nil {
		return Target{}, err
	}
	s.filter.begin(q.Robot, q.Reach)
	if !s.begun && len(s.points) > 0 {
		s.begun = true
		if s.filter.there.Length(s.points[len(s.points)-1]) < s.filter.there.Length(s.points[0]) {
			slices.Reverse(s.points)
		}
	}
	for s.next < len(s.points) {
		x := s.points[s.next]
		s.next++
		if _, ok := s.filter.pass(x, false); ok {
			return s.target(&q, x, s.Data()), nil
		}
	}
	e := s.filter.rejects
	e.GridSize, e.GridTaken = len(s.points), s.next
	return Target{}, &e
}

// Resume goes on behind the last of the targets, in the direction in which they lie
// on the grid. One target alone was chosen from the end that it is nearer to.
// Targets of another grid are not counted.
func (s *gridStrategy) Resume(targets [][]float64) {
	var places []int
	for _, x := range targets {
		if i := slices.IndexFunc(s.points, func(p []float64) bool { return slices.Equal(p, x) }); i >= 0 {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return
	}
	first, last := places[0], places[len(places)-1]
	s.begun, s.next = true, last+1
	if last < first || last == first && first >= (len(s.points)+1)/2 {
		slices.Reverse(s.points)
		s.next = len(s.points) - last
	}
}
