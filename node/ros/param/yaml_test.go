// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// yamlValue gives one value through a file to a parameter that takes its type.
func yamlValue(t *testing.T, text string) param.Value {
	t.Helper()
	o := &param.Overrides{}
	if err := o.AddYAML("f.yaml", []byte("n: {ros__parameters: {p: "+text+"}}")); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var got param.Value
	for _, declare := range []func(*param.Set){
		func(s *param.Set) { s.Bool(new(bool), "p", param.Live()) },
		func(s *param.Set) { s.Int64(new(int64), "p", param.Live()) },
		func(s *param.Set) { s.Float64(new(float64), "p", param.Range(math.Inf(-1), math.Inf(1)), param.Live()) },
		func(s *param.Set) { s.String(new(string), "p", param.Live()) },
		func(s *param.Set) { s.Float64s(new([]float64), "p", param.Live()) },
		func(s *param.Set) { s.Strings(new([]string), "p", param.Live()) },
	} {
		set := param.NewSet()
		declare(set)
		n, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "n", ros.NodeOptions{Parameters: set, Overrides: o})
		if err == nil {
			got, _ = set.Get("p")
			must.OK(t, n.Close())
			break
		}
	}
	return got
}

// rcl_yaml_param_parser's get_value (parse.c), and C's strtol and strtod that it
// calls: base 0, so 017 is octal; what is quoted is a string.
func TestYAMLTypes(t *testing.T) {
	for _, c := range []struct {
		text string
		want any
	}{
		{"true", true}, {"True", true}, {"TRUE", true}, {"yes", true}, {"Yes", true}, {"YES", true}, {"on", true}, {"On", true}, {"ON", true}, {"y", true}, {"Y", true},
		{"false", false}, {"no", false}, {"NO", false}, {"off", false}, {"Off", false}, {"n", false}, {"N", false},
		{`"yes"`, "yes"}, {"'true'", "true"}, {"tRUE", "tRUE"}, {"oN", "oN"},
		{"1", int64(1)}, {"-7", int64(-7)}, {"+7", int64(7)}, {"0x1F", int64(31)}, {"017", int64(15)}, {"9223372036854775807", int64(math.MaxInt64)},
		{"'1'", "1"}, {"!!str 1", "1"}, {"1_000", "1_000"}, {"0b11", "0b11"}, {"0o17", "0o17"}, {"1-2", "1-2"},
		{"1.5", 1.5}, {"-2.", -2.0}, {".5", 0.5}, {"1e3", 1000.0}, {"-1E-2", -0.01}, {"9223372036854775808", 9223372036854775808.0},
		{".inf", math.Inf(1)}, {"-.INF", math.Inf(-1)}, {"+.Inf", math.Inf(1)}, {"inf", math.Inf(1)},
		{"1e999", "1e999"}, // out of range: strtod fails, it is a string
		{"abc", "abc"}, {`""`, ""}, {"/a/b", "/a/b"}, {"12:30", "12:30"}, {"2024-01-01", "2024-01-01"}, {"~x", "~x"},
		{"[1, 2]", []float64{1, 2}}, {"[1.5, 2]", []float64{1.5, 2}}, {"[1, 2.5]", []float64{1, 2.5}},
		{"[a, 'b']", []string{"a", "b"}},
	} {
		if got := yamlValue(t, c.text).Any(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s is %#v, want %#v", c.text, got, c.want)
		}
	}
}

type tuning struct {
	Int, Other, Global int64
	Float, OtherFloat  float64
	Deep               string
}

// tune starts the node ns/name with overrides and returns its configuration.
func tune(t *testing.T, ns, name string, o *param.Overrides) (cfg tuning, log string, err error) {
	t.Helper()
	set := param.NewSet()
	set.Int64(&cfg.Int, "my_int", param.Live())
	set.Int64(&cfg.Other, "another_int", param.Live())
	set.Int64(&cfg.Global, "global_int", param.Live())
	set.Float64(&cfg.Float, "my_float", param.Range(0, 10), param.Live())
	set.Float64(&cfg.OtherFloat, "another_float", param.Live())
	set.String(&cfg.Deep, "a.b.c", param.OneOf("", "x", "u"), param.Live())
	var buf bytes.Buffer
	n, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), name, ros.NodeOptions{Namespace: ns, Parameters: set, Overrides: o, LogHandler: rostest.LogTo(&buf)})
	if err == nil {
		err = n.Close()
	}
	return cfg, buf.String(), err
}

const designFile = `
my_node:
    ros__parameters:
        my_int: 1
        my_int: 2
        another_int: 1
        my_float: 1.0
        another_float: 1.0
my_node:
    ros__parameters:
        another_int: 2
/**:
    ros__parameters:
        global_int: 1
`

// The files of the design "ROS Command Line Arguments", Precedence: within a
// file the last assignment holds. Unlike there, and as rclcpp does it, a
// wildcard that comes later holds as well.
func TestOverridesOrder(t *testing.T) {
	for _, c := range []struct {
		name     string
		ns, node string
		files    []string // -p when it holds ":="
		want     tuning
	}{
		{"design", "/", "my_node", []string{designFile}, tuning{Int: 2, Other: 2, Global: 1, Float: 1, OtherFloat: 1}},
		{"command line around the file", "/", "my_node",
			[]string{"my_float:=2.0", "another_float:=2.0", designFile, "my_float:=3.0", "my_node:another_float:=4.0", "other:my_int:=9"},
			tuning{Int: 2, Other: 2, Global: 1, Float: 3, OtherFloat: 4}},
		{"later file", "/", "my_node", []string{designFile, "/**: {ros__parameters: {my_int: 3}}"}, tuning{Int: 3, Other: 2, Global: 1, Float: 1, OtherFloat: 1}},
		{"another node", "/", "other", []string{designFile}, tuning{Global: 1}},
		{"another namespace", "/ns", "my_node", []string{designFile}, tuning{Global: 1}},
		{"nested names", "/ns", "my_node", []string{"ns: {my_node: {ros__parameters: {a: {b: {c: x}}, my_int: 4}}}"}, tuning{Int: 4, Deep: "x"}},
		{"full name and dots", "/ns", "my_node", []string{"/ns/my_node: {ros__parameters: {a.b: {c: u}}}"}, tuning{Deep: "u"}},
		{"wildcards", "/ns", "my_node", []string{
			"/*: {ros__parameters: {my_int: 1}}", "/*/my_node: {ros__parameters: {another_int: 2}}", "/**/my_node: {ros__parameters: {global_int: 3}}",
			"/ns/*: {ros__parameters: {my_float: 4}}", "/**: {my_node: {ros__parameters: {another_float: 5}}}", "/no/**: {ros__parameters: {a.b.c: x}}"},
			tuning{Other: 2, Global: 3, Float: 4, OtherFloat: 5}},
		{"empty files and sections", "/", "my_node", []string{"", "# nothing\n", "---\n", "my_node: {ros__parameters: }"}, tuning{}},
	} {
		o := &param.Overrides{}
		for _, f := range c.files {
			add := func() error { return o.AddYAML("f.yaml", []byte(f)) }
			if strings.Contains(f, ":=") {
				add = func() error { return o.AddAssignment(f) }
			}
			if err := add(); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if got, _, err := tune(t, c.ns, c.node, o); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

// What is wrong is named with file, line, node, parameter, what was given and
// what is allowed; and all of it at once.
func TestOverridesErrors(t *testing.T) {
	o := &param.Overrides{}
	err := o.AddYAML("field.yaml", []byte(`/my_node:
  ros__parameters:
    my_int: 2.5
    my_flaot: 1.0
    my_float: 11
    a:
      b:
        c: z
    a.b.c: on
`))
	must.OK(t, err)
	must.OK(t, o.AddAssignment("my_itn:=3"))
	_, _, err = tune(t, "/", "my_node", o)
	if err == nil {
		t.Fatal("bad parameters are accepted")
	}
	want := []string{
		`field.yaml:3: node /my_node: parameter "my_int": given 2.5 (double), allowed is integer`,
		`field.yaml:4: node /my_node: parameter "my_flaot": there is no such parameter; did you mean "my_float"?`,
		`field.yaml:5: node /my_node: parameter "my_float": given 11 (integer), allowed is double from 0 to 10`,
		`field.yaml:8: node /my_node: parameter "a.b.c": given "z", allowed is string one of "", "x", "u"`,
		`field.yaml:9: node /my_node: parameter "a.b.c": given true (bool), a string needs quotes, allowed is string one of "", "x", "u"`,
		`command line: node /my_node: parameter "my_itn": there is no such parameter; did you mean "my_int"?`,
	}
	if got := strings.Split(err.Error(), "\n"); !reflect.DeepEqual(got, want) {
		t.Errorf("the errors are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestYAMLErrors(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"a: [", "f.yaml: yaml:"},
		{"[1]", "f.yaml:1: the file: found a list without"},
		{"n:\n  ros__parameters:\n\ta: 1\n", "line 3 is indented by a tab: use spaces"},
		{"n:\n  ros__parameters:\n    units: \xb5g/l\n", "line 3 has a character of another encoding, such as Latin-1: save the file as UTF-8"},
		{"ros__parameters: {a: 1}", `"ros__parameters" is at the top level`},
		{"n: {ros_parameters: {a: 1}}", `f.yaml:1: /n/ros_parameters/a: found "1" without "ros__parameters" above it: a file has the name of a node, or /**,`},
		{"n: {ros__parameters: 7}", `node /n: want a mapping from parameters to values, found "7": each line has a name, a colon, a space and a value`},
		{"n:\n  ros__parameters:\n    a:\n", `f.yaml:3: node /n: parameter "a": there is no value`},
		{"n: {ros__parameters: {a: [1, x]}}", `element 0 is 1 (integer), element 1 is "x"`},
		{"n: {ros__parameters: {a: [1, [2]]}}", "element 1 of the list is a list"},
		{"n: {ros__parameters: {a: [{b: 1}]}}", "element 0 of the list is a mapping"},
		{"n: {ros__parameters: {a: !!float 1}}", "tag !!float is not allowed"},
		{"n: {ros__parameters: {a: &x 1, b: *x}}", "an alias is not allowed"},
		{"n: {ros__parameters: {[1]: 2}}", "a parameter name must be a word"},
		{"bad name: {ros__parameters: {a: 2}}", `node name "/bad name"`},
		{"/x**: {ros__parameters: {a: 2}}", `node name "/x**"`},
		{"n: {ros__parameters: {a: 1}}\n---\nm: {ros__parameters: {a: 1}}", "more than one YAML document"},
	} {
		if err := new(param.Overrides).AddYAML("f.yaml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want an error with %q", c.text, err, c.says)
		}
	}
}

// A section for many nodes may hold what only others have, without a word; a typing error in
// it is still seen in the log.
func TestWildcardSectionIsLenient(t *testing.T) {
	o := &param.Overrides{}
	must.OK(t, o.AddYAML("f.yaml", []byte("/**:\n  ros__parameters:\n    my_int: 5\n    my_flaot: 1.0\n    antenna.x: 0.25\n")))
	cfg, log, err := tune(t, "/", "my_node", o)
	if err != nil || cfg.Int != 5 {
		t.Errorf("%+v, %v", cfg, err)
	}
	if !strings.Contains(log, "f.yaml:4") || !strings.Contains(log, "my_flaot") || !strings.Contains(log, "my_float") {
		t.Errorf("the log does not show the typing error:\n%s", log)
	}
	if strings.Contains(log, "antenna") {
		t.Errorf("the log shows a parameter of another node:\n%s", log)
	}
}

// A parameter that a file sets twice has the last value, as in ROS, but a person is told: the first may be the one that was edited.
func TestTwice(t *testing.T) {
	o := &param.Overrides{}
	must.OK(t, o.AddYAML("f.yaml", []byte(designFile)))
	must.OK(t, o.AddYAML("g.yaml", []byte("/**:\n  ros__parameters:\n    a: {b: {c: x}}\n    a.b.c: u\n    my_int: 3\n")))
	got := errors.Join(o.Doubts([]string{"/my_node"}, param.NewSet())...).Error()
	for _, want := range []string{
		`f.yaml:5: node /my_node: parameter "my_int": line 4 sets it, too, and only the last value counts`,
		`f.yaml:11: node /my_node: parameter "another_int": line 6 sets it, too`,
		`g.yaml:4: node /**: parameter "a.b.c": line 3 sets it, too`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not said:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 3 {
		t.Errorf("%d doubts, want 3:\n%s", n, got)
	}
	if doubts := o.Doubts([]string{"/other"}, param.NewSet()); len(doubts) != 1 {
		t.Errorf("another node has the doubts %v, want that about all nodes", doubts)
	}
}

// A section for one node in any namespace is about that node: what it does not
// have is refused.
func TestWildcardNamespaceIsStrict(t *testing.T) {
	o := &param.Overrides{}
	must.OK(t, o.AddYAML("f.yaml", []byte("/**/my_node:\n  ros__parameters:\n    my_flaot: 1.0\n")))
	if _, _, err := tune(t, "/ns", "my_node", o); err == nil || !strings.Contains(err.Error(), "my_float") {
		t.Errorf("%v, want that there is no my_flaot, but my_float", err)
	}
}

// A file without a section for a node is named with its sections, and so is one that is empty. Wildcards are ROS's.
func TestMissedFiles(t *testing.T) {
	section := func(names ...string) string {
		text := ""
		for _, n := range names {
			text += n + ": {ros__parameters: {a: 1}}\n"
		}
		return text
	}
	for name, c := range map[string]struct {
		node  string
		files []string // f0.yaml, f1.yaml …
		rule  string   // of the command line
		want  []string
	}{
		"by name":                 {"/my_probe", []string{section("my_probe")}, "", nil},
		"any node":                {"/farm/my_probe", []string{section("/**")}, "", nil},
		"any namespace":           {"/farm/my_probe", []string{section("/**/my_probe")}, "", nil},
		"one part of a namespace": {"/farm/my_probe", []string{section("/*/my_probe")}, "", nil},
		"no part for a wildcard":  {"/my_probe", []string{section("/*/my_probe")}, "", []string{"f0.yaml: no section matches /my_probe: it has /*/my_probe; did you mean /my_probe, or /**/my_probe?"}},
		"without its namespace":   {"/farm/my_probe", []string{section("my_probe")}, "", []string{"f0.yaml: no section matches /farm/my_probe: it has /my_probe; did you mean /farm/my_probe, or /**/my_probe?"}},
		"half of the name":        {"/my_probe", []string{section("probe", "pump")}, "", []string{"f0.yaml: no section matches /my_probe: it has /probe, /pump; did you mean /my_probe, or /**/my_probe?"}},
		"misspelt":                {"/my_probe", []string{section("my_porbe")}, "", []string{"f0.yaml: no section matches /my_probe: it has /my_porbe; did you mean /my_probe?"}},
		"another node":            {"/my_probe", []string{section("camera")}, "", []string{"f0.yaml: no section matches /my_probe: it has /camera"}},
		"empty":                   {"/my_probe", []string{"# later\n"}, "", []string{"f0.yaml: no section matches /my_probe: the file is empty"}},
		"one of several files":    {"/my_probe", []string{section("camera"), section("my_probe"), section("pump")}, "", []string{"f0.yaml: no section matches /my_probe: it has /camera", "f2.yaml: no section matches /my_probe: it has /pump"}},
		"beside all nodes":        {"/my_probe", []string{section("/**", "probe", "pump")}, "", []string{"f0.yaml: no section but those for all nodes matches /my_probe, so nothing below /probe is used; did you mean /my_probe, or /**/my_probe?"}},
		"beside its own":          {"/a/my_probe", []string{section("/**", "/a/my_probe", "/b/my_probe")}, "", nil},
		"a shared command line":   {"/my_probe", nil, "camera:a:=1", nil},
		"command line":            {"/my_probe", nil, "probe:a:=1", []string{"command line: no section matches /my_probe: it has /probe; did you mean /my_probe, or /**/my_probe?"}},
	} {
		o := &param.Overrides{}
		for i, text := range c.files {
			must.OK(t, o.AddYAML(fmt.Sprintf("f%d.yaml", i), []byte(text)))
		}
		if c.rule != "" {
			must.OK(t, o.AddAssignment(c.rule))
			must.OK(t, o.AddAssignment("a:=1"))
		}
		var got []string
		for _, e := range o.Missed(c.node) {
			got = append(got, e.Error())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		why := errors.New("there is no value")
		if err := o.Explain(why, c.node); !errors.Is(err, why) || err.Error() != strings.Join(append([]string{why.Error()}, c.want...), "; ") || o.Explain(nil, c.node) != nil {
			t.Errorf("%s: explained as %v", name, err)
		}
	}
}

// A number or a switch in quotes, with a comma or with a unit is refused with how it is written.
func TestTextForANumber(t *testing.T) {
	for text, want := range map[string]string{
		`my_float: "0.5"`: `given "0.5", without quotes it would be no string, allowed is double from 0 to 10`,
		`my_int: "3"`:     `given "3", without quotes it would be no string, allowed is integer`,
		`my_float: 0,5`:   `given "0,5", the decimal sign is a point, allowed is double from 0 to 10`,
		`my_float: 0.5 m`: `given "0.5 m", a number has no unit, allowed is double from 0 to 10`,
		`my_float: half`:  `given "half", allowed is double from 0 to 10`,
	} {
		o := &param.Overrides{}
		must.OK(t, o.AddYAML("f.yaml", []byte("my_node: {ros__parameters: {"+strings.Replace(text, "0,5", "'0,5'", 1)+"}}\n")))
		if _, _, err := tune(t, "/", "my_node", o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestUnmatchedNodes(t *testing.T) {
	o := &param.Overrides{}
	must.OK(t, o.AddYAML("f.yaml", []byte("explorer: {ros__parameters: {a: 1}}\nfolower: {ros__parameters: {a: 1}}\n/**: {ros__parameters: {a: 1}}\n/robot/ekf: {ros__parameters: {a: 1}}\n")))
	errs := o.Unmatched("/robot/explorer", "/robot/ekf", "/follower")
	want := []string{
		"f.yaml:1: node /explorer is not running here; did you mean /robot/explorer, or /**/explorer?",
		"f.yaml:2: node /folower is not running here; did you mean /follower?",
	}
	if len(errs) != 2 || errs[0].Error() != want[0] || errs[1].Error() != want[1] {
		t.Errorf("unmatched: %v, want %v", errs, want)
	}
	var none *param.Overrides
	if errs := none.Unmatched("/n"); errs != nil {
		t.Errorf("no overrides: %v", errs)
	}
}
