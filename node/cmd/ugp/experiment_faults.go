package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ugp_explorer/node/simulation/faults"
)

type faultsCommand struct {
	Seeds   string   `group:"run" help:"Range of seeds, each a mission with its own field, robot and faults (1-1000)." default:"1-1000" placeholder:"A-B"`
	Seed    word     `group:"run" help:"Run the mission of this seed alone, and print what happens in it." placeholder:"N"`
	Only    []string `group:"run" help:"With --seed: the numbers of the faults that are injected, or none; by default all." placeholder:"N"`
	Workers word     `group:"run" help:"Number of missions that run in parallel (0: the number of processors)." default:"0" placeholder:"N"`
	Out     string   `group:"run" help:"Folder for trials.jsonl, results.csv and table.md (out/faults)." default:"out/faults" type:"path" placeholder:"DIR"`
	Resume  bool     `group:"run" help:"Continue the run in --out: finished missions are not run again; seeds can be added."`
}

// errBroken is the error of missions that broke a rule.
var errBroken = errors.New("a mission broke a rule")

// Run runs missions under faults and prints which of them broke a rule.
func (c *faultsCommand) Run(t terminal) error {
	if c.Seed != "" {
		return c.one(t)
	}
	if len(c.Only) > 0 {
		return badInput{fmt.Errorf("--only is %q without --seed: want the seed of the mission, too", strings.Join(c.Only, ","))}
	}
	first, last, err := seedRange(c.Seeds)
	workers, bad := c.Workers.workers()
	if err = cmp.Or(err, bad, writable(c.Out)); err != nil {
		return err
	}
	s := faults.NewStudy(first, last)
	results, err := finish(t, s, c.Out, "", c.Resume, workers, s.Unit)
	if err != nil {
		return err
	}
	var csv strings.Builder
	if err := s.WriteCSV(&csv, results); err != nil {
		return err
	}
	table := s.Table(results)
	if err := writeFiles(c.Out, map[string][]byte{"results.csv": []byte(csv.String()), "table.md": []byte(table)}); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s", table)
	for _, r := range results {
		if r.Violation != nil {
			return errBroken
		}
	}
	return nil
}

// one runs the mission of one seed.
func (c *faultsCommand) one(t terminal) error {
	seed, err := c.Seed.number("--seed", 1, math.MaxInt32)
	if err != nil {
		return err
	}
	var only []int
	switch {
	case len(c.Only) == 1 && c.Only[0] == "none":
		only = []int{}
	default:
		for _, text := range c.Only {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return badInput{fmt.Errorf("--only has %q: want numbers of faults separated by commas, or none", text)}
			}
			only = append(only, n)
		}
	}
	trial := faults.Draw(seed)
	for _, n := range only {
		if n > len(trial.Faults) {
			return badInput{fmt.Errorf("--only has %d: seed %d has %d faults", n, seed, len(trial.Faults))}
		}
	}
	fmt.Fprintln(t.out, trial)
	for _, f := range trial.Faults {
		fmt.Fprintln(t.out, "  ", f)
	}
	r, err := faults.Run(t.ctx, seed, only, func(line string) { fmt.Fprintln(t.out, line) })
	if err != nil {
		return err
	}
	if r.Violation != nil {
		fmt.Fprintln(t.out, r.Violation)
		return errBroken
	}
	fmt.Fprintf(t.out, "All rules are kept. %s\n", r.End)
	return nil
}

// seedRange reads "A-B" or "A".
func seedRange(text string) (first, last int64, err error) {
	a, b, ok := strings.Cut(text, "-")
	if !ok {
		b = a
	}
	first, errA := strconv.ParseInt(a, 10, 32)
	last, errB := strconv.ParseInt(b, 10, 32)
	if errA != nil || errB != nil || first < 1 || last < first {
		return 0, 0, badInput{fmt.Errorf("--seeds is %q: want a range of whole numbers from 1, such as 1-1000", text)}
	}
	return first, last, nil
}
