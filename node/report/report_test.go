// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"html"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
)

// pageOf returns a mission's page.
func pageOf(t *testing.T, m *record.Mission, maps *record.Maps, tracks *record.Tracks) string {
	t.Helper()
	page, err := compose(m, maps, tracks, export.Results{}, nil)
	must.OK(t, err)
	return string(page)
}

// That a page is accessible is held in the browser, by axe-core.
func TestPageIsSelfContained(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	text := strings.ReplaceAll(pageOf(t, m, maps, tracks), `xmlns="http://www.w3.org/2000/svg"`, "")
	for _, sign := range []string{"http:", "https:", "url(", "@import", "import ", "<link", "src=", "srcset", "fetch("} {
		if strings.Contains(text, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
}

func TestPageTables(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	m.Observations[3].Belief = record.Belief{X: 101.25, Y: 202.5, XX: 2.5, XY: 1.5, YY: 2.5} // axes 2 and 1 at 45°
	m.Observations[3].Target = record.Place{98.25, 198.5}                                    // 3 and 4 m away
	m.Counts["poses in another frame"] = 0
	page := pageOf(t, m, maps, tracks)
	for _, want := range []string{
		"<td>98.2</td><td>198.5</td><td>101.2</td><td>202.5</td><td>2.00</td><td>1.00</td><td>45</td><td>5.00</td>",
		"readings dropped: no pose near enough</th><td>3</td>",
		"lever_arm_m</th><td>[0.4,0]</td>",
		"not reached in 240 s",
		"seed 9223372036854775809",
		"14.32 km", "4 h 13 min", "8 of 8",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(page, "poses in another frame") {
		t.Error("the page counts what there was not")
	}
	// As many samples are marked as were taken for the recommended target.
	want := 0
	for _, o := range m.Observations {
		if o.Target == m.Recommendation.Target {
			want++
		}
	}
	if marked, stars := strings.Count(page, `class="marked"`), strings.Count(page, "★</th>"); marked != want || stars != want || want == 0 {
		t.Errorf("%d rows are marked and %d have a star, want %d", marked, stars, want)
	}
}

func TestPageWithoutParts(t *testing.T) {
	robot, maps, tracks := recordtest.Mission(5, 20, 30)
	robot.Truth, maps.Truth, tracks.True = nil, nil, nil
	for i := range robot.Observations {
		robot.Observations[i].TruePlace = nil
	}
	none, _, _ := recordtest.Mission(0, 0, 0)
	one, oneMaps, oneTracks := recordtest.Mission(1, 20, 30)
	others := []string{"other robots", "Earlier samples"}
	for name, c := range map[string]struct {
		m       *record.Mission
		maps    *record.Maps
		tracks  *record.Tracks
		figures int
		absent  []string
		present []string
	}{
		"no truth":  {robot, maps, tracks, 5, []string{"Regret", "regret", "Truth", "true place"}, []string{"Samples", "Hyper-parameters"}},
		"no sample": {none, nil, nil, 1, []string{"NaN", "Hyper-parameters", "σ major"}, []string{"no sample was taken", "Settings"}},
		"one":       {one, oneMaps, oneTracks, 4, []string{"NaN", "1 samples"}, []string{"1 of 1", "after 1 sample", "σ major"}},
		"empty":     {&record.Mission{Version: record.Version}, nil, nil, 0, []string{"NaN", "<figure", "σ major", "Settings"}, []string{"no sample was taken"}},
	} {
		t.Run(name, func(t *testing.T) {
			text, _, _ := strings.Cut(pageOf(t, c.m, c.maps, c.tracks), "<script")
			if tables, rows := strings.Count(text, "<tbody>"), strings.Count(text, "<tr")-strings.Count(text, "<thead>"); rows < tables {
				t.Errorf("%d tables with %d rows", tables, rows)
			}
			if got := strings.Count(text, "<figure>"); got != c.figures {
				t.Errorf("%d figures, want %d", got, c.figures)
			}
			for _, s := range append(others, c.absent...) {
				if strings.Contains(text, s) {
					t.Errorf("the page contains %q", s)
				}
			}
			for _, s := range c.present {
				if !strings.Contains(text, s) {
					t.Errorf("the page does not contain %q", s)
				}
			}
		})
	}
}

func TestPageEscapesWhatUsersName(t *testing.T) {
	m, maps, _ := recordtest.Mission(1, 5, 8)
	m.Quantity = `</title></script><script>alert("x")</script>`
	m.Counts = map[string]int64{`<b onclick="x">`: 1}
	page := pageOf(t, m, maps, nil)
	if n := strings.Count(page, "<script"); n != 2 || strings.Contains(page, "<b ") {
		t.Errorf("markup from the mission is live in the page, which has %d scripts", n)
	}
}

func TestPageUnderLogarithm(t *testing.T) {
	m, maps, _ := recordtest.Mission(2, 5, 8)
	m.Transform = record.TransformLog10
	m.Recommendation = m.NewRecommendation(record.Place{1, 2}, 1.5, 0.25, 1)
	page := pageOf(t, m, nil, nil)
	// 10^1.5 = 31.6; (100 − 10)/4 = 22.5.
	for _, want := range []string{"32 ± 22 mg/l", "2σ interval 10.0 to 100 mg/l", "signal σ (log10(mg/l))"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if page := pageOf(t, m, maps, nil); !strings.Contains(page, "posterior median of potassium (mg/l)") {
		t.Error("the median is not called one")
	}
}

// The page begins with the answer, and what is handed over: where and when, zones, files.
func TestPageInFront(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	m.Started, m.Truth = 1764018000, nil
	m.Settings = record.Settings{"ugp_explorer": {"field.datum": []float64{-56.9, -33.51}}}
	surface, err := export.Relearn(m, new(export.Options))
	must.OK(t, err)
	results, err := export.Write(t.TempDir(), m, surface, export.DefaultOptions(m))
	must.OK(t, err)
	data, err := compose(m, maps, tracks, results, nil)
	must.OK(t, err)
	page, experts, _ := strings.Cut(string(data), `<summary>For experts`)
	answer := m.Answer(maps)
	for _, want := range []string{
		"<h1>Potassium in the field synthetic</h1>", "24 November 2025, 21:00 UTC · 70 ha, 1 keep-out of 0.76 ha · 8 samples, 14.32 km",
		answer.Text, answer.Decimal, `href="geo:-33.`, `<canvas id="mean"`, "<th scope=\"row\">4</th><td>above ", ` mg/l (`, `<a href="export/zones.csv">`, `<a href="mission.json">`,
	} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("in front there is no %q in\n%s", want, page[strings.Index(page, "<h1>"):])
		}
	}
	if strings.Contains(page, "σ major") || !strings.Contains(experts, "σ major") || strings.Contains(experts, "Known in a simulation only</summary>") == (m.Consistency == nil) {
		t.Error("what experts read is in front, or there is a part for a simulation")
	}
	m.Covariates = []record.Covariate{{File: "/maps/soil.tif", Share: 0.4, ShareStdDev: 0.1, Weight: 5.25, WeightStdDev: 1.5}}
	maps.Layers = []record.Layer{{Kind: record.LayerRaster, Name: "soil.tif", Values: maps.Mean}}
	_, experts, _ = strings.Cut(pageOf(t, m, maps, tracks), `<summary>For experts`)
	for _, want := range []string{
		`<canvas id="raster1"`, "Raster soil.tif", "in its own units. soil.tif explains 40 % of the field's variance (± 10 %). Where it is higher by one standard deviation of its values over the field, potassium is expected to be higher by 5.2 ± 1.5 mg/l.",
	} {
		if !strings.Contains(html.UnescapeString(experts), want) {
			t.Errorf("for experts there is no %q", want)
		}
	}
	recordtest.Hear(t, m)
	maps.Layers = []record.Layer{{Kind: record.LayerSecondary, Name: "conductivity", Units: "mS/m", Values: maps.Mean}}
	page, experts, _ = strings.Cut(html.UnescapeString(pageOf(t, m, maps, tracks)), `<summary>For experts`)
	if !strings.Contains(page, "Conductivity was measured at 16 places; its correlation with potassium is 0.72 ± 0.10.") {
		t.Errorf("in front it does not say how the second quantity goes with the first:\n%s", page[strings.Index(page, "<h1>"):])
	}
	for _, want := range []string{`<canvas id="secondary"`, "<strong>Conductivity</strong>", "Map of the conductivity (mS/m) with", `"legend":"conductivity (mS/m)"`} {
		if !strings.Contains(experts, want) {
			t.Errorf("for experts there is no %q", want)
		}
	}
	m.Also, m.Observations[2].Also = []record.Quantity{{}, {Quantity: "pH"}}, []*record.Value{nil, {Value: 6.123456}}
	maps.Layers[0] = record.Layer{Kind: record.LayerAlso, Index: 1, Name: "pH", Values: maps.Mean}
	_, experts, _ = strings.Cut(html.UnescapeString(pageOf(t, m, maps, tracks)), `<summary>For experts`)
	for _, want := range []string{`<canvas id="also2"`, "<strong>pH</strong>", "The posterior mean of pH, measured at 1 sample, in", `"legend":"pH"`, "<td>6.123</td>"} {
		if !strings.Contains(experts, want) {
			t.Errorf("for experts there is no %q", want)
		}
	}
	m.Objective = record.ObjectiveMap
	if _, d := figures(m, maps, tracks, results); d.Best != nil {
		t.Error("a map has a best place")
	}
}

// A field is named once.
func TestTitle(t *testing.T) {
	for name, want := range map[string]string{
		"": "K in the field", "field": "K in the field", "Field": "K in the field", "North field": "K in North field", "field_7": "K in field_7",
		"Broom's Barn": "K in the field Broom's Barn", "the hull of the path": "K in the hull of the path",
	} {
		if got := title(&record.Mission{Quantity: "log10 K", Units: "log10(mg/l)", Field: record.Field{Name: name}}); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// The map has the same colours whether or not a simulation knows the truth, and the truth has those of the map.
func TestColoursAreOfWhatTheRobotKnows(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	for i := range maps.Truth {
		maps.Truth[i] += 40 // beyond all that is expected
	}
	layers := func() map[string][]byte {
		_, d := figures(m, maps, tracks, export.Results{})
		r := map[string][]byte{}
		for _, p := range d.Pictures {
			r[p.Name] = p.Layer
		}
		return r
	}
	with := layers()
	const limits, limitsEnd = 40, 56 // of package painter's bytes: the values of the first and the last colour
	if !slices.Equal(with["truth"][limits:limitsEnd], with["mean"][limits:limitsEnd]) {
		t.Error("map and truth have different colours for the same value")
	}
	if page := pageOf(t, m, maps, tracks); !strings.Contains(page, "On 100.0 % of the field, the true value is outside the range of these colours") {
		t.Error("the report does not say that the truth lies beyond the colours")
	}
	maps.Truth = nil
	if !slices.Equal(layers()["mean"], with["mean"]) {
		t.Error("the truth changes the colours of the map")
	}
}

// Where the sensor takes the logarithm, people read of the value itself: only tables of the model have logarithms.
func TestPageOfLogarithms(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	m.Quantity, m.Units = "log10 K", "log10(mg/l)"
	m.Recommendation = m.NewRecommendation(record.Place{1, 2}, 1.5, 0.25, 8)
	m.Observations[0].Value, m.Observations[0].Variance = 2, 1e-4
	m.Survey = &record.Survey{StdDev: 0.1, Error: math.Log10(2), Inside: 0.9}
	m.Truth.Raw = record.Surface{Best: 2, AtRecommendation: 1, Regret: 1}
	page := html.UnescapeString(pageOf(t, m, maps, tracks))
	for _, want := range []string{
		"32 ± 22 mg/l", "2σ interval 10.0 to 100 mg/l", "× 1.26", "× 2.00", ">90.0 mg/l<", // 10^0.1; 100 - 10
		"value (mg/l)", "<td>100.0</td><td>2.3</td>", "K (mg/l, logarithmic colours)", "posterior standard deviation, as a factor", "regret (mg/l)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// Samples of other robots and from before the mission are counted, listed and painted apart from the
// robot's own.
func TestSamplesOfOthers(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	for _, robot := range []string{"/b/ugp_explorer", "/a/ugp_explorer", "/b/ugp_explorer"} {
		m.Team = append(m.Team, record.TeamSample{Robot: robot, Observation: m.Observations[0]})
	}
	m.Earlier = m.Observations[:2]
	m.Recommendation.AfterTeam = 3
	page := pageOf(t, m, maps, tracks)
	for _, want := range []string{"1 from /a/ugp_explorer, 2 from /b/ugp_explorer", "after 8 samples and 3 from other robots", ">/b/ugp_explorer</t", "Earlier samples", "8 of 8"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	_, d := figures(m, maps, tracks, export.Results{})
	var robots []string
	for _, s := range d.Samples {
		robots = append(robots, s.Robot)
	}
	if !slices.Equal(robots[:6], []string{"earlier", "earlier", "/b/ugp_explorer", "/a/ugp_explorer", "/b/ugp_explorer", ""}) || len(robots) != 2+3+8 {
		t.Errorf("the painted samples are of %q", robots)
	}
}

// A passive mission has goals that were suggested, and no targets.
func TestPassiveMission(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	went := record.Place{5, 6}
	m.Passive = true
	m.Suggestions = []record.Suggestion{{Robot: record.Place{1, 2}, Target: record.Place{3, 4}, Went: &went, Mean: 5, StdDev: 1, Beta: 2, WentMean: 4, WentStdDev: 1}}
	page := pageOf(t, m, maps, tracks)
	for _, want := range []string{"Suggested and driven", "the upper confidence bound was lower by 1.00 on average"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	_, d := figures(m, maps, tracks, export.Results{})
	last := d.Pictures[len(d.Pictures)-1]
	if last.Name != "path" || !slices.Equal(last.Marks[0].At, []record.Place{{3, 4}}) || !slices.Equal(last.Lines[len(last.Lines)-1].Points[0], []record.Place{{1, 2}, {3, 4}}) {
		t.Errorf("the path is painted with %+v and %+v", last.Marks, last.Lines)
	}
}

// Corners of the ellipse of a covariance are at two standard deviations.
func TestEllipse(t *testing.T) {
	c := record.Covariance{XX: 9, XY: 2, YY: 4}
	det := c.XX*c.YY - c.XY*c.XY
	ring := ellipse(c)
	for _, p := range ring {
		if d := math.Sqrt((c.YY*p[0]*p[0] - 2*c.XY*p[0]*p[1] + c.XX*p[1]*p[1]) / det); math.Abs(d-2) > 0.01 {
			t.Fatalf("corner %v lies at %g standard deviations, want 2", p, d)
		}
	}
	if ring[0] != ring[len(ring)-1] {
		t.Error("the ring is open")
	}
}

// The same mission gives the same file, and what cannot be written leaves an earlier one.
func TestWrite(t *testing.T) {
	m, maps, tracks := recordtest.Mission(3, 12, 20)
	dir := filepath.Join(t.TempDir(), "new")
	read := func() string { data, _ := os.ReadFile(filepath.Join(dir, PageFile)); return string(data) }
	must.OK(t, Write(dir, m, maps, tracks, export.Results{}, nil))
	before := read()
	if err := Write(dir, m, maps, tracks, export.Results{}, nil); err != nil || read() != before {
		t.Errorf("the report differs between two runs; %v", err)
	}
	bad := *maps
	bad.StdDev = bad.StdDev[:7]
	if err := Write(dir, m, &bad, tracks, export.Results{}, nil); err == nil || !strings.Contains(err.Error(), "stddev has 7 values; a grid of 12×20 needs 240") || read() != before {
		t.Errorf("a short map: %v", err)
	}
	// A file stands where the folder would be: refused to everyone, root too.
	file := filepath.Join(dir, PageFile)
	if err := Write(file, m, nil, nil, export.Results{}, nil); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%s: %v, want an error that names it", file, err)
	}
}

// BenchmarkWrite writes the report of a demonstration's size.
func BenchmarkWrite(b *testing.B) {
	m, maps, tracks := recordtest.Mission(30, 150, 250)
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		must.OK(b, Write(dir, m, maps, tracks, export.Results{}, nil))
	}
}
