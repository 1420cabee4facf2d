// Command ugp explores fields in simulation: see ugp --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes, as shells and make read them.
const (
	exitFailed      = 1   // it was begun and could not be finished
	exitBadInput    = 2   // something that was given cannot be used; nothing was begun
	exitInterrupted = 130 // by the user; what was there is saved
)

// commandLine is what ugp understands.
type commandLine struct {
	Demo       demoCommand       `cmd:"" help:"Explore a field from end to end with a simulated robot, in simulated time."`
	Experiment experimentCommand `cmd:"" help:"Repeat missions over seeds and methods, and compare what they found."`
}

// terminal is where a command reads and writes.
type terminal struct {
	ctx      context.Context
	out, err io.Writer
	isTTY    bool // err is a terminal
}

// badInput marks an error as the user's to mend.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, isTerminal(os.Stderr))
	stop()
	os.Exit(code)
}

// run carries out a command line and returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer, isTTY bool) (code int) {
	var cl commandLine
	exited := -1
	parser, err := kong.New(&cl, kong.Name("ugp"),
		kong.Description("Find where a field is richest, with a robot that is not sure where it is."),
		kong.Writers(out, errs), kong.UsageOnError(), methodHelp(),
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
		fmt.Fprintf(errs, "ugp: %v\nugp --help lists what is understood.\n", err)
		return exitBadInput
	}
	err = command.Run(terminal{ctx: ctx, out: out, err: errs, isTTY: isTTY})
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	fmt.Fprintf(errs, "ugp: %v\n", err)
	if errors.As(err, new(badInput)) {
		return exitBadInput
	}
	return exitFailed
}

// exitEarly ends a run from within kong, which wants to exit after --help.
type exitEarly struct{}
