package convert

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadBoundaryInMetres(t *testing.T) {
	file := writeFile(t, "field.geojson", `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [
			[[0, 0], [400, 0], [400, 300], [0, 300], [0, 0]], [[10, 10], [10, 20], [20, 20], [10, 10]]]}},
		{"type": "Feature", "properties": {"keep_out": true}, "geometry": {"type": "Polygon", "coordinates": [
			[[100, 100], [150, 100], [150, 150], [100, 100]]]}}]}`)
	got, err := ReadBoundary(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := field.Field{
		Boundary: orb.Polygon{
			{{0, 0}, {400, 0}, {400, 300}, {0, 300}, {0, 0}},
			{{10, 10}, {10, 20}, {20, 20}, {10, 10}},
		},
		KeepOuts: []orb.Polygon{{{{100, 100}, {150, 100}, {150, 150}, {100, 100}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A degree of latitude at 45° is 111 132 m and one of longitude 78 847 m on
// WGS 84 (M·π/180 with M = a(1−e²)/(1−e²sin²φ)^1.5, and N·cos φ·π/180).
func TestReadBoundaryInDegrees(t *testing.T) {
	const latDegree, lonDegree = 111132, 78847
	file := writeFile(t, "field.geojson", `{"type": "Polygon", "coordinates": [
		[[8, 45], [8.005, 45], [8.005, 45.004], [8, 45.004], [8, 45]]]}`)
	got, err := ReadBoundary(file, []float64{8, 45})
	if err != nil {
		t.Fatal(err)
	}
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
		if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "boundary") {
			t.Errorf("%s: error %v, want one that names the boundary and %s", name, err, file)
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
