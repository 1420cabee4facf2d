package planner_test

import (
	"fmt"
	"runtime"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim/rig/fieldtest"
	"ugp_explorer/sim/rig/plantest"
)

// alike returns a model of the same observations under another kernel, and other
// length-scales by the given factor.
func alike(tb testing.TB, model *gp.GP, kind gp.Kind, factor float64) *gp.GP {
	tb.Helper()
	h := model.Hyper()
	h.Kind = kind
	for i := range h.LengthScales {
		h.LengthScales[i] *= factor
	}
	out, err := gp.New(h)
	if err != nil {
		tb.Fatal(err)
	}
	if err := out.AddAll(model.Observations()); err != nil {
		tb.Fatal(err)
	}
	return out
}

// benchmarkAfresh lets a strategy decide on two models in turn whose kernels differ, as
// after a fit: nothing that it remembers is of use.
func benchmarkAfresh(b *testing.B, s planner.Strategy, q planner.Request, models ...*gp.GP) {
	for _, q.Model = range models {
		if _, err := s.Next(q); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q.Model = models[i%len(models)]
		if _, err := s.Next(q); err != nil {
			b.Fatal(err)
		}
	}
}

// One decision after a fit: 1000 starts in a field of 40 vertices with two keep-outs,
// the best five refined.
func BenchmarkDecision(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	for _, n := range []int{30, 100, 1000} {
		for _, kind := range gp.Kinds() {
			b.Run(fmt.Sprintf("%v/n=%d", kind, n), func(b *testing.B) {
				like := plantest.Model(b, r, n, 1)
				model := alike(b, like, kind, 1)
				benchmarkAfresh(b, mustStrategy(b, "ugp-ucb", r, planner.DefaultStrategyConfig()), request(model, 1), model, alike(b, like, kind, 1.01))
			})
		}
	}
}

// The same decision after one more observation under the same hyper-parameters, with
// the copying and growing of the posterior.
func BenchmarkGrow(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	h := plantest.Hyper
	for _, h.Kind = range gp.Kinds() {
		for _, n := range []int{30, 100, 1000} {
			b.Run(fmt.Sprintf("%v/n=%d", h.Kind, n), func(b *testing.B) {
				const steps = 32 // from n-16 to n+16 observations, again and again
				obs := plantest.Data(r, n+steps/2, 1)
				start, err := gp.New(h)
				if err != nil {
					b.Fatal(err)
				}
				if err := start.AddAll(obs[:n-steps/2]); err != nil {
					b.Fatal(err)
				}
				s, model, q := mustStrategy(b, "ugp-ucb", r, planner.DefaultStrategyConfig()), start, request(start, 1)
				next := func() {
					q.Model = model
					if _, err := s.Next(q); err != nil {
						b.Fatal(err)
					}
				}
				next()
				b.ReportAllocs()
				for b.Loop() {
					if model.Len() == len(obs) {
						b.StopTimer()
						model = start
						next()
						b.StartTimer()
					}
					model = model.Clone()
					if err := model.Add(obs[model.Len()]); err != nil {
						b.Fatal(err)
					}
					next()
				}
			})
		}
	}
}

// The same decision with 10,000 observations, right after one more of them, as the
// explorer takes it: the posterior copied and grown, the best target so far, the next.
func BenchmarkLongMission(b *testing.B) {
	const n, steps = 10000, 32 // after which it begins again
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	obs := plantest.Data(r, n+steps, 1)
	targets := make([][]float64, len(obs))
	for i, o := range obs {
		targets[i] = o.Belief.Mean
	}
	for _, kind := range []gp.Kind{gp.SquaredExponential, gp.Matern32} {
		b.Run(kind.String(), func(b *testing.B) {
			h := plantest.Hyper
			h.Kind = kind
			known, err := gp.NewSparse(h, gp.DefaultSparseConfig())
			if err != nil {
				b.Fatal(err)
			}
			if err := known.AddAll(obs[:n]); err != nil {
				b.Fatal(err)
			}
			s, model := mustStrategy(b, "ugp-ucb", r, planner.DefaultStrategyConfig()), known
			b.ReportAllocs()
			for b.Loop() {
				if model.Len() == len(obs) {
					model = known
				}
				model = model.Clone()
				if err := model.Add(obs[model.Len()]); err != nil {
					b.Fatal(err)
				}
				if _, err := s.Recommend(planner.Inquiry{Model: model, Execution: plantest.Execution, Targets: targets[:model.Len()], Rng: plantest.Rand(1)}); err != nil {
					b.Fatal(err)
				}
				if _, err := s.Next(request(model, 1)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(known.Inducing()), "points")
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapAlloc)/1e6, "heap-MB") // of the test's own observations too
			runtime.KeepAlive(s)
		})
	}
}
