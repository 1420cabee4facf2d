package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/draw"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/rig/recordtest"
)

// element is a start tag of the page with the text directly inside it.
type element struct {
	name string
	attr map[string]string
	text string
}

// parse reads a page, which is well-formed XML too; it fails on tags that do
// not match.
func parse(t *testing.T, page []byte) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(page)))
	var list []element
	var open []int
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page does not parse: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			list = append(list, e)
			open = append(open, len(list)-1)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				list[open[len(open)-1]].text += string(token)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("%d elements are not closed", len(open))
	}
	return list
}

func only(list []element, name string) (found []element) {
	for _, e := range list {
		if e.name == name {
			found = append(found, e)
		}
	}
	return found
}

// sketches returns the pictures of a mission with a small white square in the
// place of each drawing, for tests of what is around them.
func sketches(m *record.Mission, maps *record.Maps, tracks *record.Tracks) []picture {
	list := pictures(m, maps, tracks)
	for i := range list {
		list[i].draw = func() ([]byte, error) { return picturePNG(9, 9, nil, func(draw.Canvas) {}) }
	}
	return list
}

// pageOf renders a mission's page.
func pageOf(t *testing.T, m *record.Mission, maps *record.Maps, tracks *record.Tracks) []byte {
	t.Helper()
	list := sketches(m, maps, tracks)
	files, err := renderAll(list)
	if err != nil {
		t.Fatal(err)
	}
	page, err := html(m, list, files)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestPageIsSelfContainedAndAccessible(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	page := pageOf(t, m, maps, tracks)
	// Base64 has slashes too: look at the page without its pictures.
	text := regexp.MustCompile(`src="data:[^"]*"`).ReplaceAllString(string(page), "")
	for _, sign := range []string{"http:", "https:", "//", "url(", "@import", "<script", "<link", "src=", "srcset"} {
		if strings.Contains(text, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
	elements := parse(t, page)
	images := only(elements, "img")
	if len(images) != len(pictureFiles) {
		t.Errorf("%d pictures, want %d", len(images), len(pictureFiles))
	}
	for _, e := range images {
		if !strings.HasPrefix(e.attr["src"], "data:image/png;base64,") {
			t.Errorf("a picture comes from %.40q", e.attr["src"])
		}
		if len(e.attr["alt"]) < 20 {
			t.Errorf("a picture's alternative text is %q", e.attr["alt"])
		}
	}
	for _, e := range only(elements, "th") {
		if s := e.attr["scope"]; s != "col" && s != "row" {
			t.Errorf("the heading %q has scope %q", e.text, s)
		}
	}
	if h := only(elements, "html"); len(h) != 1 || h[0].attr["lang"] != "en" {
		t.Error("the page does not name its language")
	}
}

func TestPageTables(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	m.Observations[3].Belief = record.Belief{X: 101.25, Y: 202.5, XX: 2.5, XY: 1.5, YY: 2.5} // axes 2 and 1 at 45°
	m.Observations[3].Target = record.Place{98.25, 198.5}                                    // 3 and 4 m away
	page := string(pageOf(t, m, maps, tracks))
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
	// As many samples are marked as were taken for the recommended target.
	want := 0
	for _, o := range m.Observations {
		if o.Target == m.Recommendation.Target {
			want++
		}
	}
	if got := strings.Count(page, `class="marked"`); got != want || want == 0 {
		t.Errorf("%d rows are marked, want %d", got, want)
	}
	if got := strings.Count(page, "★</th>"); got != want {
		t.Errorf("%d rows have a star, want %d", got, want)
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
	for name, c := range map[string]struct {
		m       *record.Mission
		maps    *record.Maps
		tracks  *record.Tracks
		images  int
		absent  []string
		present []string
	}{
		"no truth":  {robot, maps, tracks, 6, []string{"Regret", "regret", "Truth", "true place"}, []string{"Samples", "Hyper-parameters"}},
		"no sample": {none, nil, nil, 1, []string{"Regret", "NaN", "Hyper-parameters", "σ major"}, []string{"no sample was taken", "Settings"}},
		"one":       {one, oneMaps, oneTracks, 8, []string{"NaN", "1 samples"}, []string{"1 of 1", "after 1 sample", "σ major"}},
		"empty":     {&record.Mission{Version: record.Version}, nil, nil, 0, []string{"NaN", "Pictures", "σ major", "Settings"}, []string{"no sample was taken"}},
	} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(t, c.m, c.maps, c.tracks)
			text := ""
			elements := parse(t, page)
			for _, e := range elements {
				if e.name != "style" {
					text += e.text + " "
				}
			}
			if tables, rows := len(only(elements, "tbody")), len(only(elements, "tr"))-len(only(elements, "thead")); rows < tables {
				t.Errorf("%d tables with %d rows", tables, rows)
			}
			if got := len(only(elements, "img")); got != c.images {
				t.Errorf("%d pictures, want %d", got, c.images)
			}
			for _, s := range c.absent {
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
	m, _, _ := recordtest.Mission(1, 5, 8)
	m.Quantity = `</title><script>alert("x")</script>`
	m.Counts = map[string]int64{`<b onclick="x">`: 1}
	page := string(pageOf(t, m, nil, nil))
	if strings.Contains(page, "<script") || strings.Contains(page, "<b ") {
		t.Error("markup from the mission is live in the page")
	}
	parse(t, []byte(page))
}

// The table of dropped data has only what was dropped, and there is none if nothing was.
func TestPageCounts(t *testing.T) {
	m, _, _ := recordtest.Mission(1, 5, 8)
	m.Counts = map[string]int64{"readings not finite": 3, "poses in another frame": 0}
	if page := string(pageOf(t, m, nil, nil)); !strings.Contains(page, "readings not finite") || strings.Contains(page, "poses in another frame") {
		t.Error("the counts on the page are not those above zero")
	}
	m.Counts = map[string]int64{"poses in another frame": 0}
	if page := string(pageOf(t, m, nil, nil)); strings.Contains(page, "Data used and dropped") {
		t.Error("the page has a table of nothing")
	}
}

func TestPageUnderLogarithm(t *testing.T) {
	m, _, _ := recordtest.Mission(1, 5, 8)
	m.Transform = record.TransformLog10
	m.Recommendation = m.NewRecommendation(record.Place{1, 2}, 1.5, 0.25, 1)
	page := string(pageOf(t, m, nil, nil))
	// 10^1.5 = 31.6; (100 − 10)/4 = 22.5.
	for _, want := range []string{"32 ± 22 mg/l", "2σ interval 10.0 to 100 mg/l", "signal σ (log10 mg/l)"} {
		if !strings.Contains(strings.ReplaceAll(page, "&#43;", "+"), want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// The title of the report is the question of the mission.
func TestQuestion(t *testing.T) {
	level := 1.25
	for want, m := range map[string]*record.Mission{
		"Where is the moisture highest?":                  {Quantity: "moisture", Objective: "maximum"},
		"Where is the moisture lowest?":                   {Quantity: "moisture", Objective: "minimum"},
		"How is the moisture distributed over the field?": {Quantity: "moisture", Objective: "map"},
		"Where does the moisture cross 1.250 %?":          {Quantity: "moisture", Units: "%", Objective: "threshold", Threshold: &level},
		"Where is the value highest?":                     {},
	} {
		if got := question(m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	m, maps, _ := recordtest.Mission(8, 20, 34)
	m.Objective, m.Threshold = "threshold", &level
	m.Survey = maps.Survey(m.Transform, &level)
	page, err := html(m, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Where does the ", "Above the threshold", "undecided", "different sides"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
}

// Samples of other robots are counted, listed and drawn apart from the robot's own; a
// mission without any is silent about them.
func TestTeamOnThePage(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	alone := string(pageOf(t, m, maps, tracks))
	if strings.Contains(alone, "other robots") || strings.Contains(alone, "another robot") {
		t.Error("a robot alone has samples of others")
	}
	before, err := pictures(m, maps, tracks)[0].draw()
	if err != nil {
		t.Fatal(err)
	}
	for i, robot := range []string{"/b/ugp_explorer", "/a/ugp_explorer", "/b/ugp_explorer"} {
		o := m.Observations[i]
		o.Belief.X += 30
		m.Team = append(m.Team, record.TeamSample{Robot: robot, Observation: o})
	}
	m.Recommendation.AfterTeam = 3
	page := string(pageOf(t, m, maps, tracks))
	for _, want := range []string{"1 from /a/ugp_explorer, 2 from /b/ugp_explorer", "after 8 samples and 3 from other robots", ">/b/ugp_explorer</t"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	after, err := pictures(m, maps, tracks)[0].draw()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(before, after) {
		t.Error("the picture does not show them")
	}
}

// Samples from before the mission are counted and drawn apart.
func TestEarlierSamplesOnThePage(t *testing.T) {
	m, maps, tracks := recordtest.Mission(8, 30, 50)
	if strings.Contains(string(pageOf(t, m, maps, tracks)), "Earlier samples") {
		t.Error("a mission without earlier samples has some")
	}
	before, err := pictures(m, maps, tracks)[0].draw()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range m.Observations[:3] {
		o.Belief.X += 30
		m.Earlier = append(m.Earlier, o)
	}
	page := string(pageOf(t, m, maps, tracks))
	if !strings.Contains(page, "Earlier samples") || !strings.Contains(page, "8 of 8") {
		t.Error("the page does not count earlier samples apart from the 8 of the mission")
	}
	after, err := pictures(m, maps, tracks)[0].draw()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(before, after) {
		t.Error("the picture does not show them")
	}
}
