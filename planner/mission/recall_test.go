// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// failing brings a mission to a return home after three failures in a row.
func failing(t *testing.T) *Mission {
	t.Helper()
	m := newMission(t, testMission())
	again := step{EventPlanned{Stamp: 103 * sec, Target: orb.Point{5, 6}, PathLength: 2, HomeDistance: 8}, "D", StateTravelling}
	feed(t, m, start, planned,
		step{driveFailed(2), "HKNP", StatePlanning}, again,
		step{pose(3.5, 1, 2, 8, 0.2), "", StateTravelling},
		step{driveFailed(4), "HKNP", StatePlanning}, again,
		step{driveFailed(5), "HKNR", StateReturning})
	return m
}

// A return home after failures is not final: resume and start continue the exploration, with
// all failures forgiven, from the drive home, from a fault on it, and from a pause in it.
func TestReturnAfterFailuresIsNotFinal(t *testing.T) {
	resume, again := EventResume{Stamp: 106 * sec}, EventStart{Stamp: 106 * sec, HomeDistance: 8}
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"resume", []step{{resume, "HNP", StatePlanning}}},
		{"start", []step{{again, "HNP", StatePlanning}}},
		{"resume after a fault", []step{{EventFault{Stamp: 105 * sec, Reason: "no server"}, "HN", StateFault}, {resume, "NP", StatePlanning}}},
		{"start after a fault", []step{{EventFault{Stamp: 105 * sec, Reason: "no server"}, "HN", StateFault}, {again, "NP", StatePlanning}}},
		{"start after a pause", []step{{EventPause{Stamp: 105 * sec}, "H", StatePaused}, {again, "NP", StatePlanning}}},
		{"resume twice after a pause", []step{{EventPause{Stamp: 105 * sec}, "H", StatePaused}, {resume, "R", StateReturning}, {resume, "HNP", StatePlanning}}},
	} {
		m := failing(t)
		if text := m.Text(); !strings.HasSuffix(text, "; resume continues the exploration") || !m.Recallable() {
			t.Errorf("%s: the status is %q, recallable %v", c.name, text, m.Recallable())
		}
		feed(t, m, c.steps...)
		if s := m.Status(); s.Failures != 0 || s.Ending != "" || s.AfterFailures || s.FailuresTotal != 3 {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// It is final where there is nothing left to explore with, and where a person or the budget
// has sent the robot home.
func TestReturnThatIsFinal(t *testing.T) {
	resume, again := step{EventResume{Stamp: 106 * sec}, "N", StateReturning}, step{EventStart{Stamp: 106 * sec, HomeDistance: 8}, "N", StateReturning}
	m := failing(t)
	feed(t, m, step{pose(5.5, 85, 0, 8, 0.2), "", StateReturning}, resume, again) // 14 m are left, 16 m are needed with the reserve
	if text := m.Text(); strings.Contains(text, "resume") || m.Recallable() {
		t.Errorf("the status is %q", text)
	}
	m = failing(t)
	feed(t, m,
		step{EventPause{Stamp: 105 * sec}, "H", StatePaused},
		step{EventHome{Stamp: 105 * sec}, "NR", StateReturning}, resume, again)
	m = newMission(t, testMission())
	feed(t, m, start, step{EventHome{Stamp: 101 * sec}, "HNR", StateReturning}, resume, again)
}

// A restored mission remembers that failures sent the robot home.
func TestRestoreAfterFailures(t *testing.T) {
	m, err := restoredFrom(testMission(), failing(t).Status())
	must.OK(t, err)
	feed(t, m, step{EventStart{Stamp: 106 * sec, HomeDistance: 8}, "NP", StatePlanning})
}

// The text of a fault whose cause is gone says so, and only then.
func TestRecoveredFault(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{EventFault{Stamp: 101 * sec, Reason: "no server"}, "HN", StateFault},
		step{EventRecovered{Stamp: 101 * sec, Cause: CauseJournal}, "N", StateFault})
	if s := m.Status(); s.Fault != "no server" {
		t.Errorf("the fault is %q after another one is over", s.Fault)
	}
	feed(t, m,
		step{EventFault{Stamp: 102 * sec, Reason: "no journal", Cause: CauseJournal}, "HN", StateFault},
		step{EventRecovered{Stamp: 102 * sec, Cause: CauseJournal}, "N", StateFault})
	if text := m.Text(); !strings.Contains(text, "over now, waiting for resume") {
		t.Errorf("the status is %q", text)
	}
	feed(t, m, step{EventResume{Stamp: 102 * sec}, "D", StateTravelling})
}
