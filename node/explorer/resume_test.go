// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// An explorer that was killed while the robot drove stops it when it is back, also while no pose
// can be used: the follower may have one and drive on to the former goal.
func TestRestartWithoutPosesStops(t *testing.T) {
	w := begun(t)
	w.state(mission.StateTravelling)
	w.run(3 * time.Second)
	n := w.crashed(time.Second)
	n.noPoses = true
	n.until("an empty path", func() bool { return len(n.plans) > 0 })
	if n.driving() || len(n.goals) > 0 || n.explorer.State() != mission.StatePaused {
		t.Errorf("plans %v, goals %v, the mission is %s", n.plans, n.goals, n.explorer.State())
	}
	n.noPoses = false
	n.until("the goal where the robot stands", func() bool { return len(n.goals) > 0 })
	sent := len(n.plans)
	if n.run(10 * time.Second); len(n.plans) != sent {
		t.Errorf("%d plans more while the mission is paused", len(n.plans)-sent)
	}
}

// A mission that is interrupted anywhere, by whatever, ends as it would have, and
// nothing that was heard of it is lost.
func TestResume(t *testing.T) {
	want := begun(t).finish()
	for name, moment := range map[string]func(*world){
		"at the start": func(w *world) { w.state(mission.StateTravelling) },
		"on the way": func(w *world) {
			w.setsOutAfter(2)
			w.run(3 * time.Second)
		},
		"as it samples": func(w *world) {
			w.setsOutAfter(1)
			w.state(mission.StateSampling)
		},
		"on the way home":   func(w *world) { w.state(mission.StateReturning); w.run(2 * time.Second) },
		"with stale poses":  func(w *world) { w.state(mission.StateTravelling); w.noPoses = true; w.state(mission.StateFault) },
		"paused by someone": func(w *world) { w.state(mission.StateTravelling); w.call("pause") },
	} {
		t.Run(name, func(t *testing.T) {
			w := begun(t)
			moment(w)
			before := w.explorer.Record()
			n := w.crashed(10 * time.Second)
			n.run(20 * time.Second)
			if n.explorer.State() != mission.StatePaused || n.driving() {
				t.Fatalf("it is %s and drives: %v", n.explorer.Status(), n.driving())
			}
			if diff := cmp.Diff(w.observations, n.observations); diff != "" {
				t.Errorf("what is latched of the observations: %s", diff)
			}
			if says := strings.Contains(n.status.Text, "~/resume"); says == (name == "paused by someone") {
				t.Errorf("the status says %q", n.status.Text)
			}
			if ok, text := n.call("start"); ok || !strings.HasPrefix(text, "the mission has already begun; paused") || !strings.HasSuffix(text, "; call ~/resume to continue") {
				t.Errorf("start: %v, %s", ok, text)
			}
			if log := n.log.String(); !strings.Contains(log, "the mission of an earlier run is restored; it waits for a person to resume it") {
				t.Errorf("the log has\n%s", log)
			}
			if driven := regexp.MustCompile(`driven_m=(\S+)`).FindStringSubmatch(n.log.String()); driven == nil || len(driven[1]) > len("123.45") {
				t.Errorf("the log says %q", driven)
			}
			n.do("resume")
			got := n.finish()
			if strings.Contains(n.status.Text, "~/resume") {
				t.Errorf("the status says %q", n.status.Text)
			}
			if len(got.Observations) != 4 || got.Outcome != want.Outcome {
				t.Fatalf("%d observations, %q", len(got.Observations), got.Outcome)
			}
			if diff := cmp.Diff(before.Observations, got.Observations[:len(before.Observations)], cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("observations from before: %s", diff)
			}
			for i, o := range got.Observations {
				if o.Sequence != i+1 {
					t.Errorf("observation %d has the number %d", i+1, o.Sequence)
				}
			}
			a, b := targets(got), targets(want)
			if len(a) != len(b) {
				t.Fatalf("targets %v, want %v", a, b)
			}
			for i := range a {
				near(t, "a target's coordinate", a[i], b[i], 1e-3)
			}
			if got.Started != before.Started || *got.Home != *before.Home || len(got.Resumed) != 1 {
				t.Errorf("started at %g, home %v, resumed %v; want %g, %v", got.Started, *got.Home, got.Resumed, before.Started, *before.Home)
			}
			if passed := stamp(n.ex.Now()) - got.Started; got.SimulatedTime < 30 || got.SimulatedTime > passed {
				t.Errorf("it took %g s of %g s", got.SimulatedTime, passed)
			}
			unnoted := 1.2 * 5 // s at m/s: what is driven is noted each second
			if w.noPoses {
				unnoted += 2 * 5 // and not measured without poses
			}
			if got.Distance < before.Distance-unnoted || got.Distance < want.Distance-unnoted {
				t.Errorf("driven %g m, %g m of it before; %g m without interruption", got.Distance, before.Distance, want.Distance)
			}
			if got.Counts["covariances accepted"] <= n.explorer.Record().Counts["readings matched"] {
				t.Errorf("counts %v", got.Counts)
			}
			m, err := record.ReadMission(filepath.Join(n.cfg.OutputDir, record.MissionFile))
			if err != nil || len(m.Observations) != 4 {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

func stamp(ns int64) float64 { return float64(ns) / 1e9 }

// It goes on by itself where that is asked for, but not when a person had paused it.
func TestAutoResume(t *testing.T) {
	auto := func(c *settings.Config) { c.AutoResume = true }
	w := begun(t)
	w.setsOutAfter(2)
	n := w.crashed(time.Second, auto)
	if log := n.log.String(); !strings.Contains(log, "is restored; it continues with the first pose") {
		t.Errorf("the log has\n%s", log)
	}
	if m := n.finish(); len(m.Observations) != 4 {
		t.Errorf("%d observations", len(m.Observations))
	}
	w.call("pause")
	n = w.crashed(time.Second, auto)
	n.run(time.Minute)
	if n.explorer.State() != mission.StatePaused || len(n.plans) > 0 {
		t.Errorf("%s, %d plans", n.explorer.Status(), len(n.plans))
	}
	// Nor does auto_start start it.
	n = w.crashed(time.Second, func(c *settings.Config) { c.AutoStart = true })
	n.run(time.Minute)
	if n.explorer.State() != mission.StatePaused || len(n.plans) > 0 {
		t.Errorf("%s, %d plans", n.explorer.Status(), len(n.plans))
	}
	if log := n.log.String(); !strings.Contains(log, "is restored; auto_start does not continue it: it waits for a person to resume it") {
		t.Errorf("the log has\n%s", log)
	}
}

// Targets are judged by the localisation along the whole path as without the interruption.
func TestResumeLocalised(t *testing.T) {
	local := func(c *settings.Config) {
		c.Learn.On, c.Learn.Local, c.Field.Sigmas, c.Covariance.MaxPositionStdDev = true, true, 0, 20
		c.Mission.Budget.Samples = 8
	}
	wood := func(w *world) *world {
		w.estimate = func(p *localization.Pose) {
			if p.X > 50 {
				p.Cov[0][0], p.Cov[1][1] = 144, 36
			}
		}
		return w
	}
	start := func() *world {
		cfg := small()
		cfg.OutputDir = t.TempDir()
		local(&cfg)
		w := wood(newWorld(t, cfg))
		w.exactly()
		w.start()
		return w
	}
	want := start().finish()
	w := start()
	w.setsOutAfter(5)
	n := wood(w.crashed(time.Second, local))
	n.run(time.Second)
	n.do("resume")
	got := n.finish()
	a, b := targets(got), targets(want)
	if len(a) != 16 || len(b) != 16 {
		t.Fatalf("targets %v, want %v", a, b)
	}
	for i := range a {
		near(t, "a target's coordinate", a[i], b[i], 0.5)
	}
}

// A crash before it has gone on changes nothing; a person who pauses it does.
func TestResumeTwice(t *testing.T) {
	auto := func(c *settings.Config) { c.AutoResume = true }
	w := begun(t)
	w.setsOutAfter(2)
	n := w.crashed(time.Second)
	n.run(5 * time.Second)
	m := n.crashed(time.Second)
	m.run(5 * time.Second)
	if !strings.Contains(m.status.Text, "~/resume") {
		t.Errorf("the status says %q", m.status.Text)
	}
	again := m.crashed(time.Second, auto)
	if got := again.finish(); len(got.Observations) != 4 || len(got.Resumed) != 3 {
		t.Errorf("%d observations, taken up at %v", len(got.Observations), got.Resumed)
	}
	m.do("pause")
	m.run(2 * time.Second)
	if strings.Contains(m.status.Text, "~/resume") {
		t.Errorf("the status says %q", m.status.Text)
	}
	kept := m.crashed(time.Second, auto)
	kept.run(time.Minute)
	if kept.explorer.State() != mission.StatePaused || len(kept.plans) > 0 {
		t.Errorf("%s, %d plans", kept.explorer.Status(), len(kept.plans))
	}
}

// Time between the runs is spent, unless the clock was set.
func TestTimeBetweenRuns(t *testing.T) {
	w := begun(t, func(c *settings.Config) { c.Mission.Budget.Duration = 3600 })
	w.state(mission.StateTravelling)
	w.run(time.Second)
	used := w.explorer.Record().SimulatedTime
	for later, want := range map[time.Duration]float64{
		0: used, 10 * time.Minute: used + 600, -30 * time.Second: used, 25 * time.Hour: used, 400_000 * time.Hour: used,
	} {
		n := w.crashed(later)
		n.run(300 * time.Millisecond)
		near(t, "time used "+later.String()+" later", n.explorer.Record().SimulatedTime, want, 1.3)
	}
	// A budget that is spent meanwhile sends the robot home.
	n := w.crashed(2 * time.Hour)
	n.run(time.Second)
	n.call("resume")
	if m := n.finish(); len(m.Observations) != 0 || !strings.Contains(m.Outcome, "the budget of 3600 s is exceeded by") {
		t.Errorf("%d observations, %q", len(m.Observations), m.Outcome)
	}
}

// soil writes a raster, soil.csv, and returns the file.
func soil(t *testing.T) string {
	t.Helper()
	raster := filepath.Join(t.TempDir(), "soil.csv")
	var points strings.Builder
	points.WriteString("x,y,value\n")
	for i := range 100 {
		fmt.Fprintf(&points, "%d,%d,%d\n", 10*(i%10)+5, 10*(i/10)+5, i)
	}
	must.OK(t, os.WriteFile(raster, []byte(points.String()), 0o600))
	return raster
}

func TestChangedConfiguration(t *testing.T) {
	w := begun(t)
	w.setsOutAfter(2)
	dir := t.TempDir()
	w.must(os.CopyFS(dir, os.DirFS(w.cfg.OutputDir)))
	raster := soil(t)
	for name, c := range map[string]struct {
		change func(*settings.Config)
		want   []string
	}{
		"rasters":   {func(c *settings.Config) { c.Covariates = []string{raster} }, []string{"covariates was [] and is now ", `["soil.csv with the SHA-256 `}},
		"frame":     {func(c *settings.Config) { c.Frame = "odom" }, []string{`frame_id was "map" and is now "odom"`}},
		"quantity":  {func(c *settings.Config) { c.Quantity = "gas" }, []string{`quantity was "quantity" and is now "gas"`}},
		"units":     {func(c *settings.Config) { c.Units = "ppm" }, []string{`units was "" and is now "ppm"`}},
		"transform": {func(c *settings.Config) { c.Reading.Transform = "ln" }, []string{`reading.transform was "none" and is now "ln"`}},
		"second":    {func(c *settings.Config) { c.Secondary.Type = "FieldReading" }, []string{`secondary.type was "" and is now "FieldReading"`}},
		"type":      {func(c *settings.Config) { c.Reading.Type, c.Reading.StdDev = "Float64", 1 }, []string{`reading.type was "FieldReading" and is now "Float64"`}},
		"field":     {func(c *settings.Config) { c.Outline = square(90) }, []string{"the field's outline was [[[0,0],[100,0],"}},
		"corners":   {func(c *settings.Config) { c.Outline.Boundary[0] = c.Outline.Boundary[0][1:] }, []string{"the field's outline was [[[0,0],"}},
		"keep-outs": {func(c *settings.Config) { c.Outline.KeepOuts = append(c.Outline.KeepOuts, square(5).Boundary) }, []string{"the field's keep-outs was [] and is now [[["}},
	} {
		cfg := small()
		cfg.OutputDir = dir
		c.change(&cfg)
		err := starts(t, cfg)
		for _, want := range append(c.want, dir, "another output_dir") {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	n := w.crashed(time.Second, func(c *settings.Config) {
		c.Mission.Budget.Samples, c.Beta, c.Model.Kernel = 6, 1, "matern32"
		c.Home = []float64{30, 30}
	})
	for _, want := range []string{"budget.samples: 4 → 6", "beta.fixed: 3 → 1", `model.kernel: \"matern\" → \"matern32\"`, "home: [] → [30,30]"} {
		if !strings.Contains(n.log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, n.log.String())
		}
	}
	n.run(time.Second)
	n.call("resume")
	m := n.finish()
	if last := m.Hyper[len(m.Hyper)-1]; len(m.Observations) != 6 || last.Kernel != "matern32" || *m.Home != (record.Place{30, 30}) || math.Hypot(n.x-30, n.y-30) > 2 {
		t.Errorf("%d observations, kernel %s, home %v, the robot at (%g, %g)", len(m.Observations), last.Kernel, *m.Home, n.x, n.y)
	}
	// With a smaller budget it goes home.
	n = w.crashed(time.Second, func(c *settings.Config) { c.Mission.Budget.Samples = 1 })
	n.run(time.Second)
	n.call("resume")
	if m := n.finish(); len(m.Observations) != 2 {
		t.Errorf("%d observations with a smaller budget", len(m.Observations))
	}
}

func TestExistingMission(t *testing.T) {
	over := begun(t)
	over.finish()
	half := begun(t)
	half.until("2 samples", func() bool { return len(half.observations) == 2 })
	for _, c := range []struct {
		name, existing string
		from           *world
		remove         string
		want           string // of the error; "": none
		state          mission.State
	}{
		{"over", settings.ExistingResume, over, "", "", mission.StateDone},
		{"over", "refuse", over, "", "a mission that is over", ""},
		{"over", settings.ExistingReplace, over, "", "", mission.StateIdle},
		{"half", settings.ExistingResume, half, "", "", mission.StatePaused},
		{"half", "refuse", half, "", "a mission that is not over, with 2 samples", ""},
		{"half", settings.ExistingReplace, half, "", "", mission.StateIdle},
		{"record alone", settings.ExistingResume, over, journal.FileName, "mission.json of a mission that cannot be resumed", ""},
		{"record alone", settings.ExistingReplace, over, journal.FileName, "", mission.StateIdle},
	} {
		t.Run(c.name+" "+c.existing, func(t *testing.T) {
			dir := t.TempDir()
			c.from.must(os.CopyFS(dir, os.DirFS(c.from.cfg.OutputDir)))
			if c.remove != "" {
				c.from.must(os.Remove(filepath.Join(dir, c.remove)))
			}
			cfg := small()
			cfg.OutputDir, cfg.Existing = dir, c.existing
			if c.want != "" {
				if err := starts(t, cfg); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			w := newWorld(t, cfg)
			w.run(time.Second)
			if w.explorer.State() != c.state {
				t.Errorf("%s, want %s", w.explorer.Status(), c.state)
			}
			if c.state == mission.StateIdle { // what was there stays until the mission begins
				if s, err := journal.Read(dir); c.remove == "" && (err != nil || len(s.Observations) < 2) {
					t.Errorf("before the start: %+v, %v", s, err)
				}
				if m := w.mission(); len(m.Observations) != 4 || m.Resumed != nil {
					t.Errorf("%d observations, resumed %v", len(m.Observations), m.Resumed)
				}
			}
		})
	}
}

// If a mission ended before its record was written, the record is written by the
// next run.
func TestRecordWrittenLater(t *testing.T) {
	w := begun(t)
	want := w.finish()
	w.must(w.ex.Close())
	w.must(os.Remove(filepath.Join(w.cfg.OutputDir, record.MissionFile)))
	path := filepath.Join(w.cfg.OutputDir, journal.FileName)
	text, err := os.ReadFile(path)
	w.must(err)
	lines := strings.SplitAfter(string(text), "\n")
	if last := lines[len(lines)-2]; !strings.Contains(last, `"saved"`) {
		t.Fatalf("the last line is %s", last)
	}
	w.must(os.WriteFile(path, []byte(strings.Join(lines[:len(lines)-2], "")), 0o666))
	n := w.crashed(time.Minute)
	n.run(time.Second)
	if n.explorer.State() != mission.StateDone || len(n.plans) > 0 {
		t.Errorf("%s, %d plans", n.explorer.Status(), len(n.plans))
	}
	m, err := record.ReadMission(filepath.Join(n.cfg.OutputDir, record.MissionFile))
	w.must(err)
	if diff := cmp.Diff(want.Observations, m.Observations); diff != "" || m.Outcome != want.Outcome || m.SimulatedTime != want.SimulatedTime {
		t.Errorf("outcome %q after %g s, want %q after %g s; %s", m.Outcome, m.SimulatedTime, want.Outcome, want.SimulatedTime, diff)
	}
}

// A passive explorer goes on by itself: it moves nothing.
func TestResumePassive(t *testing.T) {
	passive := func(c *settings.Config) { c.Passive, c.Reading.Count = true, 3 }
	w := newWanderer(t, func(c *settings.Config) { c.OutputDir = t.TempDir() })
	w.run(3 * time.Second)
	w.drives(80, 10, 3*time.Second)
	before := w.explorer.Record()
	if len(before.Observations) < 3 {
		t.Fatalf("%d observations", len(before.Observations))
	}
	n := &wanderer{world: w.crashed(10*time.Second, passive)}
	n.drives(80, 60, 3*time.Second)
	n.explorer.End("enough")
	got := n.finish()
	if diff := cmp.Diff(before.Observations, got.Observations[:len(before.Observations)]); diff != "" {
		t.Error(diff)
	}
	if len(got.Observations) < len(before.Observations)+3 || got.Distance < before.Distance+40 || got.SimulatedTime < 20 {
		t.Errorf("%d observations, %d before; %g m, %g before; %g s", len(got.Observations), len(before.Observations), got.Distance, before.Distance, got.SimulatedTime)
	}
	cfg := small()
	cfg.OutputDir = w.cfg.OutputDir
	w.must(w.ex.Close())
	if err := starts(t, cfg); err == nil || !strings.Contains(err.Error(), `passive was true and is now false`) {
		t.Errorf("another mode: %v", err)
	}
}

// A mission whose journal has lost its start is not taken for one that has not begun: the
// explorer refuses to begin another one in its place, and says what to do.
func TestDamagedStart(t *testing.T) {
	w := begun(t)
	w.until("2 samples", func() bool { return len(w.observations) == 2 })
	w.must(w.ex.Close())
	w.must(os.Remove(filepath.Join(w.cfg.OutputDir, record.MissionFile))) // as if it had been killed
	path := filepath.Join(w.cfg.OutputDir, journal.FileName)
	text, err := os.ReadFile(path)
	w.must(err)
	for line, part := range map[int]string{1: `"begin"`, 3: `"start"`} {
		bad := []byte(strings.Replace(string(text), part, part[:2]+"B"+part[3:], 1)) // "begin" is "bBgin"
		w.must(os.WriteFile(path, bad, 0o666))
		err := starts(t, *w.cfg)
		for _, want := range []string{path, fmt.Sprintf("line %d ", line), "2 observations", "give another output_dir"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("line %d: %v, want %q", line, err, want)
			}
		}
		if err != nil && strings.Contains(err.Error(), "replace") {
			t.Errorf("line %d: what it advises would delete the samples: %v", line, err)
		}
		if now, err := os.ReadFile(path); err != nil || !slices.Equal(now, bad) {
			t.Errorf("line %d: the journal was changed: %v", line, err)
		}
	}
}
