package experiment

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Chart is the content of a picture in the paper's form.
type Chart struct {
	Name  string // of its file, without an ending
	Title string // of the vertical axis

	// Groups are the settings of bars, nil for curves over the iterations, and Axis
	// what they are of.
	Groups []string
	Axis   string

	Series []Series
	Spread string // what the series' deviations are
}

// spreadOfTrials is the Spread of what the deviations over the trials are of.
const spreadOfTrials = "deviation over the trials"

// Series is a method's mean over the trials and its deviation, at each iteration or
// in each group.
type Series struct {
	Label           string
	Mean, Deviation []float64
}

// Charts returns, for each setting that has trials, the mean and the recommended
// regret over the iterations; and where the plan has several ratios or weights, the
// regrets after the last iteration over those.
func (p *Plan) Charts(results []Result) []Chart {
	var charts []Chart
	for _, m := range []Measure{Measures()[0], Measures()[2]} {
		for _, s := range p.settingsAll() {
			groups := p.groups(results, s)
			if len(groups[0].Results) == 0 {
				continue
			}
			c := Chart{
				Name:  fmt.Sprintf("%s-ratio-%g-beta-%s", m.Name, s.Ratio, strings.ReplaceAll(s.Beta, "*", "x")),
				Title: fmt.Sprintf("%s regret, %s, β %s", m.Name, taken(s.Ratio), s.Beta), Spread: spreadOfTrials,
			}
			for _, g := range groups {
				c.Series = append(c.Series, curves(g.Method, g.Results, m.Of))
			}
			charts = append(charts, c)
		}
		if len(p.Ratios) > 1 {
			for _, beta := range p.Betas {
				var of []Setting
				for _, ratio := range p.Ratios {
					of = append(of, Setting{ratio, beta})
				}
				c := p.bars(results, m, of, func(s Setting) string { return fmt.Sprintf("%g", s.Ratio) })
				c.Name, c.Axis = fmt.Sprintf("%s-over-ratios-beta-%s", m.Name, strings.ReplaceAll(beta, "*", "x")), "σ as it is taken to be, over σ"
				c.Title = fmt.Sprintf("%s regret after %d samples, β %s", m.Name, p.Iterations, beta)
				charts = append(charts, c)
			}
		}
		if len(p.Betas) > 1 {
			for _, ratio := range p.Ratios {
				var of []Setting
				for _, beta := range p.Betas {
					of = append(of, Setting{ratio, beta})
				}
				c := p.bars(results, m, of, func(s Setting) string { return s.Beta })
				c.Name, c.Axis = fmt.Sprintf("%s-over-betas-ratio-%g", m.Name, ratio), "β"
				c.Title = fmt.Sprintf("%s regret after %d samples, %s", m.Name, p.Iterations, taken(ratio))
				charts = append(charts, c)
			}
		}
	}
	return charts
}

// taken says in a picture, whose letters cannot wear a hat, what σ̂ is.
func taken(ratio float64) string {
	if ratio == 1 {
		return "σ known"
	}
	return fmt.Sprintf("σ taken for %g σ", ratio)
}

// curves returns a measure's mean and deviation at each iteration over the results
// of a method.
func curves[R any](method string, results []R, measure func(R) []float64) Series {
	of := make([][]float64, len(results))
	for i, r := range results {
		of[i] = measure(r)
	}
	s := Series{Label: method}
	column := make([]float64, len(of))
	for t := range of[0] {
		for i := range of {
			column[i] = of[i][t]
		}
		mean, deviation := meanDeviation(column)
		s.Mean, s.Deviation = append(s.Mean, mean), append(s.Deviation, deviation)
	}
	return s
}

// bars returns a measure after the last iteration under each setting that has
// trials.
func (p *Plan) bars(results []Result, m Measure, settings []Setting, name func(Setting) string) Chart {
	return bars(p.Methods, settings, name, func(s Setting) (figures [][]float64) {
		for _, g := range p.groups(results, s) {
			figures = append(figures, last(g.Results, m.Of))
		}
		return figures
	})
}

// bars returns a bar for each method under each setting that has trials: figures
// are those of the methods' trials.
func bars[S any](methods []string, settings []S, name func(S) string, figures func(S) [][]float64) Chart {
	c := Chart{Groups: []string{}, Series: make([]Series, len(methods)), Spread: spreadOfTrials}
	for i, method := range methods {
		c.Series[i].Label = method
	}
	for _, s := range settings {
		of := figures(s)
		if len(of[0]) == 0 {
			continue
		}
		c.Groups = append(c.Groups, name(s))
		for i, x := range of {
			mean, deviation := meanDeviation(x)
			c.Series[i].Mean = append(c.Series[i].Mean, mean)
			c.Series[i].Deviation = append(c.Series[i].Deviation, deviation)
		}
	}
	return c
}

// meanDeviation returns the mean of x and its standard deviation, 0 of one.
func meanDeviation(x []float64) (mean, deviation float64) {
	if len(x) == 1 {
		return x[0], 0
	}
	return stat.MeanStdDev(x, nil)
}
