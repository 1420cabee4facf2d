// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

func driveDone(t float64) EventDriveDone { return EventDriveDone{Stamp: 100*sec + int64(t*1e9)} }

func driveFailed(t float64) EventDriveFailed {
	return EventDriveFailed{Stamp: 100*sec + int64(t*1e9), Reason: "blocked"}
}

// A drive that is done says nothing of the place: the poses do, once the robot stands. Short of the target it samples there at once, not after the goal
// timeout of 50 s.
func TestDriveDone(t *testing.T) {
	for distance, want := range map[float64]string{0.3: "HS", 0.31: "NHS"} {
		m := newMission(t, testMission())
		feed(t, m, start, planned,
			step{pose(2, 1, distance, 8, 0), "", StateTravelling},
			step{driveDone(3), "", StateTravelling},
			step{pose(4, 1, distance, 8, 0.2), "", StateTravelling}, // not yet standing
			step{pose(5, 0, distance, 8, 0), "", StateTravelling},   // from now on
			step{pose(6, 0, distance, 8, 0), want, StateSampling})
	}
	// It is of one drive: another begins without it. A robot that never stands has the goal timeout.
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{driveDone(2), "", StateTravelling},
		step{EventPause{Stamp: 102 * sec}, "H", StatePaused},
		step{driveDone(2), "N", StatePaused},
		step{EventResume{Stamp: 102 * sec}, "D", StateTravelling},
		step{pose(4, 0, 2, 8, 0), "", StateTravelling},
		step{pose(6, 0, 2, 8, 0), "", StateTravelling},
		step{driveDone(7), "", StateTravelling},
		step{pose(50.9, 0, 2, 8, 0.2), "", StateTravelling},
		step{pose(51.1, 0, 4, 8, 0.2), "HN", StateTravelling},
		step{driveDone(52), "N", StateTravelling})
}

// A robot that was given up and halted is waited for to stand, whatever is told of its drive.
func TestDriveAfterGivingUp(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{pose(51.1, 1, 4, 8, 0.2), "HN", StateTravelling},
		step{driveDone(51.2), "N", StateTravelling},
		step{driveFailed(51.2), "N", StateTravelling},
		step{pose(52, 0, 2, 8, 0), "", StateTravelling},
		step{pose(53, 0, 2, 8, 0), "HS", StateSampling},
		step{driveFailed(53), "N", StateSampling})
}

// A drive that fails gives the target up, at once; three in a row are too many.
func TestDriveFailed(t *testing.T) {
	m := failing(t)
	if s := m.Status(); s.Skipped != 3 || s.Ending != "3 failures in a row, the last: target not reached: blocked" {
		t.Errorf("%d skipped, ending %q", s.Skipped, s.Ending)
	}
	// The drive home that a person asks for has as many attempts of its own, and again after a resume.
	feed(t, m,
		step{EventPause{Stamp: 105 * sec}, "H", StatePaused},
		step{EventHome{Stamp: 105 * sec}, "NR", StateReturning})
	for range 2 {
		feed(t, m,
			step{driveFailed(5.6), "HNR", StateReturning},
			step{driveFailed(5.7), "HNR", StateReturning},
			step{driveFailed(5.8), "HN", StateFault})
		if s := m.Status(); s.Fault != "cannot return home: 3 drives failed, the last: blocked" {
			t.Errorf("fault %q", s.Fault)
		}
		feed(t, m, step{driveFailed(5.8), "N", StateFault}, step{EventResume{Stamp: 106 * sec}, "R", StateReturning})
	}
}

// A drive home that fails too often where the robot may be at home already, as far as its position is known, ends the mission.
func TestDriveFailedAtHome(t *testing.T) {
	m := failing(t)
	fails := EventDriveFailed{Stamp: 106 * sec, Reason: "blocked", AtHome: true}
	feed(t, m,
		step{EventHome{Stamp: 105 * sec}, "N", StateReturning},
		step{fails, "HNR", StateReturning},
		step{fails, "HNR", StateReturning},
		step{fails, "HF", StateDone})
	if s := m.Status(); !strings.Contains(s.Ending, "within the uncertainty of the position") {
		t.Errorf("ending %q", s.Ending)
	}
}

// A fault on the way home ends the mission of a robot that may be at home already, and is one on any other way.
func TestFaultAtHome(t *testing.T) {
	fault := EventFault{Stamp: 106 * sec, Reason: "the guard stops the robot", Cause: CauseGuard, AtHome: true}
	m := failing(t)
	feed(t, m, step{EventHome{Stamp: 105 * sec}, "N", StateReturning}, step{fault, "HF", StateDone})
	if s := m.Status(); !strings.Contains(s.Ending, "within the uncertainty of the position") {
		t.Errorf("ending %q", s.Ending)
	}
	m = newMission(t, testMission())
	feed(t, m, start, planned, step{fault, "HN", StateFault})
}

// The time for the way home is that for the longest it has become, since a robot may go round, and begins again with each drive.
func TestWayHomeGrows(t *testing.T) {
	m := failing(t)
	feed(t, m, step{EventHome{Stamp: 105 * sec}, "N", StateReturning})
	drives := func(from, to int64, home float64) {
		for at := from; at <= to; at += 2 {
			feed(t, m, step{pose(float64(at), 1, 0, home, 0.5), "", StateReturning})
		}
	}
	drives(6, 20, 20) // 30 s, and 4 s for each of 20 m
	drives(22, 114, 9)
	feed(t, m, step{driveFailed(114), "HNR", StateReturning})
	drives(116, 180, 9) // and now for 9 m
	feed(t, m, step{pose(181, 1, 0, 9, 0.5), "HNR", StateReturning})
	drives(182, 246, 9) // the third and last time
	feed(t, m, step{pose(248, 1, 0, 9, 0.5), "HN", StateFault})
	if s := m.Status(); s.Fault != "cannot return home: 3 drives failed, the last: not home within the limit of 66.58 s for 9 m, still 9 m away" {
		t.Errorf("fault %q", s.Fault)
	}
}

// A way home that is blocked for a while is driven when it is free again, within as many time limits as a target gets attempts. The reason of
// the last failure begins with what held the robot in that attempt.
func TestWayHomeIsTriedAgain(t *testing.T) {
	at := 6.0
	// blocked lets the robot stand 9 m from home until its drive has failed, held for the given number of seconds.
	blocked := func(m *Mission, failure string, seconds float64) {
		t.Helper()
		for since := at; ; at += 2 {
			e := EventTick{Stamp: 100*sec + int64(at*1e9)}
			if at-since < seconds {
				e.Held = "the guard stops the robot"
			}
			if got := letters(m.Handle(pose(at, 0, 0, 9, 0))) + letters(m.Handle(e)); got == failure {
				at += 2
				return
			} else if got != "" || at > 1000 {
				t.Fatalf("%q after %g s, want %q once the time is over", got, at, failure)
			}
		}
	}
	m := failing(t)
	feed(t, m, step{EventHome{Stamp: 105 * sec}, "N", StateReturning})
	blocked(m, "HNR", 20)
	if s := m.Status(); s.HomeFailures != 1 || at < 70 || at > 80 { // 66 s for 9 m
		t.Errorf("%d failed drives after %g s", s.HomeFailures, at)
	}
	free, err := restoredFrom(testMission(), m.Status())
	must.OK(t, err)
	feed(t, free, step{EventResume{Stamp: 100*sec + int64(at*1e9)}, "R", StateReturning},
		step{pose(at, 9, 0, 0.4, 0), "", StateReturning}, step{pose(at+1, 0, 0, 0.4, 0), "HF", StateDone})

	blocked(m, "HNR", 0)
	other, err := restoredFrom(testMission(), m.Status())
	must.OK(t, err)
	feed(t, other, step{EventResume{Stamp: 100*sec + int64(at*1e9)}, "R", StateReturning})
	began := at
	blocked(m, "HN", 20)
	at = began
	blocked(other, "HN", 0)
	const late = "not home within the limit of"
	for m, want := range map[*Mission]string{m: "the guard stops the robot; " + late, other: late} {
		want = "cannot return home: 3 drives failed, the last: " + want
		if s := m.Status(); s.State != StateFault || !strings.HasPrefix(s.Fault, want) {
			t.Errorf("%s: fault %q, want %q", s.State, s.Fault, want)
		}
	}
}

// A drive home that is done is home where the poses say so, and has failed elsewhere, also after a target that was given up.
func TestDriveHomeDone(t *testing.T) {
	cfg := testMission()
	givenUp := []step{planned, {pose(51.1, 1, 4, 8, 0.2), "HN", StateTravelling}}
	for _, c := range []struct {
		home, at float64 // m, s
		before   []step
		fault    string
	}{
		{home: 0.5, at: 1},
		{home: 0.51, at: 1, fault: "cannot return home: 3 drives failed, the last: the drive home is done, still 0.51 m away"},
		{home: 0.5, at: 52, before: givenUp},
		{home: 0.51, at: 52, before: givenUp, fault: "cannot return home: 3 drives failed, the last: the drive home is done, still 0.51 m away"},
	} {
		m := newMission(t, cfg)
		feed(t, m, start)
		feed(t, m, c.before...)
		feed(t, m,
			step{EventHome{Stamp: (100 + int64(c.at)) * sec}, "HNR", StateReturning},
			step{pose(c.at+1, 1, 0, c.home, 0.2), "", StateReturning})
		for at := c.at; at < c.at+6 && m.State() == StateReturning; at += 2 {
			feed(t, m, step{driveDone(at + 2), "", StateReturning}, step{pose(at+2, 0, 0, c.home, 0), "", StateReturning})
			m.Handle(pose(at+3, 0, 0, c.home, 0))
		}
		if s := m.Status(); s.Fault != c.fault || (s.State == StateDone) != (c.fault == "") {
			t.Errorf("%g m from home after %d steps: %s, fault %q", c.home, len(c.before), s.State, s.Fault)
		}
	}
}

// A robot that knows its place less well than the tolerance looks at home whether its position stays, once. It drives home again if it does not.
func TestLooksAtHome(t *testing.T) {
	stood := func(t *testing.T, m *Mission, stdDev, from float64, home func(since float64) float64) (done float64) {
		t.Helper()
		for at := from; at < from+60; at++ {
			m.Handle(EventPosition{Stamp: 100*sec + int64(at*1e9), StdDev: stdDev})
			if m.Handle(pose(at, 0, 0, home(at-from), 0)); m.State() == StateDone {
				return at - from
			}
		}
		t.Fatalf("not done: %s", m.Text())
		return 0
	}
	at := func(metres float64) func(float64) float64 { return func(float64) float64 { return metres } }
	for name, c := range map[string]struct {
		stdDev float64
		home   func(since float64) float64
		change func(*Config)
		failed bool
		want   float64 // s
	}{
		"certain":   {stdDev: 0.2, home: at(0.4), want: 1},
		"uncertain": {stdDev: 0.3, home: at(0.4), want: 1 + lookTime},
		"elsewhere": {stdDev: 2, want: 31, home: func(since float64) float64 {
			if since > 10 && since < 30 {
				return 4
			}
			return 0.4
		}},
		"no time":      {stdDev: 2, home: at(0.4), want: 1, change: func(c *Config) { c.Budget.Duration, c.ReserveTime = 20, 1 }},
		"hardly home":  {stdDev: 2, home: at(0.4), want: 1, failed: true},
		"without pose": {stdDev: math.NaN(), home: at(0.4), want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := testMission()
			cfg.SampleTime = 1
			if c.change != nil {
				c.change(&cfg)
			}
			m := newMission(t, cfg)
			feed(t, m, start, step{EventHome{Stamp: 101 * sec}, "HNR", StateReturning})
			if c.failed {
				feed(t, m, step{driveFailed(1), "HNR", StateReturning})
			}
			if got := stood(t, m, c.stdDev, 2, c.home); got != c.want {
				t.Errorf("the mission is over after %g s, want %g", got, c.want)
			}
		})
	}
}
