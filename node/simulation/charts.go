package simulation

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/node/report"
)

// Chart is a picture of a measure over the samples, in the paper's form: mean and
// deviation over the seeds.
type Chart struct {
	Name, Title string // Name is of its file, without an ending
	Series      []report.Series
}

// Charts returns a picture for the mean regret, which the paper plots, and for
// that of the recommendation on the smooth field and as expected. A mission that
// ended early counts on with what it had. There is none where a figure is missing.
func Charts(outcomes []Outcome, methods []string) []Chart {
	final, seeds, _ := paired(outcomes, methods)
	samples := 0
	for _, o := range outcomes {
		if n := len(o.Regret); n > 0 {
			samples = max(samples, o.Regret[n-1].Samples)
		}
	}
	var charts []Chart
	for _, m := range []struct{ name, title string }{
		{"mean", "mean expected regret so far"},
		{"smooth", "regret of the recommendation, smooth field"},
		{"expected", "regret of the recommendation, expected"},
	} {
		c := Chart{Name: m.name, Title: m.title}
		of := measureNamed(m.name).of
		for _, method := range methods {
			s := report.Series{Label: method}
			for k := 1; k <= samples; k++ {
				values := make([]float64, len(seeds))
				for i, seed := range seeds {
					values[i] = after(final[method][seed].Regret, k, of)
				}
				mean, deviation := stat.MeanStdDev(values, nil)
				if math.IsNaN(mean) {
					break
				}
				s.Mean, s.Deviation = append(s.Mean, mean), append(s.Deviation, deviation)
			}
			if len(s.Mean) < samples {
				break
			}
			c.Series = append(c.Series, s)
		}
		if samples > 0 && len(c.Series) == len(methods) {
			charts = append(charts, c)
		}
	}
	return charts
}

// after returns a measure after k samples, NaN before the first.
func after(regrets []report.RegretAt, k int, of func(report.RegretAt) float64) float64 {
	value := math.NaN()
	for _, r := range regrets {
		if r.Samples > k {
			break
		}
		value = of(r)
	}
	return value
}
