package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

// Plan says what is compared.
type Plan struct {
	Problem    *Problem
	Seed       uint64
	Trials     int
	Iterations int
	Methods    []string // strategies, with the suffix Learnt those that learn Σ̂; the first is compared with each of the others
	Ratios     []float64
	Betas      []string
	Noise      planner.Noise // convention for λ; a method that takes places for exact has the reading's
	Scale      float64       // length-scale of the models in every coordinate
}

// DefaultPlan returns the paper's plan of a problem, with its three methods, the
// random one beside them, and λ matched.
func DefaultPlan(p *Problem) Plan {
	return Plan{
		Problem: p, Seed: 1, Trials: 10, Iterations: p.Iterations,
		Methods: []string{"ugp-ucb", "igp-ucb", "uei", "random"},
		Ratios:  p.Ratios, Betas: p.Betas, Noise: NoiseMatched, Scale: p.Hyper.LengthScales[0],
	}
}

// Validate returns an error, wrapping [ErrPlan], that names the first value out
// of its range.
func (p *Plan) Validate() error {
	switch {
	case p.Problem == nil:
		return fmt.Errorf("%w: there is no problem", ErrPlan)
	case p.Trials < 1:
		return fmt.Errorf("%w: Trials is %d, want at least 1", ErrPlan, p.Trials)
	case p.Iterations < 1:
		return fmt.Errorf("%w: Iterations is %d, want at least 1", ErrPlan, p.Iterations)
	case len(p.Methods) == 0 || len(p.Ratios) == 0 || len(p.Betas) == 0:
		return fmt.Errorf("%w: %d methods, %d ratios and %d weights, want at least one of each", ErrPlan, len(p.Methods), len(p.Ratios), len(p.Betas))
	case !(p.Scale > 0) || math.IsInf(p.Scale, 1):
		return fmt.Errorf("%w: Scale is %g, want a finite number > 0", ErrPlan, p.Scale)
	case !slices.Contains(Noises(), p.Noise):
		return fmt.Errorf("%w: there is no noise convention %q, want one of %v", ErrPlan, p.Noise, Noises())
	}
	for i, name := range p.Methods {
		if _, _, err := methodNamed(name); err != nil {
			return fmt.Errorf("%w: %w", ErrPlan, err)
		}
		if slices.Contains(p.Methods[:i], name) {
			return fmt.Errorf("%w: the method %q is there twice", ErrPlan, name)
		}
	}
	for i, r := range p.Ratios {
		if !(r > 0) || math.IsInf(r, 1) {
			return fmt.Errorf("%w: the ratio of σ̂ is %g, want a finite number > 0", ErrPlan, r)
		}
		if slices.Contains(p.Ratios[:i], r) {
			return fmt.Errorf("%w: the ratio %g is there twice", ErrPlan, r)
		}
	}
	normed := !math.IsNaN(p.Problem.Draw(p.draws(1).stream("function")).Norm())
	for i, text := range p.Betas {
		b, err := ParseBeta(text)
		if err != nil {
			return err
		}
		if slices.Contains(p.Betas[:i], text) {
			return fmt.Errorf("%w: the weight %s is there twice", ErrPlan, text)
		}
		if b.Theorem && !normed {
			return fmt.Errorf("%w: β is %q, but the functions of %s are not in the kernel's space and have no norm: want a number", ErrPlan, text, p.Problem.Name)
		}
	}
	if !normed && (p.Noise == planner.NoiseTheorem || p.Noise == planner.NoiseBounded) {
		return fmt.Errorf("%w: the noise convention is %q, but the functions of %s are not in the kernel's space and have no norm", ErrPlan, p.Noise, p.Problem.Name)
	}
	return nil
}

// hyper returns the models' hyper-parameters, but for λ.
func (p *Plan) hyper() gp.Hyper {
	h := p.Problem.Hyper
	h.LengthScales = make([]float64, len(h.LengthScales))
	for i := range h.LengthScales {
		h.LengthScales[i] = p.Scale
	}
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

// Jobs returns the plan's jobs, trial by trial, so that a run that is broken off
// has whole trials. A method that has no use for β has one job for all of them.
func (p *Plan) Jobs() []Job {
	var jobs []Job
	for trial := 1; trial <= p.Trials; trial++ {
		for _, ratio := range p.Ratios {
			for _, method := range p.Methods {
				for _, s := range p.settings(method, ratio) {
					jobs = append(jobs, Job{method, s, trial})
				}
			}
		}
	}
	return jobs
}

// settings returns the settings of a method with a ratio.
func (p *Plan) settings(method string, ratio float64) []Setting {
	if !weighted(method) {
		return []Setting{{Ratio: ratio}}
	}
	list := make([]Setting, len(p.Betas))
	for i, beta := range p.Betas {
		list[i] = Setting{ratio, beta}
	}
	return list
}

// weighted reports whether β has a part in a method.
func weighted(method string) bool {
	info, _, err := methodNamed(method)
	return err == nil && info.Weighted
}

// Learnt is the suffix of a method's name that has it learn Σ̂ and a bias from
// where its samples were probably taken, beginning with the setting's ratio.
const Learnt = ":learnt"

// methodNamed returns the strategy of a method, and whether it learns Σ̂.
func methodNamed(method string) (info planner.StrategyInfo, learn bool, err error) {
	name, learn := strings.CutSuffix(method, Learnt)
	info, err = planner.StrategyNamed(name)
	return info, learn, err
}
