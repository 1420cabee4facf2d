// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"path"
	"strings"

	"ugp_explorer/node/record"
)

// titles say what the files of a mission are, by the pattern of their names, in the order in which people look for them. %s
// is the name in words.
var titles = []struct{ pattern, title string }{
	{"report.html", "Report"},
	{"export/samples.csv", "Samples as a table (CSV)"},
	{"export/zones.csv", "Zones as a table (CSV)"},
	{"export/recommended.csv", "Best place as a table (CSV)"},
	{"export/heard.csv", "Values of the second sensor as a table (CSV)"},
	{"export/mission.kml", "All layers for phones and Google Earth (KML)"},
	{"export/mean.tif", "Map of the mean (GeoTIFF)"},
	{"export/stddev.tif", "Map of the uncertainty (GeoTIFF)"},
	{"export/*.tif", "Map: %s (GeoTIFF)"},
	{"export/recommended.geojson", "Best place as a layer (GeoJSON)"},
	{"export/*.geojson", "%s as a layer (GeoJSON)"},
	{"export/*.qml", "Colours in QGIS: %s (QML)"},
	{"export/about.txt", "Description of the files for other software (text)"},
	{"mission.json", "All numbers of the mission (JSON)"},
	{"journal.jsonl", "Journal from which the mission can be resumed (JSON)"},
	{"*.mcap", "Recording of the robot's messages (MCAP): %s"},
	{"*/*.mcap", "Recording of the robot's messages (MCAP): %s"},
	{"*/*/*.mcap", "Recording of the robot's messages (MCAP): %s"},
}

// kind returns the place of a file in titles.
func kind(name string) int {
	for i, t := range titles {
		if ok, _ := path.Match(t.pattern, name); ok {
			return i
		}
	}
	return len(titles)
}

// title says what a file is.
func title(name string) string {
	k := kind(name)
	if k == len(titles) {
		return path.Base(name)
	}
	return record.Capitalised(strings.Replace(titles[k].title, "%s", words(strings.TrimSuffix(path.Base(name), path.Ext(name))), 1))
}
