// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import "gonum.org/v1/gonum/mat"

// Acquisition is what a sample with target x promises, in the unit of the values. A
// [Searcher] finds its maximum. It is not safe for concurrent use.
type Acquisition interface {
	// Value returns the acquisition at x.
	Value(x []float64) float64

	// Grad writes the gradient with respect to x at the x of the last Value, after which nothing else was called, into dst. An ascent
	// needs none where the value is too small.
	Grad(dst []float64)

	// Values writes the acquisition at every row of x, m×d, into dst, which is m long.
	Values(dst []float64, x *mat.Dense)
}

// valuesOf writes value at every row of x into dst.
func valuesOf(dst []float64, x *mat.Dense, value func(x []float64) float64) {
	for r := range dst {
		dst[r] = value(x.RawRowView(r))
	}
}

// sized returns s with length n and undefined contents.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
