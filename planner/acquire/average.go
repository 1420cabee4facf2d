package acquire

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Average is the mean of acquisitions under models of different hyper-parameters,
// weighted by how likely those are. There is a weight ≥ 0 for each.
type Average struct {
	Of     []Acquisition
	Weight []float64

	grad, score, one []float64

	row           []int // the rows that the penalty does not rule out
	places, value []float64
}

var _ Acquisition = (*Average)(nil)

// ValueGrad returns the weighted mean at x and writes its gradient with respect to x into dst.
func (a *Average) ValueGrad(dst, x []float64) float64 {
	a.grad = sized(a.grad, len(x))
	clear(dst)
	s := 0.0
	for i, of := range a.Of {
		s += a.Weight[i] * of.ValueGrad(a.grad, x)
		for k, g := range a.grad {
			dst[k] += a.Weight[i] * g
		}
	}
	return s
}

// Values writes the weighted mean at every row.
func (a *Average) Values(dst []float64, x *mat.Dense) {
	a.one = sized(a.one, len(dst))
	clear(dst)
	for i, of := range a.Of {
		of.Values(a.one, x)
		floats.AddScaled(dst, a.Weight[i], a.one)
	}
}

// Top computes the value at every row that the penalty does not rule out. The mean and
// the variance of its candidates are NaN, because each model has its own.
func (a *Average) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	m, d := x.Dims()
	a.row, a.places = a.row[:0], a.places[:0]
	for r := range m {
		if !ruledOut(penalty, r) {
			a.row, a.places = append(a.row, r), append(a.places, x.RawRowView(r)...)
		}
	}
	a.value, a.score = sized(a.value, len(a.row)), sized(a.score, m)
	if len(a.row) > 0 {
		a.Values(a.value, mat.NewDense(len(a.row), d, a.places))
	}
	for r := range a.score {
		a.score[r] = math.Inf(-1)
	}
	for i, r := range a.row {
		a.score[r] = a.value[i]
	}
	return topScores(dst, a.score, penalty, func(int) (mean, variance float64) { return math.NaN(), math.NaN() })
}
