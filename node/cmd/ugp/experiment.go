package main

type experimentCommand struct {
	Rkhs        rkhsCommand        `cmd:"" help:"Compare methods on functions from the kernel's RKHS, with execution and localisation noise: the paper's first experiment."`
	Michalewicz michalewiczCommand `cmd:"" help:"Compare methods on the Michalewicz function in four dimensions: the paper's second experiment."`
	Tournament  tournamentCommand  `cmd:"" help:"Compare methods and their settings on drawn and surveyed fields, with learnt hyper-parameters, by the place that they recommend."`
	Shadow      shadowCommand      `cmd:"" help:"Compare methods on fields where localisation is good in one part and poor in another."`
	Robot       robotCommand       `cmd:"" help:"Compare methods on the complete simulated robot, with filter, path follower and wheel slip."`
	Budget      budgetCommand      `cmd:"" help:"Compare prices of distance with even grids and lawnmower lines at their best densities on the simulated robot, for budgets of distance, time and samples."`
	Faults      faultsCommand      `cmd:"" help:"Run missions in which messages, sensors, clocks, disks, processes and people fail, and check what the robot must never do."`
	Day         dayCommand         `cmd:"" help:"Run the nodes as processes over DDS for a simulated day, kill the explorer every hour, and measure memory, files, decision times and disk."`
	Continuous  continuousCommand  `cmd:"" help:"Compare ways to drive with a sensor that measures continuously, and pieces of path as distributions with the points in their middles."`
}
