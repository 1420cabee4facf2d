package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExperimentFaults runs missions under faults, goes on with more seeds, and shows one of
// them with some of its faults.
func TestExperimentFaults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if r := ugp(t, "experiment", "faults", "--seeds", "1-2", "--out", dir); r.code != 0 || !strings.Contains(r.out, "2 missions with") {
		t.Fatalf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	refused(t, ugp(t, "experiment", "faults", "--seeds", "1-3", "--out", dir), "--out", dir, "--resume")
	r := ugp(t, "experiment", "faults", "--seeds", "1-3", "--out", dir, "--resume")
	if r.code != 0 || !strings.Contains(r.out, "3 missions with") || !strings.Contains(r.out, "0 broke a rule") {
		t.Errorf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "results.csv"))
	if err != nil || strings.Count(string(table), "\n") != 4 {
		t.Errorf("results.csv is %q (%v), want a line for each of 3 seeds", table, err)
	}
	r = ugp(t, "experiment", "faults", "--seed", "3", "--only", "2")
	if r.code != 0 || strings.Contains(r.out, "FAULT 1:") || !strings.Contains(r.out, "FAULT 2:") || !strings.Contains(r.out, "All rules are kept") {
		t.Errorf("exit code %d: %s%s", r.code, r.out, r.err)
	}
}

func TestExperimentFaultsBadInput(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"--seeds", "0-3"}, []string{"--seeds", `"0-3"`, "1-1000"}},
		{[]string{"--seeds", "5-3"}, []string{"--seeds", `"5-3"`}},
		{[]string{"--seeds", "all"}, []string{"--seeds", `"all"`}},
		{[]string{"--only", "1"}, []string{"--only", `"1"`, "--seed"}},
		{[]string{"--seed", "3", "--only", "one"}, []string{"--only", `"one"`}},
		{[]string{"--seed", "3", "--only", "9"}, []string{"--only", "9", "seed 3 has 3 faults"}},
		{[]string{"--seed", "0"}, []string{"--seed", "0"}},
	} {
		refused(t, ugp(t, append([]string{"experiment", "faults"}, c.args...)...), c.want...)
	}
}
