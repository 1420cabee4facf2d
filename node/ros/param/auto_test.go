// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros/param"
)

// automatics declares two automatic parameters.
func automatics(margin, radius *float64) *param.Set {
	set := param.NewSet()
	set.Float64(margin, "margin", param.Unit("m"), param.AtLeast(0), param.Describe("distance from the edge"), param.Auto("2 m"))
	set.Float64(radius, "radius", param.Above(0), param.Live(), param.Auto("5 m"))
	return set
}

// Until the node chooses a value, an automatic parameter is auto in files and tables, and
// not set in messages; afterwards it is a double, and those who listen are told.
func TestAutoIsResolved(t *testing.T) {
	margin, radius := math.NaN(), math.NaN()
	set := automatics(&margin, &radius)
	var told []ri.Parameter
	set.Notify(func(changed []ri.Parameter) { told = append(told, changed...) })
	if err := set.Check(); err != nil {
		t.Fatalf("a parameter without a value is refused: %v", err)
	}
	if text := set.YAML("robot"); !strings.Contains(text, "margin: auto\n") {
		t.Errorf("the file is\n%s", text)
	}
	if row := set.Rows()[0]; row.Default != "auto" || row.Type != "double" || row.Description != "distance from the edge; auto: 2 m" {
		t.Errorf("row %+v", row)
	}
	if m := set.Messages()[0]; m.Value.Type != ri.ParameterTypeParameterNotSet {
		t.Errorf("the message is %+v", m.Value)
	}
	if err := set.Resolved("margin"); err == nil || len(told) > 0 {
		t.Errorf("error %v, told %v, though nothing was chosen", err, told)
	}
	margin = 2
	must.OK(t, set.Resolved("margin"))
	if len(told) != 1 || told[0].Name != "margin" || told[0].Value.Type != ri.ParameterTypeParameterDouble || told[0].Value.DoubleValue != 2 {
		t.Errorf("told %+v", told)
	}
	if text := set.YAML("robot"); !strings.Contains(text, "margin: 2.0\n") || !strings.Contains(text, "radius: auto\n") {
		t.Errorf("the file is\n%s", text)
	}
	margin = -1
	if err := set.Resolved("margin"); err == nil || !strings.Contains(err.Error(), "-1") {
		t.Errorf("error %v for a choice that is not allowed", err)
	}
	if err := set.Resolved("height"); err == nil || !strings.Contains(err.Error(), "height") {
		t.Errorf("error %v for a parameter that does not exist", err)
	}
}

// A file and the command line may give a value, or take it back with the word auto. NaN is
// no value.
func TestAutoIsGiven(t *testing.T) {
	for _, c := range []struct {
		rules  []string
		margin float64 // NaN: nothing is given
		wrong  string
	}{
		{nil, math.NaN(), ""},
		{[]string{"margin:=0.5"}, 0.5, ""},
		{[]string{"margin:=2"}, 2, ""}, // the value of the rule, but given
		{[]string{"margin:=0.5", "margin:=auto"}, math.NaN(), ""},
		{[]string{"margin:=.nan"}, 0, "allowed is double 0 or more (m), or auto"},
		{[]string{"margin:=automatic"}, 0, `given "automatic"`},
		{[]string{"margin:=-1.0"}, 0, "given -1.0"},
	} {
		margin, radius := math.NaN(), math.NaN()
		set, o := automatics(&margin, &radius), &param.Overrides{}
		for _, rule := range c.rules {
			must.OK(t, o.AddAssignment(rule))
		}
		err := set.Override("/robot", o)
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%v: error %v, want %q", c.rules, err, c.wrong)
			}
		case err != nil:
			t.Errorf("%v: %v", c.rules, err)
		case margin != c.margin && !(math.IsNaN(margin) && math.IsNaN(c.margin)):
			t.Errorf("%v: margin %g, want %g", c.rules, margin, c.margin)
		}
	}
}

// A change that is refused leaves an automatic parameter as it was.
func TestAutoIsRestored(t *testing.T) {
	margin, radius := math.NaN(), math.NaN()
	set := automatics(&margin, &radius)
	set.OnChange(func() error {
		if radius > 3 {
			return &param.Error{Name: "radius", Reason: "too large"}
		}
		return nil
	})
	if err := set.Set(param.Assignment{Name: "radius", Value: param.NewValue(4.0)}); err == nil || !math.IsNaN(radius) {
		t.Errorf("error %v, radius %g", err, radius)
	}
	if err := set.Set(param.Assignment{Name: "radius", Value: param.NewValue(3.0)}); err != nil || radius != 3 {
		t.Errorf("error %v, radius %g", err, radius)
	}
	if err := set.Set(param.Assignment{Name: "radius", Value: param.NewValue("auto")}); err != nil || !math.IsNaN(radius) {
		t.Errorf("error %v, radius %g", err, radius)
	}
}
