// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Wanted is what a reader of files wants.
type Wanted uint8

const (
	Outline Wanted = iota // GeoJSON
	Values                // a table, CSV or GeoJSON
	Raster                // GeoTIFF or a table
	Errors                // a table of the errors of a receiver, of which recordings have positions
)

// kind is what a foreign file has.
type kind uint8

const (
	other  kind = iota
	vector      // shapes or points, which GDAL reads
	tracks      // those of a receiver
	part        // of a shapefile
	sheet       // rows and columns
	cells       // a raster, which GDAL reads
	cloud       // points of a laser
	ros         // a recorded bag
)

// formats are the files of other programs that people hold for one that is read, by how they begin, what stands near their beginning in
// lower case without spaces, and how their names end. The first that fits counts.
var formats = []struct {
	begins, has, ending string
	name                string
	kind                kind
	unpack              string // command for one that is packed
}{
	{"SQLite format 3\x00", "", ".db3", "a ROS 2 bag", ros, ""}, {"\x89MCAP", "", "", "a ROS 2 bag", ros, ""}, {"#ROSBAG", "", "", "a ROS 1 bag", ros, ""},
	{"SQLite format 3\x00", "", "", "SQLite, as a GeoPackage is", vector, ""},
	{"", "", ".shx", "the index of a shapefile", part, ""}, {"", "", ".dbf", "the table of a shapefile", part, ""},
	{"", "", ".prj", "the coordinate system of a shapefile or raster", part, ""}, {"", "", ".cpg", "the encoding of a shapefile", part, ""},
	{"\x00\x00\x27\x0a", "", "", "a shapefile", vector, ""},
	{"<", "<gpx", "", "GPX, the tracks of a receiver", tracks, ""}, {"$", "gga,", "", "an NMEA log of a receiver", other, ""}, {"%", "", ".pos", "a solution of RTKLIB", other, ""},
	{"<", "<vrtdataset", "", "a virtual raster of GDAL", cells, ""},
	{"<", "<pamdataset", "", "the notes of GDAL about a raster", other, ""},
	{"<", "<html", "", "a web page, perhaps from a failed download", other, ""}, {"<", "iso11783", "", "ISOXML from a farm computer", other, ""},
	{"<", "", "", "XML, as KML and GML are", vector, ""},
	{"PK\x03\x04", "", ".docx", "a document", other, ""}, {"PK\x03\x04", "", ".odt", "a document", other, ""},
	{"PK\x03\x04", "", ".xlsx", "a spreadsheet", sheet, ""}, {"PK\x03\x04", "", ".ods", "a spreadsheet", sheet, ""}, {"PK\x03\x04", "xl/", "", "a spreadsheet", sheet, ""},
	{"PK\x03\x04", "", ".kmz", "KMZ", vector, ""}, {"PK\x03\x04", "", "", "a ZIP archive", other, "unzip"},
	{"\xd0\xcf\x11\xe0", "", "", "a file of an old version of Excel or Word", other, ""}, {"%PDF", "", "", "a PDF", other, ""}, {`{\rtf`, "", "", "a document", other, ""},
	{"PAR1", "", "", "Parquet, for which GDAL needs a driver", vector, ""}, {"fgb\x03", "", "", "FlatGeobuf", vector, ""},
	{"!table", "", "", "a table of MapInfo", vector, ""}, {"Version", "", ".mif", "MapInfo's MIF", vector, ""}, {"0", "section", ".dxf", "a DXF drawing", vector, ""},
	{"{", `"type":"topology"`, "", "TopoJSON", vector, ""}, {"{", `"geometrytype":"esri`, "", "Esri's JSON", vector, ""}, {"\x1e", "", "", "a sequence of GeoJSON", vector, ""},
	{"LASF", "", "", "LAS, the points of a laser", cloud, ""},
	{"II*\x00", "", "", "a GeoTIFF", cells, ""}, {"MM\x00*", "", "", "a GeoTIFF", cells, ""}, {"II+\x00", "", "", "a GeoTIFF", cells, ""}, {"MM\x00+", "", "", "a GeoTIFF", cells, ""},
	{"CDF\x01", "", "", "NetCDF", cells, ""}, {"CDF\x02", "", "", "NetCDF", cells, ""}, {"\x89HDF", "", "", "HDF5, as NetCDF is", cells, ""}, {"GRIB", "", "", "GRIB", cells, ""},
	{"ncols", "nrows", "", "an ASCII grid", cells, ""}, {"NCOLS", "nrows", "", "an ASCII grid", cells, ""}, {"DSAA", "", "", "a Surfer grid", cells, ""},
	{"DSBB", "", "", "a Surfer grid", cells, ""}, {"EHFA_", "", "", "an ERDAS raster", cells, ""}, {"\x00\x00\x00\x0cjP", "", "", "JPEG 2000", cells, ""},
	{"ENVI", "", "", "the header of an ENVI raster", other, ""},
	{"\x89PNG", "", "", "a PNG picture", cells, ""}, {"\xff\xd8\xff", "", "", "a JPEG picture", cells, ""}, {"", "", ".tfw", "the world file of a raster", other, ""},
	{"\x1f\x8b", "", "", "packed by gzip", other, "gunzip -k"}, {"\x28\xb5\x2f\xfd", "", "", "packed by zstd", other, "zstd -d"},
	{"BZh", "", "", "packed by bzip2", other, "bunzip2 -k"}, {"\xfd7zXZ", "", "", "packed by xz", other, "unxz -k"},
	{"7z\xbc\xaf", "", "", "a 7z archive", other, "7z x"}, {"Rar!", "", "", "a RAR archive", other, "unrar x"},
}

// StartLength is the number of bytes that tell a foreign file.
const StartLength = 4096

// PolygonOf says how a line, such as a track, becomes an outline.
func PolygonOf(line string) string {
	return "make a polygon of the " + line + " in QGIS (Vector, Geometry Tools, Lines to Polygons), and save it as GeoJSON"
}

// ForeignFile is Foreign for a file, nil if it cannot be read.
func ForeignFile(file string, wanted Wanted) error {
	f, err := os.Open(file)
	if err != nil {
		return nil // who reads it says so
	}
	defer f.Close() // only read
	start, _ := io.ReadAll(io.LimitReader(f, StartLength))
	return Foreign(start, file, wanted)
}

// Foreign returns an error for a file of a format that nobody reads here, which says what it is, and which command converts it or what to
// give instead. data is its content, or begins it.
func Foreign(data []byte, file string, wanted Wanted) error {
	start := data[:min(len(data), StartLength)]
	text := strings.TrimSpace(Text(start))
	packed := strings.ToLower(strings.Join(strings.Fields(text), ""))
	want := [...]string{"GeoJSON", "a table, CSV or GeoJSON", "GeoTIFF or a table", "a table of errors"}[wanted]
	for _, f := range formats {
		if !strings.HasPrefix(text, f.begins) && !bytes.HasPrefix(start, []byte(f.begins)) ||
			!strings.Contains(packed, f.has) || !strings.HasSuffix(strings.ToLower(file), f.ending) {
			continue
		}
		if wanted == Raster && f.name == "a GeoTIFF" {
			return nil
		}
		advice := convert(f.kind, file, wanted)
		if f.unpack != "" {
			advice = fmt.Sprintf("unpack it: %s %q", f.unpack, file)
		}
		return fmt.Errorf("the file is %s, not %s; %s", f.name, want, advice)
	}
	switch {
	case strings.HasPrefix(text, "var ") || strings.HasPrefix(text, "const "):
		return fmt.Errorf("the file is JavaScript, not %s; convert it: sed '1s/^[^{]*//; $s/;[[:space:]]*$//' %q > converted.geojson", want, file)
	case strings.HasPrefix(text, "{") && (bytes.Contains(data, []byte("}\n{")) || bytes.Contains(data, []byte("}\r\n{"))):
		return fmt.Errorf("the file is a sequence of GeoJSON objects, one per line, not %s; %s", want, convert(vector, "GeoJSONSeq:"+file, wanted))
	case strings.ContainsRune(strings.TrimRight(text, "\x00"), 0):
		return fmt.Errorf("the file is in a format of other software, not %s; %s", want, convert(other, file, wanted))
	case wanted == Outline && text != "" && text[0] != '{' && text[0] != '[':
		return fmt.Errorf("the file is text, not %s; %s", want, convert(other, file, wanted))
	}
	return nil
}

// convert says how to get what is wanted from a file.
func convert(k kind, file string, wanted Wanted) string {
	if wanted == Errors {
		return "save its times and positions as CSV, and subtract the true positions"
	}
	to := [...]string{"field", "table", "raster"}[wanted]
	switch {
	case k == vector:
		return fmt.Sprintf("convert it: ogr2ogr -f GeoJSON -t_srs EPSG:4326 %s.geojson %q", to, file)
	case k == part:
		return convert(vector, strings.TrimSuffix(file, filepath.Ext(file))+".shp", wanted)
	case k == ros && wanted == Outline:
		return fmt.Sprintf("make the outline of the drive: ugp outline --out field.geojson %q", file)
	case k == ros:
		return fmt.Sprintf("turn it into a mission and that into samples.csv: ugp replay %q, then ugp export", file)
	case k == tracks && wanted == Outline:
		return PolygonOf("track")
	case wanted == Outline:
		return "save the outline as GeoJSON with the program that has it, or draw it in QGIS or on geojson.io"
	case k == tracks:
		return fmt.Sprintf("convert it: ogr2ogr -f GeoJSON %s.geojson %q track_points", to, file)
	case k == sheet:
		return fmt.Sprintf("convert it: ogr2ogr -f CSV table.csv %q", file)
	case k == cloud:
		return fmt.Sprintf("convert it: pdal translate %q table.csv", file)
	case k == cells && wanted == Raster:
		return fmt.Sprintf("convert it: gdal_translate %q raster.tif", file)
	case k == cells:
		return fmt.Sprintf("convert it: gdalwarp -t_srs EPSG:4326 %q table.tif && gdal_translate -of XYZ -co ADD_HEADER_LINE=YES -co COLUMN_SEPARATOR=, table.tif table.csv", file)
	case wanted == Raster:
		return "save it as GeoTIFF, or its values at places as CSV"
	}
	return "save its values at places as CSV"
}
