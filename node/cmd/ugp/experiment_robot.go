package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/report"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment"
)

// What may stand behind a method's name, beside [experiment.Learnt].
const (
	fixed = ":fixed" // it keeps to the execution noise that it is told
	local = ":local" // it learns it place by place
)

type robotCommand struct {
	world   `embed:""`
	Methods []string `group:"mission" help:"Methods to compare, the first one with each of the others (ugp-ucb,gp-ucb,random,grid); there are ${methods}; with :fixed, :learnt or :local behind it, one keeps to the execution noise that it is told, learns it, or learns it place by place, whatever the configuration says." default:"ugp-ucb,gp-ucb,random,grid" placeholder:"NAME,…"`
	Trials  word     `group:"run" help:"Seeds, from 1; each is a field (without --field), a robot and its noise (20)." default:"20" placeholder:"N"`
	Workers word     `group:"run" help:"Missions at once (0: as many as there are processors)." default:"0" placeholder:"N"`
	Out     string   `group:"run" help:"Folder for trials.jsonl, results.csv, table.md and the pictures (out/experiment)." default:"out/experiment" type:"path" placeholder:"DIR"`
	Resume  bool     `group:"run" help:"Go on with what --out has: missions that are there are not run again."`
}

// robotHeader is what the missions of a log have in common.
type robotHeader struct {
	Experiment string `json:"experiment"`
	Field      string `json:"field"`
	Column     string `json:"column"`
	Boundary   string `json:"boundary"`
	Datum      word   `json:"datum"`
	Samples    word   `json:"samples"`
	Config     string `json:"config"` // what the file says
}

// Run runs a mission for each seed and method, and prints how they compare.
func (c *robotCommand) Run(t terminal) error {
	trials, err := c.Trials.number("--trials", 2, 100000) // one alone has no standard error
	if err != nil {
		return err
	}
	workers, err := workers(c.Workers)
	if err != nil {
		return err
	}
	if err := checkMethods(c.Methods, fixed, experiment.Learnt, local); err != nil {
		return err
	}
	everything := planner.PaperCatalogue()
	c.catalogue = &everything
	if err := c.read(); err != nil {
		return err
	}
	if err := writable(c.Out); err != nil {
		return err
	}
	if err := c.tryOut(); err != nil {
		return err
	}
	header := robotHeader{"robot", c.Field, c.Column, c.Boundary, c.Datum, c.Samples, string(c.config)}
	log, err := openLog[simulation.Outcome](c.Out, c.Resume, header)
	if err != nil {
		return err
	}
	seeds := make([]int64, trials)
	for i := range seeds {
		seeds[i] = int64(i + 1)
	}
	outcomes, err := c.study(t, seeds, workers, log)
	if err = errors.Join(err, log.Close()); err != nil {
		interrupted(t, err, c.Out)
		return err
	}
	return c.write(t, outcomes)
}

// study runs the missions that the log does not have and returns all outcomes, by
// seed and method.
func (c *robotCommand) study(t terminal, seeds []int64, workers int, log *experiment.Log[simulation.Outcome]) ([]simulation.Outcome, error) {
	had := map[simulation.Trial]simulation.Outcome{}
	for _, o := range log.Done {
		had[o.Trial] = o
	}
	all := simulation.Trials(seeds, c.Methods)
	var left []simulation.Trial
	for _, trial := range all {
		if _, ok := had[trial]; !ok {
			left = append(left, trial)
		}
	}
	tell := trialProgress(t, "missions", len(left))
	outcomes, err := simulation.Study(t.ctx, left, workers, c.mission, func(o simulation.Outcome) error {
		tell()
		return log.Add(o)
	})
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		had[o.Trial] = o
	}
	outcomes = nil
	for _, trial := range all {
		outcomes = append(outcomes, had[trial])
	}
	return outcomes, nil
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
	method, suffix, _ := strings.Cut(trial.Method, ":")
	rules := []string{
		fmt.Sprintf("%s:seed:=%d", explorer.DefaultName, trial.Seed),
		fmt.Sprintf("%s:seed:=%d", fieldsim.DefaultName, trial.Seed),
		explorer.DefaultName + ":method:=" + method,
	}
	if suffix != "" {
		rules = append(rules,
			fmt.Sprintf("%s:execution.learn:=%t", explorer.DefaultName, ":"+suffix != fixed),
			fmt.Sprintf("%s:execution.local:=%t", explorer.DefaultName, ":"+suffix == local))
	}
	err = assign(overrides, rules...)
	if err != nil {
		return nil, err
	}
	s, _, err := c.open(trial.Seed, simulation.Options{Parameters: overrides})
	return s, err
}

func (c *robotCommand) write(t terminal, outcomes []simulation.Outcome) error {
	var csv strings.Builder
	if err := simulation.WriteCSV(&csv, outcomes); err != nil {
		return err
	}
	table := simulation.Table(outcomes, c.Methods)
	files := map[string][]byte{"results.csv": []byte(csv.String()), "table.md": []byte(table)}
	for _, chart := range simulation.Charts(outcomes, c.Methods) {
		picture, err := report.BandsPNG(chart.Title, "deviation over the seeds", chart.Series)
		if err != nil {
			return err
		}
		files[chart.Name+".png"] = picture
	}
	if err := writeFiles(c.Out, files); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s\nThe figures after each sample are in %s.\n", table, filepath.Join(c.Out, "results.csv"))
	return nil
}
