// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// A target that the budget does not cover is refused with the numbers, and the mission continues as it was.
func TestPersonsTargetTooFar(t *testing.T) {
	cfg := testMission()
	cfg.Budget.Distance = 40
	m := newMission(t, cfg)
	feed(t, m, start, planned)
	before := m.Status()
	e := EventGoTo{Stamp: before.Stamp, Target: orb.Point{30, 0}, PathLength: 30, HomeDistance: 30}
	if why := m.RefusesTarget(e.Target, e.PathLength, e.HomeDistance); !strings.Contains(why, "the target is 30 m away, and its path home is 30 m long") {
		t.Errorf("refused with %q", why)
	}
	feed(t, m, step{e, "N", StateTravelling})
	if after := m.Status(); after != before {
		t.Errorf("a refused target changed %+v to %+v", before, after)
	}
}

// A target that a person skips is reported, and neither it nor one that a person gives counts as a failure.
func TestPersonsTargets(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned)
	commands := m.Handle(EventSkip{Stamp: 102 * sec})
	if got, want := commands[1], (CommandSkipped{Target: orb.Point{3, 4}, Reason: "a person skipped it", ByPerson: true}); got != want {
		t.Errorf("the skip is reported as %#v, want %#v", got, want)
	}
	commands = m.Handle(EventGoTo{Stamp: 102 * sec, Target: orb.Point{1, 2}, PathLength: 3, HomeDistance: 4})
	if got, want := commands[0], (CommandDrive{Target: orb.Point{1, 2}}); got != want {
		t.Errorf("a given target is driven to with %#v, want %#v", got, want)
	}
	if m.Awaits(1) || m.Awaits(2) {
		t.Error("a decision is awaited while the robot drives to a given target")
	}
	if s := m.Status(); s.Failures != 0 || s.FailuresTotal != 0 || s.Skipped != 1 || s.PathLength != 3 {
		t.Errorf("failures %d, in all %d, skipped %d, path %g m; want 0, 0, 1, 3", s.Failures, s.FailuresTotal, s.Skipped, s.PathLength)
	}
	feed(t, m, step{EventPose{Stamp: 103 * sec, Odometer: 1, TargetDistance: 0.1, HomeDistance: 4}, "", StateTravelling},
		step{EventPose{Stamp: 104 * sec, TargetDistance: 0.1, HomeDistance: 4}, "HS", StateSampling})
}

// In a pause the target changes, and the robot stays where it is until it is resumed.
func TestPersonsTargetsInAPause(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned, step{EventPause{Stamp: 102 * sec}, "H", StatePaused},
		step{EventGoTo{Stamp: 102 * sec, Target: orb.Point{1, 2}, PathLength: 3, HomeDistance: 4}, "", StatePaused})
	if got := m.Handle(EventResume{Stamp: 103 * sec}); got[0] != (CommandDrive{Target: orb.Point{1, 2}}) {
		t.Errorf("resumed with %#v", got)
	}
	feed(t, m, step{EventPause{Stamp: 103 * sec}, "H", StatePaused}, step{EventSkip{Stamp: 103 * sec}, "K", StatePaused},
		step{EventSkip{Stamp: 103 * sec}, "N", StatePaused}, step{EventResume{Stamp: 104 * sec}, "P", StatePlanning})
}
