// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/record"
	"ugp_explorer/node/simulation"
)

type budgetCommand struct {
	world     `kong:"embed,set='samplesHelp=Not accepted here: give numbers of samples in --budgets'"`
	Budgets   []string `group:"mission" help:"Budgets (3km,6.5km,9km,13km): ${budgets}." default:"3km,6.5km,9km,13km" placeholder:"BUDGET"`
	Methods   []string `group:"mission" help:"Methods to compare, the first with each of the others (grid,lines,0.05,0.5,1,paced): grid and lines at their best densities, constant prices of distance per km, and paced, the default." default:"grid,lines,0.05,0.5,1,paced" placeholder:"NAME"`
	Fields    []string `group:"field" help:"Fields (farm): farm, the synthetic farm, or --survey with it; rough, short and smooth, fields in the farm's outline with an exponential variogram, a range of 200 m, and a smooth variogram; other names are files of point data, which are left out if they do not exist." default:"farm" placeholder:"NAME"`
	Tuning    int      `group:"run" help:"Number of seeds, counted from 1001, on which the number of points of grids and lines is chosen, with a robot that follows its path exactly (20)." default:"20" from:"1" to:"100000" placeholder:"N"`
	Trials    int      `group:"run" help:"Number of seeds of the comparison, counted from --first-seed; each has its own robot and noise and, on drawn fields, its own field (20)." default:"20" from:"1" to:"100000" placeholder:"N"`
	FirstSeed int64    `group:"run" help:"First seed of the missions (1)." default:"1" from:"1" to:"100000" placeholder:"N"`
	runFlags  `kong:"embed,set='unit=missions',set='out=out/budget'"`
}

// Fields of the budgets' comparison. Other names are files.
const (
	fieldFarm   = "farm"
	fieldRough  = "rough"
	fieldShort  = "short"
	fieldSmooth = "smooth"
)

// Run chooses the densities of the lattices on the tuning seeds, then runs the comparison on
// the others.
func (c *budgetCommand) Run(t terminal) error {
	p := simulation.BudgetPlan{Methods: c.Methods, Tuning: c.Tuning}
	var err error
	p.Seeds, err = seedsOf(c.FirstSeed, c.Trials)
	if c.Samples != 0 {
		err = badInput{errors.New("--samples is not accepted here: give the number of samples in --budgets")}
	}
	err = cmp.Or(err, badFlag("--trials", p.CheckSeeds()), badFlag("--methods", simulation.CheckBudgetMethods(c.Methods)), c.read())
	if err != nil {
		return err
	}
	var limits []simulation.BudgetLimit
	for _, text := range c.Budgets {
		l, err := simulation.ParseBudget(text)
		if err != nil {
			return badFlag("--budgets", err)
		}
		limits = append(limits, l)
	}
	sides, missing := map[string]float64{}, ""
	for _, field := range c.Fields {
		if !slices.Contains([]string{fieldFarm, fieldRough, fieldShort, fieldSmooth}, field) { // it is a file
			if _, err := os.Stat(field); errors.Is(err, fs.ErrNotExist) {
				missing += field + " is left out: there is no such file\n"
				continue
			}
		}
		if sides[field] != 0 {
			return badInput{fmt.Errorf("--fields has %q twice", field)}
		}
		for _, l := range limits {
			p.Settings = append(p.Settings, simulation.BudgetSetting{Field: field, BudgetLimit: l})
		}
		// Each setting is tried out, so that an error common to all trials is reported once.
		for _, setting := range p.Settings[len(p.Settings)-len(limits):] {
			if sides[field], err = c.side(setting); err != nil {
				return err
			}
		}
	}
	if len(p.Settings) == 0 {
		return badInput{fmt.Errorf("--fields is %q: want farm, rough, short, smooth, or existing files of point data", strings.Join(c.Fields, ","))}
	}
	fmt.Fprint(t.err, missing)
	p.Side = func(field string) float64 { return sides[field] }
	header := c.header("budgets")
	if err := writable(c.Out); err != nil {
		return err
	}
	c.show(t)
	// The densities of the lattices are chosen first, with a log of their own.
	tuned, err := finish(t, p.Densities(header, c.drive), &c.runFlags, "grids", "missions to choose the grids")
	if err != nil {
		return err
	}
	return runExperiment(t, p.Comparison(header, p.Best(tuned), c.mission), &c.runFlags)
}

// badFlag marks an error about a flag as bad input; nil stays nil.
func badFlag(flag string, err error) error {
	if err == nil {
		return nil
	}
	return badInput{fmt.Errorf("%s: %w", flag, err)}
}

// side returns the side of a square of the area of a setting's field, m.
func (c *budgetCommand) side(setting simulation.BudgetSetting) (float64, error) {
	s, err := c.start(simulation.BudgetTrial{Method: simulation.BudgetPaced, BudgetSetting: setting, Seed: simulation.TuningSeed})
	if err != nil {
		return 0, err
	}
	side := math.Sqrt(s.Explorer().Region().Area())
	return side, s.Close()
}

// drive runs the trial of a lattice without the nodes.
func (c *budgetCommand) drive(_ context.Context, trial simulation.BudgetTrial) (simulation.BudgetOutcome, error) {
	s, err := c.start(trial)
	if err != nil {
		return simulation.BudgetOutcome{}, err
	}
	o, err := s.DriveLattice(trial)
	return o, errors.Join(err, s.Close())
}

// mission runs one trial.
func (c *budgetCommand) mission(ctx context.Context, trial simulation.BudgetTrial) (*record.Mission, error) {
	s, err := c.start(trial)
	if err != nil {
		return nil, err
	}
	m, err := fly(ctx, s)
	if m != nil {
		var failed error
		if m.Survey, failed = s.Explorer().Survey(); failed != nil {
			return nil, errors.Join(err, failed)
		}
	}
	return m, err
}

func (c *budgetCommand) start(trial simulation.BudgetTrial) (*simulation.Simulation, error) {
	samples := trial.BudgetLimit.Samples
	if trial.Points > 0 {
		samples = trial.Points
	}
	var rules given
	explore := func(name string, value any) { rules.set(explorer.DefaultName, name, value) }
	world := func(name string, value any) { rules.set(fieldsim.DefaultName, name, value) }
	explore("budget.distance", &trial.BudgetLimit.Distance)
	explore("budget.time", &trial.BudgetLimit.Duration)
	explore("budget.samples", &samples)
	if s := trial.SampleTime; s > 0 {
		// The robot stands until the probe has measured so often.
		const readings = 10
		world("probe.period", s/readings)
		world("probe.jitter", s/readings/10)
		explore("sample.readings", readings)
		explore("budget.sample_time", s)
	}
	own := c.world
	switch trial.Method {
	case simulation.BudgetGrid, simulation.BudgetLines:
		explore("method", trial.Method)
	case simulation.BudgetPaced:
	default:
		price, _ := simulation.ConstantPrice(trial.Method)
		own.change = func(cfg *simulation.Config) { cfg.Explorer.Travel = price }
	}
	switch trial.Field {
	case fieldFarm:
	case fieldRough:
		world("field.shape", "exponential")
	case fieldShort:
		world("field.range", 200.0)
	case fieldSmooth:
		world("field.shape", "matern52")
	default:
		world("field.file", trial.Field)
	}
	return own.trial(trial.Seed, rules)
}
