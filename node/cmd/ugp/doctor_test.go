// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !fastdds && !rclgo

package main

import (
	"strings"
	"testing"
)

// Without a transport nothing joins a graph, and the doctor still examines the rest.
func TestDoctor(t *testing.T) {
	field := write(t, "field.geojson", square)
	r := ugp(t, "doctor", "--field", field, "--output-dir", t.TempDir(), "--", "--ros-args", "-p", "budget.samples:=-1")
	if r.code != exitFailed {
		t.Errorf("exit code %d, want %d", r.code, exitFailed)
	}
	for _, want := range []string{"good  program", "bad   parameters", "budget.samples", "bad   graph", "make ros", "A mission cannot start: see the 2 lines"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("it does not say %q:\n%s", want, r.out)
		}
	}
	if r = ugp(t, "doctor", "--field", field); !strings.Contains(r.out, "good  parameters") || !strings.Contains(r.out, "see the line marked bad.") {
		t.Errorf("a field and the defaults:\n%s", r.out)
	}
	for _, c := range []struct{ args, want string }{
		{"--wait 0", "--wait"}, {"somewhere", `"somewhere"`}, {"--params-file none.yaml", "none.yaml"},
	} {
		if r := ugp(t, append([]string{"doctor"}, strings.Fields(c.args)...)...); r.code != exitBadInput || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: exit code %d, %q; want %d and %q", c.args, r.code, r.err, exitBadInput, c.want)
		}
	}
}
