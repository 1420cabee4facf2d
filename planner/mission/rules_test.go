// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// pose is a pose while travelling, t seconds after the start, d metres from the target and h metres from home.
func pose(t, driven, d, h, speed float64) EventPose {
	return EventPose{Stamp: 100*sec + int64(t*1e9), Odometer: driven, TargetDistance: d, HomeDistance: h, Speed: speed}
}

func tick(t float64) EventTick { return EventTick{Stamp: 100*sec + int64(t*1e9)} }

func TestArrivalNeedsStandingForSettleTime(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{pose(2, 1, 0.31, 8, 0), "", StateTravelling},   // too far, standing
		step{pose(3, 1, 0.3, 8, 0.06), "", StateTravelling}, // there, moving
		step{pose(4, 1, 0.3, 8, 0.05), "", StateTravelling}, // standing there, from now on
		step{pose(4.9, 0, 0.3, 8, 0), "", StateTravelling},  // not long enough
		step{pose(5, 0, 0.31, 8, 0), "", StateTravelling},   // gone again
		step{pose(6, 0, 0.2, 8, -0.05), "", StateTravelling},
		step{pose(6.5, 0, 0.2, 8, 0), "", StateTravelling},
		step{tick(7.5), "", StateTravelling}, // a tick alone knows nothing of the robot
		step{pose(7.6, 0, 0.2, 8, 0), "HS", StateSampling})
}

// The goal timeout is 30 s + 2·5 m/(0.5 m/s) = 50 s from the plan at 1 s.
func TestGoalTimeout(t *testing.T) {
	late := func(m *Mission, action step) {
		feed(t, m, start, planned,
			step{pose(50.9, 1, 4, 6, 0.2), "", StateTravelling},
			action)
	}
	m := newMission(t, testMission())
	late(m, step{pose(51.1, 0, 4, 6, 0.2), "HN", StateTravelling})
	feed(t, m, // it samples where it has stopped
		step{pose(52, 0.1, 4, 6, 0.1), "", StateTravelling},
		step{pose(53, 0, 4, 6, 0), "", StateTravelling},
		step{EventPause{Stamp: 153*sec + sec/2}, "H", StatePaused},
		step{EventResume{Stamp: 153*sec + sec/2}, "", StateTravelling}, // still halted
		step{pose(54, 0, 4, 6, 0), "", StateTravelling},
		step{pose(55, 0, 4, 6, 0), "HS", StateSampling},
		step{EventSampled{Stamp: 155 * sec}, "P", StatePlanning},
		step{EventPlanned{Stamp: 155 * sec, Target: orb.Point{9, 9}, PathLength: 2, HomeDistance: 8}, "D", StateTravelling})

	m = newMission(t, testMission()) // or gives up when it never stands
	late(m, step{pose(51.1, 0, 4, 6, 0.2), "HN", StateTravelling})
	feed(t, m,
		step{pose(81, 0.1, 4, 6, 0.1), "", StateTravelling},
		step{pose(81.2, 0.1, 4, 6, 0.1), "HKNP", StatePlanning})
	if s := m.Status(); s.Skipped != 1 || s.Failures != 1 {
		t.Errorf("after a skip: %+v", s)
	}
}

// Paused for 60 s, the goal timeout of 50 s stands still while the budget of seconds runs on.
func TestPause(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{pose(21, 1, 4, 6, 0.2), "", StateTravelling}, // 20 s of 50 s
		step{EventPause{Stamp: 121 * sec}, "H", StatePaused},
		step{tick(60), "", StatePaused},
		step{pose(81, 0, 4, 6, 0), "", StatePaused})
	if got := m.Handle(EventResume{Stamp: 181 * sec}); len(got) != 1 || got[0] != (CommandDrive{Target: orb.Point{3, 4}}) {
		t.Fatalf("resumed with %#v, want the same target", got)
	}
	feed(t, m,
		step{pose(110.9, 1, 3, 6, 0.2), "", StateTravelling}, // 49.9 s of 50 s
		step{pose(111.1, 0, 4, 6, 0.2), "HN", StateTravelling})
	if used := m.Status().UsedDuration; math.Abs(used-111.1) > 1e-9 {
		t.Errorf("%g s used, want 111.1 s: the budget runs on", used)
	}

	// A sample is taken again, with a fresh timeout of 25 s; a plan is asked for again.
	m = newMission(t, testMission())
	feed(t, m, start,
		step{EventPause{Stamp: 100 * sec}, "H", StatePaused},
		step{EventResume{Stamp: 100 * sec}, "P", StatePlanning},
		planned, arrive1, arrive2,
		step{pose(5, 0, 0, 8, 0), "", StateSampling},
		step{EventPause{Stamp: 105 * sec}, "H", StatePaused},
		step{EventSampled{Stamp: 105 * sec}, "N", StatePaused},
		step{pose(6, 0, 0, 8, 0), "", StatePaused},
		step{EventResume{Stamp: 106 * sec}, "S", StateSampling})
	if n := m.Status().Samples; n != 0 {
		t.Errorf("%d samples counted while paused", n)
	}
}

// The seconds that run while paused can leave nothing but the path home: 1000 s less 1.5·8 m/(0.5 m/s) + 20 s = 956 s.
func TestResumeWithoutTime(t *testing.T) {
	for _, c := range []struct {
		after float64
		want  step
	}{
		{955, step{EventResume{Stamp: 1055 * sec}, "S", StateSampling}},
		{957, step{EventResume{Stamp: 1057 * sec}, "NR", StateReturning}},
	} {
		m := newMission(t, testMission())
		feed(t, m, start, planned, arrive1, arrive2,
			step{EventPause{Stamp: 104 * sec}, "H", StatePaused},
			step{pose(c.after, 0, 0, 8, 0), "", StatePaused}, c.want)
	}
}

func TestBudgetBreaksOff(t *testing.T) {
	// Metres: 100 − 80 = 20 left, and 1.5·h + 4 = 20 at h = 10.67 m.
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{pose(2, 80, 2, 10.6, 0.5), "", StateTravelling},
		step{pose(3, 0.5, 2, 10.6, 0.5), "HNR", StateReturning})
	if s := m.Status(); !strings.Contains(s.Ending, "19.5 m of the budget of 100 m are left, and the path home needs 19.9 m with its reserve") {
		t.Errorf("ending %q", s.Ending)
	}
	// Overdrawn on the drive home it drives on.
	feed(t, m, step{pose(4, 50, 2, 10, 0.5), "", StateReturning})
	if s := m.Status(); s.RemainingDistance != 0 {
		t.Errorf("%g m remain", s.RemainingDistance)
	}

	// Seconds, while sampling and while planning: 8 m from home until 956 s after the start.
	cfg := testMission()
	cfg.SampleTimeout, cfg.PlanTimeout = 1e4, 1e4
	m = newMission(t, cfg)
	feed(t, m, start, planned, arrive1, arrive2,
		step{pose(956, 0, 0, 8, 0), "", StateSampling},
		step{pose(956.1, 0, 0, 8, 0), "HNR", StateReturning})
	m = newMission(t, cfg)
	feed(t, m, start,
		step{pose(956, 0, 0, 8, 0), "", StatePlanning},
		step{tick(956.1), "HNR", StateReturning})
}

func TestStalePose(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []step
		last  float64 // s from the start to the last pose
		back  step
	}{
		{"travelling", []step{start, planned, {pose(2, 1, 4, 6, 0.4), "", StateTravelling}}, 2, step{pose(20, 0, 4, 6, 0), "ND", StateTravelling}},
		{"sampling", []step{start, planned, {arrive1.event, "", StateTravelling}, {pose(3, 0, 0, 8, 0), "HS", StateSampling}, {pose(4, 0, 0, 8, 0), "", StateSampling}}, 4, step{pose(20, 0, 4, 6, 0), "NS", StateSampling}},
		{"returning", []step{start, {EventHome{Stamp: 102 * sec}, "HNR", StateReturning}}, 0, step{pose(20, 0, 4, 6, 0), "NR", StateReturning}},
	} {
		m := newMission(t, testMission())
		feed(t, m, c.steps...)
		feed(t, m,
			step{tick(c.last + 3), "", c.back.state},
			step{tick(c.last + 3.1), "HN", StateFault})
		if s := m.Status(); s.Fault != "pose stale" || s.FaultKind != FaultNoPose {
			t.Errorf("%s: %+v", c.name, s)
		}
		feed(t, m, step{pose(19, math.NaN(), 1, 1, 0), "N", StateFault}, c.back) // a bad pose is none
		if s := m.Status(); s.Fault != "" || s.FaultKind != FaultReported || s.RejectedPoses != 1 {
			t.Errorf("%s, poses back: %+v", c.name, s)
		}
	}
	// Planning needs no pose, but nothing sets out without one.
	m := newMission(t, testMission())
	feed(t, m, start,
		step{tick(10), "", StatePlanning},
		step{EventPlanned{Stamp: 110 * sec, Target: orb.Point{3, 4}, PathLength: 5, HomeDistance: 8}, "HN", StateFault},
		step{EventHome{Stamp: 110 * sec}, "N", StateFault}, // home it is, once there are poses
		step{pose(11, 0, 0, 5, 0), "NR", StateReturning})
}

func TestFaultWaitsForAPerson(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{EventFault{Stamp: 102 * sec, Reason: "motor hot"}, "HN", StateFault},
		step{pose(3, 0, 4, 6, 0), "", StateFault},
		step{tick(100), "", StateFault},
		step{EventRecovered{Stamp: 200 * sec}, "N", StateFault},
		step{pose(100, 0, 4, 6, 0), "", StateFault},
		step{EventResume{Stamp: 200 * sec}, "D", StateTravelling})
	// A fault on top of missing poses is not lifted by a pose.
	m = newMission(t, testMission())
	feed(t, m, start, planned,
		step{tick(10), "HN", StateFault},
		step{EventFault{Stamp: 110 * sec, Reason: "motor hot"}, "HN", StateFault},
		step{pose(11, 0, 4, 6, 0), "", StateFault},
		step{EventResume{Stamp: 111 * sec}, "D", StateTravelling})
}

// A fault that passes ends with its cause, or with a person's answer before; a pause in it lasts.
func TestFaultPasses(t *testing.T) {
	fault := step{EventFault{Stamp: 102 * sec, Reason: "no fix", Cause: CauseGuard}, "HN", StateFault}
	for _, c := range []struct {
		before []step
		then   step
	}{
		{[]step{start, planned}, step{EventRecovered{Stamp: 200 * sec, Cause: CauseGuard}, "ND", StateTravelling}},
		{[]step{start, planned}, step{EventResume{Stamp: 200 * sec}, "D", StateTravelling}},
		{[]step{start}, step{EventRecovered{Stamp: 200 * sec, Cause: CauseGuard}, "NP", StatePlanning}},
		{[]step{start, planned}, step{EventRecovered{Stamp: 200 * sec, Cause: CauseNav2}, "N", StateFault}},
	} {
		m := newMission(t, testMission())
		feed(t, m, c.before...)
		feed(t, m, fault, step{tick(100), "", StateFault}, step{pose(200, 0, 4, 6, 0), "", StateFault})
		s := m.Status()
		if err := newMission(t, testMission()).Restore(s); err != nil {
			t.Error(err)
		}
		feed(t, m, c.then)
	}
	m := newMission(t, testMission())
	feed(t, m, start, planned, fault, step{EventPause{Stamp: 103 * sec}, "H", StatePaused},
		step{EventRecovered{Stamp: 104 * sec, Cause: CauseGuard}, "N", StatePaused})
}

func TestFailuresInARowSendHome(t *testing.T) {
	m := newMission(t, testMission())
	noPlan := func(t int64) step {
		return step{EventPlanFailed{Stamp: 100*sec + t*sec, Reason: "no gain"}, "NP", StatePlanning}
	}
	feed(t, m, start, noPlan(1), noPlan(1), planned, arrive1, arrive2,
		step{EventSampled{Stamp: 104 * sec}, "P", StatePlanning}, // which begins the count again
		noPlan(4),
		step{tick(4), "", StatePlanning},
		step{tick(19), "", StatePlanning}, // 15 s after the last request
		step{tick(19.1), "NP", StatePlanning},
		step{pose(20, 0, 0, 8, 0), "", StatePlanning},
		step{EventPlanFailed{Stamp: 120 * sec, Reason: "no gain"}, "NR", StateReturning})
	if s := m.Status(); s.Ending != "3 failures in a row, the last: no plan: no gain" || s.FailuresTotal != 5 {
		t.Errorf("%+v", s)
	}
	m = newMission(t, testMission())
	again := []step{planned, {pose(2, 0, 0, 8, 0), "", StateTravelling}, {pose(3, 0, 0, 8, 0), "HS", StateSampling}}
	feed(t, m, start)
	feed(t, m, again...)
	feed(t, m, step{EventSampleFailed{Stamp: 104 * sec, Reason: "stone"}, "KNP", StatePlanning})
	feed(t, m,
		step{EventPlanned{Stamp: 105 * sec, Target: orb.Point{1, 1}, PathLength: 1, HomeDistance: 8}, "D", StateTravelling},
		step{pose(6, 0, 0, 8, 0), "", StateTravelling}, step{pose(7, 0, 0, 8, 0), "HS", StateSampling},
		step{pose(32, 0, 0, 8, 0), "", StateSampling},
		step{pose(32.1, 0, 0, 8, 0), "HKNP", StatePlanning}) // no sample within 25 s
	feed(t, m, step{EventPlanFailed{Stamp: 133 * sec, Reason: "no gain"}, "NR", StateReturning})
}

// A robot that is slower than expected gets the time that it needs for its next drives. On the present one, one that is stuck gets no more, and
// one that never moves gets four times as much at most.
func TestTimeOfASlowRobot(t *testing.T) {
	for name, c := range map[string]struct {
		speed, driven float64 // m/s, and m before
		limit         float64 // s for 10 m
	}{
		"as expected": {0.5, 500, 30 + 2*10/0.5},
		"faster":      {1, 500, 30 + 2*10/0.5},
		"slow":        {0.2, 200, 30 + 2*10/((200+30.)/(1000+60))},
		"stuck":       {0, 0, 30 + 2*10/0.125},
	} {
		cfg := testMission()
		cfg.Budget = Budget{Samples: 9}
		m := newMission(t, cfg)
		feed(t, m, start)
		m.s.UsedDistance, m.s.Driving = c.driven, 1000*sec
		if c.speed > 0 {
			m.s.Driving = int64(c.driven/c.speed) * sec
		}
		m.Handle(EventPlanned{Stamp: 101 * sec, Plan: m.s.Plan, Target: orb.Point{1, 1}, PathLength: 10, HomeDistance: 8})
		before := m.timeLimit()
		for s := range int64(30) {
			m.Handle(EventPose{Stamp: (102 + s) * sec, TargetDistance: 10, HomeDistance: 8})
		}
		if after := m.timeLimit(); math.Abs(before-c.limit) > 0.01*c.limit || after != before {
			t.Errorf("%s: it has %.1f s, and %.1f s after it has stood for 30 s, want %.1f s", name, before, after, c.limit)
		}
	}
}

// After 30 s + 2·5 m/(0.5 m/s) = 50 s a robot of 0.05 m/s is 2.5 m nearer. It has 30 s + 2·2.5 m/(0.295 m/s) = 46.9 s more, for it has
// driven (2.5 m + 60 s · 0.5 m/s)/(50 s + 60 s), and longer if it has come nearer again by then.
func TestSlowRobotOnItsWay(t *testing.T) {
	for distance, commands := range map[float64]string{2.5: "HN", 2: "HN", 1.8: ""} {
		m := newMission(t, testMission())
		feed(t, m, start, planned,
			step{pose(51.1, 2.5, 2.5, 6, 0.05), "", StateTravelling},
			step{pose(97.8, 0, distance, 6, 0.05), "", StateTravelling},
			step{pose(98.2, 0, distance, 6, 0.05), commands, StateTravelling})
	}
}

// Sent home while poses are missing, it has 30 s + 2·6 m/(0.284 m/s) = 72.2 s from the order on, however long it has travelled: it has driven
// (1 m + 60 s · 0.5 m/s)/(49 s + 60 s).
func TestHomeWhileStale(t *testing.T) {
	m := newMission(t, oneAttempt())
	feed(t, m, start, planned,
		step{pose(45, 1, 4, 6, 0.2), "", StateTravelling},
		step{tick(50), "HN", StateFault},
		step{EventHome{Stamp: 150 * sec}, "N", StateFault},
		step{pose(60, 0, 4, 6, 0), "NR", StateReturning},
		step{pose(132.1, 0, 4, 6, 0), "", StateReturning},
		step{pose(132.3, 0, 4, 6, 0), "HN", StateFault})
}

// What happens before the start costs nothing.
func TestNothingIsSpentBeforeTheStart(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m,
		step{pose(-90, 7, 0, 5, 0), "", StateIdle},
		step{EventFault{Stamp: 20 * sec, Reason: "no probe"}, "HN", StateFault},
		step{pose(-50, 7, 0, 5, 0), "", StateFault},
		step{tick(-20), "", StateFault},
		step{EventResume{Stamp: 90 * sec}, "", StateIdle},
		start)
	if s := m.Status(); s.UsedDuration != 0 || s.UsedDistance != 0 {
		t.Errorf("%g s and %g m used at the start", s.UsedDuration, s.UsedDistance)
	}
}

// Stamps of several sources a little out of order add no time; a clock set back does not stop it.
func TestClock(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start)
	for i := range int64(10) {
		m.Handle(EventTick{Stamp: (100 + i) * sec})
		m.Handle(EventTick{Stamp: (100+i)*sec - sec/2})
	}
	if got := m.Status().UsedDuration; got != 9 {
		t.Errorf("%g s used, want 9 s", got)
	}
	m.Handle(EventTick{Stamp: 3 * sec})
	m.Handle(EventTick{Stamp: 5 * sec})
	if got := m.Status().UsedDuration; got != 11 {
		t.Errorf("%g s used after the clock was set back, want 11 s", got)
	}
	m.Handle(EventTick{Stamp: math.MinInt64})
	m.Handle(EventTick{Stamp: math.MaxInt64})
	m.Handle(EventTick{Stamp: math.MinInt64})
	m.Handle(EventTick{Stamp: math.MaxInt64})
	if got := m.Status().Elapsed; got != math.MaxInt64 {
		t.Errorf("%d ns elapsed, want to stay at the largest number", got)
	}
}

func TestUnaffordablePlanIsRefused(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, step{EventPlanned{Stamp: 101 * sec, Target: orb.Point{60, 0}, PathLength: 60, HomeDistance: 60}, "KNP", StatePlanning})
	m.Handle(EventPlanned{Stamp: 101 * sec, Plan: 2, Target: orb.Point{math.NaN(), 0}, PathLength: 1, HomeDistance: 1})
	if s := m.Status(); s.State != StatePlanning || s.Failures != 2 || s.Skipped != 1 || s.Target != (orb.Point{60, 0}) {
		t.Errorf("%+v", s)
	}
}

// A budget that does not cover the path home ends the mission before it begins, with the numbers.
func TestStartWithTooSmallABudget(t *testing.T) {
	m := newMission(t, testMission())
	got := m.Handle(EventStart{Stamp: sec, HomeDistance: 65})
	if letters(got) != "HF" || !strings.Contains(got[1].(CommandFinish).Reason, "budget of 100 m is too small to return home: 101.5 m needed") || m.State() != StateDone {
		t.Errorf("%#v in %s", got, m.State())
	}
	m = newMission(t, testMission())
	feed(t, m, step{EventStart{Stamp: sec, HomeDistance: math.NaN()}, "N", StateIdle}) // no pose yet
}

// Home is not reached within 30 s + 2·5 m/(0.5 m/s) = 50 s in the last attempt: the robot is stuck, and someone has to look.
func TestHomeTimeout(t *testing.T) {
	m := newMission(t, oneAttempt())
	feed(t, m, start, step{EventHome{Stamp: 100 * sec}, "HNR", StateReturning},
		step{pose(50, 1, 0, 4, 0), "", StateReturning},
		step{pose(50.1, 0, 0, 4, 0), "HN", StateFault},
		step{EventResume{Stamp: 160 * sec}, "HN", StateFault}, // no pose for 10 s
		step{pose(60, 0, 0, 4, 0), "NR", StateReturning},
		step{pose(62, 0, 0, 0.5, 0.05), "", StateReturning},
		step{pose(63, 0, 0, 0.5, 0), "HF", StateDone})
}
