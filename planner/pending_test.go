// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment/paper"
)

// taken returns the model with the samples of the targets taken, each with the value that
// was expected of it, as a strategy with that data has them.
func taken(t *testing.T, model *gp.GP, form planner.SampleForm, targets ...[]float64) *gp.GP {
	t.Helper()
	model = model.Clone()
	noise := 0.0
	for _, o := range model.Observations() {
		noise += o.NoiseVariance / float64(model.Len())
	}
	for _, x := range targets {
		place := form.Input(gp.Belief{Mean: x, Cov: plantest.Execution}, x, plantest.Execution)
		value, _ := model.Posterior(place)
		must.OK(t, model.Add(gp.Observation{Belief: place, Value: value, NoiseVariance: noise}))
	}
	return model
}

// Every strategy that searches decides with samples pending as it does when they are
// taken and gave what was expected, in all models of the request; random targets and
// the grid do not care. The caller's models stay as they are.
func TestPending(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	targets := [][]float64{{70, 60}, {30, 40}}
	for _, objective := range []planner.Objective{planner.ObjectiveMaximum, planner.ObjectiveMinimum, planner.ObjectiveMap} {
		for _, info := range paper.Catalogue() {
			cfg := planner.DefaultStrategyConfig()
			cfg.Objective = objective
			model := plantest.Model(t, r, 12, 1)
			rougher := plantest.Hyper
			rougher.LengthScales = []float64{7, 6}
			other, err := gp.New(rougher)
			if err == nil {
				err = other.AddAll(model.Observations())
			}
			must.OK(t, err)
			q := request(model, 3)
			q.Members = fit.Mixture{{Model: model, Weight: 0.6}, {Model: other, Weight: 0.4}}
			decide := func(q planner.Request) planner.Target {
				q.Rng = plantest.Rand(3)
				target, err := mustStrategy(t, info.Name, r, cfg).Next(q)
				must.OK(t, err)
				return target
			}
			free := decide(q)
			q.Pending = targets
			got := decide(q)
			if n := model.Len() + other.Len(); n != 24 {
				t.Errorf("%s, %s: the models have %d observations, want 12 each", info.Name, objective, n)
			}
			if info.Name == "random" || info.Name == "grid" || info.Name == "lines" {
				if !reflect.DeepEqual(got, free) {
					t.Errorf("%s, %s: %+v with samples pending, %+v without", info.Name, objective, got, free)
				}
				continue
			}
			q.Pending = nil
			q.Model = taken(t, model, info.Form, targets...)
			q.Members = fit.Mixture{{Model: q.Model, Weight: 0.6}, {Model: taken(t, other, info.Form, targets...), Weight: 0.4}}
			if want := decide(q); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %+v with samples pending, %+v with them taken", info.Name, objective, got, want)
			}
		}
	}
}

// Four robots that decide at once explore better than four that are sent to the same
// place, and about as well as one that takes as many samples one after the other.
func TestBatchExplores(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	const robots, samples, fields = 4, 24, 6
	places := r.Points(400, plantest.Rand(9))
	var stdDev, regret [3]float64
	for seed := range uint64(fields) {
		f := plantest.NewWaves(14, false, plantest.Rand(seed))
		best := math.Inf(-1)
		for i := range 400 {
			best = max(best, f.At(places.RawRowView(i)))
		}
		for how, size := range []int{1, robots, robots} { // in sequence, a batch, copies
			model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{14, 14}, NoiseVariance: 0.01})
			must.OK(t, err)
			s := mustStrategy(t, "ugp-ucb", r, planner.DefaultStrategyConfig())
			noise, q := plantest.Rand(seed+100), request(model, seed)
			at := make([][]float64, size)
			for i := range at {
				at[i] = r.Centre()
			}
			found := math.Inf(-1)
			for n := 0; n < samples; n += size {
				q.Step = n
				next := at
				if how == 2 {
					next = at[:1]
				}
				targets, err := batch(s, q, next)
				must.OK(t, err)
				for i := range at {
					at[i] = targets[i%len(targets)].X
					found = max(found, f.At(at[i]))
					must.OK(t, model.Add(gp.Observation{Belief: gp.Belief{Mean: at[i], Cov: plantest.Execution}, Value: f.At(at[i]) + 0.1*noise.NormFloat64()}))
				}
			}
			variance := make([]float64, 400)
			plantest.Predictor(t, model, nil).PredictBatch(make([]float64, 400), variance, places)
			for _, v := range variance {
				stdDev[how] += math.Sqrt(v) / 400 / fields
			}
			regret[how] += (best - found) / fields
		}
	}
	t.Logf("%d samples, in sequence, by batches, by copies: standard deviation %.3f, simple regret %.3f", samples, stdDev, regret)
	if !(stdDev[1] < 0.8*stdDev[2] && regret[1] < 0.8*regret[2]) {
		t.Errorf("a batch is no better than copies: standard deviation %.3f and %.3f, regret %.3f and %.3f", stdDev[1], stdDev[2], regret[1], regret[2])
	}
	if !(stdDev[1] < 1.15*stdDev[0] && regret[1] < regret[0]+0.15) {
		t.Errorf("a batch is far from a sequence: standard deviation %.3f and %.3f, regret %.3f and %.3f", stdDev[1], stdDev[0], regret[1], regret[0])
	}
}

// batch returns targets for several robots that decide at once, one for each position in
// robots. The strategy decides for one robot after the other; the targets of the robots
// before it count as pending, in addition to q.Pending, and as adopted. q.Robot is ignored,
// and q.Reach is the same for all. An error names the robot; the targets of the robots
// before it are returned with it.
func batch(s planner.Strategy, q planner.Request, robots [][]float64) ([]planner.Target, error) {
	targets := make([]planner.Target, 0, len(robots))
	pending := append([][]float64(nil), q.Pending...)
	chosen, step := slices.Clone(q.Chosen), q.Step
	for i, x := range robots {
		q.Robot, q.Pending, q.Chosen, q.Step = x, pending, chosen, step+i
		t, err := s.Next(q)
		if err != nil {
			return targets, fmt.Errorf("robot %d of %d: %w", i+1, len(robots), err)
		}
		targets, pending, chosen = append(targets, t), append(pending, t.X), append(chosen, t.X)
	}
	return targets, nil
}
