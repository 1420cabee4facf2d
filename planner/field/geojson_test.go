// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner/earth"
)

const squareJSON = `[[[0,0],[10,0],[10,10],[0,10],[0,0]]]`

func TestReadField(t *testing.T) {
	square := orb.Polygon{plantest.Rect(0, 0, 10, 10)}
	pond := orb.Polygon{plantest.Rect(2, 2, 4, 4)}
	const pondJSON = `[[[2,2],[4,2],[4,4],[2,4],[2,2]]]`
	tests := []struct {
		name, json string
		want       Field
	}{
		{"geometry", `{"type":"Polygon","coordinates":` + squareJSON + `}`, Field{Boundary: square}},
		{"feature", `{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":` + squareJSON + `}}`, Field{Boundary: square}},
		{"one part", `{"type":"MultiPolygon","coordinates":[` + squareJSON + `]}`, Field{Boundary: square}},
		{"hole", `{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[2,2],[4,2],[4,4],[2,4],[2,2]]]}`,
			Field{Boundary: orb.Polygon{square[0], pond[0]}}},
		{"keep-outs", `{"type":"FeatureCollection","name":"north field","features":[
			{"type":"Feature","properties":{"keep_out":true,"name":"pond"},"geometry":{"type":"Polygon","coordinates":` + pondJSON + `}},
			{"type":"Feature","properties":{"role":"boundary","keep_out":false},"geometry":{"type":"Polygon","coordinates":` + squareJSON + `}},
			{"type":"Feature","properties":{"role":"keep_out"},"geometry":{"type":"MultiPolygon","coordinates":[` + pondJSON + `,` + pondJSON + `]}}]}`,
			Field{Boundary: square, KeepOuts: []orb.Polygon{pond, pond, pond}, KeepOutNames: []string{"pond", "", ""}}},
		{"height", `{"type":"Polygon","coordinates":[[[0,0,81.5],[10,0,82],[10,10,83],[0,10,83],[0,0,81.5]]]}`, Field{Boundary: square}},
		{"metres of the map", `{"type":"Feature","crs":{"type":"name","properties":{"name":"LOCAL_CS[\"farm\",UNIT[\"metre\",1]]"}},"geometry":{"type":"Polygon","coordinates":` + squareJSON + `}}`, Field{Boundary: square}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadField(strings.NewReader(tt.json), Source{})
			must.OK(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("differs (-want +got):\n%s", diff)
			}
		})
	}
}

// A square of a thousandth of a degree at 52.26° N, where Broom's Barn lies. The
// lengths of a degree there are 111 263 m of latitude and 68 272 m of longitude,
// from the series of the US National Geospatial-Intelligence Agency's calculator:
// 111132.92 - 559.82 cos 2φ + 1.175 cos 4φ and 111412.84 cos φ - 93.5 cos 3φ + 0.118 cos 5φ.
func TestReadFieldInDegrees(t *testing.T) {
	const text = `{"type":"Feature","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},
		"geometry":{"type":"Polygon","coordinates":[[[0.567,52.26],[0.568,52.26],[0.568,52.261],[0.567,52.261],[0.567,52.26]]]}}`
	f, err := ReadField(strings.NewReader(text), Source{Datum: &earth.Datum{Lon: 0.567, Lat: 52.26}})
	must.OK(t, err)
	phi := 52.2605 * math.Pi / 180
	height := (111132.92 - 559.82*math.Cos(2*phi) + 1.175*math.Cos(4*phi)) / 1000
	phi = 52.26 * math.Pi / 180
	width := (111412.84*math.Cos(phi) - 93.5*math.Cos(3*phi) + 0.118*math.Cos(5*phi)) / 1000
	corner := f.Boundary[0]
	if p := corner[0]; math.Hypot(p[0], p[1]) > 1e-6 {
		t.Errorf("the datum comes out at %v", p)
	}
	if p := corner[1]; math.Abs(p[0]-width) > 2e-3 || math.Abs(p[1]) > 2e-3 {
		t.Errorf("east corner at %v, want (%g, 0)", p, width)
	}
	if p := corner[3]; math.Abs(p[1]-height) > 2e-3 || math.Abs(p[0]) > 2e-3 {
		t.Errorf("north corner at %v, want (0, %g)", p, height)
	}
}

// Programs write yes and no as numbers, as text, or not at all.
func TestPropertiesOfOtherPrograms(t *testing.T) {
	read := func(properties string) (Field, error) {
		return ReadField(strings.NewReader(`{"type":"FeatureCollection","features":[
			{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":`+squareJSON+`}},
			{"type":"Feature","properties":{`+properties+`},"geometry":{"type":"Polygon","coordinates":[[[2,2],[4,2],[4,4],[2,2]]]}}]}`), Source{})
	}
	for _, properties := range []string{`"keep_out":1`, `"keep_out":1.0`, `"keep_out":"1"`, `"keep_out":"true"`, `"keep_out":" TRUE "`, `"keep_out":"yes"`,
		`"keep_out":"t"`, `"keep_out":true,"role":"","stddev":""`, `"keep_out":null,"role":"Keep_Out"`, `"role":"keep_out","stddev":null`} {
		if f, err := read(properties); err != nil || len(f.KeepOuts) != 1 || f.StdDev != 0 {
			t.Errorf("%s: %+v, %v; want a keep-out", properties, f, err)
		}
	}
	for _, properties := range []string{`"keep_out":0`, `"keep_out":0.0`, `"keep_out":"0"`, `"keep_out":"false"`, `"keep_out":"No"`, `"keep_out":"f"`, `"keep_out":false`, `"keep_out":null`, `"keep_out":""`} {
		if _, err := read(properties); err == nil || !strings.Contains(err.Error(), `2 of 2 m², but a mission explores only one; choose one by its number or name: FILE#1; an area to avoid needs the property "keep_out": true`) {
			t.Errorf("%s: %v; want no keep-out", properties, err)
		}
	}
	if f, err := read(`"role":"localization","stddev":" 2.5 "`); err != nil || len(f.Localization) != 1 || f.Localization[0].StdDev != 2.5 {
		t.Errorf("a number as text: %+v, %v", f, err)
	}
}

// A pond beside the field belongs to it, one of another field does not.
func TestKeepOutsBesideTheField(t *testing.T) {
	// A field of 300 m × 300 m whose south-west corner is 500 km east and 5800 km north of the origin.
	at := func(points ...float64) string {
		text := ""
		for i := 0; i < len(points); i += 2 {
			text += fmt.Sprintf("[%g,%g],", 500000+points[i], 5800000+points[i+1])
		}
		return `[[` + strings.TrimSuffix(text, ",") + `]]`
	}
	read := func(role string, others ...string) (Field, error) {
		text := `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":` + at(0, 0, 300, 0, 300, 300, 0, 300) + `}}`
		for _, p := range others {
			text += `,{"type":"Feature","properties":{"role":"` + role + `","stddev":2},"geometry":{"type":"Polygon","coordinates":` + p + `}}`
		}
		return ReadField(strings.NewReader(text+`]}`), Source{})
	}
	for name, c := range map[string]struct {
		polygon string
		outside int
		far     string // in the error
	}{
		"within":                  {at(100, 100, 150, 100, 150, 150), 0, ""},
		"across an edge":          {at(250, 100, 900, 100, 900, 150), 0, ""},
		"a ditch across all":      {at(-900, 100, 900, 100, 900, 105, -900, 105), 0, ""},
		"around the field":        {at(-900, -900, 900, -900, 900, 900, -900, 900), 0, ""},
		"at the edge":             {at(300, 100, 350, 100, 350, 150), 0, ""},
		"30 m beside an edge":     {at(330, 100, 350, 100, 350, 150), 1, ""},
		"its edge beside ours":    {at(350, -900, 350, 900, 400, 900), 1, ""},
		"beyond a corner":         {at(360, 380, 900, 380, 900, 900), 1, ""}, // 60 m and 80 m
		"farther than the corner": {at(366, 388, 900, 388, 900, 900), 1, "110 m outside the boundary"},
		"another field's":         {at(980, 100, 999, 100, 999, 150), 1, "680 m outside the boundary"},
	} {
		for role, kind := range map[string]string{"keep_out": "keep-out", "localization": "zone of localisation"} {
			f, err := read(role, at(10, 10, 20, 10, 20, 20), c.polygon)
			if c.far == "" {
				if role == "keep_out" && err == nil && f.Outside() != c.outside {
					t.Errorf("%s: %d outside, want %d", name, f.Outside(), c.outside)
				}
				must.OK(t, err)
			} else if err == nil || !strings.Contains(err.Error(), kind+" 2 of the file lies "+c.far+", at most 100 m") {
				t.Errorf("%s: %v, want %q of %s 2", name, err, c.far, kind)
			}
		}
	}
	_, err := read("keep_out", at(980, 100, 999, 100, 999, 150), at(0, 1000, 9, 1000, 9, 1001))
	if err == nil || !strings.Contains(err.Error(), "keep-out 1 ") || !strings.Contains(err.Error(), "keep-out 2 ") {
		t.Errorf("two far ones: %v", err)
	}
}

// A pond that is drawn to the edge of a field, as a hole, lies some micrometres beyond the edge in metres.
func TestHoleAtTheEdge(t *testing.T) {
	read := func(hole string) (Field, error) {
		return ReadField(strings.NewReader(`{"type":"Polygon","coordinates":[[[8.0456,52.2716],[8.0486,52.2716],[8.0486,52.2736],[8.0456,52.2736]],`+hole+`]}`),
			Source{Datum: &earth.Datum{Lon: 8.0471, Lat: 52.2726}})
	}
	f, err := read(`[[8.0456,52.2727],[8.0460,52.2727],[8.0460,52.2725],[8.0456,52.2725]]`)
	must.OK(t, err)
	r := mustRegion(t, f, 1)
	for _, c := range []struct {
		x, y float64
		free bool
	}{{-95, 0, false}, {-95, 20, true}, {0, 0, true}} {
		if r.Contains([]float64{c.x, c.y}) != c.free {
			t.Errorf("(%g, %g) is free: %v", c.x, c.y, !c.free)
		}
	}
	if _, err := read(`[[8.06,52.2727],[8.07,52.2727],[8.07,52.2725]]`); err == nil || !strings.Contains(err.Error(), "hole 1 of the boundary of the file lies 778 m outside the boundary") {
		t.Errorf("a hole elsewhere: %v", err)
	}
}

func TestReadFieldErrors(t *testing.T) {
	feature := func(properties, geometry string) string {
		return `{"type":"Feature","properties":` + properties + `,"geometry":` + geometry + `}`
	}
	square := `{"type":"Polygon","coordinates":` + squareJSON + `}`
	degrees := `{"type":"Polygon","coordinates":[[[11.5,48.1],[11.501,48.1],[11.501,48.101],[11.5,48.1]]]}`
	crs := func(name string) string {
		return `{"type":"Polygon","crs":{"type":"name","properties":{"name":"` + name + `"}},"coordinates":` + squareJSON + `}`
	}
	munich := &earth.Datum{Lon: 11.5, Lat: 48.1}
	tests := []struct {
		name, json string
		datum      *earth.Datum
		kind       error
		want       string
	}{
		{"nothing", ``, nil, errGeoJSON, "the file is empty: save or download it again"},
		{"a line's end", "\r\n", nil, errGeoJSON, "the file is empty"},
		{"the answer of a server", `{"error":{"code":403,"message":"Quota exceeded"}}`, nil, errGeoJSON, `has no member "type"`},
		{"a degree too many in one corner", `{"type":"Polygon","coordinates":[[[8.5123,52.1045],[8.5137,51.1045],[8.5137,52.1054],[8.5123,52.1054],[8.5123,52.1045]]]}`, nil, errGeoJSON, "corner 2 of the boundary, (8.5137, 51.1045), is far from all others, which are at (8.5123, 52.1045) and must be degrees"},
		{"longitude and latitude exchanged in the first corner", `{"type":"Polygon","coordinates":[[[52.1045,8.5123],[8.5137,52.1045],[8.5137,52.1054],[8.5123,52.1054],[52.1045,8.5123]]]}`, nil, errGeoJSON, "corner 1 of the boundary, (52.1045, 8.5123)"},
		{"a sign in degrees", `{"type":"Polygon","coordinates":[[[8.5123,52.1045],[8.5137,52.1045],[-8.5137,52.1054],[8.5123,52.1054]]]}`, &earth.Datum{Lon: 8.51, Lat: 52.1}, errGeoJSON, "corner 3 of the boundary"},
		{"degrees and minutes", `{"type":"Polygon","coordinates":[[[802.82,5216.35],[803.0,5216.35],[803.0,5216.45]]]}`, nil, errGeoJSON, "the boundary measures 0.18 by 0.1 m, want at least 0.5 m: its coordinates may be kilometres, or degrees and minutes"},
		{"a keep-out with latitude first", `{"type":"FeatureCollection","features":[` + feature("{}", degrees) + `,` + feature(`{"keep_out":true,"name":"pond"}`, `{"type":"Polygon","coordinates":[[[48.1,11.5],[48.1,11.501],[48.101,11.501]]]}`) + `]}`,
			munich, earth.ErrDatum, `keep-out "pond": invalid datum: (48.1°, 11.5°) is`},
		{"not JSON", `field`, nil, errGeoJSON, "not GeoJSON"},
		{"more than one value", square + square, nil, errGeoJSON, "not GeoJSON"},
		{"no type", `{}`, nil, errGeoJSON, `no member "type"`},
		{"a point", `{"type":"Point","coordinates":[1,2]}`, nil, errGeoJSON, `type "Point"`},
		{"a line among features", `{"type":"FeatureCollection","features":[` + feature("{}", square) + `,` + feature("{}", `{"type":"LineString","coordinates":[[1,2],[3,4]]}`) + `]}`, nil, errGeoJSON, `feature 2 is of type "LineString", want Polygon or MultiPolygon: make a polygon of the line in QGIS (Vector, Geometry Tools, Lines to Polygons), and save it as GeoJSON; if it is neither an edge nor a place to avoid, delete it`},
		{"metres declared as degrees", `{"type":"Polygon","crs":{"type":"name","properties":{"name":"EPSG:4258"}},"coordinates":[[[434927,5791800],[435127,5791800],[435127,5792000]]]}`, nil, earth.ErrDatum,
			"the first corner is (434927, 5791800), and the file declares EPSG:4258, which is longitude and latitude: correct the member crs"},
		{"a point", `{"type":"Point","coordinates":[1,2]}`, nil, errGeoJSON, `the file is of type "Point", want Polygon or MultiPolygon: points are no outline: draw one`},
		{"no features", `{"type":"FeatureCollection","features":[]}`, nil, errGeoJSON, "is empty"},
		{"a geometry among features", `{"type":"FeatureCollection","features":[` + square + `]}`, nil, errGeoJSON, `type "Polygon", want Feature`},
		{"no geometry", feature("{}", "null"), nil, errGeoJSON, "has no geometry"},
		{"only a keep-out", feature(`{"keep_out":true}`, square), nil, errGeoJSON, "no boundary"},
		{"two boundaries", `{"type":"FeatureCollection","features":[` + feature("{}", square) + `,` + feature(`{"name":"pond"}`, square) + `]}`, nil, errGeoJSON, `the file has 2 fields, or parts of fields: 1 of 100 m², 2 "pond" of 100 m², but a mission explores only one; choose one by its number or name: FILE#1`},
		{"two parts", `{"type":"MultiPolygon","coordinates":[` + squareJSON + `,` + squareJSON + `]}`, nil, errGeoJSON, "1.1 of 100 m², 1.2 of 100 m²"},
		{"no part", `{"type":"MultiPolygon","coordinates":[]}`, nil, errGeoJSON, "no polygon"},
		{"NaN", `{"type":"Polygon","coordinates":[[[NaN,0],[100,0],[100,100]]]}`, nil, errGeoJSON, "not GeoJSON: invalid character 'N' looking for beginning of value, at byte 36"},
		{"a word among the coordinates", `{"type":"Polygon","coordinates":[[["x",0],[100,0],[100,100]]]}`, nil, errGeoJSON, "coordinates of the file: string in place of a finite number"},
		{"an infinite coordinate", `{"type":"Polygon","coordinates":[[[1e400,0],[100,0],[100,100]]]}`, nil, errGeoJSON, "number 1e400 in place of a finite number"},
		{"too few brackets", `{"type":"Polygon","coordinates":[[0,0],[100,0],[100,100]]}`, nil, errGeoJSON, "number in place of a list"},
		{"no ring", `{"type":"Polygon","coordinates":[]}`, nil, errGeoJSON, "is empty"},
		{"no coordinates", `{"type":"Polygon"}`, nil, errGeoJSON, "coordinates of the file"},
		{"half a position", `{"type":"Polygon","coordinates":[[[0,0],[10],[10,10]]]}`, nil, errGeoJSON, "position 2 in ring 1 of the file has 1 numbers"},
		{"keep_out of no meaning", `{"type":"FeatureCollection","features":[` + feature("{}", square) + `,` + feature(`{"keep_out":"maybe"}`, square) + `]}`, nil, errGeoJSON, `feature 2 has the keep_out "maybe", want true, 1, "true" or "yes"`},
		{"keep_out of a number", feature(`{"keep_out":7}`, square), nil, errGeoJSON, `has the keep_out 7, want true, 1,`},
		{"keep_out of a list", feature(`{"keep_out":[true]}`, square), nil, errGeoJSON, `has the keep_out [true], want`},
		{"a number as role", feature(`{"role":3}`, square), nil, errGeoJSON, `the file has the role 3, want "boundary"`},
		{"a deviation with a comma", feature(`{"stddev":"0,5"}`, square), nil, errGeoJSON, `the file has the stddev "0,5", want a number`},
		{"an infinite deviation", feature(`{"stddev":"inf"}`, square), nil, errGeoJSON, `the file has the stddev "inf", want a number`},
		{"unknown role", feature(`{"role":"pitch"}`, square), nil, errGeoJSON, `the file has the role "pitch", want "boundary"`},
		{"a zone without its deviation", feature(`{"role":"localization"}`, square), nil, errGeoJSON, `the file has the role "localization" and no stddev`},
		{"a zone with a negative deviation", feature(`{"role":"localization","stddev":-1}`, square), nil, errGeoJSON, "the file has the stddev -1, want a number"},
		{"a zone that is a keep-out", feature(`{"role":"localization","keep_out":true,"stddev":1}`, square), nil, errGeoJSON, `the role "localization" and keep_out is true`},
		{"only a zone", feature(`{"role":"localization","stddev":1}`, square), nil, errGeoJSON, "no boundary"},
		{"crossing in degrees", `{"type":"Polygon","coordinates":[[[11.5,48.1],[11.501,48.101],[11.501,48.1],[11.5,48.101]]]}`, munich, errPolygon, "the boundary crosses or touches itself: edge (11.5, 48.1)–(11.501, 48.101) meets"},
		{"contradiction", feature(`{"role":"boundary","keep_out":true}`, square), nil, errGeoJSON, "keep_out is true"},
		{"degrees", degrees, nil, nil, "0.001 by 0.001 at (11.5, 48.1), which must be degrees, not metres; give the datum"},
		{"degrees by name", crs("urn:ogc:def:crs:OGC:1.3:CRS84"), nil, nil, "CRS84; give the datum"},
		{"metres with a datum", `{"type":"Polygon","coordinates":[[[0,0],[400,0],[400,300]]]}`, munich, earth.ErrDatum, "if the coordinates are metres, give no datum"},
		{"metres by name with a datum", crs("urn:ogc:def:crs:EPSG::32632"), munich, earth.ErrDatum, "5213 km from the datum"},
		{"latitude first", `{"type":"Polygon","coordinates":[[[48.1,11.5],[48.1,11.501],[48.101,11.501]]]}`, munich, earth.ErrDatum, "longitude comes first"},
		{"datum out of range", degrees, &earth.Datum{Lon: 11.5, Lat: 95}, earth.ErrDatum, "latitude is 95°"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := ReadField(strings.NewReader(tt.json), Source{Datum: tt.datum})
			if tt.kind == nil && errors.As(err, new(*earth.DegreesError)) {
				tt.kind = err
			}
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, %v, want an error of kind %q that says %q", f, err, tt.kind, tt.want)
			}
		})
	}
}

// Whatever is in the file, reading it neither panics nor gives a region that
// breaks its promises.
func FuzzReadField(f *testing.F) {
	f.Add(`{"type":"Polygon","coordinates":`+squareJSON+`}`, false)
	f.Add(`{"type":"Polygon","coordinates":[[[11.5,48.1],[11.501,48.1],[11.501,48.101],[11.5,48.1]]]}`, true)
	f.Add(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"keep_out":true},"geometry":{"type":"Polygon","coordinates":[[[2,2],[4,2],[4,4]]]}},{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[`+squareJSON+`]}}]}`, false)
	f.Add(`{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10]],[[1,1],[2,1],[2,2]],[[5,5],[6,5],[6,6]]]}`, false)
	f.Add(`{"type":"Polygon","crs":{"type":"name","properties":{"name":"EPSG:32632"}},"coordinates":[[[686000,5330000],[686400,5330000],[686400,5330300],[686900,5330300]]]}`, true)
	f.Add(`{"type":"Polygon","crs":{"type":"name","properties":{"name":"EPSG:3857"}},"coordinates":[[[1280000,6126000],[1280500,6126000],[1280500,6126500]]]}`, true)
	f.Fuzz(func(t *testing.T, text string, degrees bool) {
		var datum *earth.Datum
		if degrees {
			datum = &earth.Datum{Lon: 11.5, Lat: 48.1}
		}
		field, err := ReadField(strings.NewReader(text), Source{Datum: datum})
		if err != nil || len(text) > 2000 {
			return
		}
		r, err := NewRegion(field, 0.5)
		if err != nil {
			return
		}
		points := r.Points(5, plantest.Rand(1))
		for i := range 5 {
			x := points.RawRowView(i)
			if !r.Contains(x) {
				t.Fatalf("point %v is outside", x)
			}
			x[0] += 1
			if r.Project(x, x); !r.Contains(x) {
				t.Fatalf("projection %v is outside", x)
			}
		}
		if !(r.Area() >= 0) || r.Parts() < 1 {
			t.Fatalf("area %g, %d parts", r.Area(), r.Parts())
		}
	})
}

func TestWriteField(t *testing.T) {
	third := plantest.Rect(0, 0, 1.0/3, 6e4)
	for name, f := range map[string]Field{
		"boundary":  {Boundary: orb.Polygon{third}},
		"hole":      {Boundary: orb.Polygon{plantest.Rect(0, 0, 1000, 1000), plantest.Rect(2, 2, 4, 4)}},
		"keep-outs": {Boundary: orb.Polygon{plantest.Rect(0, 0, 1000, 1000)}, KeepOuts: []orb.Polygon{{plantest.Rect(2, 2, 4, 4)}, {plantest.Rect(5, 5, 9, 9), plantest.Rect(6, 6, 7, 7)}}},
	} {
		var b bytes.Buffer
		if err := WriteField(&b, f, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := ReadField(&b, Source{})
		if diff := cmp.Diff(f, got); err != nil || diff != "" {
			t.Errorf("%s: %v; read again it differs (-want +got):\n%s", name, err, diff)
		}
	}
	bad := Field{Boundary: orb.Polygon{{{0, 0}, {math.NaN(), 1}, {1, 1}, {0, 0}}}}
	if err := WriteField(new(bytes.Buffer), bad, nil); err == nil {
		t.Error("a point that is no number is written")
	}
}

// A field with a datum is written in degrees, to less than a millimetre, with the standard
// deviation of its edges, and not changed itself.
func TestWriteFieldDatum(t *testing.T) {
	datum := &earth.Datum{Lon: 8.05, Lat: 52.25}
	f := Field{Boundary: orb.Polygon{plantest.Rect(-100, -200, 900, 800)}, KeepOuts: []orb.Polygon{{plantest.Rect(2, 2, 4, 4)}}, StdDev: 0.25}
	want := f.clone()
	var b bytes.Buffer
	must.OK(t, WriteField(&b, f, datum))
	for _, part := range []string{`"datum":[8.05,52.25]`, `"keep_out":true`, `"stddev":0.25`} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %s in %s", part, &b)
		}
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("the field was changed:\n%s", diff)
	}
	got, err := ReadField(bytes.NewReader(b.Bytes()), Source{Datum: datum})
	_ = got.each(func(p *orb.Point) error {
		p[0], p[1] = math.Round(p[0]*1e3)/1e3, math.Round(p[1]*1e3)/1e3
		return nil
	})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v; read again it differs (-want +got):\n%s", err, diff)
	}
	var degrees *earth.DegreesError
	if _, err := ReadField(&b, Source{}); !errors.As(err, &degrees) || degrees.Datum != *datum {
		t.Errorf("without the datum: %v, want one with %v, which is in the file", err, datum)
	}
	if err := WriteField(new(bytes.Buffer), f, &earth.Datum{Lat: 90}); !errors.Is(err, earth.ErrDatum) {
		t.Errorf("at a pole: %v", err)
	}
}

// A zone of localisation is no edge: it is read and written beside the outline, in either
// kind of coordinates, and its standard deviation is not the edges'.
func TestLocalizationZone(t *testing.T) {
	const text = `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {"stddev": 0.25}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [900, 0], [0, 900], [0, 0]]]}},
		{"type": "Feature", "properties": {"role": "localization", "stddev": 5}, "geometry": {"type": "Polygon", "coordinates": [[[1, 1], [9, 1], [1, 9], [1, 1]]]}}]}`
	f, err := ReadField(strings.NewReader(text), Source{})
	if err != nil || len(f.KeepOuts) != 0 || f.StdDev != 0.25 || len(f.Localization) != 1 || f.Localization[0].StdDev != 5 || len(f.Localization[0].Polygon[0]) != 4 {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, datum := range []*earth.Datum{nil, {Lon: 8.05, Lat: 52.25}} {
		var out bytes.Buffer
		must.OK(t, WriteField(&out, f, datum))
		again, err := ReadField(&out, Source{Datum: datum})
		must.OK(t, err)
		if len(again.Localization) != 1 || again.Localization[0].StdDev != 5 || again.StdDev != 0.25 {
			t.Fatalf("datum %v: read %+v", datum, again)
		}
		for i, p := range again.Localization[0].Polygon[0] {
			if q := f.Localization[0].Polygon[0][i]; math.Hypot(p[0]-q[0], p[1]-q[1]) > 1e-3 {
				t.Errorf("datum %v: point %d of the zone is %v, was %v", datum, i+1, p, q)
			}
		}
	}
	if f.Localization[0].Polygon[0][1] != (orb.Point{9, 1}) {
		t.Errorf("writing has changed the zone: %v", f.Localization)
	}
}
