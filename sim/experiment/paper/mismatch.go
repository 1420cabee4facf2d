package paper

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ErrMismatch is wrapped by the errors of [Mismatch].
var ErrMismatch = errors.New("planner: the covariances cannot be compared")

// MismatchBound bounds what a wrong Σ̂ costs: how far the expected value under
// the model N(x, Σ̂) can be from that under the true N(x, Σ), at any x and for any
// f with ‖f‖_k ≤ b, k(x, x) ≤ 1.
type MismatchBound struct {
	// Printed is Proposition thr:approx as it stands in the paper,
	//
	//	b/2 √(tr(Σ̂⁻¹Σ) - d + log|Σ̂|/|Σ|)
	//
	// Its proof takes Pinsker's inequality for ∫|p-p'| ≤ √(KL/2), which is that of
	// half the integral. No violation is known for squared exponentials.
	Printed float64

	// Proven is what the proof gives with ∫|p-p'| ≤ √(2 KL): twice Printed, and
	// never more than 2b, as |f| ≤ b everywhere.
	Proven float64
}

// Mismatch returns the bound for the model Σ̂ of the true Σ, both d×d and positive
// definite.
func Mismatch(bound float64, model, truth *mat.SymDense) (MismatchBound, error) {
	if !isFinite(bound) || bound < 0 {
		return MismatchBound{}, fmt.Errorf("%w: b is %g, want a finite number ≥ 0", ErrMismatch, bound)
	}
	if model == nil || truth == nil || model.SymmetricDim() != truth.SymmetricDim() {
		return MismatchBound{}, fmt.Errorf("%w: want two of the same size", ErrMismatch)
	}
	var m, t mat.Cholesky
	if !m.Factorize(model) || !t.Factorize(truth) {
		return MismatchBound{}, fmt.Errorf("%w: both must be positive definite", ErrMismatch)
	}
	var solved mat.Dense
	if err := m.SolveTo(&solved, truth); err != nil {
		return MismatchBound{}, fmt.Errorf("%w: %w", ErrMismatch, err)
	}
	twice := mat.Trace(&solved) - float64(model.SymmetricDim()) + m.LogDet() - t.LogDet() // 2 KL(P, P̂)
	root := math.Sqrt(max(twice, 0))                                                      // rounding
	return MismatchBound{Printed: bound / 2 * root, Proven: bound * min(root, 2)}, nil
}
