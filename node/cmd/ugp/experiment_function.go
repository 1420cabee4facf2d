package main

import (
	"cmp"

	"ugp_explorer/node/report"
	"ugp_explorer/sim/experiment"
	"ugp_explorer/sim/experiment/paper"
)

// functionCommand holds the flags of the experiments on functions, without a robot.
type functionCommand struct {
	Methods    []string `group:"mission" help:"Methods to compare, the first with each of the others (ugp-ucb,igp-ucb,uei,random): ${methods}." default:"ugp-ucb,igp-ucb,uei,random" placeholder:"NAME"`
	Ratios     []string `group:"mission" help:"Standard deviation of the execution noise that the methods assume, as a multiple of the true one (1)." placeholder:"R"`
	Betas      []string `group:"mission" help:"Weights β of the standard deviation for the UCB methods: numbers, theorem (with the information gain of the samples), maximum (with the largest information gain), or a multiple of these two, such as 0.1*theorem." placeholder:"B"`
	Noise      string   `group:"mission" help:"Noise variance of the models (matched): ${noises}." default:"matched" placeholder:"RULE"`
	Scale      word     `name:"length-scale" group:"mission" help:"Length-scale of the models (0.1 for rkhs, the same as its functions; 0.5 for michalewicz)." placeholder:"L"`
	Iterations word     `group:"mission" help:"Number of samples per trial (as in the paper)." placeholder:"N"`
	seedFlag   `embed:""`
}

type rkhsCommand struct {
	functionCommand `embed:""`
	runFlags        `kong:"embed,set='trials=10',set='trialsHelp=Number of trials, each with its own function, noise and first target',set='unit=trials',set='out=out/rkhs'"`
}

func (c *rkhsCommand) Run(t terminal) error { return c.run(t, "rkhs", &c.runFlags) }

type michalewiczCommand struct {
	functionCommand `embed:""`
	runFlags        `kong:"embed,set='trials=10',set='trialsHelp=Number of trials, each with its own noise and first target',set='unit=trials',set='out=out/michalewicz'"`
}

func (c *michalewiczCommand) Run(t terminal) error { return c.run(t, "michalewicz", &c.runFlags) }

func (c *functionCommand) run(t terminal, name string, f *runFlags) error {
	p := experiment.DefaultPlan(experiment.ProblemNamed(name))
	p.Methods, p.Noise = c.Methods, paper.Noise(c.Noise)
	if len(c.Betas) > 0 {
		p.Betas = c.Betas
	}
	err := cmp.Or(
		whole("--trials", f.Trials, 1, 100000, &p.Trials),
		whole("--iterations", c.Iterations, 1, 10000, &p.Iterations),
		c.seedFlag.read(&p.Seed),
		checkMethods(c.Methods),
		numbers("--ratios", c.Ratios, 0.001, 1000, &p.Ratios),
	)
	if err == nil && c.Scale != "" {
		p.Scale, err = c.Scale.float("--length-scale", 1e-6, 1e6)
	}
	if err = cmp.Or(err, badPlan(p.Validate())); err != nil {
		return err
	}
	return runStudy(t, p.Study(), f)
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
		switch {
		case chart.Groups != nil:
			picture, err = report.BarsPNG(chart.Title, chart.Axis, chart.Spread, chart.Groups, series)
		case len(series) > 0 && series[0].At != nil:
			picture, err = report.LinesPNG(chart.Title, chart.Axis, chart.Spread, series)
		default:
			picture, err = report.BandsPNG(chart.Title, chart.Spread, series)
		}
		if err != nil {
			return err
		}
		files[chart.Name+".png"] = picture
	}
	return nil
}
