package main

import (
	"cmp"
	"math"

	"ugp_explorer/sim/experiment"
)

type shadowCommand struct {
	Methods    []string `group:"mission" help:"Methods to compare, the first with each of the others (${shadowDefaults}): ${shadowMethods}." placeholder:"NAME"`
	Deviations []string `group:"mission" help:"Standard deviations of the position estimate in the shadow, in length-scales of the field (0.1,0.25,0.5,1)." placeholder:"S"`
	Shares     []string `group:"mission" help:"Fractions of the field that lie in the shadow (0.5)." placeholder:"S"`
	Hyper      []string `group:"mission" help:"Hyper-parameters: known, learnt, or both (known,learnt)." placeholder:"H"`
	Beta       word     `group:"mission" help:"Weight β of the standard deviation (2)." placeholder:"B"`
	Iterations word     `group:"mission" help:"Number of samples per trial (30)." placeholder:"N"`
	seedFlag   `embed:""`
	runFlags   `kong:"embed,set='trials=20',set='trialsHelp=Number of trials, each with its own field, shadow, noise and first target',set='unit=trials',set='out=out/shadow'"`
}

// Run runs the trials and prints how the methods compare.
func (c *shadowCommand) Run(t terminal) error {
	p := experiment.DefaultShadowPlan()
	if len(c.Methods) > 0 {
		p.Methods = c.Methods
	}
	if len(c.Hyper) > 0 {
		p.Hypers = c.Hyper
	}
	err := cmp.Or(
		whole("--trials", c.Trials, 2, 100000, &p.Trials), // one trial has no standard error
		whole("--iterations", c.Iterations, 1, 10000, &p.Iterations),
		c.seedFlag.read(&p.Seed),
		numbers("--deviations", c.Deviations, 0, math.MaxFloat64, &p.Deviations),
		numbers("--shares", c.Shares, 0, 1, &p.Shares),
	)
	if err == nil && c.Beta != "" {
		p.Beta, err = c.Beta.float("--beta", 0, 1000)
	}
	if err = cmp.Or(err, badPlan(p.Validate())); err != nil {
		return err
	}
	return runStudy(t, p.Study(), &c.runFlags)
}
