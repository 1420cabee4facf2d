// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
)

// The map says how far it may be from the truth: over fields that are drawn from a Gaussian
// process whose hyper-parameters and mean the optimiser does not know, the truth is within two
// standard deviations nearly everywhere that it should be, 95.4 % of the area. The posterior
// under the most likely hyper-parameters alone claims to know the field better than it does.
func TestMapIsHonest(t *testing.T) {
	const fields, n, places = 40, 15, 100
	region, cfg := square(t), testConfig()
	cfg.Model.LengthScale = 35
	cfg.ExecutionNoise.Config.StdDev = 0
	kernel := gp.Kernel{Kind: gp.Matern32, Variance: 1, LengthScales: []float64{35, 35}}
	rng := plantest.Rand(8)
	var mixture, single float64
	for range fields {
		at := region.Points(n+places, rng)
		truth := draw(t, kernel, at, rng.NormFloat64)
		o, err := planner.NewOptimizer(region, cfg)
		must.OK(t, err)
		for i := range n {
			x := at.RawRowView(i)
			o.Add(planner.Sample{Target: x, Located: gp.Point(x...), Value: 5 + truth[i] + 0.2*rng.NormFloat64()})
		}
		got := learn(t, o)
		for i := n; i < n+places; i++ {
			b := gp.Point(at.RawRowView(i)...)
			inside := func(mean, variance float64) float64 {
				if math.Abs(mean-5-truth[i]) <= 2*math.Sqrt(variance) {
					return 1. / (fields * places)
				}
				return 0
			}
			mixture += inside(got.Mixture.Posterior(b))
			single += inside(got.Posterior.Posterior(b))
		}
	}
	t.Logf("the truth is within two standard deviations at %.1f %% of the places, of the posterior alone at %.1f %%", 100*mixture, 100*single)
	if mixture < 0.93 || mixture > 0.98 || single > mixture {
		t.Errorf("the truth is within two standard deviations at %.1f %% of the places, of the posterior alone at %.1f %%; want 95.4 %% and less", 100*mixture, 100*single)
	}
}

// draw returns the values of a function drawn from a Gaussian process of mean 0, at the rows
// of x.
func draw(t *testing.T, kernel gp.Kernel, x *mat.Dense, normal func() float64) []float64 {
	t.Helper()
	n, _ := x.Dims()
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			cov.SetSym(i, j, kernel.Cov(gp.Point(x.RawRowView(i)...), gp.Point(x.RawRowView(j)...)))
		}
		cov.SetSym(i, i, cov.At(i, i)+1e-9)
	}
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		t.Fatal("the covariance is not positive definite")
	}
	var l mat.TriDense
	chol.LTo(&l)
	z, value := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		z.SetVec(i, normal())
	}
	value.MulVec(&l, z)
	return value.RawVector().Data
}
