// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/version"
)

// The help of each command is there, with its placeholders and variables filled in, and a word for each flag.
func TestHelp(t *testing.T) {
	alone := regexp.MustCompile(`^--[a-z-]+(=\S+)?$`)
	for command, want := range map[string][]string{
		"":       {"demo [flags]", "experiment robot [flags]", "--version"},
		"demo":   {"The field:", "--survey=FILE", "--datum=LON,LAT", "--samples=N Number of samples to take (30).", "ugp-ucb,", "The run:", "(out/demo)"},
		"sim":    {"--bin=DIR"},
		"replay": {"--start=S"}, "advise": {"--range=LOW,HIGH", "advice.svg (out/advise)", "as many as the answer needs", "never run again"}, "outline": {"--keep-out=FROM,TO"},
		"export": {"--threshold=VALUE"}, "doctor": {"--wait=S"},
		"experiment rkhs":        {"--ratios=R,...", "chowdhury", "Number of trials that run in parallel", "(out/rkhs)"},
		"experiment michalewicz": {"--iterations=N"},
		"experiment robot":       {"--trials=N", "(20)", "--methods=NAME,...", "methods and trials can be added", "the pictures (out/experiment)"},
		"experiment budget":      {"for budgets of distance, time and samples.", "--samples=N Not accepted here: give numbers of samples in --budgets."},
	} {
		r := ugp(t, append(strings.Fields(command), "--help")...)
		words := strings.Join(strings.Fields(r.out), " ")
		if r.code != 0 || r.err != "" || !strings.HasPrefix(r.out, "Usage: ugp "+command) || strings.Contains(r.out, "…,") || strings.Contains(r.out, "${") {
			t.Errorf("%s: code %d, error %q\n%s", command, r.code, r.err, r.out)
		}
		for _, w := range want {
			if !strings.Contains(words, w) {
				t.Errorf("%s: the help does not say %q:\n%s", command, w, r.out)
			}
		}
		for line := range strings.Lines(r.out) {
			if line = strings.TrimSpace(line); alone.MatchString(line) {
				t.Errorf("%s: %s is not explained", command, line)
			}
		}
	}
	if r := ugp(t); r.code != 0 || !strings.HasPrefix(r.out, "Usage: ugp <command>") {
		t.Errorf("without a command: code %d\n%s", r.code, r.out)
	}
}

func TestVersion(t *testing.T) {
	if r := ugp(t, "--version"); r.code != 0 || r.out != version.Text("ugp")+"\n" {
		t.Errorf("exit code %d, %q; want 0 and %q", r.code, r.out, version.Text("ugp"))
	}
}

func TestUnknownCommand(t *testing.T) {
	refused(t, ugp(t, "dmeo"), "dmeo", "ugp --help")
	refused(t, ugp(t, "--sample"), "--sample", "ugp --help")
}

// results are the files that a mission of some samples leaves.
var results = []string{
	"export", "journal.jsonl", "mission.json", "report.html",
}

// TestFault has a robot that loses its fixes for good keep and show what it had
// sampled: it was begun and could not be finished.
func TestFault(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	config := write(t, "outage.yaml", "fieldsim: {ros__parameters: {fix: {outage_gap: 1500.0, outage_length: 1000000.0}}}")
	r := ugp(t, "demo", "--config", config, "--out", out)
	if r.code != exitFailed {
		t.Errorf("exit code %d, want %d", r.code, exitFailed)
	}
	if !strings.Contains(r.err, "ugp: the mission was given up: fault while ") {
		t.Errorf("the error is %.300q", r.err[max(0, len(r.err)-300):])
	}
	if !strings.Contains(r.out, filepath.Join(out, "report.html")) {
		t.Errorf("it does not say where it saved: %q", r.out)
	}
	if got := names(t, out); !slices.Equal(got, results) {
		t.Errorf("it left %q, want %q", got, results)
	}
}

// TestFunctionExperiments runs small ones, and reads what they leave.
func TestFunctionExperiments(t *testing.T) {
	for _, c := range []struct {
		args, pictures []string
		rows           int
		want           []string
	}{
		{[]string{"rkhs", "--methods", "ugp-ucb,uei", "--ratios", "0.5,1", "--betas", "0.1*theorem"},
			[]string{"mean-ratio-0.5-beta-0.1xtheorem.svg", "mean-ratio-1-beta-0.1xtheorem.svg"}, 2 * 2 * 2 * 3,
			[]string{"σ̂/σ = 0.5, β 0.1*theorem: 2 of 2 trials", "| uei |", "| 1 | 0.0000 | 0.0000 | 0.0000 |"}},
		{[]string{"michalewicz", "--methods", "ugp-ucb,random", "--betas", "1,3", "--noise", "prior"},
			[]string{"mean-ratio-1-beta-1.svg", "mean-ratio-1-beta-3.svg"}, 2 * 3 * 3,
			[]string{"β 3: 2 of 2 trials", "λ prior", "| random |"}},
	} {
		out := filepath.Join(t.TempDir(), "new", "out")
		r := succeeds(t, append([]string{"experiment"}, append(c.args, "--trials", "2", "--iterations", "3", "--out", out)...)...)
		for _, want := range append(c.want, filepath.Join(out, "results.csv"), "It took ") {
			if !strings.Contains(r.out, want) {
				t.Errorf("the output does not say %q:\n%s", want, r.out)
			}
		}
		want := append(slices.Clone(c.pictures), "results.csv", "table.md", "trials.jsonl")
		for _, name := range c.pictures {
			want = append(want, strings.Replace(name, "mean", "recommended", 1))
		}
		slices.Sort(want)
		if got := names(t, out); !slices.Equal(got, want) {
			t.Errorf("it left %q, want %q", got, want)
		}
		csv, err := os.ReadFile(filepath.Join(out, "results.csv"))
		if err != nil || strings.Count(string(csv), "\n") != 1+c.rows {
			t.Errorf("%d rows, want %d: %v", strings.Count(string(csv), "\n")-1, c.rows, err)
		}
	}
}

// Budgets, with the seeds of the grids apart; a resumed run does only what is missing, and a
// field without a file is left out.
func TestExperimentBudget(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"experiment", "budget", "--budgets", "2km,1+0.7h/60s", "--methods", "grid,paced", "--fields", "farm,nowhere.csv", "--tuning", "1", "--trials", "2", "--out", out}
	r := succeeds(t, args...)
	for _, want := range []string{"over seeds 1 to 2", "on seeds 1001 to 1001", "| farm | 2 km | grid of ", "| farm | 2 km | paced | 2 |", "| farm | 0.7 h and 1 samples, 60 s a sample | paced | 2 | 1.0 |"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the output does not say %q:\n%s", want, r.out)
		}
	}
	if got, want := names(t, out), []string{"grids", "metres-distance.svg", "metres-time-and-samples-with-60-s-a-sample.svg", "minutes-distance.svg", "minutes-time-and-samples-with-60-s-a-sample.svg", "results.csv", "table.md", "trials.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("it left %q, want %q", got, want)
	}
	if !strings.Contains(r.err, "nowhere.csv is left out: there is no such file") {
		t.Errorf("no word about the missing file: %s", r.err)
	}
	table := r.out[:strings.Index(r.out, "The numbers")]
	if r = ugp(t, append(args, "--resume")...); r.code != 0 || strings.Contains(r.err, "missions") || !strings.HasPrefix(r.out, table) {
		t.Errorf("resumed: exit code %d, %s\n%s", r.code, r.err, r.out)
	}
}

// A small experiment leaves table, numbers and pictures, and shows the nodes' logs if asked for them. The suffix of a method says whether the execution noise is given or learnt.
func TestExperiment(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new", "out")
	field := write(t, "field.geojson", `{"type":"Polygon","coordinates":[[[0,0],[100,0],[100,100],[0,100],[0,0]]]}`)
	r := succeeds(t, "experiment", "robot", "--field", field, "--trials", "2", "--methods", "grid,ugp-ucb:fixed,ugp-ucb:learnt,ugp-ucb:local", "--samples", "2", "--verbose", "--out", out)
	for _, want := range []string{"over 2 seeds", "| grid | 2 |", "16 samples", filepath.Join(out, "results.csv"), "ugp-ucb:fixed assumed 1.00 m for this distance at the end"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the output does not say %q:\n%s", want, r.out)
		}
	}
	for _, learns := range []string{"learnt", "local"} {
		if own := "ugp-ucb:" + learns + " assumed "; !strings.Contains(r.out, own) || strings.Contains(r.out, own+"1.00 m") {
			t.Errorf("the output does not say that %s took it for another:\n%s", learns, r.out)
		}
	}
	if got, want := names(t, out), []string{"expected.svg", "mean.svg", "results.csv", "smooth.svg", "table.md", "trials.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("it left %q, want %q", got, want)
	}
	if n := strings.Count(r.err, "[ugp_explorer]: sample 2 of 2 at "); n != 8 || !strings.HasSuffix(r.err, "8 of 8 missions\n") {
		t.Errorf("it shows the last sample of %d missions, want 8, and ends with the progress: %s", n, r.err)
	}
}
