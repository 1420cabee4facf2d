// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// wanderer is a passive explorer and a robot that others drive.
type wanderer struct {
	*world
	suggested []geometry_msgs.PoseStamped
}

func newWanderer(t *testing.T, edit func(*settings.Config)) *wanderer {
	t.Helper()
	cfg := small()
	cfg.Passive, cfg.Reading.Count, cfg.Path.Length = true, 3, 10
	if edit != nil {
		edit(&cfg)
	}
	w := &wanderer{world: newWorld(t, cfg)}
	hear(w.world, "ugp_explorer/suggestion", ros.Latched(), func(m *geometry_msgs.PoseStamped) { w.suggested = append(w.suggested, *m) })
	return w
}

// drives makes the robot drive straight to a place and stand there for a while.
func (w *wanderer) drives(x, y float64, stand time.Duration) {
	w.t.Helper()
	w.way = []orb.Point{{x, y}}
	w.until("the robot's arrival", func() bool { return w.x == x && w.y == y })
	w.way = nil
	w.run(stand)
}

// tour is a drive with stops at its start, half way, and at its end: 60 m east and
// 50 m north.
func (w *wanderer) tour() {
	w.t.Helper()
	w.run(3 * time.Second)
	w.drives(80, 10, 3*time.Second)
	w.drives(80, 60, 3*time.Second)
}

// A passive explorer makes an observation of each stop and of each piece of path,
// whose belief is as wide as the piece is long, and sends nothing anywhere.
func TestPassiveObserves(t *testing.T) {
	w := newWanderer(t, func(c *settings.Config) { c.Path.Every = 4 })
	for _, topic := range []string{"/goal_pose", "/plan"} {
		for _, e := range w.graph.Endpoints(topic) {
			if e.Kind == ros.PublisherEnd {
				t.Errorf("%s is published by %s", topic, e.Node)
			}
		}
	}
	w.tour()
	w.explorer.End("enough")
	m := w.finish()
	stops, pieces := 0, 0
	for i, o := range m.Observations {
		east := o.Belief.Y < 10.5
		switch {
		case o.Path == nil:
			stops++
			if o.Readings != 3 || o.Belief.XX > 0.05 {
				t.Errorf("stop %d: %d readings, variance %g m² in x", i+1, o.Readings, o.Belief.XX)
			}
		case *o.Path > 7:
			pieces++
			// At 5 m/s a reading comes every 1.25 m: 8 of them in 10 m, of variance
			// 1.25²·(8² − 1)/12 = 8.2 m², besides the localisation's.
			along, across, own := o.Belief.XX, o.Belief.YY, 0.04
			if !east {
				along, across, own = across, along, 0.09
			}
			if math.Abs(along-own-8.2) > 2.5 || across > 0.2 {
				t.Errorf("piece %d of %g m: variance %g m² along the path, %g m² across", i+1, *o.Path, along, across)
			}
		}
		if o.Target != [2]float64{o.Belief.X, o.Belief.Y} {
			t.Errorf("observation %d has the target %v, and nobody sent the robot", i+1, o.Target)
		}
	}
	// 110 m in pieces of 10 m; the last of each leg is shorter, or merges with the
	// robot's slowing down.
	if stops != 3 || pieces < 9 || pieces > 11 || len(m.Observations) != len(w.observations) {
		t.Errorf("%d stops, %d pieces of %d observations, %d heard, want 3 stops and about 10 pieces", stops, pieces, len(m.Observations), len(w.observations))
	}
	if !m.Passive || m.Outcome != "enough" || m.Budget.Samples != 0 || math.Abs(m.Distance-110) > 2 {
		t.Errorf("passive %v, outcome %q, budget %+v, %g m", m.Passive, m.Outcome, m.Budget, m.Distance)
	}
	if len(w.goals)+len(w.plans) > 0 {
		t.Errorf("%d goals and %d plans were published", len(w.goals), len(w.plans))
	}
	if w.status.State != string(mission.StateDone) || int(w.status.SamplesTaken) != len(m.Observations) {
		t.Errorf("status %q with %d samples", w.status.State, w.status.SamplesTaken)
	}
}

// path.length and path.time end a piece; with neither only stops are observed.
func TestPassivePieces(t *testing.T) {
	for _, c := range []struct {
		length, time float64
		few, many    int // pieces in 110 m, 22 s
	}{{10, 0, 10, 13}, {0, 4, 5, 8}, {1000, 4, 5, 8}, {0, 0, 0, 0}} {
		w := newWanderer(t, func(cfg *settings.Config) { cfg.Path.Length, cfg.Path.Time = c.length, c.time })
		w.tour()
		pieces := 0
		for _, o := range w.explorer.Record().Observations {
			if o.Path != nil {
				pieces++
			}
		}
		if pieces < c.few || pieces > c.many {
			t.Errorf("length %g m, time %g s: %d pieces, want %d to %d", c.length, c.time, pieces, c.few, c.many)
		}
	}
}

// What moves a robot is refused; stop ends the observing and what comes after it is not observed.
func TestPassiveCommands(t *testing.T) {
	w := newWanderer(t, nil)
	if text := w.explorer.Waiting(); text != "a pose" {
		t.Errorf("waiting for %q", text)
	}
	w.tour()
	for _, word := range []string{"start", "pause", "resume", "home"} {
		if ok, text := w.call(word); ok || !strings.Contains(text, "passive") {
			t.Errorf("%s: %v, %q", word, ok, text)
		}
	}
	if state := w.explorer.State(); state != "passive" {
		t.Errorf("state %q", state)
	}
	if ok, text := w.call("stop"); !ok || !strings.HasPrefix(text, "done") {
		t.Errorf("stop: %v, %q", ok, text)
	}
	n := len(w.finish().Observations)
	w.drives(20, 10, 3*time.Second)
	if m := w.explorer.Record(); len(m.Observations) != n || m.Counts["readings while not sampling"] == 0 {
		t.Errorf("%d observations at the stop, %d later", n, len(m.Observations))
	}
}
