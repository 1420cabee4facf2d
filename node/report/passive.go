package report

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stops returns how many observations were made standing.
func stops(m *Mission) int {
	n := 0
	for _, o := range m.Observations {
		if o.Path == nil {
			n++
		}
	}
	return n
}

// pathText returns the length of the piece of path of an observation, empty where
// the robot stood.
func pathText(o Observation) string {
	if o.Path == nil {
		return ""
	}
	return fixed(*o.Path, 1)
}

// consistencyFact is the headline of how the beliefs agree with the true places.
func consistencyFact(c *Consistency) fact {
	share := 100 * float64(c.Inside) / float64(c.Readings)
	return fact{
		"Truth inside 2σ", fixed(share, 1) + " %",
		fmt.Sprintf("of %s, in the ellipse of the belief about its own place; 86.5 %% is consistent. Mean squared Mahalanobis distance %s, 2 is consistent",
			Count(c.Readings, "reading"), significant(c.Squared, 3)),
	}
}

// sourceTable says what was replayed.
func sourceTable(m *Mission) table {
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
			t.Rows = append(t.Rows, row{Cells: r[:]})
		}
	}
	if s.Lost > 0 {
		t.Rows = append(t.Rows, row{Cells: []string{"lost", fmt.Sprintf("%d bytes", s.Lost)}, Marked: true})
	}
	for _, p := range s.Problems {
		t.Rows = append(t.Rows, row{Cells: []string{"problem", p}, Marked: true})
	}
	for _, n := range s.Notes {
		t.Rows = append(t.Rows, row{Cells: []string{"note", n}})
	}
	return t
}

func suggestionTable(m *Mission) table {
	units := m.Transform.modelUnits(m.Units)
	t := table{
		Title: "Suggested and driven",
		Note: "The goal that would have been chosen after each stop and every so many observations, and where the robot was at the next one. " +
			"Both have their upper confidence bound μ̂ + β·σ̂ by the posterior of that moment; behind is what the place where it went lacks.",
		Head: []string{
			"samples known", "time (s)", "robot x (m)", "robot y (m)", "goal x (m)", "goal y (m)", "way (m)",
			withUnits("mean", units), withUnits("deviation", units), "β", withUnits("bound", units),
			"went x (m)", "went y (m)", withUnits("bound", units), withUnits("behind", units),
		},
		Folded: len(m.Suggestions) > mostUnfolded,
	}
	for _, s := range m.Suggestions {
		goal, there := s.Acquisition()
		cells := []string{
			fmt.Sprint(s.Samples), fixed(s.Stamp, 1), fixed(s.Robot[0], 1), fixed(s.Robot[1], 1),
			fixed(s.Target[0], 1), fixed(s.Target[1], 1), fixed(s.Way, 0),
			significant(s.Mean, 4), significant(s.StdDev, 3), significant(s.Beta, 3), significant(goal, 4),
		}
		if s.Went != nil {
			cells = append(cells, fixed(s.Went[0], 1), fixed(s.Went[1], 1), significant(there, 4), significant(goal-there, 3))
		} else {
			cells = append(cells, "", "", "", "")
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return t
}

// mostUnfolded is the number of rows from which a table is shown only when it is
// asked for.
const mostUnfolded = 100

// suggestions draws each goal that was suggested, joined with where the robot was
// then.
func suggestions(list []Suggestion) []layer {
	var from, to []Place
	for _, s := range list {
		from, to = append(from, s.Robot), append(to, s.Target)
	}
	join := joined(from, to, draw.LineStyle{Color: vermillion, Width: 0.5, Dashes: dashed})
	join.entry = entry{"robot at the time to its goal", func(c draw.Canvas, p vg.Point) {
		c.StrokeLine2(draw.LineStyle{Color: vermillion, Width: 0.5, Dashes: dashed}, p.X-7, p.Y, p.X+7, p.Y)
	}}
	return []layer{join, mark("suggested goal", to, square(vermillion, targetRadius, 1))}
}

// driven says how much of the suggested bound the robot's own ways had, for a
// caption.
func driven(list []Suggestion) string {
	n, behind := 0, 0.0
	for _, s := range list {
		if goal, went := s.Acquisition(); s.Went != nil && finite(goal-went) {
			behind += goal - went
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" Where the robot went instead, the bound was lower by %s in the mean.", significant(behind/float64(n), 3))
}
