// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/field"
)

// person drives a robot along edges.
type person struct {
	testing.TB
	r      *recording
	cfg    *settings.Config
	at     localization.Pose
	stdDev float64
}

func configOf(file string) *settings.Config {
	cfg := settings.DefaultConfig()
	cfg.Teach.File, cfg.Mission.PoseTimeout = file, 2
	return &cfg
}

func newPerson(t testing.TB) *person {
	t.Helper()
	p := &person{TB: t, cfg: configOf(filepath.Join(t.TempDir(), "field.geojson")), stdDev: 0.05}
	p.open()
	return p
}

// open opens the session of the file, as after a restart.
func (p *person) open() {
	p.Helper()
	var err error
	if p.r, err = openRecording(p.cfg); err != nil {
		p.Fatal(err)
	}
}

// pose tells the session where the robot is.
func (p *person) pose() {
	v := p.stdDev * p.stdDev
	p.at.Stamp += 1e8
	p.at.Cov = [3][3]float64{{v, 0, 0}, {0, v, 0}, {0, 0, 1e-3}}
	p.r.pose(p.at)
}

// drive drives to places in turn, with a pose every 0.1 m.
func (p *person) drive(places ...[2]float64) {
	for _, to := range places {
		dx, dy := to[0]-p.at.X, to[1]-p.at.Y
		p.at.Yaw = math.Atan2(dy, dx)
		n := math.Ceil(math.Hypot(dx, dy) / 0.1)
		for range int(n) {
			p.at.X, p.at.Y = p.at.X+dx/n, p.at.Y+dy/n
			p.pose()
		}
	}
}

func (p *person) save() (backup string, err error) {
	f, err := p.r.field()
	if err != nil {
		return "", err
	}
	return p.r.save(f)
}

func (p *person) does(word string) string {
	p.Helper()
	done, text := p.r.do(word, p.at.Stamp)
	if !done {
		p.Fatalf("%s: %s", word, text)
	}
	return text
}

func (p *person) refuses(word, why string) {
	p.Helper()
	if done, text := p.r.do(word, p.at.Stamp); done || !strings.Contains(text, why) {
		p.Errorf("%s: %v, %q, want a refusal with %q", word, done, text, why)
	}
}

// square drives along a square and closes it.
func (p *person) square(word string, x, y, edge float64) {
	p.Helper()
	p.drive([2]float64{x, y})
	if text := p.does(word); !strings.Contains(text, "has begun") {
		p.Errorf("%s: %q, but nothing is recorded yet", word, text)
	}
	p.drive([2]float64{x + edge, y}, [2]float64{x + edge, y + edge}, [2]float64{x, y + edge}, [2]float64{x, y + 0.2})
	p.does("close")
}

// state is what a restart must not change.
func (p *person) state() (rings []web.RecordedRing, edge []orb.Point) {
	r := p.r.state(p.at.Stamp)
	return r.Rings, r.Edge
}

// A program that is ended at any moment continues with the same rings and points.
func TestRestarts(t *testing.T) {
	p := newPerson(t)
	restart := func(what string) {
		t.Helper()
		rings, edge := p.state()
		p.r.write() // as at the end of a program; one that is killed has written 2 s of driving before
		p.open()
		again, edgeAgain := p.state()
		if !strings.Contains(p.r.text(p.at.Stamp), "earlier run") || !p.r.state(0).Earlier {
			t.Errorf("%s: %q", what, p.r.text(p.at.Stamp))
		}
		if len(rings) != len(again) || len(edge) != len(edgeAgain) {
			t.Fatalf("%s: %d rings and %d points, want %d and %d", what, len(again), len(edgeAgain), len(rings), len(edge))
		}
		for i := range rings {
			for k, at := range rings[i].Points {
				if rings[i].Kind != again[i].Kind || rings[i].StdDev != again[i].StdDev || at != again[i].Points[k] {
					t.Fatalf("%s: ring %d is %+v, want %+v", what, i, again[i], rings[i])
				}
			}
		}
		for i := range edge {
			if edge[i] != edgeAgain[i] {
				t.Fatalf("%s: point %d is %v, want %v", what, i, edgeAgain[i], edge[i])
			}
		}
		if p.r.driving {
			t.Errorf("%s: points are collected before a person says so", what)
		}
	}
	p.pose()
	p.does("outline")
	restart("at the start of a ring")
	p.does("drive")
	p.drive([2]float64{30, 0}, [2]float64{30, 20})
	p.stdDev = 3
	p.drive([2]float64{27, 20})
	p.stdDev = 0.05
	p.drive([2]float64{20, 20})
	restart("in a drive")
	p.does("undo")
	p.does("drive")
	p.drive([2]float64{0, 20}, [2]float64{0, 0.3})
	p.does("close")
	restart("after a ring")
	p.square("keepout", 5, 5, 4)
	for _, c := range []web.Edit{
		{Op: "move", Ring: 0, Corner: 1, At: orb.Point{32, -1}}, {Op: "insert", Ring: 1, Corner: 0, At: orb.Point{7, 4}}, {Op: "delete", Ring: 1, Corner: 2},
		{Op: "remove", Ring: 1},
	} {
		c.Version = p.r.version
		if done, text := p.r.edit(c); !done {
			t.Fatalf("%+v: %s", c, text)
		}
	}
	restart("after edits")
	p.does("undo")
	restart("after an undo")
	backup, err := p.save()
	if err != nil || backup != "" {
		t.Fatalf("saved: %q, %v", backup, err)
	}
	if p.open(); p.r.restored || !p.r.empty() {
		t.Error("after the field was saved there is still a recording")
	}
	f, err := convert.ReadBoundary(p.cfg.Teach.File, nil)
	if err != nil || len(f.KeepOuts) != 1 || f.Boundary.Bound().Right() != 32 {
		t.Errorf("the field is %+v, %v", f, err)
	}
}

// A program that is killed while the robot drives has lost at most the points of two seconds.
func TestKilledInADrive(t *testing.T) {
	p := newPerson(t)
	p.pose()
	p.does("outline")
	p.drive([2]float64{30, 0}, [2]float64{30, 20})
	_, before := p.state()
	p.open()
	// A pose every 0.1 s and 0.1 m, and a point every 0.5 m.
	if _, edge := p.state(); len(edge) < len(before)-4 || edge[0] != before[0] {
		t.Errorf("%d points are left of %d", len(edge), len(before))
	}
}

// A file that is none of a recording is named, and left as it is.
func TestDamagedFile(t *testing.T) {
	p := newPerson(t)
	p.square("outline", 0, 0, 30)
	data, err := os.ReadFile(p.r.file)
	must.OK(t, err)
	whole := string(data)
	for name, c := range map[string][2]string{
		"a torn end":      {whole[:len(whole)-9], "unexpected end of JSON input"},
		"nothing":         {"", "unexpected end of JSON input"},
		"noise":           {"\x00\xff", "invalid character"},
		"another frame":   {strings.Replace(whole, `"Frame":"map"`, `"Frame":"odom"`, 1), "begun with the parameters"},
		"an edit of none": {strings.Replace(whole, `"Edits":null`, `"Edits":[{"Ring":1,"Closed":1}]`, 1), "an edit is of ring 2, and there are 1"},
		"an open ring":    {strings.Replace(whole, `"Points":[[`, `"Points":[[3,3],[`, 1), "not a ring"},
		"no ring":         {strings.Replace(whole, `"Points":[[`, `"Points":[[1,2]],"x":[[`, 1), "not a ring"},
	} {
		if c[0] == whole {
			t.Errorf("%s: the file is as it was", name)
		}
		must.OK(t, os.WriteFile(p.r.file, []byte(c[0]), 0o666))
		if _, err := openRecording(p.cfg); err == nil || !strings.Contains(err.Error(), c[1]) || !strings.Contains(err.Error(), p.r.file) {
			t.Errorf("%s: %v, want %q", name, err, c[1])
		}
		if left, err := os.ReadFile(p.r.file); err != nil || string(left) != c[0] {
			t.Errorf("%s: the file was changed, %v", name, err)
		}
	}
}

// A recording that cannot be written continues, and says what a restart would cost.
func TestNoDisk(t *testing.T) {
	p := newPerson(t)
	if err := os.Mkdir(p.cfg.Teach.File+".recording", 0o777); err != nil { // in the way
		t.Fatal(err)
	}
	if _, err := openRecording(p.cfg); err == nil || !strings.Contains(err.Error(), "cannot be continued") {
		t.Errorf("a folder in place of the file: %v", err)
	}
	p.pose()
	if text := p.does("outline"); !strings.Contains(text, "NOT saved on the disk and would be lost in a restart") {
		t.Errorf("begun without a disk: %s", text)
	}
	p.drive([2]float64{20, 0}, [2]float64{20, 20}, [2]float64{0, 20}, [2]float64{0, 0.2})
	p.does("close")
	if f, err := p.r.field(); err != nil || len(f.Boundary) != 1 {
		t.Errorf("the field is %+v, %v", f, err)
	}
}

// Edits are checked, and refused with the reason.
func TestEditRefusals(t *testing.T) {
	p := newPerson(t)
	must.OK(t, p.r.load(field.Field{Boundary: orb.Polygon{{{0, 0}, {40, 0}, {40, 40}, {0, 40}}}, KeepOuts: []orb.Polygon{{{{5, 5}, {9, 5}, {9, 9}}}}}))
	v := p.r.version
	for name, c := range map[string]struct {
		change web.Edit
		want   string
	}{
		"an old version":    {web.Edit{Version: v - 1, Op: "delete"}, "the rings have changed in the meantime"},
		"no such ring":      {web.Edit{Version: v, Op: "delete", Ring: 2}, "there is no ring 3"},
		"a negative ring":   {web.Edit{Version: v, Op: "delete", Ring: -1}, "there is no ring 0"},
		"no such corner":    {web.Edit{Version: v, Op: "delete", Ring: 1, Corner: 3}, "the keep-out has no corner 4"},
		"a negative corner": {web.Edit{Version: v, Op: "move", Corner: -1}, "the outline has no corner 0"},
		"no such op":        {web.Edit{Version: v, Op: "turn"}, "op must be"},
		"too few corners":   {web.Edit{Version: v, Op: "delete", Ring: 1}, "2 distinct corners, want at least 3"},
		"a crossing":        {web.Edit{Version: v, Op: "move", Corner: 0, At: orb.Point{30, 50}}, "would cross itself in"},
		"a far corner":      {web.Edit{Version: v, Op: "move", Corner: 0, At: orb.Point{1e9, 0}}, "want at most 1e+06 m"},
		"no number":         {web.Edit{Version: v, Op: "insert", Corner: 0, At: orb.Point{math.NaN(), 0}}, "a corner at (NaN, 0) m"},
	} {
		if done, text := p.r.edit(c.change); done || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, %q", name, done, text)
		}
		if crossed := len(p.r.state(0).Crossings) > 0; crossed != (name == "a crossing") {
			t.Errorf("%s: the crossings are %v", name, p.r.state(0).Crossings)
		}
	}
	done, text := p.r.edit(web.Edit{Version: v, Op: "move", Ring: 1, Corner: 2, At: orb.Point{-50, -50}})
	if !done || strings.Contains(text, "cannot be saved") { // it still meets the outline
		t.Errorf("a keep-out across the edge: %s", text)
	}
	for i, at := range []orb.Point{{-40, -50}, {-40, -40}} {
		done, text = p.r.edit(web.Edit{Version: p.r.version, Op: "move", Ring: 1, Corner: i, At: at})
	}
	if !done || !strings.Contains(text, "it cannot be saved in this state: not a ring: keep-out 1 near") || !strings.Contains(p.r.text(0), "cannot be saved yet") {
		t.Errorf("a keep-out outside: %v, %s", done, text)
	}
	if _, err := p.save(); err == nil || !strings.Contains(err.Error(), "lies outside of the outline") {
		t.Errorf("saved all the same: %v", err)
	}
	p.refuses("close", "no ring is open")
	p.refuses("dance", "no such command")
	p.refuses("drive", "no ring is open")
}

// FuzzEdit changes rings at will: what is accepted is a ring that can be edited again, and a restart
// has it too.
func FuzzEdit(f *testing.F) {
	f.Add("move", 0, 1, 50.0, -3.0)
	f.Add("insert", 1, 2, 7.0, 6.0)
	f.Add("delete", 0, 0, 0.0, 0.0)
	f.Add("remove", 1, -4, math.Inf(1), math.NaN())
	p := newPerson(f)
	square := func(x, y, e float64) orb.Ring { return orb.Ring{{x, y}, {x + e, y}, {x + e, y + e}, {x, y + e}} }
	f.Fuzz(func(t *testing.T, op string, ring, corner int, x, y float64) {
		p.TB = t
		if _, err := p.r.discard(); err != nil {
			t.Fatal(err)
		}
		p.r = newRecording(p.cfg)
		must.OK(t, p.r.load(field.Field{Boundary: orb.Polygon{square(0, 0, 40)}, KeepOuts: []orb.Polygon{{square(5, 5, 5)}}}))
		for range 3 {
			done, text := p.r.edit(web.Edit{Version: p.r.version, Op: op, Ring: ring, Corner: corner, At: orb.Point{x, y}})
			if text == "" {
				t.Error("no answer")
			}
			for _, r := range p.r.rec.Rings() {
				if len(r.Points) > 0 && (len(r.Points) < 4 || !(r.Area > 0)) {
					t.Fatalf("%s: a ring %+v", text, r)
				}
			}
			if !done {
				break
			}
			x, y = y+1, x-1
		}
		rings, _ := p.state()
		p.open()
		if again, _ := p.state(); len(again) != len(rings) || len(again[0].Points) != len(rings[0].Points) {
			t.Errorf("after a restart %+v, want %+v", again, rings)
		}
	})
}

// FuzzFile opens any file: it is used or refused, and the session works.
func FuzzFile(f *testing.F) {
	p := newPerson(f)
	p.square("outline", 0, 0, 10)
	text, err := os.ReadFile(p.r.file)
	must.OK(f, err)
	f.Add(text)
	for _, more := range []string{`"Closed":[{"Ring":{"Points":[]}}]`, `"Open":{"Points":[{}],"Last":{}}`, `"Closed":[{"Kind":7}],"Edits":[{"Closed":1}]`, `"Open":{"Refused":[{"Open":true}]}`} {
		f.Add([]byte(`{"Begun":` + string(p.r.begun) + `,"Recorder":{` + more + `}}`))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		cfg := configOf(filepath.Join(dir, "f.geojson"))
		must.OK(t, os.WriteFile(cfg.Teach.File+recordingSuffix, text, 0o666))
		r, err := openRecording(cfg)
		if err != nil {
			return
		}
		for range 4 {
			r.state(0)
			_, _ = r.field()
			_, _ = r.do("close", 0)
			_, _ = r.do("undo", 0)
		}
		if _, err := r.discard(); err != nil {
			t.Fatal(err)
		}
		if done, why := newRecording(cfg).do("outline", 0); !done {
			t.Fatal(why)
		}
	})
}
