package simulation

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/experiment"
)

// Charts returns charts of the mean regret, which the paper plots, and of the
// recommendation's regret on the smooth field and as expected. Each shows the mean and the
// standard deviation over the seeds after each sample. A mission that ended early counts
// with its last values. A chart with missing values is left out.
func (p Plan) Charts(outcomes []Outcome) []experiment.Chart {
	groups := p.groups(outcomes)
	samples := 0
	for _, o := range outcomes {
		if n := len(o.Regret); n > 0 {
			samples = max(samples, o.Regret[n-1].Samples)
		}
	}
	var charts []experiment.Chart
	for _, m := range []struct{ name, title string }{
		{"mean", "mean expected regret so far"},
		{"smooth", "regret of the recommendation, smooth field"},
		{"expected", "regret of the recommendation, expected"},
	} {
		c := experiment.Chart{Name: m.name, Title: m.title, Spread: "standard deviation over the seeds"}
		of := measures[m.name]
		for _, g := range groups {
			s := experiment.Series{Label: g.Method}
			for k := 1; k <= samples; k++ {
				values := make([]float64, len(g.Results))
				for i, o := range g.Results {
					values[i] = after(o.Regret, k, of)
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
		if samples > 0 && len(c.Series) == len(groups) {
			charts = append(charts, c)
		}
	}
	return charts
}

// after returns a measure after k samples, or NaN before the first.
func after(regrets []record.RegretAt, k int, of func(record.RegretAt) float64) float64 {
	value := math.NaN()
	for _, r := range regrets {
		if r.Samples > k {
			break
		}
		value = of(r)
	}
	return value
}
