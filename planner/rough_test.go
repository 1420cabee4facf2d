// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
)

func square(t testing.TB) *field.Region {
	return fieldtest.Region(t, field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}}}}, 2)
}

// addSamples adds n samples of one function, at places that depend on the seed.
func addSamples(o *planner.Optimizer, n int, seed uint64) {
	rng := plantest.Rand(seed)
	for range n {
		x := []float64{10 + 80*rng.Float64(), 10 + 80*rng.Float64()}
		o.Add(planner.Sample{Target: x, Located: gp.Point(x...), Value: math.Sin(x[0]/30) + math.Cos(x[1]/40) + 0.1*rng.NormFloat64()})
	}
}

// sampled returns an optimiser with n samples.
func sampled(t testing.TB, region *field.Region, cfg planner.OptimizerConfig, n int) *planner.Optimizer {
	t.Helper()
	o, err := planner.NewOptimizer(region, cfg)
	must.OK(t, err)
	addSamples(o, n, 3)
	return o
}

func learn(t testing.TB, o *planner.Optimizer) *planner.Learnt {
	t.Helper()
	job := o.Job(nil)
	if job.Run(); job.Err != nil || !o.Adopt(job) {
		t.Fatal(job.Err)
	}
	return o.Learnt()
}

// The roughest kernel has half of the weight in a recommendation, the other half the fit: no
// place has a larger mean than the one recommended, and its standard deviation includes what
// the kernels differ by.
func TestRecommendOverKernels(t *testing.T) {
	region, cfg := square(t), testConfig()
	const n = 70 // decisions are not averaged over hyper-parameters
	o := sampled(t, region, cfg, n)
	got := learn(t, o)
	start, prior := o.Prior()
	start.Kind, prior.Kinds = gp.Matern12, []gp.Kind{gp.Matern12}
	h, err := fit.Hyper(got.Posterior.Observations(), start, prior, cfg.Random(planner.StreamRough, n))
	must.OK(t, err)
	rough, err := gp.New(h)
	must.OK(t, err)
	must.OK(t, rough.AddAll(got.Posterior.Observations()))
	both := fit.Mixture{{Model: got.Posterior, Weight: 0.5}, {Model: rough, Weight: 0.5}}
	outcome := func(x []float64) (mean, variance float64) {
		return both.Posterior(gp.Belief{Mean: x, Cov: got.ExecutionNoise.Cov})
	}
	mean, variance := outcome(got.Best.X)
	if math.Abs(mean-got.Best.Mean) > 1e-9 || math.Abs(math.Sqrt(variance)-got.Best.StdDev) > 1e-9 {
		t.Errorf("recommended %+v, the models have %g ± %g there", got.Best, mean, math.Sqrt(variance))
	}
	places := region.Points(2000, plantest.Rand(6))
	for i := range 2000 {
		if v, _ := outcome(places.RawRowView(i)); v > mean+1e-3 {
			t.Fatalf("%g is recommended at %v, but %g is at %v", mean, got.Best.X, v, places.RawRowView(i))
		}
	}
}

// An optimiser that resumes recommends the same place and has the same map, whether there are
// few samples, so that there is an average over hyper-parameters, or many.
func TestResumeKnowsTheSame(t *testing.T) {
	region, cfg := square(t), testConfig()
	for _, n := range []int{20, 70} {
		got := learn(t, sampled(t, region, cfg, n))
		again := sampled(t, region, cfg, n)
		must.OK(t, again.Resume(planner.Past{Hyper: &got.Hyper, Fitted: n, Whole: true}))
		if b := again.Learnt().Best; !reflect.DeepEqual(got.Best, b) {
			t.Errorf("%d samples: recommended %+v, after a resume %+v", n, got.Best, b)
		}
		places := region.Points(100, plantest.Rand(6))
		for i := range 100 {
			place := gp.Point(places.RawRowView(i)...)
			mean, variance := got.Mixture.Posterior(place)
			if m, v := again.Learnt().Mixture.Posterior(place); m != mean || v != variance {
				t.Fatalf("%d samples: the map has %g, variance %g at %v, and after a resume %g, %g", n, mean, variance, place.Mean, m, v)
			}
		}
	}
}

// Whoever names one kernel, gives the hyper-parameters, wants no average, or has many samples
// is recommended what one model says.
func TestRecommendByOneKernel(t *testing.T) {
	for name, change := range map[string]func(*planner.ModelConfig){
		"kernel":          func(c *planner.ModelConfig) { c.Kinds = []gp.Kind{gp.SquaredExponential} },
		"average":         func(c *planner.ModelConfig) { c.Average = 1 },
		"fit":             func(c *planner.ModelConfig) { c.Fit = false },
		"fit every tenth": func(c *planner.ModelConfig) { c.FitEveryTenth = true },
		"many samples":    func(c *planner.ModelConfig) { c.Prior.MaxObservations = 69 },
	} {
		cfg := testConfig()
		change(&cfg.Model)
		got := learn(t, sampled(t, square(t), cfg, 70))
		if mean, _ := got.Posterior.Posterior(gp.Belief{Mean: got.Best.X, Cov: got.ExecutionNoise.Cov}); math.Abs(mean-got.Best.Mean) > 1e-9 {
			t.Errorf("%s: recommended %+v, the model has a mean of %g there", name, got.Best, mean)
		}
	}
}
