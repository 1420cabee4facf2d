// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner/mission"
)

// continuous is a mission of 600 m on the square field without stops, in pieces of 5 m.
func continuous() settings.Config {
	c := small()
	c.Reading.AtStops = false
	c.Mission.Budget.Samples, c.Mission.Budget.Distance = 0, 600
	c.Mission.Speed = 2
	c.Path.Length = 5
	return c
}

// cruise is a world whose robot drives at 2 m/s and whose mission has no stops.
func cruise(t *testing.T, cfg settings.Config, overrides ...string) *world {
	w := newWorld(t, cfg, overrides...)
	w.speed = 2
	return w
}

// A mission without stops: the robot halts nowhere between its start and home, every piece
// of its way makes an observation, and it keeps its budget and ends at home.
func TestMissionWithoutStops(t *testing.T) {
	w := cruise(t, continuous())
	var stood []orb.Point
	w.pose = func(m *nav_msgs.Odometry) {
		if w.explorer.State() == mission.StateTravelling && m.Twist.Twist.Linear.X == 0 {
			stood = append(stood, orb.Point{w.x, w.y})
		}
	}
	m := w.mission()
	last := m.Decisions[len(m.Decisions)-1].Target // there is no next one
	for _, at := range stood {
		if math.Hypot(at[0]-last[0], at[1]-last[1]) > 2 {
			t.Errorf("the robot stood at %v while travelling; its last target was %v", at, last)
		}
	}
	for _, s := range w.states {
		if s == string(mission.StateSampling) {
			t.Error("the mission stopped to sample")
		}
	}
	if len(m.Observations) < 100 || len(m.Observations) > 140 || len(m.Observations) != len(w.observations) {
		t.Errorf("%d observations of 600 m, %d heard, want about one for each 5 m", len(m.Observations), len(w.observations))
	}
	if m.Distance > 600 || m.Distance < 500 || math.Hypot(w.x-20, w.y-10) > 2 {
		t.Errorf("driven %g m of 600 m, ended at (%g, %g): %s", m.Distance, w.x, w.y, m.Outcome)
	}
	if len(m.Decisions) < 6 || int(w.status.SamplesTaken) != len(m.Observations) || len(m.Skipped) > 0 {
		t.Errorf("%d decisions, %d samples by the status, %d skipped", len(m.Decisions), w.status.SamplesTaken, len(m.Skipped))
	}
	// The hill's top is at (70, 60).
	if r := m.Recommendation; r == nil || math.Hypot(r.Target[0]-70, r.Target[1]-60) > 8 || r.AfterSamples != len(m.Observations) {
		t.Errorf("recommended: %+v after %d observations", r, len(m.Observations))
	}
	for i, o := range m.Observations {
		if o.Approach != nil || o.Sequence != i+1 || o.Target != [2]float64{o.Belief.X, o.Belief.Y} {
			t.Errorf("observation %d: %+v", i+1, o)
		}
	}
}

// A paused mission observes nothing: anybody may move the robot.
func TestPausedMissionObservesNothing(t *testing.T) {
	w := cruise(t, continuous())
	w.start()
	w.until("some observations", func() bool { return len(w.observations) >= 10 })
	w.do("pause")
	n := len(w.explorer.Record().Observations)
	w.way = []orb.Point{{w.x, w.y + 20}}
	w.run(20 * time.Second)
	w.way = nil
	if got := len(w.explorer.Record().Observations); got != n {
		t.Errorf("%d observations while paused", got-n)
	}
}

// Without readings the target is given up after SampleTimeout, and the robot returns home
// after MaxFailures of them.
func TestMissionWithoutStopsNeedsReadings(t *testing.T) {
	cfg := continuous()
	cfg.Mission.Budget.Distance, cfg.Mission.SampleTimeout, cfg.Mission.MaxFailures = 0, 5, 3
	w := cruise(t, cfg)
	w.start()
	w.until("some observations", func() bool { return len(w.observations) >= 10 })
	w.noReading = true
	m := w.finish()
	if len(m.Skipped) != 2 && len(m.Skipped) != 3 || !strings.Contains(m.Outcome, "no reading within 5 s of driving") {
		t.Errorf("%d targets given up: %s", len(m.Skipped), m.Outcome)
	}
}
