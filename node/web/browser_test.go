package web_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"ugp_explorer/node/simulation"
	"ugp_explorer/sim/rig/browsertest"
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
}

// browser is a tab with what tests of this page do in it.
type browser struct{ *browsertest.Tab }

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
			if (e.scrollWidth > e.clientWidth) bad.push(e.innerText + ' is cut off');
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
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	mission := simulate(t, 25, 200)
	air := newRadio(t, mission.address)
	b := browser{browsertest.Open(t)}
	b.Look(360, 640, "light")
	b.Do(chromedp.Navigate("http://" + air.listener.Addr().String() + "/"))

	// Without the token nothing is told.
	b.Until("the question for the token", "document.querySelector('#login').open")
	b.Do(chromedp.SendKeys("#token", "wrong-token\r"))
	b.Until("the refusal of a wrong token", "document.querySelector('#login-error').innerText === 'this is not the token'")
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

	// What is refused says why.
	b.Click(`[data-command="skip"]`)
	b.Until("a refusal", `document.querySelector('#answer').innerText.includes('refused: there is no target to skip while idle')`)

	b.Click(`[data-command="start"]`)
	b.Until("driving", `document.querySelector('#state').dataset.state === 'travelling'`)
	b.Click(`[data-command="pause"]`)
	b.Until("the pause", `document.querySelector('#state').dataset.state === 'paused'`)
	b.Shoot("360-light-paused")
	b.Click(`[data-command="resume"]`)
	b.Until("driving again", `document.querySelector('#state').dataset.state === 'travelling'`)

	// A tapped place becomes the next target, if it may be one.
	b.tap(33, 26)
	b.Until("the place in the keep-out", "!document.querySelector('#card').hidden")
	b.Click("#goto")
	b.Until("the refusal of a place in a keep-out", `document.querySelector('#answer').innerText.includes('in a keep-out')`)
	b.Click("#card-close")
	b.tap(60, 40)
	b.Until("the question", "/\\((60|59)\\.[0-9], (40|39)\\.[0-9]\\) m/.test(document.querySelector('#card').innerText)")
	b.Click("#goto")
	b.Until("the new target", "/to \\((60|59)\\.[0-9]+, (40|39)\\.[0-9]+\\) m/.test(document.querySelector('#sentence').innerText)")
	b.Until("the first sample", "document.querySelector('#samples-text').innerText.startsWith('1 of 200')")

	// Layers, and what the model says of a place.
	b.Look(1600, 900, "dark")
	b.Until("the maps", `!document.querySelector('[data-layer="mean"][aria-disabled="true"]')`)
	for _, layer := range []string{"stddev", "acquisition", "truth", "mean"} {
		b.Click(fmt.Sprintf(`[data-layer=%q]`, layer))
		b.Until("the layer "+layer, fmt.Sprintf(`document.querySelector('[data-layer="%s"]').getAttribute('aria-checked') === 'true' &&
			document.querySelector('#legend-bar').getAttribute('aria-label').startsWith('Colour bar from')`, layer))
	}
	b.tap(20, 40)
	b.Until("the model's answer", "/expected\\n[−0-9.]+ ± [0-9.]+/.test(document.querySelector('#card').innerText)")
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
	b.Until("the loss", "/^offline, data [0-9]+ s old$/.test(document.querySelector('#age').innerText)")
	b.Shoot("360-dark-lost")
	b.Click("#stop")
	b.Until("that the command was not given", "document.querySelector('#answer').innerText.includes('Stop was not given: there is no connection')")
	air.lose(false)
	b.Until("the connection", "document.querySelector('#age').innerText === 'live'")
	b.fits("360 px, dark")
	b.Accessible("360 px, dark")
	b.Shoot("360-dark")

	// Home takes two taps.
	b.Until("that home does something", `document.querySelector('[data-command="home"]').dataset.useful === 'true'`)
	b.Click(`[data-command="home"]`)
	b.Until("the question", `document.querySelector('[data-command="home"]').innerText.includes('again')`)
	b.Click(`[data-command="home"]`)
	b.Until("the way home", `['returning', 'done'].includes(document.querySelector('#state').dataset.state)`)
	b.Until("the results", "document.querySelector('#files').childElementCount > 3")
	b.Look(360, 640, "light")
	b.Shoot("360-light-done")
	b.Accessible("360 px, light")
	b.Do(chromedp.Navigate("http://" + mission.address + "/files/report.html"))
	b.Until("the report, which is on another origin and paints its maps all the same", "origin === 'null' && document.querySelector('canvas').width > 300")
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
