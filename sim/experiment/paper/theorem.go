// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

var _ planner.Schedule = Theorem{}

// Theorem is a share of the β with which the regret is bounded with probability 1-δ,
//
//	β_t = b + σ_ν √(2(I_{t-1} + 1 + log 1/δ)),  σ_ν² = σ_E² + σ_ζ²        (Theorem thr:main)
//
// where I is the information gain of the model's observations. With Maximum it is the
// largest information gain of as many observations,
//
//	β_t = b + σ_ν √(2(γ_{t-1} + 1 + log 1/δ))                   (Theorem thr:bo)
//
// The paper scales the values so that k(x, x) ≤ 1. A model with signal variance σ_f² uses
// σ_ν/σ_f instead of σ_ν. Taken literally, this β explores far more than pays within tens
// of samples.
type Theorem struct {
	Share             float64      // ≥ 0, of β; 1: as the theorem has it
	Bound             float64      // b > 0, upper bound of ‖f‖_k for the field less the prior mean, a pure number
	ExecutionStdDev   float64      // σ_E ≥ 0, unit of the values; see the function ExecutionStdDev
	ObservationStdDev float64      // σ_ζ ≥ 0, standard deviation of a reading, unit of the values
	Delta             float64      // δ in (0, 1), probability that the bound fails
	Maximum           *MaximumGain // γ instead of I; nil: I
}

// Beta returns the share of β_t. It is +Inf where an observation without noise makes the
// information gain infinite.
func (t Theorem) Beta(_ int, model *gp.GP) float64 {
	noise := math.Hypot(t.ExecutionStdDev, t.ObservationStdDev) / math.Sqrt(model.Hyper().SignalVariance)
	gain := model.InformationGain()
	if t.Maximum != nil {
		gain = t.Maximum.after(model.Len())
	}
	return t.Share * (t.Bound + noise*math.Sqrt(2*(gain+1-math.Log(t.Delta))))
}

// ExecutionStdDev returns a σ_E for [Theorem]. When x̃ is Gaussian with covariance Σ,
// f(x̃) - E[f(x̃)] is sub-Gaussian with
//
//	σ_F = ‖f‖_k ℓ_k tr(Σ)^½                                     (Proposition thr:subg, 1)
//
// ℓ_k² is the largest ∂²k/∂x_i∂x'_i at x = x'. That is σ_f² over the square of the shortest
// length-scale, times the kernel's [gp.Kind.SlopeVariance], which is 1 for the squared
// exponential. norm is ‖f‖_k, a pure number. The result has the unit of the values. cov is
// Σ, d×d; nil is certainty.
func ExecutionStdDev(norm float64, k gp.Kernel, cov *mat.SymDense) float64 {
	if cov == nil {
		return 0
	}
	return norm * math.Sqrt(k.Variance*k.Kind.SlopeVariance()*mat.Trace(cov)) / slices.Min(k.LengthScales)
}
