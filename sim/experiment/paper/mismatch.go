// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// errMismatch says that one of two Gaussians is certain of something that the other is not. Then
// their divergence is infinite.
var errMismatch = errors.New("paper: covariances that are certain in different directions cannot be compared")

// Mismatch bounds the error that a wrong Σ̂ causes: the difference between the expected value of
// f under the model N(x, Σ̂) and under the true N(x, Σ), at any x and for any f with ‖f‖_k ≤ b
// and k(x, x) ≤ 1. Both covariances are d×d. Singular ones, even zeros, are compared in the
// directions in which they are not zero, which must be the same for both, else it is an error.
//
// printed is Proposition thr:approx as it stands in the paper,
//
//	b/2 √(tr(Σ̂⁻¹Σ) - d + log|Σ̂|/|Σ|)
//
// Its proof uses Pinsker's inequality as ∫|p-p'| ≤ √(KL/2), which holds for half the
// integral. No violation is known for squared exponentials. proven is the result of the proof
// with ∫|p-p'| ≤ √(2 KL): twice the other, and never more than 2b, as |f| ≤ b everywhere.
func Mismatch(b float64, model, truth *mat.SymDense) (printed, proven float64, err error) {
	dim := model.SymmetricDim()
	for _, cov := range []*mat.SymDense{model, truth} {
		if err := (gp.Belief{Mean: make([]float64, dim), Cov: cov}).Validate(dim); err != nil {
			return 0, 0, fmt.Errorf("paper: Mismatch: %w", err)
		}
	}
	// A coordinate that follows from earlier ones under both follows in the same way, and tells no more.
	sum := mat.NewSymDense(dim, nil)
	sum.AddSym(model, truth)
	var free []int
	for i := range dim {
		with := append(free[:len(free):len(free)], i)
		if _, ok := factorised(sum, with); ok {
			free = with
		}
	}
	if len(free) == 0 {
		return 0, 0, nil
	}
	m, ok := factorised(model, free)
	t, also := factorised(truth, free)
	if !ok || !also {
		return 0, 0, fmt.Errorf("%w: model %.6g, truth %.6g", errMismatch, mat.Formatted(model, mat.FormatPython()), mat.Formatted(truth, mat.FormatPython()))
	}
	var solved mat.Dense
	if err := m.SolveTo(&solved, selected(truth, free)); err != nil {
		return 0, 0, err
	}
	twice := mat.Trace(&solved) - float64(len(free)) + m.LogDet() - t.LogDet() // 2 KL(P, P̂)
	root := math.Sqrt(max(twice, 0))                                           // rounding
	return b / 2 * root, b * min(root, 2), nil
}

// selected returns the rows and columns of s with the indices at.
func selected(s *mat.SymDense, at []int) *mat.SymDense {
	part := mat.NewSymDense(len(at), nil)
	for a, i := range at {
		for c, j := range at[:a+1] {
			part.SetSym(a, c, s.At(i, j))
		}
	}
	return part
}

// factorised returns the Cholesky factor of the rows and columns of s with the indices at; ok is false
// if it is singular: earlier rows leave no more than rounding of the variance of another.
func factorised(s *mat.SymDense, at []int) (chol mat.Cholesky, ok bool) {
	const rounding = 1e-10 // as gp.Belief.Validate has it
	ok = chol.Factorize(selected(s, at))
	for a := 0; ok && a < len(at); a++ {
		root := chol.RawU().At(a, a)
		ok = root*root > rounding*s.At(at[a], at[a])
	}
	return chol, ok
}
