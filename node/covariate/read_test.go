// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package covariate

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/gdaltest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/table"
)

// The field of the tests is a square about the datum.
const half = 50 // m

var datum = &earth.Datum{Lon: 8.0471, Lat: 52.2726}

func square(t testing.TB) *field.Region {
	t.Helper()
	r, err := field.NewRegion(field.Field{Boundary: orb.Polygon{{{-half, -half}, {half, -half}, {half, half}, {-half, half}, {-half, -half}}}}, 0)
	must.OK(t, err)
	return r
}

// GDAL's tool writes the values of a grid, row by row to the south, to a GeoTIFF.
func translate(t *testing.T, width int, values []float64, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a.asc"), filepath.Join(dir, "a.tif")
	var text strings.Builder
	fmt.Fprintf(&text, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n", width, len(values)/width)
	for k, v := range values {
		text.WriteString(strconv.FormatFloat(v, 'f', -1, 64) + map[bool]string{true: "\n", false: " "}[k%width == width-1])
	}
	must.OK(t, os.WriteFile(from, []byte(text.String()), 0o600))
	gdaltest.Run(t, "", "gdal_translate", append(append([]string{"-q"}, args...), from, to)...)
	return to
}

// Values are read as GDAL, which QGIS writes with, stores them: in each type, compression, predictor
// and layout, and in both byte orders.
func TestReadsWhatGDALWrites(t *testing.T) {
	gdaltest.Need(t)
	const width, height = 75, 58
	values := make([]float64, width*height)
	for k := range values {
		values[k] = float64((k*k/7 + 3*(k%width)) % 120)
		if k%11 == 0 {
			values[k] = 125 // of which there is no data
		}
	}
	for _, options := range []string{
		"Byte NONE", "Byte DEFLATE PREDICTOR=2 TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=16", "Int16 LZW PREDICTOR=2 ENDIANNESS=BIG BLOCKYSIZE=7",
		"UInt16 LZW TILED=YES", "UInt16 DEFLATE PREDICTOR=2", "Int32 DEFLATE PREDICTOR=2 ENDIANNESS=BIG BIGTIFF=YES", "UInt32 LZW PREDICTOR=2 BIGTIFF=YES TILED=YES",
		"Float32 NONE ENDIANNESS=BIG", "Float32 DEFLATE PREDICTOR=3 TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=16", "Float32 DEFLATE PREDICTOR=2 BLOCKYSIZE=7", "Float64 LZW PREDICTOR=3",
		"Float64 DEFLATE PREDICTOR=2 ENDIANNESS=BIG",
	} {
		words := strings.Fields(options)
		args := []string{"-ot", words[0], "-a_nodata", "125", "-co", "COMPRESS=" + words[1]}
		for _, option := range words[2:] {
			args = append(args, "-co", option)
		}
		data, err := os.ReadFile(translate(t, width, values, args...))
		must.OK(t, err)
		image, err := openTIFF(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Errorf("%s: %v", options, err)
			continue
		}
		g := &grid{lastColumn: width, lastRow: height, block: 1, width: width, height: height, means: make([]float64, width*height), counts: make([]int, width*height)}
		if err := image.read(g); err != nil {
			t.Errorf("%s: %v", options, err)
			continue
		}
		for k, want := range values {
			if hole := g.counts[k] == 0; hole != (want == 125) || !hole && g.means[k] != want {
				t.Errorf("%s: cell %d is %g (%d), want %g", options, k, g.means[k], g.counts[k], want)
				break
			}
		}
	}
}

// bowl is what the rasters below have: its lowest place tells where they lie.
func bowl(p record.Place) float64 { return (p[0]-10)*(p[0]-10) + (p[1]+20)*(p[1]+20) }

// A raster lies where its file says, whatever its coordinates.
func TestPlaces(t *testing.T) {
	gdaltest.Need(t)
	region := square(t)
	for name, c := range map[string]struct {
		kind  earth.Kind
		datum *earth.Datum
		cell  float64 // m
		args  []string
	}{
		"metres of the map": {earth.Local, nil, 5, nil},
		"degrees":           {earth.WGS84, datum, 5, []string{"-a_srs", "EPSG:4326"}},
		"UTM":               {earth.UTM, datum, 5, []string{"-a_srs", "EPSG:32632"}},
		"the next zone":     {"EPSG:32631", datum, 5, []string{"-a_srs", "EPSG:32631"}},
		"UTM on ETRS89":     {"EPSG:25832", datum, 5, []string{"-a_srs", "EPSG:25832"}},
		"web Mercator":      {"EPSG:3857", datum, 5, []string{"-a_srs", "EPSG:3857"}},
		"places of points":  {earth.UTM, datum, 5, []string{"-a_srs", "EPSG:32632", "-mo", "AREA_OR_POINT=Point"}},
		"blocks of cells":   {earth.Local, nil, 0.1, []string{"-co", "COMPRESS=DEFLATE"}},
	} {
		system, err := earth.New(c.kind, c.datum)
		must.OK(t, err)
		du, dv := system.Step(record.Place{}, c.cell)
		n := int(160 / c.cell)
		middle := system.Of(record.Place{})
		west, north := middle[0]-du*float64(n)/2.3, middle[1]+dv*float64(n)/1.9 // not the same on all sides
		values := make([]float64, n*n)
		for k := range values {
			p, err := system.Place(record.Place{west + (float64(k%n)+0.5)*du, north - (float64(k/n)+0.5)*dv})
			must.OK(t, err)
			values[k] = math.Round(1e3 * bowl(p))
		}
		number := func(v float64) string { return fmt.Sprintf("%.12f", v) }
		file := translate(t, n, values, append([]string{"-ot", "Float64", "-a_ullr", number(west), number(north), number(west + float64(n)*du), number(north - float64(n)*dv)}, c.args...)...)
		r, about, err := Read(file, region, c.datum)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wide := [3]float64{16, 4, 20}
		_, ax, ay := r.Mean(-30, -40, wide)
		_, bx, by := r.Mean(30, 40, wide)
		x, y := -30-ax*60/(bx-ax), -40-ay*80/(by-ay) // where the gradient is 0
		if math.Hypot(x-10, y+20) > 0.3 {
			t.Errorf("%s: the lowest place is (%g, %g) m, want (10, -20)", name, x, y)
		}
		if about.Covered != 1 {
			t.Errorf("%s: covers %g of the field", name, about.Covered)
		}
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must.OK(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// Points of a table are a raster, those of a grid and those along the tracks of a vehicle.
func TestPoints(t *testing.T) {
	for name, apart := range map[string][2]float64{"grid": {10, 10}, "tracks": {2, 12}} {
		var table strings.Builder
		table.WriteString("x,y,sand,clay\n0,0,1,NA\n")
		for x := -half - 4.; x <= half+4; x += apart[0] {
			for y := -half - 4.; y <= half+4; y += apart[1] {
				fmt.Fprintf(&table, "%g,%g,0,%g\n", x, y, 500+x+2*y)
			}
		}
		file := write(t, "points.csv", table.String())
		r, about, err := Read(file+"#clay", square(t), nil)
		must.OK(t, err)
		if !strings.HasPrefix(about.LeftOut, "1 of ") || about.File != file+"#clay" {
			t.Errorf("%s: %+v", name, about)
		}
		if _, _, err := Read(file, square(t), nil); err == nil || !strings.Contains(err.Error(), file+"#COLUMN") {
			t.Errorf("%s: two columns may be the value: %v", name, err)
		}
		for _, p := range []record.Place{{0, 0}, {-21, 12}, {27, -3}, {30, 30}} {
			got, _, _ := r.Mean(p[0], p[1], [3]float64{1, 0, 1})
			if want := (p[0] + 2*p[1]) * math.Sqrt(12/5.) / (2 * half); math.Abs(got-want) > 0.15 {
				t.Errorf("%s: at %g it is %g, want %g", name, p, got, want)
			}
		}
	}
}

// A number such as -9999 stands for no value also in a GeoTIFF that does not say so: the raster is the same as that of a file that does,
// and the record says how many cells have it. Among other values of its size it is a value.
func TestNoDataThatIsNotStated(t *testing.T) {
	gdaltest.Need(t)
	const width = 40 // cells of 3 m: the part that is read
	for name, c := range map[string]struct {
		typ   string
		code  float64
		scale float64
		hole  bool
	}{
		"a negative code":      {"Float32", -9999, 1, true},
		"an unsigned integer":  {"UInt16", 65535, 1, true},
		"the largest byte":     {"Byte", 255, 1, true},
		"the least of 32 bits": {"Int32", math.MinInt32, 1, true},
		"the largest float":    {"Float32", -math.MaxFloat32, 1, true}, // as NaN, it is not counted
		"a value":              {"Int16", 999, 40, false},
		"a byte":               {"Byte", 255, 7, false},
	} {
		values, codes := make([]float64, width*width), 0
		for k := range values {
			i, j := k%width, k/width
			values[k] = c.scale * float64(10+(i*i+3*j)%25)
			if i < 5 || k%50 == 7 {
				values[k] = c.code
				codes++
			}
		}
		args := []string{"-ot", c.typ, "-a_ullr", "-60", "60", "60", "-60"}
		got, about, err := Read(translate(t, width, values, append(args, "-a_nodata", "none")...), square(t), nil)
		must.OK(t, err)
		wanted := "none"
		if c.hole {
			wanted = strconv.FormatFloat(c.code, 'g', -1, 64)
		}
		want, _, err := Read(translate(t, width, values, append(args, "-a_nodata", wanted)...), square(t), nil)
		must.OK(t, err)
		for k := range 400 {
			x, y := float64(k%20)*5-47.5, float64(k/20)*5-47.5
			if a, b := got.Value(x, y), want.Value(x, y); math.Abs(a-b) > 1e-9 || math.IsNaN(a) != math.IsNaN(b) {
				t.Fatalf("%s: %g at (%g, %g), want %g", name, a, x, y, b)
			}
		}
		said := ""
		if c.hole && c.code > -table.Largest {
			said = fmt.Sprintf("%d of %d cells have no value (%.0f in %d) and are left out", codes, width*width, c.code, codes)
		}
		if about.LeftOut != said {
			t.Errorf("%s: %q, want %q", name, about.LeftOut, said)
		}
	}
}

// Exact zeros beside values far from 0 may stand for no value; zeros among small values, in between, or few are values.
func TestZeros(t *testing.T) {
	for name, c := range map[string]struct {
		value func(k int) float64
		want  float64
	}{
		"a border of 0":      {func(k int) float64 { return map[bool]float64{false: float64(20 + k%40)}[k%4 == 0] }, 0.25},
		"negative values":    {func(k int) float64 { return map[bool]float64{false: -float64(20 + k%40)}[k%4 == 0] }, 0.25},
		"blended at an edge": {func(k int) float64 { return map[bool]float64{false: float64(k%200) / 4}[k%4 == 0] }, 0.25},
		"holes do not count": {func(k int) float64 { return [4]float64{0, 30, math.NaN(), 31}[k%4] }, 1. / 3},
		"values from 0":      {func(k int) float64 { return float64(k%10*(k%10)*(k%10)) / 100 }, 0},
		"both signs":         {func(k int) float64 { return float64(k%3 - 1) }, 0},
		"a single 0":         {func(k int) float64 { return float64(min(k, 7)) }, 0},
		"none":               {func(k int) float64 { return 5 + float64(k%7) }, 0},
	} {
		values := make([]float64, 400)
		for k := range values {
			values[k] = c.value(k)
		}
		if got := zeros(values); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g of the values are zeros, want %g", name, got, c.want)
		}
	}
}

// A GeoTIFF whose border is 0, and that does not say that 0 stands for no value, is read as it is, and the record says how to state it. One
// that states it covers less of the field, and the record says how much.
func TestBorderOfZeros(t *testing.T) {
	gdaltest.Need(t)
	const width = 40 // cells of 3 m: the part that is read
	values := make([]float64, width*width)
	for k := range values {
		if i, j := k%width, k/width; i >= 12 {
			values[k] = float64(30 + (i*i+3*j)%25)
		}
	}
	for noData, want := range map[string]string{
		"none": `30 % of the values of a.tif on and beside the field are exactly 0, and hardly any are close to 0: if 0 means that there is no value, run: gdal_edit.py -a_nodata 0 "`,
		"0":    "a.tif has values on only 74 % of the field: elsewhere it says nothing",
	} {
		_, about, err := Read(translate(t, width, values, "-ot", "Float32", "-a_ullr", "-60", "60", "60", "-60", "-a_nodata", noData), square(t), nil)
		must.OK(t, err)
		if notes := about.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], want) {
			t.Errorf("nodata %s: %q, want %q", noData, notes, want)
		}
	}
}

// What cannot be used says in which file, what is wrong and what is allowed.
func TestRefuses(t *testing.T) {
	gdaltest.Need(t)
	values := make([]float64, 400)
	for k := range values {
		values[k] = float64(k % 7)
	}
	here := []string{"-a_ullr", "-100", "100", "100", "-100"}
	for _, c := range []struct {
		file string
		want []string
	}{
		{translate(t, 20, values, "-a_ullr", "1000", "1100", "1100", "1000"), []string{"does not overlap the field", "1000", "metres of the map"}},
		{translate(t, 20, make([]float64, 400), here...), []string{"same value everywhere"}},
		{translate(t, 20, values, append(here, "-scale", "0", "6", "5", "5", "-a_nodata", "5")...), []string{"no value in the field"}},
		{translate(t, 20, values, append(here, "-b", "1", "-b", "1")...), []string{"2 bands", "want one", "convert it: gdal_translate -b 1 -ot Float32 -co COMPRESS=DEFLATE \""}},
		{translate(t, 20, values, append(here, "-co", "COMPRESS=ZSTD")...), []string{"compression is number 50000", "deflate", "convert it: gdal_translate"}},
		{translate(t, 20, values, append(here, "-a_srs", "EPSG:25832")...), []string{"EPSG:25832", "set field.datum, with ugp by --datum"}},
		{translate(t, 20, values, append(here, "-a_srs", "EPSG:27700")...), []string{"EPSG:27700, which is not supported", "gdalwarp -t_srs EPSG:4326"}},
		{translate(t, 20, values, append(here, "-a_srs", "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel +units=m")...), []string{"which is not supported", "gdalwarp"}},
		{translate(t, 20, values, append(here, "-mask", "1", "--config", "GDAL_TIFF_INTERNAL_MASK", "YES")...), []string{"mask", "nodata", "gdalwarp"}},
		{translate(t, 20, values, append(here, "-ot", "CFloat32")...), []string{"sample format 6", "integers of 8, 16 or 32"}},
		{write(t, "cut.tif", "II*\x00\x10\x00\x00\x00............"), []string{"damaged or cut off"}},
		{write(t, "few.csv", "x,y,value\n1,2,3\n"), []string{"1 of its points", "want 10 or more", "x 1 to 1", "the field is about 0, 0"}},
		{write(t, "utm.csv", "x,y,value\n"+strings.Repeat("434912,5791869,3\n", 12)), []string{"0 of its points", "x 434912 to 434912 and y 5.79187e+06", "easting, northing and epsg"}},
		{write(t, "line.csv", "x,y,value\n"+strings.Repeat("1,2,3\n", 12)), []string{"on one line"}},
		{write(t, "unknown.csv", "a,b,c\n1,2,3\n"), []string{"line 1", "no columns of coordinates"}},
		{filepath.Join(t.TempDir(), "missing.tif"), []string{"no such file"}},
	} {
		_, _, err := Read(c.file, square(t), nil)
		for _, want := range append(c.want, c.file) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q in it", err, want)
			}
		}
	}
}

// Any file gives an error or a raster, without a panic and with bounded memory.
func FuzzTIFF(f *testing.F) {
	region := square(f)
	for _, seed := range []string{"II*\x00\x08\x00\x00\x00\x00\x00", "MM\x00+\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00"} {
		f.Add([]byte(seed))
	}
	files, err := filepath.Glob("testdata/*.tif")
	if err != nil || len(files) == 0 {
		f.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		must.OK(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		image, err := openTIFF(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		r, err := image.raster(region, datum, new(record.Covariate))
		if err != nil {
			return
		}
		if c, dx, dy := r.Mean(1, 2, [3]float64{4, 1, 4}); math.IsNaN(c + dx + dy) {
			t.Fatalf("it is %g, with gradient (%g, %g)", c, dx, dy)
		}
	})
}
