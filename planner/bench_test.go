// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"fmt"
	"runtime"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
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
	must.OK(tb, err)
	must.OK(tb, out.AddAll(model.Observations()))
	return out
}

// One decision: 1000 starts in a field of 40 vertices with two keep-outs, the best five refined.
// 500 observations are the most with an exact posterior.
func BenchmarkDecision(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	for _, n := range []int{30, 100, 500} {
		for _, kind := range gp.Kinds() {
			b.Run(fmt.Sprintf("%v/n=%d", kind, n), func(b *testing.B) {
				s, q := mustStrategy(b, "ugp-ucb", r, planner.DefaultStrategyConfig()), request(alike(b, plantest.Model(b, r, n, 1), kind, 1), 1)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.Next(q); err != nil {
						b.Fatal(err)
					}
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
			must.OK(b, err)
			must.OK(b, known.AddAll(obs[:n]))
			s, model := mustStrategy(b, "ugp-ucb", r, planner.DefaultStrategyConfig()), known
			b.ReportAllocs()
			for b.Loop() {
				if model.Len() == len(obs) {
					model = known
				}
				model = model.Clone()
				must.OK(b, model.Add(obs[model.Len()]))
				if _, err := s.Recommend(planner.RecommendRequest{Model: model, Execution: plantest.Execution, Targets: targets[:model.Len()], Rng: plantest.Rand(1)}); err != nil {
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
