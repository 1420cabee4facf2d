// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

type experimentCommand struct {
	Rkhs        rkhsCommand        `cmd:"" help:"Compare methods on functions from the kernel's RKHS, with execution and localisation noise: the paper's first experiment."`
	Michalewicz michalewiczCommand `cmd:"" help:"Compare methods on the Michalewicz function in four dimensions: the paper's second experiment."`
	Robot       robotCommand       `cmd:"" help:"Compare methods on the complete simulated robot, with filter, path follower and wheel slip."`
	Budget      budgetCommand      `cmd:"" help:"Compare prices of distance with even grids and lawnmower lines at their best densities on the simulated robot, for budgets of distance, time and samples."`
}
