// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// Seeds of the test. `make faults` runs more, and holds the verdicts of all in testdata.
const (
	testSeeds   = 40
	goldenSeeds = 300
)

const verdictsFile = "testdata/verdicts.txt"

// Missions under faults keep all rules. A failure prints the command that shows it. Without a guard
// a robot that is misled may leave the field: such missions are counted. `UPDATE_GOLDEN=1 go test
// ./node/simulation/faults -run TestMissions` writes the verdicts again; a commit that does so says why.
func TestMissions(t *testing.T) {
	n := testSeeds
	update := os.Getenv("UPDATE_GOLDEN") != "" && runtime.GOARCH == "amd64"
	if update {
		n = goldenSeeds
	}
	list := trials(t, 1, int64(n))
	if update {
		var verdicts strings.Builder
		for _, r := range list {
			fmt.Fprintln(&verdicts, verdict(r))
		}
		must.OK(t, os.WriteFile(verdictsFile, []byte(verdicts.String()), 0o644))
	}
	judge(t, list)
	if ended := countEnds(list, "all samples taken"); ended < n/4 {
		t.Errorf("%d of %d missions took all samples: the faults leave nothing to watch", ended, n)
	}
}

// verdict is a result in one line.
func verdict(r Result) string {
	rule := "all rules kept"
	if r.Violation != nil {
		rule = r.Violation.Rule
	}
	return fmt.Sprintf("%d: %s, %d samples, %v s, %v m outside, %s", r.Seed, ending(r.End), r.Samples, r.Simulated, r.Outside, rule)
}

// compareVerdicts holds the verdicts that are in testdata from one version to the next.
func compareVerdicts(t *testing.T, list []Result) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		return // other processors round differently
	}
	data, err := os.ReadFile(verdictsFile)
	must.OK(t, err)
	want := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(want) != goldenSeeds {
		t.Fatalf("%s has %d verdicts, want %d", verdictsFile, len(want), goldenSeeds)
	}
	for _, r := range list {
		if r.Seed > goldenSeeds {
			continue
		}
		if got := verdict(r); got != want[r.Seed-1] {
			t.Errorf("%s:%d: this version has\n\t%s\nwant\n\t%s", verdictsFile, r.Seed, got, want[r.Seed-1])
		}
	}
}

func countEnds(list []Result, end string) (n int) {
	for _, r := range list {
		if ending(r.End) == end {
			n++
		}
	}
	return n
}

// Schedules have every kind of fault, and one without the other faults is the same.
func TestSchedules(t *testing.T) {
	drawn := map[string]int{}
	together := 0
	for seed := int64(1); seed <= 1000; seed++ {
		trial := Draw(seed)
		for i, f := range trial.Faults {
			drawn[f.Kind]++
			if f.Number != i+1 || !(f.At >= 0) || !(f.For >= 0) {
				t.Fatalf("seed %d: fault %d is %v", seed, i+1, f)
			}
			if i > 0 && f.At-trial.Faults[i-1].At < 1 {
				together++
			}
		}
		if again := Draw(seed); !slices.Equal(again.Faults, trial.Faults) {
			t.Fatalf("seed %d has two schedules", seed)
		}
	}
	for _, k := range kindNames() {
		if drawn[k] == 0 {
			t.Errorf("no seed has %s", k)
		}
	}
	if together < 100 {
		t.Errorf("two faults come together %d times in 1000 missions", together)
	}
}

// excused reports whether a broken rule is that a robot that was misled, or carried, left the field,
// which only a guard can prevent; and a guard cannot if the receiver drifts.
func (t *Trial) excused(v *Violation) bool {
	return v.Rule == "left the field" && slices.ContainsFunc(t.Faults, func(f Fault) bool {
		return f.Kind == "receiver-drift" || !t.guard && f.harm()&harmPose != 0
	})
}
