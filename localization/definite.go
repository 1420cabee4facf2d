// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// roundOff is how far below zero an eigenvalue of an exactly singular correlation matrix of order 3
	// comes out: a few dozen times ε = 2.2e-16.
	roundOff = 1e-14
	// surelyPositive is above the round-off of a determinant of order 3 whose entries are below 1e3.
	surelyPositive = 1e-9
)

// checkDefinite refuses or clips the negative eigenvalues of the symmetric q, scaled to a
// correlation matrix: C = D⁻¹·Q·D⁻¹ with D the standard deviations.
func (c *Checker) checkDefinite(q *[3][3]float64, n int) *CovarianceError {
	var d [3]float64
	for i := range n {
		d[i] = rowScale(q, i)
	}
	var r [3][3]float64
	for i := range n {
		for j := range n {
			r[i][j] = q[i][j] / (d[i] * d[j])
			// The eigenvalues of entries that overflow cannot be computed, so a
			// correlation above 1e3 is refused without them.
			if v := math.Abs(r[i][j]); v > 1e3 {
				return &CovarianceError{notPSD, "correlation " + entryNames[i][j], v, 1}
			}
		}
	}
	// A matrix with positive leading minors is positive definite (Sylvester); that needs no memory.
	minor := r[0][0]*r[1][1] - r[0][1]*r[0][1]
	det := r[2][2]*minor - r[0][0]*r[1][2]*r[1][2] - r[1][1]*r[0][2]*r[0][2] + 2*r[0][1]*r[0][2]*r[1][2]
	if r[0][0] > surelyPositive && minor > surelyPositive && (n == 2 || det > surelyPositive) {
		return nil
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, r[i][j])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		return &CovarianceError{notPSD, "eigenvalue", math.NaN(), 0}
	}
	values := eig.Values(nil) // ascending
	if values[0] < -negativeTolerance {
		return &CovarianceError{notPSD, "eigenvalue", values[0], -negativeTolerance}
	}
	if values[0] >= -roundOff {
		return nil
	}
	c.counts.ByKind[clipped]++
	var vec mat.Dense
	eig.VectorsTo(&vec)
	for i := range n {
		for j := i; j < n; j++ {
			var sum float64
			for k, l := range values {
				if l > 0 {
					sum += vec.At(i, k) * l * vec.At(j, k)
				}
			}
			q[i][j] = sum * d[i] * d[j]
			q[j][i] = q[i][j]
		}
	}
	return nil
}
