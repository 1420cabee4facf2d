// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner/field"
)

// The greedy gain is the log determinant of what was chosen: no set of places
// drawn at random tells more.
func TestMaximumGain(t *testing.T) {
	b, err := field.NewBox([]float64{0, 0}, []float64{40, 40})
	must.OK(t, err)
	hyper := gp.Hyper{SignalVariance: 2, LengthScales: []float64{9, 7}, NoiseVariance: 0.04}
	for _, cov := range []*mat.SymDense{nil, plantest.Execution} {
		g := NewMaximumGain(b, 400, cov, hyper, plantest.Rand(1))
		model, err := gp.New(hyper)
		must.OK(t, err)
		// A first observation anywhere tells ½ log(1 + k̂/λ).
		belief := gp.Belief{Mean: []float64{3, 4}, Cov: cov}
		if got, want := g.after(1), 0.5*math.Log(1+hyper.Kernel().Cov(belief, belief)/0.04); g.after(0) != 0 || math.Abs(got-want) > 1e-12 {
			t.Errorf("γ_0 is %g, γ_1 is %g, want 0 and %g", g.after(0), got, want)
		}
		rng := plantest.Rand(2)
		last := 0.0
		for n := 1; n <= 30; n++ {
			x := []float64{40 * rng.Float64(), 40 * rng.Float64()}
			must.OK(t, model.Add(gp.Observation{Belief: gp.Belief{Mean: x, Cov: cov}, Value: 1}))
			got := g.after(n)
			if got < model.InformationGain() || got <= last {
				t.Errorf("γ_%d is %g, but observations at random tell %g and γ_%d is %g", n, got, model.InformationGain(), n-1, last)
			}
			last = got
		}
	}
}

// Both theorems, written out on two observations so far apart that each tells
// ½ log(1 + σ_f²/λ), and a share of one.
func TestTheoremOfTheMaximumGain(t *testing.T) {
	b, err := field.NewBox([]float64{0}, []float64{1000})
	must.OK(t, err)
	hyper := gp.Hyper{SignalVariance: 4, LengthScales: []float64{1}, NoiseVariance: 0.5}
	g := NewMaximumGain(b, 200, nil, hyper, plantest.Rand(1))
	model, err := gp.New(hyper)
	must.OK(t, err)
	for range 2 { // the model's own are at one place, and tell less: ½ log(1 + 2·8)
		must.OK(t, model.Add(gp.Observation{Belief: gp.Point(5), Value: 1}))
	}
	own := Theorem{Share: 1, Bound: 1.5, ExecutionStdDev: 0.3, ObservationStdDev: 0.4, Delta: 0.4}
	most := own
	most.Maximum = g
	tenth := most
	tenth.Share = 0.1
	beta := func(gain float64) float64 { return 1.5 + 0.25*math.Sqrt(2*(gain+1+math.Log(2.5))) }
	for _, tt := range []struct {
		name     string
		schedule Theorem
		want     float64
	}{
		{"thr:main", own, beta(0.5 * math.Log(17))},
		{"thr:bo", most, beta(math.Log(9))},
		{"a tenth", tenth, 0.1 * beta(math.Log(9))},
	} {
		if got := tt.schedule.Beta(2, model); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: β is %.12g, want %.12g", tt.name, got, tt.want)
		}
	}
}

// Proposition ig-iid: with the same places, beliefs of one covariance tell no more
// than points do, whatever the covariance.
func TestBeliefsTellLess(t *testing.T) {
	rng := plantest.Rand(4)
	for range 50 {
		a, c := 20*rng.Float64(), 20*rng.Float64()
		b := (2*rng.Float64() - 1) * math.Sqrt(a*c)
		gains := [2]float64{}
		points := make([][]float64, 1+rng.IntN(40))
		for i := range points {
			points[i] = []float64{40 * rng.Float64(), 40 * rng.Float64()}
		}
		for i, cov := range []*mat.SymDense{nil, mat.NewSymDense(2, []float64{a, b, b, c})} {
			model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{6, 4}, NoiseVariance: 0.05})
			must.OK(t, err)
			for _, x := range points {
				must.OK(t, model.Add(gp.Observation{Belief: gp.Belief{Mean: x, Cov: cov}, Value: 1}))
			}
			gains[i] = model.InformationGain()
		}
		if gains[1] > gains[0] {
			t.Errorf("%d beliefs of covariance %g, %g, %g tell %g, points %g", len(points), a, b, c, gains[1], gains[0])
		}
	}
}
