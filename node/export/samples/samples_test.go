// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/gdaltest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field/geojson"
)

var (
	datum = &earth.Datum{Lon: -70.6, Lat: -33.4}
	near  = orb.Bound{Min: orb.Point{-1000, -1000}, Max: orb.Point{2000, 2000}}
)

// taken are samples of a mission, with transform log10.
func taken() *record.Mission {
	observation := func(n int, x, y, xx, xy, yy, value, stdDev float64) record.Observation {
		return record.Observation{
			Sequence: n, Stamp: 10.5 * float64(n), Target: record.Place{x + 1, y - 1}, Belief: record.Belief{X: x, Y: y, XX: xx, XY: xy, YY: yy},
			Readings: 3, Value: value, Variance: stdDev * stdDev,
		}
	}
	return &record.Mission{
		Quantity: "potassium", Units: "mg/l", Earlier: []record.Observation{observation(1, 0, 0, 1, 0, 1, 100, 1)},
		Observations: []record.Observation{observation(1, 123.4567, 89.25, 0.09, 0.02, 0.04, 12.5, 0.5), observation(2, -10, 755, 0.01, -0.03, 0.25, 0.125, 0.01)},
		Team:         []record.TeamSample{{Robot: "/robot2/ugp_explorer", Observation: observation(7, 400, 2.5, 0, 0, 4, 1e3, 30)}},
	}
}

// all returns all samples of a mission.
func all(m *record.Mission) []record.Observation {
	return slices.Concat(m.Earlier, m.Observations, []record.Observation{m.Team[0].Observation})
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must.OK(t, os.WriteFile(file, data, 0o666))
	return file
}

// What is written can be read, in every system and form: places to a millimetre.
func TestRoundTrip(t *testing.T) {
	m := taken()
	list := all(m)
	for _, c := range []struct {
		kind  earth.Kind
		datum *earth.Datum
	}{{earth.Local, nil}, {earth.Local, datum}, {earth.WGS84, datum}, {earth.UTM, datum}} {
		system, err := earth.New(c.kind, c.datum)
		must.OK(t, err)
		table := Samples(m)
		for name, encode := range map[string]func(*earth.System) ([]byte, error){
			"samples.csv": table.CSV, "samples.geojson": func(s *earth.System) ([]byte, error) { return s.Layer(table.Name, table.Features()) },
		} {
			data, err := encode(system)
			must.OK(t, err)
			got, _, err := Read(write(t, name, data), Rules{Datum: c.datum, Units: "mg/l", Transform: record.TransformLog10, Near: near})
			if err != nil {
				t.Fatalf("%s in %s: %v\n%s", name, c.kind, err, data)
			}
			var want []record.Observation
			for i, s := range list {
				o := s
				o.Sequence, o.Stamp, o.Readings = i+1, math.NaN(), 0
				o.Target = record.Place{o.Belief.X, o.Belief.Y}
				if o.ModelValue, o.ModelVariance, err = record.TransformLog10.Forward(o.Value, o.Variance); err != nil {
					t.Fatal(err)
				}
				want = append(want, o)
			}
			close := cmp.Comparer(func(a, b orb.Point) bool { return math.Hypot(a[0]-b[0], a[1]-b[1]) < 1e-3 })
			if d := cmp.Diff(want, got, close, cmpopts.EquateApprox(1e-12, 1e-3), cmpopts.EquateNaNs()); d != "" {
				t.Errorf("%s in %s: %s\n%s", name, c.kind, d, data)
			}
		}
	}
}

// What a second sensor measured is a table like that of the samples, in its own unit, which can be read as one.
func TestHeard(t *testing.T) {
	heard := []record.Heard{
		{Stamp: 12.5, Belief: record.Belief{X: 100, Y: 200, XX: 4, YY: 1}, Readings: 5, Value: 52.123456, Variance: 0.04},
		{Stamp: 40.25, Path: 61.26, Belief: record.Belief{X: 130, Y: 200, XX: 300, XY: 10, YY: 9}, Readings: 30, Value: 47, Variance: 0.01},
	}
	table := Heard(&record.Secondary{Quantity: "conductivity", Units: "mS/m", Heard: heard})
	system, err := earth.New(earth.Local, nil)
	must.OK(t, err)
	csv, err := table.CSV(system)
	must.OK(t, err)
	if lines := strings.Split(string(csv), "\n"); len(lines) != 4 || lines[0] != "x_m,y_m,stamp_s,sigma_major_m,sigma_minor_m,sigma_azimuth_deg,value [mS/m],stddev [mS/m],path_m,readings" ||
		lines[1] != "100,200,12.5,2,1,90,52.1235,0.2,0,5" || !strings.HasSuffix(lines[2], ",47,0.1,61.3,30") {
		t.Errorf("heard.csv is\n%s", csv)
	}
	got, _, err := Parse(csv, Rules{Units: "mS/m", Near: near})
	must.OK(t, err)
	for i, o := range got {
		want := heard[i]
		want.Value = math.Round(want.Value*1e4) / 1e4
		if d := cmp.Diff(want.Belief, o.Belief, cmpopts.EquateApprox(1e-6, 1e-5)); d != "" || math.Abs(o.Value-want.Value) > 1e-12 || math.Abs(o.Variance-want.Variance) > 1e-12 {
			t.Errorf("read again, it is %+v, want %+v", o, want)
		}
	}
	if len(got) != 2 {
		t.Errorf("%d of 2 are read again", len(got))
	}
	if p := table.Features()[1].Properties.(geojson.Properties); p["value"] != 47.0 || p["path_m"] != 61.3 || p["quantity"] != "conductivity" || p["units"] != "mS/m" {
		t.Errorf("the layer has %v", p)
	}
}

// The samples of a sensor that takes logarithms are written as people see them, and any mission of the same
// quantity reads them in the unit of its own readings.
func TestRoundTripOfLogarithms(t *testing.T) {
	const stdDev = 0.2 // of the logarithm: the limits in mg/l are far from alike
	m := &record.Mission{Quantity: "log10 K", Units: "log10(mg/l)"}
	for i, v := range []float64{1.25, -0.5, 3} {
		o := record.Observation{Sequence: i + 1, Belief: record.Belief{X: 1, Y: 2, XX: 1, YY: 1}, Value: v, Variance: stdDev * stdDev, ModelValue: v, ModelVariance: stdDev * stdDev}
		m.Observations = append(m.Observations, o)
	}
	system, err := earth.New(earth.Local, nil)
	must.OK(t, err)
	table := Samples(m)
	csv, err := table.CSV(system)
	must.OK(t, err)
	lines := strings.Split(string(csv), "\n")
	if !strings.Contains(lines[0], ",value [mg/l],stddev [mg/l],low [mg/l],high [mg/l],value_log10 [log10(mg/l)],stddev_log10 [log10(mg/l)],") ||
		!strings.Contains(lines[3], ",1000,460.5,398.1,2511.9,3,0.2,") { // 1000·ln 10·0.2; 1000/10^0.4 and 1000·10^0.4
		t.Errorf("samples.csv is\n%s", csv)
	}
	layer, err := system.Layer(table.Name, table.Features())
	must.OK(t, err)
	for _, units := range []string{"log10(mg/l)", "ln(mg/l)", "mg/l"} {
		for name, data := range map[string][]byte{"csv": csv, "geojson": layer} {
			got, _, err := Parse(data, Rules{Units: units, Near: near})
			must.OK(t, err)
			for i, o := range got {
				v := m.Observations[i].Value
				want, deviation := v, stdDev
				switch units {
				case "ln(mg/l)":
					want, deviation = v*math.Ln10, stdDev*math.Ln10
				case "mg/l":
					want = math.Pow(10, v)
					deviation = want * stdDev * math.Ln10
				}
				if math.Abs(o.Value-want) > 1e-3*deviation || math.Abs(math.Sqrt(o.Variance)/deviation-1) > 1e-3 {
					t.Errorf("%s as %s: %g ± %g, want %g ± %g", name, units, o.Value, math.Sqrt(o.Variance), want, deviation)
				}
			}
		}
	}
	// Of a file without a standard deviation the readings have their own.
	got, _, err := Parse([]byte("x,y,value [mg/l]\n1,2,100\n"), Rules{Units: "log10(mg/l)", StdDev: 0.03, Near: near})
	if err != nil || got[0].Value != 2 || got[0].Variance != 0.03*0.03 {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string][]string{
		"x,y,value,stddev\n1,2,100,1\n":                        {"line 1", "column value", "not stated", "mg/l or log10(mg/l)"},
		"x,y,value [g/kg],stddev\n1,2,100,1\n":                 {"line 1", "column value", `"g/kg"`, "mg/l or log10(mg/l)"},
		"x,y,value [log10(g/kg)],stddev\n1,2,2,1\n":            {"line 1", "column value", `"log10(g/kg)"`, "mg/l or log10(mg/l)"},
		"x,y,value [mg/l],stddev [log10(mg/l)]\n1,2,100,0.1\n": {"line 1", "column stddev", `"log10(mg/l)"`, `"mg/l"`},
		"x,y,value [mg/l],stddev\n1,2,100,1\n1,2,-3,1\n":       {"line 3", "column value", "-3 mg/l", "above 0", "log10(mg/l)"},
		`{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"value": 100, "stddev": 1}}]}`: {
			"feature 1", "property units", "not stated", "mg/l or log10(mg/l)"},
	} {
		_, _, err := Parse([]byte(text), Rules{Units: "log10(mg/l)", Near: near})
		for _, word := range want {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%q: error %v, want %q in it", text, err, word)
			}
		}
	}
}

// The ellipse of a covariance is that of its eigenvectors: here (2, 1)/√5 with 9 and
// (-1, 2)/√5 with 4. The first one points 90° - 26.565° clockwise from y.
func TestEllipse(t *testing.T) {
	c := record.Covariance{XX: (9*4 + 4*1) / 5., XY: (9*2 - 4*2) / 5., YY: (9*1 + 4*4) / 5.}
	major, minor, azimuth := ellipse(c)
	if math.Abs(major-3) > 1e-12 || math.Abs(minor-2) > 1e-12 || math.Abs(azimuth-(90-26.56505117707799)) > 1e-12 {
		t.Errorf("%g, %g, %g°, want 3, 2, 63.435°", major, minor, azimuth)
	}
	if d := cmp.Diff(c, covariance(major, minor, azimuth), cmpopts.EquateApprox(1e-12, 0)); d != "" {
		t.Error(d)
	}
	if major, minor, azimuth := ellipse(record.Covariance{YY: 4}); major != 2 || minor != 0 || azimuth != 0 {
		t.Errorf("an ellipse along y is %g, %g, %g°", major, minor, azimuth)
	}
}

// Files that people make: other names, separators, no uncertainty.
func TestReadsOtherFiles(t *testing.T) {
	rules := Rules{Units: "%", StdDev: 0.5, PlaceStdDev: 3, Near: near}
	for name, text := range map[string]string{
		"plain":      "x,y,value\n10,20,5\n",
		"units":      "\uFEFFname, X [m], Y [m], Value [%]\r\nfirst, 10, 20, 5\r\n\r\n",
		"semicolons": "y;x;value;note\n20;10;5;a, b\n",
		"geojson":    `{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 20, 1.5]}, "properties": {"value": 5, "stddev": null, "name": "first"}}]}`,
		"text":       `{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 20]}, "properties": {"value": " 5.0", "stddev": ""}}]}`,
	} {
		got, _, err := Read(write(t, name, []byte(text)), rules)
		want := []record.Observation{{
			Sequence: 1, Stamp: math.NaN(), Target: record.Place{10, 20}, Belief: record.Belief{X: 10, Y: 20, XX: 9, YY: 9},
			Value: 5, Variance: 0.25, ModelValue: 5, ModelVariance: 0.25,
		}}
		if d := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 1e-12), cmpopts.EquateNaNs()); err != nil || d != "" {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
}

// Places whose longitudes and latitudes are rounded are as uncertain as that, unless the file states it.
func TestRoundedPlaces(t *testing.T) {
	rules := Rules{Datum: &earth.Datum{Lon: 9.5, Lat: 51.2}, StdDev: 0.5, PlaceStdDev: 3, Near: orb.Bound{Min: orb.Point{-1e4, -1e4}, Max: orb.Point{1e4, 1e4}}}
	for text, want := range map[string]float64{
		"lon,lat,value\n9.5012345,51.2,5\n9.5,51.2,5\n":              3,
		"lon,lat,value\n9.5012,51.2011,5\n9.5,51.2,5\n":              math.Hypot(3, 3.21),
		"lon,lat,value\n9.501,51.201,5\n9.5,51.2,5\n":                math.Hypot(3, 32.14),
		"lon,lat,value,place_stddev\n9.501,51.2,5,2\n9.5,51.2,5,2\n": 2,
		"lon,lat,value\n9.5,51.2,5\n":                                3, // one place, whose last digits may be zeros
		"x,y,value\n100,200,5\n10,20,5\n":                            3,
	} {
		got, _, err := Read(write(t, "rounded.csv", []byte(text)), rules)
		if err != nil || math.Abs(math.Sqrt(got[0].Belief.YY)-want) > 0.01 {
			t.Errorf("%q: %+v, %v, want a standard deviation of %.2f m", text, got, err, want)
		}
	}
}

// A bad row is refused by file, line, column and value, and the error says what is allowed.
func TestRefuses(t *testing.T) {
	geo := func(crs, geometry, properties string) string {
		return "{\"type\": \"FeatureCollection\"," + crs + "\n \"features\": [\n{\"type\": \"Feature\", \"geometry\": " +
			`{"type": "Point", "coordinates": [1, 2]}, "properties": {"value": 1, "stddev": 1}},` + "\n" +
			`{"type": "Feature", "geometry": ` + geometry + `, "properties": ` + properties + "}]}"
	}
	const point, one = `{"type": "Point", "coordinates": [3, 4]}`, `{"value": 1, "stddev": 1}`
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"empty":          {"", []string{"empty"}},
		"header only":    {"x,y,value,stddev\n", []string{"no sample"}},
		"no place":       {"a,b,value\n1,2,3\n", []string{"line 1", "a, b, value", "x and y"}},
		"half a place":   {"x,lat,value\n1,2,3\n", []string{"line 1", "x and y"}},
		"no value":       {"x,y,clay,sand\n1,2,3,4\n", []string{"line 1", "no column value", "by earlier.column", "x, y, clay, sand"}},
		"column twice":   {"X_m,y,x [m],value\n1,2,3,4\n", []string{"line 1", "two columns x"}},
		"word":           {"x,y,value,stddev\n1,2,3,1\n1,2,three,1\n", []string{"line 3", "column value", `"three"`, "finite number"}},
		"not finite":     {"x,y,value,stddev\n1,2,Inf,1\n", []string{"line 2", "column value", `"Inf"`, "finite number"}},
		"empty value":    {"x,y,value,stddev\n1,2,,1\n", []string{"no row has a value in column value"}},
		"empty place":    {"x,y,value,stddev\n1,,3,1\n", []string{"line 2", "column y is empty"}},
		"short row":      {"x,y,value,stddev\n1,2,3,1\n1,2\n", []string{"line 3 has 2 columns, want 4", "semicolons"}},
		"no stddev":      {"x,y,value\n1,2,3\n", []string{"line 2", "stddev is missing", "reading.stddev"}},
		"stddev of zero": {"x,y,value,stddev\n1,2,3,0\n", []string{"line 2", "column stddev is 0", "above 0"}},
		"negative place": {"x,y,value,stddev,place_stddev\n1,2,3,1,-1\n", []string{"line 2", "place_stddev is -1", "0 to 10000 m"}},
		"logarithm":      {"x,y,value,stddev\n1,2,0,1\n", []string{"line 2", "column value", "0 has no logarithm"}},
		"far":            {"x,y,value,stddev\n1,2,3,1\n4000,2,3,1\n", []string{"line 3", "4000", "far from the field", "-1000.0 to 2000.0"}},
		"units":          {"x,y,value [g/kg],stddev\n1,2,3,1\n", []string{"line 1", "column value", `"g/kg"`, `"mg/l"`}},
		"no datum":       {"lon,lat,value,stddev\n1,2,3,1\n", []string{"line 1", "datum", "field.datum"}},
		"no zone":        {"easting,northing,epsg,value,stddev\n1,2,,3,1\n", []string{"line 2", "column epsg is empty", "32632"}},
		"not JSON":       {"{\n\"type\": x}", []string{"line 2", "not GeoJSON"}},
		"other JSON":     {`{"type": "Feature"}`, []string{`"Feature"`, "FeatureCollection"}},
		"line":           {geo("", `{"type": "LineString", "coordinates": [[3, 4], [5, 6]]}`, one), []string{"line 4, feature 2", `"LineString"`, "Point"}},
		"text":           {geo("", point, `{"value": "high"}`), []string{"line 4, feature 2", "property value", `"high"`, "number"}},
		"coordinates":    {geo("", `{"type": "Point", "coordinates": [3]}`, one), []string{"line 4, feature 2", "[3]", "two numbers"}},
		"property units": {geo("", point, `{"value": 1, "stddev": 1, "units": "%"}`), []string{"line 4, feature 2", `"%"`, `"mg/l"`}},
		"other system":   {geo(`"crs": {"type": "name", "properties": {"name": "EPSG:27700"}},`, point, one), []string{"EPSG:27700", "ogr2ogr -f GeoJSON -t_srs EPSG:4326"}},
		"degrees":        {geo(`"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},`, point, one), []string{"field.datum"}},
	} {
		file := write(t, "bad", []byte(c.text))
		_, _, err := Read(file, Rules{Units: "mg/l", Transform: record.TransformLog10, Near: near, ColumnBy: "earlier.column"})
		if err == nil {
			t.Errorf("%s is taken", name)
			continue
		}
		for _, word := range append(c.want, file) {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: error %q, want %q in it", name, err, word)
			}
		}
	}
	if _, _, err := Read(filepath.Join(t.TempDir(), "missing"), Rules{}); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a missing file: %v", err)
	}
	many := strings.Builder{}
	many.WriteString("x,y,value,stddev\n")
	for i := range 10_001 {
		fmt.Fprintf(&many, "%d,1,1,1\n", i%100)
	}
	if _, _, err := Read(write(t, "many", []byte(many.String())), Rules{Near: near}); err == nil || !strings.Contains(err.Error(), "more than 10000 samples") {
		t.Errorf("too many samples: %v", err)
	}
	rows := strings.Repeat("1,1,1,1\n", 1<<20) // 8 MiB, of which no more than the limit is parsed
	features := strings.Repeat(`{},`, 1<<20)
	for name, c := range map[string]struct{ text, want string }{
		"rows":     {"x,y,value,stddev\n" + rows, "more than 10000 samples"},
		"features": {`{"type": "FeatureCollection", "features": [` + features + "{}]}", "more than 10000 samples"},
		"columns":  {"x,y,value" + strings.Repeat(",a", 1<<20) + "\n", "1048579 columns, at most 1000"},
		"bytes":    {strings.Repeat(" ", 16<<20+1), "larger than 16 MiB"},
	} {
		if _, _, err := Read(write(t, name, []byte(c.text)), Rules{Near: near}); err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
			t.Errorf("too many %s: %.300v, want %q", name, err, c.want)
		}
	}
}

// GDAL reads the files: places, system and properties.
func TestGDALReads(t *testing.T) {
	gdaltest.Need(t)
	m := taken()
	list := all(m)
	table := Samples(m)
	for kind, system := range map[earth.Kind]string{earth.Local: `ENGCRS["metres of the map"`, earth.WGS84: `ID["EPSG",4326]`, earth.UTM: `ID["EPSG",32719]`} {
		s, err := earth.New(kind, datum)
		must.OK(t, err)
		data, err := s.Layer(table.Name, table.Features())
		must.OK(t, err)
		file := write(t, "samples.geojson", data)
		about := gdaltest.Run(t, "", "ogrinfo", "-al", "-so", file)
		for _, want := range []string{"Layer name: samples", "Geometry: Point", "Feature Count: 4", system} {
			if !strings.Contains(about, want) {
				t.Errorf("%s: no %s in\n%s", kind, want, about)
			}
		}
		out := gdaltest.Run(t, "", "ogr2ogr", "-f", "CSV", "-lco", "GEOMETRY=AS_XY", "-select", "value,sigma_major_m,origin", "/vsistdout/", file)
		rows := strings.Split(strings.TrimSpace(out), "\n")[1:]
		for i, row := range rows {
			var x, y, value, major float64
			var origin string
			if _, err := fmt.Sscan(strings.ReplaceAll(row, ",", " "), &x, &y, &value, &major, &origin); err != nil {
				t.Fatalf("%q: %v", row, err)
			}
			sigma, _, _ := ellipse(list[i].Belief.Covariance())
			at := s.Of(record.Place{list[i].Belief.X, list[i].Belief.Y})
			if math.Abs(x-at[0]) > 1e-4 || math.Abs(y-at[1]) > 1e-4 || value != list[i].Value || strings.Trim(origin, `"`) != []string{"earlier", "own", "own", "/robot2/ugp_explorer"}[i] || math.Abs(major-sigma) > 1e-6 {
				t.Errorf("%s: row %d is %s, want %+v at %v", kind, i+1, row, list[i], at)
			}
		}
		if data, err = table.CSV(s); err != nil {
			t.Fatal(err)
		}
		first, second, unit := s.Axes[0], s.Axes[1], s.Unit
		about = gdaltest.Run(t, "", "ogrinfo", "-al", "-oo", "AUTODETECT_TYPE=YES", "-oo", "X_POSSIBLE_NAMES="+first+"_"+unit, "-oo", "Y_POSSIBLE_NAMES="+second+"_"+unit, write(t, "samples.csv", data))
		for _, want := range []string{"Feature Count: 4", "value [mg/l] (Real) = 12.5", "POINT ("} {
			if !strings.Contains(about, want) {
				t.Errorf("%s: no %s in\n%s", kind, want, about)
			}
		}
	}
}
