// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/std_msgs"
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

// A resume without a pose says that the mission goes on with the next one, and it does; it does not after a pause.
func TestResumeWithoutAPose(t *testing.T) {
	for _, pause := range []bool{false, true} {
		w := newWorld(t, small())
		w.start()
		w.state(mission.StateTravelling)
		w.run(2 * time.Second)
		w.do("pause")
		w.noPoses = true
		w.run(5 * time.Second)
		done, text := w.call("resume")
		if !done || !strings.Contains(text, "continues with the next pose") {
			t.Errorf("resume: %v %q", done, text)
		}
		if pause {
			w.do("pause")
		}
		w.noPoses = false
		w.run(5 * time.Second)
		if goes := w.explorer.State() == mission.StateTravelling; goes == pause {
			t.Errorf("a pause after it: %v; %s", pause, w.explorer.Status())
		}
	}
}
