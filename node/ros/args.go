package ros

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"ugp_explorer/node/ros/internal/spelling"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
)

// Args holds the arguments between --ros-args and -- on a command line.
type Args struct {
	Remaps        names.Remaps
	Parameters    []ParameterArg // in order; the last value of a parameter counts
	Level         slog.Level     // lowest that is logged
	LogConfigFile string         // of an external logging library; not used
	Enclave       string
	Rosout        bool // log to /rosout
	Stdout        bool // log to the terminal
	ExternalLog   bool // log to an external library; not used
}

// ParameterArg is a parameter file or an assignment "[node:]name:=value".
type ParameterArg struct{ File, Assignment string }

// defaultArgs returns the arguments of a command line without --ros-args.
func defaultArgs() Args { return Args{Rosout: true, Stdout: true, ExternalLog: true} }

// ParseArgs separates the ROS arguments of a command line, given without the name of the
// program, from the rest, which keeps its order. It does not read files, see
// [Args.Overrides]. An unknown ROS argument is an error.
func ParseArgs(argv []string) (args Args, rest []string, err error) {
	args = defaultArgs()
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
		if flag := args.flag(arg); flag != nil {
			flag()
			continue
		}
		option := args.option(arg)
		if option == nil {
			return Args{}, nil, fmt.Errorf("unknown ROS argument %q%s", arg, hint(arg))
		}
		i++
		if i == len(argv) || argv[i] == "--" || argv[i] == "--ros-args" {
			return Args{}, nil, fmt.Errorf("ROS argument %s: its value is missing", arg)
		}
		if err := option(argv[i]); err != nil {
			return Args{}, nil, fmt.Errorf("ROS argument %s: %w", arg, err)
		}
	}
	return args, rest, nil
}

func hint(arg string) string {
	if strings.Contains(arg, ":=") {
		return "; put -r in front to remap a name, -p to set a parameter"
	}
	names := []string{
		"--remap", "--param", "--params-file", "--log-level", "--log-config-file", "--enclave",
		"--enable-rosout-logs", "--disable-rosout-logs", "--enable-stdout-logs", "--disable-stdout-logs",
		"--enable-external-lib-logs", "--disable-external-lib-logs",
	}
	if near := spelling.Nearest(arg, names); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return "; -- ends the ROS arguments"
}

// flag returns the effect of an argument that has no value, or nil.
func (a *Args) flag(arg string) func() {
	set := func(b *bool, v bool) func() { return func() { *b = v } }
	switch arg {
	case "--enable-rosout-logs":
		return set(&a.Rosout, true)
	case "--disable-rosout-logs":
		return set(&a.Rosout, false)
	case "--enable-stdout-logs":
		return set(&a.Stdout, true)
	case "--disable-stdout-logs":
		return set(&a.Stdout, false)
	case "--enable-external-lib-logs":
		return set(&a.ExternalLog, true)
	case "--disable-external-lib-logs":
		return set(&a.ExternalLog, false)
	}
	return nil
}

// option returns the effect of an argument that has a value, or nil.
func (a *Args) option(arg string) func(value string) error {
	switch arg {
	case "-r", "--remap":
		return func(v string) error {
			r, err := names.ParseRemap(v)
			a.Remaps = append(a.Remaps, r)
			return err
		}
	case "-p", "--param":
		return func(v string) error {
			a.Parameters = append(a.Parameters, ParameterArg{Assignment: v})
			return new(param.Overrides).AddAssignment(v) // only to check it
		}
	case "--params-file":
		return func(v string) error {
			a.Parameters = append(a.Parameters, ParameterArg{File: v})
			return nil
		}
	case "--log-level":
		return func(v string) (err error) { a.Level, err = parseLevel(v); return err }
	case "--log-config-file":
		return func(v string) error { a.LogConfigFile = v; return nil }
	case "-e", "--enclave":
		return func(v string) error { a.Enclave = v; return names.ValidateNamespace(v) }
	}
	return nil
}

// parseLevel returns the level with that name in ROS, in upper or lower case. UNSET is
// INFO.
func parseLevel(name string) (slog.Level, error) {
	switch strings.ToUpper(name) {
	case "DEBUG":
		return slog.LevelDebug, nil
	case "UNSET", "INFO":
		return slog.LevelInfo, nil
	case "WARN":
		return slog.LevelWarn, nil
	case "ERROR":
		return slog.LevelError, nil
	case "FATAL":
		return LevelFatal, nil
	}
	return 0, fmt.Errorf("%q is not a log level; use DEBUG, INFO, WARN, ERROR or FATAL", name)
}

// NodeOptions returns the options for nodes according to the command line: remapping,
// overrides from parameter files and assignments, and logs to handler unless turned off.
func (a Args) NodeOptions(handler slog.Handler) (NodeOptions, error) {
	o, err := a.Overrides()
	if err != nil {
		return NodeOptions{}, err
	}
	if !a.Stdout {
		handler = nil
	}
	return NodeOptions{Remaps: a.Remaps, Overrides: o, LogHandler: handler, LogLevel: a.Level, NoRosout: !a.Rosout}, nil
}

// Overrides reads the parameter files and returns their values and the assignments, in
// the order of the command line. The error joins all errors.
func (a Args) Overrides() (*param.Overrides, error) {
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
		return nil, err
	}
	return o, nil
}
