// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// fieldHyper is for the synthetic field of the benchmarks, in metres.
var fieldHyper = Hyper{SignalVariance: 0.015, LengthScales: []float64{120, 120}, NoiseVariance: 0.005, Mean: 1.4, MeanStdDev: 1.2}

func mustGP(tb testing.TB, h Hyper, obs []Observation) *GP {
	tb.Helper()
	g, err := New(h)
	must.OK(tb, err)
	must.OK(tb, g.AddAll(obs))
	return g
}

// BenchmarkGrow is one observation more and then the posterior at 1000 places.
func BenchmarkGrow(b *testing.B) {
	for _, q := range []int{0, 1, 3} { // covariates
		for _, kind := range []Kind{SquaredExponential, Matern32} {
			h := fieldHyper
			if q > 0 {
				h = withWaves(gptest.Rand(1), h, q)
			}
			h.Kind = kind
			for _, n := range []int{30, 100, 500} {
				b.Run(fmt.Sprintf("%v/covariates=%d/n=%d", kind, q, n), func(b *testing.B) {
					rng := rand.New(rand.NewPCG(1, 2))
					obs := fieldObservations(n, rng)
					x := mat.NewDense(1000, 2, nil)
					for i := range 1000 {
						gptest.RandomInField(rng, x.RawRowView(i))
					}
					known := mustGP(b, h, obs[:n-1])
					mean, variance := make([]float64, 1000), make([]float64, 1000)
					b.ReportAllocs()
					for b.Loop() {
						g := known.Clone()
						must.OK(b, g.Add(obs[n-1]))
						mustPredictor(b, g, mat.NewSymDense(2, []float64{4, 0, 0, 4})).PredictBatch(mean, variance, x)
					}
				})
			}
		}
	}
}

// BenchmarkPredict is the posterior at 1000 places, all known.
func BenchmarkPredict(b *testing.B) {
	for _, kind := range []Kind{SquaredExponential, Matern52} {
		for _, n := range []int{100, 500} {
			b.Run(fmt.Sprintf("%v/n=%d", kind, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				h := fieldHyper
				h.Kind = kind
				obs, x := fieldObservations(n, rng), mat.NewDense(1000, 2, nil)
				for i := range 1000 {
					gptest.RandomInField(rng, x.RawRowView(i))
				}
				p, mean, variance := mustPredictor(b, mustGP(b, h, obs), nil), make([]float64, 1000), make([]float64, 1000)
				b.ReportAllocs()
				for b.Loop() {
					p.PredictBatch(mean, variance, x)
				}
			})
		}
	}
}

// BenchmarkSparse is a long mission: 10,000 observations along a path, one more, the
// posterior made ready for predictions after one more, and all of them added
// again, as other hyper-parameters want it. longest-ms is the slowest of the
// observations one by one, heap-MB what they and the posterior hold on to.
func BenchmarkSparse(b *testing.B) {
	obs := pathObservations(10000, rand.New(rand.NewPCG(1, 2)))
	for _, kind := range []Kind{SquaredExponential, Matern32} {
		h := fieldHyper
		h.Kind = kind
		before := heap()
		g := mustSparse(b, h, DefaultSparseConfig(), nil)
		longest := time.Duration(0)
		for _, o := range obs {
			start := time.Now()
			must.OK(b, g.Add(o))
			longest = max(longest, time.Since(start))
		}
		g.settle()
		held := heap() - before
		b.Run(fmt.Sprintf("%v/add", kind), func(b *testing.B) {
			c := g.Clone()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				must.OK(b, c.Add(obs[i%len(obs)]))
			}
			b.ReportMetric(longest.Seconds()*1e3, "longest-ms")
			b.ReportMetric(held/1e6, "heap-MB")
			b.ReportMetric(float64(g.Inducing()), "points")
		})
		b.Run(fmt.Sprintf("%v/settle", kind), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.sparse.settled = false
				g.settle()
			}
		})
		b.Run(fmt.Sprintf("%v/rebuild", kind), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustSparse(b, h, DefaultSparseConfig(), obs)
			}
		})
	}
}

// BenchmarkSparseAccuracy adds 3000 observations along a path one by one and says how
// far the posterior is from the exact one: the mean in the exact standard deviations, worst
// and root mean square, and the standard deviation. The last one has too few points for the
// tolerance.
func BenchmarkSparseAccuracy(b *testing.B) {
	obs := pathObservations(3000, rand.New(rand.NewPCG(1, 2)))
	cfg := DefaultSparseConfig()
	for i, kind := range append(Kinds(), Matern32) {
		if i == len(Kinds()) {
			cfg.MaxInducing /= 2
		}
		b.Run(fmt.Sprintf("%v/most=%d", kind, cfg.MaxInducing), func(b *testing.B) {
			h := fieldHyper
			h.Kind = kind
			exact, g := mustGP(b, h, obs), (*GP)(nil)
			for b.Loop() {
				g = mustSparse(b, h, cfg, nil)
				for _, o := range obs {
					must.OK(b, g.Add(o))
				}
			}
			worst, rms, worstLog := compare(b, g, exact, rand.New(rand.NewPCG(3, 4)))
			b.ReportMetric(worst, "mean-worst-σ")
			b.ReportMetric(rms, "mean-rms-σ")
			b.ReportMetric(100*worstLog, "σ-worst-%")
			b.ReportMetric(float64(g.Inducing()), "points")
			b.ReportMetric(g.sparse.tolerance, "tolerance")
		})
	}
}

// heap returns the bytes in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// fieldObservations returns n observations, scattered over the field of the benchmarks.
func fieldObservations(n int, rng *rand.Rand) []Observation {
	return observed(gptest.Samples(n, rng))
}

func observed(list []gptest.Sample) (obs []Observation) {
	for _, s := range list {
		obs = append(obs, Observation{Belief: Belief{Mean: s.Mean, Cov: s.Cov}, Value: s.Value})
	}
	return obs
}
