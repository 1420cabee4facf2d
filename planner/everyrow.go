package planner

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// everyRow screens for an acquisition that has no bound to spare it a row: it
// computes the value at each, and the posterior with it. It allocates when it
// screens more rows than before.
type everyRow struct{ score, mean, variance []float64 }

// values writes the acquisition at every row into dst and keeps the posterior there.
func (e *everyRow) values(dst []float64, x *mat.Dense, eval func(x []float64) (value, mean, variance float64)) {
	e.valuesOf(dst, x, nil, eval)
}

// valuesOf is values, but writes -Inf for rows that a penalty rules out.
func (e *everyRow) valuesOf(dst []float64, x *mat.Dense, penalty []float64, eval func(x []float64) (value, mean, variance float64)) {
	e.mean, e.variance = sized(e.mean, len(dst)), sized(e.variance, len(dst))
	for r := range dst {
		if ruledOut(penalty, r) {
			dst[r] = math.Inf(-1)
			continue
		}
		dst[r], e.mean[r], e.variance[r] = eval(x.RawRowView(r))
	}
}

// ruledOut reports whether a row may not be chosen, whatever its value.
func ruledOut(penalty []float64, row int) bool {
	return penalty != nil && !(penalty[row] < math.Inf(1))
}

// top is [Acquisition.Top].
func (e *everyRow) top(dst []gp.Candidate, x *mat.Dense, penalty []float64, eval func(x []float64) (value, mean, variance float64)) []gp.Candidate {
	m, _ := x.Dims()
	e.score = sized(e.score, m)
	e.valuesOf(e.score, x, penalty, eval)
	return topScores(dst, e.score, penalty, func(r int) (mean, variance float64) { return e.mean[r], e.variance[r] })
}
