// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
)

// unpacked returns a packed triangle as a matrix.
func unpacked(a []float64, d int) *mat.Dense {
	m := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range i + 1 {
			m.Set(i, j, a[At(i, j)])
		}
	}
	return m
}

// TestCholesky: the product of the factor with its transpose is the matrix, singular or not, the inverse of a
// factor is one, and what is not positive definite is said.
func TestCholesky(t *testing.T) {
	rng := gptest.Rand(1)
	for d := 1; d <= 7; d++ {
		for range 20 {
			s := gptest.Cov(rng, d, 1)
			a := make([]float64, Len(d))
			Pack(a, s)
			definite := Cholesky(a, d)
			l := unpacked(a, d)
			var product mat.Dense
			product.Mul(l, l.T())
			for i := range d {
				for j := range d {
					want := 0.0
					if s != nil {
						want = s.At(i, j)
					}
					gptest.Near(t, "LLᵀ", product.At(i, j), want, 1e-12)
				}
			}
			if s == nil && definite {
				t.Error("zeros are positive definite")
			}
			if !definite || mat.Cond(l, 2) > 1e4 { // else rounding decides about a singular one
				continue
			}
			Invert(a, d)
			product.Mul(l, unpacked(a, d))
			for i := range d {
				for j := range d {
					want := 0.0
					if i == j {
						want = 1
					}
					gptest.Near(t, "LL⁻¹", product.At(i, j), want, 1e-9)
				}
			}
		}
	}
	for _, a := range [][]float64{{1, 2, 1}, {1, 0, -1}, {0, 1, 1}} {
		if Cholesky(a, 2) {
			t.Errorf("an indefinite matrix has the factor %v", a)
		}
	}
}

// TestTriangle: a factor in blocks is that of [Cholesky], and vectors are solved together as they are one by one.
func TestTriangle(t *testing.T) {
	rng := gptest.Rand(2)
	for _, n := range []int{1, 7, 8, 9, 24, 50} {
		cov := mat.NewSymDense(n, nil)
		root := mat.NewDense(n, n, gptest.Vec(rng, n*n, 1))
		cov.SymOuterK(1, root)
		logDet, want := 0.0, make([]float64, Len(n))
		for i := range n {
			cov.SetSym(i, i, cov.At(i, i)+1)
		}
		Pack(want, cov)
		l := Triangle{N: n, A: slices.Clone(want)}
		Cholesky(want, n)
		for i := range n {
			logDet += math.Log(want[At(i, i)])
		}
		got, ok := l.Cholesky(make([]float64, Block*n))
		if !ok {
			t.Fatalf("n=%d: not positive definite", n)
		}
		gptest.Near(t, "half the logarithm of the determinant", got, logDet, 1e-13)
		for i := range want {
			gptest.Near(t, "factor", l.A[i], want[i], 1e-12)
		}
		for from := range min(n, 11) {
			const vectors, more = 21, 3
			z := blas64.General{Rows: n - from, Cols: vectors, Stride: vectors + more, Data: gptest.Vec(rng, n*(vectors+more), 1)}
			want := slices.Clone(z.Data)
			one := make([]float64, n)
			for c := range vectors {
				clear(one)
				for i := range z.Rows {
					one[from+i] = z.Data[i*z.Stride+c]
				}
				l.Forward(one)
				for i := range z.Rows {
					want[i*z.Stride+c] = one[from+i]
				}
			}
			l.ForwardBatch(z)
			for i, v := range want {
				gptest.Near(t, "solution", z.Data[i], v, 1e-13)
			}
		}
		for from := range min(n, 4) {
			const vectors = 2 * Block
			together := blas64.General{Rows: n - from, Cols: vectors, Stride: vectors, Data: gptest.Vec(rng, (n-from)*vectors, 1)}
			alone := slices.Clone(together.Data)
			l.ForwardBatch(together)
			for c := range vectors {
				l.ForwardBatch(blas64.General{Rows: n - from, Cols: 1, Stride: vectors, Data: alone[c:]})
			}
			if !slices.Equal(together.Data, alone) {
				t.Errorf("n=%d, from row %d: solutions of vectors together differ from those alone", n, from)
			}
		}
		l.A[At(n-1, n-1)] = -1
		if _, ok := l.Cholesky(make([]float64, Block*n)); ok {
			t.Errorf("n=%d: a matrix with a negative diagonal is positive definite", n)
		}
	}
}

// TestSolvesOfParts: rows that are solved by fours are to the bit what they are as the last rows of a smaller triangle, which are solved
// alone: a factor that grows is the same as one that is made at once.
func TestSolvesOfParts(t *testing.T) {
	rng := gptest.Rand(3)
	const n = 41
	l := Triangle{N: n, A: gptest.Vec(rng, Len(n), 1)}
	for i := range n {
		l.A[At(i, i)] += 5
	}
	z := gptest.Vec(rng, n, 1)
	whole := slices.Clone(z)
	l.Forward(whole)
	for m := range n {
		part, got := Triangle{N: m, A: l.A[:Len(m)]}, slices.Clone(z)
		part.Forward(got)
		if !slices.Equal(got[:m], whole[:m]) || !slices.Equal(got[m:], z[m:]) {
			t.Errorf("Forward of %d rows: %v, want %v and then %v", m, got, whole[:m], z[m:])
		}
		part.Backward(got)
		product := slices.Clone(got[:m])
		for j := range m {
			product[j] = 0
			for i := j; i < m; i++ {
				product[j] += l.A[At(i, j)] * got[i]
			}
			gptest.Near(t, "Lᵀ times the solution", product[j], whole[j], 1e-13)
		}
		if !slices.Equal(got[m:], z[m:]) {
			t.Errorf("Backward of %d rows changed those behind", m)
		}
	}
}

func TestGramPair(t *testing.T) {
	rng := gptest.Rand(4)
	for _, n := range []int{1, 2, 15, 16, 17, 31, 48, 50} {
		wide := Wide(n)
		z := blas64.General{Rows: n, Cols: wide, Stride: wide, Data: gptest.Vec(rng, n*wide, 1)}
		dst, work := make([]float64, 2*wide), make([]float64, 2*n)
		for i := 0; i < n; i += 2 {
			GramPair(dst, z, i, work)
			for r := range min(2, n-i) {
				for c := range i + r + 1 {
					want := 0.0
					for k := i; k < n; k++ {
						want += z.Data[k*wide+i+r] * z.Data[k*wide+c]
					}
					gptest.Near(t, "product", dst[r*wide+c], want, 1e-13)
				}
			}
		}
	}
}
