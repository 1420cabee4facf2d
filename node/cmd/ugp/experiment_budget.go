package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/simulation"
)

type budgetCommand struct {
	world     `embed:""`
	Distances []string `group:"mission" help:"Budgets of distance in km, the path home included (3,6.5,9,13)." placeholder:"KM,…"`
	Tuning    word     `group:"run" help:"Number of seeds, counted from 1001, on which the number of points of the grids is chosen (10)." default:"10" placeholder:"N"`
	runFlags  `kong:"embed,set='trials=20',set='trialsHelp=Number of seeds of the comparison, counted from 1; each has its own robot and noise and, without --field, its own field',set='unit=missions',set='out=out/budget'"`
}

// budgetHeader holds what the missions of a log have in common.
type budgetHeader struct {
	Experiment string `json:"experiment"`
	Field      string `json:"field"`
	Column     string `json:"column"`
	Boundary   string `json:"boundary"`
	Datum      word   `json:"datum"`
	Config     string `json:"config"` // content of the file
}

// oldTravelCost is the fixed price of distance that the automatic one is compared with, 1/km.
const oldTravelCost = 0.05

// Run chooses the densities of the grids on the tuning seeds, then runs the comparison on
// the others.
func (c *budgetCommand) Run(t terminal) error {
	p := simulation.BudgetPlan{}
	kilometres := []float64{3, 6.5, 9, 13}
	err := cmp.Or(
		whole("--trials", c.Trials, 2, simulation.TuningSeed-1, &p.Seeds), // one seed has no standard error
		whole("--tuning", c.Tuning, 1, 100000, &p.Tuning),
		numbers("--distances", c.Distances, 0.01, 1000, &kilometres),
		c.checkSamples(),
		c.read(),
	)
	if err != nil {
		return err
	}
	slices.Sort(kilometres)
	for _, km := range slices.Compact(kilometres) {
		p.Distances = append(p.Distances, 1000*km)
	}
	if p.Side, err = c.side(p.Distances[0]); err != nil {
		return err
	}
	header := budgetHeader{"budget", c.Field, c.Column, c.Boundary, c.Datum, string(c.config)}
	points, err := c.densities(t, &p, header)
	if err != nil {
		return err
	}
	return runStudy(t, p.Comparison(header, points, c.mission), &c.runFlags)
}

func (c *budgetCommand) checkSamples() error {
	if c.Samples != "" {
		return badInput{errors.New("--samples is given: the number of samples follows the budgets of distance")}
	}
	return nil
}

// side returns the side of a square of the field's area. It starts the nodes of a trial, so
// that an error common to all trials is reported once.
func (c *budgetCommand) side(distance float64) (float64, error) {
	s, err := c.start(simulation.BudgetTrial{Method: simulation.BudgetPaced, Distance: distance, Seed: simulation.TuningSeed})
	if err != nil {
		return 0, err
	}
	side := math.Sqrt(s.Explorer().Region().Area())
	return side, s.Close()
}

// densities runs the grids on the tuning seeds, with a log of its own, and returns the best
// numbers of points.
func (c *budgetCommand) densities(t terminal, p *simulation.BudgetPlan, header budgetHeader) ([]int, error) {
	workers, err := c.Workers.number("--workers", 0, 1000)
	folder := filepath.Join(c.Out, "grids")
	if err = cmp.Or(err, writable(c.Out)); err != nil {
		return nil, err
	}
	if workers == 0 {
		workers = int64(runtime.NumCPU())
	}
	s := p.Densities(header, c.mission)
	results, err := s.Finish(t.ctx, folder, c.Resume, int(workers), func(left int) func() {
		return trialProgress(t, "missions to choose the grids", left)
	})
	if err != nil {
		return nil, logError(t, err, c.Out, folder, s.Unit)
	}
	return p.Best(results), nil
}

// mission runs one trial.
func (c *budgetCommand) mission(ctx context.Context, trial simulation.BudgetTrial) (*record.Mission, error) {
	s, err := c.start(trial)
	if err != nil {
		return nil, err
	}
	return fly(ctx, s)
}

func (c *budgetCommand) start(trial simulation.BudgetTrial) (*simulation.Simulation, error) {
	rules := []string{
		fmt.Sprintf("%s:budget.distance:=%s", explorer.DefaultName, double(trial.Distance)),
		fmt.Sprintf("%s:budget.samples:=%d", explorer.DefaultName, trial.Points),
	}
	switch trial.Method {
	case simulation.BudgetGrid:
		rules = append(rules, explorer.DefaultName+":method:=grid")
	case simulation.BudgetFixed:
		rules = append(rules, fmt.Sprintf("%s:travel_cost:=%s", explorer.DefaultName, double(oldTravelCost)))
	}
	return c.trial(trial.Seed, rules...)
}
