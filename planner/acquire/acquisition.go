package acquire

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
)

// Acquisition says what a sample with target x promises, in the unit of the
// values. A [Searcher] looks for its maximum. One is for one goroutine.
type Acquisition interface {
	// Dim returns the number of coordinates of a place.
	Dim() int

	// Validate returns an error unless the acquisition has what it needs.
	Validate() error

	// Value returns the acquisition at x.
	Value(x []float64) float64

	// ValueGrad returns Value and writes its gradient with respect to x into dst.
	ValueGrad(dst, x []float64) float64

	// Values writes Value at every row of x, m×d, into dst, which is m long.
	Values(dst []float64, x *mat.Dense)

	// Top writes the len(dst) rows of x, m×d, with the largest value less
	// penalty into dst, best first, equal ones in the order of rows, and returns
	// dst[:min(len(dst), m)] without the rows whose score is NaN or -Inf. A nil
	// penalty is none.
	Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate
}

// Screening is an [Acquisition] whose Top may be asked again at little cost: it asks a
// [gp.Predictor], which remembers what it found of the rows before.
type Screening interface {
	Acquisition
	Screens()
}

func remembers(a Acquisition) bool {
	_, ok := a.(Screening)
	return ok
}

// netOfWay is an acquisition less the cost of the way,
//
//	h(x) - w·ℓ(x)
//
// with ℓ(x) the length of the way to x. It allocates at its first gradient only.
type netOfWay struct {
	acq    Acquisition
	weight float64      // w ≥ 0, unit of the values a metre
	travel field.Travel // from where the robot is; not used when weight is 0

	way []float64
}

// valueGrad returns the net value at x and writes its gradient into dst.
func (a *netOfWay) valueGrad(dst, x []float64) float64 {
	h := a.acq.ValueGrad(dst, x)
	if a.weight == 0 {
		return h
	}
	if a.way == nil {
		a.way = make([]float64, len(x))
	}
	h -= a.weight * a.travel.LengthGrad(a.way, x)
	for i, g := range a.way {
		dst[i] -= a.weight * g
	}
	return h
}
