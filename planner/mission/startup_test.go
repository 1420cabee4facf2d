// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import "testing"

// What the first pose begins, after each event of a person and each state.
func TestStartup(t *testing.T) {
	under, faulty, ended := Status{State: StateTravelling}, Status{State: StateFault, FaultKind: FaultNoPose}, Status{State: StateDone}
	for _, c := range []struct {
		s        *Status
		byItself bool
		want     Startup
	}{
		{&under, true, ResumeAtPose}, {&under, false, ResumeByHand}, {&faulty, true, ResumeAtPose}, {&ended, true, StartByHand},
		{&Status{State: StatePaused, Interrupted: StateTravelling}, true, StartByHand},
	} {
		if got := After(c.s, c.byItself); got != c.want {
			t.Errorf("after %s, by itself %v: %d, want %d", c.s.State, c.byItself, got, c.want)
		}
	}
	for _, c := range []struct {
		at       Startup
		e        Event
		timeless bool
		want     Startup
		paused   bool
	}{
		{ResumeAtPose, EventPause{}, false, StartByHand, true},
		{ResumeByHand, EventPause{}, true, StartByHand, true},
		{StartAtPose, EventPause{}, false, StartAtPose, false},
		{ResumeAtPose, EventStop{}, true, ResumeByHand, false},
		{ResumeAtPose, EventStop{}, false, ResumeAtPose, false},
		{ResumeAtPose, EventTick{}, true, ResumeAtPose, false},
	} {
		if got, paused := c.at.Hear(c.e, c.timeless); got != c.want || paused != c.paused {
			t.Errorf("%d hears %T, without time %v: %d and %v, want %d and %v", c.at, c.e, c.timeless, got, paused, c.want, c.paused)
		}
	}
	for _, c := range []struct {
		at   Startup
		in   State
		want Startup
	}{{ResumeAtPose, StateFault, StartByHand}, {ResumeByHand, StatePaused, ResumeByHand}, {StartAtPose, StateDone, StartAtPose}} {
		if got := c.at.Entered(c.in); got != c.want {
			t.Errorf("%d enters %s: %d, want %d", c.at, c.in, got, c.want)
		}
	}
}

// A mission that moves nothing begins with the first pose, counts what is observed, and ends with the reason of its stop.
func TestPassiveMission(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Mode, cfg.Budget = Passive, Budget{}
	m, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	const second = int64(1e9)
	for i, c := range []struct {
		e     Event
		state State
		out   int // commands
	}{
		{EventTick{Stamp: 1 * second}, StateIdle, 0},
		{EventStart{Stamp: 2 * second}, StateIdle, 0},
		{EventPose{Stamp: 3 * second}, StatePassive, 1},
		{EventPose{Stamp: 4 * second, Odometer: 2}, StatePassive, 0},
		{EventSampled{Stamp: 5 * second}, StatePassive, 0},
		{EventPause{Stamp: 6 * second}, StatePassive, 0},
		{EventStop{Stamp: 8 * second, Reason: "enough"}, StateDone, 1},
		{EventStop{Stamp: 9 * second, Reason: "again"}, StateDone, 0},
	} {
		if out := m.Handle(c.e); len(out) != c.out || m.State() != c.state {
			t.Errorf("step %d, %T: %d commands and %s, want %d and %s", i, c.e, len(out), m.State(), c.out, c.state)
		}
	}
	if s := m.Status(); s.Samples != 1 || s.UsedDistance != 2 || m.Text() != "done: enough" {
		t.Errorf("%d samples, %g m, %q", s.Samples, s.UsedDistance, m.Text())
	}
}
