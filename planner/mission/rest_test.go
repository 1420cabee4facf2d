// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// The expected numbers are those of a robot at 0.5 m/s that drove 300 m to three samples in 600 s, and worked 30 s besides. With
// 40 m to the present target a leg is (3·100 + 300 + 40)/(3 + 4) = 91.4 m, and a stop (5 + 30)/(1 + 3) = 8.75 s.
func TestRest(t *testing.T) {
	way := Way{ToTarget: 40, HomeFromTarget: 60, Leg: 100, Home: 80}
	under := Status{State: StateTravelling, Samples: 3, UsedDistance: 300, Driving: 600 * sec, Working: 630 * sec, Elapsed: 630 * sec, HomeDistance: 50}
	leg := 640.0 / 7
	for _, c := range []struct {
		name   string
		budget Budget
		change func(*Status)
		want   Rest
	}{
		// 6 further legs, and home from a place of which the present target is a seventh.
		{"samples", Budget{Samples: 10}, nil, Rest{40 + 6*leg + (60+6*80)/7., 2*(40+6*leg+(60+6*80)/7.) + 7*8.75, 630 / (630 + 1392.68)}},
		{"the last target", Budget{Samples: 4}, nil, Rest{100, 208.75, 630 / 838.75}},
		// 700 m less 40 and 80, and 2 + 0.25·(leg + 80) that are kept, are 5.85 legs.
		{"metres", Budget{Distance: 1000}, nil, Rest{652.2, 1364.4, 630 / 1994.4}},
		{"metres for no further leg", Budget{Distance: 430}, nil, Rest{100, 208.75, 630 / 838.75}},
		// 970 s less 240 for the target and the way home, 85.7 and 30 that are kept and a stop are 605.5 s: 3.16 legs with stops.
		{"seconds", Budget{Duration: 1600}, nil, Rest{404.1, 844.6, 630 / 1474.6}},
		{"paused", Budget{Samples: 4}, func(s *Status) { s.State, s.Interrupted = StatePaused, StateTravelling }, Rest{100, 208.75, 630 / 838.75}},
		{"an hour of pause does not count", Budget{Samples: 4}, func(s *Status) { s.Elapsed += 3600 * sec }, Rest{100, 208.75, 630 / 838.75}},
		{"sampling", Budget{Samples: 4}, func(s *Status) { s.State = StateSampling }, Rest{50, 108.75, 630 / 738.75}},
		{"fault on the way home", Budget{Samples: 10}, func(s *Status) { s.State, s.Interrupted = StateFault, StateReturning }, Rest{50, 100, 630 / 730.}},
		{"returning without a budget", Budget{}, func(s *Status) { s.State = StateReturning }, Rest{50, 100, 630 / 730.}},
		{"over", Budget{Samples: 10}, func(s *Status) { s.State = StateDone }, Rest{0, 0, 1}},
		{"over and no budget", Budget{}, func(s *Status) { s.State = StateDone }, Rest{0, 0, 1}},
		{"not begun", Budget{Samples: 10}, func(s *Status) { *s = Status{State: StateIdle} }, Rest{1000 + 800/11., 2*(1000+800/11.) + 50, 0}},
		// A journal that does not say how long the robot worked.
		{"older journal", Budget{Samples: 4}, func(s *Status) { s.Working = 0 }, Rest{100, 201.25, 600 / 801.25}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := DefaultConfig()
			cfg.Budget = c.budget
			m, err := New(cfg)
			must.OK(t, err)
			m.s = under
			if c.change != nil {
				c.change(&m.s)
			}
			got, ok := m.Rest(way)
			if d := max(math.Abs(got.Distance-c.want.Distance), math.Abs(got.Duration-c.want.Duration), 1000*math.Abs(got.Done-c.want.Done)); !ok || !(d < 0.1) {
				t.Errorf("%+v, %v, want %+v", got, ok, c.want)
			}
		})
	}
	cfg := DefaultConfig()
	cfg.Budget = Budget{}
	m, err := New(cfg)
	must.OK(t, err)
	m.s = under
	if got, ok := m.Rest(way); ok {
		t.Errorf("without a budget the rest is %+v, want none", got)
	}
}

// More budget makes the rest longer, and driving on makes it shorter by as much.
func TestRestFollowsTheMission(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned)
	way := Way{ToTarget: 5, HomeFromTarget: 5, Leg: 5, Home: 5}
	before, _ := m.Rest(way)
	m.s.UsedDistance, way.ToTarget = m.s.UsedDistance+3, way.ToTarget-3
	after, _ := m.Rest(way)
	if math.Abs(before.Distance-after.Distance-3) > 1e-9 {
		t.Errorf("3 m further the rest is %g m, before %g m", after.Distance, before.Distance)
	}
	m.s.More.Samples = 40
	if more, _ := m.Rest(way); more.Distance <= after.Distance {
		t.Errorf("with 40 more samples the rest is %+v, before %+v", more, after)
	}
}

// A target far away sets the bar back by no more than a tenth; more budget does.
func TestDoneHardlyRunsBack(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Budget = Budget{Samples: 5}
	m, err := New(cfg)
	must.OK(t, err)
	m.s = Status{State: StateTravelling, Samples: 4, UsedDistance: 200, Driving: 400 * sec, Working: 425 * sec}
	done := func(ahead float64) float64 {
		rest, _ := m.Rest(Way{ToTarget: ahead, HomeFromTarget: 20, Leg: 50, Home: 50})
		return rest.Done
	}
	near := done(20)
	if far := done(2000); math.Abs(near-mostBack-far) > 1e-12 {
		t.Errorf("a target far away sets the bar from %g to %g", near, far)
	}
	m.s.More.Samples = 20
	if more := done(20); more > near/2 {
		t.Errorf("with 20 more samples the bar is at %g, before at %g", more, near)
	}
	m.s.State = StateDone
	if over := done(0); over != 1 {
		t.Errorf("at the end the bar is at %g", over)
	}
	m.s.State = StateTravelling
	if on := done(20); on > near/2 {
		t.Errorf("when the mission goes on the bar is at %g", on)
	}
}
