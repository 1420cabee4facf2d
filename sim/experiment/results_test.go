// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"slices"
	"strings"
	"testing"
)

// made returns results whose regrets are known: the third trial lacks a method.
func made(p *Plan) []TrialResult {
	var list []TrialResult
	add := func(method, beta string, trial int, instantaneous, recommended []float64) {
		list = append(list, TrialResult{Job{method, Setting{1, beta}, trial}, 0.25, instantaneous, recommended})
	}
	add("random", "", 2, []float64{4, 0}, []float64{4, 4})
	add("random", "", 1, []float64{3, 1}, []float64{3, 1})
	add("ugp-ucb", "1", 1, []float64{1, 2}, []float64{2, 0.5})
	add("ugp-ucb", "1", 2, []float64{2, 4}, []float64{2, 1.5})
	add("ugp-ucb", "1", 3, []float64{9, 9}, []float64{9, 9})
	add("ugp-ucb", "7", 1, []float64{9, 9}, []float64{9, 9}) // not the plan's
	return list
}

func plan2() *Plan {
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
