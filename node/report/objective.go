package report

import (
	"strings"

	"ugp_explorer/planner"
)

// question returns what the mission was to answer.
func (m *Mission) question() string {
	quantity := (&scene{m: m}).quantity()
	switch m.Objective {
	case planner.ObjectiveMap:
		return "How is the " + quantity + " spread over the field?"
	case planner.ObjectiveThreshold:
		if m.Threshold != nil {
			return "Where does the " + quantity + " cross " + measured(*m.Threshold, m.Units) + "?"
		}
	}
	return "Where is the " + quantity + " " + m.extreme() + "?"
}

// extreme says which value is the best.
func (m *Mission) extreme() string {
	if m.Objective == planner.ObjectiveMinimum {
		return "lowest"
	}
	return "highest"
}

// surveyFacts says how well the whole field is known.
func surveyFacts(m *Mission, units string) (list []fact) {
	s := m.Survey
	if s == nil {
		return nil
	}
	note := "posterior deviation, mean over the field"
	if finite(s.Error) {
		note += "; the mean is off the truth by " + significant(s.Error, 3) + units + ", root mean square"
	}
	list = append(list, fact{"Map", "± " + significant(s.StdDev, 3) + units, note})
	if finite(s.Above) {
		note := "for sure, by two deviations; " + percent(s.Below) + " is below, " + percent(1-s.Above-s.Below) + " undecided"
		if finite(s.WrongSide) {
			note += "; of the truth " + percent(s.WrongSide) + " is on the other side than the mean"
		}
		list = append(list, fact{"Above the threshold", percent(s.Above) + " of the field", note})
	}
	return list
}

func percent(share float64) string { return fixed(100*share, 1) + " %" }

// measured writes a value and its unit.
func measured(v float64, units string) string {
	return strings.TrimSpace(significant(v, 4) + " " + units)
}
