// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"ugp_explorer/internal/testkit/browsertest"
	"ugp_explorer/node/simulation"
)

// Before there is a field, a person drives the simulated robot by a button that is held, and by an arrow key. It stands
// when they are let go.
func TestSteeringInABrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	cfg := simulation.DefaultConfig(3)
	cfg.Explorer.Teach.File = filepath.Join(t.TempDir(), "field.geojson")
	m := serve(t, &cfg, 20)
	b := newTab(t)
	b.Look(360, 640, "light")
	b.fingers(true)
	b.Do(chromedp.Navigate("http://" + m.address + "/#token=" + m.token))
	b.notes("Drive to the edge")
	b.Click(recordOutline)
	b.notes("Outline: 1 point")
	grows := func() {
		b.T.Helper()
		b.Until("a longer edge", `(() => {
			const n = parseInt(document.querySelector('#recorder-note').innerText.slice(9));
			window.points ??= n;
			return n > window.points + 10;
		})()`)
	}
	stands := func() {
		b.T.Helper()
		b.Until("the robot that stands", `(() => {
			const text = document.querySelector('#recorder-note').innerText;
			if (text !== window.stood?.text) window.stood = { text, at: performance.now() };
			if (performance.now() - window.stood.at < 1000) return false;
			delete window.points;
			return true;
		})()`)
	}
	at := browsertest.Ask[[]float64](b.Tab, `(() => {
		const r = document.querySelector('[data-steer="forward"]').getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`)
	b.touch(input.DispatchTouchEventTypeTouchStart, [2]float64{at[0], at[1]})
	grows()
	b.Shoot("360-light-steering")
	b.fits("360 px, steering")
	b.Accessible("360 px, steering")
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	stands()

	b.fingers(false)
	b.Look(1200, 800, "dark")
	key := func(kind input.DispatchKeyEventType) {
		b.T.Helper()
		b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "ArrowUp", Code: "ArrowUp"})
			return err
		}))
	}
	key(input.DispatchKeyEventTypeKeyDown)
	grows()
	b.Shoot("1200-dark-steering")
	b.Accessible("1200 px, dark, steering")
	key(input.DispatchKeyEventTypeKeyUp)
	stands()
	if held := browsertest.Ask[string](b.Tab, `[...document.querySelectorAll('#steer [data-held="true"]')].map((b) => b.dataset.steer).join()`); held != "" {
		t.Errorf("still held: %s", held)
	}
	b.Silent()
}
