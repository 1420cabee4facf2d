package advise

import (
	"cmp"
	"fmt"
	"slices"

	"ugp_explorer/node/report"
)

// Pictures draws the limits of regret and map error over the budget, as PNG and as SVG: over
// the distance, else the time, else the samples that the plan's budgets have.
func (a *Answer) Pictures() (png, svg []byte, err error) {
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
			return "9 missions of 10"
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
	unit := a.plan.Unit()
	if !a.plan.scaled() {
		unit = "field's σ"
	}
	panels := []report.BoundedPanel{
		{Title: "below the best, " + unit, Axis: axis},
		{Title: "error of the map, " + unit, Axis: axis},
	}
	for i, of := range []func(Row) Limit{func(r Row) Limit { return r.Regret }, func(r Row) Limit { return r.MapError }} {
		for _, name := range labels {
			line := report.Bounded{Label: name}
			for _, r := range rows {
				if l := of(r); label(r) == name {
					line.At, line.Mean = append(line.At, at(r)), append(line.Mean, l.Value)
					line.Low, line.Up = append(line.Low, l.Low), append(line.Up, l.High)
				}
			}
			panels[i].Lines = append(panels[i].Lines, line)
		}
	}
	return report.BoundedPictures("limit of 9 missions in 10, and its bounds", panels)
}
