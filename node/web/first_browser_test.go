// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/browsertest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/node/web"
)

// full is a mission of which all is known, in a state of it.
func full(state string, offers ...string) func(*web.Snapshot) {
	return func(s *web.Snapshot) {
		scene, home := *s.Scene, record.Place{5, 5}
		scene.Home, scene.KeepOuts = &home, [][][]record.Place{{{{40, 40}, {60, 40}, {50, 60}, {40, 40}}}}
		values := []float64{1, 2, 3, 4}
		s.Scene, s.Plan, s.Track = &scene, []record.Place{{1, 1}, {9, 9}}, []record.Place{{0, 0}, {1, 1}}
		s.Status = web.Status{
			State: state, Text: state + ", 2 of 4 samples", Offers: offers, Target: &record.Place{9, 9}, Best: &web.Best{At: record.Place{1, 1}},
			Answer: &record.Answer{Text: "Highest potassium: about 50 mg/l.", Decimal: "-33.5, -56.9"}, Battery: &web.Battery{},
			Over: state == "done", Files: state == "done",
		}
		s.Usage = web.Usage{Samples: web.Used{Used: 2, Limit: 4}, Distance: web.Used{Used: 40, Limit: 100}, ToHome: 12}
		s.Own, s.Team = []record.Observation{observation(1), observation(2)}, []record.TeamSample{{Robot: "other", Observation: observation(3)}}
		s.Maps = &web.Maps{Samples: 2, Variance: 1, Data: &record.Maps{Grid: record.Grid{Cell: 50, NX: 2, NY: 2}, Mean: values, StdDev: values, Acquisition: values, Layers: []record.Layer{{Kind: record.LayerSecondary, Name: "conductivity", Values: values}, {Kind: record.LayerRaster, Name: "soil.tif", Values: values}}}}
		s.Regret = []web.Regret{{Samples: 1, Regret: 3}, {Samples: 2, Regret: 1}}
		s.Recording = &web.Recording{}
		if state == "recording" {
			s.Recording = &web.Recording{
				Active: true, Steered: true, Open: "keep-out", Driving: true, Points: 2, Version: 3, Edge: []record.Place{{1, 1}, {2, 2}}, Crossings: []record.Place{{3, 3}},
				Rings: []web.RecordedRing{{Kind: "outline", Points: []record.Place(corners), Area: 100}},
			}
		}
	}
}

var corners = func() (list []record.Place) {
	for _, p := range []orb.Point{{0, 0}, {10, 0}, {10, 10}} {
		list = append(list, record.Place(p))
	}
	return list
}()

// message is an event as the page gets it.
type message struct {
	Name string          `json:"name"`
	Data json.RawMessage `json:"data"`
}

// messages returns what a client gets first: one message of each kind that there is in this state.
func (r *rig) messages(state string) []message {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), "GET", r.url+"/api/events", nil)
	must.OK(r.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	must.OK(r.t, err)
	defer res.Body.Close()
	found := map[string]message{}
	name, lines := "", bufio.NewScanner(res.Body)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		if word, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = word
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if name == "beat" && strings.Contains(string(found["status"].Data), state) { // it comes last
			break
		}
		if ok && name != "beat" && name != "hello" {
			found[name] = message{name, json.RawMessage(data)}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b message) int { return strings.Compare(a.Name, b.Name) })
}

// feeding makes the page take its events from the test. Those of sessionStorage.first come first.
const feeding = `(() => {
	const real = window.fetch;
	window.fetch = (path, options) => String(path).startsWith('/api/events') ? Promise.resolve(new Response(new ReadableStream({
		start(c) {
			const first = JSON.parse(sessionStorage.first || '[]');
			const text = ['event: hello\ndata: {"id":"a","commands":true}\n\n', ...first.map((m) => 'event: ' + m.name + '\ndata: ' + JSON.stringify(m.data) + '\n\n')];
			c.enqueue(new TextEncoder().encode(text.join('')));
			options.signal.addEventListener('abort', () => { try { c.error(options.signal.reason); } catch {} });
		},
	}))) : real(path, options);
})()`

// well says what is wrong with what the page shows, "" if nothing is.
const well = `window.well = () => {
	const stop = document.querySelector('#stop');
	const r = stop.getBoundingClientRect();
	const bad = [];
	if (!document.querySelector('#broken').hidden) bad.push(document.querySelector('#broken').innerText);
	if (!stop.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2))) bad.push('STOP is not within reach');
	return bad.join(', ');
}`

// orders feeds first messages to the page, each time to a page that knows nothing of the mission, and returns those with
// which something is wrong: every order of two kinds and, since little is drawn without the scene, of three that begin
// with it; then all kinds but one, in both orders.
const orders = `async (messages) => {
	const { receive, render } = await import('/app/main.js');
	let runs = 0;
	const bad = [];
	const feed = (list) => {
		receive('hello', { id: 'run ' + ++runs, commands: true });
		for (const m of list) {
			receive(m.name, JSON.parse(m.text));
			if (list.length === 3 && m !== list[2]) continue; // it was drawn as a pair
			render();
			const wrong = well();
			if (!wrong || bad.length > 9) continue;
			bad.push(list.map((e) => e.name).join(', ') + ': ' + wrong);
			document.querySelector('#broken').hidden = true;
		}
	};
	const all = messages.map((m) => ({ name: m.name, text: JSON.stringify(m.data) }));
	for (const a of all) {
		for (const b of all.filter((m) => m !== a)) {
			feed([a, b]);
			if (a.name === 'scene') for (const c of all.filter((m) => m !== a && m !== b)) feed([a, b, c]);
		}
		const rest = all.filter((m) => m !== a);
		feed(rest);
		feed(rest.reverse());
	}
	return { runs, bad };
}`

// TestFirstMessages holds that the page draws what it has, in whatever order the first messages come and whatever they
// leave out.
func TestFirstMessages(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	r := newRig(t, nil)
	r.server.Log(1e9, slog.LevelWarn, "a line of the log", nil)
	b := visit(t, r.url, token, 390, 844) // for the cookie
	b.Until("the mission", "/Driving|Waiting/.test(document.querySelector('#state').innerText)")
	b.first(feeding + ";" + well)
	kinds := map[string]bool{}
	for state, offers := range map[string][]string{"travelling": {"pause", "home", "skip", "stop"}, "done": {"more"}, "recording": nil} {
		r.set(full(state, offers...))
		list := r.messages(state)
		for _, m := range list {
			kinds[m.Name] = true
		}
		text, err := json.Marshal(list)
		must.OK(t, err)
		b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(r.url+"/"))
		b.Until("the page", "window.safety && document.querySelector('#state').innerText === 'Connecting'")
		got := browsertest.Ask[struct {
			Runs int
			Bad  []string
		}](b.Tab, fmt.Sprintf("(%s)(%s)", orders, text))
		if n := len(list); got.Runs != n*(n-1)+(n-1)*(n-2)+2*n {
			t.Errorf("%s: %d orders of %d messages were tried", state, got.Runs, n)
		}
		if len(got.Bad) > 0 {
			t.Errorf("%s: %s", state, strings.Join(got.Bad, "\n"))
		}

		if state != "done" {
			continue
		}

		// Nor does a page that is opened again need any of them.
		for i := range list {
			text, err := json.Marshal(slices.Delete(slices.Clone(list), i, i+1))
			must.OK(t, err)
			browsertest.Ask[bool](b.Tab, fmt.Sprintf("(sessionStorage.first = JSON.stringify(%s), true)", text))
			b.Do(chromedp.Reload())
			b.Until("what has come to be drawn", "import('/app/main.js').then((m) => m.state.id === 'a' && new Promise((done) => requestAnimationFrame(() => done(true))))")
			if wrong := browsertest.Ask[string](b.Tab, "well()"); wrong != "" {
				t.Errorf("all but %s: %s", list[i].Name, wrong)
			}
		}
		browsertest.Ask[bool](b.Tab, "(delete sessionStorage.first, true)")
	}
	for _, name := range strings.Fields("scene pose status usage checks plan track samples log maps regret recording rings edge") {
		if !kinds[name] {
			t.Errorf("no order has the message %s", name)
		}
	}
	b.Silent()
}
