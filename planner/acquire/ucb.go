// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Merit returns the worth of a posterior mean, and its derivative. It must be concave.
type Merit func(mean float64) (worth, slope float64)

// UCB is the acquisition function of Alg. 1, line 2,
//
//	h(x) = m(μ̂(P̂_x)) + β·σ̂(P̂_x),  P̂_x = N(x, Σ̂)               (Eq. ugp-ucb with m(μ) = μ)
//
// where Σ̂ is the covariance of the Predictor. A Merit m makes it a bound for an objective
// other than the highest value. With m(μ) = -|μ - level| it is the straddle heuristic, which
// looks for the line where f̂ crosses a level (Bryan et al., "Active learning for identifying
// function threshold boundaries", NIPS 2005, with β = 1.96). With m = 0 it is largest where
// the standard deviation is. It allocates at its first gradient, and when it screens more
// rows than before.
type UCB struct {
	Predictor *gp.Predictor
	Beta      float64 // β ≥ 0, outside the root
	Merit     Merit   // nil: the mean itself

	slope, stdDev  float64 // of the last Value: of the merit, and of f̂
	dMean, dVar    []float64
	mean, variance []float64 // of the rows of Values
}

var _ Acquisition = (*UCB)(nil)

// worth returns the merit of a mean and its derivative.
func (u *UCB) worth(mean float64) (worth, slope float64) {
	if u.Merit == nil {
		return mean, 1
	}
	return u.Merit(mean)
}

// Value returns h(x).
func (u *UCB) Value(x []float64) float64 {
	mean, variance := u.Predictor.Predict(x)
	u.stdDev = math.Sqrt(variance)
	var worth float64
	worth, u.slope = u.worth(mean)
	return worth + u.Beta*u.stdDev
}

// Grad writes the gradient at the x of the last Value into dst.
// Where the standard deviation is zero it has no gradient, and its share is left out.
func (u *UCB) Grad(dst []float64) {
	u.dMean, u.dVar = sized(u.dMean, len(dst)), sized(u.dVar, len(dst))
	u.Predictor.Gradient(u.dMean, u.dVar)
	for i := range dst {
		dst[i] = u.slope * u.dMean[i]
		if u.stdDev > 0 {
			dst[i] += u.Beta * u.dVar[i] / (2 * u.stdDev) // ∂σ = ∂σ²/2σ
		}
	}
}

// Values writes h at every row. It computes no standard deviations if β is 0.
func (u *UCB) Values(dst []float64, x *mat.Dense) {
	u.mean, u.variance = sized(u.mean, len(dst)), sized(u.variance, len(dst))
	variance := u.variance
	if u.Beta == 0 {
		clear(variance)
		variance = nil
	}
	u.Predictor.PredictBatch(u.mean, variance, x)
	for r, mean := range u.mean {
		worth, _ := u.worth(mean)
		dst[r] = worth + u.Beta*math.Sqrt(u.variance[r])
	}
}
