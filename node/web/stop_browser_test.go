// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"ugp_explorer/internal/testkit/browsertest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/simulation"
)

// onlooker follows a mission by its page's events.
type onlooker struct {
	t              *testing.T
	address, token string

	mu    sync.Mutex
	state string
	offer string // the first command that is offered
	speed float64
	at    [2]float64
	since time.Time // when it has stood still last
}

func look(t *testing.T, m live) *onlooker {
	t.Helper()
	o := &onlooker{t: t, address: "http://" + m.address, token: m.token}
	ctx, cancel := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.address+"/api/events", nil)
	must.OK(t, err)
	request.Header.Set("Authorization", "Bearer "+m.token)
	res, err := http.DefaultClient.Do(request)
	must.OK(t, err)
	ended := make(chan struct{})
	t.Cleanup(func() { cancel(); <-ended })
	go func() {
		defer close(ended)
		defer res.Body.Close()
		name, lines := "", bufio.NewScanner(res.Body)
		for lines.Buffer(nil, 1<<20); lines.Scan(); {
			if word, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = word
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				o.take(name, data)
			}
		}
	}()
	return o
}

func (o *onlooker) take(name, data string) {
	var m struct {
		State   string
		Offers  []string
		X, Y, V float64
	}
	if name != "status" && name != "pose" {
		return
	}
	if err := json.Unmarshal([]byte(data), &m); err != nil {
		o.t.Error(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if name == "status" {
		o.state, o.offer = m.State, strings.Join(m.Offers[:min(1, len(m.Offers))], "")
	} else {
		if stands(o.state, m.V) && !stands(o.state, o.speed) {
			o.since = time.Now()
		}
		o.speed, o.at = m.V, [2]float64{m.X, m.Y}
	}
}

func (o *onlooker) now() (state string, speed float64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state, o.speed
}

// until waits for a state and a speed.
func (o *onlooker) until(what string, ok func(state string, speed float64) bool) {
	o.t.Helper()
	for limit := time.Now().Add(browsertest.Patience); !ok(o.now()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			state, speed := o.now()
			o.t.Fatalf("still waiting for %s: %s, %g m/s", what, state, speed)
		}
	}
}

func (o *onlooker) untilState(state string) {
	o.t.Helper()
	o.until(state, func(s string, _ float64) bool { return s == state })
}

func (o *onlooker) post(path, body string) (answer string) {
	o.t.Helper()
	request, err := http.NewRequest(http.MethodPost, o.address+path, strings.NewReader(body))
	must.OK(o.t, err)
	request.Header.Set("Authorization", "Bearer "+o.token)
	request.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(request)
	must.OK(o.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must.OK(o.t, err)
	return string(text)
}

// order gives a command until it is done.
func (o *onlooker) order(words string) {
	o.t.Helper()
	for limit := time.Now().Add(browsertest.Patience); ; time.Sleep(200 * time.Millisecond) {
		answer := o.post("/api/command", fmt.Sprintf(`{"command":%q}`, words))
		if strings.Contains(answer, `"done":true`) {
			return
		}
		if time.Now().After(limit) {
			o.t.Fatalf("%s: %s", words, answer)
		}
	}
}

func drives(_ string, speed float64) bool { return speed > 0.1 }
func stands(_ string, speed float64) bool { return speed < 0.02 }

// atFirstPaint taps STOP when the page has been painted first, where a person would see it. A slow computer may paint the page before it has
// read as far as STOP.
const atFirstPaint = `{
const tap = (paint) => {
	const stop = document.querySelector('#stop');
	if (!stop) { requestAnimationFrame(() => tap(paint)); return; }
	const r = stop.getBoundingClientRect();
	const on = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
	window.tap = { after: performance.now() - paint.startTime, at: Date.now(), on: on.id };
	on.click();
};
new PerformanceObserver((list, observer) => {
	const paint = list.getEntriesByName('first-paint')[0];
	if (!paint) return;
	observer.disconnect();
	tap(paint);
}).observe({ type: 'paint', buffered: true });
}`

// tapped is what came of that tap.
type tapped struct {
	After float64 // the first paint, ms
	At    float64 // ms
	On    string
}

// TestStopInEveryState opens the page in each state, opens it again, and opens it a second time, and taps STOP when it has
// been painted first. The robot stands within two seconds.
func TestStopInEveryState(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	const pace = 4
	mission := func(t *testing.T, change func(*simulation.Config)) live {
		cfg := configure(t, t.TempDir(), 20)
		cfg.Explorer.Reading.Count, cfg.Explorer.Reading.Wait, cfg.Explorer.Mission.SampleTimeout = 400, 600, 700 // it samples for long
		if change != nil {
			change(cfg)
		}
		return serve(t, cfg, pace)
	}
	quick := func(cfg *simulation.Config) { cfg.Explorer.Reading.Count, cfg.Explorer.Reading.Wait = 1, 1 }
	far := func(o *onlooker) { // from home
		o.t.Helper()
		o.order("goto 70 30")
		o.until("some way", func(string, float64) bool { o.mu.Lock(); defer o.mu.Unlock(); return o.at[0] > 60 })
	}
	// prepare brings the mission into the state; it is called before each time that the page is opened.
	type state struct {
		name    string
		open    func(t *testing.T) live
		prepare func(o *onlooker)
		then    string // the states in which the mission is allowed to be afterwards
	}
	running := func(name string, change func(*simulation.Config), begin func(o *onlooker), again string) state {
		begun := false
		return state{name, func(t *testing.T) live { return mission(t, change) }, func(o *onlooker) {
			o.t.Helper()
			if !begun {
				o.order("start")
				begin(o)
			} else if again != "" {
				o.order(again)
			}
			begun = true
			o.untilState(name)
		}, "paused"}
	}
	moving := func(s state) state {
		prepare := s.prepare
		s.prepare = func(o *onlooker) { prepare(o); o.until("the drive", drives) }
		return s
	}
	// earlier leaves the folder of a mission with a sample, over or interrupted.
	earlier := func(t *testing.T, over bool) *simulation.Config {
		dir := t.TempDir()
		cfg := configure(t, dir, 20)
		quick(cfg)
		m := serve(t, cfg, 50)
		o := look(t, m)
		o.order("start")
		o.order("save") // which needs a sample
		if over {
			o.order("stop")
			o.untilState("done")
		}
		m.end()
		cfg = configure(t, dir, 20)
		quick(cfg)
		cfg.Explorer.Existing = settings.ExistingResume
		return cfg
	}
	let := make(chan struct{}, 1) // the person who steers has let go
	states := []state{
		{"recording", func(t *testing.T) live {
			cfg := simulation.DefaultConfig(3)
			cfg.Explorer.Teach.File = filepath.Join(t.TempDir(), "field.geojson")
			return serve(t, &cfg, pace)
		}, func(o *onlooker) {
			steers := func() bool { return strings.Contains(o.post("/api/steer", `{"forward":1,"left":0.2}`), `"done":true`) }
			for limit := time.Now().Add(browsertest.Patience); !steers() && time.Now().Before(limit); time.Sleep(100 * time.Millisecond) { // it was stopped just now
			}
			ended := make(chan struct{})
			o.t.Cleanup(func() { <-ended })
			go func() { // as a page does while a button is held
				defer close(ended)
				for o.t.Context().Err() == nil && steers() {
					time.Sleep(100 * time.Millisecond)
				}
				let <- struct{}{}
			}()
			o.until("the drive", drives)
		}, "recording"},
		{"idle", func(t *testing.T) live { return mission(t, nil) }, func(o *onlooker) { o.untilState("idle") }, "idle"},
		moving(running("travelling", nil, func(*onlooker) {}, "resume")),
		running("sampling", nil, func(*onlooker) {}, "resume"),
		running("paused", nil, func(o *onlooker) { o.order("pause") }, ""),
		{"fault", func(t *testing.T) live {
			dir := t.TempDir()
			must.OK(t, os.WriteFile(filepath.Join(dir, "field.geojson"), []byte(`{"type":"Polygon","coordinates":[[[8.047,52.272],[8.05,52.272],[8.05,52.274],[8.047,52.274],[8.047,52.272]]]}`), 0o666))
			r := newTractor(t, dir)
			r.drive([2]float64{20, 20})
			m := live{address: r.address, token: r.token}
			o := look(t, m)
			o.order("start")
			o.untilState("travelling")
			r.mu.Lock()
			r.lost = true
			r.mu.Unlock()
			return m
		}, func(o *onlooker) {
			if state, _ := o.now(); state == "paused" {
				o.post("/api/command", `{"command":"home"}`) // for which it waits for a pose
			}
			o.untilState("fault")
		}, "paused"},
		moving(running("returning", nil, func(o *onlooker) { far(o); o.order("home") }, "resume")),
		{"done", func(t *testing.T) live {
			m := mission(t, quick)
			o := look(t, m)
			o.order("start")
			o.order("save")
			o.order("stop")
			return m
		}, func(o *onlooker) { o.untilState("done") }, "done"},
		{"taken up again", func(t *testing.T) live { return serve(t, earlier(t, false), pace) }, func(o *onlooker) { o.untilState("paused") }, "paused"},
		{"finished folder", func(t *testing.T) live { return serve(t, earlier(t, true), pace) }, func(o *onlooker) { o.untilState("done") }, "done"},
	}
	chromium := browsertest.Open(t)
	another := func(t *testing.T) browser {
		b := browser{chromium.Another(t)}
		b.first(keepAnswers + ";" + atFirstPaint)
		return b
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			m := s.open(t)
			o := look(t, m)
			b := another(t)
			b.Look(390, 844, "light")
			limit := time.Now().Add(browsertest.Patience) // a machine that is busy with other things is late by itself, so a late tap is tried again
			for k, how := range []string{"opened", "opened anew", "opened twice"} {
				for {
					s.prepare(o)
					o.mu.Lock()
					offer, want := o.offer, map[string]string{"recording": "", "idle": "start", "paused": "resume", "taken up again": "resume", "done": "more", "finished folder": "more"}
					o.mu.Unlock()
					if main, ok := want[s.name]; ok && offer != main || !ok && offer != "pause" {
						t.Errorf("%s: %q is offered first", s.name, offer)
					}
					tab := b
					switch k {
					case 0:
						// Another part of the same page would be no new page.
						b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate("http://"+m.address+"/#token="+m.token))
					case 1:
						b.Do(chromedp.Reload())
					case 2:
						tab = another(t)
						tab.Do(chromedp.Navigate("http://" + m.address + "/"))
					}
					tab.Until("the tap", "window.tap")
					got := browsertest.Ask[tapped](tab.Tab, "window.tap")
					o.until("a robot that stands", stands)
					o.mu.Lock()
					stood := max(0, o.since.Sub(time.UnixMilli(int64(got.At))))
					o.mu.Unlock()
					t.Logf("%s, %s: tapped %.0f ms after the first paint, stands after %.2f s", s.name, how, got.After, stood.Seconds())
					if got.On != "stop" {
						t.Errorf("%s: tapped on %q", how, got.On)
					}
					if state, _ := o.now(); s.name == "returning" && state == "done" {
						t.Skip("the robot came home before the tap: this machine is too slow for it")
					}
					tab.Until("the answer", "answers.concat(ofStop).some((text) => /^STOP: |does not drive/.test(text))")
					if s.name == "recording" {
						<-let
					}
					o.until("a mission that is "+s.then, func(state string, speed float64) bool { return strings.Contains(s.then, state) && stands(state, speed) })
					tab.Until("what it does now", "document.querySelector('#state').dataset.state === '"+s.then+"'")
					if said := browsertest.Ask[string](tab.Tab, "document.querySelector('#broken').innerText"); said != "" {
						t.Errorf("%s: %s", how, said)
					}
					tab.Silent()
					if got.After <= 1000 && stood <= 2*time.Second {
						break
					}
					if time.Now().After(limit) {
						t.Errorf("%s: in %v no tap within a second of the first paint stopped the robot within 2 s", how, browsertest.Patience)
						break
					}
				}
			}
		})
	}
}
