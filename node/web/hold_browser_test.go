// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"context"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"ugp_explorer/internal/testkit/browsertest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/web"
)

// Eight tabs follow the mission at once, of which the server sends to two. STOP is obeyed from each, and one that a person
// looks at is live again.
func TestManyTabs(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	r := newRig(t, nil)
	r.set(func(s *web.Snapshot) { s.Status.Offers = []string{"pause"} })
	first := newTab(t)
	tabs := []browser{first}
	first.Do(chromedp.Navigate(r.url + "/#token=" + token))
	for len(tabs) < 8 {
		tabs = append(tabs, browser{first.Another(t)})
		tabs[len(tabs)-1].Do(chromedp.Navigate(r.url + "/"))
	}
	for _, b := range tabs {
		b.Until("the mission", "!/connecting/i.test(document.querySelector('#state').innerText)")
	}
	first.Until("that it is shown elsewhere", "document.querySelector('#age').innerText.startsWith('in another tab')")
	for i, b := range tabs {
		before := len(r.given())
		took := math.Inf(1)
		for try := 0; took > 2 && try < 3; try++ { // a machine may stand still; a tab that gets no connection waits each time
			took = browsertest.Ask[float64](b.Tab, `new Promise((done) => {
				const begun = performance.now();
				const says = document.querySelector('#says');
				const look = () => says.innerText.includes('STOP: pause was done') && done((performance.now() - begun) / 1000);
				new MutationObserver(look).observe(says, { subtree: true, childList: true });
				document.querySelector('#stop').click();
			})`)
		}
		if took > 2 || len(r.given()) == before {
			t.Errorf("tab %d: STOP is confirmed after %.2f s, and the explorer was given %v", i, took, r.given())
		}
	}
	browsertest.Ask[bool](first.Tab, "dispatchEvent(new Event('focus'))")
	first.Until("live data", "document.querySelector('#age').innerText === 'live'")
	for _, b := range tabs {
		b.Silent()
	}
}

// What fails while the page is drawn is shown and told to the log once. All else is drawn, and STOP works.
func TestBrokenPage(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	r := newRig(t, nil)
	r.set(full("travelling", "pause", "home", "skip", "stop"))
	b := visit(t, r.url, token, 390, 844)
	b.Until("the mission", "document.querySelector('#samples-text').innerText === '2 of 4'")
	browsertest.Ask[bool](b.Tab, `(document.querySelector('#battery').remove(), document.querySelector('#map').getContext('2d').ellipse = null, true)`)
	level := 50.0
	r.set(func(s *web.Snapshot) {
		s.Usage.Samples.Used = 3
		s.Status.Battery = &web.Battery{Percent: &level}
	})
	b.Until("what has come since", "document.querySelector('#samples-text').innerText === '3 of 4'")
	b.Until("what is broken", "/battery/.test(document.querySelector('#broken').innerText) && /map/.test(document.querySelector('#broken').innerText)")
	b.Until("live data", "document.querySelector('#age').innerText === 'live'")
	b.fits("a broken page")
	b.Accessible("a broken page")
	b.Shoot("broken")
	b.Click("#stop")
	b.Until("the answer", "answers.concat(ofStop).some((text) => text.includes('pause was done'))")
	browsertest.Ask[bool](b.Tab, "(delete document.querySelector('#map').getContext('2d').ellipse, true)")
	b.Until("that the map is drawn again", "!/map/.test(document.querySelector('#broken').innerText)")
	for _, part := range []string{"battery", "map"} {
		if n := strings.Count(r.logs.String(), "part="+part); n != 1 {
			t.Errorf("the log has %d lines of the %s:\n%s", n, part, r.logs.String())
		}
	}

	// Nor does STOP need any of the modules.
	to, err := url.Parse(r.url)
	must.OK(t, err)
	pass := httputil.NewSingleHostReverseProxy(to)
	missing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/app/main.js" {
			http.NotFound(w, r)
			return
		}
		pass.ServeHTTP(w, r)
	}))
	defer missing.Close()
	before := len(r.given())
	b.Do(chromedp.Navigate(missing.URL + "/#token=" + token))
	b.Until("that a file is missing", "/loading/.test(document.querySelector('#broken')?.innerText)")
	b.Click("#stop")
	b.Until("the answer", "ofStop.includes('STOP: pause was done')")
	if len(r.given()) != before+1 {
		t.Errorf("the explorer was given %v", r.given())
	}
}

// A tap moves no robot that stands: what does is held for a second, by a finger or a key, and a screen reader activates it
// twice. A button that has just come or changed does nothing.
func TestHeldButtons(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	r := newRig(t, nil)
	b := visit(t, r.url, token, 390, 844)
	b.Until("the mission", "!/connecting/i.test(document.querySelector('#state').innerText)")
	// A finger touches the button as soon as it is there.
	browsertest.Ask[bool](b.Tab, `(() => {
		const main = document.querySelector('#main');
		window.finger = (type, x) => main.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: x || 0 }));
		new MutationObserver(() => {
			if (window.hasty || main.hidden || main.dataset.inert !== 'true') return;
			finger('pointerdown');
			window.hasty = document.querySelector('#answer').textContent + (main.dataset.hold || '');
			finger('pointerup');
		}).observe(main, { attributes: true });
		return true;
	})()`)
	r.set(func(s *web.Snapshot) { s.Status = web.Status{State: "idle", Text: "idle", Offers: []string{"start"}} })
	b.Until("a button that does nothing yet", "/in two seconds.$/.test(window.hasty)")
	middle := browsertest.Ask[[]float64](b.Tab, "(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector('#main').getBoundingClientRect())")
	given := func(what string, want ...string) {
		t.Helper()
		if got := r.given(); !slices.Equal(got, want) {
			t.Errorf("%s: the explorer was given %q, want %q", what, got, want)
		}
	}
	b.heard(func() { b.Click("#main") })
	b.says("for a second")
	given("a tap")
	b.Accessible("a tap")

	// A finger that slides off has let go, and one that trembles has not.
	var hold string
	b.heard(func() {
		hold = browsertest.Ask[string](b.Tab, `(() => {
			const main = document.querySelector('#main');
			return ['pointerdown', 'pointermove', 'pointermove'].map((type, i) => {
				finger(type, [0, 10, 60][i]);
				return main.dataset.hold;
			}).join();
		})()`)
	})
	if hold != "on,on," {
		t.Errorf("the hold is %s", hold)
	}
	given("a finger that slides off")
	b.Hold("#main")
	b.says("start was done")
	given("a finger", "start")

	key := func(kind input.DispatchKeyEventType) {
		t.Helper()
		b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13})
			return err
		}))
	}
	b.Do(chromedp.Focus("#main"))
	b.heard(func() {
		key(input.DispatchKeyEventTypeKeyDown)
		b.Until("the end of holding", "!document.querySelector('#main').dataset.hold")
		key(input.DispatchKeyEventTypeKeyUp)
	})
	b.says("start was done")
	given("a key that is held", "start", "start")

	b.heard(func() { browsertest.Ask[bool](b.Tab, "(document.querySelector('#main').click(), true)") })
	b.says("once more")
	b.heard(func() {
		browsertest.Ask[bool](b.Tab, `new Promise((done) => setTimeout(() => { document.querySelector('#main').click(); done(true); }, 1100))`)
	})
	b.says("start was done")
	given("a screen reader", "start", "start", "start")

	// The button's place means something else, under the finger that has held it.
	b.heard(func() {
		b.Mouse(input.DispatchMouseEventTypeMouseReleased, middle) // of a press before that was not heard
		b.Mouse(input.DispatchMouseEventTypeMousePressed, middle)
		b.Until("the end of holding", "document.querySelector('#main').dataset.hold !== 'on'")
	})
	r.set(func(s *web.Snapshot) {
		s.Status = web.Status{State: "travelling", Text: "travelling", Offers: []string{"pause", "home"}}
	})
	b.Until("the pause", "document.querySelector('#main').innerText === 'Pause' && !document.querySelector('#main').dataset.hold")
	b.Mouse(input.DispatchMouseEventTypeMouseReleased, middle)
	given("a button that changes under the finger", "start", "start", "start", "start")
	b.Click("#main") // pauses at once
	b.says("Pause: pause was done")
	b.Click("#stop")
	b.says("STOP: pause was done")
	given("what stops", "start", "start", "start", "start", "pause", "pause")

	// Without a connection nothing is sent. The page says so each time, also in the same words: a screen reader reads a change.
	r.set(func(s *web.Snapshot) { s.Status = web.Status{State: "idle", Text: "idle", Offers: []string{"start"}} })
	b.Until("a button that acts", "document.querySelector('#main').innerText === 'Start' && document.querySelector('#main').dataset.inert === 'false'")
	r.held.Store(true)
	var said []string
	limit := time.Now().Add(browsertest.Patience)
	for time.Now().Before(limit) && (len(said) == 0 || !strings.HasPrefix(said[0], "Nothing was sent")) { // until no snapshot is on its way any more
		said = browsertest.Ask[[]string](b.Tab, `(async () => {
			const before = answers.length;
			for (let i = 0; i < 2; i++) {
				finger('pointerdown');
				finger('pointerup');
				await null;
			}
			return answers.slice(before);
		})()`)
	}
	if len(said) != 2 || said[0] != said[1] || !strings.HasPrefix(said[0], "Nothing was sent") {
		t.Errorf("two presses without a connection are answered by %q", said)
	}
	given("a hold without a connection", "start", "start", "start", "start", "pause", "pause")
	r.held.Store(false)
	b.Silent()
}
