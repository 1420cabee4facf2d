// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// level is the constant mean in an exact posterior, where it is not a part of K̂, which would be as ill-conditioned as the mean is
// uncertain. With the prior variance s² of the mean about m, and in units of σ_f², its posterior (R&W Eq. 2.41 and 2.42) has
//
//	information τ = 1/s² + 1ᵀ(K̂+Λ)⁻¹1,  mean 1ᵀ(K̂+Λ)⁻¹(y - m)/τ
//
// and the covariance of f̂(P) and f̂(P') gains (1 - 1ᵀ(K̂+Λ)⁻¹k̂)(1 - 1ᵀ(K̂+Λ)⁻¹k̂')/τ.
type level struct {
	information float64   // +Inf if the mean is known
	one         []float64 // L⁻¹1, 0 in the rows of the second quantity
	mean        float64   // about m
}

// known reports whether the mean is.
func (l *level) known() bool { return math.IsInf(l.information, 1) }

// add extends l by an observation that has k left of the diagonal root of its row in L.
func (l *level) add(k []float64, root float64) {
	v := (1 - floats.Dot(k, l.one)) / root
	l.one = append(l.one, v)
	l.information += v * v
}

// solve sets the mean, and alpha from L⁻¹(y - m) to L⁻¹(y - m - mean).
func (l *level) solve(alpha []float64) {
	if l.known() {
		return
	}
	l.mean = floats.Dot(l.one, alpha) / l.information
	floats.AddScaled(alpha, -l.mean, l.one)
}

// share returns (1 - 1ᵀ(K̂+Λ)⁻¹k̂)/τ for z = L⁻¹k̂, and what it adds to the variance. A weight that the mean does not enter has 0 instead
// of the 1, which is of.
func (l *level) share(of float64, z []float64) (share, variance float64) {
	if l.known() {
		return 0, 0
	}
	left := of - floats.Dot(l.one, z)
	return left / l.information, left * left / l.information
}
