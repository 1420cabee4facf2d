package acquire

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/internal/valid"
)

// UCB is the acquisition function of Alg. 1, line 2,
//
//	h(x) = μ̂(P̂_x) + β·σ̂(P̂_x),  P̂_x = N(x, Σ̂)                  (Eq. ugp-ucb)
//
// where Σ̂ is the covariance of the Predictor. It allocates at its first gradient, and when
// Values has more rows than before.
type UCB struct {
	Predictor *gp.Predictor
	Beta      float64 // β ≥ 0, outside the root

	dMean, dVar []float64
	variance    []float64 // of the rows of Values
}

var _ Screening = (*UCB)(nil)

// Dim returns the dimension of the predictor's queries.
func (u *UCB) Dim() int { return u.Predictor.Dim() }

// Validate wants a predictor and a finite β ≥ 0.
func (u *UCB) Validate() error {
	if u.Predictor == nil {
		return fmt.Errorf("%w: the predictor must be given", ErrSearch)
	}
	if !valid.Finite(u.Beta) || u.Beta < 0 {
		return fmt.Errorf("%w: Beta is %g, want a finite number ≥ 0", ErrSearch, u.Beta)
	}
	return nil
}

// Value returns h(x).
func (u *UCB) Value(x []float64) float64 {
	mean, variance := u.Predictor.Predict(x)
	return mean + u.Beta*math.Sqrt(variance)
}

// ValueGrad returns h(x) and writes its gradient with respect to x into dst.
// Where the standard deviation is zero it has no gradient, and its share is left out.
func (u *UCB) ValueGrad(dst, x []float64) float64 {
	if u.dMean == nil {
		u.dMean, u.dVar = make([]float64, len(x)), make([]float64, len(x))
	}
	mean, variance := u.Predictor.PredictGrad(u.dMean, u.dVar, x)
	stdDev := math.Sqrt(variance)
	for i := range dst {
		dst[i] = u.dMean[i]
		if stdDev > 0 {
			dst[i] += u.Beta * u.dVar[i] / (2 * stdDev) // ∂σ = ∂σ²/2σ
		}
	}
	return mean + u.Beta*stdDev
}

// Values writes h at every row. It computes no standard deviations if β is 0.
func (u *UCB) Values(dst []float64, x *mat.Dense) {
	if u.Beta == 0 {
		u.Predictor.PredictBatch(dst, nil, x)
		return
	}
	u.variance = sized(u.variance, len(dst))
	u.Predictor.PredictBatch(dst, u.variance, x)
	for r, v := range u.variance {
		dst[r] += u.Beta * math.Sqrt(v)
	}
}

// Top calls the predictor, which computes few of the variances in full.
func (u *UCB) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	return u.Predictor.TopUCB(dst, x, u.Beta, penalty)
}

// Screens marks that Top calls the predictor.
func (u *UCB) Screens() {}
