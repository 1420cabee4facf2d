// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/sim/experiment"
)

// The flags of TestSeeds, which `make faults` runs; see README.md.
var (
	seedsFlag = flag.String("seeds", "", "seeds of the missions, as A-B or A; TestSeeds is skipped without")
	only      = flag.String("only", "", "with one seed: the numbers of the faults that are injected, separated by commas, or none")
)

// TestSeeds runs the missions of the seeds that are given, and fails if one broke a rule. A
// single one is printed line by line.
func TestSeeds(t *testing.T) {
	if *seedsFlag == "" {
		t.Skip("give -seeds")
	}
	first, last, err := seedRange(*seedsFlag)
	numbers, failed := faultNumbers(*only)
	switch {
	case err != nil || failed != nil:
		t.Fatal(err, failed)
	case first < last && numbers != nil:
		t.Fatalf("-only is %q: more than one seed has all its faults", *only)
	case first < last:
		judge(t, trials(t, first, last))
		return
	}
	trial := Draw(first)
	fmt.Println(trial)
	for _, f := range trial.Faults {
		fmt.Println("  ", f)
	}
	r, err := run(t.Context(), trial, numbers, func(line string) { fmt.Println(line) })
	must.OK(t, err)
	if r.Violation != nil {
		t.Fatal(r.Violation)
	}
	fmt.Println("All rules are kept.", r.End)
}

// trials runs the trials of the seeds from first to last. One that breaks a rule is shrunk.
func trials(t *testing.T, first, last int64) []Result {
	t.Helper()
	var jobs []int64
	for seed := first; seed <= last; seed++ {
		jobs = append(jobs, seed)
	}
	results, err := experiment.Run(t.Context(), jobs, runtime.GOMAXPROCS(0), func(ctx context.Context, seed int64) (Result, error) {
		r, err := run(ctx, Draw(seed), nil, nil)
		if err != nil {
			return r, err
		}
		return shrink(r, func(only []int) (Result, error) { return run(ctx, Draw(seed), only, nil) })
	}, nil)
	must.OK(t, err)
	var list []Result
	for _, r := range results {
		list = append(list, *r)
	}
	return list
}

// judge holds the results to the rules and to the verdicts in testdata, and describes them.
func judge(t *testing.T, list []Result) {
	t.Helper()
	left := 0
	for _, r := range list {
		switch {
		case r.Violation == nil:
		case Draw(r.Seed).excused(r.Violation):
			left++
		default:
			t.Errorf("%s\n\t%s", command(r), r.Violation)
		}
	}
	compareVerdicts(t, list)
	t.Logf("%s%d of %d missions left the field without a guard, or with a receiver that drifts", table(list), left, len(list))
}

// table describes how missions ended.
func table(results []Result) string {
	ends := map[string]int{}
	samples, simulated := 0, 0.0
	for _, r := range results {
		ends[ending(r.End)]++
		samples += r.Samples
		simulated += r.Simulated
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d missions with %d samples in %.1f simulated hours\n\n| end | missions |\n|---|---|\n", len(results), samples, simulated/3600)
	for _, name := range slices.SortedFunc(maps.Keys(ends), func(a, b string) int { return cmp.Or(cmp.Compare(ends[b], ends[a]), cmp.Compare(a, b)) }) {
		fmt.Fprintf(&b, "| %s | %d |\n", name, ends[name])
	}
	return b.String()
}

// command returns the command that shows a result again.
func command(r Result) string {
	text := fmt.Sprintf("go test ./node/simulation/faults -run TestSeeds -v -seeds %d", r.Seed)
	switch {
	case r.Only == nil:
		return text
	case len(r.Only) == 0:
		return text + " -only none"
	}
	return text + " -only " + strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Only), " ", ","), "[]")
}

// faultNumbers reads numbers separated by commas, or none; nil means all.
func faultNumbers(text string) (list []int, err error) {
	if text == "" {
		return nil, nil
	}
	list = []int{}
	if text == "none" {
		return list, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("-only is %q: want numbers of faults separated by commas, or none", text)
		}
		list = append(list, n)
	}
	return list, nil
}

// seedRange reads "A-B" or "A".
func seedRange(text string) (first, last int64, err error) {
	a, b, ok := strings.Cut(text, "-")
	if !ok {
		b = a
	}
	first, errA := strconv.ParseInt(a, 10, 32)
	last, errB := strconv.ParseInt(b, 10, 32)
	if errA != nil || errB != nil || first < 1 || last < first {
		return 0, 0, fmt.Errorf("-seeds is %q: want a range of whole numbers from 1, such as 1-1000", text)
	}
	return first, last, nil
}

// endings are parts of the texts of missions that are over, and what they mean.
var endings = []struct{ part, meaning string }{
	{"stop was requested", "stopped by an operator"},
	{"return home was requested", "sent home by an operator"},
	{"samples is used", "all samples taken"},
	{"sample is used", "all samples taken"},
	{"no place is left to sample", "no place left to sample"},
	{"too small to return home", "budget too small to begin"},
	{"too small for a sample", "budget too small to begin"},
	{"in a row", "too many failures in a row"},
	{"the budget of", "budget of metres or seconds used"},
}

// ending returns the reason of an end without its numbers.
func ending(end string) string {
	for _, e := range endings {
		if strings.Contains(end, e.part) {
			return e.meaning
		}
	}
	state, _, _ := strings.Cut(end, ":")
	return "not over: " + state
}
