// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

import "gonum.org/v1/gonum/floats"

// Triangle is a lower-triangular N×N matrix L, packed in A, that grows by rows. Every
// solve reads memory in order. Adding a row copies only that row, except when the
// slice has to be reallocated: O(N) per row on average.
type Triangle struct {
	N int
	A []float64
}

// Row returns row i up to and including the diagonal, i+1 entries. It shares memory
// with the triangle.
func (l *Triangle) Row(i int) []float64 {
	o := At(i, 0)
	return l.A[o : o+i+1 : o+i+1]
}

// Grow appends a row: the N entries v left of the diagonal, then diag.
func (l *Triangle) Grow(v []float64, diag float64) {
	l.A = append(l.A, v...)
	l.A = append(l.A, diag)
	l.N++
}

// Truncate keeps the first n rows.
func (l *Triangle) Truncate(n int) {
	l.N = n
	l.A = l.A[:Len(n)]
}

// Forward overwrites the first N entries of z with L⁻¹z.
func (l *Triangle) Forward(z []float64) {
	for i := range l.N {
		r := l.Row(i)
		z[i] = (z[i] - floats.Dot(r[:i], z[:i])) / r[i]
	}
}

// Backward overwrites the first N entries of z with L⁻ᵀz.
func (l *Triangle) Backward(z []float64) {
	for i := l.N - 1; i >= 0; i-- {
		r := l.Row(i)
		z[i] /= r[i]
		floats.AddScaled(z[:i], -z[i], r[:i])
	}
}

// ForwardBatch is Forward for several right-hand sides, each N long, stored one after the other
// in z. It reads each row of the triangle from memory once for all of them.
func (l *Triangle) ForwardBatch(z []float64) {
	n := l.N
	for i := range n {
		r := l.Row(i)
		for o := 0; o < len(z); o += n {
			z[o+i] = (z[o+i] - floats.Dot(r[:i], z[o:o+i])) / r[i]
		}
	}
}
