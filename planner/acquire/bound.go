package acquire

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Merit returns the worth of a posterior mean, and its derivative. It must be concave.
type Merit func(mean float64) (worth, slope float64)

// Bound is the acquisition function for objectives other than the highest value,
//
//	h(x) = m(μ̂(P̂_x)) + β·σ̂(P̂_x)
//
// With m(μ) = -|μ - level| it is the straddle heuristic, which looks for the line
// where f̂ crosses a level (Bryan et al., "Active learning for identifying function
// threshold boundaries", NIPS 2005, with β = 1.96). With m = 0 it is largest where the
// standard deviation is. It allocates at its first gradient, and when it screens more rows than
// before.
type Bound struct {
	Predictor *gp.Predictor
	Beta      float64 // β ≥ 0
	Merit     Merit

	dMean, dVar    []float64
	mean, variance []float64 // of the rows of Values
}

var (
	_ Screening = (*Bound)(nil)
	_ gp.Scorer = (*Bound)(nil)
)

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
	return b.Score(mean, math.Sqrt(variance))
}

// Score returns h for a posterior mean and standard deviation.
func (b *Bound) Score(mean, stdDev float64) float64 {
	worth, _ := b.Merit(mean)
	return worth + b.Beta*stdDev
}

// Most returns an upper bound of h for means between low and high: h at the better end or,
// if the merit has its maximum in between, h where the tangents at the ends meet.
func (b *Bound) Most(low, high, stdDev float64) float64 {
	worthLow, slopeLow := b.Merit(low)
	worthHigh, slopeHigh := b.Merit(high)
	most := max(worthLow, worthHigh)
	if slopeLow > 0 && slopeHigh < 0 {
		most = max(most, worthLow+slopeLow*(worthHigh-worthLow-slopeHigh*(high-low))/(slopeLow-slopeHigh))
	}
	return most + b.Beta*stdDev
}

// ValueGrad returns h(x) and writes its gradient with respect to x into dst.
// Where the standard deviation is zero it has no gradient, and its share is left out.
func (b *Bound) ValueGrad(dst, x []float64) float64 {
	if b.dMean == nil {
		b.dMean, b.dVar = make([]float64, len(x)), make([]float64, len(x))
	}
	mean, variance := b.Predictor.PredictGrad(b.dMean, b.dVar, x)
	stdDev := math.Sqrt(variance)
	worth, slope := b.Merit(mean)
	for i := range dst {
		dst[i] = slope * b.dMean[i]
		if stdDev > 0 {
			dst[i] += b.Beta * b.dVar[i] / (2 * stdDev) // ∂σ = ∂σ²/2σ
		}
	}
	return worth + b.Beta*stdDev
}

// Values writes h at every row.
func (b *Bound) Values(dst []float64, x *mat.Dense) {
	b.mean, b.variance = sized(b.mean, len(dst)), sized(b.variance, len(dst))
	b.Predictor.PredictBatch(b.mean, b.variance, x)
	for r, mean := range b.mean {
		dst[r] = b.Score(mean, math.Sqrt(b.variance[r]))
	}
}

// Top calls the predictor, which computes few of the variances in full.
func (b *Bound) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	return b.Predictor.Top(dst, x, b, nil, penalty)
}

// Screens marks that Top calls the predictor.
func (b *Bound) Screens() {}
