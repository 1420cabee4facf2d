// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// drivesHome returns a world whose robot knows its place to 0.1 m and has driven the first 3 m home.
func drivesHome(t *testing.T, cfg settings.Config) *world {
	t.Helper()
	w := newWorld(t, cfg)
	w.spread(0.1, 0.1)
	w.start()
	w.run(time.Second)
	w.do("home")
	w.until("the drive home", func() bool { return w.explorer.State() == mission.StateReturning && w.driving() && w.driven > 3 })
	return w
}

// A robot whose position becomes so uncertain that it may have come to the edge is halted, says
// why, and drives on when the position is certain again. A spread along the edge does not matter,
// nor does any with field.margin_sigmas 0.
func TestUncertainPositionHaltsAtTheEdge(t *testing.T) {
	for name, c := range map[string]struct {
		x, y   float64
		sigmas float64
		halts  bool
	}{
		"towards the edge": {1, 12, 2, true},
		"along the edge":   {5, 1, 2, false},
		"off":              {1, 12, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			cfg.Home = []float64{80, 10} // the drive is along the edge y = 0, 10 m from it
			cfg.Field.Sigmas = c.sigmas
			w := drivesHome(t, cfg)
			if w.x > 60 {
				t.Fatalf("at %.1f m already", w.x)
			}
			w.spread(c.x, c.y)
			w.run(5 * time.Second)
			from := w.driven
			w.run(5 * time.Second)
			if halted := w.driven == from && !w.driving() && w.x < 75; halted != c.halts {
				t.Fatalf("halted %v, want %v: %s", halted, c.halts, w.explorer.Status())
			}
			if !c.halts {
				return
			}
			const why = "m to the edge of the field or a keep-out, and "
			if s := w.explorer.Status(); !strings.HasPrefix(s, "waiting while returning, ") || !strings.Contains(s, why) {
				t.Error(s)
			}
			if n := strings.Count(w.log.String(), "waits for a more certain position"); n != 1 {
				t.Errorf("the log says %d times that the robot waits", n)
			}
			if d := w.diagnostics.Status[0]; d.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(d.Message, why) {
				t.Errorf("diagnostics: %d, %s", d.Level, d.Message)
			}
			w.run(30 * time.Second)
			if s := w.explorer.Status(); !strings.HasPrefix(s, "fault while returning") || !strings.Contains(s, "the position is too uncertain: ") {
				t.Error(s)
			}
			w.spread(0.1, 0.1)
			w.until("the end", w.explorer.Finished)
			if d := math.Hypot(w.x-80, w.y-10); d > 3 {
				t.Errorf("the mission ended %.1f m from home", d)
			}
		})
	}
}

// A robot that starts near an edge with a poor position drives inwards.
func TestUncertainPositionMayDriveInwards(t *testing.T) {
	w := openWorldAt(t, small(), false, epoch, 3, 50)
	w.estimate = func(p *localization.Pose) { // it is certain only in the middle
		d := min(p.X, p.Y, fieldEdge-p.X, fieldEdge-p.Y)
		p.Cov[0][0], p.Cov[1][1] = 4, 4
		if d > 20 {
			p.Cov[0][0], p.Cov[1][1] = 0.01, 0.01
		}
	}
	m := w.mission()
	if len(m.Observations) != 4 {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
}

// A mission for which the field is too narrow with so uncertain a position does not start: a person who starts it is told
// which width is needed, and one that starts by itself waits, says why, and starts when the position is certain enough.
func TestCrampedMissionDoesNotStart(t *testing.T) {
	const why = "the field is at most 100.0 m wide between its edges and keep-outs, at (50.00, 50.00) m, and 151.6 m are needed"
	for _, auto := range []bool{false, true} {
		cfg := small()
		cfg.AutoStart, cfg.Field.Sigmas = auto, 6
		w := newWorld(t, cfg)
		w.spread(10, 10)
		w.run(3 * time.Second)
		if auto {
			if got := w.explorer.Refusal(); got != "" {
				t.Errorf("refused after 3 s: %s", got)
			}
			w.run(15 * time.Second)
			if got := w.explorer.Refusal(); !strings.HasPrefix(got, why) || !strings.Contains(w.status.Text, why) || !strings.Contains(w.explorer.Waiting(), why) {
				t.Errorf("refusal %q, status %q", got, w.status.Text)
			}
		} else if ok, text := w.call("start"); ok || !strings.HasPrefix(text, why) {
			t.Errorf("the start is answered with %v, %q", ok, text)
		}
		if s := w.explorer.State(); s != mission.StateIdle {
			t.Fatalf("auto_start %v: %s", auto, s)
		}
		w.spread(1, 1)
		if !auto {
			w.run(time.Second)
			w.start()
		}
		w.until("the mission", func() bool { return w.explorer.State() == mission.StateTravelling })
		if got := w.explorer.Refusal(); got != "" {
			t.Errorf("under way, and refused: %s", got)
		}
	}
}

// A robot that is far from its field, as with another field's file or a wrong datum, does not set out for it, nor by itself. It
// starts where it is near, and at a home that its owner says is as far away.
func TestFarAwayMissionDoesNotStart(t *testing.T) {
	const why = "the robot is at (1100.00, 50.00) m, 1.00 km outside the field, and a mission starts at most 50 m outside: check field.file and field.datum"
	for _, auto := range []bool{false, true} {
		cfg := small()
		cfg.AutoStart = auto
		w := openWorldAt(t, cfg, false, epoch, fieldEdge+1000, 50)
		w.run(time.Minute)
		if auto {
			if got := w.explorer.Refusal(); !strings.HasPrefix(got, why) {
				t.Errorf("it waits without a reason: %q", got)
			}
		} else if ok, text := w.call("start"); ok || !strings.HasPrefix(text, why) {
			t.Errorf("the start is answered with %v, %q", ok, text)
		}
		if s := w.explorer.State(); s != mission.StateIdle {
			t.Fatalf("auto_start %v: %s", auto, s)
		}
		if !slices.ContainsFunc(w.explorer.Watched(), func(f watch.Finding) bool { return f.Wrong() && strings.HasPrefix(f.Text, why) }) {
			t.Errorf("auto_start %v: its diagnostics do not say so", auto)
		}
		w.x = fieldEdge + 40
		if !auto {
			w.run(time.Second)
			w.start()
		}
		w.until("the mission", func() bool { return w.explorer.State() == mission.StateTravelling })
	}
	cfg := small()
	cfg.Home = []float64{fieldEdge + 990, 50}
	if m := openWorldAt(t, cfg, false, epoch, fieldEdge+1000, 50).mission(); len(m.Observations) != 4 {
		t.Errorf("from its home far away %d samples: %s", len(m.Observations), m.Outcome)
	}
	const wrong = "home is (1090, 50) m, 990 m outside the field, and the robot is not there: correct home"
	w := openWorldAt(t, cfg, false, epoch, 50, 50)
	w.run(time.Second)
	if ok, text := w.call("start"); ok || !strings.HasPrefix(text, wrong) {
		t.Errorf("with a home far away, the start in the field is answered with %v, %q", ok, text)
	}
	cfg.Home = []float64{fieldEdge + 60, 50} // a yard beside the field
	if m := openWorldAt(t, cfg, false, epoch, 50, 50).mission(); len(m.Observations) != 4 {
		t.Errorf("with home in the yard %d samples: %s", len(m.Observations), m.Outcome)
	}
}

// On the way home a robot whose position stays too uncertain does not wait for ever: it goes on where half of the room that
// it needs is there, and stays where it is not, until a person lets it go on: where there is room, and for 5 m.
func TestUncertainPositionOnTheWayHome(t *testing.T) {
	for _, c := range []struct {
		spread float64 // m, across the way, which is 10 m from the edge
		home   bool
	}{{6, true}, {12, false}} {
		cfg := small()
		cfg.Home = []float64{80, 10}
		w := drivesHome(t, cfg)
		w.spread(1, c.spread)
		w.run(10 * time.Minute)
		if got := w.explorer.Finished(); got != c.home {
			t.Errorf("with ±%g m at home %v, want %v: %s", c.spread, got, c.home, w.explorer.Status())
		}
		if c.home {
			continue
		}
		for _, most := range []float64{60, 8} { // first by a way with more room, and from where that ends 5 m and a little
			from := w.driven
			if ok, text := w.call("resume"); !ok {
				t.Errorf("resume is answered with %q", text)
			}
			w.run(2 * time.Minute)
			if way := w.driven - from; way < 5 || way > most || w.explorer.State() != mission.StateFault {
				t.Errorf("let go on, it drove %.1f m, want 5 to %g: %s", way, most, w.explorer.Status())
			}
		}
	}
}

// A robot that sets out for home keeps as far from an edge on the way as it would need to drive on after a wait.
func TestWayHomeHasRoom(t *testing.T) {
	cfg := small()
	cfg.Home = []float64{80, 10}
	w := newWorld(t, cfg)
	w.corners = true
	w.spread(5, 5) // 10 m and the robot are needed before an edge, 12.5 m and the robot after a wait
	w.start()
	w.run(3 * time.Second / 2)
	w.do("home")
	w.until("the way home", func() bool { return w.explorer.State() == mission.StateReturning && w.driving() })
	way := w.plans[len(w.plans)-1]
	for _, p := range way[:len(way)-1] {
		if p[1] < 13.3 {
			t.Errorf("the way home, %v, leads past the edge at %.1f m", way, p[1])
		}
	}
}

// A robot whose position stays too uncertain for the last metres of its way home is home, as far as anybody can tell.
func TestUncertainPositionAtHome(t *testing.T) {
	cfg := small()
	cfg.Home = []float64{80, 10}
	w := drivesHome(t, cfg)
	w.until("the last metres of the drive home", func() bool { return w.explorer.State() == mission.StateReturning && w.driving() && w.x > 74 })
	w.spread(4, 12)
	w.until("the end", w.explorer.Finished)
	if text := w.explorer.Status(); w.x > 79 || !strings.Contains(text, "within the uncertainty of the position") {
		t.Errorf("at %.1f m: %s", w.x, text)
	}
}

// After a wait for a more certain position the next target keeps away from edges as the position of now needs, so that the mission does
// not end because one target after the other is given up. Its way leads inwards.
func TestNextTargetAfterAWaitHasRoom(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 12
	w := newWorld(t, cfg)
	w.estimate = func(p *localization.Pose) {
		stdDev := 0.1
		if w.driven > 150 { // from then on it is poor
			stdDev = 5
		}
		p.Cov[0][0], p.Cov[1][1] = stdDev*stdDev, stdDev*stdDev
	}
	w.start()
	w.until("a target that is given up", func() bool { return len(w.explorer.Record().Skipped) > 0 })
	at, before := orb.Point{w.x, w.y}, len(w.explorer.Record().Decisions)
	w.until("another target", func() bool { return len(w.explorer.Record().Decisions) > before })
	region, decisions := w.explorer.Region(), w.explorer.Record().Decisions
	target := orb.Point(decisions[len(decisions)-1].Target)
	if in, way := region.SignedDistance(target)-region.SignedDistance(at), planar.Distance(at, target); in < 0.55*way {
		t.Errorf("from %v to %v are %.1f m, and %.1f m of them inwards", at, target, way, in)
	}
	m := w.finish()
	if !strings.Contains(w.log.String(), "the robot waits for a more certain position") {
		t.Error("the robot never waited")
	}
	if len(m.Observations) != 12 {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
}

// A robot whose position is too uncertain for the way home for minutes, as while a receiver errs by more than usual, goes on when it is
// certain again: it waits for longer after each drive home that has failed so.
func TestUncertainForMinutesOnTheWayHome(t *testing.T) {
	cfg := small()
	cfg.Home = []float64{80, 10}
	w := newWorld(t, cfg)
	w.spread(1, 10) // 10 m and the robot are needed before the edge, which is 10 m away
	w.start()
	w.run(time.Second)
	w.do("home")
	w.run(3 * time.Minute)
	if !strings.Contains(w.log.String(), "drive home 2 of") {
		t.Fatalf("no drive home has failed twice: %s", w.explorer.Status())
	}
	w.spread(0.1, 0.1)
	w.until("the end", func() bool { return w.explorer.State() == mission.StateDone })
	near(t, "x", w.x, 80, 2)
	near(t, "y", w.y, 10, 2)
}
