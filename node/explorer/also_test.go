// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"html"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

// measuresMore makes an explorer record two quantities besides the one that it seeks.
func measuresMore(c *settings.Config) {
	c.Also = []string{"phosphorus:Float64:P:mg/l", "probe/ph:FieldReading:pH:"}
}

// acidity is the pH in most tests.
func acidity(x, y float64) float64 { return 6 + x/100 - y/200 }

// probes are what measures more on a world's robot: phosphorus, which is the slope, with each reading of the quantity that is
// sought, and the pH more slowly.
type probes struct {
	*world
	silent bool // the pH is not measured
}

func withProbes(w *world) *probes {
	p := &probes{world: w}
	phosphorus := advertise[std_msgs.Float64](w, "phosphorus", ros.SensorData())
	ph := advertise[ugp_explorer_msgs.FieldReading](w, "probe/ph", ros.SensorData())
	_, err := w.node.NewTimer(probeStep, func() { w.must(phosphorus.Publish(&std_msgs.Float64{Data: slope(w.x, w.y)})) })
	must.OK(w.t, err)
	_, err = w.node.NewTimer(3*probeStep, func() {
		if !p.silent {
			m := ugp_explorer_msgs.FieldReading{Value: acidity(w.x, w.y), Variance: 0.01}
			m.Header.Stamp = ros.TimeMsg(w.ex.Now())
			w.must(ph.Publish(&m))
		}
	})
	must.OK(w.t, err)
	return p
}

// check checks the values of other quantities at a sample.
func (p *probes) check(o *record.Observation, silent bool) {
	p.t.Helper()
	if len(o.Also) != 2 || o.Also[0] == nil || (o.Also[1] == nil) != silent {
		p.t.Fatalf("sample %d has %+v", o.Sequence, o.Also)
	}
	near(p.t, "phosphorus", o.Also[0].Value, slope(o.Belief.X, o.Belief.Y), 0.01)
	if v := o.Also[0]; v.Variance != 0 || v.Readings != p.cfg.Reading.Count {
		p.t.Errorf("sample %d: of phosphorus %+v", o.Sequence, v)
	}
	if silent {
		return
	}
	near(p.t, "pH", o.Also[1].Value, acidity(o.Belief.X, o.Belief.Y), 0.001)
	if v := o.Also[1]; v.Readings < 1 || v.Variance > 0.01 || v.Variance < 0.01/float64(v.Readings) {
		p.t.Errorf("sample %d: of pH %+v", o.Sequence, v)
	}
}

// What is measured besides is in each sample, in the journal, in the report and in the results, which the record gives
// later, too. A probe that is silent costs only its own value. The targets are those of a mission that measures nothing more.
func TestAlso(t *testing.T) {
	plain := begun(t).finish()
	p := withProbes(begun(t, measuresMore))
	p.setsOutAfter(1)
	p.silent = true
	p.until("the diagnostic", func() bool {
		d := p.told("also probe/ph")
		return d.Level == diagnostic_msgs.DiagnosticStatusWarn && strings.Contains(d.Message, "waiting for a reading of pH on /probe/ph")
	})
	p.until("a sample without pH", func() bool { return len(p.observations) == 2 })
	p.silent = false
	m := p.finish()
	if len(m.Observations) != 4 || len(m.Skipped) > 0 {
		t.Fatalf("%d samples, skipped %+v", len(m.Observations), m.Skipped)
	}
	for i := range m.Observations {
		p.check(&m.Observations[i], i == 1)
	}
	if diff := cmp.Diff(targets(plain), targets(m)); diff != "" {
		t.Errorf("other targets were chosen: %s", diff)
	}
	if diff := cmp.Diff([]record.Quantity{{Topic: "phosphorus", Quantity: "P", Units: "mg/l", Models: m.Also[0].Models}, {Topic: "probe/ph", Quantity: "pH", Models: m.Also[1].Models}}, m.Also); diff != "" {
		t.Errorf("the quantities: %s", diff)
	}
	if len(m.Also[0].Models) == 0 || len(m.Also[1].Models) == 0 {
		t.Errorf("nothing was learnt: %+v", m.Also)
	}
	if m.Counts["probe/ph: readings matched"] == 0 || m.Counts["phosphorus: readings without a variance"] != 0 {
		t.Errorf("counts %v", m.Counts)
	}
	dir := p.cfg.OutputDir
	found, err := journal.Read(dir)
	must.OK(t, err)
	if diff := cmp.Diff(m.Observations, found.Observations); diff != "" {
		t.Errorf("the journal has others: %s", diff)
	}
	names := exportAgain(t, dir)
	for _, name := range []string{"also_phosphorus.tif", "also_phosphorus.qml", "also_probe_ph.tif"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among the results, %q", name, names)
		}
	}
	table, err := os.ReadFile(filepath.Join(dir, "export", "samples.csv"))
	must.OK(t, err)
	if !strings.Contains(string(table), ",readings,also_phosphorus [mg/l],also_phosphorus_stddev [mg/l],also_probe_ph,also_probe_ph_stddev\n") {
		t.Errorf("samples.csv: %s", table)
	}
	page, err := os.ReadFile(filepath.Join(dir, report.PageFile))
	must.OK(t, err)
	for _, want := range []string{`<canvas id="also1"`, `<canvas id="also2"`, "The posterior mean of pH, measured at 3 samples", ">P (mg/l)</th>"} {
		if !strings.Contains(html.UnescapeString(string(page)), want) {
			t.Errorf("the report has no %q", want)
		}
	}
}

// Readings that are refused cost only their own value, and are named.
func TestAlsoRefused(t *testing.T) {
	w := begun(t, measuresMore)
	ph := advertise[ugp_explorer_msgs.FieldReading](w, "probe/ph", ros.SensorData())
	_, err := w.node.NewTimer(probeStep, func() { w.must(ph.Publish(&ugp_explorer_msgs.FieldReading{Value: math.NaN(), Variance: 1})) })
	must.OK(t, err)
	const why = "its value is not a finite number"
	w.until("the diagnostic", func() bool { return strings.Contains(w.told("also probe/ph").Message, why) })
	m := w.finish()
	if len(m.Observations) != 4 || m.Counts["probe/ph: readings outside the limits of the type"] == 0 {
		t.Errorf("%d samples, counts %v", len(m.Observations), m.Counts)
	}
	for _, o := range m.Observations {
		if len(o.Also) != 2 || o.Also[0] != nil || o.Also[1] != nil {
			t.Errorf("sample %d has %+v", o.Sequence, o.Also)
		}
	}
	if log := w.log.String(); !strings.Contains(log, `msg="a reading of pH is not used" node=/ugp_explorer error="`+why) {
		t.Errorf("the log lacks it:\n%s", log)
	}
}

// A mission that continues after a crash has the values measured before, and continues with the same quantities only.
func TestResumeWithAlso(t *testing.T) {
	p := withProbes(begun(t, measuresMore))
	p.setsOutAfter(2)
	before := p.explorer.Record().Observations
	for want, change := range map[string]func(*settings.Config){
		`also was "phosphorus:Float64:P:mg/l, probe/ph:FieldReading:pH:" and is now "":`: func(c *settings.Config) { c.Also = nil },
		`is now "phosphorus:Float64:P:mg/l":`:                                            func(c *settings.Config) { c.Also = c.Also[:1] },
	} {
		cfg := small()
		measuresMore(&cfg)
		cfg.OutputDir = t.TempDir()
		must.OK(t, os.CopyFS(cfg.OutputDir, os.DirFS(p.cfg.OutputDir)))
		change(&cfg)
		if err := starts(t, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	n := withProbes(p.crashed(10*time.Second, measuresMore))
	if diff := cmp.Diff(before, n.explorer.Record().Observations); diff != "" {
		t.Errorf("what was measured before: %s", diff)
	}
	n.run(time.Second)
	n.do("resume")
	m := n.finish()
	if len(m.Observations) != 4 {
		t.Fatalf("%d samples", len(m.Observations))
	}
	for i := range m.Observations {
		n.check(&m.Observations[i], false)
	}
}

// The bag of a mission has the values of the other quantities, and its replay, by the parameters in the bag, has the same. What the
// bag does not have is a note.
func TestReplayOfAlso(t *testing.T) {
	file := filepath.Join(t.TempDir(), "field.geojson")
	must.OK(t, os.WriteFile(file, []byte(`{"type":"Polygon","coordinates":[[[0,0],[100,0],[100,100],[0,100],[0,0]]]}`), 0o666))
	p := withProbes(begun(t, measuresMore, func(c *settings.Config) { c.Field.File = file }))
	want := p.finish().Observations
	p.must(p.ex.Close()) // or the bag had no index
	for _, more := range [][]string{nil, {"nitrate:Float64:N:mg/l"}} {
		src, err := replay.Open(t.Context(), p.cfg.OutputDir)
		must.OK(t, err)
		defer src.Close()
		cfg := replay.DefaultConfig()
		var given *param.Overrides
		if more != nil {
			given = &param.Overrides{}
			must.OK(t, given.AddAssignment(`ugp_explorer:also:=["`+more[0]+`"]`))
		}
		r, err := replay.New(src, &cfg, replay.Options{Parameters: given})
		must.OK(t, err)
		defer r.Close()
		must.OK(t, r.Run(t.Context()))
		got := r.Explorer().Record()
		const note = "N is left out: the bag has no topic nitrate with messages of type std_msgs/msg/Float64, as the parameter also states"
		if lacks := slices.Contains(got.Source.Notes, note); lacks != (more != nil) || len(got.Also) != map[bool]int{true: 1, false: 2}[lacks] {
			t.Errorf("%q: the notes are %q, the quantities %+v", more, got.Source.Notes, got.Also)
		}
		if more != nil {
			continue
		}
		stops := slices.DeleteFunc(slices.Clone(got.Observations), func(o record.Observation) bool { return o.Path != nil || o.AlsoAt(0) == nil })
		if len(stops) < len(want) {
			t.Errorf("%d stops with values of %d", len(stops), len(want))
		}
		for i := range stops {
			p.check(&stops[i], stops[i].AlsoAt(1) == nil)
		}
		for i, o := range got.Observations {
			if o.Path != nil && (o.AlsoAt(0) != nil || o.AlsoAt(1) != nil) {
				t.Errorf("observation %d, of a piece of path, has %+v", i+1, o.Also)
			}
		}
	}
}

// The page has a layer of each other quantity, with its name and its unit.
func TestPageShowsAlso(t *testing.T) {
	w, url := pageWorld(t, measuresMore)
	withProbes(w)
	w.start()
	w.until("maps", func() bool { return w.explorer.Snapshot().Maps.Samples >= 2 })
	w.do("pause")
	const want = `"layers":["mean","stddev","acquisition","also1","also2"],"named":[{"layer":"also1","name":"P","units":"mg/l"},{"layer":"also2","name":"pH"}]`
	if got := w.events(url, "maps")["maps"]; !strings.Contains(got, want) {
		t.Errorf("there is no %q: %s", want, got)
	}
}

// An entry that names no quantity is an error, which says what is allowed.
func TestBadAlso(t *testing.T) {
	for _, c := range []struct {
		also  []string
		want  string
		rules func(*settings.Config)
	}{
		{[]string{"phosphorus:Float64:P"}, `also: "phosphorus:Float64:P" has 3 of 4 parts, want topic:type:quantity:unit`, nil},
		{[]string{"2p:Float64:P:"}, `also: "2p:Float64:P:" has the topic "2p", want the name of one`, nil},
		{[]string{"~/p:Float64:P:"}, `has the topic "~/p", want the name of one`, nil},
		{[]string{"p:Image:P:"}, `also: "p:Image:P:" has the type "Image", want one of FieldReading, Float32,`, nil},
		{[]string{"p:Float64::mg/l"}, `also: "p:Float64::mg/l" names no quantity`, nil},
		{[]string{"reading:Float64:P:"}, "has the topic reading, which has its own parameters", nil},
		{[]string{"/secondary:Float64:P:"}, "has the topic /secondary, which has its own parameters", nil},
		{[]string{"p:Float64:P:", "/p:Float32:P:"}, `also: "/p:Float32:P:" has the same name in files as "p:Float64:P:", also_p`, nil},
		{[]string{"probe/p:Float64:P:", "probe_p:Float64:P:"}, `also: "probe_p:Float64:P:" has the same name in files as "probe/p:Float64:P:", also_probe_p: want one entry for each topic, and topics that differ by more than / and _`, nil},
		{[]string{"p:Float64:P:"}, "sample.stop is false", func(c *settings.Config) {
			c.Reading.AtStops, c.Mission.Budget.Samples, c.Mission.Budget.Distance = false, 0, 500
		}},
		{[]string{"p:Float64:P:"}, "passive is true", func(c *settings.Config) { c.Passive = true }},
	} {
		cfg := small()
		cfg.Also = c.also
		if c.rules != nil {
			c.rules(&cfg)
		}
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.also, err, c.want)
		}
	}
}
