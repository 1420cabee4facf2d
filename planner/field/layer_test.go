// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/earth"
)

// file returns a FeatureCollection with a member crs, if system is not empty. Each feature is its properties and its geometry.
func file(system string, features ...[2]string) string {
	text := `{"type":"FeatureCollection",`
	if system != "" {
		text += fmt.Sprintf(`"crs":{"type":"name","properties":{"name":%q}},`, system)
	}
	var list []string
	for _, f := range features {
		list = append(list, `{"type":"Feature","properties":{`+f[0]+`},"geometry":`+f[1]+`}`)
	}
	return text + `"features":[` + strings.Join(list, ",") + `]}`
}

// polygon returns a Polygon, or a MultiPolygon of several rings, of the points, x and y in turns.
func polygon(rings ...[]float64) string {
	var parts []string
	for _, ring := range rings {
		var points []string
		for i := 0; i < len(ring); i += 2 {
			points = append(points, fmt.Sprintf("[%.10f,%.10f]", ring[i], ring[i+1]))
		}
		parts = append(parts, "[["+strings.Join(append(points, points[0]), ",")+"]]")
	}
	if len(parts) == 1 {
		return `{"type":"Polygon","coordinates":` + parts[0] + `}`
	}
	return `{"type":"MultiPolygon","coordinates":[` + strings.Join(parts, ",") + `]}`
}

func oblong(x, y, w, h float64) []float64 { return []float64{x, y, x + w, y, x + w, y + h, x, y + h} }

func read(text string, datum *earth.Datum, name string) (Field, error) {
	return ReadField(strings.NewReader(text), Source{File: "farm.geojson", Field: name, Datum: datum})
}

// The same rectangle of 300 m × 200 m in each kind of system, read with the map's datum and, without one, with the datum that the
// error suggests.
func TestSystemsOfOutlines(t *testing.T) {
	for _, d := range []*earth.Datum{{Lon: 9.5, Lat: 51.2}, {Lon: 179.9995, Lat: -17}, {Lon: -179.9995, Lat: -17}} {
		for _, name := range []string{"", "EPSG:4326", "EPSG:4258", "utm", "EPSG:3857"} {
			s, err := earth.New(earth.Kind(name), d)
			must.OK(t, err)
			declared := name
			if name == "utm" {
				declared = fmt.Sprintf("urn:ogc:def:crs:EPSG::%d", s.EPSG)
			}
			var ring []float64
			for _, p := range []orb.Point{{-150, -100}, {150, -100}, {150, 100}, {-150, 100}} {
				at := s.Of(p)
				ring = append(ring, at[0], at[1])
			}
			texts := []string{file(declared, [2]string{"", polygon(ring)})}
			if s.Kind == earth.WGS84 { // each sign of its own beside the 180th meridian
				for i := 0; i < len(ring); i += 2 {
					ring[i] = math.Remainder(ring[i], 360)
				}
				texts = append(texts, file(declared, [2]string{"", polygon(ring)}))
			}
			for _, text := range texts {
				f, err := read(text, d, "")
				if err != nil {
					t.Errorf("%q at %v: %v", declared, d, err)
					continue
				}
				if b := f.Boundary.Bound(); math.Hypot(b.Min[0]+150, b.Min[1]+100)+math.Hypot(b.Max[0]-150, b.Max[1]-100) > 0.01 {
					t.Errorf("%q at %v reaches from %v to %v", declared, d, b.Min, b.Max)
				}
				var missing *earth.DegreesError
				_, err = read(text, nil, "")
				if !errors.As(err, &missing) {
					t.Errorf("%q at %v without a datum: %v", declared, d, err)
					continue
				}
				if f, err = read(text, &missing.Datum, ""); err != nil {
					t.Errorf("%q at %v: the suggestion %v: %v", declared, d, missing.Datum, err)
				} else if c := f.Boundary.Bound().Center(); math.Hypot(c[0], c[1]) > 0.2 {
					t.Errorf("%q at %v: the middle is %v from the suggestion", declared, d, c)
				}
			}
		}
	}
	for text, want := range map[string]string{
		file("EPSG:2264", [2]string{"", polygon(oblong(-3e6, 3e6, 1000, 1000))}): `EPSG:2264, which is not supported; supported are longitude and latitude`,
		file("EPSG:27700", [2]string{"", polygon(oblong(4e5, 3e5, 300, 300))}):   `ogr2ogr -f GeoJSON -t_srs EPSG:4326 converted.geojson "farm.geojson"`,
		file("", [2]string{"", polygon(oblong(41.5, -96.7, 0.003, 0.003))}):      "beyond the pole: longitude comes first; exchange the two numbers of each corner",
	} {
		if _, err := read(text, nil, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Of several fields one is chosen by its name or number, with the places to avoid that belong to it.
func TestSeveralFields(t *testing.T) {
	farm := file("",
		[2]string{`"name":"North"`, polygon(oblong(0, 0, 300, 200))},
		[2]string{`"NAME":"South field"`, polygon(oblong(0, -900, 100, 50), oblong(0, -800, 100, 100))},
		[2]string{`"KEEP-OUT":"ja","name":"pond"`, polygon(oblong(10, 10, 20, 20))},
		[2]string{`"keepOut":true`, polygon(oblong(10, -790, 20, 20))},
	)
	for name, c := range map[string]struct {
		area float64
		kept string
	}{"North": {60000, `keep-out "pond"`}, "north": {60000, `keep-out "pond"`}, "1": {60000, `keep-out "pond"`}, "2.2": {10000, "keep-out 1"}, "2.1": {5000, "keep-out 1"}} {
		f, err := read(farm, nil, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a := math.Abs(planar.Area(f.Boundary)); a != c.area || len(f.KeepOuts) != 1 || f.KeepOut(0) != c.kept {
			t.Errorf("%s: %g m², %d keep-outs, the first %s; want %+v", name, a, len(f.KeepOuts), f.KeepOut(0), c)
		}
	}
	const all = `the file has 3 fields, or parts of fields: 1 "North" of 6 ha, 2.1 "South field" of 0.5 ha, 2.2 "South field" of 1 ha`
	for name, want := range map[string]string{
		"": all + `, but a mission explores only one; choose one by its number or name: farm.geojson#1; an area to avoid needs the property "keep_out": true`, "West": `there is no field "West": ` + all,
		"South field": "2 fields, or parts of fields: 2.2", "2": "farm.geojson#2.2",
	} {
		if _, err := read(farm, nil, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	// In degrees the areas are those on the ground.
	degrees := file("", [2]string{"", polygon(oblong(9.5, 60, 0.01, 0.01))}, [2]string{"", polygon(oblong(9.6, 60, 0.01, 0.01))})
	if _, err := read(degrees, nil, ""); err == nil || !strings.Contains(err.Error(), "1 of 62.2 ha") { // 558 m × 1114 m
		t.Errorf("in degrees: %v", err)
	}
}

// Small faults are mended, and the field says so.
func TestMends(t *testing.T) {
	circle := func(corners int, wave float64) (ring []float64) {
		for i := range corners {
			angle := 2 * math.Pi * float64(i) / float64(corners)
			r := 500 + wave*float64(i%2)
			ring = append(ring, r*math.Cos(angle), r*math.Sin(angle))
		}
		return ring
	}
	square := 100.0 * 100
	for name, c := range map[string]struct {
		text   string
		area   float64
		change string
	}{
		"slivers":          {file("", [2]string{"", polygon(oblong(50, 300, 2, 1), oblong(0, 0, 100, 100), oblong(80, 300, 1, 1))}), square, "2 further parts of 3 m² in all left out"},
		"a spike":          {file("", [2]string{"", polygon([]float64{0, 0, 100, 0, 100, 100, 150, 100, 60, 100, 0, 100})}), square, "1 ring with spikes, or that touched or crossed itself, repaired, which changed 0 m²"},
		"a spike at first": {file("", [2]string{"", polygon([]float64{0, -50, 0, 0, 100, 0, 100, 100, 0, 100, 0, 10})}), square, "1 ring with spikes, or that touched or crossed itself, repaired, which changed 0 m²"},
		"a small loop":     {file("", [2]string{"", polygon([]float64{0, 0, 100, 0, 100, 50, 102, 52, 102, 50, 100, 52, 100, 100, 0, 100})}), square + 1, "1 ring with spikes, or that touched or crossed itself, repaired, which changed 1 m²"},
		"a touch":          {file("", [2]string{"", polygon([]float64{0, 0, 100, 0, 100, 50, 101, 49, 101, 51, 100, 50, 100, 100, 0, 100})}), square, "1 ring with spikes, or that touched or crossed itself, repaired, which changed 1 m²"},
		"corners":          {file("", [2]string{"", polygon(circle(4000, 0.05))}), math.Pi * 500 * 500, "corners left out, which moves edges by up to 0.1 m"},
		"nothing":          {file("", [2]string{"", polygon(oblong(0, 0, 100, 100))}), square, ""},
	} {
		f, err := read(c.text, nil, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a := math.Abs(planar.Area(f.Boundary)); math.Abs(a-c.area) > 1e-3*c.area {
			t.Errorf("%s: %g m², want %g", name, a, c.area)
		}
		said := ""
		for _, change := range f.Changes {
			said += change.String()
		}
		if !strings.Contains(said, c.change) || c.change == "" && said != "" {
			t.Errorf("%s: %q, want %q", name, said, c.change)
		}
		if n, _ := f.corners(); n > maxCorners {
			t.Errorf("%s: %d corners", name, n)
		}
		if thinned := strings.Contains(said, "moves edges"); thinned != (f.StdDev == 0.05) {
			t.Errorf("%s: edges are known to %g m", name, f.StdDev)
		}
	}
	const makeValid = `ogr2ogr -f GeoJSON -makevalid repaired.geojson "farm.geojson"`
	for name, c := range map[string][2]string{
		"two lobes":             {file("", [2]string{"", polygon([]float64{0, 0, 100, 100, 100, 0, 0, 100})}), makeValid},
		"lobes that touch":      {file("", [2]string{"", polygon([]float64{0, 0, 100, 0, 50, 50, 100, 100, 0, 100, 50, 50})}), makeValid},
		"a loop of a keep-out":  {file("", [2]string{"", polygon(oblong(-500, -500, 1000, 1000))}, [2]string{`"keep_out":1`, polygon([]float64{0, 0, 100, 0, 100, 50, 102, 48, 102, 52, 100, 50, 100, 100, 0, 100})}), makeValid},
		"corners of too much":   {file("", [2]string{"", polygon(circle(4000, 3))}), `which moves edges by up to 5 m: ogr2ogr -f GeoJSON -simplify 5 thin.geojson "farm.geojson"`},
		"parts that are fields": {file("", [2]string{"", polygon(oblong(0, 300, 50, 3), oblong(0, 0, 100, 100))}), "1.2 of 1 ha, 1.1 of 150 m²"},
	} {
		if f, err := read(c[0], nil, ""); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, %v, want %q", name, f.Changes, err, c[1])
		}
	}
}

// The member crs counts wherever drafts of the format allow it, and as a name alone; two that differ are an error, and so is a place that
// is none. Longitudes may go on to 360°.
func TestSystemsWithin(t *testing.T) {
	const member = `"crs":{"type":"name","properties":{"name":"EPSG:32632"}},`
	utm := polygon(oblong(434900, 5791700, 200, 100))
	datum := &earth.Datum{Lon: 8.0474, Lat: 52.2727}
	for _, text := range []string{
		file("", [2]string{"", "{" + member + utm[1:]}),
		strings.Replace(file("", [2]string{"", utm}), `"type":"Feature",`, `"type":"Feature",`+member, 1),
		`{"crs":"EPSG:32632",` + utm[1:],
		polygon(oblong(358.04591, 52.27183, 0.00293, 0.0009)),
	} {
		datum := datum
		if !strings.Contains(text, "32632") {
			datum = &earth.Datum{Lon: -1.9526, Lat: 52.2727}
		}
		if f, err := read(text, datum, ""); err != nil || math.Abs(math.Abs(planar.Area(f.Boundary))-2e4) > 200 {
			t.Errorf("%s: %g m², %v", text, planar.Area(f.Boundary), err)
		}
		if _, err := read(text, nil, ""); !errors.As(err, new(*earth.DegreesError)) {
			t.Errorf("%s without a datum: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		file("EPSG:25832", [2]string{"", "{" + member + utm[1:]}):         "feature 1: its crs is EPSG:32632, and another one of the file EPSG:25832",
		`{"type":"Polygon","coordinates":[[[null,0],[100,0],[100,100]]]}`: "coordinates of the file: null in place of a finite number",
		utm[:len(utm)-9]:        "it is cut off after",
		utm[:len(utm)-1] + ",}": "looking for beginning of object key string, at byte",
	} {
		if _, err := read(text, datum, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Files of other programs are read, or refused with the command that converts them.
func TestForms(t *testing.T) {
	plain := file("", [2]string{"", polygon(oblong(0, 0, 100, 100))})
	utf16Text := ""
	for _, u := range utf16.Encode([]rune("\uFEFF" + plain)) {
		utf16Text += string(binary.LittleEndian.AppendUint16(nil, u))
	}
	for name, text := range map[string]string{
		"byte order mark": "\uFEFF" + plain, "UTF-16": utf16Text,
		"a feature without a geometry": file("", [2]string{"", "null"}, [2]string{"", polygon(oblong(0, 0, 100, 100))}),
		"a collection in a collection": file("", [2]string{"", `{"type":"GeometryCollection","geometries":[{"type":"GeometryCollection","geometries":[` + polygon(oblong(0, 0, 100, 100)) + `]}]}`}),
		"the role field":               file("", [2]string{`"role":"field"`, polygon(oblong(0, 0, 100, 100))}),
	} {
		if f, err := read(text, nil, ""); err != nil || math.Abs(planar.Area(f.Boundary)) != 1e4 {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	for text, want := range map[string]string{
		"<?xml version=\"1.0\"?><kml>": "the file is XML, as KML and GML are, not GeoJSON; convert it: ogr2ogr -f GeoJSON -t_srs EPSG:4326 field.geojson \"farm.geojson\"",
		"PK\x03\x04\x14":               "the file is a ZIP archive, not GeoJSON; unpack it: unzip \"farm.geojson\"",
		"[]":                           "array in place of an object",
		"lon,lat\n8.0,52.0":            "the file is text, not GeoJSON; save the outline as GeoJSON with the program that has it",
	} {
		if _, err := read(text, nil, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
