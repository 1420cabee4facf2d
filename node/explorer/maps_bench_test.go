package explorer

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim"
)

// BenchmarkMaps computes the maps of the shipped field, some 200 by 180 cells, from as
// many samples as the exact posterior gets at most by default, and from more, which
// are carried by 512 inducing points.
func BenchmarkMaps(b *testing.B) {
	for _, n := range []int{300, 500, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			e := mapped(b, n)
			for b.Loop() {
				m := e.newMapping()
				if m.run(); m.err != nil {
					b.Fatal(m.err)
				}
			}
		})
	}
}

// mapped is an explorer with a model of n samples of a rough field, from 512 inducing
// points beyond 500.
func mapped(tb testing.TB, n int) *Explorer {
	tb.Helper()
	cfg := DefaultConfig()
	cfg.MapCell = 5

	region, err := planner.NewRegion(planner.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}, cfg.Field.Margin)
	if err != nil {
		tb.Fatal(err)
	}
	m, err := newModel(&cfg, region)
	if err != nil {
		tb.Fatal(err)
	}
	limits := gp.DefaultSparseConfig()
	limits.Tolerance = 1e-6 // all inducing points are placed
	m.posterior, err = gp.NewSparse(gp.Hyper{Kind: gp.SquaredExponential, SignalVariance: 1, LengthScales: []float64{40, 40}, NoiseVariance: 0.1}, limits)
	if err != nil {
		tb.Fatal(err)
	}
	rng := random(1, 0, 0)
	x := region.Points(n, rng)
	samples := make([]gp.Observation, n)
	for i := range samples {
		at := x.RawRowView(i)
		samples[i] = gp.Observation{
			Belief: gp.Belief{Mean: at, Cov: mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1})},
			Value:  math.Sin(at[0]/60) + math.Cos(at[1]/80) + 0.3*rng.NormFloat64(),
		}
	}
	if err := m.posterior.AddAll(samples); err != nil {
		tb.Fatal(err)
	}
	return &Explorer{cfg: &cfg, region: region, model: m}
}
