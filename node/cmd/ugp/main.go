// Command ugp explores fields in simulation and replays bags: see ugp --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// Exit codes, as shells and make read them.
const (
	exitFailed      = 1   // it was begun and could not be finished
	exitBadInput    = 2   // something that was given cannot be used; nothing is written
	exitInterrupted = 130 // by the user; what was there is saved
)

// commandLine is what ugp understands.
type commandLine struct {
	Version kong.VersionFlag `help:"Show which version this is."`

	Demo       demoCommand       `cmd:"" help:"Explore a field from end to end with a simulated robot, in simulated time."`
	Sim        simCommand        `cmd:"" help:"Explore a field with the same nodes as processes of a ROS 2 graph, over DDS on this machine."`
	Replay     replayCommand     `cmd:"" help:"Replay a recorded bag: learn and map from it, and say where the robot should have gone."`
	Bag        bagCommand        `cmd:"" help:"Look into recorded bags."`
	Experiment experimentCommand `cmd:"" help:"Repeat missions over seeds and methods, and compare what they found."`
}

// terminal is where a command reads and writes.
type terminal struct {
	ctx      context.Context
	out, err io.Writer
	isTTY    bool             // err is a terminal
	now      func() time.Time // the wall clock
}

// badInput marks an error as the user's to mend.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	t := terminal{ctx: ctx, out: os.Stdout, err: os.Stderr, isTTY: isTerminal(os.Stderr), now: time.Now}
	code := run(t, os.Args[1:])
	stop()
	os.Exit(code)
}

// run carries out a command line and returns the exit code.
func run(t terminal, args []string) (code int) {
	var cl commandLine
	exited := -1
	parser, err := kong.New(&cl, kong.Name("ugp"),
		kong.Description("Find where a field is richest, with a robot that is not sure where it is."),
		kong.Writers(t.out, t.err), helpVars(),
		kong.Exit(func(code int) { exited = code; panic(exitEarly{}) }))
	if err != nil {
		panic(err) // the commands are declared wrongly
	}
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(exitEarly); !ok {
				panic(v)
			}
			code = exited
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(t.err, "ugp: %v; see %s\n", err, helpFor(err))
		return exitBadInput
	}
	err = command.Run(t)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errUnusable): // it has been said
		return exitFailed
	}
	fmt.Fprintf(t.err, "ugp: %s\n", plain(err))
	if errors.As(err, new(badInput)) {
		return exitBadInput
	}
	return exitFailed
}

// helpFor returns the command line that explains what was not understood.
func helpFor(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context.Command() != "" {
		return "ugp " + parse.Context.Command() + " --help"
	}
	return "ugp --help"
}

// exitEarly ends a run from within kong, which wants to exit after --help.
type exitEarly struct{}
