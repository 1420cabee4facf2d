package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
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
	workers, err := workers(c.Workers)
	if err != nil {
		return err
	}
	if err := writable(c.Out); err != nil {
		return err
	}
	log, err := openLog[experiment.ShadowResult](c.Out, c.Resume, shadowHeader{"shadow", p.Seed, p.Iterations, p.Beta})
	if err != nil {
		return err
	}
	started := t.now()
	results, err := c.trials(t, p, workers, log)
	if err = errors.Join(err, log.Close()); err != nil {
		interrupted(t, err, c.Out)
		return err
	}
	if err := c.write(p, results); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s\nThe figures after each sample are in %s. It took %s.\n", p.Table(results), filepath.Join(c.Out, "results.csv"), clock(math.Ceil(t.now().Sub(started).Seconds())))
	return nil
}

// trials runs the jobs that the log does not have and returns all results.
func (c *shadowCommand) trials(t terminal, p *experiment.ShadowPlan, workers int, log *experiment.Log[experiment.ShadowResult]) ([]experiment.ShadowResult, error) {
	had := map[experiment.ShadowJob]bool{}
	for _, r := range log.Done {
		had[r.ShadowJob] = true
	}
	var left []experiment.ShadowJob
	for _, j := range p.Jobs() {
		if !had[j] {
			left = append(left, j)
		}
	}
	tell := trialProgress(t, "trials", len(left))
	done, err := experiment.Run(t.ctx, left, workers, p.Trial, func(_ experiment.ShadowJob, r experiment.ShadowResult) error {
		tell()
		return log.Add(r)
	})
	results := log.Done
	for _, r := range done {
		if r != nil {
			results = append(results, *r)
		}
	}
	return results, err
}

// write writes the table, the figures and the pictures.
func (c *shadowCommand) write(p *experiment.ShadowPlan, results []experiment.ShadowResult) error {
	var csv bytes.Buffer
	if err := p.WriteCSV(&csv, results); err != nil {
		return err
	}
	files := map[string][]byte{"results.csv": csv.Bytes(), "table.md": []byte(p.Table(results))}
	if err := addPictures(files, p.Charts(results)); err != nil {
		return err
	}
	return writeFiles(c.Out, files)
}
