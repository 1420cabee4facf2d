package planner

import (
	"math"

	"ugp_explorer/gp"
)

// UCB is the acquisition function of Alg. 1, line 2, less the cost of the way,
//
//	h(x) = μ̂(P̂_x) + β·σ̂(P̂_x) - w·ℓ(x),  P̂_x = N(x, Σ̂)        (Eq. ugp-ucb)
//
// Σ̂ is the Predictor's covariance and ℓ(x) the length of the way to x. It is for
// one goroutine, and allocates at its first gradient only.
type UCB struct {
	Predictor    *gp.Predictor
	Beta         float64 // β ≥ 0, outside the root
	TravelWeight float64 // w ≥ 0, unit of the values a metre
	Travel       Travel  // from where the robot is; not used when TravelWeight is 0

	dMean, dVar []float64
}

// Value returns h(x), -Inf where there is no way to x and TravelWeight is not 0.
func (u *UCB) Value(x []float64) float64 {
	mean, variance := u.Predictor.Predict(x)
	h := mean + u.Beta*math.Sqrt(variance)
	if u.TravelWeight != 0 {
		h -= u.TravelWeight * u.Travel.Length(x)
	}
	return h
}

// ValueGrad returns h(x) and writes its gradient with respect to x into dst.
// Where the deviation is zero its share is left out: it has no gradient there.
func (u *UCB) ValueGrad(dst, x []float64) float64 {
	if u.dMean == nil {
		u.dMean, u.dVar = make([]float64, len(x)), make([]float64, len(x))
	}
	mean, variance := u.Predictor.PredictGrad(u.dMean, u.dVar, x)
	deviation := math.Sqrt(variance)
	h := mean + u.Beta*deviation
	if u.TravelWeight != 0 {
		h -= u.TravelWeight * u.Travel.LengthGrad(dst, x)
	}
	for i := range dst {
		g := u.dMean[i]
		if deviation > 0 {
			g += u.Beta * u.dVar[i] / (2 * deviation) // ∂σ = ∂σ²/2σ
		}
		if u.TravelWeight != 0 {
			g -= u.TravelWeight * dst[i]
		}
		dst[i] = g
	}
	return h
}
