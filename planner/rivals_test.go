// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/experiment/paper"
)

// What a sample enters the model as, and what it is off by.
func TestSampleForms(t *testing.T) {
	located := gp.Belief{Mean: []float64{1, 2}, Cov: mat.NewSymDense(2, []float64{1, 0, 0, 2})}
	target := []float64{3, 4}
	for form, want := range map[planner.SampleForm]struct {
		mean     []float64
		cov, off *mat.SymDense
		points   bool
	}{
		planner.FormBelief:       {located.Mean, located.Cov, located.Cov, false},
		planner.FormTargetBelief: {target, plantest.Execution, plantest.Execution, false},
		planner.FormTarget:       {target, nil, plantest.Execution, true},
		planner.FormMean:         {located.Mean, nil, located.Cov, true},
	} {
		b := form.Input(located, target, plantest.Execution)
		if !slices.Equal(b.Mean, want.mean) || b.Cov != want.cov || form.TruePlaceCov(located, plantest.Execution) != want.off || form.Points() != want.points {
			t.Errorf("%v: %+v, off by %v, points %v", form, b, form.TruePlaceCov(located, plantest.Execution), form.Points())
		}
		if cov := form.QueryCov(plantest.Execution); (cov == nil) != want.points || cov != nil && cov != plantest.Execution {
			t.Errorf("%v: judged by %v", form, cov)
		}
	}
}

// Each rival goes where its own acquisition, computed from the model's posterior
// alone, is no larger on a grid.
func TestRivalsMaximiseTheirAcquisition(t *testing.T) {
	b, err := field.NewBox([]float64{0, 0}, []float64{60, 60})
	must.OK(t, err)
	// The data are points with repeated places and noisy values, among which the
	// largest is far above the field's maximum: the incumbents differ.
	model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{9, 9}, NoiseVariance: 0.09})
	must.OK(t, err)
	points := b.Points(25, plantest.Rand(3))
	for i := range 25 {
		x := points.RawRowView(i)
		y := plantest.Bumps(x)
		if i == 7 {
			y = 4
		}
		must.OK(t, model.Add(gp.Observation{Belief: gp.Point(x...), Value: y}))
	}
	noise := mat.NewSymDense(2, []float64{16, 0, 0, 16})
	unscented := func(f func(x, y float64) float64) func(x, y float64) float64 {
		a := 4 * math.Sqrt(3) // κ = 1
		return func(x, y float64) float64 {
			return f(x, y)/3 + (f(x+a, y)+f(x-a, y)+f(x, y+a)+f(x, y-a))/6
		}
	}
	mean := func(x, y float64) float64 {
		m, _ := model.Posterior(gp.Point(x, y))
		return m
	}
	best := func(f func(x, y float64) float64) float64 {
		top := math.Inf(-1)
		for _, o := range model.Observations() {
			top = max(top, f(o.Belief.Mean[0], o.Belief.Mean[1]))
		}
		return top
	}
	ei := func(incumbent float64) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			m, v := model.Posterior(gp.Point(x, y))
			s := math.Sqrt(v)
			z := (m - incumbent) / s
			return (m-incumbent)*0.5*math.Erfc(-z/math.Sqrt2) + s*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
		}
	}
	ucb := func(cov *mat.SymDense) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			m, v := model.Posterior(gp.Belief{Mean: []float64{x, y}, Cov: cov})
			return m + 2*math.Sqrt(v)
		}
	}
	observed := math.Inf(-1)
	for _, o := range model.Observations() {
		observed = max(observed, o.Value)
	}
	if incumbent := best(unscented(mean)); observed < incumbent+0.5 || math.Abs(best(mean)-incumbent) < 0.05 {
		t.Fatalf("incumbents %g, %g and %g do not differ", observed, incumbent, best(mean))
	}
	for name, h := range map[string]func(x, y float64) float64{
		"ugp-ucb": ucb(noise), "ugp-ucb-target": ucb(noise),
		"gp-ucb": ucb(nil), "igp-ucb": ucb(nil), "igp-ucb-mean": ucb(nil),
		"ei":  ei(best(mean)),
		"uei": unscented(ei(best(unscented(mean)))), "uei-mean": unscented(ei(best(unscented(mean)))),
		"uei-noisy": unscented(ei(observed)),
	} {
		s := mustStrategy(t, name, b, planner.DefaultStrategyConfig())
		target, err := s.Next(planner.Request{Model: model, Execution: noise, Robot: []float64{0, 0}, Reach: acquire.Anywhere(), Rng: plantest.Rand(1)})
		must.OK(t, err)
		if got := h(target.X[0], target.X[1]); math.Abs(got-target.Acquisition) > 1e-9 {
			t.Errorf("%s: acquisition %.12g, want %.12g", name, target.Acquisition, got)
		}
		for x := 0.0; x <= 60; x += 2 {
			for y := 0.0; y <= 60; y += 2 {
				if v := h(x, y); v > target.Acquisition+1e-4*max(1, target.Acquisition) {
					t.Errorf("%s: %g at %v, but %g at (%g, %g)", name, target.Acquisition, target.X, v, x, y)
				}
			}
		}
	}
}

// How each recommends: by P̂_x, by points, or by the unscented transform.
func TestRivalsRecommend(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 30, 2)
	points := r.Points(40, plantest.Rand(5))
	var targets [][]float64
	for i := range 40 {
		targets = append(targets, points.RawRowView(i))
	}
	wide := mat.NewSymDense(2, []float64{90, 0, 0, 90})
	u, err := paper.NewUnscented(2, wide)
	must.OK(t, err)
	under, err := bestTarget(model, wide, targets)
	must.OK(t, err)
	at, err := bestTarget(model, nil, targets)
	must.OK(t, err)
	p, err := model.NewPredictor(nil)
	must.OK(t, err)
	means := make([]float64, len(targets))
	u.Means(means, p, points)
	top := 0
	for i, mean := range means {
		if mean > means[top] {
			top = i
		}
	}
	_, variance := model.Posterior(gp.Belief{Mean: targets[top], Cov: wide})
	sigma := planner.Recommendation{X: targets[top], Mean: means[top], StdDev: math.Sqrt(variance)}
	if under.Mean == at.Mean || under.Mean == sigma.Mean {
		t.Fatalf("the three rules agree: %+v, %+v, %+v", under, at, sigma)
	}
	for _, info := range paper.Catalogue() {
		want := under
		switch info.Name {
		case "uei", "uei-noisy", "uei-mean":
			want = sigma
		case "ei", "gp-ucb", "igp-ucb", "igp-ucb-mean":
			want = at
		}
		s := mustStrategy(t, info.Name, r, planner.DefaultStrategyConfig())
		for range 2 { // the second time the transform is at hand
			if got, err := s.Recommend(planner.RecommendRequest{Model: model, Execution: wide, Targets: targets}); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s recommends %+v, want %+v: %v", info.Name, got, want, err)
			}
		}
	}
}
