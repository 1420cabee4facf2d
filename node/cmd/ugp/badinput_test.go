package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	crossing = `{"type":"Polygon","coordinates":[[[0,0],[100,100],[100,0],[0,100],[0,0]]]}`
	degrees  = `{"type":"Polygon","coordinates":[[[0.5,52.0],[0.505,52.0],[0.505,52.005],[0.5,52.005],[0.5,52.0]]]}`
	square   = `{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,300],[0,300],[0,0]]]}`

	// divided is a square with a keep-out right across it.
	divided = `{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{},"geometry":` + square + `},
{"type":"Feature","properties":{"keep_out":true},"geometry":{"type":"Polygon","coordinates":[[[-10,140],[310,140],[310,160],[-10,160],[-10,140]]]}}]}`
)

// TestBadInput gives demo what it cannot use: exit code 2, one line that names
// the thing, what was given and what is allowed, and nothing written.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	explorer := func(name, parameters string) string {
		return file(name, "ugp_explorer:\n  ros__parameters: {"+parameters+"}\n")
	}
	missing := filepath.Join(dir, "missing")
	twoColumns := file("two.csv", "x,y,clay,sand\n0,0,1,2\n100,0,2,3\n0,100,3,4\n")
	deg := file("degrees.geojson", degrees)
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"missing field file", []string{"--survey", missing}, []string{missing, "no such file"}},
		{"folder for a field file", []string{"--survey", dir}, []string{dir, "is a directory"}},
		{"no such column", []string{"--survey", twoColumns, "--column", "silt"}, []string{twoColumns, `"silt"`, `"clay"`, `"sand"`}},
		{"several columns", []string{"--survey", twoColumns}, []string{twoColumns, "name the one", `"clay"`, `"sand"`}},
		{"no number", []string{"--survey", file("word.csv", "x,y,v\n0,0,1\n1,0,two\n")}, []string{"word.csv", "line 3", `"v"`, `"two"`}},
		{"no rows", []string{"--survey", file("header.csv", "x,y,v\n")}, []string{"header.csv", `"v"`}},
		{"empty file", []string{"--survey", file("empty.csv", "")}, []string{"empty.csv", "empty", "a CSV file"}},
		{"point data as the outline", []string{"--field", twoColumns}, []string{"--field", twoColumns, "GeoJSON", "--survey"}},
		{"column of no field", []string{"--column", "clay"}, []string{"--column", `"clay"`, "--survey"}},

		{"missing boundary", []string{"--field", missing}, []string{missing, "no such file"}},
		{"folder for a boundary", []string{"--field", dir}, []string{dir, "is a directory"}},
		{"no GeoJSON", []string{"--field", file("text.geojson", "a field")}, []string{"text.geojson", "not GeoJSON"}},
		{"crossing boundary", []string{"--field", file("crossing.geojson", crossing)},
			[]string{"crossing.geojson", "crosses or touches itself", "(0, 0)–(100, 100)", "(100, 0)–(0, 100)"}},
		{"narrow boundary", []string{"--field", file("narrow.geojson", `{"type":"Polygon","coordinates":[[[0,0],[400,0],[400,1.6],[0,1.6],[0,0]]]}`)},
			[]string{"narrow.geojson", "margin of 1.3 m", "only 0.8 m from the nearest", "robot.radius is 0.8 m"}},
		{"empty boundary", []string{"--field", file("empty.geojson", `{"type":"Polygon","coordinates":[]}`)}, []string{"empty.geojson", "empty"}},
		{"degrees without a datum", []string{"--field", deg}, []string{deg, "degrees", "datum", "longitude and latitude"}},
		{"half a datum", []string{"--field", deg, "--datum", "1"}, []string{"--datum", `"1"`, "two numbers"}},
		{"datum with a letter", []string{"--field", deg, "--datum", "1,x"}, []string{"--datum", `"1,x"`, "two numbers"}},
		{"datum of three", []string{"--field", deg, "--datum", "1,2,3"}, []string{"--datum", `"1,2,3"`, "two numbers"}},
		{"longitude out of range", []string{"--field", deg, "--datum", "181,52"}, []string{"--datum", `"181,52"`, "-180 to 180"}},
		{"latitude out of range", []string{"--field", deg, "--datum", "0.5,-91"}, []string{"--datum", `"0.5,-91"`, "-90 to 90"}},
		{"no datum at all", []string{"--field", deg, "--datum", "NaN,NaN"}, []string{"--datum", `"NaN,NaN"`, "two numbers"}},
		{"datum of no boundary", []string{"--datum", "0.5,52"}, []string{"--datum", `"0.5,52"`, "--field"}},
		{"datum far away", []string{"--field", deg, "--datum", "-100,52"}, []string{deg, "(-100°, 52°)", "30 km"}},

		{"missing parameters", []string{"--config", missing}, []string{"--config", missing, "no such file"}},
		{"no YAML", []string{"--config", file("open.yaml", "ugp_explorer: [\n")}, []string{"open.yaml"}},
		{"unknown parameter", []string{"--config", explorer("typo.yaml", "beta.fixt: 1.0")}, []string{"typo.yaml:2", "/ugp_explorer", `"beta.fixt"`, `"beta.fixed"`}},
		{"parameter out of range", []string{"--config", explorer("range.yaml", "sample.readings: 0")}, []string{"range.yaml:2", `"sample.readings"`, "given 0", "1 to 1"}},
		{"margin without a field", []string{"--config", explorer("margin.yaml", "field.margin: 500.0")}, []string{"margin of 500 m", "smaller margin"}},
		{"metres too few to come home", []string{"--config", explorer("metres.yaml", "budget.distance: 5.0, home: [400.0, 400.0]")},
			[]string{"budget of 5 m is too small to return home", " m needed", "1.25 ×", "+ 2 m reserve"}},
		{"seconds too few to come home", []string{"--config", explorer("seconds.yaml", "budget.time: 20.0, home: [400.0, 400.0]")},
			[]string{"budget of 20 s is too small to return home", " s needed", "+ 30 s reserve"}},
		{"home behind a keep-out", []string{"--field", file("divided.geojson", divided), "--config", explorer("behind.yaml", "home: [150.0, 250.0]")},
			[]string{"home (150, 250) cannot be reached", "keep-outs divide the region into 2 parts"}},
		{"a budget for the reserve alone", []string{"--config", explorer("reserve.yaml", "budget.distance: 2.0")},
			[]string{"no sample was taken", "of the budget of 2 m are left", "and the path home needs"}},

		{"unknown method", []string{"--method", "magic"}, []string{"--method", `"magic"`, "ugp-ucb, gp-ucb, random, grid"}},
		{"a method of experiments alone", []string{"--method", "uei"}, []string{"--method", `"uei"`, "ugp-ucb, gp-ucb, random, grid"}},
		{"no samples", []string{"--samples", "0"}, []string{"--samples", `"0"`, "a whole number from 1"}},
		{"fewer than no samples", []string{"--samples", "-3"}, []string{"--samples", `"-3"`, "a whole number from 1"}},
		{"samples in words", []string{"--samples", "x"}, []string{"--samples", `"x"`, "a whole number from 1"}},
		{"half a sample", []string{"--samples=2.5"}, []string{"--samples", `"2.5"`, "a whole number from 1"}},
		{"no number of samples", []string{"--samples"}, []string{"--samples", "a value is missing"}},
		{"seed below zero", []string{"--seed", "-1"}, []string{"--seed", `"-1"`, "from 0 to 2147483647"}},
		{"unknown flag", []string{"--sample", "3"}, []string{"--sample", "--samples", "ugp demo --help"}},
		{"an argument too many", []string{"now"}, []string{"now", "ugp demo --help"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "new", "out")
			// The flag under test comes last: it may lack its value.
			refused(t, ugp(t, append([]string{"demo", "--out", out}, c.args...)...), c.want...)
			if _, err := os.Stat(filepath.Dir(out)); !os.IsNotExist(err) {
				t.Errorf("the folder %s was made (%v)", filepath.Dir(out), err)
			}
		})
	}
}

// Experiments refuse what they cannot use in the same way.
func TestExperimentsBadInput(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct{ args, want []string }{
		{[]string{"rkhs", "--betas", "x"}, []string{"ugp: invalid plan: ", `"x"`, "want a number", "0.1*theorem"}},
		{[]string{"rkhs", "--noise", "x"}, []string{"ugp: invalid plan: ", `"x"`, `"matched" "reading"`}},
		{[]string{"robot", "--field", "soil.DAT"}, []string{"--field", "soil.DAT", "--survey"}},
		{[]string{"budget", "--fields", missing}, []string{"--fields", missing, "farm"}},
		{[]string{"budget", "--budgets", "5m"}, []string{"--budgets", `"5m"`, "800m", "10 m to 1000 km"}},
	} {
		refused(t, ugp(t, append(append([]string{"experiment"}, c.args...), "--out", filepath.Join(t.TempDir(), "out"))...), c.want...)
	}
}

// refused fails unless a run ended with code 2 and a line that has all words.
func refused(t *testing.T, r result, words ...string) {
	t.Helper()
	if r.code != exitBadInput {
		t.Errorf("exit code %d, want %d", r.code, exitBadInput)
	}
	if r.out != "" {
		t.Errorf("output %q, want none", r.out)
	}
	line, rest, _ := strings.Cut(r.err, "\n")
	if rest != "" || !strings.HasPrefix(line, "ugp: ") {
		t.Errorf("the error is %.300q, want one line that begins with ugp", r.err)
	}
	for _, word := range words {
		if !strings.Contains(line, word) {
			t.Errorf("the error %q does not say %q", line, word)
		}
	}
	// What begins an error in our packages says nothing to a user.
	for _, name := range []string{"planner: ", "sim: ", "explorer: ", "fieldsim: ", "ros: "} {
		if strings.Contains(line, " "+name) {
			t.Errorf("the error %q names a package", line)
		}
	}
}

// TestBadFolder has what was in and about the folder stay as it was.
func TestBadFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, out string
		want      []string
		root      bool // works for a user who may do everything
	}{
		{"a file", file, []string{"--out", file + " is a file"}, false},
		{"in a file", filepath.Join(file, "a", "b"), []string{"--out", file + " is a file"}, false},
		{"empty", "", []string{"--out is empty", "want a folder"}, false},
		{"not writable", locked, []string{"--out", locked, "permission denied"}, true},
		{"in one that is not writable", filepath.Join(locked, "a", "b"), []string{"--out", locked, "permission denied"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.root && os.Geteuid() == 0 {
				t.Skip("the superuser may write anywhere")
			}
			refused(t, ugp(t, "demo", "--samples", "1", "--out", c.out), c.want...)
			refused(t, ugp(t, "experiment", "robot", "--trials", "2", "--out", c.out), c.want...)
			if c.out != "" { // there it is the default
				refused(t, ugp(t, "experiment", "rkhs", "--trials", "1", "--iterations", "1", "--out", c.out), c.want...)
			}
		})
	}
	if got := names(t, dir); !slices.Equal(got, []string{"file", "locked"}) {
		t.Errorf("the folder has %q now", got)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "mine" {
		t.Errorf("the file has %q now (%v)", data, err)
	}
}

// TestBadInputKeepsOldResults has an earlier mission's files survive one that
// cannot begin.
func TestBadInputKeepsOldResults(t *testing.T) {
	out := t.TempDir()
	old := filepath.Join(out, "mission.json")
	if err := os.WriteFile(old, []byte("earlier"), 0o666); err != nil {
		t.Fatal(err)
	}
	config := write(t, "p.yaml", "ugp_explorer: {ros__parameters: {budget.distance: 1.0}}")
	refused(t, ugp(t, "demo", "--config", config, "--out", out), "budget of 1 m is too small")
	if data, err := os.ReadFile(old); err != nil || string(data) != "earlier" {
		t.Errorf("mission.json has %q now (%v)", data, err)
	}
	if got := names(t, out); len(got) != 1 {
		t.Errorf("the folder has %q now", got)
	}
}

func TestBadExperiments(t *testing.T) {
	typo := write(t, "typo.yaml", "ugp_explorer: {ros__parameters: {beta.fixt: 1.0}}")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"nothing to do", nil, []string{`"robot"`, "ugp experiment --help"}},
		{"one trial", []string{"robot", "--trials", "1"}, []string{"--trials", `"1"`, "from 2"}},
		{"workers below zero", []string{"robot", "--workers", "-1"}, []string{"--workers", `"-1"`, "from 0"}},
		{"unknown method", []string{"robot", "--methods", "grid,magic"}, []string{"--methods", `"magic"`, "ugp-ucb, ugp-ucb-target"}},
		{"a method twice", []string{"robot", "--methods", "grid,random,grid"}, []string{"--methods", `"grid" twice`}},
		{"no methods", []string{"robot", "--methods="}, []string{"--methods is empty"}},
		{"no trials", []string{"rkhs", "--trials", "0"}, []string{"--trials", `"0"`, "from 1"}},
		{"no iterations", []string{"rkhs", "--iterations", "x"}, []string{"--iterations", `"x"`}},
		{"a seed below zero", []string{"michalewicz", "--seed", "-1"}, []string{"--seed", `"-1"`}},
		{"a method of functions", []string{"rkhs", "--methods", "magic"}, []string{"--methods", `"magic"`, "uei"}},
		{"a ratio", []string{"rkhs", "--ratios", "1,0"}, []string{"--ratios", `"0"`, "from 0.001"}},
		{"a ratio twice", []string{"rkhs", "--ratios", "1,1"}, []string{"ratio 1", "twice"}},
		{"a weight", []string{"rkhs", "--betas", "1,lemma"}, []string{`"lemma"`, "0.1*theorem"}},
		{"no norm", []string{"michalewicz", "--betas", "theorem"}, []string{"michalewicz", "no norm"}},
		{"length-scale", []string{"rkhs", "--length-scale", "0"}, []string{"--length-scale", `"0"`}},
		{"noise", []string{"rkhs", "--noise", "pink"}, []string{`"pink"`, "matched"}},
		{"workers of functions", []string{"rkhs", "--workers", "-1"}, []string{"--workers", `"-1"`}},
		{"a suffix of the robot's", []string{"rkhs", "--methods", "ugp-ucb:local"}, []string{"--methods", `"ugp-ucb:local"`}},
		{"a suffix", []string{"robot", "--methods", "ugp-ucb:often"}, []string{"--methods", `"ugp-ucb:often"`, ":fixed or :learnt or :local or :paper"}},
		{"samples of budgets", []string{"budget", "--samples", "30"}, []string{"--samples", "--budgets"}},
		{"a budget", []string{"budget", "--budgets", "3km,0"}, []string{"--budgets", `"0"`, "6.5km"}},
		{"a budget below the way home", []string{"budget", "--budgets", "0.01h/600s"}, []string{"budget of 36 s", "sample"}},
		{"a method of budgets", []string{"budget", "--methods", "uei"}, []string{"--methods", `"uei"`, "lines"}},
		{"a field of budgets twice", []string{"budget", "--fields", "farm,farm"}, []string{"--fields", `"farm"`}},
		{"no field of budgets", []string{"budget", "--fields", "nowhere.csv"}, []string{"--fields", "nowhere.csv", "files of point data that are there"}},
		{"trials that are for tuning", []string{"budget", "--trials", "1001"}, []string{"--trials", "seeds 1 to 1001", "1001 to 1020"}},
		{"a first seed of 0", []string{"robot", "--first-seed", "0"}, []string{"--first-seed", `"0"`, "from 1"}},
		{"unknown parameter", []string{"robot", "--config", typo}, []string{typo + ":1", `"beta.fixt"`}}, // once, not for each trial
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			refused(t, ugp(t, append([]string{"experiment"}, c.args...)...), c.want...)
			if got := names(t, "."); len(got) != 0 {
				t.Errorf("%q was made", got)
			}
		})
	}
}
