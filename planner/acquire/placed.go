// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Placing returns P̂_x, the distribution of the place where a sample with target x is
// taken. It is for a covariance that depends on x, because localisation is better at some
// places than at others. The result may share x and is valid until the next call.
type Placing func(x []float64) gp.Belief

// PlacedUCB is the upper confidence bound of Alg. 1, line 2,
//
//	h(x) = μ̂(P̂_x) + β·σ̂(P̂_x)
//
// for any P̂_x. A value takes O(n²) time, and the gradient is by central differences. If Σ̂
// is the same everywhere, use [UCB].
type PlacedUCB struct {
	Model *gp.GP
	Beta  float64 // β ≥ 0, outside the root
	Place Placing

	at, x []float64 // of the last Value, and for differences
}

var _ Acquisition = (*PlacedUCB)(nil)

// Value returns h(x).
func (u *PlacedUCB) Value(x []float64) float64 {
	u.at = append(u.at[:0], x...)
	return u.value(x)
}

func (u *PlacedUCB) value(x []float64) float64 {
	mean, variance := u.Model.Posterior(u.Place(x))
	return mean + u.Beta*math.Sqrt(variance)
}

// placedStep is half the step of the differences, in length-scales. With it both rounding
// and the third derivative leave six correct digits.
const placedStep = 1e-4

// Grad writes the gradient at the x of the last Value into dst.
func (u *PlacedUCB) Grad(dst []float64) {
	u.x = append(u.x[:0], u.at...)
	scales := u.Model.Hyper().LengthScales
	for i := range dst {
		step := placedStep * scales[i]
		u.x[i] = u.at[i] + step
		above := u.value(u.x)
		u.x[i] = u.at[i] - step
		dst[i] = (above - u.value(u.x)) / (2 * step)
		u.x[i] = u.at[i]
	}
}

// Values writes h at every row of x into dst.
func (u *PlacedUCB) Values(dst []float64, x *mat.Dense) { valuesOf(dst, x, u.value) }
