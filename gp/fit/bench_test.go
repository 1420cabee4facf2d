package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/gp"
)

// BenchmarkLikelihoodGradient is one evaluation at n=300 in the plane.
func BenchmarkLikelihoodGradient(b *testing.B) {
	l := newLikelihood(gp.SquaredExponential, fieldObservations(300, rand.New(rand.NewPCG(1, 2))), 2, false)
	theta := []float64{math.Log(0.015), math.Log(120), math.Log(120), math.Log(0.005)}
	grad := make([]float64, 4)
	b.ReportAllocs()
	for b.Loop() {
		l.eval(grad, theta)
	}
}

// BenchmarkFit is a whole fit with the default configuration.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{30, 100} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { benchmarkFit(b, gp.SquaredExponential, n) })
	}
}

// BenchmarkFitLong is the fit of a long mission: two starts, the observations chosen.
func BenchmarkFitLong(b *testing.B) {
	obs := pathObservations(10000, rand.New(rand.NewPCG(1, 2)))
	cfg := DefaultConfig(120)
	cfg.Isotropic, cfg.Starts = true, 2
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Hyper(obs, fieldHyper, cfg, rand.New(rand.NewPCG(3, 4))); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFitKinds is BenchmarkFit with the kernels that are mixtures, and with a
// choice of all.
func BenchmarkFitKinds(b *testing.B) {
	for _, n := range []int{30, 100} {
		for _, kind := range gp.Kinds()[1:] {
			b.Run(fmt.Sprintf("%v/n=%d", kind, n), func(b *testing.B) { benchmarkFit(b, kind, n) })
		}
		b.Run(fmt.Sprintf("all/n=%d", n), func(b *testing.B) { benchmarkFit(b, gp.SquaredExponential, n, gp.Kinds()...) })
	}
}

func benchmarkFit(b *testing.B, start gp.Kind, n int, tried ...gp.Kind) {
	obs := fieldObservations(n, rand.New(rand.NewPCG(1, 2)))
	cfg := DefaultConfig(120)
	cfg.Kinds = tried
	h := fieldHyper
	h.Kind = start
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Hyper(obs, h, cfg, rand.New(rand.NewPCG(3, 4))); err != nil {
			b.Fatal(err)
		}
	}
}
