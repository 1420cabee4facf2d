// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ugp_explorer/internal/testkit/browsertest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/host"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// tractor is a simulated robot on a field without an outline. A person drives it, and it drives to
// the explorer's goals.
type tractor struct {
	t       *testing.T
	ex      *exec.Simulated
	address string
	token   string
	file    string // of the outline
	cfg     *settings.Config

	mu     sync.Mutex
	at     localization.Pose
	stdDev float64
	way    [][2]float64
	goal   [2]float64
	sent   bool // the explorer has sent a goal
	lost   bool // it stands, and soon there are no poses
	silent bool // there are none
}

func newTractor(t *testing.T, dir string) *tractor {
	t.Helper()
	cfg := settings.DefaultConfig()
	cfg.Teach.File = filepath.Join(dir, "field.geojson")
	cfg.Field.Datum = []float64{8.0471, 52.2726}
	cfg.Radius, cfg.Mission.Budget.Samples, cfg.Quantity, cfg.Units = 0.4, 50, "potassium", "mg/l"
	cfg.Search.Starts, cfg.Model.Prior.Starts, cfg.Model.Average = 20, 2, 1
	cfg.Web.Address = "127.0.0.1:0"
	var terminal buffer
	cfg.Terminal = &terminal
	r := &tractor{t: t, ex: exec.NewSimulated(1e18), cfg: &cfg, file: cfg.Teach.File, stdDev: 0.05}
	r.ex.Pace(20)
	graph := inproc.New()
	node, err := ros.NewNode(graph, r.ex, explorer.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters()})
	if err == nil {
		_, err = host.New(node, &cfg)
	}
	must.OK(t, err)
	body, err := ros.NewNode(graph, r.ex, "tractor", ros.NodeOptions{NoRosout: true})
	must.OK(t, err)
	pose, err := ros.Advertise[nav_msgs.Odometry](body, "odometry/filtered", ros.SensorData())
	must.OK(t, err)
	reading, err := ros.Advertise[ugp_explorer_msgs.FieldReading](body, "reading", ros.SensorData())
	must.OK(t, err)
	if _, err := ros.Subscribe(body, "goal_pose", ros.DefaultQoS(), func(m *geometry_msgs.PoseStamped, _ ros.MessageInfo) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.goal, r.sent = [2]float64{m.Pose.Position.X, m.Pose.Position.Y}, true
	}); err != nil {
		t.Fatal(err)
	}
	const step = 100 * time.Millisecond
	if _, err := body.NewTimer(step, func() {
		m, value, silent := r.move(step.Seconds())
		if silent {
			return
		}
		if err := pose.Publish(&m); err != nil {
			t.Error(err)
		}
		if err := reading.Publish(&ugp_explorer_msgs.FieldReading{Header: m.Header, Value: value, Variance: 0.01}); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := r.ex.Run(ctx, nil); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		body.Close()
		node.Close()
	}()
	t.Cleanup(func() { cancel(); <-ended })
	link := regexp.MustCompile(`http://localhost(:\d+)/#token=(\w+)`).FindStringSubmatch(terminal.String())
	if link == nil {
		t.Fatalf("no link was printed:\n%s", terminal.String())
	}
	r.address, r.token = "127.0.0.1"+link[1], link[2]
	return r
}

// move drives on for dt, s.
func (r *tractor) move(dt float64) (m nav_msgs.Odometry, value float64, silent bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	speed := 0.0
	to, going := r.goal, r.sent
	if len(r.way) > 0 {
		to, going = r.way[0], true
	}
	silent, r.silent = r.silent, r.lost
	if going && !r.lost {
		dx, dy := to[0]-r.at.X, to[1]-r.at.Y
		left := math.Hypot(dx, dy)
		d := min(2*dt, left)
		if d > 0 {
			r.at.Yaw = math.Atan2(dy, dx)
			r.at.X, r.at.Y = r.at.X+dx/left*d, r.at.Y+dy/left*d
		}
		speed = d / dt
		if d == left && len(r.way) > 0 {
			r.way = r.way[1:]
		}
	}
	v := r.stdDev * r.stdDev
	r.at.Stamp, r.at.Cov = r.ex.Now(), [3][3]float64{{v, 0, 0}, {0, v, 0}, {0, 0, 1e-3}}
	m = nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at.Stamp), FrameID: r.cfg.Frame}}
	convert.PoseWithCovariance(&m.Pose, r.at)
	m.Twist.Twist.Linear.X = speed
	return m, 100 + r.at.X + 0.3*r.at.Y, silent
}

// drive drives to places in turn and waits until the robot is there.
func (r *tractor) drive(places ...[2]float64) {
	r.t.Helper()
	r.mu.Lock()
	r.way = places
	r.mu.Unlock()
	for limit := time.Now().Add(browsertest.Patience); ; time.Sleep(10 * time.Millisecond) {
		r.mu.Lock()
		left := len(r.way)
		r.mu.Unlock()
		if left == 0 {
			return
		}
		if time.Now().After(limit) {
			r.t.Fatalf("the robot has not arrived at %v", places)
		}
	}
}

func (r *tractor) certain(stdDev float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stdDev = stdDev
}

// screen returns where a place of the field is on the screen, px.
func (b browser) screen(x, y float64) [2]float64 {
	b.T.Helper()
	at := browsertest.Ask[[]float64](b.Tab, fmt.Sprintf(`(() => {
		const r = document.querySelector('#map').getBoundingClientRect();
		const [px, py] = document.querySelector('#map').toScreen([%g, %g]);
		return [r.x + px, r.y + py];
	})()`, x, y))
	return [2]float64{at[0], at[1]}
}

// touch sends a touch event with the fingers that are on the screen.
func (b browser) touch(kind input.DispatchTouchEventType, fingers ...[2]float64) {
	b.T.Helper()
	points := make([]*input.TouchPoint, len(fingers))
	for i, f := range fingers {
		id := float64(i)
		points[i] = &input.TouchPoint{X: f[0], Y: f[1], ID: &id}
	}
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		return err
	}))
}

// drag moves a finger from a place of the field to another.
func (b browser) drag(from, to [2]float64) {
	b.T.Helper()
	p, q := b.screen(from[0], from[1]), b.screen(to[0], to[1])
	b.touch(input.DispatchTouchEventTypeTouchStart, p)
	const steps = 5
	for i := 1; i <= steps; i++ {
		share := float64(i) / steps
		b.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{p[0] + share*(q[0]-p[0]), p[1] + share*(q[1]-p[1])})
		if i == steps-1 {
			b.Shoot("360-light-dragging")
		}
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
}

// touchTap taps a place of the field with a finger.
func (b browser) touchTap(x, y float64) {
	b.T.Helper()
	p := b.screen(x, y)
	b.touch(input.DispatchTouchEventTypeTouchStart, p)
	b.touch(input.DispatchTouchEventTypeTouchEnd)
}

func (b browser) fingers(on bool) {
	b.T.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: on, MaxTouchPoints: 2})
		return err
	}))
}

// notes waits for the note over the map.
func (b browser) notes(pattern string) {
	b.T.Helper()
	b.Until("the note "+pattern, fmt.Sprintf("/%s/.test(document.querySelector('#recorder-note').innerText)", pattern))
}

// rings waits for the list of closed rings.
func (b browser) rings(pattern string) {
	b.T.Helper()
	b.Until("the rings "+pattern, fmt.Sprintf("/%s/.test(document.querySelector('#rings').innerText)", pattern))
}

const (
	recordOutline = `#recorder [data-record="outline"]`
	recordKeepOut = `#recorder [data-record="keepout"]`
	recordCorner  = `#recorder [data-record="corner"]`
	recordClose   = `#recorder [data-record="close"]`
	recordUndo    = `#recorder [data-record="undo"]`
	recordDiscard = `#recorder [data-record="discard"]`
)

// TestOutlineInABrowser teaches a field by driving along its edge, edits it with a finger and with
// the keyboard, saves it and starts the mission on it.
func TestOutlineInABrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	dir := t.TempDir()
	var red bytes.Buffer
	tile := image.NewRGBA(image.Rect(0, 0, 256, 256))
	draw.Draw(tile, tile.Rect, image.NewUniform(color.RGBA{200, 0, 0, 255}), image.Point{}, draw.Src)
	must.OK(t, png.Encode(&red, tile))
	for _, place := range []string{"34232/21566", "34233/21566"} { // the datum is at 34232.93, 21566.68
		file := filepath.Join(dir, "field.tiles", "16", filepath.FromSlash(place)+".png")
		must.OK(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.OK(t, os.WriteFile(file, red.Bytes(), 0o666))
	}
	r := newTractor(t, dir)
	b := newTab(t)
	b.Look(360, 640, "light")
	b.fingers(true)
	b.Do(chromedp.Navigate("http://" + r.address + "/#token=" + r.token))
	b.Until("the recording", "document.querySelector('#state').innerText === 'Recording the field'")
	b.notes("Drive to the edge")
	b.Until("the photo about the robot", `(() => {
		const c = document.querySelector('#map');
		const [x, y] = c.toScreen([9, -9]).map((v) => Math.round(v * c.width / c.clientWidth));
		const [r, g, b] = c.getContext('2d').getImageData(x, y, 1, 1).data;
		return r > 180 && r < 220 && g < 20 && b < 20;
	})()`)
	b.fits("360 px, before the recording")
	b.Accessible("360 px, before the recording")
	b.Shoot("360-light-no-field")
	if browsertest.Ask[bool](b.Tab, `Boolean(document.querySelector('[data-command="start"]')?.offsetParent)`) {
		t.Error("there is a start button without a field")
	}

	// A ring that crosses itself is refused, and the page shows where; it is discarded by holding the button.
	b.Click(recordOutline)
	b.notes("Outline: 1 point")
	r.drive([2]float64{20, 0}, [2]float64{0, 20}, [2]float64{20, 20}, [2]float64{1, 1})
	b.Click(recordClose)
	b.says("crosses itself in 1 place: 52.2726")
	b.Shoot("360-light-crossing")
	b.Click(recordUndo)
	b.says("points are left")
	b.Hold(recordDiscard)
	b.says("the recording is discarded; it is kept in")

	// The outline is driven, with a pause in which the position is too uncertain.
	r.drive([2]float64{0, 0})
	b.Click(recordOutline)
	r.drive([2]float64{50, 0})
	r.certain(2)
	b.notes("its standard deviation is 2 m, and the limit is 1 m")
	b.Shoot("360-light-uncertain")
	r.certain(0.05)
	b.notes("Outline: [0-9]+ points, [0-9]+ m$")
	r.drive([2]float64{50, 30})
	b.Shoot("360-light-driving")
	b.fits("360 px, recording")
	b.Accessible("360 px, recording")
	r.drive([2]float64{0, 30}, [2]float64{0, 0.5})
	b.Click(recordClose)
	b.rings("^Outline: 0.1[45][0-9] ha, [4-8] corners")
	n := browsertest.Ask[int](b.Tab, "Number(document.querySelector('#rings').innerText.match(/([0-9]+) corners/)[1])") // some are cut
	outline := func(corners int) { b.T.Helper(); b.rings(fmt.Sprintf("Outline: .* %d corners", corners)) }
	corner := func(at string) { b.T.Helper(); b.notes("Corner " + at) }

	// A keep-out, corner by corner.
	r.drive([2]float64{20, 10})
	b.Click(recordKeepOut)
	b.notes("Keep-out: 1 point")
	b.Click("#driving")
	b.notes("collecting no points")
	for _, at := range [][2]float64{{28, 10}, {28, 16}, {20, 16}} {
		r.drive(at)
		b.Click(recordCorner)
		b.says("corner ")
		b.notes(fmt.Sprintf("Keep-out: %d points", map[[2]float64]int{{28, 10}: 2, {28, 16}: 3, {20, 16}: 4}[at]))
	}
	b.Click(recordClose)
	b.rings("Keep-out 1: 48 m², 4 corners")

	// Editing with a finger: drag, insert into an edge, delete, undo. The server checks it.
	b.Click(`#zoom-fit`)
	b.drag([2]float64{50, 30}, [2]float64{54, 34})
	b.says("is moved to (5")
	b.notes("Corner [0-9] of [0-9] of the outline: \\(5[34]\\.[0-9], 3[34]\\.[0-9]\\) m")
	b.rings("Outline: 0\\.16")
	b.Click(`[data-edit="done"]`)
	b.notes("Drag corners") // and the map shows all of the field again
	b.touchTap(25, 0)
	outline(n + 1)
	b.notes("Corner [0-9] of [0-9] of the outline: \\(2[45]\\.[0-9], −?0\\.[0-9]\\) m")
	b.drag([2]float64{25, 0}, [2]float64{25, 33})
	b.says("would cross itself in")
	b.notes("Corner [0-9] of [0-9] of the outline: \\(2[45]\\.[0-9], −?0\\.[0-9]\\) m") // it is where it was
	b.Shoot("360-light-refused")
	b.Accessible("360 px, editing")
	b.fits("360 px, editing")
	b.drag([2]float64{25, 0}, [2]float64{25, -6})
	b.says("is moved to (2")
	b.Click(recordUndo)
	b.says("the last edit is undone")
	b.Click(`[data-edit="choose"]`)
	corner(fmt.Sprintf("1 of %d", n+1))
	b.Click(`[data-edit="delete"]`)
	outline(n)
	b.Click(recordUndo)
	outline(n + 1)

	// Two fingers zoom, and edit nothing.
	before, p, q := b.screen(10, 0), b.screen(15, 15), b.screen(35, 15)
	scale := b.screen(11, 0)[0] - before[0]
	b.touch(input.DispatchTouchEventTypeTouchStart, p)
	b.touch(input.DispatchTouchEventTypeTouchStart, p, q)
	for i := 1; i <= 4; i++ {
		d := 10 * float64(i)
		b.touch(input.DispatchTouchEventTypeTouchMove, [2]float64{p[0] - d, p[1]}, [2]float64{q[0] + d, q[1]})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	want := (q[0] - p[0] + 80) / (q[0] - p[0])
	if got := (b.screen(11, 0)[0] - b.screen(10, 0)[0]) / scale; math.Abs(got/want-1) > 0.02 {
		t.Errorf("two fingers that spread by a factor of %.3g zoom by %.3g", want, got)
	}
	outline(n + 1)
	b.Click(`#zoom-fit`)

	// With the keyboard, on a wide screen.
	b.fingers(false)
	b.Look(1600, 900, "dark")
	b.Do(chromedp.Focus("#map"), chromedp.KeyEvent(kb.PageDown))
	corner(fmt.Sprintf("1 of %d", n+1))
	first := b.Text("#recorder-note")
	b.Do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	b.says("Corner 1 is moved to")
	if moved := b.Text("#recorder-note"); moved == first {
		t.Errorf("the arrow keys leave the corner at %s", moved)
	}
	b.Shoot("1600-dark-editing")
	b.fits("1600 px, editing")
	b.Accessible("1600 px, dark, editing")
	b.Do(chromedp.KeyEvent(kb.Insert))
	outline(n + 2)
	corner(fmt.Sprintf("2 of %d", n+2))
	b.Do(chromedp.KeyEvent(kb.Delete))
	outline(n + 1)
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.notes("Drag corners")
	b.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	outline(n + 2)
	b.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	outline(n + 1)
	b.Look(1600, 900, "light")
	b.Shoot("1600-light-editing")
	b.Accessible("1600 px, light, editing")

	// It is saved in degrees, and used at once.
	b.Hold("#save-field")
	b.says("the field is saved in " + r.file)
	b.Until("the mission that waits", "document.querySelector('#sentence').innerText === 'It waits for the start.'")
	text, err := os.ReadFile(r.file)
	if err != nil || !strings.Contains(string(text), "8.04") {
		t.Errorf("the file is %s, %v", text, err)
	}
	f, err := convert.ReadBoundary(r.file, r.cfg.Field.Datum)
	if err != nil || len(f.Boundary[0]) != n+2 || len(f.KeepOuts) != 1 || f.StdDev < 0.05 {
		t.Errorf("the field is %+v, %v", f, err)
	}
	b.Look(360, 640, "dark")
	b.Until("the edit button", `document.querySelector('[data-record="edit"]').dataset.useful === 'true'`)
	b.Shoot("360-dark-saved")
	b.Accessible("360 px, dark, saved")
	browsertest.Ask[bool](b.Tab, `(document.querySelector('#teach-buttons').scrollIntoView(), true)`)
	b.HoldUntil(`[data-record="edit"]`, "editing again", "document.querySelector('#state').innerText === 'Recording the field'")
	outline(n + 1)
	if top := browsertest.Ask[float64](b.Tab, "document.querySelector('main').scrollTop"); top != 0 {
		t.Errorf("the map is scrolled away by %g px where the field is to be edited", top)
	}
	b.Shoot("360-dark-editing")
	b.Hold(recordDiscard)
	b.Until("the mission that waits", "document.querySelector('#sentence').innerText === 'It waits for the start.'")
	b.Hold(`[data-command="start"]`)
	b.Until("driving", `document.querySelector('#state').dataset.state === 'travelling'`)
	b.Until("a sample", "/^[1-9][0-9]* of 50/.test(document.querySelector('#samples-text').innerText)")
	b.Until("that the outline is not changed now", `document.querySelector('#teach-refused').innerText.includes('a mission is in progress')`)
	browsertest.Ask[bool](b.Tab, `(document.querySelector('#teach-buttons').scrollIntoView(), true)`)
	b.Click(`[data-record="edit"]`)
	b.says("no field can be recorded now: a mission is in progress")
	const end = "#end-box button"
	browsertest.Ask[bool](b.Tab, `(document.querySelector('#end-box').scrollIntoView({block: 'center'}), true)`)
	b.Hold(end)
	b.Until("the end", `document.querySelector('#state').dataset.state === 'done'`)
	b.Silent()
}
