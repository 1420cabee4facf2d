// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// limboFunction is one of the functions of limbo's benchmark (Cully, Chatzilygeroudis,
// Allocati and Mouret, JOSS 2018), over the unit cube and to be minimised. The
// optimum is where limbo's sources state it, and its accuracy is the difference
// from the value there.
type limboFunction struct {
	name    string
	dim     int
	at      func(x []float64) float64
	optimum []float64
}

var limboFunctions = []limboFunction{
	{"branin", 2, func(x []float64) float64 {
		u, v := 15*x[0]-5, 15*x[1]
		return (sq(v-5.1*u*u/(4*math.Pi*math.Pi)+5*u/math.Pi-6) + (10-10/(8*math.Pi))*math.Cos(u) - 44.81) / 51.95
	}, []float64{(math.Pi + 5) / 15, 2.275 / 15}},
	{"hartmann3", 3, func(x []float64) float64 {
		return hartmann(x, [][]float64{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}}, [][]float64{
			{0.3689, 0.1170, 0.2673}, {0.4699, 0.4387, 0.7470}, {0.1091, 0.8732, 0.5547}, {0.0381, 0.5743, 0.8828},
		})
	}, []float64{0.114614, 0.555649, 0.852547}},
	{"hartmann6", 6, func(x []float64) float64 {
		return hartmann(x, [][]float64{
			{10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14},
		}, [][]float64{
			{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886}, {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
			{0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650}, {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381},
		})
	}, []float64{0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573}},
	{"rastrigin", 4, func(x []float64) float64 {
		f := 10 * float64(len(x))
		for _, v := range x {
			v = 2*v - 1
			f += v*v - 10*math.Cos(2*math.Pi*v)
		}
		return f
	}, []float64{0.5, 0.5, 0.5, 0.5}},
	{"sphere", 2, func(x []float64) float64 { return sq(x[0]-0.5) + sq(x[1]-0.5) }, []float64{0.5, 0.5}},
	{"ellipsoid", 2, func(x []float64) float64 { return sq(oscillated(x[0]-0.5)) + 10*sq(oscillated(x[1]-0.5)) + 2 }, []float64{0.5, 0.5}},
	{"goldsteinprice", 2, func(x []float64) float64 {
		u, v := 4*x[0]-2, 4*x[1]-2
		a := 1 + sq(u+v+1)*(19-14*u+3*u*u-14*v+6*u*v+3*v*v)
		b := 30 + sq(2*u-3*v)*(18-32*u+12*u*u+48*v-36*u*v+27*v*v)
		return (math.Log(a*b) - 8.693) / 2.427
	}, []float64{0.5, 0.25}},
	{"sixhumpcamel", 2, func(x []float64) float64 {
		u, v := 6*x[0]-3, 4*x[1]-2
		return (4-2.1*u*u+u*u*u*u/3)*u*u + u*v + (4*v*v-4)*v*v
	}, []float64{(0.0898 + 3) / 6, (-0.7126 + 2) / 4}},
}

func sq(v float64) float64 { return v * v }

// hartmann is minus the sum of four Gaussian bumps with shapes a around p.
func hartmann(x []float64, a, p [][]float64) float64 {
	f := 0.0
	for i, height := range [...]float64{1, 1.2, 3, 3.2} {
		s := 0.0
		for j, v := range x {
			s += a[i][j] * sq(v-p[i][j])
		}
		f -= height * math.Exp(-s)
	}
	return f
}

// oscillated is limbo's reading of the oscillation of Hansen et al. (INRIA
// RR-6829, 2009, T_osz): the first sine alone has the factor 0.049.
func oscillated(v float64) float64 {
	if v == 0 {
		return 0
	}
	c1, c2, log := 5.5, 3.1, math.Log(math.Abs(v))
	if v > 0 {
		c1, c2 = 10, 7.9
	}
	return math.Copysign(math.Exp(log+0.049*math.Sin(c1*log)+math.Sin(c2*log)), v)
}

const (
	limboInitial     = 10  // random evaluations
	limboEvaluations = 190 // chosen ones
	limboFitEvery    = 50  // of these
)

// minimise follows limbo's protocol with a plain Gaussian process of the squared
// exponential kernel and returns the smallest value seen. The settings are the same for all functions: β = 1, 15 starts and
// the best place so far, one ascent of at most 8 evaluations, one search of 4
// evaluations for a fit, a noise variance of 1e-10 as in limbo, but relative to the
// signal's.
//
// The model sees values through a logarithm, w = -log(1 + (b - y)/s) for y = -f
// below the best b of the random ones, with s 0.3 of the distance from there to their
// median, and (y - b)/s above: what is bad is told apart less finely. A
// function that rises steeply at the edge of its box would else leave the
// arithmetic no digits for its valley.
func (f *limboFunction) minimise(tb testing.TB, seed uint64) float64 {
	rng := plantest.Rand(seed)
	lo, hi := make([]float64, f.dim), make([]float64, f.dim)
	for i := range hi {
		hi[i] = 1
	}
	box, err := field.NewBox(lo, hi)
	must.OK(tb, err)
	cfg := planner.DefaultStrategyConfig()
	cfg.Beta = planner.Fixed(1)
	cfg.Search = acquire.SearchConfig{Starts: 15, Refine: 1, MaxEvaluations: 8, Tolerance: 1e-4}
	s := mustStrategy(tb, "gp-ucb", box, cfg)
	learning := fit.DefaultConfig(0.3)
	learning.Starts, learning.MaxEvaluations = 1, 4
	learning.SignalVariance = fit.Prior{Median: 1, LogStdDev: 2, Min: 1e-3, Max: 1e4}
	learning.NoiseVariance = fit.Prior{Median: 1e-10, LogStdDev: 1, Min: 1e-11, Max: 1e-8}

	random := make([][]float64, limboInitial)
	y := make([]float64, limboInitial)
	best, at := math.Inf(1), []float64(nil)
	evaluate := func(x []float64) float64 {
		v := f.at(x)
		if v < best {
			best, at = v, x
		}
		return -v
	}
	for i := range random {
		random[i] = make([]float64, f.dim)
		for k := range random[i] {
			random[i][k] = rng.Float64()
		}
		y[i] = evaluate(random[i])
	}
	sorted := slices.Sorted(slices.Values(y))
	top := sorted[limboInitial-1]
	scale := 0.3 * (top - (sorted[(limboInitial-1)/2]+sorted[limboInitial/2])/2)
	warp := func(y float64) float64 {
		if y > top {
			return (y - top) / scale
		}
		return -math.Log1p((top - y) / scale)
	}
	obs := make([]gp.Observation, limboInitial)
	h := gp.Hyper{LengthScales: make([]float64, f.dim)}
	for i := range h.LengthScales {
		h.LengthScales[i] = 0.3
	}
	for i, v := range y {
		obs[i] = gp.Observation{Belief: gp.Point(random[i]...), Value: warp(v)}
		h.Mean += obs[i].Value / limboInitial
	}
	for _, o := range obs {
		h.SignalVariance += sq(o.Value-h.Mean) / (limboInitial - 1)
	}
	h.NoiseVariance = 1e-10 * h.SignalVariance

	model := conditioned(tb, &h, obs)
	for n := range limboEvaluations {
		t, err := s.Next(planner.Request{Model: model, Step: n, Robot: at, Reach: acquire.Anywhere(), Starts: [][]float64{at}, Rng: rng})
		must.OK(tb, err)
		obs = append(obs, gp.Observation{Belief: gp.Point(t.X...), Value: warp(evaluate(t.X))})
		if (n+1)%limboFitEvery == 0 {
			if h, err = fit.Hyper(obs, h, learning, rng); err != nil {
				tb.Fatal(err)
			}
			model = conditioned(tb, &h, obs)
		} else if err := model.Add(obs[len(obs)-1]); err != nil {
			h.NoiseVariance *= 10
			model = conditioned(tb, &h, obs)
		}
	}
	return best
}

// conditioned returns the posterior of obs under h, whose noise it multiplies by
// ten as often as it takes to be well-conditioned.
func conditioned(tb testing.TB, h *gp.Hyper, obs []gp.Observation) *gp.GP {
	for {
		model, err := gp.New(*h)
		must.OK(tb, err)
		var ill *gp.IllConditionedError
		if err = model.AddAll(obs); err == nil {
			return model
		} else if !errors.As(err, &ill) {
			tb.Fatal(err)
		}
		h.NoiseVariance *= 10
	}
}

// TestLimboFunctions: at the stated optima are the minima that the literature has
// (Surjanovic and Bingham's library of test functions), after limbo's scaling and
// without Branin's constant of 10, which limbo leaves out, and no random place is lower than that by more than the digits of the stated optima.
func TestLimboFunctions(t *testing.T) {
	minima := map[string]float64{
		"branin": (0.397887 - 10 - 44.81) / 51.95, "hartmann3": -3.86278, "hartmann6": -3.32237, "rastrigin": 0,
		"sphere": 0, "ellipsoid": 2, "goldsteinprice": (math.Log(3) - 8.693) / 2.427, "sixhumpcamel": -1.0316285,
	}
	rng := plantest.Rand(70)
	for _, f := range limboFunctions {
		least := f.at(f.optimum)
		if want := minima[f.name]; math.Abs(least-want) > 1e-5 {
			t.Errorf("%s is %.9g at its optimum, want %.9g", f.name, least, want)
		}
		x := make([]float64, f.dim)
		for range 10_000 {
			for i := range x {
				x[i] = rng.Float64()
			}
			if v := f.at(x); v < least-1e-6 {
				t.Errorf("%s is %.9g at %v, less than %.9g at its optimum", f.name, v, x, least)
			}
		}
	}
}

// TestLimbo: the benchmark's loop comes close to an optimum.
func TestLimbo(t *testing.T) {
	f := limboFunctions[0]
	if off := f.minimise(t, 1) - f.at(f.optimum); math.Abs(off) > 1e-5 {
		t.Errorf("%s: %g off the optimum", f.name, off)
	}
}
