// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/plantest"
)

// σ_F bounds the deviation of f(x̃) for f = k(·, 0), whose norm is √k(0,0): the
// deviation is found by simulation.
func TestExecutionStdDevBoundsSimulation(t *testing.T) {
	for _, kind := range gp.Kinds() {
		testExecutionStdDev(t, gp.Kernel{Kind: kind, Variance: 2, LengthScales: []float64{3, 1.5}})
	}
}

func testExecutionStdDev(t *testing.T, k gp.Kernel) {
	cov := mat.NewSymDense(2, []float64{0.3, 0.1, 0.1, 0.2})
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		t.Fatal("not a covariance")
	}
	var l mat.TriDense
	chol.LTo(&l)
	rng := plantest.Rand(1)
	bound := ExecutionStdDev(math.Sqrt(2), k, cov)
	// ‖f‖ σ_f √(tr Σ)/ℓ_min by hand, and ∂²k/∂x∂x' by differences of the kernel.
	const h = 1e-4 // the mixture for the exponential kernel bends over 0.01 length-scales
	slope := 2 * (k.Variance - k.Cov(gp.Point(0, 0), gp.Point(0, h))) / (h * h)
	if want := math.Sqrt2 * math.Sqrt(slope) * math.Sqrt(0.5); math.Abs(bound/want-1) > 1e-4 {
		t.Errorf("%v: σ_F is %g, want %g", k.Kind, bound, want)
	}
	if want := math.Sqrt2 * math.Sqrt2 * math.Sqrt(0.5) / 1.5; k.Kind == gp.SquaredExponential && math.Abs(bound-want) > 1e-12 {
		t.Errorf("σ_F is %g, want %g", bound, want)
	}
	for _, at := range [][2]float64{{0, 0}, {1, 1}, {2, 0}, {0, -1.5}} {
		var s, s2 float64
		const n = 20000
		for range n {
			u, v := rng.NormFloat64(), rng.NormFloat64()
			x := at[0] + l.At(0, 0)*u
			y := at[1] + l.At(1, 0)*u + l.At(1, 1)*v
			f := k.Cov(gp.Point(x, y), gp.Point(0, 0))
			s, s2 = s+f, s2+f*f
		}
		if sd := math.Sqrt(s2/n - s/n*s/n); sd > bound || sd < bound/100 {
			t.Errorf("%v: around %v f deviates by %g, σ_F is %g", k.Kind, at, sd, bound)
		}
	}
	if ExecutionStdDev(1, k, nil) != 0 {
		t.Error("certainty deviates")
	}
}
