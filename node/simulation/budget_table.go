// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/sim/experiment"
)

// ratioOf returns the mean of a over that of b, with the standard error of first order for
// paired figures: that of a - ratio·b, over the mean of b.
func ratioOf(a, b []float64) (ratio, standardError float64) {
	mean := stat.Mean(b, nil)
	ratio = stat.Mean(a, nil) / mean
	rest := make([]float64, len(a))
	for i := range a {
		rest[i] = a[i] - ratio*b[i]
	}
	return ratio, stat.StdErr(stat.StdDev(rest, nil), float64(len(rest))) / mean
}

func smoothOf(o BudgetOutcome) float64 { return o.Smooth }
func drivenOf(o BudgetOutcome) float64 { return o.Driven / 1000 }

// table returns a Markdown table with a row for each setting and method.
func (p *BudgetPlan) table(s *BudgetStudy, outcomes []BudgetOutcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Regret of the recommendation over %v, mean ± standard error; the ratio to %s, whose means are over the same seeds; behind %s: paired difference ± standard error (number of seeds on which %s was better); root mean square error of the map, and the part of it whose truth is within two of its standard deviations (95.4 %% is consistent). ",
		p.Seeds, p.Methods[0], p.Methods[0], p.Methods[0])
	if len(p.lattices()) > 0 {
		fmt.Fprintf(&b, "The numbers of points of %s are the best on seeds %d to %d, by a parabola over their logarithm.",
			strings.Join(p.lattices(), " and "), TuningSeed, TuningSeed+p.Tuning-1)
	}
	b.WriteString("\n\n| field | budget | method | seeds | samples | driven, km | time, h | smooth | ratio | behind | expected | ratio | behind | map error | map within 2σ, % |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, setting := range p.Settings {
		groups := s.Groups(outcomes, setting)
		for i, g := range groups {
			if len(g.Results) < 2 {
				continue
			}
			mean := func(of func(BudgetOutcome) float64) float64 { return stat.Mean(experiment.Figures(g.Results, of), nil) }
			fmt.Fprintf(&b, "| %s | %v | %s | %d | %.1f | %.2f | %.2f |", setting.Field, setting.BudgetLimit, g.Results[0].label(), len(g.Results),
				mean(func(o BudgetOutcome) float64 { return float64(o.Samples) }), mean(drivenOf), mean(func(o BudgetOutcome) float64 { return o.Duration / 3600 }))
			for _, of := range []func(BudgetOutcome) float64{smoothOf, func(o BudgetOutcome) float64 { return o.Expected }} {
				own, first := experiment.Figures(g.Results, of), experiment.Figures(groups[0].Results, of)
				m, se := experiment.MeanError(own)
				fmt.Fprintf(&b, " %.4f ± %.4f |", m, se)
				if i == 0 {
					b.WriteString(" | |")
					continue
				}
				ratio, of := ratioOf(own, first)
				fmt.Fprintf(&b, " %.2f ± %.2f | %v |", ratio, of, experiment.Compare(first, own))
			}
			fmt.Fprintf(&b, " %.4f | %.1f |\n", mean(func(o BudgetOutcome) float64 { return o.MapError }), mean(func(o BudgetOutcome) float64 { return 100 * o.Inside }))
		}
	}
	for _, o := range outcomes {
		if o.GivenUp {
			fmt.Fprintf(&b, "\nGiven up in the fault state and counted with its results so far: %v, after %d samples.\n", o.BudgetTrial, o.Samples)
		}
	}
	return b.String()
}

// charts returns for each field and each kind of budget the regret of each method over the
// distance that was driven and over the time, both as means over the missions of a budget.
// Each point is a budget.
func (p *BudgetPlan) charts(s *BudgetStudy, outcomes []BudgetOutcome) []experiment.Chart {
	type group struct{ field, kind string }
	var groups []group
	fields, kinds := map[string]bool{}, map[string]bool{}
	for _, setting := range p.Settings {
		g := group{setting.Field, setting.kind()}
		fields[g.field], kinds[g.kind] = true, true
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	var charts []experiment.Chart
	for _, g := range groups {
		for _, axis := range []struct {
			name, title string
			of          func(BudgetOutcome) float64
		}{
			{"metres", "driven, km", drivenOf},
			{"minutes", "time, min", func(o BudgetOutcome) float64 { return o.Duration / 60 }},
		} {
			c := experiment.Chart{Name: axis.name, Title: "regret of the recommendation, smooth field, in the unit of the field", Axis: axis.title, Spread: "standard error"}
			if len(fields) > 1 {
				c.Name, c.Title = c.Name+"-"+slug(g.field), c.Title+", "+g.field
			}
			if len(kinds) > 1 {
				c.Name, c.Axis = c.Name+"-"+slug(g.kind), c.Axis+", budgets of "+g.kind
			}
			c.Series = make([]experiment.Series, len(s.Methods))
			points := 0
			for _, setting := range p.Settings {
				results := s.Groups(outcomes, setting)
				if setting.Field != g.field || setting.kind() != g.kind || len(results[0].Results) < 2 {
					continue
				}
				points++
				for i, r := range results {
					mean, se := experiment.MeanError(experiment.Figures(r.Results, smoothOf))
					series := &c.Series[i]
					if series.Label = (BudgetTrial{Method: r.Method}).label(); r.Method == BudgetPaced {
						series.Label = "explorer"
					}
					series.At = append(series.At, stat.Mean(experiment.Figures(r.Results, axis.of), nil))
					series.Mean, series.Deviation = append(series.Mean, mean), append(series.Deviation, se)
				}
			}
			if points > 0 {
				charts = append(charts, c)
			}
		}
	}
	return charts
}

// slug returns a name with letters, digits and hyphens only, for a file.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}
