// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

// newStrategy makes the strategy of the method of a name.
func newStrategy(name string, space field.Space, cfg planner.StrategyConfig, rng *rand.Rand) (planner.Strategy, error) {
	m, err := paper.Catalogue().Method(name)
	if err != nil {
		return nil, err
	}
	return m.NewStrategy(space, cfg, rng), nil
}

func mustStrategy(tb testing.TB, name string, space field.Space, cfg planner.StrategyConfig) planner.Strategy {
	tb.Helper()
	s, err := newStrategy(name, space, cfg, plantest.Rand(21))
	must.OK(tb, err)
	return s
}

func request(model *gp.GP, seed uint64) planner.Request {
	return planner.Request{Model: model, Execution: plantest.Execution, Robot: []float64{20, 60}, Reach: acquire.Anywhere(), Rng: plantest.Rand(seed)}
}

// Every strategy, by its name, keeps to what a target must be, and gives the
// same targets for the same seed.
func TestStrategies(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	home := []float64{15, 50}
	there, back := r.NewDistanceField(), r.NewDistanceField()
	back.From(home)
	names := map[string]bool{}
	for _, info := range paper.Catalogue() {
		names[info.Name] = true
		if info.Description == "" {
			t.Errorf("%s has no description", info.Name)
		}
		run := func(seed uint64) (all []float64) {
			s := mustStrategy(t, info.Name, r, planner.DefaultStrategyConfig())
			q := request(plantest.Model(t, r, 12, 1), seed)
			q.Reach = acquire.Reach{Range: 120, Home: home, Avoid: []acquire.Disc{{Centre: []float64{60, 75}, Radius: 15}}}
			for q.Step = range 8 {
				target, err := s.Next(q)
				must.OK(t, err)
				there.From(q.Robot)
				length := there.Length(target.X)
				if !r.Contains(target.X) || length+back.Length(target.X) > 120 || field.Distance(target.X, []float64{60, 75}) <= 15 || math.Abs(length-target.Length) > 1e-9 {
					t.Errorf("%s: target %+v, %g m there and %g m home", info.Name, target, length, back.Length(target.X))
				}
				cov := info.Form.QueryCov(plantest.Execution)
				mean, variance := q.Model.Posterior(gp.Belief{Mean: target.X, Cov: cov})
				if math.Abs(mean-target.Mean) > 1e-9 || math.Abs(math.Sqrt(variance)-target.StdDev) > 1e-9 {
					t.Errorf("%s: %+v, but the model has %g ± %g", info.Name, target, mean, math.Sqrt(variance))
				}
				improving := strings.Contains(info.Name, "ei") || strings.Contains(info.Name, "kg")
				if improving && (target.Beta != 0 || !(target.Acquisition >= 0)) {
					t.Errorf("%s: %+v", info.Name, target)
				}
				if want := mean + target.Beta*math.Sqrt(variance); !improving && math.Abs(want-target.Acquisition) > 1e-9 {
					t.Errorf("%s: acquisition %g, want %g", info.Name, target.Acquisition, want)
				}
				all = append(all, target.X...)
				must.OK(t, q.Model.Add(gp.Observation{Belief: gp.Belief{Mean: target.X}, Value: plantest.Bumps(target.X), NoiseVariance: 0.01}))
				q.Robot, q.Chosen = target.X, append(q.Chosen, target.X)
			}
			return all
		}
		if a, b := run(4), run(4); !slices.Equal(a, b) {
			t.Errorf("%s: the same seed gave %v and %v", info.Name, a, b)
		}
		if a, b := run(4), run(5); slices.Equal(a, b) != (info.Name == "grid" || info.Name == "lines") {
			t.Errorf("%s: other seeds gave %v and %v", info.Name, a, b)
		}
	}
	for _, name := range []string{"ugp-ucb", "ugp-ucb-target", "igp-ucb", "igp-ucb-mean", "uei", "uei-noisy", "uei-mean", "ei", "gp-ucb", "random", "grid", "lines"} {
		if info, err := paper.Catalogue().Method(name); err != nil || info.Name != name || !names[name] {
			t.Errorf("%s is not listed", name)
		}
	}
}

// uGP-UCB knows that a narrow peak can't be hit; the plain GP goes for it.
func TestUncertainExecutionAvoidsNarrowPeaks(t *testing.T) {
	b, err := field.NewBox([]float64{0}, []float64{20})
	must.OK(t, err)
	model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{1}, NoiseVariance: 1e-4})
	must.OK(t, err)
	for x := 0.0; x <= 20; x += 0.5 { // a narrow peak at 5, a broad one, not as high, at 14
		y := 2*math.Exp(-(x-5)*(x-5)/(2*0.8*0.8)) + 1.5*math.Exp(-(x-14)*(x-14)/(2*3*3))
		must.OK(t, model.Add(gp.Observation{Belief: gp.Point(x), Value: y}))
	}
	cfg := planner.DefaultStrategyConfig()
	cfg.Beta = planner.Fixed(0)
	q := planner.Request{Model: model, Execution: mat.NewSymDense(1, []float64{4}), Robot: []float64{0}, Reach: acquire.Anywhere(), Rng: plantest.Rand(1)}
	for name, want := range map[string]float64{"gp-ucb": 5, "ugp-ucb": 14} {
		target, err := mustStrategy(t, name, b, cfg).Next(q)
		if err != nil || math.Abs(target.X[0]-want) > 0.5 {
			t.Errorf("%s goes to %v, want about %g: %v", name, target.X, want, err)
		}
	}
}

// Without observations the UCB strategies begin at the centre, or as near to it
// as they may.
func TestFirstTarget(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	empty, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{10, 10}, NoiseVariance: 0.01, Mean: 3})
	must.OK(t, err)
	s := mustStrategy(t, "ugp-ucb", r, planner.DefaultStrategyConfig())
	q := request(empty, 1)
	q.Price = 0.01
	target, err := s.Next(q)
	if err != nil || !slices.Equal(target.X, r.Centre()) {
		t.Errorf("first target %v, centre %v, %v", target.X, r.Centre(), err)
	}
	mean, variance := empty.Posterior(gp.Belief{Mean: target.X, Cov: plantest.Execution})
	if want := mean + 2*math.Sqrt(variance) - 0.01*target.Length; math.Abs(target.Acquisition-want) > 1e-12 || target.Mean != 3 {
		t.Errorf("acquisition %g, want %g; mean %g, want 3", target.Acquisition, want, target.Mean)
	}
	q.Reach.Avoid = []acquire.Disc{{Centre: r.Centre(), Radius: 10}}
	if target, err = s.Next(q); err != nil || math.Abs(field.Distance(target.X, r.Centre())-10) > 2 {
		t.Errorf("with the centre to be avoided: %v, %g m from it, %v", target.X, field.Distance(target.X, r.Centre()), err)
	}
	// With a limited range it begins one length-scale on the way to the centre, and at the
	// centre if that is nearer or distance has no price.
	home := []float64{r.Centre()[0] - 14, r.Centre()[1]}
	q.Reach, q.Robot = acquire.Reach{Range: 500, Home: home}, home
	for price, want := range map[float64][]float64{0.01: {home[0] + 10, home[1]}, 0: r.Centre()} {
		q.Price = price
		if target, err = s.Next(q); err != nil || field.Distance(target.X, want) > 1e-9 {
			t.Errorf("with a range of 500 m and the price %g: %v, want %v, %v", price, target.X, want, err)
		}
	}
	q.Robot, q.Price = []float64{r.Centre()[0], r.Centre()[1] + 9}, 0.01
	if target, err = s.Next(q); err != nil || !slices.Equal(target.X, r.Centre()) {
		t.Errorf("9 m from the centre: %v, want the centre, %v", target.X, err)
	}
	q.Reach.Range, q.Reach.Home = 1, []float64{15, 50}
	if _, err = s.Next(q); !errors.Is(err, acquire.ErrNoTarget) {
		t.Errorf("without the range to come home: %v", err)
	}
}

func TestGridStrategyEnds(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	cfg := planner.DefaultStrategyConfig()
	cfg.GridPoints = 12
	s := mustStrategy(t, "grid", r, cfg)
	q := request(plantest.Model(t, r, 3, 1), 1)
	grid := r.Grid(12, 1)
	q.Robot = grid[11] // nearer to the last point
	q.Reach.Avoid = []acquire.Disc{{Centre: grid[5], Radius: 0.1}}
	var got [][]float64
	for {
		q.Chosen = got
		unused, unusedErr := s.Next(q)
		target, err := s.Next(q)
		if !slices.Equal(unused.X, target.X) || (unusedErr == nil) != (err == nil) {
			t.Errorf("after a choice of %v that was not adopted: %v, %v", unused.X, target.X, err)
		}
		var none *acquire.NoTargetError
		if errors.As(err, &none) {
			if none.GridSize != 12 || none.GridTaken != 11 || none.Tried != 1 || none.Avoided != 1 {
				t.Errorf("%+v", none)
			}
			break
		}
		must.OK(t, err)
		got = append(got, target.X)
	}
	if len(got) != 11 || !slices.Equal(got[0], grid[11]) || !slices.Equal(got[6], grid[4]) || !slices.Equal(got[10], grid[0]) {
		t.Errorf("visited %v, want %v backwards without the sixth", got, grid)
	}
	q.Reach.Avoid = nil // such as a keep-out that has vanished
	if target, err := s.Next(q); err != nil || !slices.Equal(target.X, grid[5]) {
		t.Errorf("in the end: %v, %v, want the sixth", target.X, err)
	}
	q.Chosen = append(q.Chosen, grid[5])
	if target, err := s.Next(q); err == nil {
		t.Errorf("after all points: %v", target.X)
	}
}

func TestStrategyErrors(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	if _, err := newStrategy("annealing", r, planner.DefaultStrategyConfig(), plantest.Rand(1)); !errors.Is(err, planner.ErrStrategy) || !strings.Contains(err.Error(), `"annealing", want one of ugp-ucb, ugp-ucb-target, igp-ucb`) {
		t.Errorf("unknown name: %v", err)
	}
	// An observation without any noise makes the theorem's β infinite.
	exact, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{5, 5}})
	must.OK(t, err)
	must.OK(t, exact.Add(gp.Observation{Belief: gp.Point(50, 50), Value: 1}))
	cfg := planner.DefaultStrategyConfig()
	cfg.Beta = paper.Theorem{Share: 1, Bound: 1, ObservationStdDev: 0.1, Delta: 0.1}
	if _, err := mustStrategy(t, "gp-ucb", r, cfg).Next(request(exact, 1)); !errors.Is(err, planner.ErrStrategy) || !strings.Contains(err.Error(), "β is +Inf") {
		t.Errorf("infinite β: %v", err)
	}
}
