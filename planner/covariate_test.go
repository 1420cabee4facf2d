// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner"
	"ugp_explorer/planner/covariate"
)

// A field that goes with a raster is known where nobody sampled, the best place is where the
// raster says so, and a resumed mission knows the same. A raster of noise gets less weight.
func TestCovariates(t *testing.T) {
	region := square(t)
	lo, hi := region.Bounds()
	cell, rng := (hi[0]-lo[0])/20, rand.New(rand.NewPCG(1, 2))
	raster := func(of func(x, y float64) float64) *covariate.Raster {
		const n = 25
		values := make([]float64, n*n)
		for k := range values {
			values[k] = of(lo[0]+float64(k%n-2)*cell, lo[1]+float64(k/n-2)*cell)
		}
		r, err := covariate.New(lo[0]-2*cell, lo[1]-2*cell, cell, n, values, func(x, y float64) bool { return region.Contains([]float64{x, y}) })
		must.OK(t, err)
		return r
	}
	useful := raster(func(x, y float64) float64 { return math.Sin(x/cell/2) + math.Cos(y/cell/1.5) })
	noise := raster(func(x, y float64) float64 { return rng.NormFloat64() })
	value := func(x, y float64, cov [3]float64) float64 { c, _, _ := useful.Mean(x, y, cov); return 5 + 2*c }

	cfg := testConfig()
	cfg.Model.Covariates = []gp.Covariate{useful, noise}
	build := func() *planner.Optimizer {
		o, err := planner.NewOptimizer(region, cfg)
		must.OK(t, err)
		rng := rand.New(rand.NewPCG(3, 4))
		for range 15 {
			x := []float64{lo[0] + rng.Float64()*(hi[0]-lo[0]), lo[1] + rng.Float64()*(hi[1]-lo[1])}
			o.Add(planner.Sample{Located: gp.Point(x...), Target: x, Value: value(x[0], x[1], [3]float64{}), Variance: 1e-2})
		}
		return o
	}
	o := build()
	job := o.Job(nil)
	if job.Run(); job.Err != nil {
		t.Fatal(job.Err)
	}
	worst, spread := 0., 0.
	at := func(g *gp.GP, x []float64) float64 { mean, _ := g.Posterior(gp.Point(x...)); return mean }
	for range 50 {
		x := []float64{lo[0] + rng.Float64()*(hi[0]-lo[0]), lo[1] + rng.Float64()*(hi[1]-lo[1])}
		want := value(x[0], x[1], [3]float64{})
		worst, spread = max(worst, math.Abs(at(job.Posterior, x)-want)), max(spread, math.Abs(want-5))
	}
	if worst > 0.25*spread {
		t.Errorf("off by up to %g where the field differs by up to %g from its mean", worst, spread)
	}
	if w := job.Posterior.CovariateWeights(); math.Abs(w[0].Mean-2) > 0.3 || math.Abs(w[1].Mean) > 0.3 {
		t.Errorf("the weights are %+v, want 2 and 0", w)
	}
	if best := job.Best.X; value(best[0], best[1], [3]float64{}) < 5+0.8*spread {
		t.Errorf("the best place is %g, where the value is %g", best, value(best[0], best[1], [3]float64{}))
	}

	again := build()
	if err := again.Resume(planner.Past{Hyper: &gp.Hyper{
		Kind: job.Hyper.Kind, SignalVariance: job.Hyper.SignalVariance, LengthScales: job.Hyper.LengthScales,
		NoiseVariance: job.Hyper.NoiseVariance, Mean: job.Hyper.Mean, MeanStdDev: job.Hyper.MeanStdDev, Weights: job.Hyper.Weights, // as a journal has them
	}, Fitted: 15, Whole: true}); err != nil {
		t.Fatal(err)
	}
	x := []float64{lo[0] + cell, hi[1] - cell}
	if got, want := at(again.Learnt().Posterior, x), at(job.Posterior, x); got != want {
		t.Errorf("resumed, the mean is %g, want %g", got, want)
	}
}
