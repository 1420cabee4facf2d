package main

import (
	"testing"
)

func TestExperimentDayBadInput(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"--hours", "0"}, []string{"--hours", "0"}},
		{[]string{"--hours", "long"}, []string{"--hours", `"long"`}},
		{[]string{"--restart", "-1"}, []string{"--restart", "-1"}},
		{[]string{"--speed", "0"}, []string{"--speed", "0"}},
		{[]string{"--limit", "few"}, []string{"--limit", `"few"`}},
		{[]string{"--limit", "1"}, []string{"record.limit", "1 MB"}},
		{[]string{"--samples", "10"}, []string{"sample.stop", "budget.samples"}},
		{[]string{"--bin", t.TempDir()}, []string{"fieldsim", "make ros"}},
	} {
		refused(t, ugp(t, append([]string{"experiment", "day", "--out", t.TempDir()}, c.args...)...), c.want...)
	}
}
