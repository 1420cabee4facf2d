package acquire

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// exhaustive implements Values and Top for an [Acquisition] without a cheap bound: it
// evaluates every row. The function eval returns the acquisition and the posterior mean
// and variance at x. It allocates when there are more rows than before.
type exhaustive struct{ score, mean, variance []float64 }

// screen writes the acquisition at every row into dst, -Inf at rows that the penalty
// rules out, and keeps the posterior at each row.
func (e *exhaustive) screen(dst []float64, x *mat.Dense, penalty []float64, eval func(x []float64) (value, mean, variance float64)) {
	e.mean, e.variance = sized(e.mean, len(dst)), sized(e.variance, len(dst))
	for r := range dst {
		if ruledOut(penalty, r) {
			dst[r] = math.Inf(-1)
			continue
		}
		dst[r], e.mean[r], e.variance[r] = eval(x.RawRowView(r))
	}
}

// ruledOut reports whether the penalty excludes a row, whatever its value.
func ruledOut(penalty []float64, row int) bool {
	return penalty != nil && !(penalty[row] < math.Inf(1))
}

// top is [Acquisition.Top].
func (e *exhaustive) top(dst []gp.Candidate, x *mat.Dense, penalty []float64, eval func(x []float64) (value, mean, variance float64)) []gp.Candidate {
	m, _ := x.Dims()
	e.score = sized(e.score, m)
	e.screen(e.score, x, penalty, eval)
	return topScores(dst, e.score, penalty, func(r int) (mean, variance float64) { return e.mean[r], e.variance[r] })
}

// topScores is [Acquisition.Top] for values that are known already.
func topScores(dst []gp.Candidate, score, penalty []float64, posterior func(row int) (mean, variance float64)) []gp.Candidate {
	found := 0
	for r, s := range score {
		if penalty != nil {
			s -= penalty[r]
		}
		if !(s > math.Inf(-1)) || found == len(dst) && !(s > dst[found-1].Score) {
			continue
		}
		i := min(found, len(dst)-1)
		for ; i > 0 && s > dst[i-1].Score; i-- {
			dst[i] = dst[i-1]
		}
		mean, variance := posterior(r)
		dst[i] = gp.Candidate{Row: r, Score: s, Mean: mean, Variance: variance}
		found = min(found+1, len(dst))
	}
	return dst[:found]
}

// sized returns s with length n and undefined contents.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
