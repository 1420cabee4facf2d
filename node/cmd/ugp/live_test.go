package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/sim/rig/must"
)

// TestLive serves the page at the address of the parameter file, prints the link, and ends with
// an interruption like any mission.
func TestLive(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	errs := trigger{word: "1 of 3 samples", cancel: func() {}}
	looked := false
	errs.cancel = func() {
		link := regexp.MustCompile(`http://localhost:\d+/`).FindString(errs.String())
		res, err := http.Get(link)
		if err != nil {
			t.Error(err)
		} else {
			looked = res.StatusCode == http.StatusOK
			res.Body.Close()
		}
		cancel()
	}
	var out bytes.Buffer
	dir := filepath.Join(t.TempDir(), "out")
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)},
		[]string{"demo", "--live", "--speed", "1000", "--samples", "3", "--address", "127.0.0.1:0", "--out", dir})
	if code != exitInterrupted || !looked {
		t.Errorf("exit code %d, page seen %v: %s", code, looked, errs.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "mission.json"))
	token := regexp.MustCompile(`#token=(\w+)`).FindStringSubmatch(errs.String())
	if err != nil || token == nil || strings.Contains(string(text), token[1]) {
		t.Errorf("%v; the link is %v, and the record must not have its token", err, token)
	}
}

// A mission that is over goes on with more budget that a person gives on its page, and its new result is printed, too.
func TestLiveGoesOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var errs, out trigger
	out.word, errs.word = "Go on, there", "never"
	out.cancel = func() {
		link := regexp.MustCompile(`(http://localhost:\d+)/#token=(\w+)`).FindStringSubmatch(errs.String())
		out.word, out.cancel = "3 samples, ", cancel
		go post(t, link[1]+"/api/command", link[2], `{"command":"more"}`) // the answer comes when the simulation goes on
	}
	dir := filepath.Join(t.TempDir(), "out")
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)},
		[]string{"demo", "--live", "--speed", "1000", "--samples", "2", "--address", "127.0.0.1:0", "--out", dir})
	m, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	must.OK(t, err)
	page, err := os.ReadFile(filepath.Join(dir, report.PageFile))
	if code != 0 || err != nil || len(m.Observations) != 3 || !strings.Contains(string(page), "3 of 3") {
		t.Errorf("exit code %d, %v, %d samples, %s\n%s", code, err, len(m.Observations), m.Outcome, out.String())
	}
}

// The outline of a demonstration can be edited on its page before the mission, which is then on that field.
func TestLiveOutline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	edited := filepath.Join(dir, "edited.geojson")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	field := write("field.geojson", `{"type": "Polygon", "coordinates": [[[0, 0], [100, 0], [100, 100], [0, 100], [0, 0]]]}`)
	config := write("live.yaml", "ugp_explorer: {ros__parameters: {auto_start: false, outline.file: "+edited+"}}")
	out, errs := trigger{word: "Go on, there", cancel: cancel}, trigger{word: "idle: "}
	errs.cancel = func() {
		errs.word = "never"
		link := regexp.MustCompile(`(http://localhost:\d+)/#token=(\w+)`).FindStringSubmatch(errs.String())
		go func() {
			for _, c := range [][2]string{
				{"command", `{"command":"record edit"}`}, {"outline", `{"version":2,"ring":0,"op":"move","corner":1,"at":[260,20]}`},
				{"command", `{"command":"record save"}`}, {"command", `{"command":"start"}`},
				{"command", `{"command":"goto 190 24"}`}, // by more than the guard allows outside the outline before
			} {
				answer := ""
				for tries := 0; !strings.Contains(answer, `"done":true`); tries++ { // a start waits for the first pose
					if tries == 2000 {
						t.Errorf("%s: %s", c[1], answer)
						cancel()
						return
					}
					answer = post(t, link[1]+"/api/"+c[0], link[2], c[1])
				}
			}
		}()
	}
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)},
		[]string{"demo", "--live", "--speed", "1000", "--samples", "2", "--field", field, "--config", config, "--address", "127.0.0.1:0", "--out", filepath.Join(dir, "out")})
	m, err := record.ReadMission(filepath.Join(dir, "out", record.MissionFile))
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	if code != 0 || len(m.Observations) != 2 || !slices.Contains(m.Field.Boundary[0], record.Place{260, 20}) {
		t.Errorf("exit code %d, %d samples on %v", code, len(m.Observations), m.Field.Boundary)
	}
	i := slices.IndexFunc(m.Observations, func(o record.Observation) bool { return math.Hypot(o.Belief.X-190, o.Belief.Y-24) < 10 })
	if i < 0 || math.IsNaN(m.Observations[i].Value) {
		t.Fatalf("no sample was taken where the outline was moved to: %+v", m.Observations)
	}
}

// post returns what the page answers.
func post(t *testing.T, address, token, body string) string {
	request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
