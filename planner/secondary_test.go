// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
)

// heardOf returns what a second sensor heard of a function along random ways through a space.
func heardOf(t testing.TB, o *planner.Optimizer, lo, hi []float64, n int, of func(x, y float64) float64, rng *rand.Rand) {
	t.Helper()
	x, y, heading := (lo[0]+hi[0])/2, (lo[1]+hi[1])/2, 0.0
	step := (hi[0] - lo[0]) / 15
	for range n {
		heading += rng.NormFloat64()
		toX, toY := x+step*math.Cos(heading), y+step*math.Sin(heading)
		if toX < lo[0] || toX > hi[0] || toY < lo[1] || toY > hi[1] {
			heading += math.Pi
			continue
		}
		x, y = toX, toY
		must.OK(t, o.Hear(gp.Observation{
			Belief: gp.Belief{Mean: []float64{x, y}, Cov: mat.NewSymDense(2, []float64{1, 0.2, 0.2, 2})},
			Value:  50 + 10*of(x, y) + rng.NormFloat64(), NoiseVariance: 1,
		}))
	}
}

// A field that goes with what a second sensor heard is known where nobody sampled; a resumed mission knows the same. What a
// sensor hears that has nothing to do with the field hardly changes the model.
func TestSecondary(t *testing.T) {
	region := square(t)
	lo, hi := region.Bounds()
	cell := (hi[0] - lo[0]) / 20
	useful := func(x, y float64) float64 { return math.Sin(x/cell/2) + math.Cos(y/cell/1.5) }
	useless := func(x, y float64) float64 { return math.Sin(y/cell/2.3+1) + math.Cos(x/cell/1.2+2) }
	value := func(x, y float64) float64 { return 5 - 2*useful(x, y) }
	at := func(l *planner.Learnt, x []float64) float64 {
		mean, _ := l.Mixture.Posterior(gp.Point(x...))
		return mean
	}
	build := func(hears func(x, y float64) float64, seed uint64) *planner.Optimizer {
		o, err := planner.NewOptimizer(region, testConfig())
		must.OK(t, err)
		rng := rand.New(rand.NewPCG(3, seed))
		for range 12 {
			x := []float64{lo[0] + rng.Float64()*(hi[0]-lo[0]), lo[1] + rng.Float64()*(hi[1]-lo[1])}
			o.Add(planner.Sample{Located: gp.Point(x...), Target: x, Value: value(x[0], x[1]), Variance: 1e-2})
		}
		if hears != nil {
			heardOf(t, o, lo, hi, 150, hears, rng)
		}
		return o
	}
	learnt := func(o *planner.Optimizer) *planner.Job {
		job := o.Job(&planner.TargetRequest{Robot: lo, Reach: acquire.Anywhere()})
		if job.Run(); job.Err != nil || job.NoTarget != nil {
			t.Fatal(job.Err, job.NoTarget)
		}
		return job
	}
	fail := func(l *planner.Job) (squares float64) {
		rng := rand.New(rand.NewPCG(5, 6))
		for range 200 {
			x := []float64{lo[0] + rng.Float64()*(hi[0]-lo[0]), lo[1] + rng.Float64()*(hi[1]-lo[1])}
			d := at(&l.Learnt, x) - value(x[0], x[1])
			squares += d * d
		}
		return squares
	}
	var squares [3]float64 // without a second sensor, with a useful and with a useless one
	for seed := range uint64(8) {
		for i, hears := range []func(x, y float64) float64{nil, useful, useless} {
			job := learnt(build(hears, seed))
			squares[i] += fail(job)
			if c := job.Correlation; hears == nil && (c != planner.Correlation{} || job.Secondary != nil) {
				t.Errorf("without a second sensor the correlation is %+v", c)
			}
		}
	}
	t.Logf("squared errors: %.4g", squares)
	if squares[1] > 0.6*squares[0] || squares[2] > 1.15*squares[0] {
		t.Errorf("squared errors: %g without a second sensor, %g with a useful one, %g with a useless one", squares[0], squares[1], squares[2])
	}
	begun := build(useful, 0)
	with := learnt(begun)
	if c := with.Correlation; c.Mean > -0.7 || c.StdDev > 0.15 {
		t.Errorf("the correlation is %+v, want about -0.85", c)
	}
	if mean, variance := with.Secondary.Posterior(gp.Point((lo[0]+hi[0])/2, (lo[1]+hi[1])/2)); math.Abs(mean-50-10*useful((lo[0]+hi[0])/2, (lo[1]+hi[1])/2)) > 4*math.Sqrt(variance)+1 {
		t.Errorf("the second quantity is %g ± %g in the middle", mean, math.Sqrt(variance))
	}

	begun.Adopt(with)
	again := build(useful, 0)
	h := with.Hyper
	h.Secondary = nil // as a journal has them
	must.OK(t, again.Resume(planner.Past{Hyper: &h, Fitted: 12, Whole: true}))
	for _, x := range [][]float64{{lo[0] + cell, hi[1] - cell}, {lo[0] + 3*cell, lo[1] + cell}} {
		if got, want := at(again.Learnt(), x), at(&with.Learnt, x); got != want {
			t.Errorf("resumed, the mean is %g, want %g", got, want)
		}
	}
	if next, want := learnt(again).Target, learnt(begun).Target; !reflect.DeepEqual(next, want) {
		t.Errorf("resumed, the next target is %+v, want %+v", next, want)
	}
}

// A mission in which samples and heard values come one after the other learns what one learns that has all of them at
// once, whatever was learnt on the way.
func TestSecondaryGrows(t *testing.T) {
	region := square(t)
	lo, hi := region.Bounds()
	cell := (hi[0] - lo[0]) / 20
	of := func(x, y float64) float64 { return math.Sin(x/cell/2) + math.Cos(y/cell/1.5) }
	cfg := testConfig()
	cfg.Model.Average = 1
	var grown, whole *planner.Optimizer
	for _, o := range []**planner.Optimizer{&grown, &whole} {
		var err error
		*o, err = planner.NewOptimizer(region, cfg)
		must.OK(t, err)
	}
	rng, ways := rand.New(rand.NewPCG(7, 8)), [2]*rand.Rand{rand.New(rand.NewPCG(9, 9)), rand.New(rand.NewPCG(9, 9))}
	for i := range 14 {
		x := []float64{lo[0] + rng.Float64()*(hi[0]-lo[0]), lo[1] + rng.Float64()*(hi[1]-lo[1])}
		for k, o := range []*planner.Optimizer{grown, whole} {
			heardOf(t, o, lo, hi, i, of, ways[k])
			o.Add(planner.Sample{Located: gp.Point(x...), Target: x, Value: of(x[0], x[1]), Variance: 1e-2})
		}
		job := grown.Job(nil)
		if job.Run(); job.Err != nil || !grown.Adopt(job) {
			t.Fatal("not adopted", job.Err)
		}
	}
	job := whole.Job(nil)
	if job.Run(); job.Err != nil {
		t.Fatal(job.Err)
	}
	if got, want := grown.Learnt().Secondary.Hyper(), job.Secondary.Hyper(); !reflect.DeepEqual(got, want) {
		t.Errorf("step by step the second quantity has %+v, at once %+v", got, want)
	}
	x := gp.Point(lo[0]+cell, hi[1]-cell)
	got, _ := grown.Learnt().Secondary.Posterior(x)
	want, _ := job.Secondary.Posterior(x)
	if got != want {
		t.Errorf("step by step the second quantity is %g, at once %g", got, want)
	}
	if err := whole.Hear(gp.Observation{Belief: x, Value: math.NaN()}); !errors.Is(err, gp.ErrObservation) {
		t.Errorf("a value of NaN: %v", err)
	}
}

// Many samples: the correlation is still averaged over, and beyond the limit of exact posteriors the field is learnt without
// the second quantity.
func TestSecondaryMany(t *testing.T) {
	region := square(t)
	lo, hi := region.Bounds()
	cell := (hi[0] - lo[0]) / 20
	of := func(x, y float64) float64 { return math.Sin(x/cell/2) + math.Cos(y/cell/1.5) }
	cfg := testConfig()
	cfg.Model.ExactLimit = 100
	o, err := planner.NewOptimizer(region, cfg)
	must.OK(t, err)
	rng := rand.New(rand.NewPCG(7, 8))
	heardOf(t, o, lo, hi, 40, of, rng)
	for _, more := range []int{70, 40} {
		for range more {
			x := []float64{lo[0] + rng.Float64()*(hi[0]-lo[0]), lo[1] + rng.Float64()*(hi[1]-lo[1])}
			o.Add(planner.Sample{Located: gp.Point(x...), Target: x, Value: of(x[0], x[1]) + rng.NormFloat64(), Variance: 1})
		}
		job := o.Job(nil)
		if job.Run(); job.Err != nil || !o.Adopt(job) {
			t.Fatal("not adopted", job.Err)
		}
		has := job.Hyper.Secondary != nil
		if want := o.Len() <= 100; has != want || want != (job.Correlation.Mean > 0.3 && job.Correlation.StdDev > 0) {
			t.Errorf("%d samples: second quantity %v, correlation %+v", o.Len(), has, job.Correlation)
		}
	}
}

func BenchmarkSecondary(b *testing.B) {
	region := square(b)
	lo, hi := region.Bounds()
	cell := (hi[0] - lo[0]) / 20
	of := func(x, y float64) float64 { return math.Sin(x/cell/2) + math.Cos(y/cell/1.5) }
	for _, samples := range []int{30, 100} {
		for _, heard := range []int{0, 500, 3000} {
			b.Run(fmt.Sprintf("samples=%d/heard=%d", samples, heard), func(b *testing.B) {
				o, err := planner.NewOptimizer(region, testConfig())
				must.OK(b, err)
				rng := rand.New(rand.NewPCG(7, 8))
				heardOf(b, o, lo, hi, heard, of, rng)
				for range samples {
					x := []float64{lo[0] + rng.Float64()*(hi[0]-lo[0]), lo[1] + rng.Float64()*(hi[1]-lo[1])}
					o.Add(planner.Sample{Located: gp.Point(x...), Target: x, Value: of(x[0], x[1]) + 0.5*rng.NormFloat64(), Variance: 0.25})
				}
				first := o.Job(nil) // the second quantity's hyper-parameters are fitted now and then only
				first.Run()
				o.Adopt(first)
				for b.Loop() {
					job := o.Job(&planner.TargetRequest{Robot: lo, Reach: acquire.Anywhere()})
					if job.Run(); job.Err != nil {
						b.Fatal(job.Err)
					}
				}
			})
		}
	}
}
