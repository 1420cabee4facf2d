package explorer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
)

// BenchmarkMaps computes the maps of the shipped field, 28,310 cells of 5 m: from 300
// samples, from the most that keep the exact posterior by default, and from more, which
// are carried by inducing points, some 340 of them.
func BenchmarkMaps(b *testing.B) {
	for _, c := range []struct {
		kind   gp.Kind
		length float64 // m
		n      int
	}{{gp.SquaredExponential, 80, 300}, {gp.SquaredExponential, 80, 500}, {gp.SquaredExponential, 80, 1000}, {gp.Matern32, 60, 1000}} {
		b.Run(fmt.Sprintf("%v/n=%d", c.kind, c.n), func(b *testing.B) {
			m := sampled(b, c.kind, c.length, c.n)
			for b.Loop() {
				m := m
				if m.run(); m.err != nil {
					b.Fatal(m.err)
				}
			}
			b.ReportMetric(float64(m.mixture[0].Model.Inducing()), "points")
		})
	}
}

// sampled is a mapping that has yet to run, of a model of n samples.
func sampled(tb testing.TB, kind gp.Kind, length float64, n int) mapping {
	tb.Helper()
	region, err := field.NewRegion(field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}, 2)
	if err != nil {
		tb.Fatal(err)
	}
	posterior, err := gp.NewSparse(gp.Hyper{Kind: kind, SignalVariance: 1, LengthScales: []float64{length, length}, NoiseVariance: 0.1}, gp.DefaultSparseConfig())
	if err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	x := region.Points(n, rng)
	samples := make([]gp.Observation, n)
	for i := range samples {
		at := x.RawRowView(i)
		samples[i] = gp.Observation{
			Belief: gp.Belief{Mean: at, Cov: mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1})},
			Value:  math.Sin(at[0]/60) + math.Cos(at[1]/80) + 0.3*rng.NormFloat64(),
		}
	}
	if err := posterior.AddAll(samples); err != nil {
		tb.Fatal(err)
	}
	grid, err := newMapGrid(region, 5)
	if err != nil {
		tb.Fatal(err)
	}
	return mapping{
		region: region, grid: grid, mixture: fit.Mixture{{Model: posterior, Weight: 1}}, queryCov: mat.NewSymDense(2, []float64{1, 0, 0, 1}),
		beta: 3, merit: planner.ObjectiveMaximum.Merit(0),
	}
}
