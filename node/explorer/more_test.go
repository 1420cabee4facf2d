// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

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
		if !strings.Contains(n.log.String(), "it is over; call ~/more to continue it") {
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
