// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/planner/mission"
)

// Status and log say that the mission waits for a person, once it could start, the log once. A mission
// that starts by itself does not.
func TestStartIsAskedFor(t *testing.T) {
	const call = "call ~/start to begin"
	for _, auto := range []bool{false, true} {
		cfg := small()
		cfg.AutoStart = auto
		w := newWorld(t, cfg)
		w.noPoses = true
		w.run(10 * time.Second)
		if strings.Contains(w.status.Text, call) {
			t.Errorf("without a pose the status is %q", w.status.Text)
		}
		w.noPoses = false
		w.run(3 * time.Second)
		if asks := strings.Contains(w.status.Text, call); asks == auto || strings.Count(w.log.String(), call) != map[bool]int{false: 1}[auto] {
			t.Errorf("auto_start %v: the status is %q, the log\n%s", auto, w.status.Text, w.log.String())
		}
		if !auto {
			w.start()
		}
		w.run(3 * time.Second)
		if w.explorer.State() == mission.StateIdle || strings.Contains(w.status.Text, call) {
			t.Errorf("after the start the status is %q", w.status.Text)
		}
	}
}

// Where the time comes from /clock, a pose may come before the first tick. The
// mission begins with the time, and has not lasted since 1970 then.
func TestStartBeforeTheClock(t *testing.T) {
	const now = 1_700_000_000 * int64(time.Second)
	cfg := small()
	cfg.AutoStart = true
	cfg.Mission.Budget.Duration = 3600
	w := openWorldAt(t, cfg, false, 0, 50, 50)
	w.estimate = func(p *localization.Pose) { p.Stamp = max(p.Stamp, now) }
	w.drive()
	w.run(0)
	if got := w.explorer.Waiting(); got != "the start" || w.explorer.State() != mission.StateIdle {
		t.Errorf("before there is a time it waits for %q while %s", got, w.explorer.Status())
	}
	w.ex.Jump(now)
	w.until("the mission", func() bool { return w.status.State == string(mission.StateTravelling) })
	if w.status.ElapsedTime > 1 {
		t.Errorf("the mission has lasted %g s when it begins", w.status.ElapsedTime)
	}
}
