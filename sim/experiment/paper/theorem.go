package paper

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

var (
	_ planner.Schedule = Theorem{}
	_ planner.Schedule = Scaled{}
)

// Scaled multiplies the β of another schedule. Taken literally, the theorems' β explores
// far more than pays.
type Scaled struct {
	By float64 // ≥ 0
	Of planner.Schedule
}

// Beta returns By times the other's β.
func (s Scaled) Beta(step int, model *gp.GP) float64 { return s.By * s.Of.Beta(step, model) }

// Validate returns an error unless the factor is finite and ≥ 0 and the other schedule valid.
func (s Scaled) Validate() error {
	if !isFinite(s.By) || s.By < 0 {
		return fmt.Errorf("%w: the factor of β is %g, want a finite number ≥ 0", planner.ErrSchedule, s.By)
	}
	if s.Of == nil {
		return fmt.Errorf("%w: there is no schedule to scale", planner.ErrSchedule)
	}
	return s.Of.Validate()
}

// Theorem is the β with which the regret is bounded with probability 1-δ,
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
	Bound             float64      // b > 0, upper bound of ‖f‖_k for the field less the prior mean, a pure number
	ExecutionStdDev   float64      // σ_E ≥ 0, unit of the values; see the function ExecutionStdDev
	ObservationStdDev float64      // σ_ζ ≥ 0, standard deviation of a reading, unit of the values
	Delta             float64      // δ in (0, 1), probability that the bound fails
	Maximum           *MaximumGain // γ instead of I; nil: I
}

// Beta returns β_t. It is +Inf where an observation without noise makes the information
// gain infinite, unless σ_ν is zero.
func (t Theorem) Beta(_ int, model *gp.GP) float64 {
	noise := math.Hypot(t.ExecutionStdDev, t.ObservationStdDev)
	if noise == 0 {
		return t.Bound
	}
	noise /= math.Sqrt(model.Hyper().SignalVariance)
	gain := model.InformationGain()
	if t.Maximum != nil {
		gain = t.Maximum.Of(model)
	}
	return t.Bound + noise*math.Sqrt(2*(gain+1-math.Log(t.Delta)))
}

// Validate returns an error that names the first field out of its range.
func (t Theorem) Validate() error {
	switch {
	case !isFinite(t.Bound) || t.Bound <= 0:
		return fmt.Errorf("%w: Bound is %g, want a finite number > 0", planner.ErrSchedule, t.Bound)
	case !isFinite(t.ExecutionStdDev) || t.ExecutionStdDev < 0:
		return fmt.Errorf("%w: ExecutionStdDev is %g, want a finite number ≥ 0", planner.ErrSchedule, t.ExecutionStdDev)
	case !isFinite(t.ObservationStdDev) || t.ObservationStdDev < 0:
		return fmt.Errorf("%w: ObservationStdDev is %g, want a finite number ≥ 0", planner.ErrSchedule, t.ObservationStdDev)
	case !(t.Delta > 0 && t.Delta < 1):
		return fmt.Errorf("%w: Delta is %g, want a probability between 0 and 1, both excluded", planner.ErrSchedule, t.Delta)
	}
	return nil
}

// ExecutionStdDev returns a σ_E for [Theorem]. When x̃ is Gaussian with covariance Σ,
// f(x̃) - E[f(x̃)] is sub-Gaussian with
//
//	σ_F = ‖f‖_k ℓ_k tr(Σ)^½                                     (Proposition thr:subg, 1)
//
// ℓ_k² is the largest ∂²k/∂x_i∂x'_i at x = x'. That is σ_f² over the square of the shortest
// length-scale, times the kernel's [gp.Kind.SlopeVariance], which is 1 for the squared
// exponential. norm is ‖f‖_k, a pure number. The result has the unit of the values. cov is
// Σ, d×d; nil is certainty. It panics on another size.
func ExecutionStdDev(norm float64, k gp.Kernel, cov *mat.SymDense) float64 {
	if cov == nil {
		return 0
	}
	if cov.SymmetricDim() != len(k.LengthScales) {
		panic("paper: the covariance has the wrong dimension")
	}
	shortest := math.Inf(1)
	for _, l := range k.LengthScales {
		shortest = min(shortest, l)
	}
	return norm * math.Sqrt(k.Variance*k.Kind.SlopeVariance()*mat.Trace(cov)) / shortest
}

// boundedExecutionStdDev returns a σ_E for [Theorem] as [ExecutionStdDev] does, for an x̃
// that stays in a box with sides w_i, the widths:
//
//	σ_F = ½ ‖f‖_k ℓ_k √(Σ w_i²)                                 (Proposition thr:subg, 2)
//
// It panics unless there are d widths.
func boundedExecutionStdDev(norm float64, k gp.Kernel, widths []float64) float64 {
	if len(widths) != len(k.LengthScales) {
		panic("paper: the covariance has the wrong dimension")
	}
	cov := mat.NewSymDense(len(widths), nil)
	for i, w := range widths {
		cov.SetSym(i, i, w*w)
	}
	return ExecutionStdDev(norm, k, cov) / 2
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
