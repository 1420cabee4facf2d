package planner_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
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
		model := plantest.Model(b, r, n, 1)
		for _, mode := range []string{"plain", "travel", "range"} {
			b.Run(fmt.Sprintf("n=%d/%s", n, mode), func(b *testing.B) {
				cfg := planner.DefaultStrategyConfig()
				q := request(model, 1)
				if mode == "travel" {
					q.Price = 0.01
				}
				if mode == "range" {
					q.Reach.Range, q.Reach.Home = 150, []float64{15, 50}
				}
				benchmarkAfresh(b, mustStrategy(b, "ugp-ucb", r, cfg), q, model, alike(b, model, gp.SquaredExponential, 1.01))
			})
		}
	}
}

// The same decision after one more observation under the same hyper-parameters, with
// the copying and growing of the posterior, and without refining.
func BenchmarkGrow(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	decide := func(name string, kind gp.Kind, n int, mode string, change func(*acquire.SearchConfig)) {
		b.Run(fmt.Sprintf("%s/%v/n=%d/%s", name, kind, n, mode), func(b *testing.B) {
			const steps = 32 // from n-16 to n+16 observations, again and again
			obs := plantest.Data(r, n+steps/2, 1)
			h := plantest.Hyper
			h.Kind = kind
			start, err := gp.New(h)
			if err != nil {
				b.Fatal(err)
			}
			if err := start.AddAll(obs[:n-steps/2]); err != nil {
				b.Fatal(err)
			}
			cfg := planner.DefaultStrategyConfig()
			change(&cfg.Search)
			s, model, q := mustStrategy(b, name, r, cfg), start, request(start, 1)
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
	refined, compared := func(*acquire.SearchConfig) {}, func(c *acquire.SearchConfig) { c.Refine, c.MaxEvaluations = 1, 1 }
	for _, n := range []int{30, 100, 400, 1000} {
		for _, kind := range gp.Kinds() {
			decide("ugp-ucb", kind, n, "refined", refined)
			decide("ugp-ucb", kind, n, "compared", compared)
		}
		decide("ei", gp.SquaredExponential, n, "refined", refined)
		decide("uei", gp.SquaredExponential, n, "refined", refined)
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

// BenchmarkDecisionKinds is BenchmarkDecision with kernels that are mixtures, and for
// strategies of another acquisition.
func BenchmarkDecisionKinds(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	decide := func(name string, kind gp.Kind, n int) {
		b.Run(fmt.Sprintf("%s/%v/n=%d", name, kind, n), func(b *testing.B) {
			like := plantest.Model(b, r, n, 1)
			model := alike(b, like, kind, 1)
			benchmarkAfresh(b, mustStrategy(b, name, r, planner.DefaultStrategyConfig()), request(model, 1), model, alike(b, like, kind, 1.01))
		})
	}
	for _, n := range []int{30, 100, 1000} {
		for _, kind := range gp.Kinds()[1:] {
			decide("ugp-ucb", kind, n)
		}
		decide("ei", gp.SquaredExponential, n)
		decide("uei", gp.SquaredExponential, n)
	}
}

func BenchmarkRegionContains(b *testing.B) {
	for _, n := range []int{40, 400} {
		f := fieldtest.Star()
		if n != 40 {
			f.Boundary[0] = roundedStar(n)
		}
		r := fieldtest.Region(b, f, 2)
		points := r.Points(256, plantest.Rand(1))
		b.Run(fmt.Sprintf("edges=%d", n+13), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if !r.Contains(points.RawRowView(i & 255)) {
					b.Fatal("outside")
				}
				i++
			}
		})
	}
}

// roundedStar is an outline of n vertices.
func roundedStar(n int) orb.Ring {
	ring := make(orb.Ring, n)
	for i := range ring {
		a := 2 * math.Pi * float64(i) / float64(n)
		radius := 50 + 8*math.Sin(3*a) + 4*math.Cos(7*a+1) + 2*math.Sin(13*a)
		ring[i] = orb.Point{60 + 1.2*radius*math.Cos(a), 50 + radius*math.Sin(a)}
	}
	return ring
}

func BenchmarkPath(b *testing.B) {
	r := fieldtest.Region(b, fieldtest.Star(), 2)
	points := r.Points(256, plantest.Rand(1))
	b.Run("path", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			if _, _, err := r.Path(orb.Point{20, 60}, orb.Point(points.RawRowView(i&255))); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
	b.Run("length", func(b *testing.B) {
		d := r.NewDistanceField()
		d.From([]float64{20, 60})
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			if l := d.Length(points.RawRowView(i & 255)); math.IsInf(l, 1) {
				b.Fatal("no path")
			}
			i++
		}
	})
}

func BenchmarkNewRegion(b *testing.B) {
	for _, n := range []int{40, 400} {
		f := fieldtest.Star()
		if n != 40 {
			f.Boundary[0] = roundedStar(n)
		}
		b.Run(fmt.Sprintf("edges=%d", n+13), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := field.NewRegion(f, 2); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
