// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/node/chart"
)

// Picture draws the limits of regret and map error over the budget as SVG: over the distance, else
// the time, else the samples that the plan's budgets have.
func (a *StudyAnswer) Picture() []byte {
	axis, at := "samples", func(r Row) float64 { return float64(r.Budget.Samples) }
	switch b := a.Rows[0].Budget; {
	case b.Distance > 0:
		axis, at = "battery, km", func(r Row) float64 { return r.Budget.Distance / 1000 }
	case b.Duration > 0:
		axis, at = "battery, min", func(r Row) float64 { return r.Budget.Duration / 60 }
	}
	rows := slices.Clone(a.Rows)
	slices.SortStableFunc(rows, func(x, y Row) int { return cmp.Compare(at(x), at(y)) })
	var labels []string
	label := func(r Row) string {
		switch {
		case axis == "samples":
			return "no limit of the battery"
		case r.Budget.Samples == 0:
			return "as many samples as fit"
		}
		return fmt.Sprintf("%d samples", r.Budget.Samples)
	}
	for _, r := range a.Rows {
		if !slices.Contains(labels, label(r)) {
			labels = append(labels, label(r))
		}
	}
	// Half of the missions are drawn for one number of samples: that of the answer.
	main, unit := a.main(), a.plan.Unit()
	panels := []chart.Panel{
		{Title: strings.TrimSuffix("below the best, "+unit, ", "), Axis: axis},
		{Title: strings.TrimSuffix("error of the map, "+unit, ", "), Axis: axis},
	}
	for i, of := range []func(Row) (Limit, float64){
		func(r Row) (Limit, float64) { return r.Regret, r.Half.Value },
		func(r Row) (Limit, float64) { return r.MapError, r.MapMid },
	} {
		middle := chart.Line{Label: "median mission, " + label(*main)}
		for _, name := range labels {
			line := chart.Line{Label: name}
			for _, r := range rows {
				if label(r) != name {
					continue
				}
				l, mid := of(r)
				line.X, line.Y = append(line.X, at(r)), append(line.Y, l.Value)
				line.Low, line.High = append(line.Low, l.Low), append(line.High, l.High)
				if name == label(*main) {
					middle.X, middle.Y = append(middle.X, at(r)), append(middle.Y, mid)
				}
			}
			panels[i].Lines = append(panels[i].Lines, line)
		}
		panels[i].Lines = append(panels[i].Lines, middle)
	}
	return chart.SVG(panels, len(panels), "bounds of the limit of 9 missions in 10")
}
