package main

import (
	"cmp"
	"fmt"
	"strings"

	"ugp_explorer/sim/experiment"
)

type tournamentCommand struct {
	Methods    []string `group:"mission" help:"Methods to compare, the first with each of the others: ${methods}. A name can be followed by settings: ${entryoptions}." default:"${entries}" placeholder:"NAME"`
	Fields     []string `group:"field" help:"Fields on which the methods are compared (all): ${arenas}." placeholder:"NAME"`
	BroomsBarn string   `name:"broomsbarn" group:"field" help:"Survey of Broom's Barn in its original format; without it this field is left out." type:"path" placeholder:"FILE"`
	Meuse      string   `group:"field" help:"Survey of the Meuse, a CSV file with the columns x, y and zinc; without it this field is left out." type:"path" placeholder:"FILE"`
	Noise      []string `group:"field" help:"Noise levels: factors on the execution, localisation and reading noise of each field (1)." default:"1" placeholder:"N"`
	Ratios     []string `group:"mission" help:"Standard deviation of the execution noise that the methods assume, as a multiple of the true one (1)." default:"1" placeholder:"R"`
	Iterations word     `group:"mission" help:"Number of samples per trial (30)." default:"30" placeholder:"N"`
	seedFlag   `embed:""`
	runFlags   `kong:"embed,set='trials=50',set='trialsHelp=Number of trials on each field, each with its own noise and first target and, on drawn fields, its own field',set='unit=trials',set='out=out/tournament'"`
}

// Run runs the tournament and prints the table of results.
func (c *tournamentCommand) Run(t terminal) error {
	p := &experiment.Tournament{}
	err := cmp.Or(
		whole("--trials", c.Trials, 2, 100000, &p.Trials), // one trial has no standard error
		whole("--iterations", c.Iterations, 1, 1000, &p.Iterations),
		c.seedFlag.read(&p.Seed),
		numbers("--noise", c.Noise, 0.001, 1000, &p.Levels),
		numbers("--ratios", c.Ratios, 0.001, 1000, &p.Ratios),
	)
	if err != nil {
		return err
	}
	for _, text := range c.Methods {
		e, err := experiment.ParseEntry(text)
		if err != nil {
			return badInput{fmt.Errorf("--methods: %w", err)}
		}
		p.Entries = append(p.Entries, e)
	}
	names := c.Fields
	if len(names) == 0 {
		names = experiment.ArenaNames()
	}
	for _, name := range names {
		a, err := experiment.NewArena(name, map[string]string{"broomsbarn": c.BroomsBarn, "meuse": c.Meuse})
		switch {
		case err != nil:
			return badInput{err}
		case a == nil:
			fmt.Fprintf(t.err, "%s is left out: give its survey with --%s\n", name, name)
		default:
			p.Arenas = append(p.Arenas, a)
		}
	}
	if err := badPlan(p.Validate()); err != nil {
		return err
	}
	return runStudy(t, p.Study(), &c.runFlags)
}

// tournamentEntries are the paper's three methods as published and the explorer's default.
var tournamentEntries = strings.Join([]string{"ugp-ucb+likelihood", "igp-ucb+likelihood", "uei+likelihood", "ugp-ucb+recommend=anywhere+average=8+kernel=matern"}, ",")
