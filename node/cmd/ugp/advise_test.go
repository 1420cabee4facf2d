// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// A small field is answered for, another budget or more missions continue the run, and missions of another question are
// moved aside.
func TestAdvise(t *testing.T) {
	t.Parallel()
	field := write(t, "field.geojson", square)
	question := []string{"advise", "--field", field, "--distance", "300m", "--samples", "2", "--length", "60", "--range", "10,60"}
	ask := func(out string, args ...string) result {
		t.Helper()
		return succeeds(t, append(append(slices.Clone(question), "--out", out), args...)...)
	}
	read := func(path ...string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(path...))
		must.OK(t, err)
		return string(text)
	}
	out := filepath.Join(t.TempDir(), "advice")
	r := ask(out, "--missions", "10")
	sentence := regexp.MustCompile(`300 m and 2 samples: the value at the place found is within \d+ \(\S+ to \d+\) of the best in half of the missions, and within \d+ \(\d+ or more\) in 9 of 10\. Values are in the unit of the readings\. 10 missions were simulated; .* needs 29 missions\.
The mean mission with other budgets on the same fields: 150 m and 2 samples: .*; 300 m and 1 samples?: .*; 600 m and 2 samples: .*; 300 m and 4 samples: .*\.`)
	if !sentence.MatchString(r.out) {
		t.Errorf("no answer in:\n%s", r.out)
	}
	if want := []string{"advice.svg", "results.csv", "table.md", "trials.jsonl"}; !slices.Equal(names(t, out), want) {
		t.Errorf("the folder has %q, want %q", names(t, out), want)
	}
	first := read(out, "results.csv")
	if strings.Count(first, "\n") != 51 {
		t.Errorf("results:\n%s", first)
	}

	rasters := regexp.MustCompile(`(?m)^The benefit of a raster that is correlated with the field, for the mean mission with 300 m and 2 samples, which is within (\S+) of the best without one: with the correlation 0, .*, and the error of the median mission's map is \S+ instead of \S+; with the correlation 0\.95, (\S+) closer to the best \(`)
	with := ask(out, "--missions", "10", "--resume", "--covariate", "0,0.95")
	if m := rasters.FindStringSubmatch(with.out); m == nil || !(parse(t, m[2]) > 0.2*parse(t, m[1])) || !strings.Contains(with.out, "| 300 m and 2 samples, raster of correlation 0.95 | 10 |") {
		t.Errorf("what a raster is worth is not said in:\n%s", with.out)
	}
	if all := read(out, "results.csv"); strings.Count(all, "\n") != 71 || !strings.Contains(all, ",0.95\n") {
		t.Errorf("results with rasters:\n%s", all)
	}

	sensor := ask(out, "--missions", "10", "--resume", "--secondary", "0.9")
	if !strings.Contains(sensor.out, "\nThe benefit of a second sensor that is correlated with the field, for the mean mission with 300 m and 2 samples, which is within ") ||
		!strings.Contains(sensor.out, "| 300 m and 2 samples, second sensor of correlation 0.9 | 10 |") {
		t.Errorf("what a second sensor is worth is not said in:\n%s", sensor.out)
	}
	if all := read(out, "results.csv"); strings.Count(all, "\n") != 61 || !strings.Contains(all, ",raster_correlation,secondary_correlation\n") || !strings.Contains(all, ",,0.9\n") {
		t.Errorf("results with a second sensor:\n%s", all)
	}

	points := "x,y,value\n"
	for k := range 25 {
		points += fmt.Sprintf("%d,%d,%d\n", k%5*50, k/5*50, k*k%7)
	}
	soil := write(t, "soil.csv", points)
	own := ask(out, "--missions", "10", "--resume", "--covariate", soil)
	if !strings.Contains(own.err, "Note that soil.csv has values on only ") || !regexp.MustCompile(`with the correlation 0\.4, .* with the correlation 0\.6, .* with the correlation 0\.8, `).MatchString(own.out) {
		t.Errorf("what an own raster would be worth is not said in:\n%s%s", own.err, own.out)
	}

	more := ask(out, "--missions", "11")
	if strings.Contains(more.err, "earlier-1") || !strings.HasPrefix(read(out, "results.csv"), first) || strings.Count(read(out, "results.csv"), "\n") != 56 {
		t.Errorf("%s, results of a continued run:\n%s", more.err, read(out, "results.csv"))
	}
	log := read(out, "trials.jsonl")
	ask(out, "--missions", "10", "--distance", "150m")
	if longer := read(out, "trials.jsonl"); !strings.HasPrefix(longer, log) || strings.Count(longer, `"budget":{"samples":2,"distance_m":150,`) != 11 || !strings.Contains(read(out, "table.md"), "| 75 m and 2 samples | 10 |") {
		t.Errorf("another budget in the same folder: the log has\n%s", longer)
	}

	log, table := read(out, "trials.jsonl"), read(out, "table.md")
	if r := ugp(t, append(slices.Clone(question), "--range", "0,1", "--resume", "--out", out)...); r.code != exitBadInput || !strings.Contains(r.err, `its range is "10,60", not "0,1"`) {
		t.Errorf("another range, to be resumed: code %d, %s", r.code, r.err)
	}
	earlier := filepath.Join(out, "earlier-1")
	aside := interrupted(t, "were moved to "+earlier, append(slices.Clone(question), "--range", "0,1", "--out", out)...)
	if !strings.Contains(aside.err, "were moved to "+earlier+": its range is \"10,60\", not \"0,1\"") || read(earlier, "trials.jsonl") != log || read(earlier, "table.md") != table || len(names(t, earlier)) != 4 {
		t.Errorf("another range: %s, and %s has %q", aside.err, earlier, names(t, earlier))
	}
}

// A run that is interrupted answers with what it has, if that is enough for an answer, and continues later.
func TestAdviseInterrupted(t *testing.T) {
	t.Parallel()
	field := write(t, "field.geojson", square)
	args := []string{"advise", "--field", field, "--distance", "300m", "--samples", "2", "--length", "60", "--workers", "1", "--out", filepath.Join(t.TempDir(), "out")}
	if r := interrupted(t, "the first 2 within ", args...); r.code != exitInterrupted || !strings.Contains(r.out, "Interrupted") || strings.Contains(r.out, "the place found") {
		t.Errorf("after 2 missions: code %d\n%s%s", r.code, r.err, r.out)
	}
	r := interrupted(t, ": half of 12 within ", args...)
	if r.code != 0 || !strings.Contains(r.out, "Interrupted") || !regexp.MustCompile(`300 m and 2 samples: the value at the place found is within \S+ % .* in half of the missions, and within \S+ % .* in 9 of 10\. 100 % is .* 12 missions were simulated`).MatchString(r.out) {
		t.Errorf("after 12 missions: code %d\n%s%s", r.code, r.err, r.out)
	}
	if first := regexp.MustCompile(`(?m)^(\d+) of (\d+) missions: .* half of 12 within \S+ % \(\S+ to \S+\) of the best, 9 in 10 within \S+ % \(\S+ or more\), at most `).FindStringSubmatch(r.err); first == nil || first[1] != "10" || first[2] != "498" {
		t.Errorf("the progress of the second run does not begin with the two missions of the first:\n%s", r.err)
	}
}

// interrupted runs ugp and interrupts it when it has written a word.
func interrupted(t *testing.T, word string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	errs := watched{word: word, seen: cancel}
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)}, args)
	return result{code, out.String(), errs.String()}
}

// watched is a writer that tells when a word is written.
type watched struct {
	bytes.Buffer
	word string
	seen func()
}

// Write implements io.Writer.
func (w *watched) Write(b []byte) (int, error) {
	if strings.Contains(string(b), w.word) {
		w.seen()
	}
	return w.Buffer.Write(b)
}

func parse(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestBadAdvise(t *testing.T) {
	field := write(t, "field.geojson", square)
	narrow := write(t, "narrow.geojson", `{"type":"Polygon","coordinates":[[[0,0],[400,0],[400,1.6],[0,1.6],[0,0]]]}`)
	typo := write(t, "typo.yaml", "ugp_explorer: {ros__parameters: {beta.fixt: 1.0}}")
	samples := write(t, "samples.csv", "x,y,value,stddev\n10,10,3,0.1\n100,100,4,0.1\n")
	clay := write(t, "clay.csv", "x,y,clay,sand,stddev\n10,10,3,70,0.1\n100,100,4,60,0.1\n")
	farm := write(t, "farm.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"north"},"geometry":`+square+`},
		{"type":"Feature","properties":{"name":"ditch"},"geometry":{"type":"Polygon","coordinates":[[[300,0],[400,0],[400,1.6],[300,1.6],[300,0]]]}}]}`)
	tiny := write(t, "tiny.geojson", `{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}`)
	poor := write(t, "poor.csv", "t_s,east_err_m,north_err_m,stated_stddev_m\n0,1,2,3\n1,1,2,4\n")
	refuses(t, "advise", []bad{
		{nil, []string{"--field"}},
		{[]string{"--field", field + ".no"}, []string{"--field", "no such file"}},
		{[]string{"--field", narrow}, []string{"narrow.geojson", "margin"}},
		{[]string{"--field", field, "--distance", "6mi"}, []string{"--distance", `"6mi"`, "6km, 800m or 50cm"}},
		{[]string{"--field", field, "--distance", "0km"}, []string{"--distance", `"0km"`, "from 1 to"}},
		{[]string{"--field", field, "--distance", "NaNkm"}, []string{"--distance", `"NaNkm"`}},
		{[]string{"--field", field, "--distance", "1m"}, []string{"budget of 1 m is too small to return home", "did you mean --distance 1km?"}},
		{[]string{"--field", field, "--distance", "6", "--samples", "3"}, []string{"with 6 m and 3 samples", "a path of 3.2 m", "did you mean --distance 6km?"}},
		{[]string{"--field", field, "--time", "20"}, []string{"budget of 20 s is too small to return home", "did you mean --time 20h?"}},
		{[]string{"--field", field, "--time", "50"}, []string{"with 50 s the budget allows a path of 12 m", "did you mean --time 50h?"}},
		{[]string{"--field", field, "--time", "infh"}, []string{"--time", `"infh"`, "2h, 90min or 600s"}},
		{[]string{"--field", field, "--time", "5min", "--sample-time", "600"}, []string{"budget of 300 s is too small for a sample", "600 s for the sample"}},
		{[]string{"--field", field, "--samples", "0"}, []string{"--samples", `"0"`, "from 1"}},
		{[]string{"--field", field, "--speed", "NaN"}, []string{"--speed", `"NaN"`, "from 0.01"}},
		{[]string{"--field", field, "--range", "60,10"}, []string{"--range", `"60,10"`, "smaller one first"}},
		{[]string{"--field", field, "--range", "NaN,1"}, []string{"--range", `"NaN,1"`}},
		{[]string{"--field", field, "--length", "0"}, []string{"--length", `"0"`}},
		{[]string{"--field", field, "--length", "5000"}, []string{"--length", "5000 m", "want at most"}},
		{[]string{"--field", field, "--earlier", samples, "--range", "0,1"}, []string{"range", "earlier samples"}},
		{[]string{"--field", field, "--earlier", field}, []string{"earlier.file"}},
		{[]string{"--field", field, "--earlier", clay}, []string{"earlier.file", "no column value"}},
		{[]string{"--field", field, "--earlier", clay + "#silt"}, []string{"earlier.file", "silt"}},
		{[]string{"--field", field, "--earlier", clay + "#clay", "--range", "0,1"}, []string{"range", "earlier samples"}}, // it is read
		{[]string{"--field", farm}, []string{"2 fields", "north"}},
		{[]string{"--field", farm + "#ditch"}, []string{"margin"}},
		{[]string{"--field", farm + "#north", "--distance", "1m"}, []string{"budget of 1 m is too small"}}, // it is read
		{[]string{"--field", field, "--config", typo}, []string{typo + ":1", `"beta.fixt"`}},
		{[]string{"--field", field, "--samples", "3", "--covariate", "soil.tif"}, []string{"soil.tif", "no such file"}},
		{[]string{"--field", field, "--samples", "3", "--covariate", "0.6,1.1"}, []string{"--covariate", `"1.1"`}},
		{[]string{"--field", field, "--covariate", "0.6"}, []string{"the benefit of a raster depends on the budget", "--distance, --time or --samples"}},
		{[]string{"--field", field, "--samples", "3", "--secondary", "0.6,1.1"}, []string{"--secondary", `"1.1"`, "from -1 to 1"}},
		{[]string{"--field", field, "--secondary", "0.6"}, []string{"the benefit of a second sensor depends on the budget", "--distance, --time or --samples"}},
		{[]string{"--field", field, "--receiver", "f9p"}, []string{"--receiver", `"f9p"`, "consumer_trees", "no such file"}},
		{[]string{"--field", field, "--receiver", samples}, []string{"--receiver", samples, "x, y, value, stddev", "t_s, east_err_m and north_err_m"}},
		{[]string{"--field", tiny, "--receiver", "consumer"}, []string{"with this receiver, no mission would start on this field", "at most 10.0 m wide", "11.6 m are needed"}},
		{[]string{"--field", tiny, "--receiver", poor}, []string{"with this receiver, no mission would start on this field", "each 3 m"}},
		{[]string{"--field", field, "--missions", "9"}, []string{"--missions", `"9"`, "from 10"}},
	})
}
