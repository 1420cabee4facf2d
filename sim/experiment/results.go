// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ugp_explorer/sim/experiment/paper"
)

// meanRegret returns r̂_avg = 1/t Σ r̂_i.
func meanRegret(instantaneous []float64) []float64 {
	out, sum := make([]float64, len(instantaneous)), 0.0
	for i, v := range instantaneous {
		sum += v
		out[i] = sum / float64(i+1)
	}
	return out
}

// simpleRegret returns the smallest of the regrets so far.
func simpleRegret(instantaneous []float64) []float64 {
	out, least := make([]float64, len(instantaneous)), math.Inf(1)
	for i, v := range instantaneous {
		least = min(least, v)
		out[i] = least
	}
	return out
}

// planHeader is the first line of a plan's log.
type planHeader struct {
	Experiment string  `json:"experiment"`
	Seed       uint64  `json:"seed"`
	Iterations int     `json:"iterations"`
	Noise      string  `json:"noise"`
	Scale      float64 `json:"length_scale"`
}

// Study returns the plan's study. Methods without an exploration weight are compared
// under each.
func (p *Plan) Study() *Study[Setting, Job, TrialResult] {
	var settings []Setting // in the order of the tables
	for _, ratio := range p.Ratios {
		for _, beta := range p.Betas {
			settings = append(settings, Setting{ratio, beta})
		}
	}
	return &Study[Setting, Job, TrialResult]{
		Header: planHeader{p.Problem.Name, p.Seed, p.Iterations, p.Noise, p.Scale}, Unit: "trials",
		Methods: p.Methods, Settings: settings, Trials: p.Trials,
		Job: func(method string, s Setting, trial int) Job {
			if info, err := paper.Catalogue().Method(method); err != nil || !info.Weighted {
				s.Beta = ""
			}
			return Job{method, s, trial}
		},
		Of: func(r TrialResult) Job { return r.Job }, Run: p.run,
		Columns: "method,ratio,beta,noise,trial,iteration,instantaneous,mean,simple,recommended",
		Rows: func(r TrialResult) (rows [][]any) {
			mean, simple := meanRegret(r.Instantaneous), simpleRegret(r.Instantaneous)
			for i, v := range r.Instantaneous {
				rows = append(rows, []any{r.Method, r.Ratio, r.Beta, p.Noise, r.Trial, i + 1, v, mean[i], simple[i], r.Recommended[i]})
			}
			return rows
		},
		Order: func(j Job) []int {
			return []int{slices.Index(p.Ratios, j.Ratio), slices.Index(p.Methods, j.Method), slices.Index(p.Betas, j.Beta)}
		},
		Table: p.table, Charts: p.charts,
		Comparison: Comparison[TrialResult]{
			Before: []Column[TrialResult]{{"λ", "%.3g", func(r TrialResult) float64 { return r.Lambda }}},
			Curves: []Curve[TrialResult]{ // what the paper shows first, then what a user gets
				{Name: "mean", Of: func(r TrialResult) []float64 { return meanRegret(r.Instantaneous) }},
				{Name: "simple", Of: func(r TrialResult) []float64 { return simpleRegret(r.Instantaneous) }},
				{Name: "recommended", Of: func(r TrialResult) []float64 { return r.Recommended }},
			},
		},
	}
}

// table returns a Markdown table for each setting: the regrets after the last
// iteration, mean and standard error, and their paired differences to the first method.
func (p *Plan) table(results []TrialResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s %d iterations, seed %d, λ %s, length-scale %g.\n", p.Problem.Name, p.Problem.Description, p.Iterations, p.Seed, p.Noise, p.Scale)
	fmt.Fprintf(&b, "Uncertain-inputs regret after the last iteration, mean ± standard error; behind %s: paired difference ± standard error (trials on which %s did better).\n", p.Methods[0], p.Methods[0])
	p.Study().sections(&b, results, func(s Setting) string { return fmt.Sprintf("## σ̂/σ = %g, β %s", s.Ratio, s.Beta) })
	p.mismatch(&b)
	return b.String()
}

// mismatch writes the bound of Proposition thr:approx on the error that each Σ̂ causes, and
// the largest error of the first trial's function over a lattice of its box.
func (p *Plan) mismatch(b *strings.Builder) {
	pr := p.Problem
	f := pr.Draw(p.draws(1).stream("function"))
	norm := f.norm()
	if math.IsNaN(norm) {
		return
	}
	b.WriteString("\n## What a wrong Σ̂ can cost\n\nLargest |E[f] under N(x, Σ) - E[f] under N(x, Σ̂)| over the box for the first trial's function, and the bound of Proposition approx with b = ‖f‖, as printed and as its proof gives it.\n\n")
	b.WriteString("| σ̂/σ | largest error | printed bound | proven bound |\n|---|---|---|---|\n")
	for _, ratio := range p.Ratios {
		printed, proven, err := paper.Mismatch(norm, pr.isotropic(ratio*pr.Execution), pr.isotropic(pr.Execution))
		if err != nil {
			panic(err) // ratios were found to be positive
		}
		worst, x, at := 0.0, make([]float64, len(pr.Lo)), make([]float64, len(pr.Lo))
		lattice(50, x, func() {
			for i, u := range x {
				at[i] = pr.Lo[i] + u*(pr.Hi[i]-pr.Lo[i])
			}
			worst = max(worst, math.Abs(f.expected(at, pr.Execution)-f.expected(at, ratio*pr.Execution)))
		})
		fmt.Fprintf(b, "| %g | %.4f | %.4f | %.4f |\n", ratio, worst, printed, proven)
	}
}

// charts returns the mean and the recommended regret over the iterations for each setting that has
// trials.
func (p *Plan) charts(results []TrialResult) []Chart {
	var charts []Chart
	study, file := p.Study(), strings.NewReplacer("*", "x")
	for _, m := range []Curve[TrialResult]{study.Curves[0], study.Curves[2]} {
		for _, s := range study.Settings {
			taken := "σ known"
			if s.Ratio != 1 { // the pictures' font has no hat
				taken = fmt.Sprintf("σ taken for %g σ", s.Ratio)
			}
			charts = append(charts, study.Lines(Chart{
				Name:  fmt.Sprintf("%s-ratio-%g-beta-%s", m.Name, s.Ratio, file.Replace(s.Beta)),
				Title: fmt.Sprintf("%s regret, %s, β %s", m.Name, taken, s.Beta), Spread: "deviation over the trials",
			}, results, m.Of, s)...)
		}
	}
	return charts
}
