package report

import "math"

// Survey is how well the whole field is known at the end of a mission, over the
// cells of its maps, in the user's units. NaN means that it was not evaluated.
type Survey struct {
	StdDev float64 `json:"stddev"` // posterior deviation, mean over the cells
	Error  float64 `json:"error"`  // root mean square of posterior mean − truth, the truth smooth where that is known

	// Shares of the cells, under ObjectiveThreshold.
	Above     float64 `json:"above"`      // so high that two deviations below is above the threshold
	Below     float64 `json:"below"`      // so low that two deviations above is below
	WrongSide float64 `json:"wrong_side"` // whose mean is on the other side than the truth
}

// Survey returns what maps say of a field; nil without a posterior. threshold, in
// the user's units, may be nil.
func (m *Maps) Survey(t Transform, threshold *float64) *Survey {
	if m.Mean == nil || m.StdDev == nil || !t.Known() {
		return nil
	}
	var s Survey
	var cells, known float64
	for i, mean := range m.Mean {
		if math.IsNaN(mean) {
			continue
		}
		cells++
		value := t.Inverse(mean)
		s.StdDev += t.Spread(mean, m.StdDev[i])
		if threshold != nil && t.Inverse(mean-2*m.StdDev[i]) > *threshold {
			s.Above++
		}
		if threshold != nil && t.Inverse(mean+2*m.StdDev[i]) < *threshold {
			s.Below++
		}
		if m.Truth == nil || math.IsNaN(m.Truth[i]) {
			continue
		}
		known++
		s.Error += (value - m.Truth[i]) * (value - m.Truth[i])
		if threshold != nil && (value > *threshold) != (m.Truth[i] > *threshold) {
			s.WrongSide++
		}
	}
	if cells == 0 {
		return nil
	}
	s.StdDev /= cells
	s.Error = math.Sqrt(s.Error / known) // NaN without a truth
	s.Above, s.Below, s.WrongSide = s.Above/cells, s.Below/cells, s.WrongSide/known
	if threshold == nil {
		s.Above, s.Below, s.WrongSide = math.NaN(), math.NaN(), math.NaN()
	}
	return &s
}
