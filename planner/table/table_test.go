// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/earth"
)

// utf16Of returns a text in UTF-16 with or without a byte order mark.
func utf16Of(order binary.AppendByteOrder, mark bool, text string) string {
	if mark {
		text = "\uFEFF" + text
	}
	var data []byte
	for _, u := range utf16.Encode([]rune(text)) {
		data = order.AppendUint16(data, u)
	}
	return string(data)
}

var datum = &earth.Datum{Lon: 9.5, Lat: 51.2}

// Each form that the package's table of formats lists is read as the same.
func TestForms(t *testing.T) {
	const plain = "x,y,Größe\n1.5,2,3.25\n-4,5e1,6\n"
	latin := strings.NewReplacer("ö", "\xf6", "ß", "\xdf").Replace(plain)
	for name, text := range map[string]string{
		"commas":                         plain,
		"semicolons":                     strings.ReplaceAll(plain, ",", ";"),
		"tabs":                           strings.ReplaceAll(plain, ",", "\t"),
		"decimal commas":                 "x;y;Größe\n1,5;2;3,25\n-4;5e1;6\n",
		"decimal commas, tabs":           "x\ty\tGröße\n1,5\t2\t3,25\n-4\t5e1\t6\n",
		"decimal commas in quotes":       "x,y,Größe\n\"1,5\",2,\"3,25\"\n-4,5e1,6\n",
		"bars":                           strings.ReplaceAll(plain, ",", "|"),
		"the separator of Excel":         "sep=;\n" + strings.ReplaceAll(plain, ",", ";"),
		"separators at the ends":         "x,y,Größe\n1.5,2,3.25,\n-4,5e1,6,,\n",
		"carriage returns alone":         strings.ReplaceAll(plain, "\n", "\r"),
		"the minus of typesetters":       strings.ReplaceAll(plain, "-", "\u2212"),
		"byte order mark":                "\uFEFF" + plain,
		"UTF-16, little endian":          utf16Of(binary.LittleEndian, true, plain),
		"UTF-16, big endian":             utf16Of(binary.BigEndian, true, plain),
		"UTF-16, little endian, no mark": utf16Of(binary.LittleEndian, false, plain),
		"UTF-16, big endian, no mark":    utf16Of(binary.BigEndian, false, plain),
		"Latin-1":                        latin,
		"comments, empty lines, CR":      "# by hand\r\n\r\nx,y,Größe\r\n1.5,2,3.25\r\n# again\r\n-4,5e1,6\r\n\r\n",
		"quotes and spaces":              "\"x\", \"y\", \"Größe\"\n\"1.5\", 2, 3.25 \n-4, \"5e1\", 6",
		"units of names":                 "X_m,Y [m],Größe\n1.5,2,3.25\n-4,5e1,6\n",
		"GeoJSON": `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"LOCAL_CS[\"map\",UNIT[\"metre\",1]]"}},"features":[
			{"type":"Feature","properties":{"Größe":3.25},"geometry":{"type":"Point","coordinates":[1.5,2,7]}},
			{"type":"Feature","properties":{"Größe":"6,0"},"geometry":{"type":"MultiPoint","coordinates":[[-4,50]]}}]}`,
	} {
		table, err := Read([]byte(text), 10)
		if err == nil {
			err = table.Locate(nil)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		column, err := table.ValueColumn("", "")
		must.OK(t, err)
		values, none, err := table.Values(column)
		if err != nil || none.Count() != 0 || fmt.Sprint(values) != "[3.25 6]" || table.Names[column] != "Größe" {
			t.Errorf("%s: %s %v, %v, %v", name, table.Names[column], values, none, err)
		}
		for i, want := range []orb.Point{{1.5, 2}, {-4, 50}} {
			if at, err := table.Place(i); err != nil || at != want {
				t.Errorf("%s: row %d is at %v, %v", name, i, at, err)
			}
		}
	}
}

// Each kind of coordinates that the package's list has is the same place, 300 m east and 400 m north of the datum.
func TestPlaces(t *testing.T) {
	want := orb.Point{300, 400}
	lon, lat := datum.LonLat(want[0], want[1])
	in := func(kind earth.Kind) orb.Point {
		s, err := earth.New(kind, datum)
		must.OK(t, err)
		return s.Of(want)
	}
	utm, etrs, web := in(earth.UTM), in("EPSG:25832"), in("EPSG:3857")
	for name, text := range map[string]string{
		"lon and lat":                   fmt.Sprintf("lon,lat,v\n%.9f,%.9f,1\n", lon, lat),
		"Longitude (deg)":               fmt.Sprintf("v,Latitude (deg),Longitude (deg)\n1,%.9f,%.9f\n", lat, lon),
		"lng":                           fmt.Sprintf("lat,lng,v\n%.9f,%.9f,1\n", lat, lon),
		"beside easting and northing":   fmt.Sprintf("Easting,Northing,lon,lat,v\n%g,%g,%.9f,%.9f,1\n", utm[0], utm[1], lon, lat),
		"beside x and y":                fmt.Sprintf("x,y,lon,lat,v\n%g,%g,%.9f,%.9f,1\n", 1e3, 2e3, lon, lat),
		"x and y in degrees":            fmt.Sprintf("X,Y,v\n%.9f,%.9f,1\n", lon, lat),
		"easting, northing and epsg":    fmt.Sprintf("easting,northing,epsg,v\n%f,%f,32632,1\n", utm[0], utm[1]),
		"ETRS89 by EN_EPSG":             fmt.Sprintf("Easting,Northing,EN_EPSG,v\n%f,%f,25832,1\n", etrs[0], etrs[1]),
		"web Mercator by crs":           fmt.Sprintf("x,y,crs,v\n%f,%f,EPSG:3857,1\n", web[0], web[1]),
		"x and y":                       "x,y,v\n300,400,1\n",
		"GeoJSON":                       fmt.Sprintf(`{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[%.9f,%.9f]},"properties":{"v":1}}]}`, lon, lat),
		"GeoJSON in UTM":                fmt.Sprintf(`{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32632"}},"features":[{"geometry":{"type":"Point","coordinates":[%f,%f]},"properties":{"v":1}}]}`, utm[0], utm[1]),
		"GeoJSON with the code of 2008": fmt.Sprintf(`{"type":"FeatureCollection","crs":{"type":"EPSG","properties":{"code":4326}},"features":[{"geometry":{"type":"Point","coordinates":[%.9f,%.9f]},"properties":{"v":1}}]}`, lon, lat),
	} {
		table, err := Read([]byte(text), 10)
		if err == nil {
			err = table.Locate(datum)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if at, err := table.Place(0); err != nil || math.Hypot(at[0]-want[0], at[1]-want[1]) > 2e-3 {
			t.Errorf("%s: %v, %v, want %v", name, at, err, want)
		}
	}
	// Without a datum metres are those of the map, and places on the earth say where their middle is.
	for text, metres := range map[string]bool{
		"east,north,v\n300,400,1\n": true, "x,y,lon,lat,v\n300,400,9.5,51.2,1\n": true, "x,y,v\n300.1,400.2,1\n300.2,400.3,1\n300.3,400.1,2\n": true, "x,y,v\n9.5,51.2,1\n9.5,51.2,2\n": true,
		fmt.Sprintf("lon,lat,v\n%f,%f,1\n%f,%f,1\n", lon-0.001, lat-0.001, lon+0.001, lat+0.001):            false,
		fmt.Sprintf("X,Y,v\n%f,%f,1\n%f,%f,1\n%f,%f,1\n", lon-1e-3, lat, lon, lat+1e-3, lon+1e-3, lat-1e-3): false,
		fmt.Sprintf("easting,northing,epsg,v\n%f,%f,32632,1\n", utm[0], utm[1]):                             false,
	} {
		table, err := Read([]byte(text), 10)
		must.OK(t, err)
		err = table.Locate(nil)
		var missing *earth.DegreesError
		switch {
		case metres && err != nil, !metres && !errors.As(err, &missing):
			t.Errorf("%q: %v", text, err)
		case !metres:
			if x, y, err := missing.Datum.Plane(lon, lat); err != nil || math.Hypot(x, y) > 0.2 {
				t.Errorf("%q suggests the datum %v", text, missing.Datum)
			}
		}
	}
}

// What is no value is counted by what stands there, and what could be one is kept.
func TestValues(t *testing.T) {
	for _, c := range []struct{ cells, want, says string }{
		{"10|12|11", "[10 12 11]", ""},
		{"10||NA|n/a|nan|NULL|-|12", "[10 NaN NaN NaN NaN NaN NaN 12]", "6 of 8 rows have no v (nothing in 1, - in 1, NA in 1, NULL in 1, n/a in 1, and 1 other text) and are left out"},
		{"10|-9999|12|-9999", "[10 NaN 12 NaN]", "2 of 4 rows have no v (-9999 in 2) and are left out"},
		{"10|65535|12|1e30|-3.4e38|11", "[10 NaN 12 NaN NaN 11]", "3 of 6 rows have no v (-3.4e38 in 1, 1e30 in 1, 65535 in 1) and are left out"},
		{"-50|-99|40", "[-50 -99 40]", ""},     // a temperature
		{"980|999|1015", "[980 999 1015]", ""}, // a pressure
		{"0.1|-9|0.3", "[0.1 -9 0.3]", ""},     // no code
		{"0.1|-99|0.3", "[0.1 NaN 0.3]", "1 of 3 rows have no v (-99 in 1) and are left out"},
		{"20|20|-999", "[20 20 NaN]", "1 of 3 rows have no v (-999 in 1) and are left out"},
		{"-9999|-9999", "[-9999 -9999]", ""}, // with nothing to compare them with
	} {
		table, err := Read([]byte("v;w\n"+strings.ReplaceAll(c.cells, "|", ";1\n")+";1\n"), 100)
		must.OK(t, err)
		values, none, err := table.Values(0)
		if err != nil || fmt.Sprint(values) != c.want || none.String() != c.says {
			t.Errorf("%s: %v %q, %v; want %s %q", c.cells, values, none, err, c.want, c.says)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "the file is empty",
		"1,2,3\n4,5,6\n":                        "the first line begins with the number 1, so it does not name the columns",
		"x,y,v\n1,2\n":                          "line 2 has 2 columns, want 3",
		"a,b,v\n1,2,3\n":                        "there are no columns of coordinates, want lon and lat",
		"lon,y,v\n1,2,3\n":                      "there are no columns of coordinates",
		"WKT,v\nPOINT (8 52),3\n":               "its columns are WKT, v: rename two of them, or export the coordinates too (in QGIS: Geometry AS_XY)",
		"x_m,x [m],y,v\n1,2,3,4\n":              "there are two columns x",
		"x,y,value,value\n1,2,3,4\n":            "there are two columns value",
		"x,y,value\n1,2,\"1,234\"\n":            `line 2: column value is "1,234", want a finite number without separators of thousands`,
		"x;y;value\n1;2.5;1,234\n":              `line 2: column value is "1,234", want a finite number without separators of thousands`,
		"x;y;value\n1;2;1.234,5\n":              `line 2: column value is "1.234,5", want a finite number without separators of thousands`,
		"x;y;value\n1;2;3 mg/l\n":               `line 2: column value is "3 mg/l", want a finite number without separators of thousands or a unit`,
		"lon;lat;v\n8°30'03\"E;52°15'10\"N;3\n": `line 2, column 9: bare " in non-quoted-field: write degrees as a number, such as 8.5008, without minutes and seconds`,
		"lon;lat;v\n8°30,05'E;52°15,17'N;3\n":   "column lon is \"8°30,05'E\", want a finite number: write degrees as a number",
		"x;y;value\n1;2;<0,5\n":                 `line 2: column value is "<0,5", want a finite number: in place of a limit, give a value within it`,
		"x y value\n1 2 3\n":                    "its columns are x y value: separate columns by commas, semicolons, tabs or bars",
		"x,y,id\n1,2,3\n":                       "there is no column value, but 0 besides the coordinates: name the one with the quantity by --column; its columns are x, y, id",
		"Lab 7\nx,y,value\n1,2,3\n":             `line 2 has 3 columns, but the first line has one, "Lab 7": delete all lines before`,
		"easting,northing,v\n1,2,3\n":           "easting and northing have no coordinate system: add a column epsg with its number, such as 32632, UTM zone 32N",
		"x,y,clay,sand\n1,2,3,4\n":              "there is no column value, but 2 besides the coordinates: name the one with the quantity by --column; its columns are x, y, clay, sand",
		"x,y,value\n1,2,three\n":                `line 2: column value is "three", want a finite number`,
		"x,y,value\n1,2,NA\n":                   "no row has a value in column value",
		"x,y,value\n1,,3\n":                     "line 2: column y is empty, want a number",
		"x,y,epsg,value\n1,2,27700,3\n":         "line 2: column epsg: its coordinates are in 27700, which is not supported",
		"x,y,epsg,value\n1,2,,3\n":              "line 2: column epsg is empty, want the EPSG number",
		"lat,lon,value\n9.5,51.2,3\n":           "line 2: lon and lat are 51.2 and 9.5",
		`{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[null,1]},"properties":{"v":1}}]}`: "line 1, feature 1: its coordinates are [null,1], want two numbers",
		`{"type":"FeatureCollection","crs":{"type":"link","properties":{"href":"x"}},"features":[]}`:                          "its coordinates are in a crs of type link, which is not supported",
	} {
		table, err := Read([]byte(text), 10)
		if err == nil {
			err = table.Locate(datum)
		}
		column := 0
		if err == nil {
			column, err = table.ValueColumn("", "--column")
		}
		if err == nil {
			_, _, err = table.Values(column)
		}
		for i := 0; err == nil && i < table.Len(); i++ {
			if _, err = table.Place(i); err != nil {
				err = fmt.Errorf("%s: %w", table.Where(i), err)
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := Read([]byte("x,y,v\n1,2,3\n1,2,3\n"), 1); err == nil || !strings.Contains(err.Error(), "more than 1 samples") {
		t.Errorf("too many rows: %v", err)
	}
}

// A comma before three digits is that of a decimal number where no number has a point and the columns have other separators.
func TestThousands(t *testing.T) {
	for text, want := range map[string]float64{"x;y;v\n1,5;2;1,234\n": 1.234, "x,y,v\n1.5,2,\"0,234\"\n": 0.234, "x;y;v\n1.5;2;1,25\n": 1.25} {
		table, err := Read([]byte(text), 10)
		if err == nil {
			err = table.Locate(nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if values, _, err := table.Values(2); err != nil || values[0] != want {
			t.Errorf("%q: %v, %v, want %g", text, values, err, want)
		}
	}
}

// Any bytes are an error, or a table of finite places and values.
func FuzzRead(f *testing.F) {
	f.Add([]byte("lon;lat;v\n9,5;51,2;3\n"))
	f.Add([]byte(utf16Of(binary.LittleEndian, true, "x\ty\tv\n1\t2\t-9999\n")))
	f.Add([]byte("easting,northing,epsg,v\n5e5,5.67e6,32632,1\n"))
	f.Add([]byte(`{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[9.5,51.2]},"properties":{"v":1}},{"geometry":{"type":"Point","coordinates":[9.5,51.2]},"properties":{"w":"1"}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range []*earth.Datum{nil, datum} {
			table, err := Read(data, 1000)
			if err != nil || table.Locate(d) != nil {
				return
			}
			column, err := table.ValueColumn("", "")
			if err != nil {
				return
			}
			values, none, err := table.Values(column)
			if err != nil {
				return
			}
			missing := 0
			for i, v := range values {
				at, err := table.Place(i)
				if bad := math.IsNaN(at[0]+at[1]) || math.IsInf(at[0], 0) || math.IsInf(at[1], 0); err == nil && bad || math.IsInf(v, 0) {
					t.Fatalf("row %d: %v %g", i, at, v)
				}
				if math.IsNaN(v) {
					missing++
				}
			}
			if missing != none.Count() {
				t.Fatalf("%d of %v are missing: %v", missing, values, none)
			}
		}
	})
}
