// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
)

// survey writes samples of the hill at places of a grid, in a file of CSV.
func survey(t *testing.T) string {
	t.Helper()
	var table strings.Builder
	table.WriteString("x,y,value,stddev,place_stddev\n")
	for x := 10.0; x < 100; x += 20 {
		for y := 10.0; y < 80; y += 20 {
			fmt.Fprintf(&table, "%g,%g,%g,0.1,0.5\n", x, y, hill(x, y))
		}
	}
	file := filepath.Join(t.TempDir(), "survey.csv")
	must.OK(t, os.WriteFile(file, []byte(table.String()), 0o666))
	return file
}

// The column of the values has a name, as a parameter or behind that of the file, and rows without a value are counted in the log.
func TestEarlierColumn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lab.csv")
	must.OK(t, os.WriteFile(file, []byte("x;y;clay;K;stddev\n10;10;1;2,5;0,1\n20;10;2;-9999;0,1\n30;10;3;3,5;0,1\n40;10;4;;0,1\n"), 0o666))
	for _, change := range []func(*settings.Config){
		func(c *settings.Config) { c.Earlier, c.EarlierColumn = file, "K" },
		func(c *settings.Config) { c.Earlier = file + "#K" },
	} {
		w := begun(t, change)
		if got := w.explorer.Record().Earlier; len(got) != 2 || got[0].Value != 2.5 || got[1].Value != 3.5 {
			t.Errorf("earlier samples %+v", got)
		}
		if log := w.log.String(); !strings.Contains(log, "2 of 4 rows have no K (nothing in 1, -9999 in 1) and are left out") {
			t.Errorf("the log does not say what is left out:\n%s", log)
		}
	}
	if err := starts(t, small(), "earlier.file:="+file); err == nil || !strings.Contains(err.Error(), "name the one with the quantity by earlier.column; its columns are x, y, clay, K, stddev") {
		t.Errorf("two columns may be the value: %v", err)
	}
}

// Samples from before the mission are known to its first decision, and are neither counted
// nor published. A resumed mission has those that it began with, although the file is gone,
// and ends as it would have.
func TestEarlierSamples(t *testing.T) {
	file := survey(t)
	with := func(c *settings.Config) { c.Earlier = file }
	want := begun(t, with).finish()
	if len(want.Earlier) != 20 || len(want.Observations) != want.Budget.Samples {
		t.Fatalf("%d earlier samples and %d own, want 20 and %d", len(want.Earlier), len(want.Observations), want.Budget.Samples)
	}
	if o := want.Earlier[3]; o.Sequence != 4 || o.Belief != (record.Belief{X: 10, Y: 70, XX: 0.25, YY: 0.25}) || o.Value != hill(10, 70) || !math.IsNaN(o.Stamp) {
		t.Errorf("earlier sample %+v", o)
	}
	if first := want.Recommended[0]; first.Samples != 1 || first.Team != 0 || math.Hypot(first.Target[0]-70, first.Target[1]-60) > 10 {
		t.Errorf("after one own sample %+v is recommended, want the top of the hill at (70, 60)", first)
	}

	w := begun(t, with)
	w.setsOutAfter(1)
	must.OK(t, os.Remove(file))
	again := w.crashed(time.Second, func(c *settings.Config) { c.Earlier = "another.csv" })
	if log := again.log.String(); !strings.Contains(log, "keeps the earlier samples with which it began") || !strings.Contains(log, "another.csv") {
		t.Errorf("the log does not say that another file is not read:\n%s", log)
	}
	again.call("resume")
	got := again.finish()
	if len(got.Earlier) != 20 || !slices.Equal(targets(got), targets(want)) {
		t.Errorf("resumed: %d earlier samples, targets %.2f; want 20 and %.2f", len(got.Earlier), targets(got), targets(want))
	}
}

// Earlier samples of another quantity or in other coordinates are named, and right ones are not.
func TestDoubtfulEarlierSamples(t *testing.T) {
	const other, elsewhere = "samples of this mission, ", "samples from before the mission lie outside the field"
	for name, c := range map[string]struct {
		value func(hill float64) float64
		shift float64 // m, to the east
		want  string  // "": nothing
	}{
		"right":            {func(v float64) float64 { return v }, 0, ""},
		"another quantity": {func(v float64) float64 { return 1000 + v }, 0, other},
		"another origin":   {func(v float64) float64 { return v }, 60, elsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			var table strings.Builder
			table.WriteString("id,date,x,y,K,stddev\n")
			for x := 10.0; x < 100; x += 20 {
				for y := 10.0; y < 100; y += 20 {
					fmt.Fprintf(&table, "7,2026-04-01,%g,%g,%g,0.1\n", x+c.shift, y, c.value(hill(x, y)))
				}
			}
			file := filepath.Join(t.TempDir(), "lab.csv")
			must.OK(t, os.WriteFile(file, []byte(table.String()), 0o666))
			w := begun(t, func(c *settings.Config) { c.Earlier = file })
			w.finish()
			log := w.log.String()
			for _, text := range []string{other, elsewhere} {
				if strings.Contains(log, text) != (text == c.want) {
					t.Errorf("want %q in the log:\n%s", c.want, log)
				}
			}
			if !strings.Contains(log, "column=K") {
				t.Errorf("the log does not name the column:\n%s", log)
			}
		})
	}
}

// exportAgain exports a mission's record, and checks that the files are those that the mission wrote. It returns their names.
func exportAgain(t *testing.T, dir string) []string {
	t.Helper()
	read, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	must.OK(t, err)
	o := export.DefaultOptions(read)
	surface, err := export.Relearn(read, &o)
	must.OK(t, err)
	later := t.TempDir()
	events, err := journal.Read(dir)
	must.OK(t, err)
	o.Track = events.Track
	results, err := export.Write(later, read, surface, o)
	must.OK(t, err)
	for _, name := range results.Names {
		got, err := os.ReadFile(filepath.Join(dir, export.Folder, name))
		want, missing := os.ReadFile(filepath.Join(later, name))
		if err != nil || missing != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from that of the record, %v, %v", name, err, missing)
		}
	}
	return results.Names
}

// The results for other software are written at the end. They are those that the record
// gives later, and their samples enter another mission.
func TestExportAtTheEnd(t *testing.T) {
	change := func(c *settings.Config) { c.Model.Average, c.Learn.Local = 8, true }
	first := begun(t, change)
	m := first.finish()
	dir := filepath.Join(first.cfg.OutputDir, export.Folder)
	exportAgain(t, first.cfg.OutputDir)
	second := begun(t, func(c *settings.Config) { c.Earlier = filepath.Join(dir, "samples.geojson") }).finish()
	if len(second.Earlier) != len(m.Observations) {
		t.Fatalf("%d earlier samples, want %d", len(second.Earlier), len(m.Observations))
	}
	for i, got := range second.Earlier {
		if want := m.Observations[i]; math.Hypot(got.Belief.X-want.Belief.X, got.Belief.Y-want.Belief.Y) > 1e-3 ||
			math.Abs(got.Belief.XX-want.Belief.XX) > 1e-4 || math.Abs(got.Value-want.Value) > 1e-3*math.Sqrt(want.Variance) || math.Abs(got.Variance/want.Variance-1) > 2e-3 {
			t.Errorf("sample %d is %+v, want %+v", i+1, got, want)
		}
	}
}
