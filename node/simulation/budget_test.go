// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
)

func side(metres float64) func(string) float64 { return func(string) float64 { return metres } }

func distances(km ...float64) (list []BudgetSetting) {
	for _, d := range km {
		list = append(list, BudgetSetting{"farm", BudgetLimit{Distance: 1000 * d}})
	}
	return list
}

// The lattices are chosen on seeds that the comparison never sees, and all methods of the
// comparison meet the same seeds.
func TestBudgetSeeds(t *testing.T) {
	p := BudgetPlan{Methods: []string{BudgetGrid, BudgetLines, "0.5", BudgetPaced}, Settings: distances(3, 9), Seeds: Seeds{998, 3}, Tuning: 2, Side: side(820)}
	methods := map[string]bool{}
	for _, j := range p.Densities(nil, nil).Jobs() {
		methods[j.Method] = true
		if j.Seed < TuningSeed || j.Points < 1 {
			t.Errorf("tuning on %v", j)
		}
	}
	if len(methods) != 2 || !methods[BudgetGrid] || !methods[BudgetLines] {
		t.Errorf("tuning of %v", methods)
	}
	seeds := map[string][]int64{}
	best := DensitySettings{}
	for i, s := range p.Settings {
		best[lattice{BudgetGrid, s}], best[lattice{BudgetLines, s}] = 8+i, 20+i
	}
	for _, j := range p.Comparison(nil, best, nil).Jobs() {
		key := fmt.Sprint(j.Method, j.BudgetSetting)
		seeds[key] = append(seeds[key], j.Seed)
		if want := best[lattice{j.Method, j.BudgetSetting}]; j.Points != want {
			t.Errorf("%v has %d points, want %d", j, j.Points, want)
		}
	}
	for key, list := range seeds {
		if !slices.Equal(list, []int64{998, 999, 1000}) {
			t.Errorf("%s: seeds %v", key, list)
		}
	}
	if len(seeds) != 8 {
		t.Errorf("%d methods and budgets, want 8", len(seeds))
	}
	for first, ok := range map[int64]bool{998: true, 999: false, 1002: false, 1003: true} {
		p.Seeds.First = first
		if err := p.CheckSeeds(); (err == nil) != ok {
			t.Errorf("%v with densities from two seeds: %v", p.Seeds, err)
		}
	}
	p.Methods, p.Seeds.First = []string{BudgetPaced}, 1001
	if err := p.CheckSeeds(); err != nil {
		t.Errorf("no density is chosen: %v", err)
	}
}

func TestParseBudget(t *testing.T) {
	for text, want := range map[string]BudgetLimit{
		"6.5km":       {Distance: 6500},
		"800m":        {Distance: 800},
		"90min":       {Duration: 5400},
		"600s/5s":     {Duration: 600, SampleTime: 5},
		"30":          {Samples: 30},
		"3h/60s":      {Duration: 10800, SampleTime: 60},
		"6.5km+30":    {Distance: 6500, Samples: 30},
		"1h+2km+9/5s": {Distance: 2000, Duration: 3600, Samples: 9, SampleTime: 5},
	} {
		if got, err := ParseBudget(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "km", "0km", "NaNkm", "3m", "1001km", "2km+3km", "2km+300m", "1h+30min", "30s", "min", "-4", "0", "3h/", "3h/0s", "3h/60", "3h/NaNs", "/60s", "10001"} {
		if l, err := ParseBudget(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", text)) {
			t.Errorf("%q: %+v, %v", text, l, err)
		}
	}
	l := BudgetLimit{Distance: 6500, Duration: 7200, Samples: 30, SampleTime: 60}
	if got, want := l.String(), "6.5 km and 2 h and 30 samples, 60 s a sample"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A tour of n even points on a square of side s is about s·√n long, and longer by the way
// home: the points that are tried lie around the number that the budget suffices for.
func TestBudgetLattices(t *testing.T) {
	for _, c := range []struct {
		limit BudgetLimit
		apart float64
		want  []int
	}{
		{BudgetLimit{Distance: 14500}, 1, []int{35, 50, 70, 100, 140}}, // 10 sides
		{BudgetLimit{Distance: 14500}, 2, []int{70, 100, 140, 200, 280}},
		{BudgetLimit{Distance: 1000}, 1, []int{1}},
		{BudgetLimit{Distance: 14500, Samples: 60}, 1, []int{21, 30, 42, 60}},
		{BudgetLimit{Samples: 30}, 1, []int{30}},
		{BudgetLimit{Duration: 14500/driveSpeed + 100*60, SampleTime: 60}, 1, []int{35, 50, 70, 100, 140}},
	} {
		if got := c.limit.lattices(1000, c.apart); !slices.Equal(got, c.want) {
			t.Errorf("%v, rows %g apart: %v, want %v", c.limit, c.apart, got, c.want)
		}
	}
}

// The parabola 0.1 + (log n - log 70)² has its lowest point at 70, whatever a single mean is off
// by; without a lowest point between them one of the ends is chosen.
func TestBestDensity(t *testing.T) {
	points := []int{35, 50, 70, 100, 140}
	over := func(f func(x float64) float64) (list []float64) {
		for _, n := range points {
			list = append(list, f(math.Log(float64(n)/70)))
		}
		return list
	}
	for _, c := range []struct {
		regret []float64
		want   int
	}{
		{over(func(x float64) float64 { return 0.1 + x*x }), 70},
		{over(func(x float64) float64 { return 0.1 + (x-0.2)*(x-0.2) }), 85},
		{over(func(x float64) float64 { return 0.1 - x }), 140},
		{over(func(x float64) float64 { return 0.1 - x*x + x/10 }), 35},
		{over(func(x float64) float64 { return 0.1 + (x-3)*(x-3) }), 140},
	} {
		if got := bestDensity(points, c.regret); got != c.want {
			t.Errorf("%v: %d, want %d", c.regret, got, c.want)
		}
	}
	if got := bestDensity([]int{20, 30}, []float64{0.1, 0.2}); got != 20 {
		t.Errorf("%d, want 20", got)
	}
}

// By hand: means 0.2 and 0.3; a - 2/3·b is -1/30 and 1/30, whose standard error is 1/30.
func TestRatio(t *testing.T) {
	if r, se := ratioOf([]float64{0.1, 0.3}, []float64{0.2, 0.4}); math.Abs(r-2./3) > 1e-12 || math.Abs(se-1./9) > 1e-12 {
		t.Errorf("%g ± %g, want 2/3 and 1/9", r, se)
	}
}

// A study of made-up missions: regret is larger for the grid.
func TestBudgetStudy(t *testing.T) {
	p := BudgetPlan{Methods: []string{BudgetGrid, "0.05", BudgetPaced}, Settings: distances(3), Seeds: Seeds{1, 4}, Tuning: 1, Side: side(820)}
	fly := func(_ context.Context, trial BudgetTrial) (*record.Mission, error) {
		m := &record.Mission{Started: 100, Distance: 2900, SimulatedTime: 3600, Survey: &record.Survey{Error: 0.5}}
		for i := range 2 {
			m.Observations = append(m.Observations, record.Observation{Stamp: 110 + float64(i), Approach: &record.Approach{Length: 50}})
		}
		regret := 0.1 * float64(trial.Seed)
		if trial.Method == BudgetGrid {
			regret *= 2
		}
		if trial.Method == BudgetPaced && trial.Seed == 4 {
			return m, nil // without a truth
		}
		m.Truth = &record.Truth{RegretOverSamples: []record.RegretAt{{Samples: 1, Smooth: 9}, {Samples: 2, Smooth: regret, Expected: 2 * regret}}}
		if trial.Seed == 3 {
			return m, ErrGivenUp
		}
		return m, nil
	}
	s := p.Comparison(struct{}{}, DensitySettings{{BudgetGrid, p.Settings[0]}: 9}, fly)
	results, err := s.Finish(t.Context(), t.TempDir(), false, 1, func(int, int, []BudgetOutcome) bool { return false })
	if err == nil || !strings.Contains(err.Error(), "seed 4, paced, farm, 3 km: the mission has no samples") || errors.Is(err, ErrGivenUp) {
		t.Errorf("error %v", err)
	}
	table := s.Table(results)
	for _, want := range []string{
		"| farm | 3 km | grid of 9 | 3 | 2.0 | 2.90 | 1.00 | 0.4000 ± 0.1155 | | | 0.8000 ± 0.2309 | | | 0.5000 |",
		"| farm | 3 km | paced | 3 | 2.0 | 2.90 | 1.00 | 0.2000 ± 0.0577 | 0.50 ± 0.00 | -0.2000 ± 0.0577 (0) |",
		"Given up in the fault state and counted with its results so far: seed 3, price 0.05, farm, 3 km, after 2 samples.",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table does not say %q:\n%s", want, table)
		}
	}
	var csv strings.Builder
	must.OK(t, s.WriteCSV(&csv, results))
	for _, want := range []string{ // after the second sample, and at the end
		"\npaced,farm,3000,0,0,0,0,2,2,100,11,0.2,0.4,\n",
		"\npaced,farm,3000,0,0,0,0,2,2,2900,3600,0.2,0.4,0.5\n",
	} {
		if !strings.Contains(csv.String(), want) {
			t.Errorf("no row %q in\n%s", want, csv.String())
		}
	}
	charts := s.Charts(results)
	if len(charts) != 2 || charts[0].Name != "metres" || charts[1].Name != "minutes" || len(charts[0].Series) != 3 {
		t.Fatalf("charts %+v", charts)
	}
	grid, paced := charts[0].Series[0], charts[0].Series[2]
	if grid.Label != BudgetGrid || math.Abs(grid.Mean[0]-2*paced.Mean[0]) > 1e-12 || grid.At[0] != 2.9 || charts[1].Series[0].At[0] != 60 {
		t.Errorf("series %+v and %+v", grid, paced)
	}
}
