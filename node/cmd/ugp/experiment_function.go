// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"

	"ugp_explorer/node/chart"
	"ugp_explorer/sim/experiment"
)

// functionCommand holds the flags of the experiments on functions, without a robot.
type functionCommand struct {
	Methods    []string  `group:"mission" help:"Methods to compare, the first with each of the others (ugp-ucb,igp-ucb,uei,random): ${methods}." default:"ugp-ucb,igp-ucb,uei,random" placeholder:"NAME"`
	Ratios     []float64 `group:"mission" help:"Standard deviation of the execution noise that the methods assume, as a multiple of the true one (1)." from:"0.001" to:"1000" placeholder:"R"`
	Betas      []string  `group:"mission" help:"Weights β of the standard deviation for the UCB methods: numbers, theorem (with the information gain of the samples), maximum (with the largest information gain), or a multiple of these two, such as 0.1*theorem." placeholder:"B"`
	Noise      string    `group:"mission" help:"Noise variance of the models (matched): ${noises}." default:"matched" placeholder:"RULE"`
	Scale      float64   `name:"length-scale" group:"mission" help:"Length-scale of the models (0.1 for rkhs, the same as its functions; 0.5 for michalewicz)." from:"1e-6" to:"1e6" placeholder:"L"`
	Iterations int       `group:"mission" help:"Number of samples per trial (as in the paper)." from:"1" to:"10000" placeholder:"N"`
	Seed       uint64    `group:"run" help:"Seed of the trials; the same seed gives the same figures (1)." default:"1" from:"0" to:"9223372036854775807" placeholder:"N"`
}

type rkhsCommand struct {
	functionCommand `embed:""`
	Trials          int `group:"run" help:"Number of trials, each with its own function, noise and first target (10)." default:"10" from:"1" to:"100000" placeholder:"N"`
	runFlags        `kong:"embed,set='unit=trials',set='out=out/rkhs'"`
}

func (c *rkhsCommand) Run(t terminal) error {
	return c.run(t, experiment.RKHS(), c.Trials, &c.runFlags)
}

type michalewiczCommand struct {
	functionCommand `embed:""`
	Trials          int `group:"run" help:"Number of trials, each with its own noise and first target (10)." default:"10" from:"1" to:"100000" placeholder:"N"`
	runFlags        `kong:"embed,set='unit=trials',set='out=out/michalewicz'"`
}

func (c *michalewiczCommand) Run(t terminal) error {
	return c.run(t, experiment.Michalewicz(), c.Trials, &c.runFlags)
}

func (c *functionCommand) run(t terminal, problem *experiment.Problem, trials int, f *runFlags) error {
	p := experiment.DefaultPlan(problem)
	p.Methods, p.Noise, p.Seed, p.Trials = c.Methods, c.Noise, c.Seed, trials
	p.Iterations, p.Scale = cmp.Or(c.Iterations, p.Iterations), cmp.Or(c.Scale, p.Scale)
	if len(c.Betas) > 0 {
		p.Betas = c.Betas
	}
	if len(c.Ratios) > 0 {
		p.Ratios = c.Ratios
	}
	if err := checkMethods(c.Methods); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return badInput{err}
	}
	return runExperiment(t, p.Study(), f)
}

// addPictures adds each chart as a picture.
func addPictures(files map[string][]byte, charts []experiment.Chart) {
	for _, c := range charts {
		p := chart.Panel{Title: c.Title, Axis: cmp.Or(c.Axis, "samples")}
		for _, s := range c.Series {
			l := chart.Line{Label: s.Label, X: s.At, Y: s.Mean}
			for k, mean := range s.Mean {
				if s.At == nil {
					l.X = append(l.X, float64(k+1))
				}
				l.Low, l.High = append(l.Low, max(mean-s.Deviation[k], 0)), append(l.High, mean+s.Deviation[k]) // a regret is never negative
			}
			p.Lines = append(p.Lines, l)
		}
		files[c.Name+".svg"] = chart.SVG([]chart.Panel{p}, 1, "± "+c.Spread)
	}
}
