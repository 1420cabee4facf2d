// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"

	"github.com/alecthomas/kong"

	"ugp_explorer/internal/version"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
	"ugp_explorer/sim"
	"ugp_explorer/sim/experiment/paper"
)

// helpVars returns the kong options for the variables in help texts, for the titles of
// flag groups and for the output of --version.
func helpVars() kong.Option {
	var lines []string
	for _, m := range planner.Robot() {
		lines = append(lines, m.Name+", "+m.Description)
	}
	vars := kong.Vars{
		"version":    version.Text("ugp"),
		"methods":    strings.Join(paper.Catalogue().MethodNames(), ", "),
		"budgets":    simulation.BudgetSyntax,
		"methodHelp": strings.Join(lines, "; "),
		"receivers":  strings.Join(sim.Receivers(), ", "),
		// The conventions for λ.
		"noises": "matched, the true variance of the observations about the model; reading, the variance of a reading alone; " +
			"prior, reading plus the model's expected variance over the possible places of a sample; theorem, reading plus the square of Proposition subg's bound; " +
			"chowdhury, 1 + 2/n",
	}
	groups := kong.ExplicitGroups([]kong.Group{
		{Key: "bag", Title: "The bag:"},
		{Key: "field", Title: "The field:"},
		{Key: "mission", Title: "The mission:"},
		{Key: "run", Title: "The run:"},
	})
	return kong.OptionFunc(func(k *kong.Kong) error { return errors.Join(vars.Apply(k), groups.Apply(k)) })
}

// helpCommand is listed with the others. Its arguments are read as those of --help.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"Command whose flags are shown, such as demo or experiment robot."`
}
