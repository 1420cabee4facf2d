// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment/paper"
)

// Suffixes of a method's name.
const (
	fixed   = ":fixed"  // the method keeps the configured execution noise
	learnt  = ":learnt" // the method learns the execution noise
	local   = ":local"  // the method learns the execution noise place by place
	asPaper = ":paper"  // the method has the model and the recommendation of the paper
)

type robotCommand struct {
	world     `embed:""`
	Receivers []string `group:"mission" help:"Receivers, as for --receiver: the missions are run with each of them, and a table compares them. exact is a receiver without errors, for comparison." placeholder:"KIND|FILE"`
	Methods   []string `group:"mission" help:"Methods to compare, the first with each of the others (ugp-ucb,gp-ucb,random,grid): ${methods}. A suffix overrides the configuration: :fixed keeps the configured execution noise, :learnt learns it, :local learns it for each place; :paper has one model with the squared-exponential kernel and recommends the best of the sampled targets, as the paper does." default:"ugp-ucb,gp-ucb,random,grid" placeholder:"NAME"`
	Trials    int      `group:"run" help:"Number of seeds, counted from --first-seed; each has its own robot and noise and, without --survey, its own field (20)." default:"20" from:"1" to:"100000" placeholder:"N"`
	FirstSeed int64    `group:"run" help:"First seed of the missions (1)." default:"1" from:"1" to:"100000" placeholder:"N"`
	runFlags  `kong:"embed,set='unit=missions',set='out=out/experiment'"`
}

// Run runs a mission for each seed and method, and prints how they compare.
func (c *robotCommand) Run(t terminal) error {
	everything := paper.Catalogue()
	c.catalogue = &everything
	p := simulation.Plan{Methods: c.Methods, Receivers: c.Receivers}
	if len(p.Receivers) == 0 {
		p.Receivers = []string{""} // that of --receiver or --config
	}
	var err error
	p.Seeds, err = seedsOf(c.FirstSeed, c.Trials)
	if err := cmp.Or(err, checkMethods(c.Methods, fixed, learnt, local, asPaper), onceEach(c.Receivers), c.read()); err != nil {
		return err
	}
	// One trial for each receiver is started here, so that an error common to all its trials is reported once.
	for _, receiver := range p.Receivers {
		s, err := c.start(simulation.Trial{Seed: 1, Method: c.Methods[0], Receiver: receiver})
		if err != nil {
			return err
		}
		p.FixErrors = append(p.FixErrors, s.FixError())
		if err := s.Close(); err != nil {
			return err
		}
	}
	c.show(t)
	return runExperiment(t, p.Study(c.header("robot"), c.mission), &c.runFlags)
}

// onceEach returns an error if a receiver is named twice, also by another path to its recording.
func onceEach(receivers []string) error {
	for i, receiver := range receivers {
		same := func(other string) bool {
			a, errA := filepath.Abs(receiver)
			b, errB := filepath.Abs(other)
			return other == receiver || errA == nil && errB == nil && a == b
		}
		if slices.ContainsFunc(receivers[:i], same) {
			return badInput{fmt.Errorf("--receivers has %q twice: leave one of them out", receiver)}
		}
	}
	return nil
}

// mission runs one trial.
func (c *robotCommand) mission(ctx context.Context, trial simulation.Trial) (*record.Mission, float64, error) {
	s, err := c.start(trial)
	if err != nil {
		return nil, 0, err
	}
	m, err := fly(ctx, s)
	if m == nil {
		return nil, 0, err
	}
	if none := sampled(m); err == nil && none != nil && m.Distance == 0 { // no receiver is to blame, and each mission would end so
		return nil, 0, none
	}
	return m, s.FromHome(), err
}

func (c *robotCommand) start(trial simulation.Trial) (*simulation.Simulation, error) {
	method, suffix, _ := strings.Cut(trial.Method, ":")
	own := c.world
	own.Receiver = cmp.Or(trial.Receiver, own.Receiver)
	own.change = func(cfg *simulation.Config) {
		e := &cfg.Explorer
		switch ":" + suffix {
		case fixed:
			e.Learn.On, e.Learn.Local = false, false
		case learnt:
			e.Learn.On, e.Learn.Local = true, false
		case local:
			e.Learn.On, e.Learn.Local = true, true
		case asPaper:
			e.Recommend, e.Model.Average, e.Model.Kernel, e.Model.OnePlace = planner.RecommendTarget, 1, "se", false
		}
	}
	return own.trial(trial.Seed, given{explorer.DefaultName + ":method:=" + method})
}
