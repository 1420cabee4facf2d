// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros/param"
)

// Whatever gives a value, a file, -p or a service, what goes beyond the limits is refused, the
// value stays, and the error says what is allowed.
func TestLimitsOfValues(t *testing.T) {
	for _, c := range []struct {
		name, parameter string
		value           string // YAML
		want            string
	}{
		{"a line end", "name", `"a\n[FATAL] [0.0] [node]: forged"`, `control character '\n' at byte 1`},
		{"an escape sequence", "name", `"\e[2J"`, `control character '\x1b' at byte 0`},
		{"NUL", "name", `"a\0"`, `control character '\x00' at byte 1`},
		{"C1", "name", `"\N"`, `control character '\u0085' at byte 0`},
		{"a long string", "name", strings.Repeat("a", param.MostString+1), "4097 bytes, at most 4096"},
		{"one in a list", "list", `[a, "b\rc"]`, `element 1: the string has the control character '\r'`},
		{"a long list of numbers", "numbers", "[" + strings.Repeat("1,", param.MostElements+1) + "]", "10001 elements, at most 10000"},
		{"a long list of words", "list", "[" + strings.Repeat("a,", param.MostElements+1) + "]", "10001 elements, at most 10000"},
		{"a list where a number stands", "number", "[" + strings.Repeat("1,", 20_000) + "]", "20000 elements, at most 10000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name, number, list, numbers := "before", 1.0, []string{}, []float64{}
			s := param.NewSet()
			s.String(&name, "name", param.Live())
			s.Float64(&number, "number", param.Live())
			s.Strings(&list, "list", param.Live())
			s.Float64s(&numbers, "numbers", param.Live())
			var o param.Overrides
			must.OK(t, o.AddYAML("f.yaml", fmt.Appendf(nil, "/n:\n  ros__parameters:\n    %s: %s\n", c.parameter, c.value)))
			if err := s.Override("/n", &o); err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 500 {
				t.Errorf("the error of a file is %.300v, want it to contain %q", err, c.want)
			}
			var line param.Overrides
			must.OK(t, line.AddAssignment(c.parameter+":="+c.value))
			err := s.Override("/n", &line)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error of -p is %.300v, want it to contain %q", err, c.want)
			}
			if name != "before" || number != 1 || len(list) > 0 || len(numbers) > 0 {
				t.Error("a refused value was set")
			}
		})
	}
}

func TestLimitsOfRequests(t *testing.T) {
	name := "before"
	s := param.NewSet()
	s.String(&name, "name", param.Live())
	many := make([]string, 1_000_000)
	var got ri.GetParametersResponse
	s.GetParameters(&ri.GetParametersRequest{Names: many}, &got)
	if n := len(got.Values); n != param.MostAsked {
		t.Errorf("%d values were answered, want %d", n, param.MostAsked)
	}
	parameter := ri.Parameter{Name: "name", Value: param.NewValue("a\x1b[2J").Msg()}
	var set ri.SetParametersResponse
	s.SetParameters(&ri.SetParametersRequest{Parameters: []ri.Parameter{parameter}}, &set)
	if r := set.Results[0]; r.Successful || !strings.Contains(r.Reason, "control character") {
		t.Errorf("the answer is %+v, want a refusal", r)
	}
	parameter.Value.StringValue = "\xff"
	var atomic ri.SetParametersAtomicallyResponse
	s.SetParametersAtomically(&ri.SetParametersAtomicallyRequest{Parameters: []ri.Parameter{parameter}}, &atomic)
	if r := atomic.Result; r.Successful || !strings.Contains(r.Reason, "not valid UTF-8") {
		t.Errorf("the answer is %+v, want a refusal", r)
	}
	s.SetParametersAtomically(&ri.SetParametersAtomicallyRequest{Parameters: make([]ri.Parameter, param.MostAsked+1)}, &atomic)
	if r := atomic.Result; r.Successful || !strings.Contains(r.Reason, "1001 parameters, at most 1000") {
		t.Errorf("the answer is %+v, want a refusal", r)
	}
	if name != "before" {
		t.Errorf("the value is %q, want it unchanged", name)
	}
}

func TestLimitsOfFiles(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.yaml")
	must.OK(t, os.WriteFile(large, nil, 0o666))
	if err := os.Truncate(large, 1<<30); err != nil { // sparse
		t.Fatal(err)
	}
	for _, file := range []string{large, "/dev/zero"} {
		var o param.Overrides
		if err := o.AddFile(file); err == nil || !strings.Contains(err.Error(), file+" is larger than 1 MiB") {
			t.Errorf("the error of %s is %v", file, err)
		}
	}
	// Aliases would let a small file stand for a large one.
	var o param.Overrides
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n/n: {ros__parameters: {list: *c}}\n"
	if err := o.AddYAML("bomb.yaml", []byte(bomb)); err == nil || !strings.Contains(err.Error(), "an alias is not allowed") {
		t.Errorf("the error of aliases is %v", err)
	}
	if err := o.AddYAML("deep.yaml", []byte(strings.Repeat("{a: ", 1<<20))); err == nil {
		t.Error("a mapping of depth 1048576 was read")
	}
}
