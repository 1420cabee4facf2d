package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/record"
)

// The grids are chosen on seeds that the comparison never sees, and all methods of the
// comparison meet the same seeds.
func TestBudgetSeeds(t *testing.T) {
	p := BudgetPlan{Distances: []float64{3000, 9000}, Seeds: 3, Tuning: 2, Side: 820}
	for _, j := range p.Densities(nil, nil).Jobs() {
		if j.Method != BudgetGrid || j.Seed < TuningSeed || j.Points < 1 {
			t.Errorf("tuning on %v", j)
		}
	}
	seeds := map[string][]int64{}
	for _, j := range p.Comparison(nil, []int{8, 60}, nil).Jobs() {
		key := fmt.Sprintf("%s %g", j.Method, j.Distance)
		seeds[key] = append(seeds[key], j.Seed)
		want := 0
		if j.Method == BudgetGrid {
			want = map[float64]int{3000: 8, 9000: 60}[j.Distance]
		}
		if j.Points != want {
			t.Errorf("%v has %d points, want %d", j, j.Points, want)
		}
	}
	for key, list := range seeds {
		if !slices.Equal(list, []int64{1, 2, 3}) {
			t.Errorf("%s: seeds %v", key, list)
		}
	}
	if len(seeds) != 6 {
		t.Errorf("%d methods and budgets, want 6", len(seeds))
	}
}

// A tour of n even points on a square of side s is about s·√n long, and longer by the way
// home: the points that are tried lie around the number that the budget suffices for.
func TestBudgetDensities(t *testing.T) {
	p := BudgetPlan{Side: 1000}
	list := p.points(14500) // 10 sides
	if !slices.Equal(list, []int{50, 70, 100, 140}) {
		t.Errorf("%v", list)
	}
	if list := p.points(1000); !slices.Equal(list, []int{1}) { // all the same: less than a point
		t.Errorf("%v", list)
	}
}

func TestBudgetBest(t *testing.T) {
	p := BudgetPlan{Distances: []float64{14500}, Seeds: 2, Tuning: 2, Side: 1000}
	var outcomes []BudgetOutcome
	for n, regret := range map[int][2]float64{50: {0.3, 0.1}, 70: {0.1, 0.2}, 100: {0.1, 0.2}, 140: {0.05, 0.4}} {
		for i, r := range regret {
			outcomes = append(outcomes, BudgetOutcome{BudgetTrial: BudgetTrial{BudgetGrid, 14500, n, TuningSeed + int64(i)}, Smooth: r})
		}
	}
	if best := p.Best(outcomes); !slices.Equal(best, []int{70}) {
		t.Errorf("best %v, want 70 points", best)
	}
}

// By hand: means 0.2 and 0.3; a - 2/3·b is -1/30 and 1/30, whose standard error is 1/30.
func TestRatio(t *testing.T) {
	r := ratioOf([]float64{0.1, 0.3}, []float64{0.2, 0.4})
	if math.Abs(r.Value-2./3) > 1e-12 || math.Abs(r.StandardError-1./9) > 1e-12 {
		t.Errorf("%+v, want 2/3 and 1/9", r)
	}
	if r := ratioOf([]float64{0.1, 0.2, 0.4}, []float64{0.2, 0.4, 0.8}); math.Abs(r.Value-0.5) > 1e-12 || r.StandardError > 1e-12 {
		t.Errorf("%+v, want exactly a half", r)
	}
}

// A study of made-up missions: regret is larger for the grid.
func TestBudgetStudy(t *testing.T) {
	p := BudgetPlan{Distances: []float64{3000}, Seeds: 4, Tuning: 1, Side: 820}
	fly := func(_ context.Context, trial BudgetTrial) (*record.Mission, error) {
		m := &record.Mission{Distance: 2900, SimulatedTime: 3600, Observations: make([]record.Observation, 9)}
		regret := 0.1 * float64(trial.Seed)
		if trial.Method == BudgetGrid {
			regret *= 2
		}
		if trial.Method == BudgetPaced && trial.Seed == 4 {
			return m, nil // without a truth
		}
		m.Truth = &record.Truth{RegretOverSamples: []record.RegretAt{{Smooth: 9}, {Smooth: regret, Expected: 2 * regret}}}
		if trial.Seed == 3 {
			return m, ErrGivenUp
		}
		return m, nil
	}
	s := p.Comparison(struct{}{}, []int{9}, fly)
	results, err := s.Finish(t.Context(), t.TempDir(), false, 1, func(int) func() { return func() {} })
	if err == nil || !strings.Contains(err.Error(), "seed 4, paced, 3000 m: the mission has no samples") || errors.Is(err, ErrGivenUp) {
		t.Errorf("error %v", err)
	}
	table := s.Table(results)
	for _, want := range []string{
		"| 3 | grid of 9 | 3 | 9.0 | 2.90 | 1.00 | 0.4000 ± 0.1155 | 1.00 ± 0.00 | 0.8000 ± 0.2309 | 1.00 ± 0.00 |",
		"| 3 | paced | 3 | 9.0 | 2.90 | 1.00 | 0.2000 ± 0.0577 | 0.50 ± 0.00 |",
		"Given up in the fault state and counted with its results so far: seed 3, fixed, 3000 m, after 9 samples.",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table does not say %q:\n%s", want, table)
		}
	}
	charts := s.Charts(results)
	if len(charts) != 2 || !slices.Equal(charts[0].Groups, []string{"3"}) || len(charts[0].Series) != 3 {
		t.Fatalf("charts %+v", charts)
	}
	if grid, paced := charts[0].Series[0], charts[0].Series[2]; grid.Label != BudgetGrid || math.Abs(grid.Mean[0]-2*paced.Mean[0]) > 1e-12 {
		t.Errorf("series %+v and %+v", grid, paced)
	}
}
