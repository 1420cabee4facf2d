// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/covariate"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
)

func readJSON(t interface {
	Helper()
	Fatalf(string, ...any)
}, file string, dst any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, dst)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// zoneLayer is zones.geojson.
type zoneLayer struct {
	Features []struct {
		Properties struct {
			Zone      int
			Kind      string
			Low, High *float64
			Mean      float64
			Area      float64  `json:"area_m2"`
			Certain   *float64 `json:"certain_share"`
		}
		Geometry struct {
			Type        string
			Coordinates orb.MultiPolygon
		}
	}
}

// area returns the area of all zones, by their geometry.
func (l *zoneLayer) area() (sum float64) {
	for _, f := range l.Features {
		for _, p := range f.Geometry.Coordinates {
			sum += planar.Area(p)
		}
	}
	return sum
}

// The surface of a record is the posterior of its samples, as beliefs or, for the plain
// Gaussian process, as points.
func TestRelearn(t *testing.T) {
	m, _ := mission(t)
	for method, points := range map[string]bool{"ugp-ucb": false, "gp-ucb": true, "random": false} {
		m.Method = method
		surface, err := export.Relearn(m, new(export.Options))
		must.OK(t, err)
		h := m.Hyper[len(m.Hyper)-1]
		g, err := gp.New(gp.Hyper{SignalVariance: h.SignalVariance, LengthScales: h.LengthScales, NoiseVariance: h.NoiseVariance, Mean: h.Mean})
		must.OK(t, err)
		for _, o := range m.Observations {
			b := gp.Point(o.Belief.X, o.Belief.Y)
			if !points {
				b.Cov = mat.NewSymDense(2, []float64{o.Belief.XX, o.Belief.XY, o.Belief.XY, o.Belief.YY})
			}
			must.OK(t, g.Add(gp.Observation{Belief: b, Value: o.ModelValue, NoiseVariance: o.ModelVariance}))
		}
		at := record.Place{333, 444}
		query := gp.Point(at[:]...)
		if !points {
			query.Cov = mat.NewSymDense(2, []float64{2, 0, 0, 2}) // the mission's execution noise
		}
		wantMean, wantVariance := g.Posterior(query)
		mean, stdDev := surface([]record.Place{at})
		if math.Abs(mean[0]-wantMean) > 1e-9 || math.Abs(stdDev[0]-math.Sqrt(wantVariance)) > 1e-9 {
			t.Errorf("%s: %g ± %g, want %g ± %g", method, mean[0], stdDev[0], wantMean, math.Sqrt(wantVariance))
		}
	}
	m.Method = "no such method"
	if _, err := export.Relearn(m, new(export.Options)); err == nil {
		t.Error("an unknown method is learnt")
	}
	m.Method, m.Hyper = "ugp-ucb", nil
	if _, err := export.Relearn(m, new(export.Options)); err == nil {
		t.Errorf("nothing was learnt: %v", err)
	}
}

// bumpy is a field with a hole, and keep-outs that overlap one another and the outline.
// Its area is 400·300 - 60·40 - 100·100 (keep-outs inside) = 107600 m².
var bumpy = record.Field{
	Boundary: [][]record.Place{{{0, 0}, {400, 0}, {400, 300}, {0, 300}}, {{200, 200}, {260, 200}, {260, 240}, {200, 240}}},
	KeepOuts: [][][]record.Place{
		{{{350, -50}, {450, -50}, {450, 50}, {350, 50}, {350, -50}}}, // 50·50 inside
		{{{50, 50}, {150, 50}, {150, 100}, {50, 100}}},               // 100·50
		{{{100, 75}, {200, 75}, {200, 125}, {100, 125}}},             // 100·50, of which 50·25 are in the one before
	},
}

const bumpyArea = 400*300 - 60*40 - 50*50 - 100*50 - 100*50 + 50*25

// Whatever the map: the zones are valid and divide the field without its keep-outs, holes are
// clockwise, and each cell lies in the zone of its value.
func TestZonesDivideTheField(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		waves := rapid.IntRange(0, 6).Draw(t, "waves")
		rough := rapid.Float64Range(5, 300).Draw(t, "length")
		var k [6][3]float64
		for i := range waves {
			k[i] = [3]float64{rng.NormFloat64() / rough, rng.NormFloat64() / rough, 2 * math.Pi * rng.Float64()}
		}
		surface := func(at []record.Place) (mean, stdDev []float64) {
			for _, p := range at {
				v := 0.0
				for i := range waves {
					v += math.Sin(k[i][0]*p[0] + k[i][1]*p[1] + k[i][2])
				}
				mean, stdDev = append(mean, v), append(stdDev, 0.1)
			}
			return mean, stdDev
		}
		m := &record.Mission{Field: bumpy, Quantity: "K", Units: "mg/l"}
		o := export.DefaultOptions(m)
		o.Cell, o.Zones = rapid.SampledFrom([]float64{10, 16.6}).Draw(t, "cell"), rapid.IntRange(2, 6).Draw(t, "zones")
		if _, err := export.Write(dir, m, surface, o); err != nil {
			t.Fatal(err)
		}
		var layer zoneLayer
		readJSON(t, filepath.Join(dir, "zones.geojson"), &layer)
		if got := layer.area(); math.Abs(got-bumpyArea) > 1 {
			t.Fatalf("the zones measure %g m², the field %d", got, bumpyArea)
		}
		reported := 0.0
		for _, f := range layer.Features {
			reported += f.Properties.Area
			for _, p := range f.Geometry.Coordinates {
				for i, r := range p {
					if (r.Orientation() == orb.CCW) != (i == 0) || !r.Closed() {
						t.Fatalf("zone %d: ring %d has the wrong orientation or is open", f.Properties.Zone, i)
					}
				}
			}
		}
		if math.Abs(reported-bumpyArea) > 1 {
			t.Fatalf("the zones say that they measure %g m², the field measures %d", reported, bumpyArea)
		}
		for range 200 {
			p := record.Place{400 * rng.Float64(), 300 * rng.Float64()}
			in := 0
			for _, f := range layer.Features {
				if planar.MultiPolygonContains(f.Geometry.Coordinates, p) {
					in++
				}
			}
			hole := p[0] > 200 && p[0] < 260 && p[1] > 200 && p[1] < 240
			out := hole || p[0] > 350 && p[1] < 50 || p[0] > 50 && p[0] < 150 && p[1] > 50 && p[1] < 100 || p[0] > 100 && p[0] < 200 && p[1] > 75 && p[1] < 125
			if want := map[bool]int{true: 0, false: 1}[out]; in != want {
				t.Fatalf("(%g, %g) m lies in %d zones, want %d", p[0], p[1], in, want)
			}
		}
	})
}

// A plane that rises from west to east has straight lines and zones of known size.
func TestPlane(t *testing.T) {
	surface := func(at []record.Place) (mean, stdDev []float64) {
		for _, p := range at {
			mean, stdDev = append(mean, p[0]/100), append(stdDev, 0.25)
		}
		return mean, stdDev
	}
	half := 2.0
	m := &record.Mission{
		Field:     record.Field{Boundary: [][]record.Place{{{0, 0}, {400, 0}, {400, 100}, {0, 100}}}},
		Threshold: &half, Quantity: "K", Units: "mg/l",
	}
	dir := t.TempDir()
	o := export.DefaultOptions(m)
	o.Cell = 5
	r, err := export.Write(dir, m, surface, o)
	must.OK(t, err)
	if slices.Contains(r.Names, "recommended.csv") || slices.Contains(r.Names, "mission.kml") || slices.Contains(r.Names, "path.geojson") {
		t.Errorf("files %v: there is no recommendation, no datum and no path", r.Names)
	}
	if table, err := os.ReadFile(filepath.Join(dir, "zones.csv")); err != nil || string(table) != "zone,low [mg/l],high [mg/l],mean [mg/l],area_ha,certain_percent,apply\n1,,2,1,2.0000,75,\n2,2,,3,2.0000,75,\n" {
		t.Errorf("zones.csv is %s, %v", table, err)
	}
	var zones zoneLayer
	readJSON(t, filepath.Join(dir, "zones.geojson"), &zones)
	if len(zones.Features) != 2 {
		t.Fatalf("%d zones, want above and below the threshold", len(zones.Features))
	}
	for i, f := range zones.Features {
		p := f.Properties
		// The mean is within 2·0.25 of the threshold over 50 m of 200.
		if math.Abs(p.Area-20000) > 0.2 || p.Kind != "threshold" || math.Abs(p.Mean-float64(1+2*i)) > 0.03 || math.Abs(*p.Certain-0.75) > 0.03 {
			t.Errorf("zone %+v", p)
		}
	}
	var lines struct {
		Features []struct {
			Properties struct {
				Value     float64
				Threshold bool
			}
			Geometry struct{ Coordinates orb.MultiLineString }
		}
	}
	readJSON(t, filepath.Join(dir, "contours.geojson"), &lines)
	if len(lines.Features) < 8 {
		t.Errorf("%d lines, want at least 8", len(lines.Features))
	}
	for _, f := range lines.Features {
		if f.Properties.Threshold != (f.Properties.Value == half) {
			t.Errorf("%+v: the threshold is %g", f.Properties, half)
		}
		length := 0.0
		for _, l := range f.Geometry.Coordinates {
			length += planar.Length(l)
			for _, p := range l {
				if math.Abs(p[0]/100-f.Properties.Value) > 1e-5 || p[1] < 0 || p[1] > 100 {
					t.Errorf("the line of %g goes through %v", f.Properties.Value, p)
				}
			}
		}
		if math.Abs(length-100) > 0.01 {
			t.Errorf("the line of %g is %g m long, want 100", f.Properties.Value, length)
		}
	}
}

// Without a pattern there is one zone, and no line.
func TestFlat(t *testing.T) {
	surface := func(at []record.Place) (mean, stdDev []float64) {
		for range at {
			mean, stdDev = append(mean, 5), append(stdDev, 1)
		}
		return mean, stdDev
	}
	m := &record.Mission{Field: bumpy}
	dir := t.TempDir()
	if _, err := export.Write(dir, m, surface, export.DefaultOptions(m)); err != nil {
		t.Fatal(err)
	}
	var zones, lines zoneLayer
	readJSON(t, filepath.Join(dir, "zones.geojson"), &zones)
	if len(zones.Features) != 1 || math.Abs(zones.area()-bumpyArea) > 1 {
		t.Errorf("%d zones with %g m², want one with %d", len(zones.Features), zones.area(), bumpyArea)
	}
	readJSON(t, filepath.Join(dir, "contours.geojson"), &lines)
	if len(lines.Features) != 0 {
		t.Errorf("%d contour lines of a flat map", len(lines.Features))
	}
}

// Values are in the user's units, and the same arguments give the same files.
func TestTransformAndDeterminism(t *testing.T) {
	m, surface := mission(t)
	m.Transform, m.Recommendation.Mean, m.Recommendation.StdDev = record.TransformLog10, 2, 0.1
	log := func(at []record.Place) (mean, stdDev []float64) {
		mean, stdDev = surface(at)
		for i := range mean {
			mean[i], stdDev[i] = mean[i]/20, stdDev[i]/20
		}
		return mean, stdDev
	}
	var first [][]byte
	for range 2 {
		dir := t.TempDir()
		r, err := export.Write(dir, m, log, export.DefaultOptions(m))
		must.OK(t, err)
		var files [][]byte
		for _, name := range r.Names {
			data, err := os.ReadFile(filepath.Join(dir, name))
			must.OK(t, err)
			files = append(files, data)
		}
		if first == nil {
			first = files
		} else if !slices.EqualFunc(first, files, bytes.Equal) {
			t.Error("the files differ between two runs")
		}
		for _, name := range []string{"mean_log10.tif", "stddev_log10.qml"} {
			if !slices.Contains(r.Names, name) || export.About(name) == "" {
				t.Errorf("the files are %q, want %s", r.Names, name)
			}
		}
		var zones zoneLayer
		readJSON(t, filepath.Join(dir, "zones.geojson"), &zones)
		for _, f := range zones.Features {
			if f.Properties.Mean < 5 || f.Properties.Mean > 100 { // 10^(24/20) is 16
				t.Errorf("zone %+v is not in the user's units", f.Properties)
			}
		}
	}
}

// A sensor that takes the logarithm has a plane of 10 to 1000 mg/l: whatever a person gives and gets is in mg/l.
func TestLogarithmsAreUndone(t *testing.T) {
	surface := func(at []record.Place) (mean, stdDev []float64) {
		for _, p := range at {
			mean, stdDev = append(mean, 1+p[0]/200), append(stdDev, 0.1)
		}
		return mean, stdDev
	}
	level := 2.0 // in the record, where it is of a reading
	m := &record.Mission{
		Field:     record.Field{Boundary: [][]record.Place{{{0, 0}, {400, 0}, {400, 100}, {0, 100}}}},
		Threshold: &level, Quantity: "log10 K", Units: "log10(mg/l)",
	}
	dir, o := t.TempDir(), export.DefaultOptions(m)
	o.Cell, o.Datum = 5, &earth.Datum{Lon: 5.9, Lat: 52}
	if *o.Threshold != 100 {
		t.Errorf("the threshold is %g, want 100 mg/l", *o.Threshold)
	}
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		must.OK(t, err)
		return string(data)
	}
	for threshold, want := range map[float64][]string{
		100:  {"1,,100,", "2,100,,"},
		5000: {"1,,5000,"},
		-1:   {"2,-1,,"},
	} {
		o.Threshold = &threshold
		r, err := export.Write(dir, m, surface, o)
		must.OK(t, err)
		rows := strings.Split(strings.TrimSpace(text("zones.csv")), "\n")
		if rows[0] != "zone,low [mg/l],high [mg/l],mean [mg/l],area_ha,certain_percent,apply" || len(rows) != 1+len(want) {
			t.Fatalf("the zones of %g are %q", threshold, rows)
		}
		for i, begin := range want {
			if !strings.HasPrefix(rows[i+1], begin) {
				t.Errorf("row %q, want %q at its beginning", rows[i+1], begin)
			}
		}
		if words := fmt.Sprintf("The threshold %g mg/l does not divide the field", threshold); (len(want) == 1) != strings.Contains(text(export.ListFile), words) || (r.Note == "") != (len(want) == 2) {
			t.Errorf("of %g it says %q in\n%s", threshold, r.Note, text(export.ListFile))
		}
		// The style's labels, and the names in KML.
		for name, label := range map[string]string{"zones.qml": "mg/l", "mission.kml": " mg/l</name>"} {
			if got := text(name); !strings.Contains(got, label) || strings.Contains(got, "log10") {
				t.Errorf("%s of %g has no %q, or a logarithm:\n%s", name, threshold, label, got)
			}
		}
	}
	for _, name := range []string{"zones.geojson", "contours.geojson"} {
		if got := text(name); !strings.Contains(got, `"quantity":"K"`) || !strings.Contains(got, `"units":"mg/l"`) || strings.Contains(got, "log10") {
			t.Errorf("%s: %.300s", name, got)
		}
	}
}

// A raster is written beside the maps in its own units, without data in its holes, and is one of the files
// that the next export removes.
func TestRasters(t *testing.T) {
	m, surface := mission(t)
	m.Covariates = []record.Covariate{{File: "/maps/soil.tif"}}
	region, err := field.NewRegion(field.Field{Boundary: orb.Polygon{orb.Ring{{20, 0}, {720, 0}, {720, 1240}, {20, 1240}, {20, 0}}}}, 0)
	must.OK(t, err)
	var points strings.Builder
	points.WriteString("x,y,value\n")
	for x := 0.; x <= 740; x += 20 {
		for y := 0.; y <= 800; y += 20 { // nothing is known farther north
			fmt.Fprintf(&points, "%g,%g,%g\n", x, y, 300+x/10+y/5)
		}
	}
	file := filepath.Join(t.TempDir(), "soil.csv")
	must.OK(t, os.WriteFile(file, []byte(points.String()), 0o666))
	raster, _, err := covariate.Read(file, region, nil)
	must.OK(t, err)
	datum := &earth.Datum{Lon: 5.9, Lat: 52}
	o, dir := export.DefaultOptions(m), t.TempDir()
	o.CRS, o.Datum, o.Beside.Rasters = earth.UTM, datum, append(o.Beside.Rasters, raster)
	r, err := export.Write(dir, m, surface, o)
	must.OK(t, err)
	if k := slices.Index(r.Names, "raster_1.tif"); k < 0 || r.Names[k+1] != "raster_1.qml" || export.About(r.Names[k]) != "a covariate raster, GeoTIFF" {
		t.Errorf("the files are %q", r.Names)
	}
	back, _, err := covariate.Read(filepath.Join(dir, "raster_1.tif"), region, datum)
	must.OK(t, err)
	for _, at := range []record.Place{{430, 30}, {100, 400}, {600, 770}} {
		if got, want := back.Value(at[0], at[1]), 300+at[0]/10+at[1]/5; math.Abs(got-want) > 1 { // a cell is 12 m wide
			t.Errorf("at %v the raster is %g, want %g", at, got, want)
		}
	}
	if got := back.Value(400, 900); !math.IsNaN(got) {
		t.Errorf("in a hole the raster is %g", got)
	}
	if style, err := os.ReadFile(filepath.Join(dir, "raster_1.qml")); err != nil || bytes.Contains(style, []byte("NaN")) || !bytes.Contains(style, []byte(`label="5`)) {
		t.Errorf("the style is %s, %v", style, err)
	}
	if name := export.Foreign(dir); name != "" {
		t.Errorf("%s is said to be of nobody's export", name)
	}
	o.Beside.Rasters = nil
	if _, err := export.Write(dir, m, surface, o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "raster_1.tif")); err == nil {
		t.Error("the raster of the export before is left")
	}
	must.OK(t, os.WriteFile(filepath.Join(dir, "raster_12.tif"), nil, 0o666))
	if name := export.Foreign(dir); name != "raster_12.tif" {
		t.Errorf("%q would be lost, want raster_12.tif", name)
	}
}

// What a second sensor measured is written as a table, a layer and a map, which the record suffices to make, and is
// removed by the export of a mission without one.
func TestSecondary(t *testing.T) {
	m, surface := mission(t)
	names := []string{"heard.csv", "heard.geojson", "secondary.tif", "secondary.qml"}
	dir := t.TempDir()
	o := export.DefaultOptions(m)
	o.Datum = &earth.Datum{Lon: 5.9, Lat: 52}
	o.CRS = earth.UTM
	r, err := export.Write(dir, m, surface, o)
	must.OK(t, err)
	for _, name := range names {
		if slices.Contains(r.Names, name) {
			t.Errorf("without a second sensor there is %s", name)
		}
	}
	known := recordtest.Hear(t, m)
	if surface, err = export.Relearn(m, &o); err != nil {
		t.Fatal(err)
	}
	if r, err = export.Write(dir, m, surface, o); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !slices.Contains(r.Names, name) || export.About(name) == "" {
			t.Errorf("there is no %s", name)
		}
	}
	for name, want := range map[string]string{"about.txt": m.Heard(), "heard.csv": "value [mS/m],stddev [mS/m]", "mission.kml": "<name>conductivity: "} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s has no %q: %.500s, %v", name, want, text, err)
		}
	}
	var layer struct {
		Features []struct{ Properties struct{ Value float64 } }
	}
	readJSON(t, filepath.Join(dir, "heard.geojson"), &layer)
	if len(layer.Features) != len(m.Secondary.Heard) || math.Abs(layer.Features[5].Properties.Value-m.Secondary.Heard[5].Value) > 0.001 {
		t.Errorf("heard.geojson has %d of %d places", len(layer.Features), len(m.Secondary.Heard))
	}
	region, err := field.NewRegion(field.Field{Boundary: orb.Polygon{orb.Ring{{20, 0}, {720, 0}, {720, 1240}, {20, 1240}, {20, 0}}}}, 0)
	must.OK(t, err)
	back, _, err := covariate.Read(filepath.Join(dir, "secondary.tif"), region, o.Datum)
	must.OK(t, err)
	for _, at := range []record.Place{{430, 60}, {100, 400}, {600, 770}} {
		if want, _ := known.Posterior(gp.Point(at[:]...)); math.Abs(back.Value(at[0], at[1])-want) > 1 { // a cell is 12 m wide
			t.Errorf("at %v the map is %g, want %g", at, back.Value(at[0], at[1]), want)
		}
	}
	m.Secondary.Heard = nil // the sensor was silent all the time
	m.Secondary.Hyper = nil
	if surface, err = export.Relearn(m, &o); err != nil {
		t.Fatal(err)
	}
	if r, err = export.Write(dir, m, surface, o); err != nil || slices.Contains(r.Names, "secondary.tif") || !slices.Contains(r.Names, "heard.csv") {
		t.Errorf("of a silent sensor there are %q, %v", r.Names, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "secondary.tif")); err == nil {
		t.Error("the map of the export before is left")
	}
}

// A record that was written and read again has the posterior of the second quantity with which the mission ended: what was
// heard after the model had learnt for the last time is not in it.
func TestSecondaryIsLearntAgain(t *testing.T) {
	m, _ := mission(t)
	want := recordtest.Hear(t, m)
	late := m.Secondary.Heard[0]
	late.Value += 40
	m.Secondary.Heard = append(m.Secondary.Heard, late)
	path := filepath.Join(t.TempDir(), record.MissionFile)
	must.OK(t, m.WriteJSON(path))
	read, err := record.ReadMission(path)
	must.OK(t, err)
	var o export.Options
	_, err = export.Relearn(read, &o)
	must.OK(t, err)
	for _, at := range []gp.Belief{gp.Point(333, 444), m.Observations[2].Located()} {
		mean, variance := o.Beside.Secondary.Posterior(at)
		wantMean, wantVariance := want.Posterior(at)
		if math.Abs(mean-wantMean) > 1e-9 || math.Abs(variance-wantVariance) > 1e-9 {
			t.Errorf("at %v: %g, %g; want %g, %g", at.Mean, mean, variance, wantMean, wantVariance)
		}
	}
	for name, change := range map[string]func(s *record.Secondary){
		"NoiseVariance is -1":           func(s *record.Secondary) { s.Heard[5].Variance = -1 },
		"cubic":                         func(s *record.Secondary) { s.Hyper.Kernel = "cubic" },
		"uses 99 of 81 received values": func(s *record.Secondary) { s.Learnt = 99 },
		"uses -1 of 81 received values": func(s *record.Secondary) { s.Learnt = -1 },
	} {
		m, err := record.ReadMission(path)
		must.OK(t, err)
		change(m.Secondary)
		if _, err := export.Relearn(m, &o); err == nil || !strings.Contains(err.Error(), "second quantity") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOptions(t *testing.T) {
	m, surface := mission(t)
	m.Settings = record.Settings{"ekf": {"datum": []any{json.Number("5.9"), json.Number("52")}}, "ugp_explorer": {"field.datum": []float64{}}}
	o := export.DefaultOptions(m)
	if o.Cell != 12.4 || o.Datum == nil || *o.Datum != (earth.Datum{Lon: 5.9, Lat: 52}) {
		t.Errorf("options %+v", o)
	}
	m.Settings["ugp_explorer"]["field.datum"] = []float64{6, 53}
	if d := export.DefaultOptions(m).Datum; d == nil || *d != (earth.Datum{Lon: 6, Lat: 53}) {
		t.Errorf("datum %v", d)
	}
	for name, change := range map[string]func(*export.Options){
		"tiny cell": func(o *export.Options) { o.Cell = 0.01 },
		"system":    func(o *export.Options) { o.CRS = "mercator" },
		"no datum":  func(o *export.Options) { o.CRS, o.Datum = earth.UTM, nil },
	} {
		o, dir := export.DefaultOptions(m), t.TempDir()
		change(&o)
		if _, err := export.Write(dir, m, surface, o); err == nil {
			t.Errorf("%s: %+v is taken", name, o)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("%s: %v was written, %v", name, entries, err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	must.OK(t, os.WriteFile(file, nil, 0o666))
	if _, err := export.Write(file, m, surface, export.DefaultOptions(m)); err == nil || !bytes.Contains([]byte(err.Error()), []byte(file)) {
		t.Errorf("a file for a folder: %v", err)
	}
}
