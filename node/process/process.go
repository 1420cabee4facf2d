// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package process is the common part of the nodes' executables. It reads the arguments that ROS 2 passes to a node, opens a transport, runs
// an executor in real time, and finally tells the robot to stop.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ugp_explorer/internal/version"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/sockets"
)

// Program is one node as an executable.
type Program struct {
	Name       string     // name of the node unless it is remapped
	Summary    string     // what the node does, for --help: "chooses ..."
	Parameters *param.Set // bound to the configuration that Start uses
	// Terminal is set to the writer of the log before Start, for what a node writes without a logger;
	// nil: it writes nothing else.
	Terminal *io.Writer
	Start    func(*ros.Node) error
	// Finish does what takes time after an interruption, when the robot was told to
	// stop and the node has left the graph; nil: nothing. Whoever started the process
	// may kill it meanwhile.
	Finish func() error
	// Done reports that the node has nothing left to do, which ends the program like an
	// interruption; nil: it runs until it is interrupted.
	Done func() bool
	// ClockSource reports whether the node publishes /clock, see ros.NodeOptions.
	ClockSource func() bool
}

// Exit codes. The code is 0 when the program is done, after SIGINT or SIGTERM, which ros2 launch sends, after
// SIGHUP, and when nobody can read its log any more.
const (
	ExitFailed     = 1 // the node failed while it ran
	ExitNotStarted = 2 // the node could not start, as with an invalid argument or parameter
)

// shows are the arguments with which a program prints something and ends, whatever else is given.
var shows = map[string]func(p Program, program string){
	"--help":    func(p Program, program string) { p.help(os.Stdout, program, columns(os.Stdout)) },
	"-h":        func(p Program, program string) { p.help(os.Stdout, program, columns(os.Stdout)) },
	"--version": func(_ Program, program string) { fmt.Println(version.Text(program)) },
}

// Flags returns the arguments that each program has besides those of ROS, sorted.
func Flags() []string { return slices.Sorted(maps.Keys(shows)) }

// Main runs the program until it is interrupted or done, and exits.
func Main(p Program) {
	ctx, log, end := lasting(os.Stderr)
	for _, arg := range os.Args[1:] {
		if show := shows[arg]; show != nil {
			show(p, filepath.Base(os.Args[0]))
			os.Exit(0)
		}
	}
	if p.Terminal != nil {
		*p.Terminal = log
	}
	code := run(ctx, p, os.Args[1:], log)
	end()
	os.Exit(code)
}

func run(ctx context.Context, p Program, argv []string, errs io.Writer) int {
	node, executor, transport, given, err := p.open(argv, errs)
	if err == nil {
		stop := context.AfterFunc(ctx, func() { executor.Stop(context.Canceled) }) // ends what Start waits for
		err = p.Start(node)
		stop()
		if err != nil {
			err = errors.Join(given.Explain(err, node.FullName()), node.Close(), executor.Close(), transport.Close())
			if ctx.Err() != nil {
				return 0
			}
		}
	}
	if err != nil {
		fmt.Fprintf(errs, "%s: %s\n", p.Name, ros.PrintableLines(Plain(err.Error())))
		return ExitNotStarted
	}
	for _, e := range given.Missed(node.FullName()) {
		tell := node.Logger().Warn
		if e.Meant == "" && slices.ContainsFunc(e.Sections, ours) {
			tell = node.Logger().Info // a file for several nodes
		}
		tell(e.Error())
	}
	if yes, known := Synchronised(); known && !yes && !node.FollowsClock() {
		node.Logger().Info("the clock of this computer is not synchronised by NTP or PTP: stamps from other computers, and satellite time, may differ from it; start chrony or ntpd")
	}
	if err := tellVitals(node); err != nil { // such as policies of DDS Security from before
		node.Logger().Warn("the use of memory and files by the process is not published on /diagnostics", "error", err.Error())
	}
	err = executor.Run(ctx, func() bool {
		if p.Done != nil && p.Done() {
			executor.Stop(nil) // Run returns after the nodes' last words
		}
		return false
	})
	interrupted := errors.Is(err, context.Canceled)
	if interrupted {
		err = nil
	}
	err = errors.Join(err, node.Close(), transport.Close())
	if interrupted && p.Finish != nil {
		err = errors.Join(err, p.Finish())
	}
	if err != nil {
		fmt.Fprintf(errs, "%s: %s\n", p.Name, ros.PrintableLines(Plain(err.Error())))
		return ExitFailed
	}
	return 0
}

// ours reports whether a section of a parameter file is for a node of this package.
func ours(section string) bool {
	_, name := names.Split(section)
	return slices.Contains([]string{"ugp_explorer", "ekf", "follower", "guard", "fieldsim"}, name)
}

// open joins the graph with the names, parameters and remappings of the arguments. given are the parameters.
func (p Program) open(argv []string, errs io.Writer) (node *ros.Node, executor *exec.RealTime, transport ros.Transport, given *param.Overrides, err error) {
	args, rest, err := ros.ParseArgs(argv)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("unknown argument %q: want --ros-args followed by ROS arguments, as in --ros-args -p NAME:=VALUE; see --help", rest[0])
	}
	if err != nil {
		return nil, nil, nil, nil, err
	}
	options, err := args.NodeOptions(ros.NewConsole(errs))
	if err != nil {
		return nil, nil, nil, nil, err
	}
	options.Parameters, options.ClockSource = p.Parameters, p.ClockSource
	transport, options.Warnings, err = OpenTransport(args.Enclave)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	options.Warnings = append(options.Warnings, sockets.Warnings()...)
	executor = exec.NewRealTime()
	node, err = ros.NewNode(transport, executor, p.Name, options)
	if err != nil {
		return nil, nil, nil, nil, errors.Join(err, executor.Close(), transport.Close())
	}
	return node, executor, transport, options.Overrides, nil
}
