// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/mission"
)

// A decision that comes after a pause or after the plan timeout is dropped: another
// one is made for the plan that is wanted now, which alone counts, and the grid loses
// no point by it.
func TestLateDecision(t *testing.T) {
	grid := func(c *settings.Config) {
		c.Method, c.Mission.PlanTimeout = "grid", 10
	}
	want := targets(begun(t, grid).finish())
	slow := func(w *world) { // the decision after the next sample takes long
		n := len(w.observations) + 1
		w.until("the next sample", func() bool { return len(w.observations) == n })
		w.state(mission.StatePlanning)
	}
	for name, disturb := range map[string]func(*world){
		"paused until it is there": func(w *world) {
			slow(w)
			w.call("pause")
			w.run(8 * time.Second)
			w.call("resume")
		},
		"plan timeout": func(w *world) { slow(w) },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			grid(&cfg)
			cfg.OutputDir = t.TempDir()
			ex := exec.NewSimulated(epoch)
			decisions := 0
			var w *world
			on := &pondering{ex, func() time.Duration {
				if w.explorer.State() != mission.StatePlanning {
					return 0
				}
				if decisions++; decisions != 2 {
					return time.Second
				}
				if name == "plan timeout" {
					return 15 * time.Second
				}
				return 5 * time.Second
			}}
			w = joinWorldOn(t, cfg, false, ex, on, inproc.New(), "", 20, 10)
			w.exactly()
			w.start()
			disturb(w)
			m := w.finish()
			if got := targets(m); !slices.Equal(got, want) || len(m.Decisions) != 4 {
				t.Errorf("%d decisions, targets %v, want 4 and %v", len(m.Decisions), got, want)
			}
			if !strings.Contains(w.log.String(), "a decision came too late and is dropped") {
				t.Errorf("no decision was late:\n%s", w.log.String())
			}
			s, err := journal.Read(cfg.OutputDir)
			if err != nil || s.Decided != 4 || len(s.Decisions) != 4 {
				t.Errorf("the journal has %d decisions, %d with a choice, want 4: %v", s.Decided, len(s.Decisions), err)
			}
		})
	}
}

// The target that a person gives while a decision is under way, and another one is wanted, needs neither.
func TestGivenTargetNeedsNoDecision(t *testing.T) {
	ex := exec.NewSimulated(epoch)
	w := joinWorldOn(t, small(), false, ex, &pondering{ex, func() time.Duration { return 5 * time.Second }}, inproc.New(), "", 20, 10)
	w.start()
	w.do("pause")
	w.do("resume")
	w.say("goto 40 30")
	w.run(11 * time.Second)
	if n := strings.Count(w.log.String(), "a decision came too late and is dropped"); n != 1 {
		t.Errorf("%d decisions were made for nothing, want the one that was under way", n)
	}
}
