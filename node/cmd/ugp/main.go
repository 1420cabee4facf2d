// Command ugp explores fields in simulation and replays bags: see ugp --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
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
	Advise     adviseCommand     `cmd:"" help:"Predict what a mission will find with a battery and a number of samples, by simulated missions on fields that yours may be like."`
	Outline    outlineCommand    `cmd:"" help:"Make the outline of a field from a recorded drive along its edge."`
	Export     exportCommand     `cmd:"" help:"Write the results of a mission for other software: CSV, GeoJSON and GeoTIFF."`
	Doctor     doctorCommand     `cmd:"" help:"Find out whether a mission could start: machine, ROS 2 graph, parameters and field. Exit code 0: yes, 1: no."`
	Experiment experimentCommand `cmd:"" help:"Run many trials with different methods and compare their results."`
}

// terminal holds the context, the output streams and the clock of a command.
type terminal struct {
	ctx      context.Context
	out, err io.Writer
	isTTY    bool             // err is a terminal
	now      func() time.Time // the wall clock
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
	parser, err := kong.New(new(commandLine), kong.Name("ugp"),
		kong.Description("Find the highest value in a field with a robot whose position is uncertain."),
		kong.Writers(t.out, t.err), numbers, helpVars(),
		kong.Exit(func(code int) { exited = code })) // after --help and --version
	if err != nil {
		panic(err) // the grammar is invalid
	}
	if len(args) == 0 {
		args = []string{"--help"}
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
		fmt.Fprintf(t.err, "ugp: %v; see %s\n", err, help)
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
