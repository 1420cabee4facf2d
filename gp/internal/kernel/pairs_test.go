// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
	"ugp_explorer/internal/testkit/gptest"
)

// TestPairs: values are those of the equation, singular covariances or none included, and derivatives those of
// finite differences.
func TestPairs(t *testing.T) {
	rng := gptest.Rand(8)
	for d := 1; d <= 5; d++ {
		for _, mix := range Mixtures {
			for _, spread := range []float64{0, 1e-6, 0.8, 30} {
				const n = 6
				var x, cov []float64
				covs := make([]*mat.SymDense, n)
				for i := range covs {
					x = append(x, gptest.Vec(rng, d, 3)...)
					if spread > 0 {
						covs[i] = gptest.Cov(rng, d, spread)
					}
					s := make([]float64, packed.Len(d))
					packed.Pack(s, covs[i])
					cov = append(cov, s...)
				}
				length := 0.6 + 1.5*rng.Float64()
				scales := make([]float64, d)
				for a := range scales {
					scales[a] = length
				}
				k, slope := make([]float64, packed.Len(n)), make([]float64, packed.Len(n))
				up, down, other := make([]float64, packed.Len(n)), make([]float64, packed.Len(n)), make([]float64, packed.Len(n))
				p := NewPairs(x, cov, d)
				p.Eval(k, slope, mix, length)
				step := math.Exp(1e-5)
				p.Eval(up, other, mix, length*step)
				p.Eval(down, other, mix, length/step)
				for i := range n {
					for j := range i + 1 {
						at := packed.At(i, j)
						want := Cov(mix, scales, x[i*d:(i+1)*d], x[j*d:(j+1)*d], covs[i], covs[j])
						gptest.Near(t, "value", k[at], want, 1e-13)
						gptest.Near(t, "derivative", slope[at], (up[at]-down[at])/2e-5, 1e-9)
					}
				}
			}
		}
	}
}
