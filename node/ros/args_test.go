// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
)

// rcl's test_arguments.cpp: what is left of the command line.
func TestParseArgsRest(t *testing.T) {
	for _, c := range []struct{ argv, rest string }{
		{"", ""},
		{"--ros-args", ""},
		{"--ros-args --", ""},
		{"--ros-args -r /foo/bar:=/fiz/buz --remap foo:=/baz", ""},
		{"--ros-args --ros-args -r /foo/bar:=/fiz/buz", ""},
		{"--ros-args -r /foo/bar:=/fiz/buz --", ""},
		{"--ros-args -r /foo/bar:=/fiz/buz -- --", "--"},
		{"--ros-args -- arg --ros-args", "arg"},
		{"-d --ros-args -r __ns:=/foo/bar -r __ns:=/fiz/buz -- --foo=bar --baz --ros-args --ros-args -p bar:=baz -- -- arg", "-d --foo=bar --baz -- arg"},
		{"--ros-args --disable-rosout-logs", ""},
		{"-r a:=b -p c:=1", "-r a:=b -p c:=1"}, // not ROS's without --ros-args
	} {
		_, rest, err := ros.ParseArgs(strings.Fields(c.argv))
		if err != nil {
			t.Errorf("%s: %v", c.argv, err)
		} else if got := strings.Join(rest, " "); got != c.rest {
			t.Errorf("%s: left is %q, want %q", c.argv, got, c.rest)
		}
	}
}

func TestParseArgs(t *testing.T) {
	argv := strings.Fields("--ros-args -r __node:=a -p x:=1 --params-file f.yaml --param n:y:=[1, --log-level WARN --log-level debug" +
		" --enclave /e --disable-rosout-logs --disable-stdout-logs --enable-stdout-logs --disable-external-lib-logs --log-config-file c")
	argv[8] = "n:y:=[1, 2]"
	args, _, err := ros.ParseArgs(argv)
	must.OK(t, err)
	want := ros.Args{
		Remaps:     args.Remaps,
		Parameters: []ros.ParameterArg{{Assignment: "x:=1"}, {File: "f.yaml"}, {Assignment: "n:y:=[1, 2]"}},
		Level:      slog.LevelDebug, // the last one
		Enclave:    "/e", NoRosout: true,
	}
	if d := cmp.Diff(want, args, cmp.AllowUnexported(names.Remap{})); d != "" {
		t.Errorf("arguments (-want +got):\n%s", d)
	}
	if got := args.Remaps.NodeName("/", "x"); len(args.Remaps) != 1 || got != "a" {
		t.Errorf("remaps are %v", args.Remaps)
	}
}

// rcl's test_arguments.cpp: check_valid_vs_invalid_args and check_known_vs_unknown_args.
func TestParseArgsErrors(t *testing.T) {
	for _, c := range []struct{ argv, says string }{
		{"-r", "value is missing"},
		{"--remap --", "value is missing"},
		{"-p", "value is missing"},
		{"--params-file", "value is missing"},
		{"--log-config-file", "value is missing"},
		{"--log-level", "value is missing"},
		{"--log-level foo", `"foo" is not a log level`},
		{"--log-level n:=debug", `"n:=debug" is not a log level; use DEBUG`},
		{"-r :=", "nothing before"},
		{"-r __ns:=foo", "namespace"},
		{"-p :=", `nothing after`},
		{"-p foo:=", `nothing after`},
		{"-p :=bar", "not a parameter name"},
		{"-p }foo:=/bar", "not a parameter name"},
		{"-p foo", `want "name:=value"`},
		{"-p a:={b:1}", "not allowed"},
		{"-p a:=[1,x]", "mixes types"},
		{"-p no/**x:a:=1", "node name"},
		{"-e relative", `"relative"`},
		{"--custom-ros-arg", `unknown ROS argument "--custom-ros-arg"`},
		{"__node:=node_name", "put -r in front"},
		{"--params-flie x", "did you mean --params-file?"},
		{"--loglevel foo", "did you mean --log-level?"},
	} {
		_, _, err := ros.ParseArgs(append([]string{"--ros-args"}, strings.Fields(c.argv)...))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error with %q", c.argv, err, c.says)
		}
	}
}

func TestArgsNodeOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	must.OK(t, os.WriteFile(file, []byte("/**: {ros__parameters: {x: 1.5, y: 2.5}}"), 0o600))
	args, _, err := ros.ParseArgs([]string{"--ros-args", "-p", "x:=7.5", "--params-file", file, "-p", "y:=8.5", "--disable-stdout-logs", "--disable-rosout-logs"})
	must.OK(t, err)
	opts, err := args.NodeOptions(slog.DiscardHandler)
	must.OK(t, err)
	var x, y float64
	opts.Parameters = param.NewSet()
	opts.Parameters.Float64(&x, "x", param.Live())
	opts.Parameters.Float64(&y, "y", param.Live())
	tr := inproc.New()
	rostest.Node(t, tr, exec.NewSimulated(0), "n", opts)
	if x != 1.5 || y != 8.5 {
		t.Errorf("x = %v, y = %v, want 1.5 of the file after -p and 8.5 of -p after the file", x, y)
	}
	if opts.LogHandler != nil {
		t.Error("--disable-stdout-logs leaves a handler")
	}
	if ends := tr.Endpoints("/rosout"); len(ends) != 0 {
		t.Errorf("--disable-rosout-logs leaves %v", ends)
	}
	args.Parameters = append(args.Parameters, ros.ParameterArg{File: filepath.Join(t.TempDir(), "absent.yaml")})
	if _, err := args.NodeOptions(nil); err == nil || !strings.Contains(err.Error(), "absent.yaml") {
		t.Errorf("a file that is not there: %v", err)
	}
}
