package experiment

import (
	"fmt"
	"slices"
	"strings"
)

// shadowCurves lists the curves over the samples of a result.
func shadowCurves() []Curve[ShadowResult] {
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
				for _, c := range shadowCurves() {
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
			Curves: shadowCurves(),
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
	for _, c := range shadowCurves() {
		fmt.Fprintf(&b, "\n- *%s*: %s", c.Name, c.Description)
	}
	b.WriteString("\n")
	p.Study().sections(&b, results, func(s ShadowSetting) string {
		return fmt.Sprintf("## %g length-scales on %g of the field, hyper-parameters %s", s.Deviation, s.Share, s.Hyper)
	})
	return b.String()
}

// Charts returns, for recommended regret and map error, bars over the standard deviations
// in the shadow, and curves over the samples of the settings with the largest of those.
func (p *ShadowPlan) Charts(results []ShadowResult) []Chart {
	var charts []Chart
	study, largest := p.Study(), slices.Max(p.Deviations)
	for _, m := range []Curve[ShadowResult]{study.Curves[0], study.Curves[4]} {
		for _, hyper := range p.Hypers {
			for _, share := range p.Shares {
				title := fmt.Sprintf("%s, %g in the shadow, %s", m.Name, share, hyper)
				charts = append(charts, study.bars(Chart{
					Name: fmt.Sprintf("%s-over-deviations-share-%g-%s", m.Name, share, hyper), Title: title,
					Axis: "deviation in the shadow, length-scales",
				}, results, m, func(s ShadowSetting) (string, bool) {
					return fmt.Sprint(s.Deviation), s.Share == share && s.Hyper == hyper
				})...)
				charts = append(charts, study.lines(Chart{
					Name: fmt.Sprintf("%s-deviation-%g-share-%g-%s", m.Name, largest, share, hyper), Title: title,
				}, results, m, ShadowSetting{largest, share, hyper})...)
			}
		}
	}
	return charts
}
