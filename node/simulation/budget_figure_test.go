// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/chart"
)

// TestGeneratedFigure keeps the README's figure what the table of budgets in BENCHMARKS.md says.
func TestGeneratedFigure(t *testing.T) {
	text, err := os.ReadFile("../../BENCHMARKS.md")
	must.OK(t, err)
	// | 3 km | 9, 8, 2.5 | 0.184 ± 0.008 | 27, 3.0 | 0.136 ± 0.008 | …
	rows := regexp.MustCompile(`(?m)^\| [\d.]+ km \| \d+, \d+, ([\d.]+) \| ([\d.]+) ± ([\d.]+) \| \d+, ([\d.]+) \| ([\d.]+) ± ([\d.]+) \|`).FindAllStringSubmatch(string(text), -1)
	if len(rows) != 4 {
		t.Fatalf("the table of budgets has %d rows of distances, want 4", len(rows))
	}
	lines := []chart.Line{{Label: "best even grid"}, {Label: "explorer"}}
	for _, row := range rows {
		for i := range lines {
			var v [3]float64 // km, regret, its standard error
			for k := range v {
				v[k], err = strconv.ParseFloat(row[1+3*i+k], 64)
				must.OK(t, err)
			}
			l := &lines[i]
			l.X, l.Y, l.Low, l.High = append(l.X, v[0]), append(l.Y, v[1]), append(l.Low, v[1]-v[2]), append(l.High, v[1]+v[2])
		}
	}
	figure := chart.SVG([]chart.Panel{{Title: "regret, log10(mg/l) of potassium", Axis: "driven, km", Lines: lines}}, 1, "± standard error")
	checkGenerated(t, "budget_metres.svg", string(figure))
}
