package acquire

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Acquisition is what a sample with target x promises, in the unit of the values. A
// [Searcher] finds its maximum. It is not safe for concurrent use.
type Acquisition interface {
	// ValueGrad returns the acquisition at x and writes its gradient with respect to x into dst.
	ValueGrad(dst, x []float64) float64

	// Values writes the acquisition at every row of x, m×d, into dst, which is m long.
	Values(dst []float64, x *mat.Dense)

	// Top writes the len(dst) rows of x, m×d, with the largest scores into dst, best
	// first, equal ones in the order of rows. The score of a row is its value less its
	// penalty; a nil penalty is zero. Top returns dst[:min(len(dst), m)] without the rows
	// whose score is NaN or -Inf.
	Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate
}

// Screening is an [Acquisition] whose Top is cheap to repeat: it calls a [gp.Predictor],
// which remembers the results for the same rows.
type Screening interface {
	Acquisition
	Screens() // marks the type; does nothing
}
