package planner

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// screen is the workspace of the search for the rows with the largest expected
// improvement.
type screen struct {
	mean, variance []float64 // of each point: a bound of the variance
	score          []float64 // of each row
	net            []float64 // of each row: a bound of the score, less the penalty
	order          []int     // rows by falling net
	best           []float64 // largest net scores so far, falling
}

// screened returns the score of each row: the weighted sum of the improvement at
// its points, len(weights) of them, which are rows of points. Rows that cannot be among
// the first keep, once their penalty is taken off, have -Inf. The improvement rises with
// the deviation, so that a bound of the variance, which costs O(n), is one of the
// score; the variance itself, in O(n²), is found for few rows, those with the
// largest bounds.
func (e *EI) screened(points *mat.Dense, weights, penalty []float64, keep int) []float64 {
	s, k := &e.screen, len(weights)
	m := points.RawMatrix().Rows / k
	s.mean, s.variance = sized(s.mean, m*k), sized(s.variance, m*k)
	s.score, s.net, s.order = sized(s.score, m), sized(s.net, m), sized(s.order, m)[:0]
	s.best = sized(s.best, keep)[:0]
	e.Predictor.BoundBatch(s.mean, s.variance, points)
	off := func(r int) float64 {
		if penalty == nil {
			return 0
		}
		return penalty[r]
	}
	for r := range m {
		bound := 0.0
		for i, w := range weights {
			deviation := math.Sqrt(s.variance[r*k+i])
			if w < 0 {
				deviation = 0 // where less is more
			}
			v, _, _ := e.of(s.mean[r*k+i], deviation)
			bound += w * v
		}
		s.net[r], s.score[r] = bound-off(r), math.Inf(-1)
		if s.net[r] > math.Inf(-1) { // false for NaN
			s.order = append(s.order, r)
		}
	}
	net := s.net
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Or(cmp.Compare(net[b], net[a]), a-b) })
	for _, r := range s.order {
		if keep > 0 && len(s.best) == keep && s.net[r] < s.best[keep-1] {
			break // and so are all that follow
		}
		sum := 0.0
		for i, w := range weights {
			sum += w * e.Value(points.RawRowView(r*k+i))
		}
		s.score[r] = sum
		s.keep(sum-off(r), keep)
	}
	return s.score
}

// keep takes v in if it is among the n largest.
func (s *screen) keep(v float64, n int) {
	if len(s.best) < n {
		s.best = append(s.best, v)
	} else if n > 0 && v > s.best[n-1] {
		s.best[n-1] = v
	}
	for i := len(s.best) - 1; i > 0 && s.best[i] > s.best[i-1]; i-- {
		s.best[i], s.best[i-1] = s.best[i-1], s.best[i]
	}
}
