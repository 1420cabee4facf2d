package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// team draws where other robots have taken samples.
func (s *scene) team() []layer {
	if len(s.m.Team) == 0 {
		return nil
	}
	places := make([]Place, len(s.m.Team))
	for i, t := range s.m.Team {
		places[i] = Place{t.Observation.Belief.X, t.Observation.Belief.Y}
	}
	return []layer{mark("sample of another robot", places, diamond)}
}

// teamFact says how many samples came of which robots.
func teamFact(m *Mission) fact {
	of := map[string]int{}
	for _, t := range m.Team {
		of[t.Robot]++
	}
	var list []string
	for _, robot := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%d of %s", of[robot], robot))
	}
	return fact{"Samples of other robots", fmt.Sprint(len(m.Team)), strings.Join(list, ", ")}
}

// andOfOthers names how many samples of other robots there are besides.
func andOfOthers(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d of other robots", n)
}

func teamTable(m *Mission) table {
	t := table{
		Title: "Samples of other robots", Folded: true,
		Note: "What other robots of the team sampled and told of. The model learnt from them as from its own; they are no part of the budget.",
		Head: []string{"robot", "sample", "time (s)", "believed x (m)", "believed y (m)", withUnits("value", m.Units), withUnits("deviation", m.Units)},
	}
	for _, s := range m.Team {
		o := s.Observation
		v, d := with(o.Value, deviation(o.Variance))
		t.Rows = append(t.Rows, row{Cells: []string{s.Robot, fmt.Sprint(o.Sequence), fixed(o.Stamp, 1), fixed(o.Belief.X, 1), fixed(o.Belief.Y, 1), v, d}})
	}
	return t
}
