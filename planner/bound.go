package planner

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Merit is what a posterior mean is worth, and the derivative of that.
type Merit func(mean float64) (worth, slope float64)

// Bound is an acquisition function for other objectives than the highest value,
//
//	h(x) = m(μ̂(P̂_x)) + β·σ̂(P̂_x)
//
// With m(μ) = -|μ - level| it is the straddle heuristic, which looks for the line
// where f̂ crosses a level (Bryan et al., "Active learning for identifying function
// threshold boundaries", NIPS 2005, with β = 1.96); with m = 0 it goes where least
// is known. It allocates at its first gradient, and when it screens more rows than
// before.
type Bound struct {
	Predictor *gp.Predictor
	Beta      float64 // β ≥ 0
	Merit     Merit

	dMean, dVar []float64
	mean, less  []float64 // of the rows screened
}

var _ Acquisition = (*Bound)(nil)

// Dim returns the dimension of the predictor's queries.
func (b *Bound) Dim() int { return b.Predictor.Dim() }

// Validate wants a predictor, a finite β ≥ 0 and a merit.
func (b *Bound) Validate() error {
	if b.Merit == nil {
		return fmt.Errorf("%w: the merit must be given", ErrSearch)
	}
	return (&UCB{Predictor: b.Predictor, Beta: b.Beta}).Validate()
}

// Value returns h(x).
func (b *Bound) Value(x []float64) float64 {
	mean, variance := b.Predictor.Predict(x)
	worth, _ := b.Merit(mean)
	return worth + b.Beta*math.Sqrt(variance)
}

// ValueGrad returns h(x) and writes its gradient with respect to x into dst.
// Where the deviation is zero its share is left out: it has no gradient there.
func (b *Bound) ValueGrad(dst, x []float64) float64 {
	if b.dMean == nil {
		b.dMean, b.dVar = make([]float64, len(x)), make([]float64, len(x))
	}
	mean, variance := b.Predictor.PredictGrad(b.dMean, b.dVar, x)
	deviation := math.Sqrt(variance)
	worth, slope := b.Merit(mean)
	for i := range dst {
		dst[i] = slope * b.dMean[i]
		if deviation > 0 {
			dst[i] += b.Beta * b.dVar[i] / (2 * deviation) // ∂σ = ∂σ²/2σ
		}
	}
	return worth + b.Beta*deviation
}

// Values writes h at every row.
func (b *Bound) Values(dst []float64, x *mat.Dense) {
	b.mean, b.less = sized(b.mean, len(dst)), sized(b.less, len(dst))
	variance := b.less
	b.Predictor.PredictBatch(b.mean, variance, x)
	for r, mean := range b.mean {
		worth, _ := b.Merit(mean)
		dst[r] = worth + b.Beta*math.Sqrt(variance[r])
	}
}

// Top leaves the search to the predictor: what a row's mean is worth less than
// itself, which costs little to know, is taken off its upper confidence bound.
func (b *Bound) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	m, _ := x.Dims()
	b.mean, b.less = sized(b.mean, m), sized(b.less, m)
	b.Predictor.PredictBatch(b.mean, nil, x)
	for r, mean := range b.mean {
		worth, _ := b.Merit(mean)
		b.less[r] = mean - worth
		if penalty != nil {
			b.less[r] += penalty[r]
		}
	}
	return b.Predictor.TopUCB(dst, x, b.Beta, b.less)
}
