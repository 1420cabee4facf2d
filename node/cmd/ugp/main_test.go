package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

func TestHelp(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"Usage: ugp <command>", "demo [flags]", "experiment robot [flags]", "--version"}},
		{[]string{"--help"}, []string{"Usage: ugp <command>", "demo [flags]", "experiment robot [flags]"}},
		{[]string{"demo", "--help"}, []string{
			"The field:", "--survey=FILE", "kriging", "CSV", "Broom's Barn", "--column=NAME", "--field=FILE", "GeoJSON", "--datum=LON,LAT", "degrees",
			"The mission:", "--samples=N", "(30)", "--seed=N", "same mission", "--method=NAME", "ugp-ucb,", "gp-ucb,", "random,", "grid,",
			"The run:", "--config=FILE", "ROS YAML", "--out=DIR", "mission.json, report.html", "out/demo", "--verbose",
		}},
		{[]string{"experiment", "rkhs", "--help"}, []string{"--trials=N", "--iterations=N", "--ratios=R,...", "--betas=B,...", "theorem", "--noise=RULE", "chowdhury", "--resume", "--workers=N", "--out=DIR", "--seed=N"}},
		{[]string{"experiment", "robot", "--help"}, []string{"--trials=N", "(20)", "--methods=NAME,...", "--workers=N", "--out=DIR", "results.csv", "--survey=FILE"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			r := ugp(t, c.args...)
			if r.code != 0 || r.err != "" {
				t.Errorf("exit code %d, error %q; want 0, none", r.code, r.err)
			}
			for _, want := range c.want {
				if !strings.Contains(r.out, want) {
					t.Errorf("the help does not say %q:\n%s", want, r.out)
				}
			}
			for _, line := range strings.Split(r.out, "\n") {
				// A flag without a word of help.
				if fields := strings.Fields(line); len(fields) == 1 && strings.HasPrefix(fields[0], "--") {
					t.Errorf("%s is not explained", fields[0])
				}
			}
		})
	}
}

func TestVersion(t *testing.T) {
	if r := ugp(t, "--version"); r.code != 0 || !strings.HasPrefix(r.out, "ugp of ugp_explorer") {
		t.Errorf("exit code %d, %q; want 0 and the module", r.code, r.out)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.0"}
	info.Main.Path, info.Main.Version = "ugp_explorer", "v1.2.3"
	if got, want := version(info), "ugp of ugp_explorer v1.2.3, go1.26.0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "abc123"}, {Key: "vcs.modified", Value: "true"}}
	if got, want := version(info), "ugp of ugp_explorer v1.2.3, commit abc123 with changes, go1.26.0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := version(nil); !strings.Contains(got, "without a version") {
		t.Errorf("without build information it says %q", got)
	}
}

func TestUnknownCommand(t *testing.T) {
	refused(t, ugp(t, "dmeo"), "dmeo", "ugp --help")
	refused(t, ugp(t, "--sample"), "--sample", "ugp --help")
}

// The help of each command is there, and its placeholders and variables are filled in.
func TestHelpOfAll(t *testing.T) {
	commands := []string{"demo", "sim", "replay", "advise", "outline", "export", "doctor"}
	for _, name := range []string{"rkhs", "michalewicz", "robot", "budget"} {
		commands = append(commands, "experiment "+name)
	}
	for _, command := range commands {
		r := ugp(t, append(strings.Fields(command), "--help")...)
		if r.code != 0 || !strings.HasPrefix(r.out, "Usage: ugp "+command) || strings.Contains(r.out, "…,") || strings.Contains(r.out, "${") {
			t.Errorf("%s: code %d\n%s", command, r.code, r.out)
		}
	}
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	budget := words(ugp(t, "experiment", "budget", "--help").out)
	for _, want := range []string{"for budgets of distance, time and samples.", "--samples=N Not accepted here: --budgets has the numbers of samples."} {
		if !strings.Contains(budget, want) {
			t.Errorf("the help of experiment budget does not say %q:\n%s", want, budget)
		}
	}
	if demo := words(ugp(t, "demo", "--help").out); !strings.Contains(demo, "--samples=N Number of samples to take (30).") {
		t.Errorf("the help of demo:\n%s", demo)
	}
}

// results are the files that a mission of some samples leaves.
var results = []string{
	"acquisition.png", "export", "hyperparameters.png", "journal.jsonl", "mean.png", "mission.json", "offsets.png", "path.png", "regret.png", "report.html", "stddev.png", "truth.png",
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
			[]string{"mean-over-ratios-beta-0.1xtheorem.png", "mean-ratio-0.5-beta-0.1xtheorem.png", "mean-ratio-1-beta-0.1xtheorem.png"}, 2 * 2 * 2 * 3,
			[]string{"σ̂/σ = 0.5, β 0.1*theorem: 2 of 2 trials", "| uei |", "| 1 | 0.0000 | 0.0000 | 0.0000 |"}},
		{[]string{"michalewicz", "--methods", "ugp-ucb,random", "--betas", "1,3", "--noise", "prior"},
			[]string{"mean-over-betas-ratio-1.png", "mean-ratio-1-beta-1.png", "mean-ratio-1-beta-3.png"}, 2 * 3 * 3,
			[]string{"β 3: 2 of 2 trials", "λ prior", "| random |"}},
	} {
		out := filepath.Join(t.TempDir(), "new", "out")
		r := ugp(t, append([]string{"experiment"}, append(c.args, "--trials", "2", "--iterations", "3", "--out", out)...)...)
		if r.code != 0 {
			t.Fatalf("exit code %d: %s", r.code, r.err)
		}
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
	args := []string{"experiment", "budget", "--budgets", "2km,1+0.7h/60s", "--methods", "grid,0.05,paced", "--fields", "farm,nowhere.csv", "--tuning", "1", "--trials", "2", "--out", out}
	r := ugp(t, args...)
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	for _, want := range []string{"over seeds 1 to 2", "on seeds 1001 to 1001", "| farm | 2 km | grid of ", "| farm | 2 km | price 0.05 | 2 |", "| farm | 2 km | paced | 2 |", "| farm | 0.7 h and 1 samples, 60 s a sample | paced | 2 | 1.0 |"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the output does not say %q:\n%s", want, r.out)
		}
	}
	if got, want := names(t, out), []string{"grids", "metres-distance.png", "metres-time-and-samples-with-60-s-a-sample.png", "minutes-distance.png", "minutes-time-and-samples-with-60-s-a-sample.png", "results.csv", "table.md", "trials.jsonl"}; !slices.Equal(got, want) {
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

// A suffix has the mission keep to the execution noise or learn it.
func TestExperimentWithSuffixes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	r := ugp(t, "experiment", "robot", "--trials", "2", "--methods", "ugp-ucb:fixed,ugp-ucb:learnt,ugp-ucb:local", "--samples", "3", "--out", out)
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	if want := "ugp-ucb:fixed assumed 1.00 m for this distance in the end"; !strings.Contains(r.out, want) {
		t.Errorf("the output does not say %q:\n%s", want, r.out)
	}
	for _, learns := range []string{"learnt", "local"} {
		if own := "ugp-ucb:" + learns + " assumed "; !strings.Contains(r.out, own) || strings.Contains(r.out, own+"1.00 m") {
			t.Errorf("the output does not say that %s took it for another:\n%s", learns, r.out)
		}
	}
}

// TestExperiment runs a small one, and reads the table that it prints.
func TestExperiment(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new", "out")
	r := ugp(t, "experiment", "robot", "--trials", "2", "--methods", "random,grid", "--samples", "2", "--out", out)
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	for _, want := range []string{"over 2 seeds", "| random | 2 |", "| grid | 2 |", "8 samples", filepath.Join(out, "results.csv")} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the output does not say %q:\n%s", want, r.out)
		}
	}
	if got, want := names(t, out), []string{"expected.png", "mean.png", "results.csv", "smooth.png", "table.md", "trials.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("it left %q, want %q", got, want)
	}
	if !strings.HasSuffix(r.err, "4 of 4 missions\n") {
		t.Errorf("progress ends with %q", r.err)
	}
}
