package experiment

import "gonum.org/v1/gonum/stat"

// Chart is the content of a picture in the paper's form.
type Chart struct {
	Name  string // of its file, without an extension
	Title string // of the vertical axis

	// Groups are the names of the settings of a bar chart, and Axis says what they are. Without
	// Groups there are curves over the iterations or, where the series have places, over the
	// quantity that Axis names.
	Groups []string
	Axis   string

	Series []Series
	Spread string // what the series' Deviation is
}

// spreadOfTrials is the Spread of standard deviations over the trials.
const spreadOfTrials = "deviation over the trials"

// Series is a method's mean over the trials and its spread, at each iteration or in each
// group.
type Series struct {
	Label           string
	Mean, Deviation []float64
	At              []float64 // places on the horizontal axis; nil: the iterations or groups
}

// add appends the mean of figures and their standard deviation, which is 0 for one figure.
func (s *Series) add(figures []float64) {
	mean, stdDev := figures[0], 0.0
	if len(figures) > 1 {
		mean, stdDev = stat.MeanStdDev(figures, nil)
	}
	s.Mean, s.Deviation = append(s.Mean, mean), append(s.Deviation, stdDev)
}

// lines returns c with a curve over the samples for each method under a setting; nothing
// where no trial has all methods.
func (s *Study[S, J, R]) lines(c Chart, results []R, curve Curve[R], setting S) []Chart {
	groups := s.Groups(results, setting)
	if len(groups[0].Results) == 0 {
		return nil
	}
	c.Spread = spreadOfTrials
	for _, g := range groups {
		series, values := Series{Label: g.Method}, make([][]float64, len(g.Results))
		for i, r := range g.Results {
			values[i] = curve.Of(r)
		}
		for n := range values[0] {
			figures := make([]float64, len(values))
			for i, v := range values {
				figures[i] = v[n]
			}
			series.add(figures)
		}
		c.Series = append(c.Series, series)
	}
	return []Chart{c}
}

// bars returns c with a bar for each method under each of the settings that label takes,
// after the last sample; nothing where no trial of any of them has all methods.
func (s *Study[S, J, R]) bars(c Chart, results []R, curve Curve[R], label func(S) (name string, ok bool)) []Chart {
	c.Spread, c.Series = spreadOfTrials, make([]Series, len(s.Methods))
	for i, method := range s.Methods {
		c.Series[i].Label = method
	}
	for _, setting := range s.Settings {
		name, ok := label(setting)
		groups := s.Groups(results, setting)
		if !ok || len(groups[0].Results) == 0 {
			continue
		}
		c.Groups = append(c.Groups, name)
		for i, g := range groups {
			c.Series[i].add(last(g.Results, curve.Of))
		}
	}
	if c.Groups == nil {
		return nil
	}
	return []Chart{c}
}
