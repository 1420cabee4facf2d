// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ugp_explorer/internal/testkit/browsertest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/simulation"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/earth"
)

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
	end                 func() // of the program, as by an interruption
}

// browser is a tab with what tests of this page do in it.
type browser struct{ *browsertest.Tab }

// needBrowser skips a test that is to be short.
func needBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
}

// keepAnswers keeps the page's answers, each of which it shows for some seconds: a test on a slow machine may look later. The page may
// answer before it has loaded all of its scripts.
const keepAnswers = `
	window.answers = [];
	window.ofStop = [];
	window.heard = 0;
	new MutationObserver((changes) => {
		for (const box of new Set(changes.map((change) => change.target))) {
			const list = { answer: answers, 'stop-says': ofStop }[box.id];
			if (list && box.innerText) list.push(box.innerText);
		}
	}).observe(document, { childList: true, subtree: true });`

// newTab opens a tab in which the page's answers are kept.
func newTab(t *testing.T) browser {
	t.Helper()
	b := browser{browsertest.Open(t)}
	b.first(keepAnswers)
	return b
}

// first has a script run in each document that the tab opens, before the document's own.
func (b browser) first(script string) {
	b.T.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

// says waits for an answer of the page that has not been waited for yet.
func (b browser) says(text string) {
	b.T.Helper()
	what, _ := json.Marshal(text)
	b.Until("the answer "+text, fmt.Sprintf(`(() => {
		const found = answers.findIndex((answer, i) => i >= heard && answer.includes(%s));
		if (found >= 0) heard = found + 1;
		return found >= 0;
	})()`, what))
}

// heard does something, and again while the page says that it has no connection and sends nothing: the machine has stood still
// for seconds, and a person tries again.
func (b browser) heard(do func()) {
	b.T.Helper()
	for unheard := true; unheard; {
		before := browsertest.Ask[int](b.Tab, "answers.length")
		do()
		unheard = browsertest.Ask[bool](b.Tab, fmt.Sprintf("answers.slice(%d).some((answer) => answer.startsWith('Nothing was sent'))", before))
	}
}

// Hold holds a button, and again while the page has no connection.
func (b browser) Hold(selector string) {
	b.T.Helper()
	b.heard(func() { b.Tab.Hold(selector) })
}

// visit opens the page at an address in a light tab of this size, px, by the link with the token.
func visit(t *testing.T, address, token string, width, height int64) browser {
	t.Helper()
	b := newTab(t)
	b.Look(width, height, "light")
	b.Do(chromedp.Navigate(address + "/#token=" + token))
	return b
}

// simulate runs a mission on a field of 80 m × 60 m that waits for its start.
func simulate(t *testing.T, speed float64, samples int) live {
	t.Helper()
	return serve(t, configure(t, t.TempDir(), samples), speed)
}

// configure returns such a mission with all its files in a folder.
func configure(t *testing.T, dir string, samples int) *simulation.Config {
	t.Helper()
	boundary := filepath.Join(dir, "field.geojson")
	const outline = `{"type":"FeatureCollection","features":[
	{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[80,0],[86,34],[70,60],[8,58],[0,0]]]}},
	{"type":"Feature","properties":{"keep_out":true},"geometry":{"type":"Polygon","coordinates":[[[30,20],[38,22],[36,32],[28,28],[30,20]]]}}]}`
	must.OK(t, os.WriteFile(boundary, []byte(outline), 0o666))
	cfg := simulation.DefaultConfig(3)
	cfg.Fieldsim.Field.Boundary, cfg.Explorer.Field.File = boundary, boundary
	cfg.Explorer.AutoStart = false
	cfg.Explorer.Mission.Budget.Samples = samples
	cfg.Explorer.OutputDir = filepath.Join(dir, "mission")
	cfg.Explorer.Search.Starts, cfg.Explorer.Model.Prior.Starts, cfg.Explorer.Model.Average = 60, 2, 1
	return &cfg
}

// serve runs a simulation with a page until the test ends.
func serve(t *testing.T, cfg *simulation.Config, speed float64) live {
	t.Helper()
	cfg.Explorer.Web.Address = "127.0.0.1:0"
	var terminal buffer
	s, err := simulation.New(cfg, simulation.Options{Speed: speed, Terminal: &terminal})
	must.OK(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for again := s.Record(ctx) == nil; again; again = s.Stay(ctx) {
			if err := s.Run(ctx); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	end := func() { cancel(); <-ended }
	t.Cleanup(end)
	link := regexp.MustCompile(`http://localhost(:\d+)/#token=(\w+)`).FindStringSubmatch(terminal.String())
	if link == nil {
		t.Fatalf("no link was printed:\n%s", terminal.String())
	}
	return live{address: "127.0.0.1" + link[1], token: link[2], dir: cfg.Explorer.OutputDir, end: end}
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
	must.OK(t, err)
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

// fits asserts that nothing is cut off at the sides, that the buttons are on the screen, large
// enough for a finger, and not covered.
func (b browser) fits(what string) {
	b.T.Helper()
	problems := browsertest.Ask[[]string](b.Tab, `(() => {
		const bad = [];
		if (document.documentElement.scrollWidth > innerWidth) bad.push('the page is ' + document.documentElement.scrollWidth + ' px wide on ' + innerWidth);
		for (const e of document.querySelectorAll('footer button')) {
			if (!e.offsetParent) continue; // not shown now
			const r = e.getBoundingClientRect();
			if (r.left < 0 || r.right > innerWidth || r.top < 0 || r.bottom > innerHeight) bad.push(e.innerText + ' is off the screen');
			if (r.width < 44 || r.height < 44) bad.push(e.innerText + ' is ' + r.width + ' × ' + r.height + ' px');
			if (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight) bad.push(e.innerText + ' is cut off: ' + e.scrollWidth + ' × ' + e.scrollHeight + ' in ' + e.clientWidth + ' × ' + e.clientHeight);
			if (!e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2))) bad.push(e.innerText + ' is covered');
		}
		return bad;
	})()`)
	if len(problems) > 0 {
		b.T.Errorf("%s: %s", what, strings.Join(problems, "; "))
	}
}

// TestPageInABrowser follows and commands a whole mission.
func TestPageInABrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	mission := simulate(t, 25, 200)
	air := newRadio(t, mission.address)
	b := newTab(t)
	b.Look(360, 640, "light")
	b.Do(chromedp.Navigate("http://" + air.listener.Addr().String() + "/"))

	// Without the token nothing is told.
	b.Until("the question for the token", "document.querySelector('#login').open")
	b.Do(chromedp.SendKeys("#token", "wrong-token\r"))
	b.Until("the refusal of a wrong token", "document.querySelector('#login-error').innerText === 'the token is wrong'")
	if got := b.Text("#sentence"); strings.Contains(got, "start") {
		t.Errorf("without the token the page says %q", got)
	}
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate("http://"+air.listener.Addr().String()+"/#token="+mission.token))
	b.Until("the mission", "document.querySelector('#sentence').innerText === 'It waits for the start.'")
	if got := browsertest.Ask[string](b.Tab, "location.href"); strings.Contains(got, mission.token) {
		t.Errorf("the token stays in the address: %s", got)
	}
	b.Until("live data", "document.querySelector('#age').innerText === 'live'")
	b.fits("360 px, light")

	b.HoldUntil(`[data-command="start"]`, "driving", `document.querySelector('#state').dataset.state === 'travelling'`)
	b.Click("#stop")
	b.Until("the pause", `document.querySelector('#state').dataset.state === 'paused'`)
	b.Shoot("360-light-paused")
	b.HoldUntil(`[data-command="resume"]`, "driving again", `document.querySelector('#state').dataset.state === 'travelling'`)

	// A tapped place becomes the next target, if it may be one.
	b.tap(33, 26)
	b.Until("the place in the keep-out", "!document.querySelector('#card').hidden")
	b.Until("that no robot goes into a keep-out", `document.querySelector('#card').innerText.includes('cannot be sent here: it is in keep-out 1') && document.querySelector('#goto').hidden`)
	b.Click("#card-close")
	b.tap(60, 40)
	b.Until("the question", "!document.querySelector('#goto').hidden && /\\((60|59)\\.[0-9], (40|39)\\.[0-9]\\) m/.test(document.querySelector('#card').innerText)")
	b.HoldUntil("#goto", "the order", "document.querySelector('#card').hidden")
	b.Until("the new target", `/goto (60|59)[.][0-9]+ (40|39)[.][0-9]+: travelling to sample [0-9]+ of 200, /.test(document.querySelector('#log').innerText)`)
	b.Until("the first sample", "/^[1-9][0-9]* of 200/.test(document.querySelector('#samples-text').innerText)")

	// Layers, and what the model says of a place.
	b.Look(1600, 900, "dark")
	b.Until("the maps", `!document.querySelector('[data-layer="mean"][aria-disabled="true"]')`)
	for _, layer := range []string{"stddev", "acquisition", "truth", "mean"} {
		b.Click(fmt.Sprintf(`[data-layer=%q]`, layer))
		b.Until("the layer "+layer, fmt.Sprintf(`document.querySelector('[data-layer="%s"]').getAttribute('aria-checked') === 'true' &&
			document.querySelector('#legend-bar').getAttribute('aria-label').startsWith('Colour bar from')`, layer))
	}
	b.tap(20, 40)
	b.Until("the model's answer", "/expected\\n.*[0-9.]+.* \\([−0-9.]+ to [0-9.]+\\)/.test(document.querySelector('#card').innerText)")
	b.fits("1600 px, dark")
	b.Accessible("1600 px, dark")
	b.Until("two more samples", "/^([3-9]|[0-9]{2,}) of 200/.test(document.querySelector('#samples-text').innerText)")
	b.Shoot("1600-dark")
	b.Look(1600, 900, "light")
	b.Accessible("1600 px, light")
	b.Shoot("1600-light")

	// A lost connection is told, nothing old is shown as current, and it comes back by itself.
	b.Look(360, 640, "dark")
	air.lose(true)
	b.Until("the loss", "/^offline, [0-9]+ s old$/.test(document.querySelector('#age').innerText)")
	b.Until("that nothing is said to be right", "document.body.classList.contains('stale') && document.querySelector('#state').innerText.startsWith('Last known: ') && !document.querySelector('#checks').innerText.includes('is wrong')")
	b.Shoot("360-dark-lost")
	b.Click("#stop")
	const unconfirmed = "/^STOP is not confirmed.*there is no connection/.test(document.querySelector('#stop-says').innerText)"
	b.Until("that it is not confirmed", unconfirmed)

	// A phone that wakes up after two minutes no longer sends it: somebody may have let the robot drive since.
	browsertest.Ask[bool](b.Tab, `(() => {
		const [now, send] = [Date.now, fetch];
		window.late = 0;
		Date.now = () => now() + 120000;
		window.fetch = (to, ...rest) => { window.late += String(to).includes('/api/command'); return send(to, ...rest); };
		window.awake = () => { Date.now = now; window.fetch = send; return true; };
		return true;
	})()`)
	b.Until("that it is not tried any more", "/^STOP was not confirmed.*has stopped trying/.test(document.querySelector('#stop-says').innerText)")
	if late := browsertest.Ask[int](b.Tab, "window.late"); late > 0 || !browsertest.Ask[bool](b.Tab, "window.awake()") {
		t.Errorf("STOP was sent %d times after two minutes", late)
	}
	b.Click("#stop")
	b.Until("that it is not confirmed", unconfirmed)
	air.lose(false)
	b.Until("the stop, which was tried again", `document.querySelector('#state').dataset.state === 'paused'`)
	b.Until("the connection", "document.querySelector('#age').innerText === 'live'")
	b.fits("360 px, dark")
	b.Accessible("360 px, dark")
	b.Shoot("360-dark")

	b.HoldUntil(`[data-command="home"]`, "the way home", `['returning', 'done'].includes(document.querySelector('#state').dataset.state)`)
	b.Until("the results", "document.querySelector('#files').childElementCount > 3")
	b.Look(360, 640, "light")
	b.Shoot("360-light-done")
	b.Accessible("360 px, light")

	// The mission continues with more budget, and its results are hidden until its new end.
	browsertest.Ask[bool](b.Tab, `(document.querySelector('#more').scrollIntoView({block: 'center'}), true)`)
	b.HoldUntil(`[data-command="more 25"]`, "the exploration", `!['returning', 'done'].includes(document.querySelector('#state').dataset.state) && document.querySelector('#results').hidden`)
	b.HoldUntil(`[data-command="home"]`, "the results anew", "!document.querySelector('#results').hidden")
	b.Do(chromedp.Navigate("http://" + mission.address + "/files/report.html"))
	b.Until("the report, which is on another origin and paints its maps all the same", "origin === 'null' && document.querySelector('canvas').width > 300")
	linked := make(chan int64, 10)
	if err := chromedp.Listen(b.Ctx, func(ev any) {
		if ev, ok := ev.(*network.EventResponseReceived); ok {
			linked <- ev.Response.Status
		}
	}); err != nil {
		t.Fatal(err)
	}
	browsertest.Ask[bool](b.Tab, `document.querySelector(".files a[href=\"mission.json\"]").click() ?? true`)
	if status := <-linked; status != http.StatusOK {
		t.Errorf("a file that the report links is answered %d", status)
	}
	if _, err := os.Stat(filepath.Join(mission.dir, "mission.json")); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(mission.dir, "mission.json"))
	if err != nil || bytes.Contains(text, []byte(mission.token)) {
		t.Errorf("%v; the record has the token", err)
	}
	b.Silent()
}

// tap taps a place of the field, m, which the page's own map says where it is on the screen.
func (b browser) tap(x, y float64) {
	b.T.Helper()
	at := browsertest.Ask[[]float64](b.Tab, fmt.Sprintf(`(() => {
		const r = document.querySelector('#map').getBoundingClientRect();
		const [px, py] = document.querySelector('#map').toScreen([%g, %g]);
		return [r.x + px, r.y + py];
	})()`, x, y))
	// A pixel is more than a decimetre: the page rounds what is tapped to the grid of the screen.
	b.Do(chromedp.MouseClickXY(math.Round(at[0]), math.Round(at[1])))
}

// TestStates shows each state at each size: what it is called, which buttons there are, that all fits,
// and, at one of the sizes, that axe-core finds nothing.
func TestStates(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	r := newRig(t, nil)
	b := visit(t, r.url, token, 390, 844)
	sizes := []struct {
		width, height int64
		scheme        string
	}{{320, 568, "light"}, {390, 844, "dark"}, {844, 390, "light"}, {820, 1180, "dark"}, {1600, 900, "light"}, {844, 390, "dark"}}
	found := &record.Answer{
		Text: "Highest potassium: about 50 mg/l (46 to 54) at 33.51174° S, 56.89833° W, 210 m from home; a higher value is still possible on 8 % of the field.",
		Note: "What is meant.", Place: "33.51174° S, 56.89833° W", Decimal: "-33.511740, -56.898330",
	}
	const guard = "the robot may be nearer to the edge than it knows: 2.1 m to the edge, and 2.4 m are needed"
	const leaves = "the receiver states up to 2 m, and with an allowance of 0.0 m only places 23 m inside the field are sampled, which are 61 % of it (2.3 ha of 3.8 ha); with an allowance of 21 m, all of it can be sampled; the robot is at "
	for i, c := range []struct {
		state, text, waiting string
		speed                float64
		shown, says, buttons string
		offers               string
	}{
		{"recording", "no field is recorded yet", "", 0, "Recording the field", "No field", "STOP Outline Keep-out Corners Undo Discard Save", ""},
		{"idle", "idle, 0 of 12 samples", "a pose: drive the robot, or start the mission", 0, "Ready", "It waits for a pose: drive the robot, or start the mission.", "Start STOP", "start"},
		{"travelling", "travelling to sample 4 of 12, 224 m away", "", 1, "Driving", "Travelling to sample 4 of 12, 224 m away", "Pause Home Skip STOP", "pause home skip stop"},
		{"travelling", "waiting while travelling, 3 of 12 samples: " + guard, guard, 0, "Waiting", "The robot may be nearer", "Pause Home Skip STOP", "pause home skip stop"},
		{"paused", "paused while travelling, 3 of 12 samples", "", 0, "Paused", "Paused while travelling", "Resume Home Skip STOP", "resume home skip stop"},
		{"fault", "fault while travelling, 3 of 12 samples: stuck beside ~/keepout; hold Resume to continue", "", 0, "Fault", "stuck beside ~/keepout; hold Resume to continue", "Resume Home STOP", "resume home stop"},
		{"returning", "returning home, 150 m to go, 12 of 12 samples: the budget of 12 samples is used", "", 1, "Driving home", "Returning home", "+3 samples +6 samples +12 samples Pause STOP", "pause more stop"},
		{"done", "done, 12 of 12 samples: the budget of 12 samples is used", "", 0, "Done", "The robot is 150 m from home.", "+3 samples +6 samples +12 samples STOP", "more"},
	} {
		r.set(func(s *web.Snapshot) {
			scene := *s.Scene
			scene.Datum = &[2]float64{-56.9, -33.5}
			s.Scene, s.Own = &scene, []record.Observation{observation(1)}
			s.Status = web.Status{State: c.state, Text: c.text, Waiting: c.waiting, Answer: found, Offers: strings.Fields(c.offers)}
			if c.waiting == guard {
				s.Status.Stopped = "mission"
			}
			if s.Checks = nil; c.state == "idle" {
				s.Checks = []web.Check{{Name: "pose"}, {Name: "guard", Level: web.LevelWarn, Text: leaves + "(0.00, 0.00) m"}}
			}
			s.Robot.Speed, s.Usage.ToHome, s.Usage.Samples = c.speed, 150, web.Used{Used: 12, Limit: 12}
			s.Recording = &web.Recording{Active: c.state == "recording"}
		})
		b.Until(c.shown, fmt.Sprintf("document.querySelector('#state').innerText === %q && document.querySelector('#sentence').innerText.includes(%q)", c.shown, c.says))
		if c.state == "idle" {
			b.Until("what the guard leaves of the field", fmt.Sprintf("document.querySelector('#checks').innerText === %q", "guard: "+leaves+"33.50000° S, 56.90000° W"))
		}
		if got := browsertest.Ask[string](b.Tab, "[...document.querySelectorAll('footer button, #more button')].filter((e) => e.offsetParent).map((e) => e.innerText).join(' ')"); got != c.buttons {
			t.Errorf("%s: the buttons are %q, want %q", c.shown, got, c.buttons)
		}
		for k, size := range sizes {
			what := fmt.Sprintf("%s-%dx%d-%s", c.shown, size.width, size.height, size.scheme)
			b.Look(size.width, size.height, size.scheme)
			b.fits(what)
			b.Shoot(what)
			if k == i%len(sizes) {
				b.Accessible(what)
			}
		}
	}
	if got := b.Text("#best"); got != found.Text {
		t.Errorf("the answer is %q", got)
	}
	b.Click("#best-copy")
	b.Until("the place on the clipboard", "['Copied', 'Selected'].includes(document.querySelector('#best-copy').innerText)")
	if got := browsertest.Ask[string](b.Tab, "getSelection().toString() + ' ' + document.querySelector('#best-map').href"); !strings.HasPrefix(got, found.Decimal+" https://www.openstreetmap.org/?mlat=-33.511740&mlon=-56.898330#") {
		t.Errorf("the place is %s", got)
	}
	if got := browsertest.Ask[string](b.Tab, "import('/app/format.js').then(({real}) => [{log: 'log10'}, {log: 'ln'}, {}].map((s) => real(s).of(2).toFixed(2)).join(' '))"); got != "100.00 7.39 2.00" {
		t.Errorf("people see 2 as log10, ln and itself as %s, want 100.00 7.39 2.00", got)
	}
	if got := browsertest.Ask[string](b.Tab, "import('/app/format.js').then((f) => f.lonLat([-56.9, -33.5], [1500, -1200]).map((v) => v.toFixed(7)).join(' '))"); got != wantLonLat() {
		t.Errorf("1.5 km east and 1.2 km south is %s, want %s", got, wantLonLat())
	}
	b.Silent()
}

// TestPhotoInABrowser has a photo of one colour about a field with all layers.
func TestPhotoInABrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	r := newRig(t, nil)
	var red bytes.Buffer
	square := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(square, square.Rect, image.NewUniform(color.RGBA{200, 0, 0, 255}), image.Point{}, draw.Src)
	must.OK(t, jpeg.Encode(&red, square, nil))
	if code, _, _ := r.ask("GET", "/api/photo", "", bearer); code != 404 {
		t.Errorf("without a photo: %d", code)
	}
	r.set(func(s *web.Snapshot) {
		scene := *s.Scene
		scene.Photo = &painter.Photo{X: -10, Y: -10, Width: 120, Height: 120, Source: "/api/photo?1", JPEG: red.Bytes()}
		s.Scene, s.Robot = &scene, nil
		values := []float64{1, 2, 3, 4} // the west is 1 and 3, so that the colours of the samples do not matter
		s.Maps = &web.Maps{
			Samples: 2, Variance: 1e6, Data: &record.Maps{Grid: record.Grid{Cell: 50, NX: 2, NY: 2}, Mean: values, StdDev: []float64{.1, .1, .1, .1}, Acquisition: values, Truth: values, Layers: []record.Layer{
				{Kind: record.LayerSecondary, Name: "conductivity", Units: "mS/m", Values: []float64{40, 50, 50, 60}}, {Kind: record.LayerAlso, Index: 1, Name: "pH", Values: []float64{5, 6, 6, 7}},
				{Kind: record.LayerRaster, Name: "soil.tif", Values: []float64{30, 30, 60, 80}}, {Kind: record.LayerRaster, Index: 1, Name: "image of the crop of last June.tif", Values: []float64{-1, 0, math.NaN(), 1}},
			}},
		}
	})
	b := visit(t, r.url, token, 320, 568)
	b.Until("the maps", `!document.querySelector('[data-layer="mean"][aria-disabled="true"]') && document.querySelector('[data-layer="photo"]').offsetParent`)
	colours := func(x, y float64) string {
		return fmt.Sprintf(`(() => {
			const c = document.querySelector('#map');
			const [px, py] = c.toScreen([%g, %g]).map((v) => Math.round(v * c.width / c.clientWidth));
			return [...c.getContext('2d').getImageData(px, py, 1, 1).data].slice(0, 3);
		})()`, x, y)
	}
	if got := browsertest.Ask[[]float64](b.Tab, colours(-6, 50)); got[0] < 200 || got[1] < 200 {
		t.Errorf("the photo is shown before it is asked for: beside the field is %v", got)
	}
	choose := func(layer string) { // a person swipes to what is not in sight
		browsertest.Ask[bool](b.Tab, fmt.Sprintf(`document.querySelector('[data-layer="%s"]').scrollIntoView() === undefined`, layer))
		b.Click(fmt.Sprintf(`[data-layer="%s"]`, layer))
	}
	choose("photo")
	b.Until("the photo beside the field", fmt.Sprintf("(([r, g]) => r > 180 && r < 220 && g < 20)(%s)", colours(-6, 50)))
	// Half of the photo, and half of viridis at 0 (68, 1, 84).
	b.Until("the layer on the photo", fmt.Sprintf("(([r, g, b]) => Math.abs(r - 134) < 15 && g < 20 && Math.abs(b - 42) < 15)(%s)", colours(10, 10)))
	for _, size := range [][2]int64{{320, 568}, {844, 390}, {1600, 900}} {
		b.Look(size[0], size[1], "dark")
		b.fits(fmt.Sprintf("photo at %d px", size[0]))
		b.Shoot(fmt.Sprintf("photo-%d", size[0]))
		if wide := browsertest.Ask[string](b.Tab, `(() => {
			const r = document.querySelector('#layers').getBoundingClientRect(), f = document.querySelector('#field').getBoundingClientRect();
			return r.right > f.right || r.height > 44 ? 'the layers are ' + r.width + ' × ' + r.height + ' px in ' + f.width : '';
		})()`); wide != "" {
			t.Errorf("at %d px %s", size[0], wide)
		}
	}
	b.Accessible("photo")
	b.Look(320, 568, "light")
	for i, want := range []string{"soil.tif 30.0 55.0 80.0", "image of the crop of last June.tif −1.00 0.00 1.00"} {
		if i == 0 {
			choose("raster1")
		} else {
			b.Do(chromedp.KeyEvent(kb.ArrowRight))
		}
		b.Until("the raster", fmt.Sprintf(`%q === ['title', 'low', 'middle', 'high'].map((e) => document.querySelector('#legend-' + e).innerText).join(' ')`, want))
		b.Until("that it is chosen", fmt.Sprintf(`document.querySelector('[data-layer="raster%d"]').getAttribute('aria-checked') === 'true'`, i+1))
		b.Shoot(fmt.Sprintf("raster-320-%d", i+1))
	}
	b.Until("the raster's colour", fmt.Sprintf("(([r, g, b]) => r === 0 && g === 34 && b === 78)(%s)", colours(10, 10))) // cividis at 0
	b.fits("raster at 320 px")
	b.Accessible("raster")
	b.Look(1600, 900, "dark")
	b.Accessible("raster, dark")
	b.Shoot("raster-1600")
	choose("secondary")
	b.Until("the second quantity", `'Conductivity Conductivity, mS/m 40.0 50.0 60.0' === ['[data-layer="secondary"]', '#legend-title', '#legend-low', '#legend-middle', '#legend-high'].map((e) => document.querySelector(e).innerText).join(' ')`)
	b.Until("its colour", fmt.Sprintf("(([r, g, b]) => r === 0 && g === 34 && b === 78)(%s)", colours(10, 10))) // cividis at 0
	b.Accessible("secondary, dark")
	b.Shoot("secondary-1600")
	choose("also2")
	b.Until("another quantity", `'pH pH 5.00 6.00 7.00' === ['[data-layer="also2"]', '#legend-title', '#legend-low', '#legend-middle', '#legend-high'].map((e) => document.querySelector(e).innerText).join(' ')`)
	r.set(func(s *web.Snapshot) {
		maps, data := *s.Maps, *s.Maps.Data
		data.Layers = slices.Insert(slices.Clone(data.Layers), 1, record.Layer{Kind: record.LayerAlso, Name: "phosphorus", Units: "mg/l", Values: data.Mean})
		maps.Data, s.Maps = &data, &maps
		low, without := observation(1), observation(2)
		low.Belief.X, low.Belief.Y, low.Also = 90, 90, []*record.Value{nil, {Value: 5}}
		without.Belief.X, without.Belief.Y = 10, 10
		s.Own = []record.Observation{low, without}
	})
	b.Until("one more, beside the one that stays chosen", `document.querySelector('[data-layer="also1"]')?.title === 'Phosphorus, mg/l' && document.querySelector('[data-layer="also2"]').getAttribute('aria-checked') === 'true'`)
	b.Until("the sample in the colour of its pH", fmt.Sprintf("(([r, g, b]) => r === 0 && g === 34 && b === 78)(%s)", colours(90, 90)))
	b.Until("none where the pH was not measured", fmt.Sprintf("(([r, g, b]) => r === 0 && g === 34 && b === 78)(%s)", colours(10, 10)))
	b.Accessible("another quantity, dark")
	b.Shoot("also-1600")
	r.set(func(s *web.Snapshot) { s.Maps = nil; s.Run++ })
	b.Until("that the layers of another explorer have no rasters and no other quantities", `!document.querySelector('[data-layer^="raster"], [data-layer^="also"], [data-layer="secondary"]') && document.querySelector('[data-layer="mean"]').getAttribute('aria-checked') === 'true'`)
	if code, _, _ := r.ask("GET", "/api/photo", ""); code != 401 {
		t.Errorf("the photo without the token: %d", code)
	}
	b.Silent()
}

func wantLonLat() string {
	lon, lat := earth.Datum{Lon: -56.9, Lat: -33.5}.LonLat(1500, -1200)
	return fmt.Sprintf("%.7f %.7f", lon, lat)
}
