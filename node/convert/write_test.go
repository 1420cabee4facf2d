package convert

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// A written field is read again; the file before is kept, and nothing else is left behind.
func TestWriteBoundary(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "field.geojson")
	f := field.Field{Boundary: orb.Polygon{{{0, 0}, {400, 0}, {400, 300}, {0, 0}}}, StdDev: 0.1}
	if backup, err := WriteBoundary(file, f, nil); err != nil || backup != "" {
		t.Fatalf("%q, %v", backup, err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	larger := f
	larger.Boundary = orb.Polygon{{{0, 0}, {500, 0}, {500, 300}, {0, 0}}}
	datum := &field.Datum{Lon: 8, Lat: 45}
	if backup, err := WriteBoundary(file, larger, datum); err != nil || backup != file+".bak" {
		t.Fatalf("%q, %v", backup, err)
	}
	if kept, err := os.ReadFile(file + ".bak"); err != nil || string(kept) != string(before) {
		t.Errorf("the backup is %q, %v; want %q", kept, err, before)
	}
	got, err := ReadBoundary(file, []float64{8, 45})
	if err != nil {
		t.Fatal(err)
	}
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
