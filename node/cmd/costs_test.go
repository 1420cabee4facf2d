// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cmd_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/generated"
	"ugp_explorer/internal/testkit/must"
)

// samples is the number of samples of the mission whose work is counted.
const samples = 12

// costTolerance is the relative difference from a held figure that is not told, which stays as it is held: another release
// of the compiler makes that much of a program's size, and other roundings of a mission's targets.
const costTolerance = 0.05

// costs are figures by their names, in order.
type costs struct {
	held string // the file as it is
	text strings.Builder
}

// title begins a section.
func (c *costs) title(format string, args ...any) { fmt.Fprintf(&c.text, "\n["+format+"]\n", args...) }

// add adds a figure, as it is held if it is near that.
func (c *costs) add(name string, value float64) {
	for line := range strings.Lines(c.held) {
		if text, ok := strings.CutPrefix(line, name+": "); ok {
			if was, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && math.Abs(value-was) <= costTolerance*was {
				value = was
			}
		}
	}
	digits := max(0, 2-int(math.Floor(math.Log10(value)))) // three of them count
	fmt.Fprintf(&c.text, "%s: %.*f\n", name, digits, value)
}

// TestGeneratedCosts keeps costs.txt equal to what decisions, samples and programs cost, as far as it is the same on each
// machine. Times are not: make bench-check compares them with those of another commit.
func TestGeneratedCosts(t *testing.T) {
	if runtime.GOARCH != "amd64" { // others round otherwise, and then choose other targets
		t.Skip("the counts are those of amd64")
	}
	look(t)
	const file = "costs.txt"
	command := generated.Command("./node/cmd", "Generated")
	held, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	c := &costs{held: string(held)}
	fmt.Fprintf(&c.text, "What decisions, samples and programs cost: counts that do not depend on the machine, held to %g %%.\n", 100*costTolerance)
	fmt.Fprintf(&c.text, "This file is generated: %s\n", command)
	work(t, c)
	programs(t, c)
	generated.Check(t, file, c.text.String(), command)
}

// work counts what a mission executes, and what it leaves.
func work(t *testing.T, c *costs) {
	dir := t.TempDir()
	ugp, counts, out := filepath.Join(dir, "ugp"), filepath.Join(dir, "counts"), filepath.Join(dir, "mission")
	must.OK(t, os.Mkdir(counts, 0o777))
	// As make test-whole compiles them, so that nothing is compiled anew. On one processor no count gets lost.
	command(t, nil, "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-cover", "-covermode=count", "-coverpkg=ugp_explorer/gp/...,ugp_explorer/localization/...,ugp_explorer/planner/...,ugp_explorer/sim/...,ugp_explorer/node/...", "-o", ugp, "./ugp")
	command(t, []string{"GOMAXPROCS=1", "GOCOVERDIR=" + counts}, ugp, "demo", "--seed", "1", "--samples", strconv.Itoa(samples), "--out", out)
	text := filepath.Join(dir, "counts.txt")
	command(t, nil, "go", "tool", "covdata", "textfmt", "-i", counts, "-o", text)
	profile, err := os.ReadFile(text)
	must.OK(t, err)
	c.title("ugp demo --seed 1 --samples %d: calls per sample", samples)
	for _, f := range []struct{ what, file, head string }{
		{"kernel evaluations of predictions", "gp/crossterms.go", "func (t *planarTerm) half("},
		{"places at which predictions have a gradient", "gp/crossset.go", "func (s *crossSet) grad("},
		{"factorisations of all observations, for fits", "gp/fit/likelihood.go", "func (l *likelihood) eval("},
	} {
		c.add(f.what, calls(t, string(profile), f.file, f.head)/samples)
	}
	journal, err := os.ReadFile(filepath.Join(out, "journal.jsonl"))
	must.OK(t, err)
	bytes, entries := map[string]float64{}, map[string]float64{}
	for line := range strings.Lines(string(journal)) {
		var entry map[string]json.RawMessage
		must.OK(t, json.Unmarshal([]byte(line), &entry))
		for _, kind := range []string{"observation", "decision", "learnt", "status", "progress"} {
			if entry[kind] != nil {
				bytes[kind], entries[kind] = bytes[kind]+float64(len(line)), entries[kind]+1
			}
		}
	}
	c.title("the same mission: bytes per entry of the journal")
	for _, kind := range slices.Sorted(maps.Keys(bytes)) {
		c.add(kind, bytes[kind]/entries[kind])
	}
}

// calls returns how often a function was called. head is the beginning of its declaration.
func calls(t *testing.T, profile, file, head string) float64 {
	source, err := os.ReadFile(filepath.Join("../..", file))
	must.OK(t, err)
	before, _, found := strings.Cut(string(source), "\n"+head)
	if !found {
		t.Fatalf("%s has no %s", file, head)
	}
	block := fmt.Sprintf("ugp_explorer/%s:%d.", file, strings.Count(before, "\n")+2)
	for line := range strings.Lines(profile) {
		if strings.HasPrefix(line, block) {
			n, err := strconv.ParseFloat(line[strings.LastIndex(line, " ")+1:len(line)-1], 64)
			must.OK(t, err)
			return n
		}
	}
	t.Fatalf("the profile has no block %s", block)
	return 0
}

// programs adds the packages outside the standard library and the size of each program, without DDS.
func programs(t *testing.T, c *costs) {
	dir := t.TempDir()
	command(t, []string{"GOOS=linux", "CGO_ENABLED=0"}, "go", "build", "-trimpath", "-buildmode=pie", "-tags=netgo,osusergo", "-ldflags=-s -w", "-buildvcs=false", "-o", dir+"/", "./...")
	c.title("programs without DDS, position-independent and stripped: packages outside the standard library, and MB")
	for _, program := range slices.Sorted(maps.Keys(forbidden)) {
		info, err := os.Stat(filepath.Join(dir, program))
		must.OK(t, err)
		packages := strings.Fields(command(t, []string{"CGO_ENABLED=0"}, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+program))
		fmt.Fprintf(&c.text, "%s packages: %d\n", program, len(packages)) // each of them is told
		c.add(program+" MB", float64(info.Size())/1e6)
	}
}

// command runs a program with a changed environment and returns what it prints.
func command(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return string(out)
}
