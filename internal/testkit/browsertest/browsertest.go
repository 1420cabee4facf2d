// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package browsertest looks at pages in Chromium.
package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"ugp_explorer/internal/testkit/must"
)

// Patience is how long anything in the browser may take on a busy machine.
const Patience = 5 * time.Minute

// Tab is a tab of Chromium.
type Tab struct {
	T   *testing.T
	Ctx context.Context

	mu       sync.Mutex
	problems []string // that the browser reports
}

// Open opens a tab of Chromium, or skips the test where that is not installed.
func Open(t *testing.T) *Tab {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("the page is not tested in a browser: chromium is not installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, // tests run as root in containers; the only page is our own
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("disable-gpu", true)) // where there is none, an emulated one takes longer than drawing without
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	return open(t, allocator)
}

// Another opens another tab of the same browser, for the same test or a part of it.
func (b *Tab) Another(t *testing.T) *Tab {
	t.Helper()
	return open(t, b.Ctx)
}

func open(t *testing.T, parent context.Context) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	b := &Tab{T: t, Ctx: ctx}
	if err := chromedp.Do(ctx); err != nil { // starts the browser, or opens the tab
		t.Fatalf("Chromium cannot be started: %v", err)
	}
	err := chromedp.Listen(ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *runtime.EventExceptionThrown:
			text := ev.ExceptionDetails.Text
			if e := ev.ExceptionDetails.Exception; e != nil {
				text += ": " + e.Description
			}
			b.problems = append(b.problems, text)
		case *log.EventEntryAdded: // for example what the content security policy refuses
			if ev.Entry.Level == log.EntryLevelError && ev.Entry.Source != log.EntrySourceNetwork {
				b.problems = append(b.problems, ev.Entry.Text)
			}
		}
	})
	must.OK(t, err)
	return b
}

// Do does things that return nothing.
func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, Patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.T.Fatalf("the browser: %v", err)
	}
}

// Run runs an action that returns something.
func Run[T any](b *Tab, action chromedp.Action[T]) T {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		b.T.Fatalf("the browser: %v", err)
	}
	return v
}

// Ask evaluates an expression, and waits if it is a promise.
func Ask[T any](b *Tab, expression string) T {
	b.T.Helper()
	return Run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Until waits for a condition in the page.
func (b *Tab) Until(what, expression string) {
	b.T.Helper()
	for limit := time.Now().Add(Patience); !Ask[bool](b, "Boolean("+expression+")"); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(limit) {
			b.Shoot("failed")
			b.T.Fatalf("still waiting for %s; the page says:\n%s\nIts answers were:\n%s", what, Ask[string](b, "document.body.innerText"), Ask[string](b, "(window.answers || []).join('\\n')"))
		}
	}
}

// Click clicks the middle of an element as a person would, once it is on the screen, not covered and not inert.
func (b *Tab) Click(selector string) {
	b.T.Helper()
	at := b.within(selector)
	b.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// Hold presses the middle of an element as a finger does, until the page accepts it.
func (b *Tab) Hold(selector string) {
	b.T.Helper()
	b.hold(selector, b.within(selector))
}

// hold holds an element at a place, px.
func (b *Tab) hold(selector string, at []float64) {
	b.T.Helper()
	b.Mouse(input.DispatchMouseEventTypeMousePressed, at)
	b.Until("the end of holding "+selector, "document.querySelector("+strconv.Quote(selector)+")?.dataset.hold !== 'on'")
	b.Mouse(input.DispatchMouseEventTypeMouseReleased, at)
}

// HoldUntil holds an element until an expression is true: on a page that moves a finger may miss it, and a person tries again.
func (b *Tab) HoldUntil(selector, what, expression string) {
	b.T.Helper()
	for limit := time.Now().Add(Patience); !Ask[bool](b, "Boolean("+expression+")"); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(limit) {
			b.Shoot("failed")
			b.T.Fatalf("held %s, and still waiting for %s; the page says:\n%s", selector, what, Ask[string](b, "document.body.innerText"))
		}
		if at := b.reach(selector); len(at) == 2 { // the order before may take it away meanwhile
			b.hold(selector, at)
		}
	}
}

// Mouse sends an event of the mouse's left button at a place, px.
func (b *Tab) Mouse(kind input.DispatchMouseEventType, at []float64) {
	b.T.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1})
		return err
	}))
}

// within waits until an element is within reach, and returns its middle, px.
func (b *Tab) within(selector string) []float64 {
	b.T.Helper()
	at := b.reach(selector)
	for limit := time.Now().Add(Patience); len(at) != 2 && time.Now().Before(limit); at = b.reach(selector) {
		time.Sleep(30 * time.Millisecond)
	}
	if len(at) != 2 {
		b.Shoot("failed")
		b.T.Fatalf("%s is not within reach; the page says:\n%s", selector, Ask[string](b, "document.body.innerText"))
	}
	return at
}

// reach returns the middle of an element, px, or nothing while it is not on the screen, covered or inert.
func (b *Tab) reach(selector string) []float64 {
	what, _ := json.Marshal(selector)
	return Ask[[]float64](b, fmt.Sprintf(`(() => {
		const e = document.querySelector(%s);
		if (!e || e.dataset.inert === 'true') return [];
		const r = e.getBoundingClientRect();
		const [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
		return e.contains(document.elementFromPoint(x, y)) ? [x, y] : [];
	})()`, what))
}

// Text returns the text that an element shows.
func (b *Tab) Text(selector string) string {
	b.T.Helper()
	what, _ := json.Marshal(selector)
	return Ask[string](b, fmt.Sprintf(`document.querySelector(%s).innerText`, what))
}

// Look sets the size of the screen and the scheme.
func (b *Tab) Look(width, height int64, scheme string) {
	b.T.Helper()
	mobile := width < 600
	scale := 1.0
	if mobile {
		scale = 2
	}
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: scale, Mobile: mobile})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
	b.Until("the new size", fmt.Sprintf("(innerWidth === %d || location.href === 'about:blank') && matchMedia('(prefers-color-scheme: %s)').matches", width, scheme))
}

// Shoot writes a screenshot into the folder that UGP_SCREENSHOTS names, if it does.
func (b *Tab) Shoot(name string) {
	dir := os.Getenv("UGP_SCREENSHOTS")
	if dir == "" {
		return
	}
	// Two frames, so that everything is painted.
	Ask[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	png := Run(b, chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666); err != nil {
		b.T.Error(err)
	}
}

// Accessible asserts that axe-core finds nothing, where it is installed.
func (b *Tab) Accessible(what string) {
	b.T.Helper()
	var source []byte
	if cache, err := os.UserCacheDir(); err == nil {
		files, _ := filepath.Glob(filepath.Join(cache, "ugp_explorer", "axe-core-*.min.js")) // the pattern is right
		for _, file := range files {
			source, _ = os.ReadFile(file)
		}
	}
	if source == nil {
		b.T.Logf("%s: axe-core is not there (make need-axe), and does not check the page", what)
		return
	}
	Ask[int](b, string(source)+"; 0")
	found := Ask[string](b, `axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(
		(r) => r.violations.map((v) => v.id + ': ' + v.help + ': ' + v.nodes.map((n) => n.html + ' ' + n.failureSummary).join(' | ')).join('\n'))`)
	if found != "" {
		b.T.Errorf("%s: axe-core finds\n%s", what, found)
	}
}

// Silent asserts that the browser has reported no error.
func (b *Tab) Silent() {
	b.T.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		b.T.Errorf("the browser reports:\n%s", strings.Join(b.problems, "\n"))
	}
}
