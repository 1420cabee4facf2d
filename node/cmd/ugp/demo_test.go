// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/report"
)

// TestDemo runs a short mission with every flag that needs no file of data, from
// a boundary in degrees, west of Greenwich, whose middle becomes the datum, and has the quantity that its
// parameters name.
func TestDemo(t *testing.T) {
	// 300 m by 300 m: a degree of latitude is 111.2 km, one of longitude there
	// 68.5 km (cos 52° · 111.3 km).
	boundary := write(t, "west.geojson",
		`{"type":"Polygon","coordinates":[[[-1.0,52.0],[-0.99562,52.0],[-0.99562,52.0027],[-1.0,52.0027],[-1.0,52.0]]]}`)
	config := write(t, "p.yaml", "ugp_explorer: {ros__parameters: {method: random, budget.samples: 7, quantity: nitrate, units: mg/kg}}")
	out := filepath.Join(t.TempDir(), "new", "out")
	r := ugp(t, "demo", "--field", boundary, "--config", config,
		"--method", "grid", "--receiver", "white", "--samples", "3", "--seed", "11", "--out", out)
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	if got := names(t, out); !slices.Equal(got, results) {
		t.Errorf("it left %q, want %q", got, results)
	}
	if got := names(t, filepath.Join(out, "export")); !slices.Equal(got, exportedWith("mission.kml", "path.geojson")) {
		t.Errorf("the results for other software are %q, want %q, mission.kml and path.geojson", got, exported)
	}
	table, err := os.ReadFile(filepath.Join(out, "export", "samples.csv"))
	if err != nil || !strings.HasPrefix(string(table), "lon_deg,lat_deg,") {
		t.Errorf("samples.csv begins with %.40q, %v; want longitude and latitude, as there is a datum", table, err)
	}
	m, err := record.ReadMission(filepath.Join(out, "mission.json"))
	must.OK(t, err)
	if m.Seed != 11 || m.Method != "grid" || len(m.Observations) != 3 { // flags win over the file
		t.Errorf("seed %d, method %s, %d samples; want 11, grid, 3", m.Seed, m.Method, len(m.Observations))
	}
	if m.Field.Name != "west" {
		t.Errorf("the field is called %q, the file is west.geojson", m.Field.Name)
	}
	for _, o := range m.Observations {
		if at := o.Target; math.Abs(at[0]) > 151 || math.Abs(at[1]) > 151 {
			t.Errorf("a target is at %.0f, want it in the square of 300 m", at)
		}
	}
	if m.Quantity != "nitrate" || m.Units != "mg/kg" {
		t.Errorf("the quantity is %q in %q", m.Quantity, m.Units)
	}
	if want := "The field: 9.0 ha.\nThe origin of the map (--datum) is -0.99781,52.00135,"; !strings.HasPrefix(r.err, want) {
		t.Errorf("it begins with %.100q, want %q", r.err, want)
	}
	place, decimal := m.PlaceText(m.Recommendation.Target) // the field has a datum
	for _, want := range []string{
		"3 samples, ", " m driven in ", " of simulated time (", ": the budget of 3 samples is used.",
		"Highest nitrate: about ", " mg/kg (", " at " + place, decimal, " of the field.",
		"regret " + num.Short(m.Truth.Smooth.Regret, 2),
		filepath.Join(out, "report.html"), filepath.Join(out, "mission.json"),
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the output does not say %q:\n%s", want, r.out)
		}
	}
}

// TestDemoKeepsMissions does not write over a mission that was not simulated, nor over files that
// are of no mission, but over its own result.
func TestDemoKeepsMissions(t *testing.T) {
	content := func(dir string) string { // of all files
		var all strings.Builder
		for _, name := range names(t, dir) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			fmt.Fprintln(&all, name, string(data), err)
		}
		return all.String()
	}
	demo := func(dir string) result { return ugp(t, "demo", "--samples", "1", "--out", dir) }
	of := func(name string) func(dir string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte("mine\n"), 0o666) }
	}
	for name, c := range map[string]struct {
		lost string
		make func(dir string) error
	}{
		"record": {record.MissionFile, func(dir string) error {
			m, _, _ := recordtest.Mission(5, 36, 62)
			m.Settings = record.Settings{explorer.DefaultName: {"existing_mission": settings.ExistingResume}}
			return m.WriteJSON(filepath.Join(dir, record.MissionFile))
		}},
		"journal": {"recorded mission", func(dir string) error {
			j, _, err := journal.Open(journal.OS{}, dir)
			if err != nil {
				return err
			}
			settings := record.Settings{explorer.DefaultName: {"existing_mission": settings.ExistingReplace, "use_sim_time": false}}
			return errors.Join(j.Start(journal.Begin{Version: journal.Version}, journal.Run{Settings: settings}, journal.Start{}), j.Close())
		}},
		"damaged journal": {"recorded mission", of(journal.FileName)},
		"page":            {report.PageFile, of(report.PageFile)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must.OK(t, c.make(dir))
			before := content(dir)
			refused(t, demo(dir), "--out is "+dir, c.lost, "would be overwritten: choose another folder")
			if after := content(dir); after != before {
				t.Errorf("the folder has\n%s\nand had\n%s", after, before)
			}
		})
	}
	dir := t.TempDir()
	for range 2 {
		if r := demo(dir); r.code != 0 {
			t.Fatalf("exit code %d: %s", r.code, r.err)
		}
	}
	for _, name := range []string{report.PageFile, record.MissionFile} { // as if it had been killed
		must.OK(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	if err := errors.Join(unrecorded(dir, simulated), foreign(dir)); err != nil {
		t.Error(err)
	}
}

// An interrupted mission keeps what it has sampled, says so, and is no error; before its first sample it
// leaves nothing.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct {
		at      string // word of the progress at which it is interrupted; empty: before it begins
		samples int
		want    []string
	}{
		{"", 0, []string{"nothing is saved"}},
		{"travelling: 0 of 30 samples", 0, []string{"Interrupted: the robot is stopped.", "nothing is saved"}},
		{"2 of 30 samples", 2, []string{"Interrupted: the robot is stopped.", "2 samples", "interrupted while", "mission.json", "report.html"}},
	} {
		t.Run(c.at, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			if c.at == "" {
				cancel()
			}
			errs := trigger{word: c.at, cancel: cancel}
			var out bytes.Buffer
			dir := filepath.Join(t.TempDir(), "out")
			code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)}, []string{"demo", "--out", dir})
			if code != exitInterrupted || strings.Contains(errs.String(), "ugp: ") {
				t.Fatalf("exit code %d, want %d: %s", code, exitInterrupted, errs.String())
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the output does not say %q:\n%s", want, out.String())
				}
			}
			if c.samples == 0 {
				if _, err := os.Stat(dir); !os.IsNotExist(err) {
					t.Errorf("%s is there (%v)", dir, err)
				}
				return
			}
			if got := names(t, dir); !slices.Equal(got, results) {
				t.Errorf("it left %q, want %q", got, results)
			}
			if m, err := record.ReadMission(filepath.Join(dir, "mission.json")); err != nil || len(m.Observations) != c.samples {
				t.Errorf("%v: the record is %+v", err, m)
			}
		})
	}
}

// TestInterruptExperiment interrupts an experiment, which keeps the trials that it has and continues with
// --resume to what an undisturbed one comes to.
func TestInterruptExperiment(t *testing.T) {
	args := []string{"experiment", "rkhs", "--methods", "ugp-ucb,uei", "--iterations", "3", "--trials", "2", "--betas", "1,theorem", "--workers", "1"}
	ctx, cancel := context.WithCancel(t.Context())
	errs := trigger{word: "1 of ", cancel: cancel}
	var out bytes.Buffer
	dir := filepath.Join(t.TempDir(), "out")
	here := append(slices.Clone(args), "--out", dir)
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)}, here)
	if code != exitInterrupted || !strings.Contains(out.String(), filepath.Join(dir, "trials.jsonl")+": --resume continues") {
		t.Errorf("exit code %d, %q; want %d, and what is there: %s", code, out.String(), exitInterrupted, errs.String())
	}
	if got := names(t, dir); !slices.Equal(got, []string{"trials.jsonl"}) {
		t.Errorf("it left %q", got)
	}
	refused(t, ugp(t, here...), "--out", dir, "--resume")
	refused(t, ugp(t, append(here, "--resume", "--iterations", "2")...), "--resume", "belongs to another run")
	resumed := ugp(t, append(here, "--resume")...)
	if resumed.code != 0 || strings.Contains(resumed.err, "4 of 4") {
		t.Errorf("exit code %d: %s", resumed.code, resumed.err)
	}
	other := filepath.Join(t.TempDir(), "other")
	succeeds(t, append(slices.Clone(args), "--out", other)...)
	for _, name := range names(t, other) {
		if name == "trials.jsonl" {
			continue
		}
		a, err := os.ReadFile(filepath.Join(dir, name))
		b, err2 := os.ReadFile(filepath.Join(other, name))
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from that of an undisturbed run: %v, %v", name, err, err2)
		}
	}
}

// TestDemoWithRaster explores with a raster that is drawn for the field: the record says what it explains, export
// finds the same map again, and refuses to use another file.
func TestDemoWithRaster(t *testing.T) {
	t.Run("with its part of the noise", func(t *testing.T) { // a sample's noise has the variance of the raster within its belief
		exploreWithRaster(t, "--config", write(t, "local.yaml", "ugp_explorer: {ros__parameters: {execution.local: true}}"))
	})
	out, file := exploreWithRaster(t)
	points, err := os.ReadFile(file)
	must.OK(t, err)
	must.OK(t, os.WriteFile(file, append(points, "1,1,1\n"...), 0o644))
	if r := ugp(t, "export", out, "--out", filepath.Join(t.TempDir(), "other")); r.code == 0 || !strings.Contains(r.err, file+", but the file has changed") {
		t.Errorf("with another raster, export has the exit code %d and says %s", r.code, r.err)
	}
	if r := ugp(t, "demo", "--covariate", "none.tif", "--out", filepath.Join(t.TempDir(), "none")); r.code != 2 || !strings.Contains(r.err, "none.tif") {
		t.Errorf("without its raster, demo has the exit code %d and says %s", r.code, r.err)
	}
}

// exploreWithRaster runs a mission with a drawn raster, and exports it again.
func exploreWithRaster(t *testing.T, flags ...string) (out, file string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out")
	r := ugp(t, append([]string{"demo", "--covariate", "farm", "--samples", "3", "--out", out}, flags...)...)
	if r.code != 0 || !strings.Contains(r.out, "drawn_raster.csv explains ") {
		t.Fatalf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	m, err := record.ReadMission(filepath.Join(out, "mission.json"))
	must.OK(t, err)
	if len(m.Covariates) != 1 {
		t.Fatalf("the record has the rasters %v, want one", m.Covariates)
	}
	c := m.Covariates[0]
	if !(c.Share > 0 && c.Share < 1 && c.ShareStdDev > 0 && c.WeightStdDev > 0) {
		t.Errorf("the raster explains %+v", c)
	}
	again := filepath.Join(t.TempDir(), "again")
	succeeds(t, "export", out, "--out", again)
	for _, name := range []string{"mean.tif", "stddev.tif", "raster_1.tif", "raster_1.qml", "about.txt"} {
		was, err := os.ReadFile(filepath.Join(out, "export", name))
		must.OK(t, err)
		is, err := os.ReadFile(filepath.Join(again, name))
		must.OK(t, err)
		if !bytes.Equal(was, is) {
			t.Errorf("%s is another one when the mission is exported again", name)
		}
	}
	return out, c.File
}

// --secondary gives the robot a second sensor, with a correlation or without one. The studies of simulated robots have it, too.
func TestSecondary(t *testing.T) {
	t.Parallel()
	for _, given := range [][]string{{"--secondary"}, {"--secondary", "-0.4"}, {"--secondary=0"}} {
		out := t.TempDir()
		succeeds(t, slices.Concat([]string{"demo"}, given, []string{"--samples", "1", "--out", out})...)
		m, err := record.ReadMission(filepath.Join(out, "mission.json"))
		must.OK(t, err)
		if m.Secondary == nil || m.Secondary.Quantity != "conductivity" || len(m.Secondary.Heard) < 3+len(m.Observations) {
			t.Errorf("%v: of the second sensor the record has %+v", given, m.Secondary)
		}
	}
	for _, study := range [][]string{{"robot", "--methods", "ugp-ucb", "--samples", "3"}, {"budget", "--methods", "paced", "--budgets", "3"}} {
		trials := func(more ...string) string {
			out := t.TempDir()
			succeeds(t, slices.Concat([]string{"experiment"}, study, []string{"--trials", "2", "--out", out}, more)...)
			text, err := os.ReadFile(filepath.Join(out, "trials.jsonl"))
			must.OK(t, err)
			return string(text)
		}
		without, with := trials(), trials("--secondary", "0.7")
		header, _, _ := strings.Cut(with, "\n")
		if before, _, _ := strings.Cut(without, "\n"); strings.Replace(header, `,"secondary":0.7`, "", 1) != before || header == before {
			t.Errorf("the log begins with %s, and without the sensor with %s", header, before)
		}
		if strings.TrimPrefix(with, header) == without[strings.Index(without, "\n"):] {
			t.Errorf("%v: the missions are the same with the sensor", study)
		}
	}
}

// The file of README's robot can be tried in the demonstration.
func TestReadmesRobot(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	must.OK(t, err)
	_, after, begun := strings.Cut(string(readme), "```yaml\n")
	text, _, ended := strings.Cut(after, "```")
	if !begun || !ended || !strings.Contains(text, "reading.type: Float64") {
		t.Fatalf("README has no parameter file: %q", text)
	}
	out := t.TempDir()
	r := succeeds(t, "demo", "--config", write(t, "mine.yaml", text), "--samples", "2", "--out", out)
	m, err := record.ReadMission(filepath.Join(out, "mission.json"))
	must.OK(t, err)
	if len(m.Observations) != 2 {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
	if want := "The simulated readings of log10 K and their noise, reading.stddev, are in log10(mg/l); the noise is 0.5.\n"; !strings.Contains(r.err, want) {
		t.Errorf("it says %q, want %q", r.err, want)
	}
}

// What a parameter file probably does not mean is said before the mission, whose log is not shown. Parameters of other programs are no
// matter.
func TestDoubtfulParameters(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "mine.yaml")
	must.OK(t, os.WriteFile(config, []byte(`/**:
  ros__parameters:
    robot.raduis: 0.6
    reading.stdev: 0.01
    sensor.rate: 5
/**/ugp_explorer:
  ros__parameters:
    reading.stddev: 0.01
    reading.stddev: 0.02
`), 0o666))
	got := ugp(t, "demo", "--samples", "1", "--config", config, "--out", filepath.Join(dir, "out"))
	for _, want := range []string{
		`mine.yaml:3: node /**: parameter "robot.raduis": there is no such parameter; did you mean "robot.radius"?`,
		`mine.yaml:4: node /**: parameter "reading.stdev": there is no such parameter; did you mean "reading.stddev"?`,
		`mine.yaml:9: node /**/ugp_explorer: parameter "reading.stddev": line 8 sets it, too`,
	} {
		if !strings.Contains(got.err, want) {
			t.Errorf("%q is not said:\n%s", want, got.err)
		}
	}
	if got.code != 0 || strings.Count(got.err, "Note: ") != 3 {
		t.Errorf("exit code %d:\n%s", got.code, got.err)
	}
}
