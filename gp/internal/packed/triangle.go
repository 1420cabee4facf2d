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

// Forward overwrites the first N entries of z with L⁻¹z. It takes four rows at a time: first their products with the entries that are
// solved, then the triangle in which the four rows meet.
func (l *Triangle) Forward(z []float64) {
	z = z[:l.N]
	for first := 0; first < l.N; first += 4 {
		if hasPair && first+4 <= l.N {
			forwardFour(&z[0], &l.A[At(first, 0)], first)
			continue
		}
		for i := first; i < min(first+4, l.N); i++ {
			row := l.Row(i)
			z[i] -= floats.Dot(row[:first], z[:first])
			for j := first; j < i; j++ {
				z[i] -= row[j] * z[j]
			}
			z[i] *= 1 / row[i]
		}
	}
}

// Backward overwrites the first N entries of z with L⁻ᵀz.
func (l *Triangle) Backward(z []float64) {
	z = z[:l.N]
	for i := l.N - 1; i >= 0; i-- {
		if hasPair && i&3 == 3 {
			i -= 3
			backwardFour(&z[0], &l.A[At(i, 0)], i)
			continue
		}
		row := l.Row(i)
		z[i] *= 1 / row[i]
		floats.AddScaled(z[:i], -z[i], row[:i])
	}
}

const (
	// Block is the number of vectors that are best solved together: a multiple of lanes.
	Block = 32
	// panel is the number of rows of a matrix that are factored together, as many as solvePair has columns.
	panel = lanes
)

// Wide returns the number of columns, n or a few more, for which [Triangle.ForwardBatch] takes the least time.
func Wide(n int) int {
	if !hasPair {
		return n
	}
	return (n + lanes - 1) / lanes * lanes
}

// ForwardBatch overwrites the columns of z with L⁻¹ times them. If z has fewer than N rows, they are
// the last ones, and those before them are zero. A column's result is to the bit the same beside
// others as alone.
func (l *Triangle) ForwardBatch(z blas64.General) {
	from := l.N - z.Rows
	for i := 0; i < z.Rows; i++ {
		row, own := l.Row(from + i)[from:], z.Data[i*z.Stride:i*z.Stride+z.Cols]
		if hasPair && z.Cols%lanes == 0 && i+1 < z.Rows {
			next := l.Row(from + i + 1)[from:]
			corner := [3]float64{1 / row[i], next[i], 1 / next[i+1]}
			for c := 0; c < z.Cols; c += lanes {
				solvePair(&own[c], &z.Data[c], z.Stride, &row[0], &next[0], i, &corner)
			}
			i++
			continue
		}
		before := blas64.General{Rows: i, Cols: z.Cols, Stride: z.Stride, Data: z.Data}
		blas64.Gemv(blas.Trans, -1, before, blas64.Vector{N: i, Data: row, Inc: 1}, 1, blas64.Vector{N: z.Cols, Data: own, Inc: 1})
		inv := 1 / row[i]
		for c := range own {
			own[c] *= inv
		}
	}
}

// GramPair writes the products of column i of z with columns 0 to i into the start of dst, and those of column i+1, if there is one, with
// columns 0 to i+1 into that of its second half, which begins at z.Stride. It counts rows from i on. i is even, and z has [Wide] columns,
// of which those up to the next multiple of [Block] are finite in these rows. work has two entries for each of them.
func GramPair(dst []float64, z blas64.General, i int, work []float64) {
	n, below := z.Rows-i, z.Data[i*z.Stride:]
	if !hasPair {
		for r := range min(2, z.Cols-i) {
			block := blas64.General{Rows: n, Cols: i + r + 1, Stride: z.Stride, Data: below}
			column := blas64.Vector{N: n, Data: below[i+r:], Inc: z.Stride}
			blas64.Gemv(blas.Trans, 1, block, column, 0, blas64.Vector{N: block.Cols, Data: dst[r*z.Stride:], Inc: 1})
		}
		return
	}
	first, second := work[:n], work[n:2*n]
	for r := range n {
		first[r], second[r] = below[r*z.Stride+i], below[r*z.Stride+i+1]
	}
	clear(dst[:2*z.Stride])
	negative := [3]float64{-1, 0, -1} // the corner of two rows from which nothing but the products is subtracted
	for c := 0; c < i+2; c += lanes {
		solvePair(&dst[c], &below[c], z.Stride, &first[0], &second[0], n, &negative)
	}
}

// Cholesky replaces the lower half of a symmetric positive definite matrix, which the triangle holds,
// with the matrix's Cholesky factor, and returns half the logarithm of its determinant. It reports false if
// a pivot is not positive, or no larger than n roundings of the diagonal: it is only rounding error. work has Block·N entries.
func (l *Triangle) Cholesky(work []float64) (logDet float64, ok bool) {
	n := l.N
	for first := 0; first < n; first += panel {
		rows := min(panel, n-first)
		z := blas64.General{Rows: first, Cols: rows, Stride: rows, Data: work} // the rows left of the panel's own columns are columns of z
		for r := range rows {
			for j, v := range l.Row(first + r)[:first] {
				work[j*rows+r] = v
			}
		}
		above := Triangle{N: first, A: l.A}
		above.ForwardBatch(z)
		for r := range rows {
			row := l.Row(first + r)
			own, diagonal := row[first:], row[first+r]
			for j := range first {
				row[j] = work[j*rows+r]
			}
			z.Cols = r + 1
			blas64.Gemv(blas.Trans, -1, z, blas64.Vector{N: first, Data: work[r:], Inc: rows}, 1, blas64.Vector{N: r + 1, Data: own, Inc: 1})
			for j := range r {
				other := l.Row(first + j)[first:]
				own[j] = (own[j] - floats.Dot(own[:j], other[:j])) / other[j]
			}
			pivot := own[r] - floats.Dot(own[:r], own[:r])
			if !(pivot > float64(n)*0x1p-52*diagonal) {
				return 0, false
			}
			own[r] = math.Sqrt(pivot)
			logDet += math.Log(own[r])
		}
	}
	return logDet, true
}
