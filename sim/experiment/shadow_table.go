package experiment

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ShadowMeasure is a curve over the samples of a result.
type ShadowMeasure struct {
	Name, Description string
	Of                func(ShadowResult) []float64
}

// ShadowMeasures lists the curves; smaller is better in all of them but the density.
func ShadowMeasures() []ShadowMeasure {
	regret := func(r ShadowResult) Result {
		return Result{Instantaneous: r.Instantaneous, Recommended: r.Recommended}
	}
	return []ShadowMeasure{
		{"recommended", "uncertain-inputs regret of the recommended target", func(r ShadowResult) []float64 { return r.Recommended }},
		{"place", "regret of the recommended place, for who goes there with a good map", func(r ShadowResult) []float64 { return r.Place }},
		{"simple", "smallest uncertain-inputs regret so far", func(r ShadowResult) []float64 { return simpleRegret(regret(r)) }},
		{"mean", "mean uncertain-inputs regret so far", func(r ShadowResult) []float64 { return meanRegret(regret(r)) }},
		{"rmse", "root mean square error of the map", func(r ShadowResult) []float64 { return r.RMSE }},
		{"density", "mean log predictive density of the true field, nats; larger is better", func(r ShadowResult) []float64 { return r.Density }},
	}
}

// shadowGroup is the results of a method under a setting, by trial.
type shadowGroup struct {
	Method  string
	Results []ShadowResult
}

// groups returns what the plan compares under a setting: for each method the
// results of the trials that every method has.
func (p *ShadowPlan) groups(results []ShadowResult, s ShadowSetting) []shadowGroup {
	same := paired(len(p.Methods), results, func(i int, r ShadowResult) bool {
		return r.Method == p.Methods[i] && r.ShadowSetting == s && r.Trial <= p.Trials
	}, func(r ShadowResult) int { return r.Trial })
	list := make([]shadowGroup, len(p.Methods))
	for i, method := range p.Methods {
		list[i] = shadowGroup{method, same[i]}
	}
	return list
}

// WriteCSV writes a row for each sample of each of the plan's results, in the
// plan's order whatever theirs.
func (p *ShadowPlan) WriteCSV(w io.Writer, results []ShadowResult) error {
	place := map[ShadowJob]int{}
	for i, j := range p.Jobs() {
		place[j] = i
	}
	kept := slices.DeleteFunc(slices.Clone(results), func(r ShadowResult) bool {
		_, ok := place[r.ShadowJob]
		return !ok
	})
	slices.SortFunc(kept, func(a, b ShadowResult) int { return place[a.ShadowJob] - place[b.ShadowJob] })
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "method,deviation,share,hyper,trial,samples,instantaneous")
	for _, m := range ShadowMeasures() {
		fmt.Fprint(b, ","+m.Name)
	}
	fmt.Fprintln(b)
	for _, r := range kept {
		for i, v := range r.Instantaneous {
			fmt.Fprintf(b, "%s,%g,%g,%s,%d,%d,%g", r.Method, r.Deviation, r.Share, r.Hyper, r.Trial, i+1, v)
			for _, m := range ShadowMeasures() {
				fmt.Fprintf(b, ",%g", m.Of(r)[i])
			}
			fmt.Fprintln(b)
		}
	}
	return b.Flush()
}

// Table returns a Markdown table for each setting: the figures after the last
// sample, mean and standard error, and how far each method was behind the first one
// on the same trials.
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
	for _, m := range ShadowMeasures() {
		fmt.Fprintf(&b, "\n- *%s*: %s", m.Name, m.Description)
	}
	b.WriteString("\n")
	for _, s := range p.Settings() {
		p.tableOf(&b, s, p.groups(results, s))
	}
	return b.String()
}

func (p *ShadowPlan) tableOf(b *strings.Builder, s ShadowSetting, groups []shadowGroup) {
	n := len(groups[0].Results)
	fmt.Fprintf(b, "\n## %g length-scales on %g of the field, hyper-parameters %s: %d of %d trials\n\n", s.Deviation, s.Share, s.Hyper, n, p.Trials)
	if n == 0 {
		b.WriteString("No trial has all methods yet.\n")
		return
	}
	b.WriteString("| method | ℓ | λ |")
	for _, m := range ShadowMeasures() {
		fmt.Fprintf(b, " %s | behind |", m.Name)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|---|", len(ShadowMeasures())) + "\n")
	for i, g := range groups {
		column := func(r []ShadowResult, of func(ShadowResult) float64) []float64 {
			v := make([]float64, len(r))
			for k := range r {
				v[k] = of(r[k])
			}
			return v
		}
		scale, _ := MeanError(column(g.Results, func(r ShadowResult) float64 { return r.LengthScale }))
		lambda, _ := MeanError(column(g.Results, func(r ShadowResult) float64 { return r.Noise }))
		fmt.Fprintf(b, "| %s | %.2f | %.3g |", g.Method, scale, lambda)
		for _, m := range ShadowMeasures() {
			figures := last(g.Results, m.Of)
			mean, se := MeanError(figures)
			fmt.Fprintf(b, " %.4f ± %.4f |", mean, se)
			if i == 0 {
				b.WriteString(" |")
				continue
			}
			first, other := last(groups[0].Results, m.Of), figures
			if m.Name == "density" { // behind is what is worse, of this as of the others
				first, other = negative(first), negative(other)
			}
			fmt.Fprintf(b, " %v |", Compare(first, other))
		}
		b.WriteString("\n")
	}
}

func negative(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = -v
	}
	return out
}

// Charts returns, for recommended regret and map error, the bars of all methods over
// the deviations in the shadow, or over its shares where there are several of those
// and one deviation; and curves over the samples of the setting with the poorest
// localisation.
func (p *ShadowPlan) Charts(results []ShadowResult) []Chart {
	var charts []Chart
	measures := ShadowMeasures()
	for _, m := range []ShadowMeasure{measures[0], measures[4]} {
		for _, hyper := range p.Hypers {
			for _, share := range p.Shares {
				var over []ShadowSetting
				for _, d := range p.Deviations {
					over = append(over, ShadowSetting{d, share, hyper})
				}
				c := p.bars(results, m, over, func(s ShadowSetting) string { return fmt.Sprintf("%g", s.Deviation) })
				c.Name, c.Axis = fmt.Sprintf("%s-over-deviations-share-%g-%s", m.Name, share, hyper), "deviation in the shadow, length-scales"
				c.Title = fmt.Sprintf("%s, %g in the shadow, %s", m.Name, share, hyper)
				if len(c.Groups) > 0 {
					charts = append(charts, c)
				}
			}
			d := slices.Max(p.Deviations)
			for _, share := range p.Shares {
				groups := p.groups(results, ShadowSetting{d, share, hyper})
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

// bars returns a measure after the last sample under each setting that has trials.
func (p *ShadowPlan) bars(results []ShadowResult, m ShadowMeasure, settings []ShadowSetting, name func(ShadowSetting) string) Chart {
	return bars(p.Methods, settings, name, func(s ShadowSetting) (figures [][]float64) {
		for _, g := range p.groups(results, s) {
			figures = append(figures, last(g.Results, m.Of))
		}
		return figures
	})
}
