// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
)

// continuousMission asks for the next target 1.3 m before the present one: the tolerance of 0.3 m and 2 s at 0.5 m/s.
func continuousMission() Config {
	c := testMission()
	c.Mode = WhileDriving
	c.Budget.Samples, c.SampleTime, c.Speed = 0, 0, 0.5
	return c
}

func planFor(t float64, x, y, length float64) EventPlanned {
	return EventPlanned{Stamp: 100*sec + int64(t*1e9), Target: orb.Point{x, y}, PathLength: length, HomeDistance: 8}
}

// EventReconsider asks on the way, once at a time, and elsewhere it means nothing.
func TestReconsider(t *testing.T) {
	m := newMission(t, continuousMission())
	again := EventReconsider{Stamp: 102 * sec}
	feed(t, m, step{again, "", StateIdle}, start, step{again, "", StatePlanning}, planned,
		step{again, "P", StateTravelling},
		step{again, "", StateTravelling},
		step{planFor(3, 1, 1, 2), "D", StateTravelling},
		step{again, "P", StateTravelling},
		step{EventPause{Stamp: 103 * sec}, "H", StatePaused},
		step{planFor(3, 2, 2, 2), "N", StatePaused}, // too late
		step{pose(3, 0, 5, 8, 0), "", StatePaused},
		step{EventResume{Stamp: 103 * sec}, "D", StateTravelling},
		step{again, "P", StateTravelling},
	)
	stopping := newMission(t, testMission())
	feed(t, stopping, start, planned, step{again, "", StateTravelling})
}

// Without a next target, or with one that cannot be afforded, the robot drives on to the present one and asks there again.
func TestContinuousMissionWithoutNextTarget(t *testing.T) {
	for _, answer := range []Event{
		EventPlanFailed{Stamp: 104 * sec, Exhausted: true}, EventPlanFailed{Stamp: 104 * sec},
		planFor(4, 500, 500, 900), planFor(4, math.NaN(), 0, 1),
	} {
		m := newMission(t, continuousMission())
		feed(t, m, start, planned, step{pose(3, 3, 1, 8, 0.5), "P", StateTravelling},
			step{answer, "N", StateTravelling},
			step{pose(4, 0.5, 0.5, 8, 0.5), "", StateTravelling},
			step{pose(5, 0.3, 0.2, 8, 0), "", StateTravelling},
			step{pose(6, 0, 0.2, 8, 0), "HP", StatePlanning},
			step{EventPlanFailed{Stamp: 107 * sec, Exhausted: true}, "NR", StateReturning},
		)
	}
}

// A robot that arrives before the decision waits for it at the target, but not for ever.
func TestContinuousMissionWaitsForDecision(t *testing.T) {
	m := newMission(t, continuousMission())
	feed(t, m, start, planned, step{pose(3, 3, 1, 8, 0.5), "P", StateTravelling},
		step{pose(4, 1, 0.2, 8, 0), "", StateTravelling},
		step{pose(6, 0, 0.2, 8, 0), "", StateTravelling},
		step{planFor(7, 9, 9, 6), "D", StateTravelling},
		step{pose(8, 6, 0.2, 8, 0.5), "P", StateTravelling},
	)
	for at := 9.0; m.State() == StateTravelling && at < 200; at++ {
		m.Handle(pose(at, 0, 0.2, 8, 0))
	}
	if s := m.Status(); s.State != StatePlanning || s.Skipped != 1 {
		t.Errorf("without a decision: %s, %d skipped", s.State, s.Skipped)
	}
}

// On any course of events that makes sense, with any limits: a continuous mission drives only in the states that drive, is halted on
// every transition out of them, keeps the metres for the path home, and a restored one continues as the original.
func TestContinuousMissionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := continuousMission()
		cfg.ReserveFactor = rapid.Float64Range(1, 2).Draw(t, "factor")
		cfg.ReserveDistance = 2 * maxStep
		cfg.Budget.Distance = rapid.SampledFrom([]float64{0, 30, 60, 100}).Draw(t, "metres")
		cfg.Budget.Duration = rapid.SampledFrom([]float64{0, 100, 1000}).Draw(t, "seconds")
		m, err := New(cfg)
		must.OK(t, err)
		w := &world{now: sec, x: 1, y: 2, continuous: true}
		w.obey(t, m.Handle(EventStart{Stamp: w.now, HomeDistance: w.home()}))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var restored *Mission
		for range 300 {
			var e Event
			switch travelling := m.State() == StateTravelling; { // w.event may move the robot, so it is asked last
			case travelling && m.s.Next == NextAsked && rng.IntN(2) == 0:
				w.now += rng.Int64N(sec)
				e = w.plan(rng, m)
			case travelling && rng.IntN(10) == 0:
				w.now += rng.Int64N(sec)
				e = EventReconsider{Stamp: w.now}
			default:
				e = w.event(rng, m)
			}
			commands := m.Handle(e)
			if restored != nil {
				if diff := cmp.Diff(commands, restored.Handle(e), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("%#v answered otherwise: %s", e, diff)
				}
			}
			w.obey(t, commands)
			checkMission(t, m, w)
			s := m.Status()
			if s.State != StateDone && s.State != StateIdle && m.Ledger().remainingDistance() < w.home()-1e-9 {
				t.Fatalf("%g m left, %g m from home: %+v", m.Ledger().remainingDistance(), w.home(), s)
			}
			if s.State == StatePaused && rng.IntN(3) == 0 {
				if restored, err = restoredFrom(cfg, s); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// A continuous mission plans before the robot arrives and sends it on without a halt.
func TestContinuousMissionDrivesOn(t *testing.T) {
	m := newMission(t, continuousMission())
	feed(t, m, start, planned,
		step{pose(2, 3, 1.4, 8, 0.5), "", StateTravelling},
		step{pose(3, 0.2, 1.2, 8, 0.5), "P", StateTravelling},
		step{pose(3.1, 0.1, 1.1, 8, 0.5), "", StateTravelling}, // it has asked
		step{EventSampled{Stamp: 104 * sec}, "", StateTravelling},
		step{planFor(4, 9, 9, 6), "D", StateTravelling},
	)
	if s := m.Status(); s.Samples != 1 || s.Target != (orb.Point{9, 9}) || s.Next != nextLater {
		t.Errorf("%+v", s)
	}
}

// A drive on which nothing is observed for too long fails, and after too many of them the robot returns home.
func TestContinuousMissionWithoutReadings(t *testing.T) {
	m := newMission(t, continuousMission())
	none := EventSampleFailed{Stamp: 102 * sec, Reason: "no reading"}
	feed(t, m, start, planned, step{none, "HKNP", StatePlanning}, step{none, "N", StatePlanning},
		planned, step{none, "HKNP", StatePlanning}, planned, step{EventSampled{Stamp: 102 * sec}, "", StateTravelling},
		step{none, "HKNP", StatePlanning}, planned, step{none, "HKNP", StatePlanning}, planned, step{none, "HKNR", StateReturning})
	feed(t, m, step{EventSampled{Stamp: 103 * sec}, "", StateReturning})
	if s := m.Status(); s.Samples != 2 {
		t.Errorf("%d samples, want 2: the way home counts", s.Samples)
	}
}
