package main

type experimentCommand struct {
	Rkhs        rkhsCommand        `cmd:"" help:"Functions of the kernel's own space, with execution and localisation noise: the paper's first experiment."`
	Michalewicz michalewiczCommand `cmd:"" help:"The Michalewicz function in four dimensions: the paper's second experiment."`
	Tournament  tournamentCommand  `cmd:"" help:"Methods and their settings over drawn and surveyed fields, with hyper-parameters learnt, judged by the place that they recommend."`
	Shadow      shadowCommand      `cmd:"" help:"Fields where localisation is good in one part and poor in another."`
	Robot       robotCommand       `cmd:"" help:"The whole simulated robot: filter, follower, slip and all."`
}
