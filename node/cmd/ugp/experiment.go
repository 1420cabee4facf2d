package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/report"
	"ugp_explorer/node/simulation"
)

type experimentCommand struct {
	Robot robotCommand `cmd:"" help:"The whole simulated robot: filter, follower, slip and all."`
}

type robotCommand struct {
	world   `embed:""`
	Methods []string `group:"mission" help:"Methods to compare, the first one with each of the others (ugp-ucb,gp-ucb,random,grid); there are ${methods}." default:"ugp-ucb,gp-ucb,random,grid" placeholder:"NAME,…"`
	Trials  word     `group:"run" help:"Seeds, from 1; each is a field (without --field), a robot and its noise (20)." default:"20" placeholder:"N"`
	Workers word     `group:"run" help:"Missions at once (0: as many as there are processors)." default:"0" placeholder:"N"`
	Out     string   `group:"run" help:"Folder for results.csv and table.md (out/experiment)." default:"out/experiment" type:"path" placeholder:"DIR"`
}

// Run runs a mission for each seed and method, and prints how they compare.
func (c *robotCommand) Run(t terminal) error {
	trials, err := c.Trials.number("--trials", 2, 100000) // one alone has no standard error
	if err != nil {
		return err
	}
	workers, err := c.Workers.number("--workers", 0, 1000)
	if err != nil {
		return err
	}
	if workers == 0 {
		workers = int64(runtime.NumCPU())
	}
	for i, name := range c.Methods {
		if err := method("--methods", name); err != nil {
			return err
		}
		if slices.Contains(c.Methods[:i], name) {
			return badInput{fmt.Errorf("--methods has %q twice", name)}
		}
	}
	if len(c.Methods) == 0 {
		return badInput{errors.New("--methods is empty: want names with commas between them")}
	}
	if err := c.read(); err != nil {
		return err
	}
	if err := writable(c.Out); err != nil {
		return err
	}
	if err := c.tryOut(); err != nil {
		return err
	}
	seeds := make([]int64, trials)
	for i := range seeds {
		seeds[i] = int64(i + 1)
	}
	done := c.progress(t, len(seeds)*len(c.Methods))
	outcomes, err := simulation.Study(t.ctx, seeds, c.Methods, int(workers), c.mission, done)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(t.out, "Interrupted: nothing is written.")
	}
	if err != nil {
		return err
	}
	return c.write(t, outcomes)
}

// tryOut starts the nodes of one trial, so that what is wrong with all of them
// is said once.
func (c *robotCommand) tryOut() error {
	s, err := c.start(simulation.Trial{Seed: 1, Method: c.Methods[0]})
	if err != nil {
		return err
	}
	return s.Close()
}

// mission runs one trial.
func (c *robotCommand) mission(ctx context.Context, trial simulation.Trial) (*report.Mission, error) {
	s, err := c.start(trial)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	err = s.Run(ctx)
	if err != nil && !errors.Is(err, simulation.ErrGivenUp) {
		return nil, err
	}
	m := s.Explorer().Record()
	if none := sampled(m); none != nil {
		return nil, errors.Join(err, none)
	}
	return m, err
}

func (c *robotCommand) start(trial simulation.Trial) (*simulation.Simulation, error) {
	overrides, err := c.overrides()
	if err != nil {
		return nil, err
	}
	err = assign(overrides,
		fmt.Sprintf("%s:seed:=%d", explorer.DefaultName, trial.Seed),
		fmt.Sprintf("%s:seed:=%d", fieldsim.DefaultName, trial.Seed),
		explorer.DefaultName+":method:="+trial.Method)
	if err != nil {
		return nil, err
	}
	s, _, err := c.open(trial.Seed, simulation.Options{Parameters: overrides})
	return s, err
}

// progress returns what is to be told of each trial that is done.
func (c *robotCommand) progress(t terminal, trials int) func(simulation.Trial) {
	if !t.isTTY {
		n, printed := 0, t.now()
		return func(trial simulation.Trial) {
			n++
			if now := t.now(); now.Sub(printed) >= linePeriod || n == trials {
				printed = now
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
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for name, text := range map[string]string{"results.csv": csv.String(), "table.md": table} {
		if err := os.WriteFile(filepath.Join(c.Out, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	fmt.Fprintf(t.out, "\n%s\nThe figures after each sample are in %s.\n", table, filepath.Join(c.Out, "results.csv"))
	return nil
}
