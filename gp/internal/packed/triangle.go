// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

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

// Block is the number of vectors, and of columns, that are solved together. gonum's product of a
// matrix with a vector takes 0.6 times as long as dot products, which its products of matrices are
// made of.
const Block = 8

// ForwardBatch is Forward for the rows of z, whose entries before from are zero.
func (l *Triangle) ForwardBatch(z blas64.General, from int) { l.forward(z, from, l.N) }

// forward is ForwardBatch with the first to rows and columns of the triangle. It takes columns in
// blocks, because a processor waits if it reads two numbers together of which one was only just
// written.
func (l *Triangle) forward(z blas64.General, from, to int) {
	for first := from; first < to; first += Block {
		before := blas64.General{Rows: z.Rows, Cols: first - from, Stride: z.Stride, Data: z.Data[from:]}
		last := min(first+Block, to)
		for i := first; first > from && i < last; i++ {
			row := blas64.Vector{N: before.Cols, Data: l.Row(i)[from:], Inc: 1}
			blas64.Gemv(blas.NoTrans, -1, before, row, 1, blas64.Vector{N: z.Rows, Data: z.Data[i:], Inc: z.Stride})
		}
		for i := first; i < last; i++ {
			row := l.Row(i)[first:]
			left, inv := row[:i-first], 1/row[i-first]
			for r := range z.Rows {
				v := z.Data[r*z.Stride+first:]
				s := v[len(left)]
				for j, c := range left {
					s -= c * v[j]
				}
				v[len(left)] = s * inv
			}
		}
	}
}

// Cholesky overwrites the symmetric positive definite matrix of which the triangle holds the
// lower half by its Cholesky factor and returns half the logarithm of its determinant. It reports false if
// a pivot is not positive, or no larger than n roundings of the diagonal: it is only rounding error. work has Block·N entries.
func (l *Triangle) Cholesky(work []float64) (logDet float64, ok bool) {
	n := l.N
	for first := 0; first < n; first += Block {
		rows := min(Block, n-first)
		z := blas64.General{Rows: rows, Cols: n, Stride: n, Data: work}
		for r := range rows {
			copy(work[r*n:], l.Row(first+r))
		}
		l.forward(z, 0, first)
		for i := first; i < first+rows; i++ {
			row := l.Row(i)
			copy(row, work[(i-first)*n:(i-first)*n+first])
			for j := first; j < i; j++ {
				other := l.Row(j)
				row[j] = (row[j] - floats.Dot(row[:j], other[:j])) / other[j]
			}
			pivot := row[i] - floats.Dot(row[:i], row[:i])
			if !(pivot > float64(n)*0x1p-52*row[i]) {
				return 0, false
			}
			row[i] = math.Sqrt(pivot)
			logDet += math.Log(row[i])
		}
	}
	return logDet, true
}
