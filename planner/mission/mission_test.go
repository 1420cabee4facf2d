// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// sec is a second in stamps.
const sec = int64(1e9)

func testMission() Config {
	return Config{
		BudgetConfig:      testBudget(),
		ArrivalTolerance:  0.3,
		HomeTolerance:     0.5,
		SettleTime:        1,
		GoalTimeoutBase:   30,
		GoalTimeoutFactor: 2,
		PlanTimeout:       15,
		SampleTimeout:     25,
		PoseTimeout:       3,
		MaxFailures:       3,
	}
}

// oneAttempt are the same rules, with a fault after the first failure on the way home.
func oneAttempt() Config {
	cfg := testMission()
	cfg.MaxFailures = 1
	return cfg
}

func newMission(t testing.TB, cfg Config) *Mission {
	t.Helper()
	m, err := New(cfg)
	must.OK(t, err)
	return m
}

// restoredFrom returns a mission with the status of an earlier run.
func restoredFrom(cfg Config, s Status) (*Mission, error) {
	m, err := New(cfg)
	if err == nil {
		err = m.Restore(s)
	}
	return m, err
}

// letters writes commands as one letter each: Plan, Drive, Return home, Halt, Sample, sKipped, Finish, Note.
func letters(commands []Command) string {
	var b strings.Builder
	for _, c := range commands {
		switch c.(type) {
		case CommandPlan:
			b.WriteByte('P')
		case CommandDrive:
			b.WriteByte('D')
		case CommandDriveHome:
			b.WriteByte('R')
		case CommandHalt:
			b.WriteByte('H')
		case CommandSample:
			b.WriteByte('S')
		case CommandSkipped:
			b.WriteByte('K')
		case CommandFinish:
			b.WriteByte('F')
		case CommandNote:
			b.WriteByte('N')
		default:
			fmt.Fprintf(&b, "?%T", c)
		}
	}
	return b.String()
}

// answering gives an answer to a plan without a number the number of the last plan that m asked for.
func answering(m *Mission, e Event) Event {
	switch e := e.(type) {
	case EventPlanned:
		if e.Plan == 0 {
			e.Plan = m.s.Plan
		}
		return e
	case EventPlanFailed:
		if e.Plan == 0 {
			e.Plan = m.s.Plan
		}
		return e
	}
	return e
}

// feed hands over events one after the other and fails when the commands of any are not as written. Answers to plans without a
// number are to the last one asked for.
func feed(t testing.TB, m *Mission, steps ...step) {
	t.Helper()
	for i, s := range steps {
		if got := letters(m.Handle(answering(m, s.event))); got != s.commands || m.State() != s.state {
			t.Fatalf("step %d, %#v: %q and %s, want %q and %s", i, s.event, got, m.State(), s.commands, s.state)
		}
	}
}

type step struct {
	event    Event
	commands string
	state    State
}

var (
	start   = step{EventStart{Stamp: 100 * sec, HomeDistance: 5}, "P", StatePlanning}
	planned = step{EventPlanned{Stamp: 101 * sec, Target: orb.Point{3, 4}, PathLength: 5, HomeDistance: 8}, "D", StateTravelling}
	unsure  = step{EventUncertain{Stamp: 102 * sec, Reason: "3 m lack"}, "H", StateTravelling}
	arrive1 = step{EventPose{Stamp: 102 * sec, Odometer: 5, TargetDistance: 0.3, HomeDistance: 8}, "", StateTravelling}
	arrive2 = step{EventPose{Stamp: 103 * sec, TargetDistance: 0.2, HomeDistance: 8}, "HS", StateSampling}
)

// Every state meets every event. The cells are written down from the rules in the documentation of Mission: the commands, and
// the state that follows where it is another.
func TestEveryEventInEveryState(t *testing.T) {
	const at = 103 * sec
	faulty := step{EventFault{Stamp: at, Reason: "probe broken"}, "HN", StateFault}
	states := []struct {
		name  string
		steps []step
	}{
		{"idle", nil},
		{"planning", []step{start}},
		{"travelling", []step{start, planned}},
		{"sampling", []step{start, planned, arrive1, arrive2}},
		{"returning", []step{start, {EventHome{Stamp: at}, "HNR", StateReturning}}},
		{"done", []step{start, {EventStop{Stamp: at}, "HF", StateDone}}},
		{"paused", []step{start, planned, {EventPause{Stamp: at}, "H", StatePaused}}},
		{"fault", []step{start, planned, faulty}},
		{"stale", []step{start, planned, {EventTick{Stamp: at + sec}, "HN", StateFault}}},
		{"fault in idle", []step{faulty}},
		{"waiting", []step{start, planned, unsure}},
		{"waiting fault", []step{start, planned, {pose(1.5, 0, 4, 6, 0), "", StateTravelling}, unsure,
			{pose(31.9, 0, 4, 6, 0), "", StateTravelling}, {pose(32.1, 0, 4, 6, 0), "HN", StateFault}}},
	}
	events := []Event{
		EventStart{Stamp: at, HomeDistance: 5}, EventPause{Stamp: at}, EventResume{Stamp: at}, EventStop{Stamp: at}, EventHome{Stamp: at},
		EventPlanned{Stamp: at, Target: orb.Point{7, 7}, PathLength: 6, HomeDistance: 9},
		EventPlanFailed{Stamp: at, Reason: "no gain"}, EventPlanFailed{Stamp: at, Reason: "all visited", Exhausted: true},
		EventPose{Stamp: at, Odometer: 0.1, TargetDistance: 2, HomeDistance: 6, Speed: 0.4},
		EventSampled{Stamp: at}, EventSampleFailed{Stamp: at, Reason: "stone"}, EventTick{Stamp: at},
		EventFault{Stamp: at, Reason: "bus off", Cause: CauseJournal}, EventRecovered{Stamp: at, Cause: CauseJournal},
		EventSkip{Stamp: at}, EventGoTo{Stamp: at, Target: orb.Point{7, 7}, PathLength: 6, HomeDistance: 9},
		EventUncertain{Stamp: at, Reason: "2 m lack"}, EventCertain{Stamp: at},
		EventMore{Stamp: at, Share: 0.5, HomeDistance: 5}, EventMore{Stamp: at, Share: 0.001, HomeDistance: 1e6},
	}
	//                 start      pause     resume        stop    home           planned       failed exhausted     pose             sampled      no sample fault    recovered skip go to uncertain certain more  too little
	table := map[string][]string{
		"idle":          {"P planning", "N", "N", "HF done", "N", "N", "N", "N", "", "N", "N", "", "HN fault", "N", "N", "N", "N", "N", "N", "N"},
		"planning":      {"N", "H paused", "N", "HF done", "HNR returning", "D travelling", "NP", "NR returning", "", "N", "N", "", "HN fault", "N", "N", "D travelling", "N", "N", "N", "N"},
		"travelling":    {"N", "H paused", "N", "HF done", "HNR returning", "N", "N", "N", "", "N", "N", "", "HN fault", "N", "HKP planning", "HD", "H", "N", "N", "N"},
		"sampling":      {"N", "H paused", "N", "HF done", "HNR returning", "N", "N", "N", "", "P planning", "KNP planning", "", "HN fault", "N", "HKP planning", "HD travelling", "N", "N", "N", "N"},
		"returning":     {"N", "H paused", "N", "HF done", "N", "N", "N", "N", "", "N", "N", "", "HN fault", "N", "N", "N", "H", "N", "HNP planning", "N"},
		"done":          {"N", "N", "N", "N", "N", "N", "N", "N", "", "N", "N", "", "N", "N", "N", "N", "N", "N", "NP planning", "N"},
		"paused":        {"N", "N", "D travelling", "HF done", "NR returning", "N", "N", "N", "", "N", "N", "", "HN fault", "N", "K", "", "N", "N", "N", "N"},
		"fault":         {"N", "N", "D travelling", "HF done", "NR returning", "N", "N", "N", "", "N", "N", "", "HN", "N", "N", "N", "N", "N", "N", "N"},
		"stale":         {"N", "H paused", "N", "HF done", "N", "N", "N", "N", "ND travelling", "N", "N", "", "HN", "N", "N", "N", "N", "N", "N", "N"},
		"fault in idle": {"N", "N", " idle", "HF done", "N", "N", "N", "N", "", "N", "N", "", "HN", "N", "N", "N", "N", "N", "N", "N"},
		"waiting":       {"N", "H paused", "N", "HF done", "HNR returning", "N", "N", "N", "", "N", "N", "", "HN fault", "N", "HKP planning", "HD", "", "D", "N", "N"},
		"waiting fault": {"N", "H paused", "D travelling", "HF done", "NR returning", "N", "N", "N", "", "N", "N", "", "HN", "N", "N", "N", "", "D travelling", "N", "N"},
	}
	for _, s := range states {
		for i, e := range events {
			m := newMission(t, testMission())
			feed(t, m, s.steps...)
			before := m.State()
			commands, state, moves := strings.Cut(table[s.name][i], " ")
			want := State(state)
			if !moves {
				want = before
			}
			if got := letters(m.Handle(answering(m, e))); got != commands || m.State() != want {
				t.Errorf("%s, %#v: %q and %s, want %q and %s", s.name, e, got, m.State(), commands, want)
			}
		}
	}
}

// A plan is answered once: what comes for a plan asked for before a pause, a fault, a failure or the plan timeout is ignored.
func TestLatePlans(t *testing.T) {
	target := func(plan int) Event {
		return EventPlanned{Stamp: 101 * sec, Plan: plan, Target: orb.Point{3, 4}, PathLength: 5, HomeDistance: 8}
	}
	late := func(plan int, state State) []step {
		return []step{
			{target(plan), "N", state},
			{EventPlanFailed{Stamp: 101 * sec, Plan: plan, Reason: "no gain"}, "N", state},
			{EventPlanFailed{Stamp: 101 * sec, Plan: plan, Reason: "all visited", Exhausted: true}, "N", state},
		}
	}
	for name, between := range map[string][]step{
		"pause":        {{EventPause{Stamp: 101 * sec}, "H", StatePaused}, {EventResume{Stamp: 101 * sec}, "P", StatePlanning}},
		"fault":        {{EventFault{Stamp: 101 * sec}, "HN", StateFault}, {EventResume{Stamp: 101 * sec}, "P", StatePlanning}},
		"failure":      {{EventPlanFailed{Stamp: 101 * sec, Plan: 1}, "NP", StatePlanning}},
		"plan timeout": {{pose(14, 0, 0, 5, 0), "", StatePlanning}, {tick(15.1), "NP", StatePlanning}},
	} {
		m := newMission(t, testMission())
		if got := m.Handle(start.event); len(got) != 1 || got[0] != (CommandPlan{Plan: 1}) || !m.Awaits(1) || m.Awaits(2) {
			t.Fatalf("%s: %#v", name, got)
		}
		feed(t, m, between[:len(between)-1]...)
		if got := m.Handle(between[len(between)-1].event); got[len(got)-1] != (CommandPlan{Plan: 2}) {
			t.Errorf("%s: %#v", name, got)
		}
		failures := m.Status().FailuresTotal
		feed(t, m, late(1, StatePlanning)...)
		if s := m.Status(); s.FailuresTotal != failures || m.Awaits(1) || !m.Awaits(2) {
			t.Errorf("%s: a late plan counts: %+v", name, s)
		}
		feed(t, m, step{target(2), "D", StateTravelling})
		feed(t, m, late(2, StateTravelling)...)
		if m.Awaits(2) {
			t.Errorf("%s: a plan is awaited while travelling", name)
		}
	}
}

func TestStrangeEvents(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m,
		step{nil, "N", StateIdle},
		step{&EventStart{Stamp: 1, HomeDistance: 1}, "N", StateIdle})
}

func TestConfigRefused(t *testing.T) {
	must.OK(t, DefaultConfig().Validate())
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Speed = -1 }, "expected speed is -1: must be finite and above 0 m/s"},
		{func(c *Config) { c.SettleTime = -1 }, "settle time is -1: must be finite and at least 0 s"},
		{func(c *Config) { c.Mode = WhileDriving }, "a continuous mission has a budget of 10 samples and a sample time of 10 s: must be 0 and 0, it does not stop to sample"},
		{func(c *Config) { c.MaxFailures = 0 }, "the limit of failures in a row is 0: must be at least 1"},
	} {
		cfg := testMission()
		c.change(&cfg)
		if _, err := New(cfg); err == nil || err.Error() != "planner: "+c.want {
			t.Errorf("New: %v, want %q", err, c.want)
		}
	}
}
