// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Variance is the reduction of the posterior variance over the space by a sample with
// target x, as a standard deviation,
//
//	h(x) = √(1/m Σ_j k̂_n(P̂_j, P̂_x)² / (k̂_n(P̂_x, P̂_x) + λ)),  P̂_j = N(x_j, Σ̂)
//
// over m places x_j: the root of the mean reduction of the variance at the P̂_j. That is
// also the root mean square by which the sample is expected to change the map (Cohn, "Neural network
// exploration using optimal experiment design", 1996; Seo, Wallat, Graepel and
// Obermayer, "Gaussian process regression: active data selection and test point
// rejection", 2000). It allocates at its first use, and when it screens more rows
// than before.
type Variance struct {
	Lookahead *gp.Lookahead // with the places set
	Noise     float64       // λ ≥ 0, noise variance of the next observation of f̂(P̂_x), squared unit of the values

	x           []float64 // of the last Value, as are the following
	c           []float64 // covariances with the places
	h, variance float64
	dSum, dVar  []float64
}

var _ Acquisition = (*Variance)(nil)

// eval returns h(x) and the posterior variance at x. It leaves the covariances with the places in
// c.
func (v *Variance) eval(x []float64) (h, variance float64) {
	v.c = sized(v.c, len(v.Lookahead.Means()))
	variance = v.Lookahead.Covariances(v.c, x)
	if variance+v.Noise == 0 { // nothing can be learnt here
		return 0, variance
	}
	return floats.Norm(v.c, 2) / math.Sqrt(float64(len(v.c))*(variance+v.Noise)), variance
}

// Value returns h(x).
func (v *Variance) Value(x []float64) float64 {
	v.x = append(v.x[:0], x...)
	v.h, v.variance = v.eval(x)
	return v.h
}

// Grad writes the gradient at the x of the last Value into dst. Where h is
// zero it has no gradient, and zero is written.
func (v *Variance) Grad(dst []float64) {
	clear(dst)
	if v.h == 0 {
		return
	}
	v.dSum, v.dVar = sized(v.dSum, len(dst)), sized(v.dVar, len(dst))
	square := v.variance + v.Noise
	v.Lookahead.Gradients(v.dSum, v.dVar, v.c, v.x) // gradient of half of Σ c²
	for i := range dst {
		dst[i] = v.dSum[i] / (v.h * square * float64(len(v.c)))
		if v.variance > 0 {
			dst[i] -= v.h * v.dVar[i] / (2 * square)
		}
	}
}

// Values writes h at every row.
func (v *Variance) Values(dst []float64, x *mat.Dense) {
	valuesOf(dst, x, func(x []float64) float64 { h, _ := v.eval(x); return h })
}
