package main

import (
	"math"
	"path/filepath"

	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment"
)

// functionCommand is an experiment on functions, without a robot.
type functionCommand struct {
	Methods    []string `group:"mission" help:"Methods to compare, the first one with each of the others (ugp-ucb,igp-ucb,uei,random); there are ${methods}; with :learnt behind it, one learns the execution noise, --ratios being what it begins with." default:"ugp-ucb,igp-ucb,uei,random" placeholder:"NAME,…"`
	Ratios     []string `group:"mission" help:"How large the methods take the execution noise to be, over what it is (1)." placeholder:"R,…"`
	Betas      []string `group:"mission" help:"Weights of the deviation for the UCB methods: numbers, theorem (the information gain of the samples), maximum (the largest gain), or a share of one such as 0.1*theorem." placeholder:"B,…"`
	Noise      string   `group:"mission" help:"Noise variance of the models (matched): ${noises}." default:"matched" placeholder:"RULE"`
	Scale      word     `name:"length-scale" group:"mission" help:"Length-scale of the models (0.1 for rkhs, as its functions have, 0.5 for michalewicz)." placeholder:"L"`
	Iterations word     `group:"mission" help:"Samples to a trial (the paper's)." placeholder:"N"`
	Trials     word     `group:"run" help:"Trials, each with its own function, noise and first target (10)." default:"10" placeholder:"N"`
	Seed       word     `group:"run" help:"Seed of the trials: the same seed, the same figures (1)." default:"1" placeholder:"N"`
	Workers    word     `group:"run" help:"Trials at once (0: as many as there are processors)." default:"0" placeholder:"N"`
	Out        string   `group:"run" help:"Folder for trials.jsonl, results.csv, table.md and the pictures (out/ and the experiment's name)." type:"path" placeholder:"DIR"`
	Resume     bool     `group:"run" help:"Go on with what --out has: trials that are there are not run again."`
}

type rkhsCommand struct {
	functionCommand `embed:""`
}

func (c *rkhsCommand) Run(t terminal) error { return c.run(t, "rkhs") }

type michalewiczCommand struct {
	functionCommand `embed:""`
}

func (c *michalewiczCommand) Run(t terminal) error { return c.run(t, "michalewicz") }

// logHeader is what the trials of a log have in common.
type logHeader struct {
	Experiment string        `json:"experiment"`
	Seed       uint64        `json:"seed"`
	Iterations int           `json:"iterations"`
	Noise      planner.Noise `json:"noise"`
	Scale      float64       `json:"length_scale"`
}

// plan reads the flags.
func (c *functionCommand) plan(name string) (*experiment.Plan, error) {
	p := experiment.DefaultPlan(experiment.ProblemNamed(name))
	for _, f := range []struct {
		flag  string
		given word
		hi    int64
		set   func(int64)
	}{
		{"--trials", c.Trials, 100000, func(n int64) { p.Trials = int(n) }},
		{"--iterations", c.Iterations, 10000, func(n int64) { p.Iterations = int(n) }},
	} {
		if f.given == "" {
			continue
		}
		n, err := f.given.number(f.flag, 1, f.hi)
		if err != nil {
			return nil, err
		}
		f.set(n)
	}
	seed, err := c.Seed.number("--seed", 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	p.Seed = uint64(seed)
	if err := checkMethods(c.Methods, experiment.Learnt); err != nil {
		return nil, err
	}
	p.Methods = c.Methods
	if len(c.Ratios) > 0 {
		if p.Ratios, err = factors("--ratios", c.Ratios); err != nil {
			return nil, err
		}
	}
	if len(c.Betas) > 0 {
		p.Betas = c.Betas
	}
	p.Noise = planner.Noise(c.Noise)
	if c.Scale != "" {
		if p.Scale, err = c.Scale.float("--length-scale", 1e-6, 1e6); err != nil {
			return nil, err
		}
	}
	if err := p.Validate(); err != nil {
		return nil, badInput{err}
	}
	return &p, nil
}

func (c *functionCommand) run(t terminal, name string) error {
	p, err := c.plan(name)
	if err != nil {
		return err
	}
	if c.Out == "" {
		c.Out = filepath.Join("out", name)
	}
	s := trials[experiment.Job, experiment.Result]{
		p.Jobs(), func(r experiment.Result) experiment.Job { return r.Job }, p.Trial, p.WriteCSV, p.Table, p.Charts, "iteration",
	}
	return s.run(t, c.Out, c.Resume, c.Workers, logHeader{name, p.Seed, p.Iterations, p.Noise, p.Scale})
}

// addPictures adds each chart as a picture.
func addPictures(files map[string][]byte, charts []experiment.Chart) error {
	for _, chart := range charts {
		series := make([]report.Series, len(chart.Series))
		for i, s := range chart.Series {
			series[i] = report.Series(s)
		}
		var picture []byte
		var err error
		if chart.Groups == nil {
			picture, err = report.BandsPNG(chart.Title, chart.Spread, series)
		} else {
			picture, err = report.BarsPNG(chart.Title, chart.Axis, chart.Spread, chart.Groups, series)
		}
		if err != nil {
			return err
		}
		files[chart.Name+".png"] = picture
	}
	return nil
}
