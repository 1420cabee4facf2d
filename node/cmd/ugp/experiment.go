package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/report"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
)

type experimentCommand struct {
	Robot robotCommand `cmd:"" help:"The whole simulated robot: filter, follower, slip and all."`
}

type robotCommand struct {
	world   `embed:""`
	Trials  int      `help:"Seeds, from 1; each is a field (without --field), a robot and its noise." default:"20" placeholder:"N"`
	Methods []string `help:"Methods to compare, the first one with each of the others." default:"${methods}" placeholder:"NAME,…"`
	Workers int      `help:"Missions at once; 0: as many as there are processors." default:"0" placeholder:"N"`
	Out     string   `help:"Folder for results.csv and table.md." default:"out/experiment" type:"path" placeholder:"DIR"`
}

// Run runs a mission for each seed and method, and prints how they compare.
func (c *robotCommand) Run(t terminal) error {
	if c.Trials < 2 {
		return badInput{fmt.Errorf("--trials is %d: a standard error takes at least 2", c.Trials)}
	}
	for _, method := range c.Methods {
		if !slices.ContainsFunc(planner.Strategies(), func(s planner.StrategyInfo) bool { return s.Name == method }) {
			return badInput{fmt.Errorf("--methods has %q: there is no such method", method)}
		}
	}
	if err := c.read(); err != nil {
		return err
	}
	if _, err := c.overrides(); err != nil {
		return err
	}
	if err := writable(c.Out); err != nil {
		return err
	}
	workers := c.Workers
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	seeds := make([]int64, c.Trials)
	for i := range seeds {
		seeds[i] = int64(i + 1)
	}
	done := c.progress(t, len(seeds)*len(c.Methods))
	outcomes, err := simulation.Study(t.ctx, seeds, c.Methods, workers, c.mission, done)
	if err != nil {
		return err
	}
	return c.write(t, outcomes)
}

// mission runs one trial.
func (c *robotCommand) mission(ctx context.Context, trial simulation.Trial) (*report.Mission, error) {
	overrides, err := c.overrides()
	if err != nil {
		return nil, err
	}
	for _, rule := range []string{
		fmt.Sprintf("%s:seed:=%d", explorer.DefaultName, trial.Seed),
		fmt.Sprintf("%s:seed:=%d", fieldsim.DefaultName, trial.Seed),
		explorer.DefaultName + ":method:=" + trial.Method,
	} {
		if err := overrides.AddAssignment(rule); err != nil {
			return nil, badInput{err}
		}
	}
	cfg := simulation.DefaultConfig(trial.Seed)
	s, err := simulation.New(&cfg, simulation.Options{Parameters: overrides})
	if err != nil {
		return nil, badInput{err}
	}
	defer s.Close()
	if err := s.Run(ctx); err != nil {
		return nil, err
	}
	return s.Explorer().Record(), nil
}

// progress returns what is to be told of each trial that is done.
func (c *robotCommand) progress(t terminal, trials int) func(simulation.Trial) {
	if !t.isTTY {
		n, printed := 0, time.Now()
		return func(trial simulation.Trial) {
			n++
			if time.Since(printed) >= linePeriod || n == trials {
				printed = time.Now()
				fmt.Fprintf(t.err, "%d of %d missions\n", n, trials)
			}
		}
	}
	bar := progressbar.NewOptions(trials, progressbar.OptionSetWriter(t.err), progressbar.OptionSetWidth(24),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetDescription("missions"))
	return func(simulation.Trial) { _ = bar.Add(1) }
}

func (c *robotCommand) write(t terminal, outcomes []simulation.Outcome) error {
	var csv strings.Builder
	if err := simulation.WriteCSV(&csv, outcomes); err != nil {
		return err
	}
	table := simulation.Table(outcomes, c.Methods)
	for name, text := range map[string]string{"results.csv": csv.String(), "table.md": table} {
		if err := os.WriteFile(filepath.Join(c.Out, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	fmt.Fprintf(t.out, "\n%s\nThe figures after each sample are in %s.\n", table, filepath.Join(c.Out, "results.csv"))
	return nil
}
