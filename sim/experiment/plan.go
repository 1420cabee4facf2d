package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"ugp_explorer/gp"
	"ugp_explorer/sim/experiment/paper"
)

// Plan is a comparison of methods on a problem.
type Plan struct {
	Problem    *Problem
	Seed       uint64
	Trials     int
	Iterations int
	Methods    []string // the first is compared with each of the others
	Ratios     []float64
	Betas      []string
	Noise      paper.Noise // convention for λ; methods that take places as exact use the reading's variance
	Scale      float64     // length-scale of the models in every coordinate
}

// DefaultPlan returns the paper's plan of a problem, with its three methods, the
// random one beside them, and λ matched.
func DefaultPlan(p *Problem) Plan {
	return Plan{
		Problem: p, Seed: 1, Trials: 10, Iterations: p.Iterations,
		Methods: []string{"ugp-ucb", "igp-ucb", "uei", "random"},
		Ratios:  p.Ratios, Betas: p.Betas, Noise: noiseMatched, Scale: p.Hyper.LengthScales[0],
	}
}

// Validate returns an error, wrapping [ErrPlan], that names the first value out
// of its range.
func (p *Plan) Validate() error {
	if p.Problem == nil {
		return fmt.Errorf("%w: there is no problem", ErrPlan)
	}
	normed := !math.IsNaN(p.Problem.Draw(p.draws(1).stream("function")).Norm())
	return cmp.Or(
		atLeast("Trials", p.Trials, 1),
		atLeast("Iterations", p.Iterations, 1),
		positive("Scale", p.Scale),
		each("method", p.Methods, func(name string) error {
			_, err := paper.Catalogue().Method(name)
			return err
		}),
		each("ratio", p.Ratios, func(r float64) error { return positive("σ̂/σ", r) }),
		each("weight", p.Betas, func(text string) error {
			b, err := parseBeta(text)
			if err == nil && b.Theorem && !normed {
				err = fmt.Errorf("the functions of %s are not in the kernel's space and have no norm: want a number", p.Problem.Name)
			}
			return err
		}),
		each("noise convention", []paper.Noise{p.Noise}, func(n paper.Noise) error {
			switch {
			case !slices.Contains(noises(), n):
				return fmt.Errorf("want one of %q", noises())
			case !normed && (n == paper.NoiseTheorem || n == paper.NoiseBounded):
				return fmt.Errorf("the functions of %s are not in the kernel's space and have no norm", p.Problem.Name)
			}
			return nil
		}),
	)
}

// hyper returns the models' hyper-parameters, but for λ.
func (p *Plan) hyper() gp.Hyper {
	h := p.Problem.Hyper
	h.LengthScales = slices.Repeat([]float64{p.Scale}, len(h.LengthScales))
	return h
}

// Job is a trial of a method under a setting.
type Job struct {
	Method string `json:"method"`
	Setting
	Trial int `json:"trial"` // from 1
}

func (j Job) String() string {
	text := fmt.Sprintf("%s, ratio %g", j.Method, j.Ratio)
	if j.Beta != "" {
		text += ", β " + j.Beta
	}
	return fmt.Sprintf("%s, trial %d", text, j.Trial)
}
