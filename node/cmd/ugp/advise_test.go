package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A small field is answered for, and more missions continue the run.
func TestAdvise(t *testing.T) {
	t.Parallel()
	field := write(t, "field.geojson", square)
	ask := func(out string, args ...string) result {
		t.Helper()
		r := succeeds(t, append([]string{"advise", "--field", field, "--distance", "300m", "--samples", "2", "--length", "60", "--range", "10,60", "--out", out}, args...)...)
		return r
	}
	out := filepath.Join(t.TempDir(), "advice")
	r := ask(out, "--missions", "10")
	sentence := regexp.MustCompile(`300 m and 2 samples: within (\d+) of the best in 9 missions of 10 \(the unit of the readings; 10 simulated missions, with which the limit is \d+ or more with a probability of 0\.9\)\. Other budgets: 150 m and 2 samples: .*; 300 m and 1 samples?: .*; 600 m and 2 samples: .*; 300 m and 4 samples: .* 10 missions are too few .* give --missions 29 or more`)
	if !sentence.MatchString(r.out) {
		t.Errorf("no answer in:\n%s", r.out)
	}
	if want := []string{"advice.svg", "results.csv", "table.md", "trials.jsonl"}; !slices.Equal(names(t, out), want) {
		t.Errorf("the folder has %q, want %q", names(t, out), want)
	}
	first, err := os.ReadFile(filepath.Join(out, "results.csv"))
	if err != nil || strings.Count(string(first), "\n") != 51 {
		t.Errorf("%v, results:\n%s", err, first)
	}

	rasters := regexp.MustCompile(`(?m)^What a raster is worth that goes with the field: with 300 m and 2 samples and without one the mean mission is below the best by (\S+); with the correlation 0 by \S+ instead \((?:nearer|farther) by \S+ ± \S+\), and the error of the middle mission's map is \S+ instead of \S+; with the correlation 0\.95 by (\S+) instead`)
	with := ask(out, "--missions", "10", "--resume", "--covariate", "0,0.95")
	if m := rasters.FindStringSubmatch(with.out); m == nil || !(parse(t, m[2]) < 0.8*parse(t, m[1])) || !strings.Contains(with.out, "| 300 m and 2 samples, raster of correlation 0.95 | 10 |") {
		t.Errorf("what a raster is worth is not said in:\n%s", with.out)
	}
	if all, err := os.ReadFile(filepath.Join(out, "results.csv")); err != nil || strings.Count(string(all), "\n") != 71 || !strings.Contains(string(all), ",0.95\n") {
		t.Errorf("%v, results with rasters:\n%s", err, all)
	}

	points := "x,y,value\n"
	for k := range 25 {
		points += fmt.Sprintf("%d,%d,%d\n", k%5*50, k/5*50, k*k%7)
	}
	soil := write(t, "soil.csv", points)
	own := ask(filepath.Join(t.TempDir(), "own"), "--missions", "10", "--covariate", soil)
	if !strings.Contains(own.err, "; soil.csv has values on ") || !regexp.MustCompile(`with the correlation 0\.4 by .* with the correlation 0\.6 by .* with the correlation 0\.8 by `).MatchString(own.out) {
		t.Errorf("what an own raster would be worth is not said in:\n%s%s", own.err, own.out)
	}

	if r := ugp(t, "advise", "--field", field, "--distance", "700m", "--out", out); r.code != exitBadInput || !strings.Contains(r.err, "--resume") {
		t.Errorf("another question in the same folder: code %d, %s", r.code, r.err)
	}
	ask(out, "--missions", "11", "--resume")
	if more, err := os.ReadFile(filepath.Join(out, "results.csv")); err != nil || !strings.HasPrefix(string(more), string(first)) || strings.Count(string(more), "\n") != 56 {
		t.Errorf("%v, results of a continued run:\n%s", err, more)
	}
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
	refuses(t, "advise", []bad{
		{nil, []string{"--field"}},
		{[]string{"--field", field + ".no"}, []string{"--field", "no such file"}},
		{[]string{"--field", narrow}, []string{"narrow.geojson", "margin"}},
		{[]string{"--field", field, "--distance", "6mi"}, []string{"--distance", `"6mi"`, "6km, 800m or 50cm"}},
		{[]string{"--field", field, "--distance", "0km"}, []string{"--distance", `"0km"`, "from 1 to"}},
		{[]string{"--field", field, "--distance", "NaNkm"}, []string{"--distance", `"NaNkm"`}},
		{[]string{"--field", field, "--distance", "1m"}, []string{"budget of 1 m is too small to return home"}},
		{[]string{"--field", field, "--time", "infh"}, []string{"--time", `"infh"`, "2h, 90min or 600s"}},
		{[]string{"--field", field, "--time", "5min", "--sample-time", "600"}, []string{"budget of 300 s is too small for a sample", "600 s for the sample"}},
		{[]string{"--field", field, "--samples", "0"}, []string{"--samples", `"0"`, "from 1"}},
		{[]string{"--field", field, "--speed", "NaN"}, []string{"--speed", `"NaN"`, "from 0.01"}},
		{[]string{"--field", field, "--range", "60,10"}, []string{"--range", `"60,10"`, "smaller one first"}},
		{[]string{"--field", field, "--range", "NaN,1"}, []string{"--range", `"NaN,1"`}},
		{[]string{"--field", field, "--length", "0"}, []string{"--length", `"0"`}},
		{[]string{"--field", field, "--earlier", samples, "--range", "0,1"}, []string{"range", "earlier samples"}},
		{[]string{"--field", field, "--earlier", field}, []string{"earlier.file"}},
		{[]string{"--field", field, "--config", typo}, []string{typo + ":1", `"beta.fixt"`}},
		{[]string{"--field", field, "--samples", "3", "--covariate", "soil.tif"}, []string{"soil.tif", "no such file"}},
		{[]string{"--field", field, "--samples", "3", "--covariate", "0.6,1.1"}, []string{"--covariate", `"1.1"`}},
		{[]string{"--field", field, "--covariate", "0.6"}, []string{"a raster is worth depends on the budget", "--distance, --time or --samples"}},
		{[]string{"--field", field, "--missions", "9"}, []string{"--missions", `"9"`, "from 10"}},
	})
}
