// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

const (
	crossing = `{"type":"Polygon","coordinates":[[[0,0],[100,100],[100,0],[0,100],[0,0]]]}`
	degrees  = `{"type":"Polygon","coordinates":[[[0.5,52.0],[0.505,52.0],[0.505,52.005],[0.5,52.005],[0.5,52.0]]]}`
	square   = `{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,300],[0,300],[0,0]]]}`
)

// Demo refuses what it cannot use: exit code 2, one line that names the thing, what was given and
// what is allowed, and nothing written.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	explorer := func(name, parameters string) string {
		return file(name, "ugp_explorer:\n  ros__parameters: {"+parameters+"}\n")
	}
	missing := filepath.Join(dir, "missing")
	twoColumns := file("two.csv", "x,y,clay,sand\n0,0,1,2\n100,0,2,3\n0,100,3,4\n")
	deg := file("degrees.geojson", degrees)
	cases := []bad{
		{[]string{"--survey", missing}, []string{missing, "no such file"}},
		{[]string{"--survey", dir}, []string{dir, "is a directory"}},
		{[]string{"--survey", twoColumns, "--column", "silt"}, []string{twoColumns, `"silt"`, "clay, sand"}},
		{[]string{"--survey", twoColumns}, []string{twoColumns, "name the one", "--column", "clay, sand"}},
		{[]string{"--survey", file("word.csv", "x,y,v\n0,0,1\n1,0,two\n")}, []string{"word.csv", "line 3", "column v", `"two"`}},
		{[]string{"--survey", file("header.csv", "x,y,v\n")}, []string{"header.csv", `"v"`}},
		{[]string{"--survey", file("empty.csv", "")}, []string{"empty.csv", "empty", "a CSV file"}},
		{[]string{"--field", twoColumns}, []string{"--field", twoColumns, "GeoJSON", "--survey"}},
		{[]string{"--column", "clay"}, []string{"--column", `"clay"`, "--survey"}},

		{[]string{"--field", missing}, []string{missing, "no such file"}},
		{[]string{"--field", file("crossing.geojson", crossing)}, []string{"crossing.geojson", "crosses or touches itself", "(0, 0)–(100, 100)", "(100, 0)–(0, 100)"}},
		{[]string{"--field", file("narrow.geojson", `{"type":"Polygon","coordinates":[[[0,0],[400,0],[400,1.6],[0,1.6],[0,0]]]}`)},
			[]string{"narrow.geojson", "margin of 1.3 m", "only 0.8 m from the nearest", "robot.radius is 0.8 m"}},
		{[]string{"--field", deg, "--datum", "1,2,3"}, []string{"--datum", `"1,2,3"`, "two numbers"}},
		{[]string{"--field", deg, "--datum", "181,52"}, []string{"--datum", `"181,52"`, "-180 to 180"}},
		{[]string{"--field", deg, "--datum", "NaN,52"}, []string{"--datum", `"NaN,52"`, "two numbers"}},
		{[]string{"--config", explorer("outline.yaml", `outline.file: "/nowhere/edge.geojson"`)}, []string{"outline.file is /nowhere/edge.geojson", "which does not exist"}},
		{[]string{"--live", "--address", "127.0.0.1:0", "--outline", missing, "--covariate", "farm:0.8"}, []string{"farm", missing, "to be recorded"}},
		{[]string{"--outline", "edge.geojson"}, []string{"--outline has no effect without --live"}},
		{[]string{"--secondary", "1.5"}, []string{"--secondary", `"1.5"`, "from -1 to 1"}},
		{[]string{"--secondary=good"}, []string{"--secondary", `"good"`, "from -1 to 1"}},
		{[]string{"--secondary", "good"}, []string{"good", "ugp demo --help"}}, // the number may be left out
		{[]string{"--datum", "0.5,52"}, []string{"--datum", `"0.5,52"`, "--field"}},
		{[]string{"--field", deg, "--datum", "-100,52"}, []string{deg, "(-100°, 52°)", "30 km"}},

		{[]string{"--config", missing}, []string{"--config", missing, "no such file"}},
		{[]string{"--config", file("open.yaml", "ugp_explorer: [\n")}, []string{"open.yaml"}},
		{[]string{"--config", explorer("typo.yaml", "beta.fixt: 1.0")}, []string{"typo.yaml:2", "/ugp_explorer", `"beta.fixt"`, `"beta.fixed"`}},
		{[]string{"--config", explorer("range.yaml", "sample.readings: 0")}, []string{"range.yaml:2", `"sample.readings"`, "given 0", "1 to 1"}},
		{[]string{"--config", explorer("metres.yaml", "budget.distance: 5.0, home: [400.0, 400.0]")},
			[]string{"budget of 5 m is too small to return home", " m needed", "1.25 ×", "+ 2 m reserve"}},
		{[]string{"--config", explorer("reserve.yaml", "budget.distance: 2.0")},
			[]string{"budget.distance or budget.time is too small for this field", "a path of 0 m", "the field is 1236 m long"}},

		{[]string{"--receiver", "f9p"}, []string{"--receiver", `"f9p"`, "white, consumer,", "rtk_mixed, or the CSV file", "no such file"}},
		{[]string{"--receiver", twoColumns}, []string{"fix.trace", twoColumns, "clay, sand", "t_s, east_err_m and north_err_m"}},
		{[]string{"--method", "uei"}, []string{"--method", `"uei"`, "ugp-ucb, gp-ucb, random, grid"}}, // of experiments alone
		{[]string{"--samples", "0"}, []string{"--samples", `"0"`, "a whole number from 1"}},
		{[]string{"--samples", "-3"}, []string{"--samples", `"-3"`, "a whole number from 1"}},
		{[]string{"--samples=2.5"}, []string{"--samples", `"2.5"`, "a whole number from 1"}},
		{[]string{"--samples"}, []string{"--samples", "a value is missing"}},
		{[]string{"--seed", "-1"}, []string{"--seed", `"-1"`, "from 0 to 2147483647"}},
		{[]string{"--speed", "5"}, []string{"--speed", "--live"}},
		{[]string{"--address", ":8080"}, []string{"--address", "--live"}},
		{[]string{"--live", "--speed", "0"}, []string{"--speed", `"0"`, "0.01 to 1000"}},
		{[]string{"--sample", "3"}, []string{"--sample", "--samples", "ugp demo --help"}},
		{[]string{"now"}, []string{"now", "ugp demo --help"}},
	}
	for _, c := range cases { // a raster that is drawn is written when the mission begins
		cases = append(cases, bad{slices.Concat(c.args, []string{"--covariate", "farm"}), c.want})
	}
	refuses(t, "demo", cases)
}

// bad are arguments that are refused with words in the error.
type bad struct{ args, want []string }

// refuses fails unless a command refuses arguments, and leaves nothing in the folder where it runs.
func refuses(t *testing.T, command string, cases []bad) {
	t.Helper()
	for _, c := range cases {
		args := append([]string{command}, c.args...)
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Chdir(t.TempDir())
			refused(t, ugp(t, args...), c.want...)
			if got := names(t, "."); len(got) != 0 {
				t.Errorf("it left %q", got)
			}
		})
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
	text := r.err
	if introduction, found := strings.CutPrefix(text, "The field: "); found { // of a mission that began
		_, text, _ = strings.Cut(introduction, "\n")
	}
	line, rest, _ := strings.Cut(text, "\n")
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

// A bad folder, and what is in it and beside it, stays as it was.
func TestBadFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must.OK(t, os.WriteFile(file, []byte("mine"), 0o666))
	locked := filepath.Join(dir, "locked")
	must.OK(t, os.Mkdir(locked, 0o555))
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

func TestBadExperiments(t *testing.T) {
	typo := write(t, "typo.yaml", "ugp_explorer: {ros__parameters: {beta.fixt: 1.0}}")
	refuses(t, "experiment", []bad{
		{nil, []string{`"robot"`, "ugp experiment --help"}},
		{[]string{"robot", "--trials", "1"}, []string{"--trials", `"1"`, "from 2"}},
		{[]string{"robot", "--workers", "-1"}, []string{"--workers", `"-1"`, "from 0"}},
		{[]string{"robot", "--methods", "grid,magic"}, []string{"--methods", `"magic"`, "ugp-ucb, ugp-ucb-target"}},
		{[]string{"robot", "--methods", "grid,random,grid"}, []string{"--methods", `"grid" twice`}},
		{[]string{"robot", "--receivers", "rtk,f9p"}, []string{"--receiver is", `"f9p"`, "want one of white"}},
		{[]string{"robot", "--receivers", "exact,rtk,exact"}, []string{"--receivers", `"exact" twice`}},
		{[]string{"robot", "--receivers", "day.csv,./day.csv"}, []string{"--receivers", `"./day.csv" twice`}},
		{[]string{"robot", "--methods="}, []string{"--methods is empty"}},
		{[]string{"robot", "--methods", "ugp-ucb:often"}, []string{"--methods", `"ugp-ucb:often"`, ":fixed or :learnt or :local or :paper"}},
		{[]string{"robot", "--field", "soil.DAT"}, []string{"--field", "soil.DAT", "--survey"}},
		{[]string{"robot", "--first-seed", "0"}, []string{"--first-seed", `"0"`, "from 1"}},
		{[]string{"robot", "--config", typo}, []string{typo + ":1", `"beta.fixt"`}}, // once, not for each trial
		{[]string{"rkhs", "--methods", "ugp-ucb:local"}, []string{"--methods", `"ugp-ucb:local"`}},
		{[]string{"rkhs", "--iterations", "x"}, []string{"--iterations", `"x"`}},
		{[]string{"rkhs", "--ratios", "1,0"}, []string{"--ratios", `"0"`, "from 0.001"}},
		{[]string{"rkhs", "--ratios", "1,1"}, []string{"ratio 1", "twice"}},
		{[]string{"rkhs", "--betas", "x"}, []string{`"x"`, "want a number", "0.1*theorem"}},
		{[]string{"rkhs", "--noise", "x"}, []string{`"x"`, `"matched" "reading"`}},
		{[]string{"rkhs", "--length-scale", "0"}, []string{"--length-scale", `"0"`}},
		{[]string{"michalewicz", "--seed", "-1"}, []string{"--seed", `"-1"`}},
		{[]string{"michalewicz", "--betas", "theorem"}, []string{"michalewicz", "no norm"}},
		{[]string{"budget", "--samples", "30"}, []string{"--samples", "--budgets"}},
		{[]string{"budget", "--budgets", "5m"}, []string{"--budgets", `"5m"`, "800m", "10 m to 1000 km"}},
		{[]string{"budget", "--budgets", "0.01h/600s"}, []string{"budget of 36 s", "sample"}},
		{[]string{"budget", "--methods", "uei"}, []string{"--methods", `"uei"`, "lines"}},
		{[]string{"budget", "--fields", "farm,farm"}, []string{"--fields", `"farm"`}},
		{[]string{"budget", "--fields", "nowhere.csv"}, []string{"--fields", "nowhere.csv", "or existing files of point data"}},
		{[]string{"budget", "--trials", "1001"}, []string{"--trials", "seeds 1 to 1001", "1001 to 1020"}},
	})
}
