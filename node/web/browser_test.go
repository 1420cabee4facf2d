package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"ugp_explorer/node/simulation"
)

// patience is how long anything in the browser may take on a busy machine.
const patience = 2 * time.Minute

// buffer is a buffer that several goroutines may use.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// live is a simulated mission with its page.
type live struct {
	address, token, dir string
}

// simulate runs a mission on a field of 80 m × 60 m that waits for its start.
func simulate(t *testing.T, speed float64, samples int) live {
	t.Helper()
	dir := t.TempDir()
	boundary := filepath.Join(dir, "field.geojson")
	const outline = `{"type":"FeatureCollection","features":[
	{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[80,0],[86,34],[70,60],[8,58],[0,0]]]}},
	{"type":"Feature","properties":{"keep_out":true},"geometry":{"type":"Polygon","coordinates":[[[30,20],[38,22],[36,32],[28,28],[30,20]]]}}]}`
	if err := os.WriteFile(boundary, []byte(outline), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := simulation.DefaultConfig(3)
	cfg.Fieldsim.Field.Boundary, cfg.Explorer.Field.File = boundary, boundary
	cfg.Explorer.AutoStart = false
	cfg.Explorer.Mission.Budget.Samples = samples
	cfg.Explorer.OutputDir = filepath.Join(dir, "mission")
	cfg.Explorer.Web.Address = "127.0.0.1:0"
	cfg.Explorer.Search.Starts, cfg.Explorer.Model.Prior.Starts, cfg.Explorer.Model.Average = 60, 2, 1
	var terminal buffer
	s, err := simulation.New(&cfg, simulation.Options{Speed: speed, Terminal: &terminal})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.Run(ctx); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		s.Stay(ctx)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-ended })
	link := regexp.MustCompile(`http://localhost(:\d+)/#token=(\w+)`).FindStringSubmatch(terminal.String())
	if link == nil {
		t.Fatalf("no link was printed:\n%s", terminal.String())
	}
	return live{address: "127.0.0.1" + link[1], token: link[2], dir: cfg.Explorer.OutputDir}
}

// radio is a connection of bytes to a server that can be lost.
type radio struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	lost     bool
	open     []net.Conn
}

func newRadio(t *testing.T, to string) *radio {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &radio{listener: l, to: to}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.carry(c)
		}
	}()
	t.Cleanup(func() { l.Close(); r.lose(true) })
	return r
}

func (r *radio) carry(c net.Conn) {
	defer c.Close()
	r.mu.Lock()
	lost := r.lost
	r.mu.Unlock()
	if lost {
		return
	}
	s, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	defer s.Close()
	r.mu.Lock()
	r.open = append(r.open, c, s)
	r.mu.Unlock()
	go func() { _, _ = io.Copy(s, c); s.Close() }()
	_, _ = io.Copy(c, s)
}

// lose cuts the connection, or lets it come back.
func (r *radio) lose(lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost = lost
	for _, c := range r.open {
		c.Close()
	}
	r.open = nil
}

// browser is a tab of Chromium.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string // that the browser reports
}

// chromium returns the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("the page is not tested in a browser: chromium is not installed")
	return ""
}

// open opens a tab.
func open(t *testing.T, path string) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, // tests run as root in containers; the only page is our own
		chromedp.Flag("disable-dev-shm-usage", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() { cancel(); stop() })
	b := &browser{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil { // starts the browser
		t.Fatalf("%s cannot be started: %v", path, err)
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
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
}

// run runs an action that returns something.
func run[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
	return v
}

// ask evaluates an expression, and waits if it is a promise.
func ask[T any](b *browser, expression string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits for a condition in the page.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	for limit := time.Now().Add(patience); !ask[bool](b, "Boolean("+expression+")"); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(limit) {
			b.shoot("failed")
			b.t.Fatalf("still waiting for %s; the page says:\n%s\nIts answers were:\n%s", what, ask[string](b, "document.body.innerText"), ask[string](b, "(window.answers || []).join('\\n')"))
		}
	}
}

// click clicks the middle of an element as a person would, once it is on the screen and not covered.
func (b *browser) click(selector string) {
	b.t.Helper()
	what, _ := json.Marshal(selector)
	reach := func() []float64 {
		return ask[[]float64](b, fmt.Sprintf(`(() => {
			const e = document.querySelector(%s);
			const r = e.getBoundingClientRect();
			const [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
			return e.contains(document.elementFromPoint(x, y)) ? [x, y] : [];
		})()`, what))
	}
	at := reach()
	for limit := time.Now().Add(patience); len(at) != 2 && time.Now().Before(limit); at = reach() {
		time.Sleep(30 * time.Millisecond)
	}
	if len(at) != 2 {
		b.shoot("failed")
		b.t.Fatalf("%s is not within reach", selector)
	}
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

func (b *browser) text(selector string) string {
	b.t.Helper()
	what, _ := json.Marshal(selector)
	return ask[string](b, fmt.Sprintf(`document.querySelector(%s).innerText`, what))
}

// look sets the size of the screen and the scheme.
func (b *browser) look(width, height int64, scheme string) {
	b.t.Helper()
	mobile := width < 600
	scale := 1.0
	if mobile {
		scale = 2
	}
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: scale, Mobile: mobile})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
	b.until("the new size", fmt.Sprintf("(innerWidth === %d || location.href === 'about:blank') && matchMedia('(prefers-color-scheme: %s)').matches", width, scheme))
}

// shoot writes a screenshot into the folder that UGP_SCREENSHOTS names, if it does.
func (b *browser) shoot(name string) {
	dir := os.Getenv("UGP_SCREENSHOTS")
	if dir == "" {
		return
	}
	// Two frames, so that everything is painted.
	ask[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	png := run(b, chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666); err != nil {
		b.t.Error(err)
	}
}

// fits asserts that nothing is cut off at the sides, that the buttons are on the screen, large
// enough for a finger, and not covered.
func (b *browser) fits(what string) {
	b.t.Helper()
	problems := ask[[]string](b, `(() => {
		const bad = [];
		if (document.documentElement.scrollWidth > innerWidth) bad.push('the page is ' + document.documentElement.scrollWidth + ' px wide on ' + innerWidth);
		for (const e of document.querySelectorAll('footer button')) {
			if (!e.offsetParent) continue; // not shown now
			const r = e.getBoundingClientRect();
			if (r.left < 0 || r.right > innerWidth || r.top < 0 || r.bottom > innerHeight) bad.push(e.innerText + ' is off the screen');
			if (r.width < 44 || r.height < 44) bad.push(e.innerText + ' is ' + r.width + ' × ' + r.height + ' px');
			if (e.scrollWidth > e.clientWidth) bad.push(e.innerText + ' is cut off');
			if (!e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2))) bad.push(e.innerText + ' is covered');
		}
		return bad;
	})()`)
	if len(problems) > 0 {
		b.t.Errorf("%s: %s", what, strings.Join(problems, "; "))
	}
}

// axe returns the program of axe-core where make need-axe has put it, nil if it is not there.
func axe() []byte {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(cache, "ugp_explorer", "axe-core-*.min.js")) // the pattern is right
	for _, file := range slices.Backward(files) {
		if source, err := os.ReadFile(file); err == nil {
			return source
		}
	}
	return nil
}

// accessible asserts that axe-core finds nothing, where it is installed.
func (b *browser) accessible(what string) {
	b.t.Helper()
	source := axe()
	if source == nil {
		b.t.Logf("%s: axe-core is not there (make need-axe), and does not check the page", what)
		return
	}
	ask[int](b, string(source)+"; 0")
	found := ask[string](b, `axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(
		(r) => r.violations.map((v) => v.id + ': ' + v.help + ': ' + v.nodes.map((n) => n.html + ' ' + n.failureSummary).join(' | ')).join('\n'))`)
	if found != "" {
		b.t.Errorf("%s: axe-core finds\n%s", what, found)
	}
}

// TestPageInABrowser follows and commands a whole mission.
func TestPageInABrowser(t *testing.T) {
	path := chromium(t)
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	mission := simulate(t, 25, 200)
	air := newRadio(t, mission.address)
	b := open(t, path)
	b.look(360, 640, "light")
	b.do(chromedp.Navigate("http://" + air.listener.Addr().String() + "/"))

	// Without the token nothing is told.
	b.until("the question for the token", "document.querySelector('#login').open")
	b.do(chromedp.SendKeys("#token", "wrong-token\r"))
	b.until("the refusal of a wrong token", "document.querySelector('#login-error').innerText === 'this is not the token'")
	if got := b.text("#sentence"); strings.Contains(got, "start") {
		t.Errorf("without the token the page says %q", got)
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate("http://"+air.listener.Addr().String()+"/#token="+mission.token))
	b.until("the mission", "document.querySelector('#sentence').innerText === 'It waits for the start.'")
	if got := ask[string](b, "location.href"); strings.Contains(got, mission.token) {
		t.Errorf("the token stays in the address: %s", got)
	}
	b.until("live data", "document.querySelector('#age').innerText === 'live'")
	b.fits("360 px, light")

	// What is refused says why.
	b.click(`[data-command="skip"]`)
	b.until("a refusal", `document.querySelector('#answer').innerText.includes('refused: there is no target to skip while idle')`)

	b.click(`[data-command="start"]`)
	b.until("driving", `document.querySelector('#state').dataset.state === 'travelling'`)
	b.click(`[data-command="pause"]`)
	b.until("the pause", `document.querySelector('#state').dataset.state === 'paused'`)
	b.shoot("360-light-paused")
	b.click(`[data-command="resume"]`)
	b.until("driving again", `document.querySelector('#state').dataset.state === 'travelling'`)

	// A tapped place becomes the next target, if it may be one.
	b.tap(33, 26)
	b.until("the place in the keep-out", "!document.querySelector('#card').hidden")
	b.click("#goto")
	b.until("the refusal of a place in a keep-out", `document.querySelector('#answer').innerText.includes('in a keep-out')`)
	b.click("#card-close")
	b.tap(60, 40)
	b.until("the question", "/\\((60|59)\\.[0-9], (40|39)\\.[0-9]\\) m/.test(document.querySelector('#card').innerText)")
	b.click("#goto")
	b.until("the new target", "/to \\((60|59)\\.[0-9]+, (40|39)\\.[0-9]+\\) m/.test(document.querySelector('#sentence').innerText)")
	b.until("the first sample", "document.querySelector('#samples-text').innerText.startsWith('1 of 200')")

	// Layers, and what the model says of a place.
	b.look(1600, 900, "dark")
	b.until("the maps", `!document.querySelector('[data-layer="mean"][aria-disabled="true"]')`)
	for _, layer := range []string{"stddev", "acquisition", "truth", "mean"} {
		b.click(fmt.Sprintf(`[data-layer=%q]`, layer))
		b.until("the layer "+layer, fmt.Sprintf(`document.querySelector('[data-layer="%s"]').getAttribute('aria-checked') === 'true' &&
			document.querySelector('#legend-bar').getAttribute('aria-label').startsWith('Colour bar from')`, layer))
	}
	b.tap(20, 40)
	b.until("the model's answer", "/expected\\n[−0-9.]+ ± [0-9.]+/.test(document.querySelector('#card').innerText)")
	b.fits("1600 px, dark")
	b.accessible("1600 px, dark")
	b.until("two more samples", "/^([3-9]|[0-9]{2,}) of 200/.test(document.querySelector('#samples-text').innerText)")
	b.shoot("1600-dark")
	b.look(1600, 900, "light")
	b.accessible("1600 px, light")
	b.shoot("1600-light")

	// A lost connection is told, nothing old is shown as current, and it comes back by itself.
	b.look(360, 640, "dark")
	air.lose(true)
	b.until("the loss", "/^offline, data [0-9]+ s old$/.test(document.querySelector('#age').innerText)")
	b.shoot("360-dark-lost")
	b.click("#stop")
	b.until("that the command was not given", "document.querySelector('#answer').innerText.includes('Stop was not given: there is no connection')")
	air.lose(false)
	b.until("the connection", "document.querySelector('#age').innerText === 'live'")
	b.fits("360 px, dark")
	b.accessible("360 px, dark")
	b.shoot("360-dark")

	// Home takes two taps.
	b.until("that home does something", `document.querySelector('[data-command="home"]').dataset.useful === 'true'`)
	b.click(`[data-command="home"]`)
	b.until("the question", `document.querySelector('[data-command="home"]').innerText.includes('again')`)
	b.click(`[data-command="home"]`)
	b.until("the way home", `['returning', 'done'].includes(document.querySelector('#state').dataset.state)`)
	b.until("the results", "document.querySelector('#files').childElementCount > 3")
	b.look(360, 640, "light")
	b.shoot("360-light-done")
	b.accessible("360 px, light")
	size := ask[float64](b, `fetch(document.querySelector('#report').href).then((r) => r.text()).then((t) => t.includes('</html>') ? t.length : -1)`)
	if size < 1000 {
		t.Errorf("the report has %g characters", size)
	}
	if _, err := os.Stat(filepath.Join(mission.dir, "mission.json")); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(mission.dir, "mission.json"))
	if err != nil || bytes.Contains(text, []byte(mission.token)) {
		t.Errorf("%v; the record has the token", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		t.Errorf("the browser reports:\n%s", strings.Join(b.problems, "\n"))
	}
}

// tap taps a place of the field, m, which the page's own map says where it is on the screen.
func (b *browser) tap(x, y float64) {
	b.t.Helper()
	at := ask[[]float64](b, fmt.Sprintf(`(() => {
		const r = document.querySelector('#map').getBoundingClientRect();
		const [px, py] = document.querySelector('#map').toScreen([%g, %g]);
		return [r.x + px, r.y + py];
	})()`, x, y))
	// A pixel is more than a decimetre: the page rounds what is tapped to the grid of the screen.
	b.do(chromedp.MouseClickXY(math.Round(at[0]), math.Round(at[1])))
}
