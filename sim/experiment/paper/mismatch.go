package paper

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Mismatch bounds the error that a wrong Σ̂ causes: the difference between the expected value of
// f under the model N(x, Σ̂) and under the true N(x, Σ), at any x and for any f with ‖f‖_k ≤ b
// and k(x, x) ≤ 1. Both covariances are d×d and positive definite, else it is an error.
//
// printed is Proposition thr:approx as it stands in the paper,
//
//	b/2 √(tr(Σ̂⁻¹Σ) - d + log|Σ̂|/|Σ|)
//
// Its proof uses Pinsker's inequality as ∫|p-p'| ≤ √(KL/2), which holds for half the
// integral. No violation is known for squared exponentials. proven is the result of the proof
// with ∫|p-p'| ≤ √(2 KL): twice the other, and never more than 2b, as |f| ≤ b everywhere.
func Mismatch(b float64, model, truth *mat.SymDense) (printed, proven float64, err error) {
	var m, t mat.Cholesky
	if !m.Factorize(model) || !t.Factorize(truth) {
		return 0, 0, errors.New("paper: covariances that are not positive definite cannot be compared")
	}
	var solved mat.Dense
	if err := m.SolveTo(&solved, truth); err != nil {
		return 0, 0, err
	}
	twice := mat.Trace(&solved) - float64(model.SymmetricDim()) + m.LogDet() - t.LogDet() // 2 KL(P, P̂)
	root := math.Sqrt(max(twice, 0))                                                      // rounding
	return b / 2 * root, b * min(root, 2), nil
}
