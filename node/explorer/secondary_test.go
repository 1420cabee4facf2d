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
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// conducts has an explorer expect a second sensor, 2 m behind the robot's base.
func conducts(c *settings.Config) {
	c.Reading.Count = stopReadings
	s := &c.Secondary
	s.Type, s.Probe, s.Quantity, s.Units = "FieldReading", -2, "conductivity", "mS/m"
}

const stopReadings = 3

// slope is the second quantity in most tests.
func slope(x, y float64) float64 { return 40 + x/4 - y/8 }

// second is the second sensor of a world's robot.
type second struct {
	*world
	silent bool
	places map[int64]orb.Point // where the sensor truly was, by stamp
}

// withSecond puts a second sensor on the robot, which measures the slope.
func withSecond(w *world) *second {
	s := &second{world: w, places: map[int64]orb.Point{}}
	topic := advertise[ugp_explorer_msgs.FieldReading](w, "secondary", ros.SensorData())
	step := 0
	w.pose = func(*nav_msgs.Odometry) { // so that each reading is of a pose
		if step++; s.silent || step%2 == 1 {
			return
		}
		at := orb.Point{w.x + math.Cos(w.yaw)*w.cfg.Secondary.Probe, w.y + math.Sin(w.yaw)*w.cfg.Secondary.Probe}
		s.places[w.ex.Now()] = at
		m := ugp_explorer_msgs.FieldReading{Value: slope(at[0], at[1]), Variance: 0.25}
		m.Header.Stamp = ros.TimeMsg(w.ex.Now())
		w.must(topic.Publish(&m))
	}
	return s
}

// check checks that the values are of where the sensor was, and returns how many are of stops.
func (s *second) check(heard []record.Heard) (stops int) {
	s.t.Helper()
	last := 0.0
	for i, h := range heard {
		if h.Stamp <= last {
			s.t.Errorf("value %d is of %g s, and the one before of %g s", i+1, h.Stamp, last)
		}
		last = h.Stamp
		truth, apart := orb.Point{}, time.Duration(math.MaxInt64)
		for stamp, at := range s.places {
			if d := (time.Duration(h.Stamp*1e9) - time.Duration(stamp)).Abs(); d < apart {
				truth, apart = at, d
			}
		}
		within, place := 0.1, orb.Point{h.Belief.X, h.Belief.Y}
		switch {
		case h.Path > 0:
			within = 3 // half a piece, round a corner
		case h.Readings == stopReadings:
			stops++
		}
		if d := planar.Distance(place, truth); d > within {
			s.t.Errorf("value %d, of %g m of path, is believed to be of %v, %g m from where the sensor was", i+1, h.Path, place, d)
		}
		near(s.t, "a value", h.Value, slope(place[0], place[1]), 0.002)
		if h.Variance < 0.25/float64(h.Readings)-1e-12 || h.Readings < 1 {
			s.t.Errorf("value %d: %d readings, variance %g", i+1, h.Readings, h.Variance)
		}
		if floor := s.cov[1][1] * 0.4; h.Belief.YY < floor {
			s.t.Errorf("value %d: variance %g m² in y, less than a pose has", i+1, h.Belief.YY)
		}
	}
	return stops
}

// A second sensor is heard at each stop and all the way between, at its own place on the robot, and the mission's record
// has all of it.
func TestSecondSensor(t *testing.T) {
	s := withSecond(begun(t, conducts))
	m := s.finish()
	if len(m.Observations) != 4 || m.Secondary == nil || m.Secondary.Quantity != "conductivity" || m.Secondary.Units != "mS/m" {
		t.Fatalf("%d samples, second sensor %+v", len(m.Observations), m.Secondary)
	}
	heard := m.Secondary.Heard
	if stops := s.check(heard); stops != 4 {
		t.Errorf("%d values of stops, want one of each sample", stops)
	}
	for _, o := range m.Observations { // no sample comes before what was heard at its stop
		behind := orb.Point{o.Belief.X, o.Belief.Y}
		if !slices.ContainsFunc(heard, func(h record.Heard) bool {
			return h.Path == 0 && h.Readings == stopReadings && math.Abs(planar.Distance(behind, orb.Point{h.Belief.X, h.Belief.Y})-2) < 0.1
		}) {
			t.Errorf("nothing was heard at the stop of sample %d", o.Sequence)
		}
	}
	long, way := 0, 0.0
	for _, h := range heard {
		way += h.Path
		if h.Path > 5 { // a 15th of the field's side is 6.4 m
			long++
		}
		if h.Path > 8 {
			t.Errorf("a value is of %g m of path", h.Path)
		}
	}
	if long < 10 || way < 0.6*m.Distance || way > m.Distance {
		t.Errorf("%d long pieces of %d, %g m of %g m of path", long, len(heard), way, m.Distance)
	}
	if n := m.Counts["second sensor: readings matched"]; n == 0 || n <= int64(len(heard)) {
		t.Errorf("counts %v", m.Counts)
	}
	read, err := record.ReadMission(filepath.Join(s.cfg.OutputDir, record.MissionFile))
	must.OK(t, err)
	if diff := cmp.Diff(m.Secondary, read.Secondary); diff != "" {
		t.Errorf("mission.json has another one: %s", diff)
	}
	found, err := journal.Read(s.cfg.OutputDir)
	must.OK(t, err)
	if diff := cmp.Diff(heard, found.Heard); diff != "" {
		t.Errorf("the journal has others: %s", diff)
	}
}

// In a passive mission, and in one without stops, the second sensor is heard as well, also on the last piece of path.
func TestSecondSensorOnTheWay(t *testing.T) {
	passive := newWanderer(t, conducts)
	p := withSecond(passive.world)
	passive.tour()
	passive.way = []orb.Point{{70, 70}}
	passive.until("the last leg", func() bool { return passive.y > 65 })
	p.explorer.End("enough")
	m := p.finish()
	if stops := p.check(m.Secondary.Heard); stops < 2 || stops > 3 {
		t.Errorf("passive: %d values of stops", stops)
	}
	if last := m.Secondary.Heard[len(m.Secondary.Heard)-1]; last.Path == 0 || last.Belief.Y < 60 {
		t.Errorf("the last value is %+v", last)
	}

	driven := begun(t, conducts, func(c *settings.Config) {
		c.Reading.AtStops, c.Mission.Budget.Samples, c.Mission.Budget.Distance = false, 0, 500
	})
	d := withSecond(driven)
	m = d.finish()
	if d.check(m.Secondary.Heard); len(m.Secondary.Heard) < 40 {
		t.Errorf("without stops: %d values on %g m", len(m.Secondary.Heard), m.Distance)
	}
}

// While the mission is paused nobody knows who moves the robot, and nothing is heard.
func TestSecondSensorWhilePaused(t *testing.T) {
	s := withSecond(begun(t, conducts))
	s.setsOutAfter(1)
	s.do("pause")
	s.run(time.Second)
	before := len(s.explorer.Record().Secondary.Heard)
	s.way = []orb.Point{{80, 80}}
	s.until("the robot's arrival", func() bool { return s.x == 80 && s.y == 80 })
	s.run(10 * time.Second)
	if n := len(s.explorer.Record().Secondary.Heard); n != before {
		t.Errorf("%d values more", n-before)
	}
}

// What was heard before a crash is known after it, so that the next decision is the same.
func TestResumeWithSecondSensor(t *testing.T) {
	s := withSecond(begun(t, conducts))
	s.setsOutAfter(2)
	s.run(3 * time.Second)
	before := s.explorer.Record().Secondary
	if len(before.Heard) < 5 {
		t.Fatalf("%d values", len(before.Heard))
	}
	n := withSecond(s.crashed(10*time.Second, conducts))
	if diff := cmp.Diff(before, n.explorer.Record().Secondary, cmpopts.IgnoreFields(record.Secondary{}, "Correlation", "CorrelationStdDev", "Hyper", "Learnt")); diff != "" {
		t.Errorf("what was heard before: %s", diff)
	}
	n.run(time.Second)
	n.do("resume")
	var next [2]record.Decision
	for i, w := range []*second{s, n} {
		w.do("skip")
		w.until("the next decision", func() bool { return len(w.explorer.Record().Decisions) == 4 })
		m := w.explorer.Record()
		next[i] = m.Decisions[3]
		if diff := cmp.Diff(before.Heard, m.Secondary.Heard); diff != "" {
			t.Errorf("what was heard when it was made: %s", diff)
		}
	}
	if diff := cmp.Diff(next[0], next[1], cmpopts.EquateApprox(1e-6, 1e-6)); diff != "" {
		t.Errorf("the next decision: %s", diff)
	}
	got := n.finish()
	if stops := n.check(got.Secondary.Heard[len(before.Heard):]); stops < 2 {
		t.Errorf("heard at %d stops after the crash", stops)
	}
}

// A mission goes on with the same second sensor only.
func TestResumeWithAnotherSecondSensor(t *testing.T) {
	s := withSecond(begun(t, conducts))
	s.setsOutAfter(1)
	dir := t.TempDir()
	s.must(os.CopyFS(dir, os.DirFS(s.cfg.OutputDir)))
	for want, change := range map[string]func(*settings.Config){
		`secondary.type was "FieldReading" and is now "":`:          func(c *settings.Config) { c.Secondary.Type = "" },
		`secondary.quantity was "conductivity" and is now "gamma":`: func(c *settings.Config) { c.Secondary.Quantity = "gamma" },
		`secondary.units was "mS/m" and is now "dS/m":`:             func(c *settings.Config) { c.Secondary.Units = "dS/m" },
	} {
		cfg := small()
		conducts(&cfg)
		cfg.OutputDir = dir
		change(&cfg)
		if err := starts(t, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The bag of a mission has the readings of the second sensor, and its replay, by the parameters in the bag, uses the same.
func TestReplayOfSecondSensor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "field.geojson")
	must.OK(t, os.WriteFile(file, []byte(`{"type":"Polygon","coordinates":[[[0,0],[100,0],[100,100],[0,100],[0,0]]]}`), 0o666))
	s := withSecond(begun(t, conducts, func(c *settings.Config) { c.Field.File = file }))
	want := s.finish().Secondary
	s.must(s.ex.Close()) // or the bag had no index
	src, err := replay.Open(t.Context(), s.cfg.OutputDir)
	must.OK(t, err)
	defer src.Close()
	cfg := replay.DefaultConfig()
	r, err := replay.New(src, &cfg, replay.Options{})
	must.OK(t, err)
	defer r.Close()
	must.OK(t, r.Run(t.Context()))
	got := r.Explorer().Record()
	if got.Source.Secondary != "/secondary" {
		t.Errorf("the second sensor is on %q", got.Source.Secondary)
	}
	if diff := cmp.Diff(want, got.Secondary, cmpopts.IgnoreFields(record.Secondary{}, "Correlation", "CorrelationStdDev", "Hyper", "Learnt")); diff != "" {
		t.Errorf("the replay hears something else: %s", diff)
	}
}

// A second sensor that falls silent, or that nobody can use, is named, and the samples go on without it.
func TestSilentSecondSensor(t *testing.T) {
	s := withSecond(begun(t, conducts))
	s.setsOutAfter(1)
	s.silent = true
	const want = "waiting for a reading of the second sensor on /secondary [ugp_explorer/msg/FieldReading]: /robot is there, but nothing more was received"
	s.until("the diagnostic", func() bool {
		d := s.told("secondary")
		return d.Level == diagnostic_msgs.DiagnosticStatusWarn && d.Message == want
	})
	s.silent = false
	s.until("the end of the diagnostic", func() bool { return s.told("secondary").Level == diagnostic_msgs.DiagnosticStatusOK })
	s.silent = true
	if m := s.finish(); len(m.Observations) != 4 || len(m.Skipped) > 0 {
		t.Errorf("%d samples, skipped %v", len(m.Observations), m.Skipped)
	}
	if slices.Contains(s.states, string(mission.StateFault)) {
		t.Errorf("the mission was in %v", s.states)
	}
}

// What is refused of the second sensor names its own parameters.
func TestSecondSensorRefused(t *testing.T) {
	cfg := small()
	cfg.Secondary.Type = "Float64"
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "secondary.stddev is 0, but a Float64 states no variance") {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		typ     string
		publish func(w *world) func() error
		count   string
		why     string
	}{
		{"FieldReading", func(w *world) func() error {
			p := advertise[ugp_explorer_msgs.FieldReading](w, "secondary", ros.SensorData())
			return func() error { return p.Publish(&ugp_explorer_msgs.FieldReading{Value: 1}) }
		}, "second sensor: readings without a variance", "it states no variance; set secondary.stddev"},
		{"FluidPressure", func(w *world) func() error {
			p := advertise[sensor_msgs.FluidPressure](w, "secondary", ros.SensorData())
			return func() error { return p.Publish(&sensor_msgs.FluidPressure{FluidPressure: -5, Variance: 1}) }
		}, "second sensor: readings outside the limits of secondary.type", "its value is -5, and readings below 0 (secondary.type FluidPressure) are refused"},
		{"Float64", func(w *world) func() error {
			p := advertise[std_msgs.Float64](w, "secondary", ros.SensorData())
			return func() error { return p.Publish(&std_msgs.Float64{Data: math.NaN()}) }
		}, "second sensor: readings outside the limits of secondary.type", "its value is not a finite number"},
	} {
		cfg := small()
		cfg.Secondary.Type, cfg.Secondary.StdDev = c.typ, 0
		if c.typ == "Float64" {
			cfg.Secondary.StdDev = 1
		}
		w := newWorld(t, cfg)
		publish := c.publish(w)
		_, err := w.node.NewTimer(probeStep, func() { w.must(publish()) })
		must.OK(t, err)
		w.start()
		w.until("the diagnostic", func() bool { return strings.Contains(w.told("secondary").Message, c.why) })
		m := w.finish()
		if log := w.log.String(); !strings.Contains(log, `msg="a reading of the second sensor is not used" node=/ugp_explorer error="`+c.why) {
			t.Errorf("%s: the log lacks %q:\n%s", c.typ, c.why, log)
		}
		if m.Counts[c.count] == 0 || len(m.Secondary.Heard) > 0 || len(m.Observations) != 4 {
			t.Errorf("%s: %d samples, heard %v, counts %v", c.typ, len(m.Observations), m.Secondary.Heard, m.Counts)
		}
	}
}

// Readings without a stamp are of the moment before their message that secondary.delay says.
func TestSecondSensorDelay(t *testing.T) {
	cfg := small()
	cfg.Passive = true
	cfg.Secondary.Type, cfg.Secondary.StdDev, cfg.Secondary.Delay = "Float64", 0.5, 2
	w := newWorld(t, cfg)
	topic := advertise[std_msgs.Float64](w, "secondary", ros.SensorData())
	var past []localization.Pose // true, of each tick
	_, err := w.node.NewTimer(robotStep, func() {
		past = append(past, localization.Pose{X: w.x, Y: w.y})
		if n := len(past) - int(2*time.Second/robotStep) - 1; n >= 0 {
			w.must(topic.Publish(&std_msgs.Float64{Data: slope(past[n].X, past[n].Y)}))
		}
	})
	must.OK(t, err)
	w.run(3 * time.Second)
	w.way = []orb.Point{{80, 10}}
	w.until("the robot's arrival", func() bool { return w.x == 80 })
	w.run(3 * time.Second)
	w.explorer.End("enough")
	m := w.finish()
	pieces := 0
	for _, h := range m.Secondary.Heard {
		near(t, "a value", h.Value, slope(h.Belief.X, h.Belief.Y), 0.25/4*5) // a tick of 0.1 s is half a metre
		if h.Path > 5 {
			pieces++
		}
	}
	if pieces < 6 {
		t.Errorf("%d pieces on 60 m: %+v", pieces, m.Secondary.Heard)
	}
}

// Without a second sensor nothing is subscribed, and neither record nor diagnostics know of one.
func TestNoSecondSensor(t *testing.T) {
	w := begun(t)
	for _, e := range w.graph.Endpoints("") {
		if strings.Contains(e.Name, "secondary") {
			t.Errorf("%s has %s", e.Node, e.Name)
		}
	}
	m := w.finish()
	if m.Secondary != nil || w.told("secondary").Name != "" {
		t.Errorf("the record has %+v, /diagnostics %+v", m.Secondary, w.told("secondary"))
	}
	for name := range m.Counts {
		if strings.Contains(name, "second") {
			t.Errorf("it is counted: %s", name)
		}
	}
}

// What a second sensor measured is in the report and in the results for other software, which the record gives later, too:
// the field's map uses the second quantity, and so does the one that is made again.
func TestSecondSensorIsShown(t *testing.T) {
	w := withSecond(begun(t, func(c *settings.Config) {
		conducts(c)
		c.Model.Average, c.Learn.Local = 8, true
	}))
	w.finish()
	dir := w.cfg.OutputDir
	m, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	must.OK(t, err)
	s := m.Secondary
	if s.Hyper == nil || s.Learnt != len(s.Heard) || s.CorrelationStdDev == 0 {
		t.Fatalf("learnt from %d of %d values: %+v, correlation %g ± %g", s.Learnt, len(s.Heard), s.Hyper, s.Correlation, s.CorrelationStdDev)
	}
	if !slices.ContainsFunc(m.Models, func(model record.Model) bool { return model.Correlation != 0 }) {
		t.Errorf("no model of the field uses the second quantity: %+v", m.Models)
	}
	names := exportAgain(t, dir)
	for _, name := range []string{"heard.csv", "heard.geojson", "secondary.tif"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among the results, %q", name, names)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, report.PageFile))
	must.OK(t, err)
	for _, want := range []string{m.Heard(), `<canvas id="secondary"`} {
		if !strings.Contains(html.UnescapeString(string(page)), want) {
			t.Errorf("the report has no %q", want)
		}
	}
}

// The page has a layer of the second quantity with its name, and says what the samples say of it and of a raster so far.
func TestPageShowsWhatTheFieldGoesWith(t *testing.T) {
	w, url := pageWorld(t, conducts, func(c *settings.Config) { c.Covariates, c.Model.Average = []string{soil(t)}, 8 })
	withSecond(w)
	w.start()
	var m *record.Mission
	w.until("what the samples say, and maps of them", func() bool {
		m = w.explorer.Record()
		return m.Secondary.Correlation != 0 && m.Covariates[0].Share > 0.01 && w.explorer.Snapshot().Maps.Samples >= 2
	})
	w.do("pause")
	m = w.explorer.Record()
	got := w.events(url, "status", "maps")
	for event, wants := range map[string][]string{
		"status": {m.Heard(), m.Explained(0)},
		"maps":   {`"layers":["mean","stddev","acquisition","secondary","raster1"],"named":[{"layer":"secondary","name":"Conductivity","units":"mS/m"},{"layer":"raster1",`},
	} {
		for _, want := range wants {
			if !strings.Contains(got[event], want) {
				t.Errorf("the %s has no %q: %s", event, want, got[event])
			}
		}
	}
}
