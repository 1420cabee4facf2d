// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
)

// facts returns the headline numbers.
func facts(m *record.Mission) []fact {
	scale := m.Scale()
	units := scale.Units
	if units != "" {
		units = " " + units
	}
	var list []fact
	if r := m.Recommendation; !m.LooksForBest() {
		// the answer is about the whole field
	} else if r != nil {
		low, high := scale.Value(r.Mean-2*r.StdDev), scale.Value(r.Mean+2*r.StdDev)
		v, d := valueWithSigma(scale.Value(r.Mean), (high-low)/4)
		note := "posterior mean ± one standard deviation"
		if scale.Log != "" {
			note = fmt.Sprintf("posterior median; 2σ interval %s to %s%s", significant(low, 3), significant(high, 3), units)
		}
		after := fmt.Sprintf("in frame %s, after %s", m.Frame, num.Count(r.AfterSamples, "sample"))
		if r.AfterTeam > 0 {
			after += fmt.Sprintf(" and %d from other robots", r.AfterTeam)
		}
		list = append(list,
			fact{"Best place", placeIn(m.Field, r.Target), after},
			fact{"Value there", v + " ± " + d + units, note})
	} else {
		why := "no sample was taken"
		if len(m.Observations) > 0 {
			why = "no place is expected to be better than any other"
		}
		list = append(list, fact{"Best place", "none", why})
	}
	samples := fact{"Samples", fmt.Sprint(len(m.Observations)), ""}
	if m.Budget.Samples > 0 {
		samples.Value += fmt.Sprintf(" of %d", m.Budget.Samples)
	}
	if n := len(m.Skipped); n > 0 {
		samples.Note = num.Count(n, "target") + " given up"
	}
	if m.WithoutStops() {
		n := 0 // observations made at a stop
		for _, o := range m.Observations {
			if o.Path == nil {
				n++
			}
		}
		samples.Note = fmt.Sprintf("%s, %s", num.Count(n, "stop"), num.Count(len(m.Observations)-n, "path piece"))
	}
	if n := len(m.Struck()); n > 0 {
		samples.Note = strings.TrimPrefix(samples.Note+", "+fmt.Sprint(n)+" struck", ", ")
	}
	list = append(list, samples)
	if n := len(m.Earlier); n > 0 {
		list = append(list, fact{"Earlier samples", fmt.Sprint(n), "from before the mission; the model used them from the start, and they do not count against the budget"})
	}
	if len(m.Team) > 0 {
		of := map[string]int{}
		for _, t := range m.Team {
			of[t.Robot]++
		}
		var counts []string
		for _, robot := range slices.Sorted(maps.Keys(of)) {
			counts = append(counts, fmt.Sprintf("%d from %s", of[robot], robot))
		}
		list = append(list, fact{"Samples of other robots", fmt.Sprint(len(m.Team)), strings.Join(counts, ", ")})
	}
	list = append(list, surveyFacts(m)...)
	driven := fact{"Distance driven", num.Metres(m.Distance), ""}
	if m.Budget.Distance > 0 {
		driven.Note = "of " + num.Metres(m.Budget.Distance)
	}
	took := fact{"Mission time", duration(m.SimulatedTime), duration(m.WallTime) + " by the computer's clock"}
	if m.Budget.Time > 0 {
		took.Note = "of " + duration(m.Budget.Time) + "; " + took.Note
	}
	return append(list, driven, took, fact{"Method", m.Method, fmt.Sprintf("seed %d", m.Seed)}, fact{"Program", cmp.Or(m.Program, unknown), m.Outcome})
}

// simulated returns the numbers that are known only in a simulation.
func simulated(m *record.Mission) (list []fact) {
	if t := m.Truth; t != nil && m.LooksForBest() && num.Finite(surface(t).Regret) {
		list = append(list, fact{"Regret", strings.TrimSpace(significant(regret(m, surface(t), surface(t).Regret), 3) + " " + m.Scale().Units), "difference between the " + extreme(m) + " true value and the true value at the best place: " + surface(t).Description})
	}
	if c := m.Consistency; c != nil {
		list = append(list, fact{
			"Truth inside 2σ", percent(float64(c.Inside) / float64(c.Readings)),
			fmt.Sprintf("of %s: the true place is inside the 2σ ellipse of its belief; 86.5 %% if the beliefs are consistent. Mean squared Mahalanobis distance: %s; 2 if they are consistent",
				num.Count(c.Readings, "reading"), significant(c.Squared, 3)),
		})
	}
	if s := m.Survey; s != nil && num.Finite(s.Error) {
		note := "root mean square error of the map; the truth is within two standard deviations on " + percent(s.Inside) + " of the field"
		if num.Finite(s.WrongSide) {
			note += "; mean and truth are on different sides of the threshold on " + percent(s.WrongSide)
		}
		list = append(list, fact{"Error of the map", deviation(m, s.Error), note})
	}
	return list
}

// title returns the title of the report.
func title(m *record.Mission) string {
	name := record.Capitalised(m.Scale().Quantity)
	switch field := strings.ToLower(m.Field.Name); {
	case field == "" || field == "field":
		return name + " in the field"
	case strings.Contains(field, "field") || strings.HasPrefix(field, "the "): // its name describes it
		return name + " in " + m.Field.Name
	}
	return name + " in the field " + m.Field.Name
}

// summary returns when and where the mission was, and what it spent.
func summary(m *record.Mission) string {
	var list []string
	const least = 1e9 // s, of a clock that shows the time of day
	if m.Started > least {
		list = append(list, time.Unix(int64(m.Started), 0).UTC().Format("2 January 2006, 15:04 UTC"))
	}
	if m.Truth != nil {
		list = append(list, "simulated")
	}
	if b := m.Field.Boundary; len(b) > 0 {
		text := hectares(area(b))
		var out float64
		for _, k := range m.Field.KeepOuts {
			out += area(k)
		}
		if n := len(m.Field.KeepOuts); n > 0 {
			text += ", " + num.Count(n, "keep-out") + " of " + hectares(out)
		}
		list = append(list, text)
	}
	list = append(list, fmt.Sprintf("%s, %s driven in %s", num.Count(len(m.Observations), "sample"), num.Metres(m.Distance), duration(m.SimulatedTime)))
	if m.Outcome != "" {
		list = append(list, m.Outcome)
	}
	return strings.Join(list, " · ")
}

// area returns the area of a polygon without its holes, m².
func area(rings [][]record.Place) float64 {
	p := make(orb.Polygon, len(rings))
	for i, r := range rings {
		p[i] = r
	}
	return planar.Area(p)
}

func hectares(m2 float64) string { return significant(m2/1e4, 2+min(1, int(m2/1e6))) + " ha" }

// extreme returns the word for the best value.
func extreme(m *record.Mission) string {
	if m.Objective == record.ObjectiveMinimum {
		return "lowest"
	}
	return "highest"
}

// regret returns a regret on a surface, user's units, as the difference of the values that people see.
func regret(m *record.Mission, of *record.Surface, v float64) float64 {
	scale, there := m.Scale(), of.Best-v
	if m.Objective == record.ObjectiveMinimum {
		there = of.Best + v
	}
	return math.Abs(scale.Reading(of.Best) - scale.Reading(there))
}

// deviation writes a standard deviation of values in the user's units as people see it.
func deviation(m *record.Mission, v float64) string {
	scale := m.Scale()
	if factor, ok := scale.Factor(v); ok {
		return "× " + significant(factor, 3)
	}
	return strings.TrimSpace("± " + significant(v, 3) + " " + scale.Units)
}

// surveyFacts returns how well the whole field is known.
func surveyFacts(m *record.Mission) (list []fact) {
	s := m.Survey
	if s == nil {
		return nil
	}
	list = append(list, fact{"Map", deviation(m, s.StdDev), "posterior standard deviation, averaged over the field"})
	if num.Finite(s.Above) {
		note := "by at least two standard deviations; " + percent(s.Below) + " is below, " + percent(1-s.Above-s.Below) + " is undecided"
		list = append(list, fact{"Above the threshold", percent(s.Above) + " of the field", note})
	}
	return list
}

// surface returns the version of the truth that pictures and headline numbers use: the
// smooth one if it is known. A map cannot show, and no planner can find, what changes
// within a cell.
func surface(t *record.Truth) *record.Surface {
	if t.Smooth != nil {
		return t.Smooth
	}
	return &t.Raw
}
