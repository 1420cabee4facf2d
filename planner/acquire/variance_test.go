// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner/field"
)

// The acquisition against its definition: the mean fall of the posterior variance at
// the places when the observation is added, whatever its value.
func TestVarianceIsTheFall(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 15, 1)
	const m, own = 50, 0.02
	places := r.Points(m, plantest.Rand(2))
	l, err := model.NewLookahead(plantest.Execution, places)
	must.OK(t, err)
	v := &Variance{Lookahead: l, Noise: model.Hyper().NoiseVariance + own}
	mean := func(g *gp.GP) float64 {
		variance := make([]float64, m)
		plantest.Predictor(t, g, plantest.Execution).PredictBatch(make([]float64, m), variance, places)
		sum := 0.0
		for _, s := range variance {
			sum += s
		}
		return sum / m
	}
	before, targets := mean(model), r.Points(6, plantest.Rand(3))
	for i := range 6 {
		x := targets.RawRowView(i)
		after := model.Clone()
		must.OK(t, after.Add(gp.Observation{Belief: gp.Belief{Mean: x, Cov: plantest.Execution}, Value: 7, NoiseVariance: own}))
		want := before - mean(after)
		if got, _ := v.eval(x); math.Abs(got*got-want) > 1e-10 || want < 1e-4 {
			t.Errorf("at %v the variance falls by %.12g, want %.12g", x, got*got, want)
		}
	}
}

// Where nothing can be learnt nothing falls, and there is no gradient.
func TestVarianceWithoutNoise(t *testing.T) {
	model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{5, 5}})
	must.OK(t, err)
	must.OK(t, model.Add(gp.Observation{Belief: gp.Point(3, 4), Value: 1}))
	l, err := model.NewLookahead(nil, mat.NewDense(2, 2, []float64{3, 4, 9, 9}))
	must.OK(t, err)
	g, a := []float64{7, 7}, &Variance{Lookahead: l}
	v := a.Value([]float64{3, 4})
	if a.Grad(g); v != 0 || g[0] != 0 || g[1] != 0 {
		t.Errorf("where it was sampled without noise: %g, gradient %v", v, g)
	}
}

// mapField takes samples of a field where an acquisition is largest, with execution noise
// Σ̂, and returns the mean posterior standard deviation and the root mean
// squared error of the map at places that were not sampled.
func mapField(tb testing.TB, r *field.Region, f *plantest.Waves, rough bool, length float64, reduction bool, samples int, seed uint64) (stdDev, rmse float64) {
	kind := gp.SquaredExponential
	if rough {
		kind = gp.Matern32
	}
	model, err := gp.New(gp.Hyper{Kind: kind, SignalVariance: 1, LengthScales: []float64{length, length}, NoiseVariance: 0.01})
	must.OK(tb, err)
	rng := plantest.Rand(seed)
	s := NewSearcher(r, DefaultSearchConfig(), rng)
	places := r.Points(400, rng)
	noise := plantest.Rand(seed + 1000)
	x := r.Centre()
	for range samples {
		var off mat.TriDense
		var chol mat.Cholesky
		chol.Factorize(plantest.Execution)
		chol.LTo(&off)
		a, b := noise.NormFloat64(), noise.NormFloat64()
		at := []float64{x[0] + off.At(0, 0)*a, x[1] + off.At(1, 0)*a + off.At(1, 1)*b}
		// The localisation says where it was as well as the execution does.
		must.OK(tb, model.Add(gp.Observation{Belief: gp.Belief{Mean: x, Cov: plantest.Execution}, Value: f.At(at) + 0.1*noise.NormFloat64()}))
		q := Query{LengthScales: model.Hyper().LengthScales, Robot: x, Reach: Anywhere(), Rng: rng}
		if reduction {
			l, err := model.NewLookahead(plantest.Execution, places)
			must.OK(tb, err)
			q.Acquisition, q.MaxStarts = &Variance{Lookahead: l, Noise: model.Hyper().NoiseVariance}, FewStarts
		} else {
			q.Acquisition = &UCB{Predictor: plantest.Predictor(tb, model, plantest.Execution), Beta: 1, Merit: func(float64) (worth, slope float64) { return 0, 0 }}
		}
		o, err := s.Maximise(q)
		must.OK(tb, err)
		x = o.X
	}
	const held = 500
	out := r.Points(held, plantest.Rand(seed+2000))
	mean, variance := make([]float64, held), make([]float64, held)
	plantest.Predictor(tb, model, nil).PredictBatch(mean, variance, out)
	for i := range held {
		d := mean[i] - f.At(out.RawRowView(i))
		stdDev += math.Sqrt(variance[i]) / held
		rmse += d * d / held
	}
	return stdDev, math.Sqrt(rmse)
}

// The map of the whole field is better for it than for going where least is known,
// which is the edge.
func TestVarianceMapsBetter(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	var stdDev, rmse [2]float64
	for seed := range uint64(4) {
		f := plantest.NewWaves(14, false, plantest.Rand(seed))
		for i, reduction := range []bool{false, true} {
			d, e := mapField(t, r, f, false, 14, reduction, 15, seed)
			stdDev[i], rmse[i] = stdDev[i]+d/4, rmse[i]+e/4
		}
	}
	if !(stdDev[1] < 0.9*stdDev[0] && rmse[1] < 0.9*rmse[0]) {
		t.Errorf("largest standard deviation and largest reduction: mean standard deviation %.3f, map error %.3f", stdDev, rmse)
	}
}

// BenchmarkMap compares the two over fields with the hyper-parameters that they have:
// one an iteration.
func BenchmarkMap(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	for _, rough := range []bool{false, true} {
		for _, samples := range []int{10, 30, 60} {
			for _, reduction := range []bool{false, true} {
				b.Run(fmt.Sprintf("rough=%v/samples=%d/reduction=%v", rough, samples, reduction), func(b *testing.B) {
					dev, rmse := 0.0, 0.0
					for seed := range uint64(b.N) {
						d, e := mapField(b, r, plantest.NewWaves(14, rough, plantest.Rand(seed)), rough, 14, reduction, samples, seed)
						dev, rmse = dev+d, rmse+e
					}
					b.ReportMetric(dev/float64(b.N), "stddev")
					b.ReportMetric(rmse/float64(b.N), "rmse")
				})
			}
		}
	}
}
