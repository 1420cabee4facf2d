// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// What other programs write is named, with the command that converts it to what is wanted, or what to give instead; what is read is not
// foreign.
func TestForeign(t *testing.T) {
	const shp, zip, sqlite = "\x00\x00\x27\x0a\x00\x00", "PK\x03\x04\x14\x00", "SQLite format 3\x00"
	all := []Wanted{Outline, Values, Raster, Errors}
	for _, c := range []struct {
		file, text string
		wanted     []Wanted
		want       string // "": it is not foreign
	}{
		{"a.shp", shp, all[:1], `a shapefile, not GeoJSON; convert it: ogr2ogr -f GeoJSON -t_srs EPSG:4326 field.geojson "a.shp"`},
		{"a.shp", shp, all[2:3], `not GeoTIFF or a table; convert it: ogr2ogr -f GeoJSON -t_srs EPSG:4326 raster.geojson "a.shp"`},
		{"d/a.shx", shp, all, `the index of a shapefile, not `}, {"d/a.shx", shp, all[:3], `.geojson "d/a.shp"`},
		{"a.DBF", "\x03\x7b\x0b\x1b\x01\x00\x00\x00", all, `the table of a shapefile, not `}, {"a.DBF", "\x03", all[:3], `.geojson "a.shp"`},
		{"a.prj", `PROJCS["x"]`, all, "the coordinate system of a shapefile"},
		{"a.gpkg", sqlite, all, "SQLite, as a GeoPackage is"},
		{"a.db3", sqlite, all[:1], `a ROS 2 bag, not GeoJSON; make the outline of the drive: ugp outline --out field.geojson "a.db3"`},
		{"a", "\x89MCAP0\r\n", all[1:2], `ugp replay "a", then ugp export`},
		{"a.zip", zip, all, `a ZIP archive, not `}, {"a.zip", zip, all, `unpack it: unzip "a.zip"`}, {"a.kmz", zip, all[:3], `.geojson "a.kmz"`}, {"a.XLSX", zip, all[:1], "a spreadsheet, not GeoJSON; save the outline as GeoJSON with the program that has it, or draw it"},
		{"a", zip + "xl/workbook.xml", all[1:3], `ogr2ogr -f CSV table.csv "a"`}, {"a.ods", zip, all[1:3], `ogr2ogr -f CSV table.csv "a.ods"`},
		{"a.docx", zip, all[1:2], "a document, not a table, CSV or GeoJSON; save its values at places as CSV"},
		{"a.xls", "\xd0\xcf\x11\xe0\xa1", all, "an old version of Excel"}, {"a.pdf", "%PDF-1.7", all, "a PDF"},
		{"a.kml", "\uFEFF<?xml version=\"1.0\"?>\n<kml>", all, "XML, as KML and GML are"},
		{"a.gpx", "<?xml?>\n<gpx>", all[:1], "GPX, the tracks of a receiver, not GeoJSON; make a polygon of the track in QGIS"},
		{"a.gpx", "<?xml?>\n<gpx>", all[1:2], `ogr2ogr -f GeoJSON table.geojson "a.gpx" track_points`},
		{"a.geojson", "<!DOCTYPE html>\n<html>", all, "a web page"}, {"TASKDATA.XML", "<ISO11783_TaskData>", all, "ISOXML"},
		{"a.parquet", "PAR1\x15", all, "Parquet"}, {"a.laz", "LASF\x00", all[1:3], `pdal translate "a.laz" table.csv`},
		{"a.tif", "II*\x00\x08", all[:1], "a GeoTIFF, not GeoJSON; save the outline"}, {"a.tif", "II*\x00\x08", all[1:2], `gdal_translate -of XYZ`}, {"a.tif", "II*\x00\x08", all[2:3], ""},
		{"a.asc", "NCOLS 3\nNROWS 4", all[2:3], `an ASCII grid, not GeoTIFF or a table; convert it: gdal_translate "a.asc" raster.tif`},
		{"a.vrt", `<VRTDataset rasterXSize="3">`, all[2:3], "gdal_translate"}, {"a.nc", "\x89HDF\r\n", all[2:3], "gdal_translate"},
		{"a.csv.gz", "\x1f\x8b\x08", all, `packed by gzip, not `}, {"a.csv.gz", "\x1f\x8b\x08", all, `unpack it: gunzip -k "a.csv.gz"`},
		{"a.json", `{ "type" : "Topology"`, all, "TopoJSON"}, {"a.json", `{"displayFieldName":"","geometryType":"esriGeometryPolygon"`, all, "Esri's JSON"},
		{"a.json", "{\"type\":\"Feature\"}\n{\"type\":\"Feature\"}", all, `a sequence of GeoJSON objects, one per line`},
		{"a.js", "var fields = {", all, "JavaScript"}, {"a.bin", "\x01\x00\x02\xff\x00", all, "in a format of other software"},
		{"a.mcap", "\x89MCAP0\r\n", all[3:], "a ROS 2 bag, not a table of errors; save its times and positions as CSV, and subtract the true positions"},
		{"a.gpx", "<?xml?>\n<gpx>", all[3:], "GPX, the tracks of a receiver, not a table of errors; save its times"},
		{"a.txt", "\n$GNRMC,1,A\n$GNGGA,165016.00,42", all, "an NMEA log of a receiver, not "}, {"a.pos", "% program   : RTKPOST\n% inp file\n", all, "a solution of RTKLIB, not "},
		{"a.csv.gz", "\x1f\x8b\x08", all[3:], `unpack it: gunzip -k "a.csv.gz"`},
		{"a.csv", "lon,lat,value\n", all[:1], "the file is text, not GeoJSON"}, {"a.csv", "lon,lat,value\n", all[1:], ""},
		{"a.geojson", "\n{\"type\": \"FeatureCollection\",\n\"features\": [{\n},\n{}]}", all, ""}, {"", "", all, ""},
		{"a.csv", "\xff\xfe" + wide("lon;lat;value\n"), all[1:], ""}, {"a.csv", "L\xe4nge;Breite\n", all[1:], ""},
	} {
		for _, wanted := range c.wanted {
			err := Foreign([]byte(c.text), c.file, wanted)
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %q for %d: %v, want %q", c.file, c.text, wanted, err, c.want)
			}
		}
	}
}

// wide returns a text in UTF-16, the lower bytes first.
func wide(text string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	return b.String()
}
