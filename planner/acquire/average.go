// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Average is the mean of acquisitions under models of different hyper-parameters,
// weighted by how likely those are. There is a weight ≥ 0 for each.
type Average struct {
	Of     []Acquisition
	Weight []float64

	grad, one []float64
}

var _ Acquisition = (*Average)(nil)

// Value returns the weighted mean at x.
func (a *Average) Value(x []float64) float64 {
	s := 0.0
	for i, of := range a.Of {
		s += a.Weight[i] * of.Value(x)
	}
	return s
}

// Grad writes the gradient of the weighted mean at the x of the last Value into dst.
func (a *Average) Grad(dst []float64) {
	a.grad = sized(a.grad, len(dst))
	clear(dst)
	for i, of := range a.Of {
		of.Grad(a.grad)
		floats.AddScaled(dst, a.Weight[i], a.grad)
	}
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
