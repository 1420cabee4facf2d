package faults

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The flags of TestSeeds, which `make faults` runs; see README.md.
var (
	seedsFlag = flag.String("seeds", "", "seeds of the missions, as A-B or A; TestSeeds is skipped without")
	only      = flag.String("only", "", "with one seed: the numbers of the faults that are injected, separated by commas, or none")
	out       = flag.String("out", "", "folder for trials.jsonl, results.csv and table.md; with one seed nothing is written")
	resume    = flag.Bool("resume", false, "continue the run in the folder: finished missions are not run again; seeds can be added")
)

// TestSeeds runs the missions of the seeds that are given, and fails if one broke a rule. A
// single one is printed line by line.
func TestSeeds(t *testing.T) {
	if *seedsFlag == "" {
		t.Skip("give -seeds")
	}
	first, last, err := seedRange(*seedsFlag)
	if err != nil {
		t.Fatal(err)
	}
	if first == last {
		one(t, first, *only)
		return
	}
	if *only != "" || *out == "" {
		t.Fatalf("-only is %q and -out %q: more than one seed needs a folder, and has all its faults", *only, *out)
	}
	table, results, err := study(t.Context(), first, last, *out, *resume)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Print(table)
	compareVerdicts(t, results)
	broken := 0
	for _, r := range results {
		if r.Violation != nil && !Draw(r.Seed).excused(r.Violation) {
			broken++
		}
	}
	if broken > 0 {
		t.Errorf("%d missions broke a rule", broken)
	}
}

// study runs the missions of seeds and writes what became of them into a folder.
func study(ctx context.Context, first, last int64, folder string, resume bool) (table string, results []Result, err error) {
	s := NewStudy(first, last)
	results, err = s.Finish(ctx, folder, resume, runtime.GOMAXPROCS(0), func(left int) func() {
		n := 0
		return func() {
			if n++; n%max(1, left/20) == 0 {
				fmt.Printf("%d of %d missions\n", n, left)
			}
		}
	})
	if err != nil {
		return "", nil, err
	}
	var csv strings.Builder
	if err := s.WriteCSV(&csv, results); err != nil {
		return "", nil, err
	}
	table = s.Table(results)
	for name, text := range map[string]string{"results.csv": csv.String(), "table.md": table} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return "", nil, err
		}
	}
	return table, results, nil
}

// one prints what happens in the mission of one seed.
func one(t *testing.T, seed int64, only string) {
	numbers, err := faultNumbers(only)
	if err != nil {
		t.Fatal(err)
	}
	trial := Draw(seed)
	fmt.Println(trial)
	for _, f := range trial.Faults {
		fmt.Println("  ", f)
	}
	r, err := Run(t.Context(), seed, numbers, func(line string) { fmt.Println(line) })
	if err != nil {
		t.Fatal(err)
	}
	if r.Violation != nil {
		t.Fatal(r.Violation)
	}
	fmt.Println("All rules are kept.", r.End)
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

// A study writes a line for each seed, and goes on with more of them.
func TestStudy(t *testing.T) {
	dir := t.TempDir()
	if table, _, err := study(t.Context(), 1, 2, dir, false); err != nil || !strings.Contains(table, "2 missions with") {
		t.Fatalf("%q, %v", table, err)
	}
	if _, _, err := study(t.Context(), 1, 3, dir, false); err == nil {
		t.Error("a run is written over another")
	}
	table, results, err := study(t.Context(), 1, 3, dir, true)
	if err != nil || !strings.Contains(table, "3 missions with") {
		t.Errorf("%q, %v", table, err)
	}
	compareVerdicts(t, results) // those of the log, too
	csv, err := os.ReadFile(filepath.Join(dir, "results.csv"))
	if err != nil || strings.Count(string(csv), "\n") != 4 {
		t.Errorf("results.csv is %q (%v), want a line for each of 3 seeds", csv, err)
	}
}

func TestSeedFlags(t *testing.T) {
	for text, want := range map[string][2]int64{"7": {7, 7}, "2-5": {2, 5}, "0-3": {}, "5-3": {}, "all": {}} {
		if first, last, err := seedRange(text); [2]int64{first, last} != want || (err == nil) != (want[0] > 0) {
			t.Errorf("%s: %d to %d, %v", text, first, last, err)
		}
	}
	for text, want := range map[string][]int{"": nil, "none": {}, "2,5": {2, 5}} {
		if list, err := faultNumbers(text); err != nil || !slices.Equal(list, want) || (list == nil) != (want == nil) {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
	if _, err := faultNumbers("one"); err == nil {
		t.Error("one is a number")
	}
	if _, err := Run(t.Context(), 3, []int{9}, nil); err == nil || !strings.Contains(err.Error(), "seed 3 has 3 faults") {
		t.Errorf("the ninth fault: %v", err)
	}
}
