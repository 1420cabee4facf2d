// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
)

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must.OK(t, os.WriteFile(file, []byte(text), 0o666))
	return file
}

// A degree of latitude at 45° is 111 132 m and one of longitude 78 847 m on
// WGS 84 (M·π/180 with M = a(1−e²)/(1−e²sin²φ)^1.5, and N·cos φ·π/180).
func TestReadBoundaryInDegrees(t *testing.T) {
	const latDegree, lonDegree = 111132, 78847
	file := writeFile(t, "field.geojson", `{"type": "Polygon", "coordinates": [
		[[8, 45], [8.005, 45], [8.005, 45.004], [8, 45.004], [8, 45]]]}`)
	got, err := ReadBoundary(file, []float64{8, 45})
	must.OK(t, err)
	for i, want := range []orb.Point{{0, 0}, {0.005 * lonDegree, 0}, {0.005 * lonDegree, 0.004 * latDegree}, {0, 0.004 * latDegree}} {
		// The plane's curvature and the meridians' convergence over 500 m come to centimetres.
		if p := got.Boundary[0][i]; math.Hypot(p[0]-want[0], p[1]-want[1]) > 0.1 {
			t.Errorf("corner %d at %v m, want %v", i, p, want)
		}
	}
	if _, err := ReadBoundary(file, nil); err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "datum") {
		t.Errorf("degrees without a datum: error %v, want one that names %s and the datum", err, file)
	}
	if _, err := ReadBoundary(file, []float64{8, 95}); err == nil || !strings.Contains(err.Error(), "95") {
		t.Errorf("latitude of 95°: error %v, want one that shows it", err)
	}
}

// A field of several stands behind the name of their file, and a file may have a # in its own.
func TestReadBoundaryOfSeveral(t *testing.T) {
	const two = `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {"name": "North"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[100,0],[100,100],[0,0]]]}},
		{"type": "Feature", "properties": {"name": "South"}, "geometry": {"type": "Polygon", "coordinates": [[[0,-9],[50,-9],[50,-59],[0,-9]]]}}]}`
	file := writeFile(t, "farm #1.geojson", two)
	for _, name := range []string{file + "#South", file + "#2"} {
		if f, err := ReadBoundary(name, nil); err != nil || f.Name != "South" {
			t.Errorf("%s: %q, %v", name, f.Name, err)
		}
	}
	if _, err := ReadBoundary(file, nil); err == nil || !strings.Contains(err.Error(), `1 "North"`) || !strings.Contains(err.Error(), file+"#1") {
		t.Errorf("without a name: %v", err)
	}
}

func TestReadBoundaryErrorsNameTheFile(t *testing.T) {
	for name, file := range map[string]string{
		"missing":      filepath.Join(t.TempDir(), "nowhere.geojson"),
		"no GeoJSON":   writeFile(t, "words.geojson", "a field"),
		"empty":        writeFile(t, "empty.geojson", ""),
		"no polygon":   writeFile(t, "point.geojson", `{"type": "Point", "coordinates": [1, 2]}`),
		"a folder":     t.TempDir(),
		"two outlines": writeFile(t, "two.geojson", `{"type": "MultiPolygon", "coordinates": [[[[0,0],[1,0],[1,1],[0,0]]], [[[5,0],[6,0],[6,1],[5,0]]]]}`),
	} {
		got, err := ReadBoundary(file, nil)
		if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "the outline") {
			t.Errorf("%s: error %v, want one that names the outline and %s", name, err, file)
		}
		if got.Boundary != nil {
			t.Errorf("%s: a boundary beside the error: %v", name, got)
		}
	}
}

func TestFieldRecord(t *testing.T) {
	outer := orb.Ring{{0, 0}, {4, 0}, {4, 3}, {0, 0}}
	hole := orb.Ring{{1, 0.5}, {2, 0.5}, {2, 1}, {1, 0.5}}
	pond := orb.Ring{{3, 1}, {3.5, 1}, {3.5, 1.5}, {3, 1}}
	got := FieldRecord(field.Field{Boundary: orb.Polygon{outer, hole}, KeepOuts: []orb.Polygon{{pond}}}, "meadow", 2.5)
	want := record.Field{
		Name: "meadow", Margin: 2.5,
		Boundary: [][]record.Place{{{0, 0}, {4, 0}, {4, 3}, {0, 0}}, {{1, 0.5}, {2, 0.5}, {2, 1}, {1, 0.5}}},
		KeepOuts: [][][]record.Place{{{{3, 1}, {3.5, 1}, {3.5, 1.5}, {3, 1}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A written field is read again; the file before is kept, and nothing else is left behind.
func TestWriteBoundary(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "field.geojson")
	f := field.Field{
		Boundary: orb.Polygon{{{0, 0}, {400, 0}, {400, 300}, {0, 300}, {0, 0}}, {{10, 10}, {10, 20}, {20, 20}, {10, 10}}},
		KeepOuts: []orb.Polygon{{{{100, 100}, {150, 100}, {150, 150}, {100, 100}}}}, StdDev: 0.1,
	}
	if backup, err := WriteBoundary(file, f, nil); err != nil || backup != "" {
		t.Fatalf("%q, %v", backup, err)
	}
	if got, err := ReadBoundary(file, nil); err != nil || !cmp.Equal(f, got) {
		t.Errorf("read again: %+v, %v", got, err)
	}
	before, err := os.ReadFile(file)
	must.OK(t, err)
	larger := field.Field{StdDev: 0.1}
	larger.Boundary = orb.Polygon{{{0, 0}, {500, 0}, {500, 300}, {0, 0}}}
	datum := &earth.Datum{Lon: 8, Lat: 45}
	if backup, err := WriteBoundary(file, larger, datum); err != nil || backup != file+".bak" {
		t.Fatalf("%q, %v", backup, err)
	}
	if kept, err := os.ReadFile(file + ".bak"); err != nil || string(kept) != string(before) {
		t.Errorf("the backup is %q, %v; want %q", kept, err, before)
	}
	got, err := ReadBoundary(file, []float64{8, 45})
	must.OK(t, err)
	for i, p := range got.Boundary[0] {
		got.Boundary[0][i] = orb.Point{math.Round(p[0]*1e3) / 1e3, math.Round(p[1]*1e3) / 1e3}
	}
	if diff := cmp.Diff(larger, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v; want two files", entries, err)
	}
	if _, err := WriteBoundary(filepath.Join(file, "x.geojson"), f, nil); err == nil || !strings.Contains(err.Error(), "field.geojson") {
		t.Errorf("a file for a folder: %v", err)
	}
	t.Chdir(dir)
	if _, err := WriteBoundary("here.geojson", f, nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("here.geojson"); err != nil {
		t.Error(err)
	}
}
