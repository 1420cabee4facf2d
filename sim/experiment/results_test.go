package experiment

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// made returns results whose regrets are known: the third trial lacks a method.
func made(p *experimentPlan) []trialResult {
	var list []trialResult
	add := func(method, beta string, trial int, instantaneous, recommended []float64) {
		list = append(list, trialResult{Job{method, Setting{1, beta}, trial}, 0.25, instantaneous, recommended})
	}
	add("random", "", 2, []float64{4, 0}, []float64{4, 4})
	add("random", "", 1, []float64{3, 1}, []float64{3, 1})
	add("ugp-ucb", "1", 1, []float64{1, 2}, []float64{2, 0.5})
	add("ugp-ucb", "1", 2, []float64{2, 4}, []float64{2, 1.5})
	add("ugp-ucb", "1", 3, []float64{9, 9}, []float64{9, 9})
	add("ugp-ucb", "7", 1, []float64{9, 9}, []float64{9, 9}) // not the plan's
	return list
}

func plan2() *experimentPlan {
	p := DefaultPlan(RKHS())
	p.Trials, p.Iterations, p.Methods, p.Betas = 3, 2, []string{"ugp-ucb", "random"}, []string{"1"}
	return &p
}

func TestCSV(t *testing.T) {
	p := plan2()
	want := `method,ratio,beta,noise,trial,iteration,instantaneous,mean,simple,recommended
ugp-ucb,1,1,matched,1,1,1,1,1,2
ugp-ucb,1,1,matched,1,2,2,1.5,1,0.5
ugp-ucb,1,1,matched,2,1,2,2,2,2
ugp-ucb,1,1,matched,2,2,4,3,2,1.5
ugp-ucb,1,1,matched,3,1,9,9,9,9
ugp-ucb,1,1,matched,3,2,9,9,9,9
random,1,,matched,1,1,3,3,3,3
random,1,,matched,1,2,1,2,1,1
random,1,,matched,2,1,4,4,4,4
random,1,,matched,2,2,0,2,0,4
`
	results := made(p)
	if got := csvOf(t, p, results); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	slices.Reverse(results)
	if got := csvOf(t, p, results); got != want {
		t.Errorf("in another order:\n%s", got)
	}
}

func TestTable(t *testing.T) {
	p := plan2()
	table := p.table(made(p))
	// Mean regrets 1.5 and 3 against 2 and 2, simple 1 and 2 against 1 and 0,
	// recommended 0.5 and 1.5 against 1 and 4.
	for _, want := range []string{
		"## σ̂/σ = 1, β 1: 2 of 3 trials",
		"| ugp-ucb | 0.25 | 2.2500 ± 0.7500 | | 1.5000 ± 0.5000 | | 1.0000 ± 0.5000 | |",
		"| random | 0.25 | 2.0000 ± 0.0000 | -0.2500 ± 0.7500 (1) | 0.5000 ± 0.5000 | -1.0000 ± 1.0000 (0) | 2.5000 ± 1.5000 | 1.5000 ± 1.0000 (2) |",
		"| 1 | 0.0000 | 0.0000 | 0.0000 |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	if table := p.table(nil); !strings.Contains(table, "0 of 3 trials") || !strings.Contains(table, "No trial has all methods yet") {
		t.Errorf("of nothing:\n%s", table)
	}
}

// The bound's table is of the functions' own expectations.
func TestMismatchTable(t *testing.T) {
	p := plan2()
	p.Ratios = []float64{0.5, 2}
	var b strings.Builder
	p.mismatch(&b)
	norm := p.Problem.Draw(p.draws(1).stream("function")).Norm()
	for ratio, name := range map[float64]string{0.5: "| 0.5 | ", 2: "| 2 | "} {
		// tr = 2/ratio², log|Σ̂|/|Σ| = 4 log ratio.
		want := norm / 2 * math.Sqrt(2/(ratio*ratio)-2+4*math.Log(ratio))
		if i := strings.Index(b.String(), name); i < 0 || !strings.Contains(b.String()[i:], fourDigits(want)) {
			t.Errorf("ratio %g: want %g in\n%s", ratio, want, b.String())
		}
	}
}

func fourDigits(v float64) string {
	return strings.TrimSpace(strings.Split(paired{Difference: v}.String(), "±")[0])
}

func TestCompare(t *testing.T) {
	got := Compare([]float64{1, 2, 3}, []float64{2, 2, 7})
	if got.Wins != 2 || math.Abs(got.Difference-5.0/3) > 1e-12 || math.Abs(got.StandardError-math.Sqrt(13.0/3/3)) > 1e-12 {
		t.Errorf("%+v", got)
	}
}

func TestCharts(t *testing.T) {
	p := plan2()
	p.Betas = []string{"1", "0.5*theorem"}
	charts := p.charts(made(p))
	names := map[string]Chart{}
	for _, c := range charts {
		names[c.Name] = c
		if c.Spread == "" || strings.Contains(c.Title+c.Axis, "\u0302") { // a hat that the pictures' letters cannot wear
			t.Errorf("%+v", c)
		}
	}
	if len(charts) != 2 || len(names) != 2 { // no trial has the theorem's β
		t.Fatalf("%d charts: %v", len(charts), names)
	}
	c, ok := names["mean-ratio-1-beta-1"]
	if !ok || c.Title != "mean regret, σ known, β 1" || len(c.Series) != 2 || !slices.Equal(c.Series[0].Mean, []float64{1.5, 2.25}) || math.Abs(c.Series[0].Deviation[0]-math.Sqrt(0.5)) > 1e-12 {
		t.Errorf("%+v", c)
	}
}
