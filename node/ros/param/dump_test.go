// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"math"
	"reflect"
	"testing"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// What is written is read again as the same values.
func TestSetYAML(t *testing.T) {
	type values struct {
		B        bool
		I        int64
		F        float64
		S        string
		Fs       []float64
		Ss       []string
		Far, Few float64
	}
	declare := func(v *values) *param.Set {
		s := param.NewSet()
		s.Bool(&v.B, "b", param.Live())
		s.Int64(&v.I, "i", param.Live())
		s.Float64(&v.F, "nested.f", param.Live())
		s.String(&v.S, "nested.s", param.Live())
		s.Float64s(&v.Fs, "fs", param.Live())
		s.Strings(&v.Ss, "ss", param.Live())
		s.Float64(&v.Far, "far", param.Range(0, math.Inf(1)), param.Live())
		s.Float64(&v.Few, "few", param.Live())
		return s
	}
	want := values{true, -7, 3, "a \"quoted\" path: C:\\x\t#no", []float64{1, 2.5e-7}, []string{"", "yes"}, math.Inf(1), 1e-300}
	text := declare(&want).YAML("node")
	o := &param.Overrides{}
	if err := o.AddYAML("dump", []byte(text)); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var got values
	n, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "node", ros.NodeOptions{Parameters: declare(&got), Overrides: o})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	defer n.Close()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read again it is %+v, want %+v\n%s", got, want, text)
	}
}
