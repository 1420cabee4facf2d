package planner_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/experiment/paper"
	"ugp_explorer/sim/rig/fieldtest"
	"ugp_explorer/sim/rig/plantest"
)

func TestBestTarget(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 20, 1)
	var targets [][]float64
	points := r.Points(15, plantest.Rand(5))
	for i := range 15 {
		targets = append(targets, points.RawRowView(i))
	}
	for _, cov := range []*mat.SymDense{nil, plantest.Execution} {
		got, err := bestTarget(model, cov, targets)
		if err != nil {
			t.Fatal(err)
		}
		best, sd := math.Inf(-1), 0.0
		index := -1
		for i, x := range targets {
			if mean, variance := model.Posterior(gp.Belief{Mean: x, Cov: cov}); mean > best {
				index, best, sd = i, mean, math.Sqrt(variance)
			}
		}
		if !slices.Equal(got.X, targets[index]) || math.Abs(got.Mean-best) > 1e-9 || math.Abs(got.StdDev-sd) > 1e-9 {
			t.Errorf("got %+v, want target %d with %g ± %g", got, index, best, sd)
		}
	}
	twice := [][]float64{targets[3], targets[3]}
	got, err := bestTarget(model, nil, twice)
	if err != nil || !slices.Equal(got.X, targets[3]) {
		t.Errorf("of equal targets: %+v, %v", got, err)
	}
	got.X[0]++ // is the caller's
	if got.X[0] == targets[3][0] {
		t.Error("the place recommended is the target's own slice")
	}
}

func TestBestTargetErrors(t *testing.T) {
	model := plantest.Model(t, fieldtest.Region(t, fieldtest.Star(), 2), 4, 1)
	bad := mat.NewSymDense(2, []float64{1, 2, 2, 1})
	for name, err := range map[string]error{
		"no targets": plantest.Second(bestTarget(model, nil, nil)),
		"dimension":  plantest.Second(bestTarget(model, nil, [][]float64{{1}})),
		"NaN":        plantest.Second(bestTarget(model, nil, [][]float64{{1, math.NaN()}})),
		"covariance": plantest.Second(bestTarget(model, bad, [][]float64{{1, 2}})),
	} {
		if !errors.Is(err, planner.ErrRecommend) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bestTarget recommends a past target by the posterior mean: under cov, or of points.
func bestTarget(model *gp.GP, cov *mat.SymDense, targets [][]float64) (planner.Recommendation, error) {
	name := "ugp-ucb"
	if cov == nil {
		name = "gp-ucb"
	}
	space, err := field.NewBox(slices.Repeat([]float64{-1e3}, model.Dim()), slices.Repeat([]float64{1e3}, model.Dim()))
	if err != nil {
		return planner.Recommendation{}, err
	}
	s, err := newStrategy(name, space, planner.DefaultStrategyConfig(), plantest.Rand(1))
	if err != nil {
		return planner.Recommendation{}, err
	}
	return s.Recommend(planner.Inquiry{Model: model, Execution: cov, Targets: targets})
}

// Anywhere: the top of the posterior mean, which is no worse than a fine lattice of
// the whole space nor than any target; and the targets that a strategy chooses do
// not depend on what it recommends.
func TestRecommendAnywhere(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 20, 1)
	points := r.Points(15, plantest.Rand(5))
	var targets [][]float64
	for i := range 15 {
		targets = append(targets, points.RawRowView(i))
	}
	for _, info := range paper.Catalogue() {
		cov := plantest.Execution
		if info.Form.Points() && !strings.HasPrefix(info.Name, "uei") {
			cov = nil
		}
		cfg := planner.DefaultStrategyConfig()
		near := mustStrategy(t, info.Name, r, cfg)
		cfg.Recommend = planner.RecommendAnywhere
		s := mustStrategy(t, info.Name, r, cfg)
		got, err := s.Recommend(planner.Inquiry{Model: model, Execution: plantest.Execution, Targets: targets, Rng: plantest.Rand(3)})
		if err != nil || !r.Contains(got.X) {
			t.Fatalf("%s: %+v, %v", info.Name, got, err)
		}
		mean, variance := model.Posterior(gp.Belief{Mean: got.X, Cov: cov})
		if math.Abs(got.Mean-mean) > 1e-9 || math.Abs(got.StdDev-math.Sqrt(variance)) > 1e-9 {
			t.Errorf("%s: %+v, but the model has %g ± %g", info.Name, got, mean, math.Sqrt(variance))
		}
		lattice := r.Points(4000, plantest.Rand(6))
		for i := range 4000 {
			if m, _ := model.Posterior(gp.Belief{Mean: lattice.RawRowView(i), Cov: cov}); m > got.Mean+1e-6 {
				t.Fatalf("%s: %g at %v, but %g at %v", info.Name, got.Mean, got.X, m, lattice.RawRowView(i))
			}
		}
		a, err := near.Next(request(model, 4))
		b, err2 := s.Next(request(model, 4))
		if err != nil || err2 != nil || !slices.Equal(a.X, b.X) {
			t.Errorf("%s goes to %v, and to %v if it recommends anywhere: %v, %v", info.Name, a.X, b.X, err, err2)
		}
	}
	cfg := planner.DefaultStrategyConfig()
	cfg.Recommend = "nowhere"
	if _, err := newStrategy("ugp-ucb", r, cfg, plantest.Rand(1)); !errors.Is(err, planner.ErrStrategy) {
		t.Errorf("a rule that there is not: %v", err)
	}
}
