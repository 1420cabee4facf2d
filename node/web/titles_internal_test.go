// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"slices"
	"testing"
)

// Files have names for people, and the order in which they look for them. A file that nobody knows is last, by its name.
func TestTitles(t *testing.T) {
	want := []struct{ name, title string }{
		{"report.html", "Report"},
		{"export/samples.csv", "Samples as a table (CSV)"},
		{"export/heard.csv", "Values of the second sensor as a table (CSV)"},
		{"export/mean.tif", "Map of the mean (GeoTIFF)"},
		{"export/raster_1.tif", "Map: raster 1 (GeoTIFF)"},
		{"export/field.geojson", "Field as a layer (GeoJSON)"},
		{"export/zones.qml", "Colours in QGIS: zones (QML)"},
		{"mission.json", "All numbers of the mission (JSON)"},
		{"bag_2/bag_2_0.mcap", "Recording of the robot's messages (MCAP): bag 2 0"},
		{"notes/my_notes.txt", "my_notes.txt"},
	}
	names := []string{}
	for _, f := range want {
		names = append(names, f.name)
		if got := title(f.name); got != f.title {
			t.Errorf("%s is called %q, want %q", f.name, got, f.title)
		}
	}
	if !slices.IsSortedFunc(names, func(a, b string) int { return kind(a) - kind(b) }) {
		t.Errorf("the order of the kinds is not %q", names)
	}
}
