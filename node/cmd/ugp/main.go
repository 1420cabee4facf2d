// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command ugp explores fields in simulation and replays bags: see ugp --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation"
)

// Exit codes, as shells and make read them.
const (
	exitFailed      = 1   // the command started and could not finish
	exitBadInput    = 2   // the input cannot be used; nothing is written
	exitInterrupted = 130 // the user interrupted; the results so far are saved
)

// commandLine declares the commands and flags of ugp.
type commandLine struct {
	Version kong.VersionFlag `help:"Show the version."`

	Demo       demoCommand       `cmd:"" help:"Run a complete mission with a simulated robot in this process, in simulated time."`
	Sim        simCommand        `cmd:"" help:"Run a complete mission with a simulated robot, with each node as a ROS 2 process that communicates over DDS on this machine."`
	Replay     replayCommand     `cmd:"" help:"Replay a recorded bag: learn the model, map the field and suggest where to sample."`
	Advise     adviseCommand     `cmd:"" help:"Predict what a mission will find with a given battery and number of samples, from simulated missions on fields that may resemble yours."`
	Outline    outlineCommand    `cmd:"" help:"Make the outline of a field from a recorded drive along its edge."`
	Export     exportCommand     `cmd:"" help:"Write the results of a mission for other software: CSV, GeoJSON and GeoTIFF."`
	Doctor     doctorCommand     `cmd:"" help:"Check whether a mission could start: machine, ROS 2 graph, parameters and field. Exit code 0: yes, 1: no."`
	Experiment experimentCommand `cmd:"" help:"Run many trials with different methods and compare their results."`
	Help       helpCommand       `cmd:"" help:"Show the commands, or the flags of one of them."`
}

// terminal holds the context, the output streams and the clock of a command.
type terminal struct {
	ctx      context.Context
	out, err io.Writer
	isTTY    bool             // err is a terminal
	now      func() time.Time // the wall clock
}

// note prints what a person should know; "" is nothing.
func (t terminal) note(texts ...string) {
	for _, text := range texts {
		if text != "" {
			fmt.Fprintf(t.err, "Note that %s.\n", text)
		}
	}
}

// doubts prints what parameters for the nodes of a mission probably do not mean.
func (t terminal) doubts(o *param.Overrides) {
	cfg := simulation.DefaultConfig(1)
	var nodes []string
	var sets []*param.Set
	for _, p := range cfg.Parameters() {
		nodes, sets = append(nodes, "/"+p.Node), append(sets, p.Set)
	}
	for _, doubt := range o.Doubts(nodes, sets...) {
		fmt.Fprintf(t.err, "Note: %v\n", doubt)
	}
}

// badInput marks an error that the user can correct.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

func main() {
	ctx, stop := process.Interruption()
	t := terminal{ctx: ctx, out: os.Stdout, err: os.Stderr, isTTY: term.IsTerminal(int(os.Stderr.Fd())), now: time.Now}
	code := run(t, os.Args[1:])
	stop()
	os.Exit(code)
}

// run runs a command line and returns the exit code.
func run(t terminal, args []string) int {
	exited := -1
	parser := grammar(t, func(code int) { exited = code }) // after --help and --version
	if len(args) == 0 {
		args = []string{"help"}
	}
	if args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if err := known(parser.Model.Node, args); err != nil {
		fmt.Fprintf(t.err, "ugp: %v\n", err)
		return exitBadInput
	}
	command, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		help := "ugp --help"
		var parse *kong.ParseError
		if errors.As(err, &parse) && parse.Context.Command() != "" {
			help = "ugp " + parse.Context.Command() + " --help"
		}
		fmt.Fprintf(t.err, "ugp: %v%s; see %s\n", err, advice(args), help)
		return exitBadInput
	}
	err = command.Run(t)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errAnsweredNo): // the reason has been printed
		return exitFailed
	}
	fmt.Fprintf(t.err, "ugp: %s\n", ros.PrintableLines(process.Plain(err.Error())))
	if errors.As(err, new(badInput)) {
		return exitBadInput
	}
	return exitFailed
}

// grammar returns the commands and flags.
func grammar(t terminal, exit func(code int)) *kong.Kong {
	parser, err := kong.New(new(commandLine), kong.Name("ugp"),
		kong.Description("Find the highest value in a field with a robot whose position is uncertain."),
		kong.Writers(t.out, t.err), numbers, texts, helpVars(), kong.Exit(exit))
	if err != nil {
		panic(err) // the grammar is invalid
	}
	return parser
}

// known returns an error that lists the commands if the arguments begin with the name of none.
func known(node *kong.Node, args []string) error {
	var names []string
	for _, child := range node.Children {
		if names = append(names, child.Name); len(args) > 0 && args[0] == child.Name {
			return known(child, args[1:])
		}
	}
	if len(names) == 0 || len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	return fmt.Errorf("there is no command %q: want one of %s; see %s --help", args[0], strings.Join(names, ", "), node.FullPath())
}

// advice says what may be meant by the words of a command line that is wrong; "" if nothing comes to mind.
func advice(args []string) string {
	for i, word := range args[1:] {
		before := args[i]
		_, err := strconv.ParseFloat(before, 64)
		switch ext := filepath.Ext(word); {
		case err == nil && units[word]:
			return fmt.Sprintf("; a number and its unit are one word, as in %s%s", before, word)
		case (ext == ".geojson" || ext == ".json") && !strings.HasPrefix(before, "-"):
			return fmt.Sprintf("; an outline is given by --field %s", word)
		}
	}
	return ""
}

// units are those that a number of a flag may have.
var units = map[string]bool{"km": true, "m": true, "cm": true, "h": true, "min": true, "s": true, "m/s": true, "km/h": true}
