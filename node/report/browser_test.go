// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/browsertest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/export"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
)

// The maps of a report show what the mission has, where it is.
func TestReportInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	m, maps, tracks := recordtest.Mission(8, 72, 124)
	// The map rises to the east, and its threshold is in the middle of the field. It is known well, except
	// between 720 m and 740 m north.
	variance := m.Hyper[len(m.Hyper)-1].SignalVariance
	level := 0.5
	m.Threshold = &level
	for k := range maps.Mean {
		if maps.Mean[k] = maps.Grid.Centre(k%72, k/72)[0] / 720; math.IsNaN(maps.Truth[k]) {
			maps.Mean[k] = math.NaN()
		}
		if maps.StdDev[k] = 1e-3; k/72 == 72 || k/72 == 73 {
			maps.StdDev[k] = math.Sqrt(variance)
		}
	}
	maps.Truth = nil
	m.Covariates = []record.Covariate{{File: "/maps/soil.tif", Share: 0.4, ShareStdDev: 0.1, Weight: 5.25, WeightStdDev: 1.5}}
	raster := slices.Clone(maps.Mean)
	for k := range raster {
		raster[k] *= -100 // it falls to the east
	}
	maps.Layers = []record.Layer{{Kind: record.LayerRaster, Name: "soil.tif", Values: raster}}
	dir := t.TempDir()
	must.OK(t, report.Write(dir, m, maps, tracks, export.Results{}, nil))
	b := browsertest.Open(t)
	b.Look(1280, 900, "light")
	b.Do(chromedp.Navigate("file://" + filepath.Join(dir, report.PageFile)))
	browsertest.Ask[int](b, `(() => { document.querySelectorAll('details').forEach((d) => { d.open = true; }); return 0; })()`)
	b.Until("the maps", "[...document.querySelectorAll('canvas')].every((c) => c.width > 300) && document.querySelectorAll('canvas').length === 6")
	// Two frames, so that everything is painted.
	browsertest.Ask[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	at := func(p record.Place) (rgb [3]float64) {
		copy(rgb[:], browsertest.Ask[[]float64](b, fmt.Sprintf(`(() => {
			const c = document.querySelector('canvas');
			const [x, y] = c.toScreen([%g, %g]).map((v) => Math.round(v * c.width / c.clientWidth));
			return [...c.getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3);
		})()`, p[0], p[1])))
		return rgb
	}
	for _, c := range []struct {
		name string
		at   record.Place
		want [3]float64
	}{
		{"in the west", record.Place{45, 100}, [3]float64{70, 12, 94}},    // viridis at 0.03 of the range
		{"in the east", record.Place{690, 300}, [3]float64{233, 229, 32}}, // and at 0.97
		{"on the threshold", record.Place{360, 1150}, [3]float64{255, 255, 255}},
		{"where nothing is known", record.Place{200, 730}, [3]float64{194, 202, 217}}, // a fifth of the colour at 0.28, on that of the field
		{"beside the field", record.Place{713, 913}, [3]float64{0xf3, 0xf5, 0xf7}},
	} {
		got := at(c.at)
		for i, v := range got {
			if math.Abs(v-c.want[i]) > 14 {
				t.Errorf("%s: colour %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
	if got := at(record.Place{385, 610}); math.Abs(got[0]-got[2]) > 25 { // hatched in grey
		t.Errorf("in the keep-out: colour %v, want a grey", got)
	}
	browsertest.Ask[int](b, `(() => { const a = document.querySelector('figcaption a'); a.addEventListener('click', (e) => e.preventDefault()); a.click(); return 0; })()`)
	if !browsertest.Ask[bool](b, `document.querySelector('figcaption a').href.startsWith('data:image/png;base64,') && document.querySelector('figcaption a').download === 'mean.png'`) {
		t.Error("a map cannot be saved as PNG")
	}
	b.Accessible("light")
	b.Shoot("report-light")

	// A photo lies below the map, half of whose colour is left, and around the field.
	var red bytes.Buffer
	square := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(square, square.Rect, image.NewUniform(color.RGBA{200, 0, 0, 255}), image.Point{}, draw.Src)
	must.OK(t, jpeg.Encode(&red, square, nil))
	must.OK(t, report.Write(dir, m, maps, tracks, export.Results{}, &painter.Photo{X: -100, Y: -100, Width: 1000, Height: 1500, JPEG: red.Bytes()}))
	b.Do(chromedp.Navigate("file://" + filepath.Join(dir, report.PageFile)))
	b.Until("the map", "document.querySelector('canvas').width > 300")
	b.Until("the photo", "(() => { const c = document.querySelector('canvas'); const [x, y] = c.toScreen([713, 913]).map((v) => Math.round(v * c.width / c.clientWidth)); return c.getContext('2d').getImageData(x, y, 1, 1).data[1] < 100; })()")
	for place, want := range map[record.Place][3]float64{{45, 100}: {135, 6, 47}, {713, 913}: {200, 0, 0}} {
		if got := at(place); math.Hypot(got[0]-want[0], math.Hypot(got[1]-want[1], got[2]-want[2])) > 20 {
			t.Errorf("on a photo the colour at %v is %v, want %v", place, got, want)
		}
	}
	b.Shoot("report-photo")

	// Numbers of zones whose places are near each other stand apart, on the screen and on paper, and the map on paper
	// is painted for its size there.
	var zones []export.Zone
	for i := range 4 {
		x := 300 + 3*float64(i)
		zones = append(zones, export.Zone{Number: i + 1, Low: float64(i), High: float64(i + 1), Polygons: orb.MultiPolygon{{{{x, 300}, {x + 3, 300}, {x + 3, 320}, {x, 320}, {x, 300}}}}})
	}
	must.OK(t, report.Write(dir, m, maps, tracks, export.Results{Zones: zones}, nil))
	b.Look(390, 844, "light")
	b.Do(chromedp.Navigate("file://" + filepath.Join(dir, report.PageFile)))
	b.Until("the map", "document.querySelector('canvas').width > 300")
	for _, event := range []string{"", "beforeprint", "afterprint"} {
		got := browsertest.Ask[struct {
			Badges [][2]float64
			Height float64
		}](b, fmt.Sprintf(`(() => {
			if (%[1]q) dispatchEvent(new Event(%[1]q));
			const c = document.querySelector('canvas');
			return { badges: c.badges(), height: c.height / (%[1]q === 'beforeprint' ? 3 : devicePixelRatio) };
		})()`, event))
		if len(got.Badges) != len(zones) {
			t.Fatalf("%d zones have the numbers %v", len(zones), got.Badges)
		}
		for i, p := range got.Badges {
			for _, q := range got.Badges[:i] {
				if d := math.Hypot(p[0]-q[0], p[1]-q[1]); d < 24 {
					t.Errorf("%s: two numbers are %g px apart", event, d)
				}
			}
		}
		if paper := 118 * 96 / 25.4; (event == "beforeprint") != (math.Abs(got.Height-paper) < 1) {
			t.Errorf("%s: the map is %g px high, on paper it has %g", event, got.Height, paper)
		}
	}
	// All columns of the zones are on a phone's screen.
	if cut := browsertest.Ask[float64](b, "(() => { const w = document.querySelector('.wide'); return w.scrollWidth - w.clientWidth; })()"); cut > 0 {
		t.Errorf("the table of the zones is cut by %g px on a phone", cut)
	}
	b.Shoot("report-zones")
	b.Look(360, 640, "dark")
	b.Accessible("dark")
	b.Shoot("report-360-dark")
	if wide := browsertest.Ask[float64](b, "document.documentElement.scrollWidth"); wide > 360 {
		t.Errorf("the report is %g px wide on 360", wide)
	}
	b.Silent()
}
