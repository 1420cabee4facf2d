// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
)

// maxStep is the longest distance between two poses in the properties, m: half the reserve distance, as mustReturn requires.
const maxStep = 2.0

// world is a robot in a plane without obstacles, home at the origin, that obeys a mission's commands. It moves only while told to,
// at most maxStep metres between two poses, and straight home when told to return: the path home then changes by no more
// than the distance driven.
type world struct {
	now     int64
	x, y    float64
	target  orb.Point
	driving bool
	homing  bool
	over    bool

	continuous bool // the mission may plan while the robot drives, and send it on without a halt
}

func (w *world) home() float64 { return math.Hypot(w.x, w.y) }

// obey carries out commands and checks the order of what is done.
func (w *world) obey(t *rapid.T, commands []Command) {
	for _, c := range commands {
		if _, note := c.(CommandNote); w.over && !note {
			t.Fatalf("%T after the finish", c)
		}
		switch c := c.(type) {
		case CommandDrive:
			if w.driving && (!w.continuous || w.homing) {
				t.Fatal("set out without a halt before")
			}
			w.driving, w.homing, w.target = true, false, c.Target
		case CommandDriveHome:
			if w.driving {
				t.Fatal("set out for home without a halt before")
			}
			w.driving, w.homing, w.target = true, true, orb.Point{}
		case CommandHalt:
			w.driving = false
		case CommandSample, CommandPlan:
			if _, plan := c.(CommandPlan); w.driving && !(plan && w.continuous && !w.homing) {
				t.Fatalf("%T while driving", c)
			}
		case CommandFinish:
			if w.driving {
				t.Fatal("finished while driving")
			}
			w.over = true
		}
	}
}

// move drives up to d metres and returns the pose. On the way to a target the robot strays by up to aside radians.
func (w *world) move(d, aside float64) EventPose {
	dx, dy := w.target[0]-w.x, w.target[1]-w.y
	left := math.Hypot(dx, dy)
	if !w.driving || left == 0 {
		d = 0
	}
	if d = min(d, left); d > 0 {
		if w.homing {
			aside = 0
		}
		sin, cos := math.Sincos(aside)
		w.x += (cos*dx - sin*dy) / left * d
		w.y += (sin*dx + cos*dy) / left * d
	}
	return EventPose{Stamp: w.now, Odometer: d, TargetDistance: math.Hypot(w.target[0]-w.x, w.target[1]-w.y), HomeDistance: w.home(), Speed: d}
}

// plan draws a target that can be afforded, or says that there is none.
func (w *world) plan(rng *rand.Rand, m *Mission) Event {
	l := m.Ledger()
	for range 20 {
		target := orb.Point{w.x + 6*rng.NormFloat64(), w.y + 6*rng.NormFloat64()}
		e := EventPlanned{Stamp: w.now, Plan: m.s.Plan, Target: target, PathLength: math.Hypot(target[0]-w.x, target[1]-w.y), HomeDistance: math.Hypot(target[0], target[1])}
		if l.Affordable(e.PathLength, e.HomeDistance) || rng.IntN(100) == 0 {
			return e
		}
	}
	return EventPlanFailed{Stamp: w.now, Plan: m.s.Plan, Reason: "drawn", Exhausted: true}
}

// event draws what happens next: nine times of ten what keeps the mission going, else anything that makes sense. It
// draws from a generator of its own, because rapid prefers small numbers and would hardly ever let a mission get far.
func (w *world) event(rng *rand.Rand, m *Mission) Event {
	w.now += rng.Int64N(sec)
	state := m.State()
	if rng.IntN(10) > 0 {
		switch {
		case m.s.Waiting != "" && rng.IntN(4) == 0:
			return EventCertain{Stamp: w.now}
		case state == StateDone && rng.IntN(20) == 0:
			const share = 0.3
			w.over = m.RefusesMore(share, w.home()) != ""
			return EventMore{Stamp: w.now, Share: share, HomeDistance: w.home()}
		case state == StatePlanning && rng.IntN(2) == 0:
			return w.plan(rng, m)
		case state == StateSampling && rng.IntN(2) == 0:
			return EventSampled{Stamp: w.now}
		case (state == StatePaused || state == StateFault) && rng.IntN(2) == 0:
			return EventResume{Stamp: w.now}
		}
		return w.move(maxStep*rng.Float64(), 1.5*rng.Float64())
	}
	switch rng.IntN(23) {
	case 0, 1:
		return EventPause{Stamp: w.now}
	case 2:
		return EventResume{Stamp: w.now}
	case 3:
		return EventTick{Stamp: w.now}
	case 4:
		w.now += 5 * sec // poses gone
		return EventTick{Stamp: w.now}
	case 5:
		return EventPlanFailed{Stamp: w.now, Plan: m.s.Plan, Exhausted: rng.IntN(4) == 0}
	case 6:
		return EventSampleFailed{Stamp: w.now}
	case 7:
		return EventFault{Stamp: w.now, Reason: "drawn", Cause: CauseJournal}
	case 8:
		return EventRecovered{Stamp: w.now, Cause: CauseJournal}
	case 9:
		if rng.IntN(8) == 0 {
			return EventHome{Stamp: w.now}
		}
	case 10:
		if rng.IntN(8) == 0 {
			return EventStop{Stamp: w.now}
		}
	case 11:
		return EventStart{Stamp: w.now, HomeDistance: w.home()}
	case 12:
		return w.plan(rng, m)
	case 13, 14:
		return EventDriveDone{Stamp: w.now}
	case 15, 16:
		return EventDriveFailed{Stamp: w.now, Reason: "drawn"}
	case 17:
		return EventSkip{Stamp: w.now}
	case 18:
		if p, ok := w.plan(rng, m).(EventPlanned); ok {
			return EventGoTo{Stamp: w.now, Target: p.Target, PathLength: p.PathLength, HomeDistance: p.HomeDistance}
		}
	case 19, 20:
		return EventUncertain{Stamp: w.now, Reason: "drawn"}
	case 21:
		return EventPosition{Stamp: w.now, Position: orb.Point{w.x, w.y}, StdDev: rng.Float64()}
	}
	return EventSampled{Stamp: w.now}
}

func checkMission(t *rapid.T, m *Mission, w *world) {
	s := m.Status()
	switch s.State {
	case StateTravelling:
		if w.driving == (s.Drive == DriveGivenUp || s.Waiting != "") || w.homing && w.driving {
			t.Fatalf("travelling, drive %q, waiting %q, driving %v, home %v", s.Drive, s.Waiting, w.driving, w.homing)
		}
	case StateReturning:
		if w.driving == (s.Waiting != "" || s.Drive == DriveLooks) || w.driving && !w.homing {
			t.Fatalf("returning, drive %q, waiting %q, driving %v, home %v", s.Drive, s.Waiting, w.driving, w.homing)
		}
	default:
		if w.driving {
			t.Fatalf("driving while %s", s.State)
		}
	}
	if w.over != (s.State == StateDone) {
		t.Fatalf("finished %v, state %s", w.over, s.State)
	}
	if b := s.Budget.Samples; b > 0 && s.Samples > b {
		t.Fatalf("%d samples of %d", s.Samples, b)
	}
}

// On any course of events that makes sense, with few, many or no limits: the robot drives only in the states that drive, is halted on
// every transition out of them, never samples or finishes while driving, takes no sample too many, and at all times has the metres left
// for the path home.
func TestMissionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := testMission()
		cfg.ReserveFactor = rapid.Float64Range(1, 2).Draw(t, "factor")
		cfg.ReserveDistance = 2 * maxStep
		cfg.Budget.Samples = rapid.IntRange(0, 4).Draw(t, "samples")
		cfg.Budget.Distance = rapid.SampledFrom([]float64{0, 30, 60, 100}).Draw(t, "metres")
		cfg.Budget.Duration = rapid.SampledFrom([]float64{0, 100, 1000}).Draw(t, "seconds")
		m, err := New(cfg)
		must.OK(t, err)
		w := &world{now: sec, x: 1, y: 2}
		w.obey(t, m.Handle(EventStart{Stamp: w.now, HomeDistance: w.home()}))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 300 {
			w.obey(t, m.Handle(w.event(rng, m)))
			checkMission(t, m, w)
			if s := m.Status(); s.State != StateDone && s.State != StateIdle && m.Ledger().remainingDistance() < w.home()-1e-9 {
				t.Fatalf("%g m left, %g m from home: %+v", m.Ledger().remainingDistance(), w.home(), s)
			}
			rest, ok := m.Rest(Way{ToTarget: 3, HomeFromTarget: w.home(), Leg: 3, Home: 5})
			if known := cfg.Budget != (Budget{}) || slices.Contains([]State{m.s.State, m.s.Interrupted}, StateReturning) || m.s.State == StateDone; ok != known || !(rest.Distance >= 0 && rest.Duration >= 0 && rest.Distance+rest.Duration < 1e6 && rest.Done >= 0 && rest.Done <= 1) {
				t.Fatalf("the rest is %+v, %v: %+v", rest, ok, m.Status())
			}
		}
	})
}

// strange draws any event at all, with any numbers. Most answers to plans are to the last one asked for, of the given number.
func strange(t *rapid.T, plan int) Event {
	x := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 10), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64}))
	at := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 100*sec)).Draw(t, "stamp")
	f := func(name string) float64 { return x.Draw(t, name) }
	plan = rapid.SampledFrom([]int{plan, plan, plan, plan - 1, 0}).Draw(t, "plan")
	return rapid.SampledFrom([]Event{
		EventStart{at, f("home")}, EventPause{at}, EventResume{at}, EventStop{Stamp: at}, EventHome{at},
		EventPlanned{at, plan, orb.Point{f("tx"), f("ty")}, f("path"), f("home")}, EventPlanned{at, plan, orb.Point{1, 2}, 3, 4},
		EventPlanFailed{at, plan, "", false}, EventPlanFailed{at, plan, "", true},
		EventPose{at, f("odometer"), f("distance"), f("home"), f("speed")}, EventPose{at, 1, 0, 2, 0},
		EventSampled{Stamp: at}, EventSampled{Stamp: at, Again: true}, EventSampleFailed{at, "", CauseReading}, EventTick{at, ""}, EventTick{at, "the guard stops the robot"}, EventFault{at, "", CauseOther, false}, EventFault{at, "", CauseGuard, true}, EventFault{at, "", CauseGuard, false}, EventRecovered{at, CauseJournal}, EventRecovered{at, CauseGuard}, EventStart{at, 5},
		EventDriveDone{at}, EventDriveFailed{at, "", CauseOther, false}, EventDriveFailed{at, "", CauseGuard, true}, EventMore{at, f("share"), f("home")}, EventMore{at, 1, 2}, EventSkip{at}, EventUncertain{at, ""}, EventCertain{at},
		EventGoTo{at, orb.Point{f("gx"), f("gy")}, f("way"), f("back")}, EventGoTo{at, orb.Point{1, 2}, 3, 4},
	}).Draw(t, "event")
}

// Whatever comes, the rules of motion hold, and the status can be written down and restored.
func TestMissionTakesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, err := New(testMission())
		must.OK(t, err)
		w := &world{}
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			e := strange(t, m.s.Plan)
			if more, ok := e.(EventMore); ok && m.RefusesMore(more.Share, more.HomeDistance) == "" {
				w.over = false
			}
			w.obey(t, m.Handle(e))
			checkMission(t, m, w)
			if _, err := json.Marshal(m.Status()); err != nil { // a number is not finite
				t.Fatal(err)
			}
			if _, err := restoredFrom(testMission(), m.Status()); err != nil {
				t.Fatalf("%+v: %v", m.Status(), err)
			}
		}
	})
}

// A mission restored from its status continues as the original that was paused at that moment: the same commands and the same
// status on the same events.
func TestRestoredMissionContinues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, err := New(testMission())
		must.OK(t, err)
		w := &world{now: sec, x: 1, y: 2}
		w.obey(t, m.Handle(EventStart{Stamp: w.now, HomeDistance: w.home()}))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range rapid.IntRange(0, 60).Draw(t, "events before") {
			w.obey(t, m.Handle(w.event(rng, m)))
		}
		s := m.Status()
		restored, err := restoredFrom(testMission(), s)
		must.OK(t, err)
		if s.State.Active() || s.FaultKind != FaultReported {
			w.obey(t, m.Handle(EventPause{Stamp: s.Stamp}))
		}
		if diff := cmp.Diff(m.Status(), restored.Status()); diff != "" {
			t.Fatalf("restored otherwise: %s", diff)
		}
		for range 60 {
			e := w.event(rng, m)
			commands := m.Handle(e)
			if diff := cmp.Diff(commands, restored.Handle(e), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%#v answered otherwise: %s", e, diff)
			}
			w.obey(t, commands)
			if diff := cmp.Diff(m.Status(), restored.Status()); diff != "" {
				t.Fatalf("after %#v: %s", e, diff)
			}
		}
	})
}

func TestRestoreRefuses(t *testing.T) {
	for want, change := range map[string]func(*Status){
		`snapshot's state is "flying": must be one of`:                        func(s *Status) { s.State = "flying" },
		`state is "paused" and the interrupted state "", which do not`:        func(s *Status) { s.State = StatePaused },
		`state is "paused" and the interrupted state "idle", which do not`:    func(s *Status) { s.State, s.Interrupted = StatePaused, StateIdle },
		`"travelling" and the interrupted state "sampling", which do not`:     func(s *Status) { s.Interrupted = StateSampling },
		`"travelling" while "", which cannot be a fault from a lack of poses`: func(s *Status) { s.FaultKind = FaultNoPose },
	} {
		m := newMission(t, testMission())
		feed(t, m, start, planned)
		s := m.Status()
		change(&s)
		if _, err := restoredFrom(testMission(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Restore: %v, want %q", err, want)
		}
	}
}

// A larger budget lets a mission continue, a smaller one sends it home.
func TestRestoreWithAnotherBudget(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned, arrive1, arrive2, step{EventSampled{Stamp: 104 * sec}, "P", StatePlanning})
	cfg := testMission()
	for samples, want := range map[int]step{
		1: {EventResume{Stamp: 104 * sec}, "NR", StateReturning},
		2: {EventResume{Stamp: 104 * sec}, "P", StatePlanning},
	} {
		cfg.Budget.Samples = samples
		r, err := restoredFrom(cfg, m.Status())
		must.OK(t, err)
		feed(t, r, want)
	}
}
