// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
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

// A mission that is over continues with more budget that a person gives on its page, and its new result is printed, too.
func TestLiveGoesOn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var errs, out trigger
	out.word, errs.word = "use Continue on the page", "never"
	out.cancel = func() {
		link := regexp.MustCompile(`(http://localhost:\d+)/#token=(\w+)`).FindStringSubmatch(errs.String())
		out.word, out.cancel = "3 samples, ", cancel
		go post(t, link[1]+"/api/command", link[2], `{"command":"more"}`) // the answer comes when the simulation continues
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

// The page outlives a mission that is stopped on it before the first sample.
func TestLiveStoppedEarly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var errs, out trigger
	errs.word, errs.cancel = "0 of 2 samples", func() {
		errs.word = "never"
		link := regexp.MustCompile(`(http://localhost:\d+)/#token=(\w+)`).FindStringSubmatch(errs.String())
		go post(t, link[1]+"/api/command", link[2], `{"command":"stop"}`)
	}
	out.word, out.cancel = "The page is served until you press Ctrl-C: no sample was taken: stop was requested; start", cancel
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)},
		[]string{"demo", "--live", "--speed", "100", "--samples", "2", "--address", "127.0.0.1:0", "--out", filepath.Join(t.TempDir(), "out")})
	if code != 0 {
		t.Errorf("exit code %d\n%s\n%s", code, errs.String(), out.String())
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
	out, errs := trigger{word: "use Continue on the page", cancel: cancel}, trigger{word: "idle: "}
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

// A person drives the simulated robot round a square by the page's requests, closes and saves it, and starts the
// mission, which samples inside. Nobody drives it while the mission runs, and it stops by itself when a person lets go.
func TestLiveRecording(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute) // a drive that never ends fails
	dir := t.TempDir()
	file := filepath.Join(dir, "field.geojson")
	out, errs := trigger{word: "use Continue on the page", cancel: cancel}, trigger{word: "drive the robot along its edge"}
	errs.cancel = func() {
		errs.word = "never"
		link := regexp.MustCompile(`(http://localhost:\d+)/#token=(\w+)`).FindStringSubmatch(errs.String())
		go func() {
			defer cancel()
			d := driver{t: t, ctx: ctx, address: link[1], token: link[2]}
			d.follow()
			d.steer(1, 0) // once
			d.until("the robot sets out", func(p seen) bool { return p.V > 0.1 })
			d.until("the robot stops by itself", func(p seen) bool { return p.V < 0.01 })
			d.order("record outline")
			began := d.pose
			for _, to := range [][2]float64{{26, 0}, {26, 26}, {0, 26}, {0, 0}} {
				d.drive(began.X+to[0], began.Y+to[1])
			}
			d.order("record close")
			d.order("record save")
			if answer := d.steer(1, 0); !strings.Contains(answer, `"done":false`) || !strings.Contains(answer, "only while a field is recorded") {
				t.Errorf("to drive beside a mission is answered with %s", answer)
			}
			d.order("start")
			for range d.poses { // to the end
			}
		}()
	}
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)},
		[]string{"demo", "--live", "--speed", "40", "--samples", "2", "--outline", file, "--address", "127.0.0.1:0", "--out", filepath.Join(dir, "out")})
	m, err := record.ReadMission(filepath.Join(dir, "out", record.MissionFile))
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out.String(), errs.String())
	}
	f, err := convert.ReadBoundary(file, nil)
	must.OK(t, err)
	if area := planar.Area(f.Boundary); code != 0 || len(m.Observations) != 2 || !(area > 500 && area < 930) {
		t.Errorf("exit code %d, %d samples on %.0f m²\n%s", code, len(m.Observations), area, errs.String())
	}
	for _, o := range m.Observations {
		if math.IsNaN(o.Value) || !planar.PolygonContains(f.Boundary, orb.Point{o.Belief.X, o.Belief.Y}) {
			t.Errorf("the sample at (%.1f, %.1f) is %g, on %v", o.Belief.X, o.Belief.Y, o.Value, f.Boundary)
		}
	}
	if m.Truth == nil {
		t.Error("the mission has no true field")
	}
}

// seen is the robot's pose on the page.
type seen struct{ X, Y, Yaw, V float64 }

// driver is a person at the page.
type driver struct {
	t              *testing.T
	ctx            context.Context
	address, token string
	poses          chan seen
	pose           seen // the newest
}

// follow opens the page's events.
func (d *driver) follow() {
	request, err := http.NewRequestWithContext(d.ctx, http.MethodGet, d.address+"/api/events", nil)
	must.OK(d.t, err)
	request.Header.Set("Authorization", "Bearer "+d.token)
	res, err := http.DefaultClient.Do(request)
	must.OK(d.t, err)
	d.poses = make(chan seen, 1)
	go func() {
		defer res.Body.Close()
		defer close(d.poses)
		name, lines := "", bufio.NewScanner(res.Body)
		for lines.Buffer(nil, 1<<20); lines.Scan(); {
			if word, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = word
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && name == "pose" {
				var p seen
				if err := json.Unmarshal([]byte(data), &p); err != nil {
					d.t.Error(err)
				}
				select {
				case d.poses <- p:
				default: // the driver is busy
				}
			}
		}
	}()
}

// until waits for a pose.
func (d *driver) until(what string, ok func(seen) bool) {
	for p := range d.poses {
		if d.pose = p; ok(p) {
			return
		}
	}
	d.t.Errorf("the page has ended before %s", what)
}

// drive steers to a place as a person does who looks at the page.
func (d *driver) drive(x, y float64) {
	d.until("the robot arrives", func(p seen) bool {
		left := math.Hypot(x-p.X, y-p.Y)
		off := math.Remainder(math.Atan2(y-p.Y, x-p.X)-p.Yaw, 2*math.Pi)
		forward, turn := min(1, left/10), max(-1, min(1, 2*off))
		if math.Abs(off) > 0.3 {
			forward = 0
		}
		if left < 2 {
			forward, turn = 0, 0
		}
		if answer := d.steer(forward, turn); !strings.Contains(answer, `"done":true`) {
			d.t.Errorf("steering: %s", answer)
			return true
		}
		return left < 2
	})
}

func (d *driver) steer(forward, left float64) string {
	return post(d.t, d.address+"/api/steer", d.token, fmt.Sprintf(`{"forward":%g,"left":%g}`, forward, left))
}

// order gives a command until it is done.
func (d *driver) order(words string) {
	for answer := ""; !strings.Contains(answer, `"done":true`); time.Sleep(300 * time.Millisecond) { // fewer than are allowed
		if d.ctx.Err() != nil {
			d.t.Errorf("%s: %s", words, answer)
			return
		}
		answer = post(d.t, d.address+"/api/command", d.token, fmt.Sprintf(`{"command":%q}`, words))
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
