// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
)

// tables returns the tables for which a mission has data.
func tables(m *record.Mission) (list []table) {
	for _, t := range []table{
		sourceTable(m), suggestionTable(m), observationTable(m), teamTable(m), skippedTable(m), countTable(m), hyperTable(m), decisionTable(m),
	} {
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// zoneTable has the zones for people, in the units of people.
func zoneTable(m *record.Mission, results export.Results) table {
	scale := m.Scale()
	t := table{
		Title: "Zones", Head: []string{"zone", withUnits(scale.Quantity, scale.Units), withUnits("mean", scale.Units), "area (ha)", "of the field", "certain"},
		Note: strings.TrimSpace("Certain is the share of a zone whose value lies between the zone's limits with a probability of 95 %. " + results.Note),
	}
	whole := 0.0
	for _, z := range results.Zones {
		whole += z.Area
	}
	for _, z := range results.Zones {
		certain := unknown
		if num.Finite(z.Certain) {
			certain = fixed(100*z.Certain, 0) + "\u00a0%" // in one line, also on a phone
		}
		t.add(fmt.Sprint(z.Number), z.Label(""), significant(z.Mean, 3), significant(z.Area/1e4, 3), fixed(100*z.Area/whole, 0)+"\u00a0%", certain)
	}
	return t
}

func truthTable(m *record.Mission) table {
	near, scale := decimals(m.Field), m.Scale()
	t := table{
		Title: "Against the truth",
		Head:  []string{"field", withUnits(extreme(m)+" value", scale.Units), "at (m)", withUnits("at the best place", scale.Units), withUnits("regret", scale.Units)},
	}
	if m.Truth == nil {
		return t
	}
	t.Note = "The true field: " + m.Truth.Name + "."
	for _, s := range []struct {
		name    string
		surface *record.Surface
	}{{"raw", &m.Truth.Raw}, {"smooth", m.Truth.Smooth}, {"expected", m.Truth.Expected}} {
		if s.surface == nil {
			continue
		}
		name := s.name
		if s.surface.Description != "" {
			name += ": " + s.surface.Description
		}
		t.add(
			name, significant(scale.Reading(s.surface.Best), 4),
			fixed(s.surface.BestAt[0], near)+", "+fixed(s.surface.BestAt[1], near),
			significant(scale.Reading(s.surface.AtRecommendation), 4), significant(regret(m, s.surface, s.surface.Regret), 3),
		)
	}
	return t
}

func observationTable(m *record.Mission) table {
	near, scale := decimals(m.Field), m.Scale()
	t := table{
		Title: "Samples",
		Note: "σ major and σ minor are the standard deviations of the believed place along its principal axes. " +
			"The angle is that of the major axis, counter-clockwise from x.",
		Head: []string{
			"sample", "time (s)", "target x (m)", "target y (m)", "believed x (m)", "believed y (m)",
			"σ major (m)", "σ minor (m)", "angle (°)", "off target (m)", "readings",
			withUnits("value", scale.Units), withUnits("standard deviation", scale.Units),
		},
	}
	for _, q := range m.Also {
		t.Head = append(t.Head, withUnits(q.Quantity, q.Units))
	}
	marked, along := false, m.WithoutStops()
	if along {
		t.Note = "σ major and σ minor are the standard deviations of the believed place along its principal axes, including the spread along the path. " +
			"The angle is that of the major axis, counter-clockwise from x. A stop has no path."
		t.Head = slices.Replace(t.Head, 2, 4, "path (m)")
		t.Head = slices.DeleteFunc(t.Head, func(h string) bool { return h == "off target (m)" })
	}
	t.Folded = len(m.Observations) > mostUnfolded
	for i := range m.Observations {
		o := &m.Observations[i]
		if o.Struck != "" {
			continue
		}
		major, minor, angle := o.Belief.Covariance().Axes()
		value, variance := scale.Sample(o)
		v, d := valueWithSigma(value, math.Sqrt(variance))
		star := ""
		if r := m.Recommendation; r != nil && o.Target == r.Target {
			star, marked = " ★", true
		}
		cells := []string{fmt.Sprint(o.Sequence) + star, fixed(o.Stamp, 1)}
		switch {
		case along && o.Path == nil:
			cells = append(cells, "")
		case along:
			cells = append(cells, fixed(*o.Path, 1))
		default:
			cells = append(cells, fixed(o.Target[0], near), fixed(o.Target[1], near))
		}
		cells = append(cells, fixed(o.Belief.X, near), fixed(o.Belief.Y, near),
			significant(major, 3), significant(minor, 3), fixed(angle*180/math.Pi, 0))
		if !along {
			cells = append(cells, significant(math.Hypot(o.Belief.X-o.Target[0], o.Belief.Y-o.Target[1]), 3))
		}
		cells = append(cells, fmt.Sprint(o.Readings), v, d)
		for k := range m.Also {
			text := ""
			if at := o.AlsoAt(k); at != nil {
				text = significant(at.Value, 4)
			}
			cells = append(cells, text)
		}
		t.Rows = append(t.Rows, row{Marked: star != "", Cells: cells})
	}
	if struck := m.StruckText(); struck != "" {
		t.Note += " " + struck
	}
	if marked {
		t.Note += " A star marks the samples whose target is the recommended place."
	}
	return t
}

func skippedTable(m *record.Mission) table {
	near := decimals(m.Field)
	t := table{Title: "Targets given up", Head: []string{"time (s)", "target x (m)", "target y (m)", "reason"}}
	for _, s := range m.Skipped {
		t.add(fixed(s.Stamp, 1), fixed(s.Target[0], near), fixed(s.Target[1], near), s.Reason)
	}
	return t
}

func countTable(m *record.Mission) table {
	t := table{
		Title: "Data used and dropped",
		Note:  "How many poses, readings and samples were used, and how many were dropped, refused or changed, by reason. Counts of zero are left out.",
		Head:  []string{"reason", "count"},
	}
	for _, reason := range slices.Sorted(maps.Keys(m.Counts)) {
		if n := m.Counts[reason]; n != 0 {
			t.add(reason, fmt.Sprint(n))
		}
	}
	return t
}

func hyperTable(m *record.Mission) table {
	units := m.Transform.ModelUnits(m.Units)
	t := table{
		Title: "Hyper-parameters", Folded: true,
		Note: "The likeliest ones, learnt from the samples. Maps and the best place may also be averaged over others: see models in mission.json.",
		Head: []string{
			"samples", "kernel", "length-scales (m)", withUnits("signal σ", units), withUnits("added noise σ", units),
			withUnits("prior mean", units), "log likelihood", "execution σ (m)", "bias (m)",
		},
	}
	for _, h := range m.Hyper {
		lengths := ""
		for i, l := range h.LengthScales {
			if i > 0 {
				lengths += ", "
			}
			lengths += significant(l, 3)
		}
		execution, bias := "", ""
		if h.Noise != nil {
			execution = significant(math.Sqrt((h.Noise.XX+h.Noise.YY)/2), 3)
		}
		if h.Bias != nil {
			bias = significant(h.Bias[0], 2) + ", " + significant(h.Bias[1], 2)
		}
		t.add(
			fmt.Sprint(h.Samples), h.Kernel, lengths, significant(math.Sqrt(h.SignalVariance), 3),
			significant(math.Sqrt(h.NoiseVariance), 3), significant(h.Mean, 4), significant(h.LogLikelihood, 5),
			execution, bias,
		)
	}
	return t
}

func decisionTable(m *record.Mission) table {
	near := decimals(m.Field)
	units := m.Transform.ModelUnits(m.Units)
	t := table{
		Title: "Decisions", Folded: true,
		Note: "Mean and standard deviation of the posterior when the planner chose the target, at the belief about where the robot would arrive.",
		Head: []string{
			"samples known", "target x (m)", "target y (m)", withUnits("acquisition", units),
			withUnits("mean", units), withUnits("standard deviation", units), "β",
		},
	}
	for _, d := range m.Decisions {
		t.add(
			fmt.Sprint(d.Samples), fixed(d.Target[0], near), fixed(d.Target[1], near), significant(d.Acquisition, 4),
			significant(d.Mean, 4), significant(d.StdDev, 3), significant(d.Beta, 3),
		)
	}
	return t
}

// sourceTable describes the replayed bag.
func sourceTable(m *record.Mission) table {
	t := table{Title: "Replayed", Head: []string{"", ""}}
	s := m.Source
	if s == nil {
		return t
	}
	t.Head = []string{"bag", s.Bag}
	for _, r := range [][2]string{
		{"poses", s.Pose}, {"readings", s.Reading}, {"truth", s.Truth},
		{"messages", fmt.Sprintf("%d, recorded from %s s to %s s", s.Messages, fixed(s.From, 3), fixed(s.To, 3))},
	} {
		if r[1] != "" {
			t.add(r[:]...)
		}
	}
	if s.Lost > 0 {
		t.Rows = append(t.Rows, row{Cells: []string{"lost", fmt.Sprintf("%d bytes", s.Lost)}, Marked: true})
	}
	for _, p := range s.Problems {
		t.Rows = append(t.Rows, row{Cells: []string{"problem", p}, Marked: true})
	}
	for _, n := range s.Notes {
		t.add("note", n)
	}
	return t
}

func suggestionTable(m *record.Mission) table {
	near := decimals(m.Field)
	units := m.Transform.ModelUnits(m.Units)
	t := table{
		Title: "Suggested and driven",
		Note: "The goals that the method would have chosen, and the robot's place at the time of the next suggestion. " +
			"The upper confidence bounds μ̂ + β·σ̂ of both are from the posterior at the time of the suggestion; difference is the bound at the goal minus the bound where the robot went.",
		Head: []string{
			"samples known", "time (s)", "robot x (m)", "robot y (m)", "goal x (m)", "goal y (m)", "path (m)",
			withUnits("mean", units), withUnits("standard deviation", units), "β", withUnits("bound", units),
			"went x (m)", "went y (m)", withUnits("bound", units), withUnits("difference", units),
		},
		Folded: len(m.Suggestions) > mostUnfolded,
	}
	for _, s := range m.Suggestions {
		goal, there := s.Acquisition()
		cells := []string{
			fmt.Sprint(s.Samples), fixed(s.Stamp, 1), fixed(s.Robot[0], near), fixed(s.Robot[1], near),
			fixed(s.Target[0], near), fixed(s.Target[1], near), fixed(s.Path, 0),
			significant(s.Mean, 4), significant(s.StdDev, 3), significant(s.Beta, 3), significant(goal, 4),
		}
		if s.Went != nil {
			cells = append(cells, fixed(s.Went[0], near), fixed(s.Went[1], near), significant(there, 4), significant(goal-there, 3))
		} else {
			cells = append(cells, "", "", "", "")
		}
		t.add(cells...)
	}
	return t
}

// mostUnfolded is the greatest number of rows of a table that is shown without a click.
const mostUnfolded = 100

func teamTable(m *record.Mission) table {
	near, scale := decimals(m.Field), m.Scale()
	t := table{
		Title: "Samples of other robots", Folded: true,
		Note: "Samples received from other robots of the team. The model uses them like its own; they do not count against the budget.",
		Head: []string{"robot", "sample", "time (s)", "believed x (m)", "believed y (m)", withUnits("value", scale.Units), withUnits("standard deviation", scale.Units)},
	}
	for _, s := range m.Team {
		o := s.Observation
		if o.Struck != "" {
			continue
		}
		value, variance := scale.Sample(&o)
		v, d := valueWithSigma(value, math.Sqrt(variance))
		t.add(s.Robot, fmt.Sprint(o.Sequence), fixed(o.Stamp, 1), fixed(o.Belief.X, near), fixed(o.Belief.Y, near), v, d)
	}
	return t
}
