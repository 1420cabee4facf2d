// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package covariate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/covariate"
)

func everywhere(x, y float64) bool { return true }

// waves is a raster of 100×80 cells of the given size about (0, 0): rough over some cells, or smooth.
func waves(t *testing.T, cell, length float64) *covariate.Raster {
	t.Helper()
	const width, height = 100, 80
	values := make([]float64, width*height)
	for k := range values {
		x, y := (float64(k%width)-width/2)*cell, (float64(k/width)-height/2)*cell
		values[k] = 7 + 3*math.Sin(x/length)*math.Cos(y/length+0.3) + 2*math.Sin((x+2*y)/length/1.7)
	}
	r, err := covariate.New(-width/2*cell, -height/2*cell, cell, width, values, everywhere)
	must.OK(t, err)
	return r
}

// sampled is the mean of the raster's own values under a normal distribution by a fine even lattice,
// in coordinates whitened by a Cholesky factor, so that it shares nothing with Mean.
func sampled(r *covariate.Raster, x, y float64, cov [3]float64) float64 {
	const n = 300
	l := math.Sqrt(cov[0])
	m := cov[1] / l
	d := math.Sqrt(cov[2] - m*m)
	var sum, weight float64
	for i := -n; i <= n; i++ {
		for j := -n; j <= n; j++ {
			s, t := 5*float64(i)/n, 5*float64(j)/n
			w := math.Exp(-(s*s + t*t) / 2)
			v, _, _ := r.Mean(x+l*s, y+m*s+d*t, [3]float64{})
			sum, weight = sum+w*v, weight+w
		}
	}
	return sum / weight
}

// The quadrature is near the integral for distributions narrower than a cell, of its size, and so
// wide that blocks of cells are read; and the gradient is that of the mean.
func TestMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, length := range []float64{4, 20} { // m, of waves on cells of 2 m
		r := waves(t, 2, length)
		for _, sd := range []float64{0.05, 0.5, 2, 6, 15} {
			worst := 0.
			for range 12 {
				a, b, c := sd*sd*(0.3+rng.Float64()), sd*sd*(0.3+rng.Float64()), 2*rng.Float64()-1
				cov := [3]float64{a, 0.9 * c * math.Sqrt(a*b), b}
				x, y := 60*(2*rng.Float64()-1), 40*(2*rng.Float64()-1)
				got, dx, dy := r.Mean(x, y, cov)
				worst = max(worst, math.Abs(got-sampled(r, x, y, cov)))
				grad := fd.Gradient(nil, func(p []float64) float64 { v, _, _ := r.Mean(p[0], p[1], cov); return v }, []float64{x, y}, &fd.Settings{Formula: fd.Central, Step: 1e-7})
				if math.Hypot(grad[0]-dx, grad[1]-dy) > 1e-6 {
					t.Errorf("waves of %g m, sd %g m at (%g, %g): gradient (%g, %g), want %g", length, sd, x, y, dx, dy, grad)
				}
			}
			if worst > 0.012 {
				t.Errorf("waves of %g m, sd %g m: off by %g standard deviations of the raster", length, sd, worst)
			}
		}
	}
}

// The raster is standardised over the field's cells, has 0 in holes and outside, without a step at
// their edges, and says how much of the field it covers.
func TestHoles(t *testing.T) {
	const width, height = 40, 30
	values := make([]float64, width*height)
	for k := range values {
		values[k] = float64(k % width)
		if k%width >= 20 && k%width < 30 {
			values[k] = math.NaN()
		}
	}
	r, err := covariate.New(0, 0, 1, width, values, func(x, y float64) bool { return x < 30 })
	must.OK(t, err)
	stdDev := math.Sqrt((20*20 - 1) / 12.) // of the integers from 0 to 19
	for _, c := range []struct{ x, want float64 }{{0, -9.5 / stdDev}, {12.5, 3 / stdDev}, {19.5, 9.5 / stdDev}, {25, 0}, {21.5, 0}, {-1.9, -0.1 * 9.5 / stdDev}, {-30, 0}, {1e9, 0}} {
		if got, _, _ := r.Mean(c.x, 15, [3]float64{}); math.Abs(got-c.want) > 0.06 {
			t.Errorf("at x = %g m it is %g, want %g", c.x, got, c.want)
		}
	}
	for x, want := range map[float64]float64{0: 0, 12.5: 12.5, 19.4: 19, 25: math.NaN(), 30: 30, 39: 39, -0.6: math.NaN(), 41: math.NaN(), 1e9: math.NaN()} {
		if got := r.Value(x, 15); math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 0.5 {
			t.Errorf("at x = %g m its own value is %g, want %g", x, got, want)
		}
	}
	before, _, _ := r.Mean(-5, 15, [3]float64{})
	for x := -5.; x < 45; x += 0.01 {
		c, _, _ := r.Mean(x, 15, [3]float64{})
		if math.Abs(c-before) > 0.06 { // the last column is 5.1, and falls to 0 within a metre
			t.Fatalf("a step of %g at x = %g m", c-before, x)
		}
		before = c
	}
	if got, _, _ := r.Mean(math.NaN(), 0, [3]float64{1, 0, 1}); got != 0 {
		t.Errorf("at no place it is %g", got)
	}
	if n := testing.AllocsPerRun(10, func() { r.Mean(10, 10, [3]float64{4, 1, 3}) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestUnusable(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values  []float64
		inField func(x, y float64) bool
		want    error
	}{
		{[]float64{nan, nan, nan, nan}, everywhere, covariate.ErrEmpty},
		{[]float64{1, 2, 3, 4}, func(x, y float64) bool { return false }, covariate.ErrEmpty},
		{[]float64{5, 5, 5, nan}, everywhere, covariate.ErrConstant},
		{[]float64{1, 2, 1, 3}, func(x, y float64) bool { return x == 0 }, covariate.ErrConstant},
	} {
		if _, err := covariate.New(0, 0, 1, 2, c.values, c.inField); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.values, err, c.want)
		}
	}
}

func BenchmarkMean(b *testing.B) {
	values := make([]float64, 1000*1000)
	for k := range values {
		values[k] = math.Sin(float64(k))
	}
	r, err := covariate.New(0, 0, 1, 1000, values, everywhere)
	must.OK(b, err)
	for _, sd := range []float64{0.1, 3} {
		b.Run(map[float64]string{0.1: "narrow", 3: "wide"}[sd], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Mean(500.3, 400.2, [3]float64{sd * sd, 0.3 * sd * sd, sd * sd})
			}
		})
	}
}
