// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/gp"
)

// Plan is a comparison of methods on a problem.
type Plan struct {
	Problem    *Problem
	Seed       uint64
	Trials     int
	Iterations int
	Methods    []string  // of the paper's catalogue, the first is compared with each of the others
	Ratios     []float64 // > 0
	Betas      []string
	Noise      string  // convention for λ; methods that take places as exact use the reading's variance
	Scale      float64 // length-scale of the models in every coordinate
}

// The conventions for λ, the noise variance of the models. The paper leaves λ open ("simply a
// parameter"), and results depend on it strongly.
const (
	// noiseMatched is σ_ζ² plus the true variance of f where a sample may have been taken: the true
	// variance of the observations about f̂. A fit of λ would find it.
	noiseMatched   = "matched"
	noiseReading   = "reading"   // σ_ζ²: the reading's alone
	noisePrior     = "prior"     // σ_ζ² + σ_f² - k̂(P, P): the reading's plus the variance of f that the model expects within P, where the sample was taken
	noiseTheorem   = "theorem"   // σ_ν² = σ_ζ² + σ_F², the bound of Proposition thr:subg for Gaussian P
	noiseChowdhury = "chowdhury" // 1 + 2/n in units of σ_f², as Theorem 3 of Chowdhury and Gopalan has it
)

// DefaultPlan returns the paper's plan of a problem, with its three methods, the
// random one beside them, and λ matched.
func DefaultPlan(p *Problem) Plan {
	return Plan{
		Problem: p, Seed: 1, Trials: 10, Iterations: p.Iterations,
		Methods: []string{"ugp-ucb", "igp-ucb", "uei", "random"},
		Ratios:  p.Ratios, Betas: p.Betas, Noise: noiseMatched, Scale: p.Hyper.LengthScales[0],
	}
}

// Validate returns an error unless the exploration weights and the convention for λ suit the problem, and
// nothing is there twice.
func (p *Plan) Validate() error {
	normed := !math.IsNaN(p.Problem.Draw(p.draws(1).stream("function")).norm())
	noises := []string{noiseMatched, noiseReading, noisePrior, noiseTheorem, noiseChowdhury}
	switch {
	case !slices.Contains(noises, p.Noise):
		return fmt.Errorf("the noise convention is %q, want one of %q", p.Noise, noises)
	case p.Noise == noiseTheorem && !normed:
		return fmt.Errorf("the noise convention is %q, and the functions of %s are not in the kernel's space and have no norm", p.Noise, p.Problem.Name)
	}
	for _, text := range p.Betas {
		b, err := parseBeta(text)
		if err != nil {
			return err
		}
		if b.Theorem && !normed {
			return fmt.Errorf("β is %q, and the functions of %s are not in the kernel's space and have no norm: want a number", text, p.Problem.Name)
		}
	}
	return cmp.Or(different("ratio", p.Ratios), different("β", p.Betas))
}

// different returns an error if a value of a list is there twice.
func different[T comparable](name string, list []T) error {
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			return fmt.Errorf("the %s %v is there twice", name, v)
		}
	}
	return nil
}

// weight is an exploration weight: a number, or a share of a theorem's.
type weight struct {
	Number  float64
	Theorem bool // Number times the theorem's
	Maximum bool // the theorem with the largest information gain
}

// parseBeta reads "3", "theorem", "maximum", "0.1*theorem" or "0.1*maximum".
func parseBeta(text string) (weight, error) {
	b := weight{Number: 1}
	factor := text
	for _, name := range []string{"theorem", "maximum"} {
		if before, found := strings.CutSuffix("*"+text, "*"+name); found {
			b.Theorem, b.Maximum = true, name == "maximum"
			factor = strings.TrimPrefix(before, "*")
			if before == "" {
				return b, nil
			}
		}
	}
	number, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(number >= 0) || math.IsInf(number, 1) {
		return weight{}, fmt.Errorf("β is %q, want a number ≥ 0, theorem, maximum, or one of them with a factor, such as 0.1*theorem", text)
	}
	b.Number = number
	return b, nil
}

// hyper returns the models' hyper-parameters, but for λ.
func (p *Plan) hyper() gp.Hyper {
	h := p.Problem.Hyper
	h.LengthScales = slices.Repeat([]float64{p.Scale}, len(h.LengthScales))
	return h
}

// Setting is a setting under which methods are compared.
type Setting struct {
	Ratio float64 `json:"ratio"` // σ̂/σ_x
	Beta  string  `json:"beta"`  // exploration weight as in a plan; empty for a method without
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
