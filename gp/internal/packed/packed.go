// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package packed holds lower triangles in one slice: row after row, d(d+1)/2 numbers for a d×d matrix, with entry (i, j), j ≤ i, at index
// At(i, j). A symmetric matrix, such as the covariance of a belief, is stored as its lower triangle, as is a Cholesky factor. A [Triangle]
// grows by rows.
package packed

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// At returns the index of entry (i, j), j ≤ i.
func At(i, j int) int { return i*(i+1)/2 + j }

// Len returns the number of entries of an n×n triangle.
func Len(n int) int { return n * (n + 1) / 2 }

// Pack writes the lower triangle of s into dst; a nil s is zero.
func Pack(dst []float64, s *mat.SymDense) {
	if s == nil {
		clear(dst)
		return
	}
	k := 0
	for i := range s.SymmetricDim() {
		for j := range i + 1 {
			dst[k] = s.At(i, j)
			k++
		}
	}
}

// Cholesky overwrites the d×d matrix a with its Cholesky factor L, a = LLᵀ, and reports
// whether a is positive definite. Where a row depends on those above it, as rows of a singular
// covariance do, the column of L is zero, so that LLᵀ = a for every positive semi-definite a.
func Cholesky(a []float64, d int) bool {
	definite := true
	for i := range d {
		row := a[At(i, 0):]
		for j := range i + 1 {
			s := row[j]
			other := a[At(j, 0):]
			for k := range j {
				s -= row[k] * other[k]
			}
			switch {
			case j < i && other[j] > 0:
				row[j] = s / other[j]
			case j == i && s > 0:
				row[i] = math.Sqrt(s)
			default:
				row[j], definite = 0, false
			}
		}
	}
	return definite
}

// Invert overwrites the d×d triangle l with its inverse.
func Invert(l []float64, d int) {
	for i := range d {
		row := l[At(i, 0):]
		for j := range i { // rows above are inverted; this one is, left of j
			s := 0.0
			for k := j; k < i; k++ {
				s -= row[k] * l[At(k, j)]
			}
			row[j] = s / row[i]
		}
		row[i] = 1 / row[i]
	}
}
