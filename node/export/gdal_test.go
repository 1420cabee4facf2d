// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export_test

import (
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/gdaltest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
)

// bound has a maximum and a minimum of two numbers.
type bound struct{ west, east, south, north float64 }

// cornersOf returns the corners of a map by gdalinfo, and its size.
func cornersOf(t *testing.T, file, system string) (b bound, width, height int) {
	t.Helper()
	var got struct {
		Size             [2]int
		GeoTransform     [6]float64
		CoordinateSystem struct{ WKT string }
		Bands            []struct{ Type, Unit string }
	}
	gdaltest.JSON(t, &got, "gdalinfo", "-json", file)
	if !strings.Contains(got.CoordinateSystem.WKT, system) {
		t.Errorf("%s: the system is %s, want %s", file, got.CoordinateSystem.WKT, system)
	}
	if len(got.Bands) != 1 || got.Bands[0].Type != "Float32" || got.Bands[0].Unit != "mg/l" {
		t.Errorf("%s: bands %+v", file, got.Bands)
	}
	width, height = got.Size[0], got.Size[1]
	g := got.GeoTransform
	if g[2] != 0 || g[4] != 0 || g[5] >= 0 {
		t.Errorf("%s: geotransform %v is not north-up", file, g)
	}
	return bound{west: g[0], east: g[0] + float64(width)*g[1], south: g[3] + float64(height)*g[5], north: g[3]}, width, height
}

// valuesAt returns the values of a map at places, by gdallocationinfo; NaN: no data.
func valuesAt(t *testing.T, file string, places []record.Place) []float64 {
	t.Helper()
	var input strings.Builder
	for _, p := range places {
		fmt.Fprintf(&input, "%.12f %.12f\n", p[0], p[1])
	}
	out := strings.Fields(gdaltest.Run(t, input.String(), "gdallocationinfo", "-valonly", "-geoloc", file))
	if len(out) != len(places) {
		t.Fatalf("%s: %d values at %d places", file, len(out), len(places))
	}
	values := make([]float64, len(out))
	for i, text := range out {
		if _, err := fmt.Sscan(text, &values[i]); err != nil {
			t.Fatal(err)
		}
	}
	return values
}

// GDAL finds in the maps, at places on the earth, the posterior at these places, and no data
// outside the outline and in the keep-out. The datum lies at the edge of its UTM zone, where
// the map frame is turned by more than a degree.
func TestGDALReadsMaps(t *testing.T) {
	gdaltest.Need(t)
	m, surface := mission(t)
	datum := &earth.Datum{Lon: 5.9, Lat: 52}
	for kind, system := range map[earth.Kind]string{earth.Local: `ENGCRS["metres of the map"`, earth.WGS84: `ID["EPSG",4326]`, earth.UTM: `ID["EPSG",32631]`} {
		t.Run(string(kind), func(t *testing.T) {
			dir := t.TempDir()
			o := export.DefaultOptions(m)
			o.CRS, o.Datum, o.Cell = kind, datum, 10
			if _, err := export.Write(dir, m, surface, o); err != nil {
				t.Fatal(err)
			}
			s, err := earth.New(kind, datum)
			must.OK(t, err)
			// The field measures 700 m by 1240 m from (20, 0) m.
			b, width, height := cornersOf(t, filepath.Join(dir, "mean.tif"), system)
			lo, hi := s.Of(record.Place{20, 0}), s.Of(record.Place{720, 1240})
			dx, dy := (b.east-b.west)/float64(width), (b.north-b.south)/float64(height)
			if turned := 40 * dx; kind == earth.Local && b != (bound{west: 20, east: 720, south: 0, north: 1240}) ||
				b.west > lo[0] || b.east < hi[0] || b.south > lo[1] || b.north < hi[1] || b.west < lo[0]-turned || b.north > hi[1]+40*dy {
				t.Errorf("corners %+v, want them about %v and %v", b, lo, hi)
			}
			stepX, stepY := s.Step(record.Place{370, 620}, 10)
			if math.Abs(dx/stepX-1) > 1e-3 || math.Abs(dy/stepY-1) > 1e-3 {
				t.Errorf("cells of %g by %g, want %g by %g", dx, dy, stepX, stepY)
			}
			// Cells, by their centres: inside, in the keep-out, outside.
			var at, places []record.Place
			for _, p := range []record.Place{{430, 30}, {100, 900}, {500, 890}, {650, 200}, {600, 1150}, {355, 590}, {30, 1200}, {710, 1000}, {45, 30}} {
				c := s.Of(p)
				i, j := math.Floor((c[0]-b.west)/dx), math.Floor((b.north-c[1])/dy)
				centre := record.Place{b.west + (i+0.5)*dx, b.north - (j+0.5)*dy}
				at = append(at, centre)
				p, err := s.Place(centre)
				must.OK(t, err)
				places = append(places, p)
			}
			const inside = 5
			mean, stdDev := surface(places)
			for name, want := range map[string][]float64{"mean.tif": mean, "stddev.tif": stdDev} {
				for i, got := range valuesAt(t, filepath.Join(dir, name), at) {
					if i >= inside && !math.IsNaN(got) {
						t.Errorf("%s has %g at %v, where there is no data", name, got, places[i])
					}
					if i < inside && !(math.Abs(got-want[i]) <= 1e-6*math.Abs(want[i])) {
						t.Errorf("%s has %g at %v, want %g", name, got, places[i], want[i])
					}
				}
			}
		})
	}
}

// A sensor takes the logarithm: GDAL finds the median and its limits in mg/l, and beside them the logarithm, each
// with a style from its lowest value to its highest.
func TestGDALReadsMapsOfLogarithms(t *testing.T) {
	gdaltest.Need(t)
	m, linear := mission(t)
	m.Quantity, m.Units = "log10 K", "log10(mg/l)"
	surface := func(at []record.Place) (mean, stdDev []float64) {
		mean, stdDev = linear(at)
		for i := range mean {
			mean[i], stdDev[i] = mean[i]/20, stdDev[i]/20
		}
		return mean, stdDev
	}
	dir, o := t.TempDir(), export.DefaultOptions(m)
	o.Cell = 20
	if _, err := export.Write(dir, m, surface, o); err != nil {
		t.Fatal(err)
	}
	place := record.Place{430, 30} // the centre of a cell
	mean, stdDev := surface([]record.Place{place})
	at := func(sigmas float64) float64 { return math.Pow(10, mean[0]+sigmas*stdDev[0]) }
	for name, want := range map[string]struct {
		value      float64
		unit, what string
	}{
		"mean":         {at(0), "mg/l", "posterior median of K:"},
		"low":          {at(-2), "mg/l", "lower limit of the interval in which K lies"},
		"high":         {at(2), "mg/l", "upper limit of the interval in which K lies"},
		"stddev":       {(at(1) - at(-1)) / 2, "mg/l", "posterior standard deviation of K:"},
		"mean_log10":   {mean[0], "log10(mg/l)", "posterior mean of log10 K"},
		"stddev_log10": {stdDev[0], "log10(mg/l)", "posterior standard deviation of log10 K"},
	} {
		file := filepath.Join(dir, name+".tif")
		if got := valuesAt(t, file, []record.Place{place})[0]; !(math.Abs(got/want.value-1) < 1e-6) {
			t.Errorf("%s has %g, want %g", name, got, want.value)
		}
		var info struct {
			Bands []struct {
				Unit, Description        string
				ComputedMin, ComputedMax float64
			}
		}
		gdaltest.JSON(t, &info, "gdalinfo", "-json", "-mm", file)
		if b := info.Bands[0]; b.Unit != want.unit || !strings.HasPrefix(b.Description, want.what) {
			t.Errorf("%s: %+v", name, b)
		}
		style, err := os.ReadFile(filepath.Join(dir, name+".qml"))
		must.OK(t, err)
		var shown struct {
			Renderer struct {
				Low  float64 `xml:"classificationMin,attr"`
				High float64 `xml:"classificationMax,attr"`
			} `xml:"pipe>rasterrenderer"`
		}
		must.OK(t, xml.Unmarshal(style, &shown))
		if b := info.Bands[0]; math.Abs(shown.Renderer.Low-b.ComputedMin) > 1e-3 || math.Abs(shown.Renderer.High-b.ComputedMax) > 1e-3 { // it writes three decimals
			t.Errorf("%s.qml: %+v; the map has %+v", name, shown, b)
		}
	}
}

// cellsOf returns the values of all cells of a map.
func cellsOf(t *testing.T, file string) []float64 {
	t.Helper()
	rows := filepath.Join(t.TempDir(), "cells.xyz")
	gdaltest.Run(t, "", "gdal_translate", "-q", "-of", "XYZ", "-co", "DECIMAL_PRECISION=9", file, rows)
	data, err := os.ReadFile(rows)
	must.OK(t, err)
	fields := strings.Fields(string(data))
	values := make([]float64, len(fields)/3)
	for i := range values {
		if _, err := fmt.Sscan(fields[3*i+2], &values[i]); err != nil {
			t.Fatal(err)
		}
	}
	return values
}

// GDAL's picture of the zones has, in each cell of the map, the zone with its mean, and
// nothing where the map has no data.
func TestGDALReadsZones(t *testing.T) {
	gdaltest.Need(t)
	m, surface := mission(t)
	datum := &earth.Datum{Lon: 5.9, Lat: 52}
	level := 24.0
	for _, c := range []struct {
		kind      earth.Kind
		threshold *float64
	}{{earth.UTM, nil}, {earth.WGS84, &level}, {earth.Local, nil}} {
		dir := t.TempDir()
		o := export.DefaultOptions(m)
		o.CRS, o.Datum, o.Cell, o.Threshold = c.kind, datum, 10, c.threshold
		o.Track = []record.Place{{430, 20}, {500, 300}, {510, 890}}
		if _, err := export.Write(dir, m, surface, o); err != nil {
			t.Fatal(err)
		}
		s, err := earth.New(c.kind, datum)
		must.OK(t, err)
		var layer struct {
			Features []struct {
				Properties struct {
					Zone      int
					Low, High *float64
				}
			}
		}
		readJSON(t, filepath.Join(dir, "zones.geojson"), &layer)
		b, width, height := cornersOf(t, filepath.Join(dir, "mean.tif"), "")
		picture := filepath.Join(dir, "zones.tif")
		number := func(v float64) string { return fmt.Sprintf("%.12f", v) }
		gdaltest.Run(t, "", "gdal_rasterize", "-q", "-a", "zone", "-ot", "Byte", "-te", number(b.west), number(b.south), number(b.east), number(b.north),
			"-ts", fmt.Sprint(width), fmt.Sprint(height), filepath.Join(dir, "zones.geojson"), picture)
		zones, mean := cellsOf(t, picture), cellsOf(t, filepath.Join(dir, "mean.tif"))
		wrong, cells := 0, 0
		for i, v := range mean {
			if math.IsNaN(v) != (zones[i] == 0) {
				wrong++ // its centre lies on the outline, or within rounding of it
				continue
			}
			if zones[i] == 0 {
				continue
			}
			cells++
			p := layer.Features[int(zones[i])-1].Properties
			const near = 0.05 // mg/l, of the interpolation between cells
			if p.Low != nil && v < *p.Low-near || p.High != nil && v > *p.High+near {
				t.Fatalf("%s: a cell with %g is in zone %+v", c.kind, v, p)
			}
		}
		if want := map[bool]int{true: 4, false: 2}[c.threshold == nil]; len(layer.Features) != want || wrong > cells/500 || cells < 6000 {
			t.Errorf("%s: %d zones, want %d; %d of %d cells are on the wrong side of the outline", c.kind, len(layer.Features), want, wrong, cells)
		}
		for name, geometry := range map[string]string{"zones": "Multi Polygon", "contours": "Multi Line String", "samples": "Point", "recommended": "Point", "field": "Polygon", "path": "Line String"} {
			about := gdaltest.Run(t, "", "ogrinfo", "-al", "-so", filepath.Join(dir, name+".geojson"))
			system := map[bool]string{true: `ENGCRS["metres of the map"`, false: fmt.Sprintf(`ID["EPSG",%d]`, s.EPSG)}[s.EPSG == 0]
			for _, want := range []string{"Layer name: " + name, "Geometry: " + geometry, system} {
				if !strings.Contains(about, want) {
					t.Errorf("%s: %s: no %q in\n%s", c.kind, name, want, about)
				}
			}
		}
	}
}

// GDAL finds all layers in the KML, at the places of the other files, and reads the table of the zones;
// the colours for QGIS reach from the lowest value of a map to the highest, and name each zone.
func TestGDALReadsKMLAndStyles(t *testing.T) {
	gdaltest.Need(t)
	m, surface := mission(t)
	dir := t.TempDir()
	o := export.DefaultOptions(m)
	o.Datum, o.Track = &earth.Datum{Lon: -56.9, Lat: -33.51}, []record.Place{{430, 20}, {500, 300}, {510, 890}}
	r, err := export.Write(dir, m, surface, o)
	must.OK(t, err)
	in := func(name string) string { return filepath.Join(dir, name) }
	about := gdaltest.Run(t, "", "ogrinfo", "-al", "-so", in("mission.kml"))
	for layer, count := range map[string]int{"samples": 40, "recommended": 1, "field": 2, "path": 1, "zones": 4} {
		of := gdaltest.Run(t, "", "ogrinfo", "-al", "-so", in(layer+".geojson"))
		_, extent, _ := strings.Cut(of, "Extent: ")
		extent, _, _ = strings.Cut(extent, "\n")
		_, part, _ := strings.Cut(about, "Layer name: "+layer+"\n")
		part, _, _ = strings.Cut(part, "Layer name: ")
		if count := fmt.Sprintf("Feature Count: %d\n", count); !strings.Contains(part, count) || !strings.Contains(part, extent) || !strings.Contains(of, count) {
			t.Errorf("%s: want %sand the extent %s of the GeoJSON in\n%s", layer, count, extent, part)
		}
	}
	if about := gdaltest.Run(t, "", "ogrinfo", "-al", in("zones.csv")); !strings.Contains(about, "Feature Count: 4") || !strings.Contains(about, "area_ha") {
		t.Errorf("zones.csv: %s", about)
	}
	type style struct {
		Shader struct {
			Low   float64 `xml:"minimumValue,attr"`
			High  float64 `xml:"maximumValue,attr"`
			Items []struct {
				Value float64 `xml:"value,attr"`
			} `xml:"item"`
		} `xml:"pipe>rasterrenderer>rastershader>colorrampshader"`
		Zones []struct {
			Value int `xml:"value,attr"`
		} `xml:"renderer-v2>categories>category"`
		Symbols []struct{} `xml:"renderer-v2>symbols>symbol"`
	}
	read := func(name string) (s style) {
		data, err := os.ReadFile(in(name))
		if err == nil {
			err = xml.Unmarshal(data, &s)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return s
	}
	for _, name := range []string{"mean", "stddev"} {
		var info struct {
			Bands []struct{ ComputedMin, ComputedMax float64 }
		}
		gdaltest.JSON(t, &info, "gdalinfo", "-json", "-mm", in(name+".tif"))
		s := read(name + ".qml").Shader
		near := 1e-4 * s.High
		if b := info.Bands[0]; math.Abs(s.Low-b.ComputedMin) > near || math.Abs(s.High-b.ComputedMax) > near || s.Items[0].Value != s.Low || s.Items[len(s.Items)-1].Value != s.High {
			t.Errorf("%s.qml: %+v; the map has %+v", name, s, b)
		}
	}
	if s := read("zones.qml"); len(s.Zones) != len(r.Zones) || len(s.Symbols) != len(r.Zones) || s.Zones[3].Value != r.Zones[3].Number {
		t.Errorf("zones.qml: %+v", s)
	}
}

// mission returns a mission and its posterior.
func mission(t *testing.T) (*record.Mission, export.Surface) {
	t.Helper()
	m, _, _ := recordtest.Mission(40, 72, 124)
	surface, err := export.Relearn(m, new(export.Options))
	must.OK(t, err)
	return m, surface
}
