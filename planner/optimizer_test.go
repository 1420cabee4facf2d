// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/experiment/paper"
)

// testConfig is uGP-UCB with learnt hyper-parameters and a quick search.
func testConfig() planner.OptimizerConfig {
	strategy := planner.DefaultStrategyConfig()
	strategy.Beta, strategy.Search.Starts, strategy.Recommend = planner.Fixed(3), 100, planner.RecommendAnywhere
	prior := fit.DefaultConfig(1)
	prior.Starts = 2
	return planner.OptimizerConfig{
		Catalogue: planner.Robot(), Method: "ugp-ucb", Strategy: strategy,
		ExecutionNoise: execution.NoiseConfig{Config: execution.Config{StdDev: 1}},
		Model: planner.ModelConfig{
			Fit: true, Kinds: []gp.Kind{gp.Matern32, gp.Matern52}, SignalStdDev: 1, LengthScale: 60, NoiseStdDev: 0.1,
			Average: 8, ExactLimit: 500, Prior: prior,
		},
		Random: planner.Seeded(1),
	}
}

// A mission of many samples that is resumed with a few that its last fit did not know continues with
// that fit, as it would have without the interruption; with many, or under another configuration,
// it fits again.
func TestResumeBetweenFits(t *testing.T) {
	region := square(t)
	cfg := testConfig()
	cfg.Model.Prior.MaxObservations = 80
	begun := gp.Hyper{SignalVariance: 0.7, LengthScales: []float64{31, 32}, NoiseVariance: 0.02, Mean: 0.3}
	for _, c := range []struct {
		name    string
		samples int
		past    planner.Past
		fits    bool
	}{
		{"a few more", 205, planner.Past{Fitted: 200}, false},
		{"many more", 230, planner.Past{Fitted: 200}, true},
		{"all, but another configuration", 200, planner.Past{}, true},
		{"few samples", 65, planner.Past{Fitted: 64}, true},
	} {
		o, err := planner.NewOptimizer(region, cfg)
		must.OK(t, err)
		begun.Kind = cfg.Model.Kinds[0]
		addSamples(o, c.samples, 2)
		c.past.Hyper = &begun
		must.OK(t, o.Resume(c.past))
		job := o.Job(nil)
		if job.Run(); job.Err != nil {
			t.Fatal(job.Err)
		}
		if same := reflect.DeepEqual(job.Hyper, begun); job.Fitted != c.fits || same == c.fits || job.Posterior.Len() != c.samples {
			t.Errorf("%s: fitted %v, hyper-parameters %+v of %d samples", c.name, job.Fitted, job.Hyper, job.Posterior.Len())
		}
	}
}

// Over 2000 samples, a hundred at a time and then one by one, with
// decisions that stay in the field. The posterior grows from job to job, goes over
// to inducing points, and stays what it would be if it were computed again; fits
// become rare; what a job began from is left as it was.
func TestLongMission(t *testing.T) {
	const edge = 400.0
	region := fieldtest.Region(t, field.Field{Boundary: orb.Polygon{{{0, 0}, {edge, 0}, {edge, edge}, {0, edge}, {0, 0}}}}, 2)
	cfg := testConfig()
	cfg.Model.ExactLimit = 200
	cfg.Model.Prior.MaxObservations = 80
	o, err := planner.NewOptimizer(region, cfg)
	must.OK(t, err)

	rng := plantest.Rand(1)
	x, y, heading := 50.0, 60.0, 0.3
	sample := func() {
		for {
			heading += 0.2 * rng.NormFloat64()
			if toX, toY := x+3*math.Cos(heading), y+3*math.Sin(heading); region.Contains([]float64{toX, toY}) {
				x, y = toX, toY
				break
			}
			heading++
		}
		o.Add(planner.Sample{
			Target:  []float64{x, y},
			Located: gp.Belief{Mean: []float64{x, y}, Cov: mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1})},
			Value:   math.Sin(x/60) + math.Cos(y/80) + 0.2*rng.NormFloat64(),
		})
	}
	fits := 0
	think := func(more int) *planner.Job {
		for range more {
			sample()
		}
		n, last := o.Len(), o.Learnt().Posterior
		before := o.Modelled()
		job := o.Job(&planner.TargetRequest{Robot: []float64{x, y}, Reach: acquire.Anywhere()})
		if job.Run(); job.Err != nil || job.NoTarget != nil {
			t.Fatal(job.Err, job.NoTarget)
		}
		if last != nil && last.Len() != before {
			t.Fatalf("the posterior that a job began from has %d samples, had %d", last.Len(), before)
		}
		if job.Posterior.Len() != n || !region.Contains(job.Target.X) || !(job.Target.StdDev > 0) {
			t.Fatalf("after %d samples: %d in the posterior, target %+v", n, job.Posterior.Len(), job.Target)
		}
		if job.Fitted {
			fits++
		}
		if !o.Adopt(job) {
			t.Fatalf("after %d samples: the job is not adopted", n)
		}
		o.Decide(job)
		return job
	}
	think(40)
	for range 20 {
		think(100)
	}
	if fits >= 21 || fits < 10 {
		t.Errorf("%d fits in 21 jobs", fits)
	}
	rounds := 0
	for range 30 { // a fit may be due once
		if think(1).Fitted {
			rounds++
		}
	}
	if rounds > 1 {
		t.Errorf("%d fits for 30 samples beside 2000", rounds)
	}
	n := o.Len()
	grown := o.Learnt().Posterior.Inducing()
	if n <= 2000 || grown == 0 || grown > 512 {
		t.Errorf("%d samples, %d inducing points", n, grown)
	}
	limits := gp.DefaultSparseConfig()
	limits.ExactLimit = cfg.Model.ExactLimit
	anew, err := gp.NewSparse(o.Learnt().Hyper, limits)
	must.OK(t, err)
	must.OK(t, anew.AddAll(o.Learnt().Posterior.Observations()))
	for i := range 100 {
		at := gp.Belief{Mean: []float64{4 + 40*float64(i%10), 4 + 40*float64(i/10)}, Cov: o.QueryCov()}
		mean, variance := o.Learnt().Posterior.Posterior(at)
		wantMean, wantVariance := anew.Posterior(at)
		if off := math.Abs(mean-wantMean) / math.Sqrt(wantVariance); off > 0.2 {
			t.Errorf("at %v the mean is %g standard deviations from what it is anew", at.Mean, off)
		}
		if off := math.Abs(0.5 * math.Log(variance/wantVariance)); off > 0.05 {
			t.Errorf("at %v the standard deviation is off by a factor of e^%g", at.Mean, off)
		}
	}
}

// What a job decided is dropped without a trace unless it is counted, and a job that
// knows no more than was known is not adopted.
func TestDecisionsCountWhenCarriedOut(t *testing.T) {
	region := fieldtest.Region(t, fieldtest.Star(), 2)
	cfg := testConfig()
	cfg.Method, cfg.Strategy.GridPoints = "grid", 9
	o, err := planner.NewOptimizer(region, cfg)
	must.OK(t, err)
	decide := func() *planner.Job {
		job := o.Job(&planner.TargetRequest{Robot: []float64{20, 60}, Reach: acquire.Anywhere()})
		if job.Run(); job.Err != nil || job.NoTarget != nil {
			t.Fatal(job.Err, job.NoTarget)
		}
		return job
	}
	first := decide()
	if again := decide(); !slices.Equal(first.Target.X, again.Target.X) {
		t.Errorf("a dropped decision for %v makes the next one for %v", first.Target.X, again.Target.X)
	}
	o.Decide(first)
	next := decide()
	if o.Decisions() != 1 || slices.Equal(first.Target.X, next.Target.X) {
		t.Errorf("after %d decisions, for %v, comes %v", o.Decisions(), first.Target.X, next.Target.X)
	}
	o.Add(planner.Sample{Target: first.Target.X, Located: gp.Point(first.Target.X...), Value: 1, Variance: 0.01})
	late := o.Job(nil)
	late.Run()
	o.Add(planner.Sample{Target: next.Target.X, Located: gp.Point(next.Target.X...), Value: 2, Variance: 0.01})
	newer := o.Job(nil)
	newer.Run()
	if !o.Adopt(newer) || o.Adopt(late) || o.Modelled() != 2 {
		t.Errorf("%d of 2 samples are known after the jobs came out of order", o.Modelled())
	}
}

// The target of another robot's sample is recommended only where this one may go.
func TestForeignSamples(t *testing.T) {
	region := fieldtest.Region(t, fieldtest.Star(), 2)
	cfg := testConfig()
	cfg.Model.Fit, cfg.Strategy.Recommend = false, planner.RecommendTarget
	o, err := planner.NewOptimizer(region, cfg)
	must.OK(t, err)
	out, in := []float64{-50, -50}, []float64{60, 50}
	if region.Contains(out) || !region.Contains(in) {
		t.Fatal("the places are not as they should be")
	}
	o.Add(planner.Sample{Target: in, Located: gp.Point(in...), Value: 1, Variance: 0.01, Robot: "other"})
	o.Add(planner.Sample{Target: out, Located: gp.Point(out...), Value: 9, Variance: 0.01, Robot: "other"})
	job := o.Job(nil)
	if job.Run(); job.Err != nil || !slices.Equal(job.Best.X, in) || job.Posterior.Len() != 2 {
		t.Errorf("recommended is %v of %d samples, want %v: %v", job.Best.X, job.Posterior.Len(), in, job.Err)
	}
	if err := o.Check(planner.Sample{Target: in, Located: gp.Point(1, 2, 3)}); err == nil {
		t.Error("a place of three coordinates is taken")
	}
}

// After a revision there is no posterior until a job has computed that of the new samples,
// judged by the new execution noise; decisions and hyper-parameters stay.
// Hyper-parameters that are given as such are taken as they are, and so are the priors; with many
// samples a fit waits until a tenth of them is new.
func TestFitsFromAStart(t *testing.T) {
	region := fieldtest.Region(t, fieldtest.Star(), 2)
	cfg := testConfig()
	start := gp.Hyper{Kind: gp.Matern52, SignalVariance: 3, LengthScales: []float64{25, 25}, NoiseVariance: 0.3, Mean: 7}
	cfg.Model.Start, cfg.Model.Prior = &start, fit.DefaultConfig(25)
	cfg.Model.Prior.Starts, cfg.Model.Prior.MaxObservations = 1, 10
	o, err := planner.NewOptimizer(region, cfg)
	must.OK(t, err)
	if got := o.Learnt().Hyper; !reflect.DeepEqual(got, start) {
		t.Errorf("it begins with %+v, want %+v", got, start)
	}
	rng, fits := plantest.Rand(2), 0
	for n := range 64 {
		x := []float64{100 * rng.Float64(), 100 * rng.Float64()}
		o.Add(planner.Sample{Target: x, Located: gp.Point(x...), Value: math.Sin(x[0]/20) + 0.1*rng.NormFloat64()})
		if n < 58 {
			continue
		}
		job := o.Job(nil)
		if job.Run(); job.Err != nil || !o.Adopt(job) {
			t.Fatal(job.Err)
		}
		if job.Fitted {
			fits++
		}
	}
	if fits != 1 {
		t.Errorf("%d fits, want 1", fits)
	}
}

// With OnePlace a sample at a stop is of one place in its belief for the model, and one on the way of the mean over it.
func TestOnePlace(t *testing.T) {
	region := fieldtest.Region(t, field.Field{Boundary: orb.Polygon{{{0, 0}, {400, 0}, {400, 400}, {0, 400}, {0, 0}}}}, 2)
	for _, fitted := range []bool{false, true} {
		cfg := testConfig()
		cfg.Model.Fit, cfg.Model.OnePlace = fitted, true
		o, err := planner.NewOptimizer(region, cfg)
		must.OK(t, err)
		rng := plantest.Rand(4)
		var samples []planner.Sample
		for range 4 {
			for range 5 {
				x, y, onWay := 10+380*rng.Float64(), 10+380*rng.Float64(), rng.IntN(2) == 0
				v := 900 * rng.Float64()
				s := planner.Sample{
					Target: []float64{x, y}, Located: gp.Belief{Mean: []float64{x, y}, Cov: mat.NewSymDense(2, []float64{v, 0, 0, v})},
					Value: math.Sin(x/60) + math.Cos(y/80), Variance: 0.02 * rng.Float64(), OnWay: onWay,
				}
				samples = append(samples, s)
				o.Add(s)
			}
			job := o.Job(nil)
			if job.Run(); job.Err != nil || !o.Adopt(job) {
				t.Fatal("the job is not adopted", job.Err)
			}
			model := func(share float64) *gp.GP {
				g, err := gp.New(job.Hyper)
				must.OK(t, err)
				for _, s := range samples {
					noise := s.Variance
					if !s.OnWay { // what f̂ has not of the variance at a point
						noise += share * (job.Hyper.SignalVariance - job.Hyper.Kernel().Cov(s.Located, s.Located))
					}
					must.OK(t, g.Add(gp.Observation{Belief: s.Located, Value: s.Value, NoiseVariance: noise}))
				}
				return g
			}
			with, without := model(1), model(0)
			differs := false
			for range 20 {
				at := gp.Point(400*rng.Float64(), 400*rng.Float64())
				mean, variance := job.Posterior.Posterior(at)
				wantMean, wantVariance := with.Posterior(at)
				if math.Abs(mean-wantMean) > 1e-8 || math.Abs(variance-wantVariance) > 1e-8 {
					t.Fatalf("fit %v, %d samples: %g, variance %g at %v, want %g and %g", fitted, len(samples), mean, variance, at.Mean, wantMean, wantVariance)
				}
				plain, _ := without.Posterior(at)
				differs = differs || math.Abs(plain-wantMean) > 0.01
			}
			if !differs {
				t.Fatalf("fit %v, %d samples: the spread makes no difference", fitted, len(samples))
			}
		}
	}
}

// In space, every method learns and decides from places that are correlated, singular and certain: the noise that it learns
// is correlated, and the posterior is that of all of the covariances.
func TestMissionInSpace(t *testing.T) {
	space, err := field.NewBox([]float64{0, 0, -20}, []float64{100, 80, 0})
	must.OK(t, err)
	for _, method := range paper.Catalogue() {
		t.Run(method.Name, func(t *testing.T) {
			cfg := testConfig()
			cfg.Catalogue, cfg.Method = paper.Catalogue(), method.Name
			cfg.ExecutionNoise = execution.NoiseConfig{Learn: true, Config: execution.DefaultConfig(2)}
			o, err := planner.NewOptimizer(space, cfg)
			must.OK(t, err)
			rng := plantest.Rand(4)
			add := func(x []float64) {
				located := gp.Belief{Mean: slices.Clone(x), Cov: gptest.Cov(rng, 3, 3)}
				floats.Add(located.Mean, gptest.Vec(rng, 3, 2))
				s := planner.Sample{Target: x, Located: located, Value: math.Sin(x[0]/20) + x[2]/10, Arrived: true}
				must.OK(t, o.Check(s))
				o.Add(s)
			}
			for range 12 {
				at := gptest.Vec(rng, 3, 0.5)
				add([]float64{100 * (at[0] + 0.5), 80 * (at[1] + 0.5), 20 * (at[2] - 0.5)})
			}
			for range 3 {
				job := o.Job(&planner.TargetRequest{Robot: []float64{50, 40, -10}, Reach: acquire.Anywhere(), Pending: [][]float64{{20, 20, -5}}})
				if job.Run(); job.Err != nil || job.NoTarget != nil || !space.Contains(job.Target.X) || !(job.Target.StdDev > 0) {
					t.Fatalf("target %+v, errors %v, %v", job.Target, job.Err, job.NoTarget)
				}
				if cov := job.ExecutionNoise.Cov; cov.At(0, 1) == 0 || cov.At(0, 2) == 0 {
					t.Errorf("learnt the noise %v", mat.Formatted(cov))
				}
				again, err := gp.New(job.Hyper)
				must.OK(t, err)
				must.OK(t, again.AddAll(job.Posterior.Observations()))
				query := gp.Belief{Mean: []float64{30, 30, -10}, Cov: job.ExecutionNoise.Cov}
				m, v := job.Posterior.Posterior(query)
				wantM, wantV := again.Posterior(query)
				gptest.Near(t, "mean", m, wantM, 1e-9)
				gptest.Near(t, "variance", v, wantV, 1e-9)
				o.Adopt(job)
				o.Decide(job)
				add(job.Target.X)
			}
		})
	}
}

// A sample from which something cannot be learnt is refused when it comes, whatever the method makes of it.
func TestCheckRefuses(t *testing.T) {
	for _, method := range []string{"ugp-ucb", "gp-ucb"} {
		cfg := testConfig()
		cfg.Method = method
		o, err := planner.NewOptimizer(square(t), cfg)
		must.OK(t, err)
		good := planner.Sample{Target: []float64{5, 5}, Located: gp.Belief{Mean: []float64{5, 6}, Cov: gptest.Sym2(1, 1, 1)}, Value: 1, Arrived: true}
		must.OK(t, o.Check(good))
		for name, change := range map[string]func(*planner.Sample){
			"covariance": func(s *planner.Sample) { s.Located.Cov = gptest.Sym2(1, 2, 1) },
			"place":      func(s *planner.Sample) { s.Located.Mean = []float64{5, math.NaN()} },
			"target":     func(s *planner.Sample) { s.Target = []float64{5, 5, 5} },
			"value":      func(s *planner.Sample) { s.Value = math.NaN() },
			"variance":   func(s *planner.Sample) { s.Variance = -1 },
		} {
			bad := good
			if change(&bad); o.Check(bad) == nil {
				t.Errorf("%s: its %s is accepted", method, name)
			}
		}
	}
}
