package experiment

import (
	"fmt"
	"math"
	"strings"

	"ugp_explorer/planner"
)

// Table returns a Markdown table for each setting: the regrets after the last
// iteration, mean and standard error, and how far each method was behind the first
// one on the same trials.
func (p *Plan) Table(results []Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s %d iterations, seed %d, λ %s, length-scale %g.\n", p.Problem.Name, p.Problem.Description, p.Iterations, p.Seed, p.Noise, p.Scale)
	fmt.Fprintf(&b, "Uncertain-inputs regret after the last iteration, mean ± standard error; behind %s: paired difference ± standard error (trials on which %s did better).\n", p.Methods[0], p.Methods[0])
	for _, s := range p.settingsAll() {
		p.tableOf(&b, s, p.groups(results, s))
	}
	p.mismatch(&b)
	return b.String()
}

func (p *Plan) tableOf(b *strings.Builder, s Setting, groups []group) {
	n := len(groups[0].Results)
	fmt.Fprintf(b, "\n## σ̂/σ = %g, β %s: %d of %d trials\n\n", s.Ratio, s.Beta, n, p.Trials)
	if n == 0 {
		b.WriteString("No trial has all methods yet.\n")
		return
	}
	b.WriteString("| method | λ |")
	for _, m := range Measures() {
		fmt.Fprintf(b, " %s | behind |", m.Name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|---|", len(Measures())) + "\n")
	for i, g := range groups {
		lambda := make([]float64, n)
		for k, r := range g.Results {
			lambda[k] = r.Lambda
		}
		mean, _ := MeanError(lambda)
		fmt.Fprintf(b, "| %s | %.3g |", g.Method, mean)
		for _, m := range Measures() {
			figures := last(g.Results, m.Of)
			mean, se := MeanError(figures)
			fmt.Fprintf(b, " %.4f ± %.4f |", mean, se)
			if i == 0 {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(b, " %v |", Compare(last(groups[0].Results, m.Of), figures))
		}
		b.WriteString("\n")
	}
}

// last returns a measure after the last iteration of each result.
func last[R any](results []R, measure func(R) []float64) []float64 {
	out := make([]float64, len(results))
	for i, r := range results {
		curve := measure(r)
		out[i] = curve[len(curve)-1]
	}
	return out
}

// mismatch reports the bound of Proposition thr:approx on what each Σ̂ costs, with
// the largest error that the first trial's function has over a lattice of its box.
func (p *Plan) mismatch(b *strings.Builder) {
	pr := p.Problem
	f := pr.Draw(p.draws(1).stream("function"))
	norm := f.Norm()
	if math.IsNaN(norm) {
		return
	}
	b.WriteString("\n## What a wrong Σ̂ can cost\n\nLargest |E[f] under N(x, Σ) - E[f] under N(x, Σ̂)| over the box for the first trial's function, and the bound of Proposition approx with b = ‖f‖, as printed and as its proof gives it.\n\n")
	b.WriteString("| σ̂/σ | largest error | printed bound | proven bound |\n|---|---|---|---|\n")
	for _, ratio := range p.Ratios {
		bound, err := planner.Mismatch(norm, isotropic(len(pr.Lo), ratio*pr.Execution), isotropic(len(pr.Lo), pr.Execution))
		if err != nil {
			panic(err) // ratios were found to be positive
		}
		worst, x, at := 0.0, make([]float64, len(pr.Lo)), make([]float64, len(pr.Lo))
		lattice(50, x, func() {
			for i, u := range x {
				at[i] = pr.Lo[i] + u*(pr.Hi[i]-pr.Lo[i])
			}
			worst = max(worst, math.Abs(f.Expected(at, pr.Execution)-f.Expected(at, ratio*pr.Execution)))
		})
		fmt.Fprintf(b, "| %g | %.4f | %.4f | %.4f |\n", ratio, worst, bound.Printed, bound.Proven)
	}
}
