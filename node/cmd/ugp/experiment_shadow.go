package main

import (
	"fmt"
	"math"
	"strconv"

	"ugp_explorer/sim/experiment"
)

type shadowCommand struct {
	Methods    []string `group:"mission" help:"Methods to compare, the first one with each of the others (${shadowDefaults}); there are ${shadowMethods}." placeholder:"NAME,…"`
	Deviations []string `group:"mission" help:"Standard deviations of the localisation in the shadow, in length-scales of the field (0.1,0.25,0.5,1)." placeholder:"S,…"`
	Shares     []string `group:"mission" help:"Shares of the field that lie in the shadow (0.5)." placeholder:"S,…"`
	Hyper      []string `group:"mission" help:"Hyper-parameters: known, learnt, or both (known,learnt)." placeholder:"H,…"`
	Beta       word     `group:"mission" help:"Weight of the deviation (2)." placeholder:"B"`
	Iterations word     `group:"mission" help:"Samples to a trial (30)." placeholder:"N"`
	Trials     word     `group:"run" help:"Trials, each with its own field, shadow, noise and first target (20)." placeholder:"N"`
	Seed       word     `group:"run" help:"Seed of the trials: the same seed, the same figures (1)." default:"1" placeholder:"N"`
	Workers    word     `group:"run" help:"Trials at once (0: as many as there are processors)." default:"0" placeholder:"N"`
	Out        string   `group:"run" help:"Folder for trials.jsonl, results.csv, table.md and the pictures (out/shadow)." default:"out/shadow" type:"path" placeholder:"DIR"`
	Resume     bool     `group:"run" help:"Go on with what --out has: trials that are there are not run again."`
}

// shadowHeader is what the trials of a log have in common.
type shadowHeader struct {
	Experiment string  `json:"experiment"`
	Seed       uint64  `json:"seed"`
	Iterations int     `json:"iterations"`
	Beta       float64 `json:"beta"`
}

// plan reads the flags.
func (c *shadowCommand) plan() (*experiment.ShadowPlan, error) {
	p := experiment.DefaultShadowPlan()
	seed, err := c.Seed.number("--seed", 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	p.Seed = uint64(seed)
	for _, f := range []struct {
		flag   string
		given  word
		lo, hi int64
		n      *int
	}{
		{"--trials", c.Trials, 2, 100000, &p.Trials}, // one alone has no standard error
		{"--iterations", c.Iterations, 1, 10000, &p.Iterations},
	} {
		if f.given == "" {
			continue
		}
		n, err := f.given.number(f.flag, f.lo, f.hi)
		if err != nil {
			return nil, err
		}
		*f.n = int(n)
	}
	if c.Beta != "" {
		if p.Beta, err = c.Beta.float("--beta", 0, 1000); err != nil {
			return nil, err
		}
	}
	for _, f := range []struct {
		flag  string
		given []string
		list  *[]float64
	}{{"--deviations", c.Deviations, &p.Deviations}, {"--shares", c.Shares, &p.Shares}} {
		if len(f.given) > 0 {
			*f.list = nil
		}
		for _, text := range f.given {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, badInput{fmt.Errorf("%s has %q: want numbers with commas between them", f.flag, text)}
			}
			*f.list = append(*f.list, v)
		}
	}
	if len(c.Methods) > 0 {
		p.Methods = c.Methods
	}
	if len(c.Hyper) > 0 {
		p.Hypers = c.Hyper
	}
	if err := p.Validate(); err != nil {
		return nil, badInput{err}
	}
	return &p, nil
}

// Run runs the trials and prints how the methods compare.
func (c *shadowCommand) Run(t terminal) error {
	p, err := c.plan()
	if err != nil {
		return err
	}
	s := trials[experiment.ShadowJob, experiment.ShadowResult]{
		p.Jobs(), func(r experiment.ShadowResult) experiment.ShadowJob { return r.ShadowJob }, p.Trial, p.WriteCSV, p.Table, p.Charts, "sample",
	}
	return s.run(t, c.Out, c.Resume, c.Workers, shadowHeader{"shadow", p.Seed, p.Iterations, p.Beta})
}
