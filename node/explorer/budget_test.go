// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// The mission is over if no place is left, though samples are left.
func TestNoPlaceLeft(t *testing.T) {
	cfg := small()
	cfg.SkipRadius = 200 // the whole field
	cfg.SkipTime = 1e6   // longer than the mission
	w := newWorld(t, cfg)
	w.noReading = true
	m := w.mission()
	if len(m.Skipped) != 1 || len(m.Decisions) != 1 || m.Recommendation != nil || !strings.Contains(m.Outcome, "no place is left to sample") {
		t.Errorf("%d decisions, skipped %+v, outcome %q", len(m.Decisions), m.Skipped, m.Outcome)
	}
	if d := math.Hypot(w.x-20, w.y-10); d > cfg.Mission.HomeTolerance {
		t.Errorf("the robot ends %g m from home", d)
	}
}

// A robot that drives sideways or aslant spends as many metres as one that drives ahead.
func TestMetresInAllDirections(t *testing.T) {
	for name, angle := range map[string]float64{"ahead": 0, "aslant": math.Pi / 4, "sideways": math.Pi / 2, "backwards": math.Pi} {
		w := newWorld(t, small())
		w.pose = func(m *nav_msgs.Odometry) {
			v := m.Twist.Twist.Linear.X
			m.Twist.Twist.Linear.Y, m.Twist.Twist.Linear.X = math.Sincos(angle)
			m.Twist.Twist.Linear.X *= v
			m.Twist.Twist.Linear.Y *= v
		}
		w.mission()
		if got := w.explorer.Record().Distance; math.Abs(got/w.driven-1) > 0.02 {
			t.Errorf("%s: %.1f m count, and the robot drove %.1f m", name, got, w.driven)
		}
	}
}

// The field of the tests is 100 m long, and with its margin 96 m. Of 6 m 2 m are kept in reserve, and of the rest a quarter
// more than the path; of 40 s 30 s are kept, and 5 s are for a sample.
func TestTightBudget(t *testing.T) {
	for _, c := range []struct {
		budget    mission.Budget
		why       string
		pointless bool
	}{
		{mission.Budget{Samples: 3}, "", false},
		{mission.Budget{Distance: 122}, "", false}, // 96 m
		{mission.Budget{Distance: 121}, "a path of 95.2 m from the start and back home, and the field is 96 m long", false},
		{mission.Budget{Distance: 6}, "a path of 3.2 m", true},
		{mission.Budget{Distance: 500, Duration: 40, Samples: 3}, "a path of 4 m", true},
	} {
		cfg := small()
		cfg.Mission.Budget, cfg.Mission.Speed = c.budget, 1
		w := newWorld(t, cfg)
		why, pointless := w.explorer.TightBudget()
		if (why == "") != (c.why == "") || !strings.Contains(why, c.why) || pointless != c.pointless {
			t.Errorf("%+v: %q, %v, want %q, %v", c.budget, why, pointless, c.why, c.pointless)
		}
		if why != "" && !strings.Contains(w.log.String(), why) {
			t.Errorf("%+v: the log does not say it:\n%s", c.budget, w.log.String())
		}
	}
	cfg := small()
	cfg.Passive, cfg.Mission.Budget.Distance = true, 6
	if why, _ := newWorld(t, cfg).explorer.TightBudget(); why != "" {
		t.Errorf("a passive mission, which has no budget: %s", why)
	}
}

// A mission that is over goes on with a quarter of its budget more, also when it is interrupted then, and its
// record is made anew at the new end. The journal says in the line after its end with which budget it goes on.
func TestMoreBudget(t *testing.T) {
	w := begun(t, func(c *settings.Config) { c.Mission.Budget.Distance = 3000 })
	if ok, text := w.call("more"); ok || !strings.Contains(text, "after the end") {
		t.Errorf("more, long before the end: %v, %s", ok, text)
	}
	first := w.finish()
	w.say("more -1")
	w.run(2 * time.Second) // the log has one such line a second
	w.say("more much")
	w.run(time.Second)
	if w.explorer.State() != mission.StateDone || strings.Count(w.log.String(), "a command is refused") != 2 {
		t.Errorf("with shares that are none it is %s\n%s", w.explorer.Status(), w.log.String())
	}
	over := w.crashed(time.Second, func(c *settings.Config) { c.OutputDir = t.TempDir() }) // nothing was begun there
	if ok, text := over.call("more"); ok {
		t.Errorf("a mission that has not begun goes on: %s", text)
	}

	w.do("more")
	w.setsOutAfter(4)
	n := w.crashed(10 * time.Second)
	for _, w := range []*world{w, n} {
		if w == n {
			n.run(time.Second)
			n.do("resume")
		}
		m := w.finish()
		written, err := record.ReadMission(filepath.Join(w.cfg.OutputDir, record.MissionFile))
		w.must(err)
		if len(m.Observations) != 5 || m.Budget.Samples != 5 || m.Budget.Distance != 3750 || m.Outcome != "the budget of 5 samples is used" || m.Distance <= first.Distance {
			t.Errorf("%d samples of %+v, %g m after %g m: %s", len(m.Observations), m.Budget, m.Distance, first.Distance, m.Outcome)
		}
		if len(written.Observations) != 5 || written.Budget != m.Budget || written.Outcome != m.Outcome {
			t.Errorf("the record has %d samples of %+v: %s", len(written.Observations), written.Budget, written.Outcome)
		}
		found, err := journal.Read(w.cfg.OutputDir)
		w.must(err)
		if !found.Saved || len(found.Observations) != 5 || len(found.Problems) > 0 {
			t.Errorf("the journal is saved %v with %d samples, %v", found.Saved, len(found.Observations), found.Problems)
		}
		text, err := os.ReadFile(filepath.Join(w.cfg.OutputDir, journal.FileName))
		w.must(err)
		_, after, _ := strings.Cut(string(text), `"saved"`)
		line := strings.SplitN(after, "\n", 3)[1]
		if !strings.Contains(line, `"more":{"stamp_ns":`) || !strings.Contains(line, `"added":{"samples":1,"distance_m":750,`) {
			t.Errorf("the line after the end is %s", line)
		}
	}
}

// A mission on its way home because its budget is used turns round with more, and one that a person has ended
// goes on where it stands.
func TestMoreOnTheWayHome(t *testing.T) {
	w := begun(t)
	w.state(mission.StateReturning)
	w.say("more 50")
	w.until("a sixth sample", func() bool { return len(w.observations) == 6 })
	w.do("stop")
	w.finish()
	w.say("more 300")
	w.until("a seventh sample", func() bool { return len(w.observations) == 7 })
}

// A mission that was over when its explorer ended is shown again with its answer, its record stays as it is, and
// nothing moves, also with auto_start and auto_resume, before a person gives it more budget. Then it goes on, and can be shown again.
func TestMoreAfterARestart(t *testing.T) {
	w := begun(t)
	for k, samples := range []int{5, 7} { // a quarter of 4, and of 5
		w.finish()
		answer := w.explorer.Answer()
		n := w.crashed(30*time.Minute, func(c *settings.Config) { c.AutoStart, c.AutoResume = true, true })
		file := filepath.Join(n.cfg.OutputDir, record.MissionFile)
		before, err := os.ReadFile(file)
		w.must(err)
		n.run(time.Minute)
		if n.explorer.State() != mission.StateDone || !n.explorer.Finished() || len(n.plans) > 0 || len(n.goals) > 0 {
			t.Fatalf("%s, %d plans, %d goals", n.explorer.Status(), len(n.plans), len(n.goals))
		}
		if got := n.explorer.Answer(); got != answer || got.Text == "" {
			t.Errorf("the answer is %+v, and was %+v", got, answer)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Errorf("looking at it changes the record, %v", err)
		}
		if !strings.Contains(n.log.String(), "it is over; ~/more continues it") {
			t.Errorf("the log is\n%s", n.log.String())
		}
		n.do("more")
		if m := n.finish(); len(m.Observations) != samples || m.Budget.Samples != samples {
			t.Errorf("%d samples of %d, want %d", len(m.Observations), m.Budget.Samples, samples)
		}
		if written, err := record.ReadMission(file); err != nil || len(written.Observations) != samples {
			t.Errorf("the record has %d samples, %v", len(written.Observations), err)
		}
		found, err := journal.Read(n.cfg.OutputDir)
		w.must(err)
		if !found.Saved || len(found.Observations) != samples || len(found.Problems) > 0 || len(found.Runs) != k+2 {
			t.Errorf("the journal is saved %v with %d samples of %d runs, %v", found.Saved, len(found.Observations), len(found.Runs), found.Problems)
		}
		w = n
	}
}
