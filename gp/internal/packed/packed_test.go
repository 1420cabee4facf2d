// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

import (
	"testing"

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
