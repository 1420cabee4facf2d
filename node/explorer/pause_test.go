// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// A mission that would go on by itself with the first pose stays paused when a person has resumed
// and paused it before that pose.
func TestPauseBeforeTheFirstPoseHolds(t *testing.T) {
	w := begun(t)
	w.setsOutAfter(2)
	n := w.crashed(10*time.Second, func(c *settings.Config) { c.AutoResume = true })
	n.noPoses = true
	n.run(time.Second)
	n.call("resume")
	n.do("pause")
	n.noPoses = false
	n.run(time.Minute)
	if n.explorer.State() != mission.StatePaused || n.driving() {
		t.Errorf("%s, the last plan is %v", n.explorer.Status(), n.plans[len(n.plans)-1])
	}
	n.do("resume")
}

// Nor does it go on when a person has paused it, or wanted to stop it, before there was a time, as
// where /clock has not come yet.
func TestPauseBeforeTheClockHolds(t *testing.T) {
	w := begun(t)
	w.setsOutAfter(2)
	for word, followed := range map[string]bool{"pause": true, "stop": false} { // a mission ends at a time
		n := w.crashed(-time.Duration(w.ex.Now()), func(c *settings.Config) { c.AutoResume = true })
		if done, text, err := n.explorer.Order(word); done != followed || err != nil {
			t.Errorf("%s: %v, %s, %v", word, done, text, err)
		}
		if n.run(time.Minute); n.explorer.State() != mission.StatePaused || n.driving() {
			t.Errorf("after %s: %s, %d plans", word, n.explorer.Status(), len(n.plans))
		}
	}
}

// A mission that is resumed before the first pose of the new run waits for that pose, also where
// the time since the previous run is not known and poses seem to have come just now.
func TestResumeWaitsForAPose(t *testing.T) {
	w := begun(t)
	w.setsOutAfter(2)
	for _, later := range []time.Duration{100 * time.Millisecond, 10 * time.Second, -30 * time.Second, 25 * time.Hour} {
		n := w.crashed(later)
		n.noPoses = true
		n.run(200 * time.Millisecond)
		n.call("resume")
		if n.run(time.Second); n.driving() {
			t.Errorf("%v later: without a pose the robot is sent along %v", later, n.plans[len(n.plans)-1])
		}
		n.noPoses = false
		n.until("the drive", n.driving)
	}
}

// A person who pauses an explorer with auto_start before its mission has begun, while the robot
// drives to find its heading or waits for a pose, has to start it.
func TestPauseEndsAutoStart(t *testing.T) {
	for name, drives := range map[string]bool{"heading drive": true, "no pose": false} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			cfg.AutoStart, cfg.HeadingDrive = true, 4
			w := openWorldAt(t, cfg, false, epoch, 50, 50)
			if drives {
				hear(w, "heading_drive", ros.DefaultQoS(), func(*std_msgs.Float64) {})
				positioned(w)
				_, err := w.node.NewTimer(robotStep, func() { w.x += 0.03 })
				w.must(err)
			}
			w.noPoses = true
			w.run(3 * time.Second)
			if got := strings.Contains(w.explorer.Status(), "finding the heading"); got != drives {
				t.Fatalf("drives for the heading: %v, want %v: %s", got, drives, w.explorer.Status())
			}
			w.do("pause")
			w.noPoses = false
			w.run(30 * time.Second)
			if w.explorer.State() != mission.StateIdle || w.driving() {
				t.Fatalf("%s, %d plans", w.explorer.Status(), len(w.plans))
			}
			w.do("start")
			w.until("the drive", w.driving)
		})
	}
}

// Whoever holds the robot by the mission's status hears it at least once a second, and a command that
// changes it before its answer.
func TestStatusIsHeard(t *testing.T) {
	cfg := small()
	cfg.HeadingDrive = 4
	w := openWorldAt(t, cfg, false, epoch, 50, 50)
	positioned(w)
	hear(w, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) { w.x += 0.1 * m.Data })
	w.run(2 * time.Second)
	last, longest, state := w.ex.Now(), int64(0), ""
	hear(w, "ugp_explorer/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) {
		longest, last, state = max(longest, w.ex.Now()-last), w.ex.Now(), m.State
	})
	for _, c := range []struct{ command, want string }{
		{"start", "heading"}, {"pause", "idle"}, {"start", "heading"}, {"", "travelling"}, {"pause", "paused"}, {"resume", "travelling"}, {"home", "returning"}, {"stop", "done"},
	} {
		if c.command == "" {
			w.noPoses = false
			w.until("the drive", func() bool { return state == c.want })
			w.speed = 0.1
		} else if ok, text := w.call(c.command); !ok {
			t.Fatalf("%s: %s", c.command, text)
		}
		if state != c.want {
			t.Errorf("with the answer to %q the state is %s, want %s", c.command, state, c.want)
		}
		w.run(3 * time.Second)
	}
	if d := time.Duration(longest); d > time.Second+robotStep {
		t.Errorf("for %v no status was heard", d)
	}
}

// A robot whose localisation learns nothing while it stands leaves a place near an edge although
// the clock is set meanwhile, and does not take the jump for a long wait.
func TestWaitAtTheEdgeSurvivesAClockJump(t *testing.T) {
	waits := func(jump time.Duration) (waited time.Duration) {
		cfg := small()
		cfg.Home = []float64{80, 10}
		w := newWorld(t, cfg)
		w.spread(1, 1)
		w.start()
		w.run(time.Second)
		w.call("home")
		w.until("the drive home", func() bool { return w.explorer.State() == mission.StateReturning && w.driven > 3 })
		w.estimate = func(p *localization.Pose) { p.Cov[1][1] = 36 }
		w.until("the wait", func() bool { return strings.Contains(w.explorer.Status(), "waiting") })
		w.run(2 * time.Second)
		if jump != 0 {
			w.ex.Jump(w.ex.Now() + int64(jump))
		}
		from := w.ex.Now()
		w.until("the way on", func() bool { return w.driving() })
		return time.Duration(w.ex.Now() - from)
	}
	want := waits(0)
	for _, jump := range []time.Duration{-50 * time.Second, time.Hour} {
		if got := waits(jump); got < want-2*time.Second || got > want+10*time.Second {
			t.Errorf("clock set by %v: the robot drives on after %v, want %v", jump, got, want)
		}
	}
}
