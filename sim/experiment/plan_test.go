// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

func TestParseBeta(t *testing.T) {
	for text, want := range map[string]weight{
		"3": {3, false, false}, "0": {0, false, false}, "0.5": {0.5, false, false},
		"theorem": {1, true, false}, "maximum": {1, true, true},
		"0.1*theorem": {0.1, true, false}, "2*maximum": {2, true, true},
	} {
		if got, err := parseBeta(text); err != nil || got != want {
			t.Errorf("%q is %+v, want %+v: %v", text, got, want, err)
		}
	}
	for _, text := range []string{"", "-1", "NaN", "Inf", "lemma", "2*3", "2*lemma", "*theorem", "theorem*2", "-1*theorem"} {
		if got, err := parseBeta(text); err == nil || !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("%q is %+v: %v", text, got, err)
		}
	}
}

func TestPlanErrors(t *testing.T) {
	for _, problem := range []*Problem{RKHS(), Michalewicz()} {
		p := DefaultPlan(problem)
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
	for name, change := range map[string]func(*Plan){
		"ratio 2 is":           func(p *Plan) { p.Ratios = []float64{2, 2} },
		"β 1 is":               func(p *Plan) { p.Betas = []string{"1", "1"} },
		`"lemma"`:              func(p *Plan) { p.Betas = []string{"lemma"} },
		`convention is "pink"`: func(p *Plan) { p.Noise = "pink" },
		"not in the kernel's":  func(p *Plan) { p.Problem, p.Betas = Michalewicz(), []string{"theorem"} },
		"have no norm":         func(p *Plan) { p.Problem, p.Betas, p.Noise = Michalewicz(), []string{"1"}, "theorem" },
	} {
		p := DefaultPlan(RKHS())
		change(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A method without β has one job for each ratio; whole trials come first.
func TestJobs(t *testing.T) {
	p := DefaultPlan(RKHS())
	p.Trials, p.Methods, p.Ratios, p.Betas = 2, []string{"ugp-ucb", "uei"}, []float64{0.5, 1}, []string{"1", "theorem"}
	var got []string
	for _, j := range p.Study().Jobs() {
		got = append(got, j.String())
	}
	var want []string
	for _, trial := range []string{"1", "2"} {
		for _, ratio := range []string{"0.5", "1"} {
			for _, of := range []string{"ugp-ucb, ratio %, β 1", "uei, ratio %", "ugp-ucb, ratio %, β theorem"} {
				want = append(want, strings.Replace(of, "%", ratio, 1)+", trial "+trial)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("jobs %q, want %q", got, want)
	}
}

// λ by each convention, for data at targets and where the localisation has them.
func TestLambda(t *testing.T) {
	p := DefaultPlan(RKHS())
	lambda := func(noise, method string) float64 {
		p.Noise = noise
		job := Job{Method: method, Setting: Setting{Ratio: 2, Beta: "1"}, Trial: 3}
		trial, err := p.begin(job)
		must.OK(t, err)
		return trial.Learnt().Hyper.NoiseVariance
	}
	f := p.Problem.Draw(p.draws(3).stream("function"))
	b2 := f.norm() * f.norm()
	for _, tt := range []struct {
		noise, method string
		want          float64
	}{
		{noiseMatched, "igp-ucb", 0.01 + f.residual(0.1)}, // the truth, not twice it
		{noiseMatched, "ugp-ucb-target", 0.01 + f.residual(0.1)},
		{noiseMatched, "ugp-ucb", 0.01 + f.residual(0.05)},
		{noiseMatched, "igp-ucb-mean", 0.01 + f.residual(0.05)},
		{noiseMatched, "gp-ucb", 0.01},
		// Eq. k_use at equal beliefs, σ_f²/√|I + 2W⁻¹Σ|, and ‖f‖²σ_f² tr Σ/ℓ².
		{noisePrior, "igp-ucb", 0.01 + 1 - 1/(1+2*0.04/0.01)}, // σ̂² = 0.04, ℓ² = 0.01
		{noisePrior, "ugp-ucb", 0.01 + 1 - 1/(1+2*0.0025/0.01)},
		{noiseTheorem, "uei", 0.01 + b2*2*0.04/0.01},
		{noiseTheorem, "ei", 0.01},
		{noiseReading, "ugp-ucb", 0.01},
		{noiseChowdhury, "ugp-ucb", 1 + 2.0/400},
	} {
		if got := lambda(tt.noise, tt.method); math.Abs(got-tt.want) > 1e-9*tt.want {
			t.Errorf("%s, %s: λ is %.12g, want %.12g", tt.noise, tt.method, got, tt.want)
		}
	}
}
