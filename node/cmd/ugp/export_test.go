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
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/record"
)

// exported are the files of ugp export.
var exported = []string{
	"about.txt", "contours.geojson", "field.geojson", "mean.qml", "mean.tif", "recommended.csv", "recommended.geojson",
	"samples.csv", "samples.geojson", "stddev.qml", "stddev.tif", "zones.csv", "zones.geojson", "zones.qml",
}

// exportedWith returns them with others.
func exportedWith(more ...string) []string {
	return slices.Sorted(slices.Values(slices.Concat(exported, more)))
}

// recorded writes the record of a mission into a folder and returns it.
func recorded(t *testing.T, samples int) string {
	t.Helper()
	m, _, _ := recordtest.Mission(samples, 36, 62)
	m.Settings = nil
	dir := t.TempDir()
	must.OK(t, m.WriteJSON(filepath.Join(dir, "mission.json")))
	return dir
}

func TestExport(t *testing.T) {
	dir := recorded(t, 10)
	r := ugp(t, "export", dir)
	if r.code != 0 || !strings.Contains(r.out, "Coordinates are metres of the map.") {
		t.Fatalf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	if got := names(t, filepath.Join(dir, "export")); !slices.Equal(got, exported) {
		t.Errorf("it left %q, want %q", got, exported)
	}
	out := filepath.Join(t.TempDir(), "new", "out")
	r = ugp(t, "export", filepath.Join(dir, "mission.json"), "--crs", "utm", "--datum", "-1,52", "--cell", "25", "--zones", "3", "--out", out)
	if r.code != 0 || !strings.Contains(r.out, "UTM zone 30N on WGS 84 (EPSG:32630).") || !strings.Contains(r.out, "These files are in "+out+". The map's origin is at 52.00000° N, 1.00000° W.") {
		t.Fatalf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	if got := names(t, out); !slices.Equal(got, exportedWith("mission.kml")) {
		t.Errorf("it left %q, want %q and mission.kml", got, exported)
	}
	zones, err := os.ReadFile(filepath.Join(out, "zones.geojson"))
	must.OK(t, err)
	if n := strings.Count(string(zones), `"kind":"quantile"`); n != 3 {
		t.Errorf("%d zones, want 3", n)
	}
	if r = ugp(t, "export", dir, "--threshold", "24", "--out", out); r.code != 0 || slices.Contains(names(t, out), "mission.kml") { // there is no datum now
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	if zones, err = os.ReadFile(filepath.Join(out, "zones.geojson")); err != nil || strings.Count(string(zones), `"kind":"threshold"`) != 2 {
		t.Errorf("the zones of a threshold are %s, %v", zones, err)
	}
}

// A threshold is in the unit that is shown, whatever that of the sensor.
func TestExportThresholdOfLogarithms(t *testing.T) {
	m, _, _ := recordtest.Mission(10, 36, 62)
	m.Settings, m.Quantity, m.Units = nil, "log10 K", "log10(mg/l)"
	for i := range m.Observations {
		o := &m.Observations[i]
		o.Value, o.Variance = o.Value/20, o.Variance/400
		o.ModelValue, o.ModelVariance = o.Value, o.Variance
	}
	h := &m.Hyper[len(m.Hyper)-1]
	h.Mean, h.SignalVariance, h.NoiseVariance = h.Mean/20, h.SignalVariance/400, h.NoiseVariance/400
	dir := t.TempDir()
	must.OK(t, m.WriteJSON(filepath.Join(dir, "mission.json")))
	zones := func() string {
		data, err := os.ReadFile(filepath.Join(dir, "export", "zones.csv"))
		must.OK(t, err)
		return string(data)
	}
	if r := ugp(t, "export", dir, "--threshold", "16"); r.code != 0 || !strings.Contains(zones(), "\n1,,16,") || !strings.Contains(zones(), "\n2,16,,") {
		t.Errorf("exit code %d, %s: %s", r.code, r.err, zones())
	}
	if r := ugp(t, "export", dir, "--threshold", "1e6"); r.code != 0 || !strings.Contains(r.out, "The threshold 1000000 mg/l does not divide the field: the K is expected to be below it everywhere, from ") {
		t.Errorf("exit code %d, %s%s", r.code, r.out, r.err)
	}
}

// Export replaces the files of an earlier export, and no others.
func TestExportOverForeignFiles(t *testing.T) {
	dir, out := recorded(t, 5), t.TempDir()
	lab := filepath.Join(out, "samples.csv")
	must.OK(t, os.WriteFile(lab, []byte("x_m,y_m,value\n1,2,3\n"), 0o666))
	refused(t, ugp(t, "export", dir, "--out", out), "--out", out, "samples.csv", "choose another folder")
	if got, err := os.ReadFile(lab); err != nil || string(got) != "x_m,y_m,value\n1,2,3\n" || len(names(t, out)) != 1 {
		t.Errorf("samples.csv is now %q, %v", got, err)
	}
	must.OK(t, os.Remove(lab))
	for range 2 {
		if r := ugp(t, "export", dir, "--out", out); r.code != 0 {
			t.Errorf("exit code %d: %s", r.code, r.err)
		}
	}
}

// The datum with which a mission was recorded cannot be changed afterwards.
func TestExportOtherDatum(t *testing.T) {
	m, _, _ := recordtest.Mission(5, 36, 62)
	m.Settings = record.Settings{"ugp_explorer": {"field.datum": []float64{-56.9, -33.51}}}
	dir := t.TempDir()
	must.OK(t, m.WriteJSON(filepath.Join(dir, "mission.json")))
	refused(t, ugp(t, "export", dir, "--datum", "10,50"), "--datum", `"10,50"`, "-56.9,-33.51")
	for _, args := range [][]string{nil, {"--datum", "-56.9,-33.51"}} {
		if r := ugp(t, append([]string{"export", dir}, args...)...); r.code != 0 || !strings.Contains(r.out, "The map's origin is at 33.51000° S, 56.90000° W.") {
			t.Errorf("%v: exit code %d, %s%s", args, r.code, r.out, r.err)
		}
	}
}

// What cannot be used gives exit code 2 and one line that names it, and nothing is written.
func TestExportBadInput(t *testing.T) {
	dir, empty := recorded(t, 5), t.TempDir()
	nothing := recorded(t, 0)
	refuses(t, "export", []bad{
		{[]string{filepath.Join(dir, "none")}, []string{"none", "no such file"}},
		{[]string{empty}, []string{empty, "mission.json"}},
		{[]string{nothing}, []string{nothing, "no samples"}},
		{[]string{dir, "--crs", "mercator"}, []string{"--crs", `"mercator"`, "wgs84, utm, local"}},
		{[]string{dir, "--crs", "wgs84"}, []string{"--crs", "wgs84", "--datum"}},
		{[]string{dir, "--datum", "52"}, []string{"--datum", `"52"`}},
		{[]string{dir, "--cell", "0"}, []string{"--cell", `"0"`}},
		{[]string{dir, "--cell", "0.001"}, []string{"--cell", "0.001 m", "at most 4000000"}},
		{[]string{dir, "--zones", "1"}, []string{"--zones", `"1"`, "2 to 100"}},
		{[]string{dir, "--zones", "3", "--threshold", "5"}, []string{"--zones", "--threshold"}},
		{[]string{dir, "--threshold", "high"}, []string{"--threshold", `"high"`}},
		{[]string{dir, "--out", filepath.Join(dir, "mission.json")}, []string{"--out", "mission.json"}},
	})
	if got := names(t, dir); !slices.Equal(got, []string{"mission.json"}) {
		t.Errorf("it left %q", got)
	}
}
