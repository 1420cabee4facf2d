package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

func truthTable(m *Mission) table {
	t := table{
		Title: "Against the truth",
		Head:  []string{"field", withUnits(m.extreme()+" value", m.Units), "at (m)", withUnits("at the best place", m.Units), withUnits("regret", m.Units)},
	}
	if m.Truth == nil {
		return t
	}
	t.Note = "The true field: " + m.Truth.Name + "."
	for _, s := range []struct {
		name    string
		surface *Surface
	}{{"raw", &m.Truth.Raw}, {"smooth", m.Truth.Smooth}, {"expected", m.Truth.Expected}} {
		if s.surface == nil {
			continue
		}
		name := s.name
		if s.surface.Description != "" {
			name += ": " + s.surface.Description
		}
		t.Rows = append(t.Rows, row{Cells: []string{
			name, significant(s.surface.Best, 4),
			fixed(s.surface.BestAt[0], 1) + ", " + fixed(s.surface.BestAt[1], 1),
			significant(s.surface.AtRecommendation, 4), significant(s.surface.Regret, 3),
		}})
	}
	return t
}

func observationTable(m *Mission) table {
	t := table{
		Title: "Samples",
		Note: "σ major and σ minor are the standard deviations of the believed place along its principal axes, " +
			"the angle is that of the major axis, counter-clockwise from x.",
		Head: []string{
			"sample", "time (s)", "target x (m)", "target y (m)", "believed x (m)", "believed y (m)",
			"σ major (m)", "σ minor (m)", "angle (°)", "off target (m)", "readings",
			withUnits("value", m.Units), withUnits("deviation", m.Units),
		},
	}
	marked := false
	if m.Passive {
		t.Note = "σ major and σ minor are the standard deviations of the believed place along its principal axes, the spread along the path included; " +
			"the angle is that of the major axis, counter-clockwise from x. At a stop there is no path."
		t.Head = slices.Replace(t.Head, 2, 4, "path (m)")
		t.Head = slices.DeleteFunc(t.Head, func(h string) bool { return h == "off target (m)" })
	}
	t.Folded = len(m.Observations) > mostUnfolded
	for _, o := range m.Observations {
		a := principal(o.Belief.Covariance())
		v, d := with(o.Value, deviation(o.Variance))
		star := ""
		if recommendedBy(m, o) {
			star, marked = " ★", true
		}
		cells := []string{fmt.Sprint(o.Sequence) + star, fixed(o.Stamp, 1)}
		if m.Passive {
			cells = append(cells, pathText(o))
		} else {
			cells = append(cells, fixed(o.Target[0], 1), fixed(o.Target[1], 1))
		}
		cells = append(cells, fixed(o.Belief.X, 1), fixed(o.Belief.Y, 1),
			significant(a.Major, 3), significant(a.Minor, 3), fixed(a.Angle*180/math.Pi, 0))
		if !m.Passive {
			cells = append(cells, significant(math.Hypot(o.Belief.X-o.Target[0], o.Belief.Y-o.Target[1]), 3))
		}
		t.Rows = append(t.Rows, row{Marked: star != "", Cells: append(cells, fmt.Sprint(o.Readings), v, d)})
	}
	if marked {
		t.Note += " A star marks samples taken for the recommended place."
	}
	return t
}

func skippedTable(m *Mission) table {
	t := table{Title: "Targets given up", Head: []string{"time (s)", "target x (m)", "target y (m)", "reason"}}
	for _, s := range m.Skipped {
		t.Rows = append(t.Rows, row{Cells: []string{fixed(s.Stamp, 1), fixed(s.Target[0], 1), fixed(s.Target[1], 1), s.Reason}})
	}
	return t
}

func countTable(m *Mission) table {
	t := table{
		Title: "Dropped and refused",
		Note:  "Data that the mission did not use, or not as it came, by reason.",
		Head:  []string{"reason", "count"},
	}
	for _, reason := range slices.Sorted(maps.Keys(m.Counts)) {
		t.Rows = append(t.Rows, row{Cells: []string{reason, fmt.Sprint(m.Counts[reason])}})
	}
	return t
}

func hyperTable(m *Mission) table {
	units := m.Transform.modelUnits(m.Units)
	t := table{
		Title: "Hyper-parameters", Folded: true,
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
		t.Rows = append(t.Rows, row{Cells: []string{
			fmt.Sprint(h.Samples), h.Kernel, lengths, significant(deviation(h.SignalVariance), 3),
			significant(deviation(h.NoiseVariance), 3), significant(h.Mean, 4), significant(h.LogLikelihood, 5),
			executionStdDev(h.Noise), executionBias(h.Bias),
		}})
	}
	return t
}

func decisionTable(m *Mission) table {
	units := m.Transform.modelUnits(m.Units)
	t := table{
		Title: "Decisions", Folded: true,
		Note: "What the planner saw in each target when it chose it: the posterior at the belief of where the robot would end up.",
		Head: []string{
			"samples known", "target x (m)", "target y (m)", withUnits("acquisition", units),
			withUnits("mean", units), withUnits("deviation", units), "β",
		},
	}
	for _, d := range m.Decisions {
		t.Rows = append(t.Rows, row{Cells: []string{
			fmt.Sprint(d.Samples), fixed(d.Target[0], 1), fixed(d.Target[1], 1), significant(d.Acquisition, 4),
			significant(d.Mean, 4), significant(d.StdDev, 3), significant(d.Beta, 3),
		}})
	}
	return t
}

// executionStdDev returns the root mean square deviation in x and y.
func executionStdDev(c *Covariance) string {
	if c == nil {
		return ""
	}
	return significant(math.Sqrt((c.XX+c.YY)/2), 3)
}

func executionBias(p *Place) string {
	if p == nil {
		return ""
	}
	return significant(p[0], 2) + ", " + significant(p[1], 2)
}
