package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ugp_explorer/sim/experiment"
)

type tournamentCommand struct {
	Methods    []string `group:"mission" help:"Methods to compare, the first one with each of the others: ${methods}; each may be followed by settings, ${entryoptions}." default:"${entries}" placeholder:"NAME+…,…"`
	Fields     []string `group:"field" help:"Fields to meet on (all): ${arenas}." placeholder:"NAME,…"`
	BroomsBarn string   `name:"broomsbarn" group:"field" help:"Survey of Broom's Barn, in its own format; without it that field is left out." type:"path" placeholder:"FILE"`
	Meuse      string   `group:"field" help:"Survey of the Meuse, a CSV with the columns x, y and zinc; without it that field is left out." type:"path" placeholder:"FILE"`
	Noise      []string `group:"field" help:"Levels of noise: by what each field's execution, localisation and reading noises are multiplied (1)." default:"1" placeholder:"N,…"`
	Ratios     []string `group:"mission" help:"How large the methods take the execution noise to be, over what it is (1)." default:"1" placeholder:"R,…"`
	Iterations word     `group:"mission" help:"Samples to a trial (30)." default:"30" placeholder:"N"`
	Trials     word     `group:"run" help:"Trials on each field, each with its own noise and first target, and of the drawn fields its own one (50)." default:"50" placeholder:"N"`
	Seed       word     `group:"run" help:"Seed of the trials: the same seed, the same figures (1)." default:"1" placeholder:"N"`
	Workers    word     `group:"run" help:"Trials at once (0: as many as there are processors)." default:"0" placeholder:"N"`
	Out        string   `group:"run" help:"Folder for trials.jsonl, results.csv, table.md and the pictures (out/tournament)." default:"out/tournament" type:"path" placeholder:"DIR"`
	Resume     bool     `group:"run" help:"Go on with what --out has: trials that are there are not run again, and methods and fields may be added."`
}

// tournamentHeader is what the trials of a log have in common.
type tournamentHeader struct {
	Experiment string `json:"experiment"`
	Seed       uint64 `json:"seed"`
	Iterations int    `json:"iterations"`
}

// Run plays the tournament and prints the standings.
func (c *tournamentCommand) Run(t terminal) error {
	p, err := c.tournament(t)
	if err != nil {
		return err
	}
	s := trials[experiment.Match, experiment.Score]{
		p.Matches(), func(r experiment.Score) experiment.Match { return r.Match }, p.Play, p.WriteCSV, p.Table, p.Charts, "sample",
	}
	return s.run(t, c.Out, c.Resume, c.Workers, tournamentHeader{"tournament", p.Seed, p.Iterations})
}

// tournament reads the flags.
func (c *tournamentCommand) tournament(t terminal) (*experiment.Tournament, error) {
	out := &experiment.Tournament{}
	trials, err := c.Trials.number("--trials", 2, 100000) // one alone has no standard error
	if err != nil {
		return nil, err
	}
	iterations, err := c.Iterations.number("--iterations", 1, 1000)
	if err != nil {
		return nil, err
	}
	seed, err := c.Seed.number("--seed", 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	out.Trials, out.Iterations, out.Seed = int(trials), int(iterations), uint64(seed)
	for _, text := range c.Methods {
		e, err := experiment.ParseEntry(text)
		if err != nil {
			return nil, badInput{fmt.Errorf("--methods: %w", err)}
		}
		out.Entries = append(out.Entries, e)
	}
	names := c.Fields
	if len(names) == 0 {
		names = experiment.ArenaNames()
	}
	for _, name := range names {
		a, err := experiment.NewArena(name, experiment.ArenaFiles{BroomsBarn: c.BroomsBarn, Meuse: c.Meuse})
		switch {
		case err != nil:
			return nil, badInput{err}
		case a == nil:
			fmt.Fprintf(t.err, "%s is left out: give its survey by --%s\n", name, name)
		default:
			out.Arenas = append(out.Arenas, a)
		}
	}
	if out.Levels, err = factors("--noise", c.Noise); err != nil {
		return nil, err
	}
	if out.Ratios, err = factors("--ratios", c.Ratios); err != nil {
		return nil, err
	}
	if err := out.Validate(); err != nil {
		return nil, badInput{err}
	}
	return out, nil
}

// factors reads a list of positive numbers.
func factors(flag string, texts []string) ([]float64, error) {
	var list []float64
	for _, text := range texts {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0.001 && v <= 1000) {
			return nil, badInput{fmt.Errorf("%s has %q: want numbers from 0.001 to 1000 with commas between them", flag, text)}
		}
		list = append(list, v)
	}
	return list, nil
}

// tournamentEntries are the paper's three methods, as it has them, and the explorer's
// default.
var tournamentEntries = strings.Join([]string{"ugp-ucb+likelihood", "igp-ucb+likelihood", "uei+likelihood", "ugp-ucb+recommend=anywhere+average=8+kernel=matern"}, ",")
