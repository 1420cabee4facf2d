package gp

import "math"

// Sparseness tells how far a sparse posterior may be from the exact one under the
// same hyper-parameters. The bounds hold for every query, whatever the data; what
// is seen is far less, as errors of many observations rarely have one direction.
//
// Both posteriors are those of the one prior under linear observations, Φ with
// noise Λ or its approximation Φ̃ with Λ': let X = Λ^-½Φ, X̃ = Λ'^-½Φ̃ and D = X - X̃,
// with rows d_i, |d_i|² = r_i/λ_i + |φ_i|²(λ_i^-½ - λ'_i^-½)². For a query w the
// variances are σ² = wᵀB⁻¹w and σ̃² = wᵀB̃⁻¹w, B = I + XᵀX, B̃ = I + X̃ᵀX̃. From
//
//	B⁻¹ - B̃⁻¹ = -B⁻¹(XᵀD + DᵀX̃)B̃⁻¹
//
// and ‖XB^-½‖, ‖X̃B̃^-½‖, ‖B^-½‖, ‖B̃^-½‖ ≤ 1 follows |σ² - σ̃²| ≤ 2σσ̃‖D‖, which is
// |log σ̃/σ| ≤ asinh ‖D‖. In the same way, with the values ỹ = Λ'^-½(y-m), what the
// approximation leaves of them, s = ỹ - X̃v, and its weights v = B̃⁻¹X̃ᵀỹ,
//
//	|μ̃ - μ| ≤ σ(‖D‖(|s| + |v|) + |Λ^-½(y-m) - ỹ|)
//
// ‖D‖² is taken as Σ|d_i|², at least as large as the square of the spectral norm
// and in the main the trace tr Λ⁻¹(K̂-Q) that bounds the divergence of variational
// approximations too (Burt, Rasmussen and van der Wilk, JMLR 2020).
type Sparseness struct {
	Inducing  int     // points in use
	Tolerance float64 // of SparseConfig, or what MaxInducing has raised it to
	LogStdDev float64 // bound of |log σ̃/σ|
	Mean      float64 // bound of |μ̃ - μ|/σ, σ being the exact deviation
}

// Sparseness returns the accuracy of g; zeros while it is exact.
func (g *GP) Sparseness() Sparseness {
	if g.sparse == nil {
		return Sparseness{}
	}
	s, solved := g.sparse, g.solvedSparse()
	weights := 0.0
	for _, v := range solved.mean {
		weights += v * v
	}
	missed := math.Sqrt(s.missed)
	residual := math.Sqrt(max(solved.square-weights, 0)) // |s|² + |v|² = (y-m)ᵀ(Q+Λ')⁻¹(y-m)
	return Sparseness{
		Inducing:  s.len(),
		Tolerance: s.tolerance,
		LogStdDev: math.Asinh(missed),
		Mean:      missed*(residual+math.Sqrt(weights)) + math.Sqrt(s.rescaled),
	}
}
