package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// everyRow screens for an acquisition that has no bound to spare it a row: it
// computes the value at each, and the posterior with it. It allocates when it
// screens more rows than before.
type everyRow struct{ score, mean, variance []float64 }

// values writes the acquisition at every row into dst and keeps the posterior there.
func (e *everyRow) values(dst []float64, x *mat.Dense, eval func(x []float64) (value, mean, variance float64)) {
	e.mean, e.variance = sized(e.mean, len(dst)), sized(e.variance, len(dst))
	for r := range dst {
		dst[r], e.mean[r], e.variance[r] = eval(x.RawRowView(r))
	}
}

// top is [Acquisition.Top].
func (e *everyRow) top(dst []gp.Candidate, x *mat.Dense, penalty []float64, eval func(x []float64) (value, mean, variance float64)) []gp.Candidate {
	m, _ := x.Dims()
	e.score = sized(e.score, m)
	e.values(e.score, x, eval)
	return topScores(dst, e.score, penalty, func(r int) (mean, variance float64) { return e.mean[r], e.variance[r] })
}
