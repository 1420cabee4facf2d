// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner"
)

// The transform is exact for polynomials up to the third degree: the mean and the covariance of a linear map come out as
// they are, in any dimension and for singular covariances, and third moments as zero.
func TestUnscentedMoments(t *testing.T) {
	rng := gptest.Rand(80)
	for d := 1; d <= 5; d++ {
		for range 20 {
			x, cov := gptest.Vec(rng, d, 3), gptest.Cov(rng, d, 1)
			a := mat.NewDense(2, d, append(gptest.Vec(rng, d, 2), gptest.Vec(rng, d, 2)...))
			want, wantCov := gptest.Mapped(a, x, cov)
			u, err := NewUnscented(d, cov)
			must.OK(t, err)
			var mapped mat.Dense
			mapped.Mul(u.spread(nil, mat.NewDense(1, d, x)), a.T())
			total := floats.Sum(u.weights)
			var mean [2]float64
			var second [2][2]float64
			third := 0.0
			for i, w := range u.weights {
				y := [2]float64{mapped.At(i, 0) - want[0], mapped.At(i, 1) - want[1]}
				third += w * y[0] * y[1] * y[1]
				for k := range y {
					mean[k] += w * y[k]
					for l := range y {
						second[k][l] += w * y[k] * y[l]
					}
				}
			}
			gptest.Near(t, "sum of the weights", total, 1, 1e-12)
			gptest.Near(t, "third moment", third, 0, 1e-10)
			for k := range mean {
				gptest.Near(t, "mean", mean[k], 0, 1e-12)
				for l := range mean {
					v := 0.0
					if cov != nil {
						v = wantCov.At(k, l)
					}
					gptest.Near(t, "covariance", second[k][l], v, 1e-11)
				}
			}
		}
	}
}

// What is no covariance has no sigma points.
func TestUnscentedRefuses(t *testing.T) {
	for name, cov := range map[string]*mat.SymDense{
		"of another dimension": mat.NewSymDense(2, nil),
		"negative":             mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, -1}),
		"indefinite":           mat.NewSymDense(3, []float64{1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1}),
		"NaN":                  mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, math.NaN(), 0, math.NaN(), 1}),
	} {
		if _, err := NewUnscented(3, cov); !errors.Is(err, planner.ErrStrategy) || !errors.Is(err, gp.ErrBelief) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
