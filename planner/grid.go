package planner

import "slices"

// gridStrategy visits the points of an even grid in their order, from whichever
// end is nearer to the robot at the first request. Points that may not be chosen
// when their turn comes are passed over, for good once a later one is adopted.
type gridStrategy struct {
	common
	points [][]float64
}

var _ Strategy = (*gridStrategy)(nil)

func (s *gridStrategy) Name() string { return "grid" }

func (s *gridStrategy) Next(q Request) (Target, error) {
	if err := q.validate(s.space.Dim()); err != nil {
		return Target{}, err
	}
	s.filter.Begin(q.Robot, q.Reach)
	next, step := s.after(q.Chosen)
	for ; next >= 0 && next < len(s.points); next += step {
		x := s.points[next]
		if _, ok := s.filter.Pass(x, false); ok {
			return s.target(&q, x, s.Data()), nil
		}
	}
	e := s.filter.NoTarget()
	e.GridSize, e.GridTaken = len(s.points), len(s.points)
	return Target{}, e
}

// after returns the index of the first point behind the last of the chosen targets,
// and the step to the next one, 1 or -1: the direction in which the targets lie on
// the grid. One target alone was chosen from the end that it is nearer to. Targets
// that are no points of the grid do not count; without any other, the end nearer to
// the robot comes first.
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

// index returns the index of a point of the grid, -1 for any other place.
func (s *gridStrategy) index(x []float64) int {
	return slices.IndexFunc(s.points, func(p []float64) bool { return slices.Equal(p, x) })
}
