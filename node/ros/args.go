// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"ugp_explorer/node/ros/internal/spelling"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
)

// Args holds the arguments between --ros-args and -- on a command line.
type Args struct {
	Remaps     names.Remaps
	Parameters []ParameterArg // in order; the last value of a parameter counts
	Level      slog.Level     // lowest that is logged
	Enclave    string
	NoRosout   bool // do not log to /rosout
	NoStdout   bool // do not log to the terminal
}

// ParameterArg is a parameter file or an assignment "[node:]name:=value".
type ParameterArg struct{ File, Assignment string }

// flags are the arguments without a value, and their effects. Logging by an external library,
// which we do not have, is accepted and has none.
var flags = map[string]func(*Args){
	"--enable-rosout-logs":        func(a *Args) { a.NoRosout = false },
	"--disable-rosout-logs":       func(a *Args) { a.NoRosout = true },
	"--enable-stdout-logs":        func(a *Args) { a.NoStdout = false },
	"--disable-stdout-logs":       func(a *Args) { a.NoStdout = true },
	"--enable-external-lib-logs":  func(*Args) {},
	"--disable-external-lib-logs": func(*Args) {},
}

// options are the arguments with a value, and their effects.
var options = map[string]func(a *Args, value string) error{
	"--remap": func(a *Args, v string) error {
		r, err := names.ParseRemap(v)
		a.Remaps = append(a.Remaps, r)
		return err
	},
	"--param": func(a *Args, v string) error {
		a.Parameters = append(a.Parameters, ParameterArg{Assignment: v})
		return new(param.Overrides).AddAssignment(v) // only to check it
	},
	"--params-file": func(a *Args, v string) error {
		a.Parameters = append(a.Parameters, ParameterArg{File: v})
		return nil
	},
	"--log-level": func(a *Args, v string) error {
		level, ok := levels[strings.ToUpper(v)]
		if !ok {
			return fmt.Errorf("%q is not a log level; use DEBUG, INFO, WARN, ERROR or FATAL", v)
		}
		a.Level = level
		return nil
	},
	"--log-config-file": func(*Args, string) error { return nil },
	"--enclave":         func(a *Args, v string) error { a.Enclave = v; return names.ValidateNamespace(v) },
}

var short = map[string]string{"-r": "--remap", "-p": "--param", "-e": "--enclave"}

// levels are the levels by their names in ROS.
var levels = map[string]slog.Level{
	"DEBUG": slog.LevelDebug, "UNSET": slog.LevelInfo, "INFO": slog.LevelInfo, "WARN": slog.LevelWarn, "ERROR": slog.LevelError, "FATAL": levelFatal,
}

// ParseArgs separates the ROS arguments of a command line, given without the name of the
// program, from the rest, which keeps its order. It does not read files, see
// [Args.NodeOptions]. An unknown ROS argument is an error.
func ParseArgs(argv []string) (args Args, rest []string, err error) {
	ours := false
	for i := 0; i < len(argv); i++ {
		arg := argv[i]
		switch {
		case arg == "--ros-args":
			ours = true
			continue
		case !ours:
			rest = append(rest, arg)
			continue
		case arg == "--":
			ours = false
			continue
		}
		if long, ok := short[arg]; ok {
			arg = long
		}
		if flag := flags[arg]; flag != nil {
			flag(&args)
			continue
		}
		option := options[arg]
		if option == nil {
			return Args{}, nil, fmt.Errorf("unknown ROS argument %q%s", arg, hint(arg))
		}
		i++
		if i == len(argv) || argv[i] == "--" || argv[i] == "--ros-args" {
			return Args{}, nil, fmt.Errorf("ROS argument %s: its value is missing", arg)
		}
		if err := option(&args, argv[i]); err != nil {
			return Args{}, nil, fmt.Errorf("ROS argument %s: %w", arg, err)
		}
	}
	return args, rest, nil
}

func hint(arg string) string {
	if strings.Contains(arg, ":=") {
		return "; put -r in front to remap a name, -p to set a parameter"
	}
	if near := spelling.Nearest(arg, append(slices.Sorted(maps.Keys(options)), slices.Sorted(maps.Keys(flags))...)); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return "; -- ends the ROS arguments"
}

// NodeOptions returns the options for nodes according to the command line: remapping,
// overrides from parameter files and assignments, in their order, and logs to handler unless
// turned off.
func (a Args) NodeOptions(handler slog.Handler) (NodeOptions, error) {
	o := &param.Overrides{}
	var errs []error
	for _, p := range a.Parameters {
		if p.File != "" {
			errs = append(errs, o.AddFile(p.File))
		} else {
			errs = append(errs, o.AddAssignment(p.Assignment))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return NodeOptions{}, err
	}
	if a.NoStdout {
		handler = nil
	}
	return NodeOptions{Remaps: a.Remaps, Overrides: o, LogHandler: handler, LogLevel: a.Level, NoRosout: a.NoRosout}, nil
}
