package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

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
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	vars := kong.Vars{
		"version":    version(info),
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

// version describes the program: the module's version, the commit that it was built from,
// if the build knows them, and the compiler.
func version(info *debug.BuildInfo) string {
	text := fmt.Sprintf("ugp of %s %s", info.Main.Path, info.Main.Version)
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += ", commit " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " with changes"
		}
	}
	return text + ", " + info.GoVersion
}

// helpCommand is listed with the others. Its arguments are read as those of --help.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"Command whose flags are shown, such as demo or experiment robot."`
}
