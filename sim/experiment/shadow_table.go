package experiment

import (
	"fmt"
	"slices"
	"strings"
)

// ShadowCurves lists the curves over the samples of a result.
func ShadowCurves() []Curve[ShadowResult] {
	return []Curve[ShadowResult]{
		{Name: "recommended", Description: "uncertain-inputs regret of the recommended target", Of: func(r ShadowResult) []float64 { return r.Recommended }},
		{Name: "place", Description: "regret of the recommended place, for who goes there with a good map", Of: func(r ShadowResult) []float64 { return r.Place }},
		{Name: "simple", Description: "smallest uncertain-inputs regret so far", Of: func(r ShadowResult) []float64 { return simpleRegret(r.Instantaneous) }},
		{Name: "mean", Description: "mean uncertain-inputs regret so far", Of: func(r ShadowResult) []float64 { return meanRegret(r.Instantaneous) }},
		{Name: "rmse", Description: "root mean square error of the map", Of: func(r ShadowResult) []float64 { return r.RMSE }},
		{Name: "density", Description: "mean log predictive density of the true field, nats; larger is better", Of: func(r ShadowResult) []float64 { return r.Density }, Larger: true},
	}
}

// shadowHeader is the first line of a plan's log.
type shadowHeader struct {
	Experiment string  `json:"experiment"`
	Seed       uint64  `json:"seed"`
	Iterations int     `json:"iterations"`
	Beta       float64 `json:"beta"`
}

// Study returns the plan's study.
func (p *ShadowPlan) Study() *Study[ShadowSetting, ShadowJob, ShadowResult] {
	return &Study[ShadowSetting, ShadowJob, ShadowResult]{
		Header: shadowHeader{"shadow", p.Seed, p.Iterations, p.Beta}, Unit: "trials",
		Methods: p.Methods, Settings: p.Settings(), Trials: p.Trials,
		Job: func(method string, s ShadowSetting, trial int) ShadowJob { return ShadowJob{method, s, trial} },
		Of:  func(r ShadowResult) ShadowJob { return r.ShadowJob }, Run: p.Trial,
		Columns: "method,deviation,share,hyper,trial,samples,instantaneous,recommended,place,simple,mean,rmse,density",
		Rows: func(r ShadowResult) (rows [][]any) {
			for i, v := range r.Instantaneous {
				row := []any{r.Method, r.Deviation, r.Share, r.Hyper, r.Trial, i + 1, v}
				for _, c := range ShadowCurves() {
					row = append(row, c.Of(r)[i])
				}
				rows = append(rows, row)
			}
			return rows
		},
		Table: p.Table, Charts: p.Charts,
		Comparison: Comparison[ShadowResult]{
			Before: []Column[ShadowResult]{
				{"ℓ", "%.2f", func(r ShadowResult) float64 { return r.LengthScale }},
				{"λ", "%.3g", func(r ShadowResult) float64 { return r.Noise }},
			},
			Curves: ShadowCurves(),
		},
	}
}

// Table returns a Markdown table for each setting: the figures after the last sample,
// mean and standard error, and their paired differences to the first method.
func (p *ShadowPlan) Table(results []ShadowResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# shadow\n\nFields where localisation is poor in one part. %d samples, seed %d, β %g.\n", p.Iterations, p.Seed, p.Beta)
	fmt.Fprintf(&b, "Mean ± standard error after the last sample; behind %s: paired difference ± standard error (trials on which %s did better).\n", p.Methods[0], p.Methods[0])
	for _, name := range p.Methods {
		if m, err := shadowMethodNamed(name); err == nil {
			fmt.Fprintf(&b, "\n- %s: %s", m.Name, m.Description)
		}
	}
	b.WriteString("\n")
	for _, c := range ShadowCurves() {
		fmt.Fprintf(&b, "\n- *%s*: %s", c.Name, c.Description)
	}
	b.WriteString("\n")
	p.Study().sections(&b, results, func(s ShadowSetting) string {
		return fmt.Sprintf("## %g length-scales on %g of the field, hyper-parameters %s", s.Deviation, s.Share, s.Hyper)
	})
	return b.String()
}

// Charts returns, for recommended regret and map error, the bars of all methods over
// the deviations in the shadow, or over its shares where there are several of those
// and one deviation; and curves over the samples of the setting with the poorest
// localisation.
func (p *ShadowPlan) Charts(results []ShadowResult) []Chart {
	var charts []Chart
	measures, study := ShadowCurves(), p.Study()
	for _, m := range []Curve[ShadowResult]{measures[0], measures[4]} {
		for _, hyper := range p.Hypers {
			for _, share := range p.Shares {
				var over []ShadowSetting
				for _, d := range p.Deviations {
					over = append(over, ShadowSetting{d, share, hyper})
				}
				c := bars(p.Methods, over, func(s ShadowSetting) string { return fmt.Sprint(s.Deviation) }, func(s ShadowSetting) (figures [][]float64) {
					for _, g := range study.Groups(results, s) {
						figures = append(figures, last(g.Results, m.Of))
					}
					return figures
				})
				c.Name, c.Axis = fmt.Sprintf("%s-over-deviations-share-%g-%s", m.Name, share, hyper), "deviation in the shadow, length-scales"
				c.Title = fmt.Sprintf("%s, %g in the shadow, %s", m.Name, share, hyper)
				if len(c.Groups) > 0 {
					charts = append(charts, c)
				}
			}
			d := slices.Max(p.Deviations)
			for _, share := range p.Shares {
				groups := study.Groups(results, ShadowSetting{d, share, hyper})
				if len(groups[0].Results) == 0 {
					continue
				}
				c := Chart{
					Name:  fmt.Sprintf("%s-deviation-%g-share-%g-%s", m.Name, d, share, hyper),
					Title: fmt.Sprintf("%s, %g in the shadow, %s", m.Name, share, hyper), Spread: spreadOfTrials,
				}
				for _, g := range groups {
					c.Series = append(c.Series, curves(g.Method, g.Results, m.Of))
				}
				charts = append(charts, c)
			}
		}
	}
	return charts
}
