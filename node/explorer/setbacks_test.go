// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/nav2test"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/lifecycle_msgs"
	"ugp_explorer/planner/mission"
)

const (
	inactive = lifecycle_msgs.StatePrimaryStateInactive
	live     = lifecycle_msgs.StatePrimaryStateActive
)

// A server that rejects everything for a while costs no target: the goal is sent again every
// each period of the goal. After the goal's timeout the mission enters the fault state, which says what
// Nav2 does, once; a resume goes on to the same target.
func TestRejectionsKeepTheTarget(t *testing.T) {
	for _, c := range []struct {
		name      string
		lifecycle bool
		want      string // the fault
	}{
		{"without a lifecycle", false, "/navigate_to_pose rejects every goal: Nav2 is probably not active"},
		{"with a lifecycle", true, "/robot, which serves /navigate_to_pose, is inactive and accepts goals only when it is active"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := byAction()
			w := newWorld(t, cfg)
			s := w.serve()
			w.must(s.ServeState(live))
			if !c.lifecycle {
				w.must(s.HideState())
			}
			accept := func(yes bool) {
				if c.lifecycle {
					s.Set(map[bool]uint8{true: live, false: inactive}[yes])
				} else {
					s.Decide = func(*nav2test.Goal) bool { return yes }
				}
			}
			w.run(5 * time.Second)
			w.start()
			accept(false)
			w.run(20 * time.Second)
			first := w.explorer.Record().Decisions[0].Target
			if n := len(s.Goals); n < 18 || n > 22 || w.explorer.State() != mission.StateTravelling {
				t.Fatalf("%d goals in 20 s while %s", n, w.explorer.Status())
			}
			if text := w.status.Text; !strings.Contains(text, c.want) {
				t.Errorf("while it is rejected the status is %q", text)
			}
			accept(true)
			w.until("the first sample", func() bool { return len(w.observations) == 1 })
			w.until("the next target", func() bool { return w.explorer.State() == mission.StateTravelling && s.Goal() != nil })
			accept(false)
			if !c.lifecycle {
				s.Goal().Abort()
			}
			w.way = nil
			began := w.ex.Now()
			w.state(mission.StateFault)
			if took := time.Duration(w.ex.Now() - began).Seconds(); math.Abs(took-cfg.Mission.GoalTimeoutBase) > 3 {
				t.Errorf("the fault came after %g s, want %g s", took, cfg.Mission.GoalTimeoutBase)
			}
			w.run(10 * time.Second)
			if text := w.status.Text; strings.Count(text, "/navigate_to_pose") != 1 || !strings.Contains(text, c.want) {
				t.Errorf("the fault is %q", text)
			}
			accept(true)
			w.run(5 * time.Second)
			if over := strings.Contains(w.status.Text, "over now, waiting for resume"); over != c.lifecycle {
				t.Errorf("with a server that is active again the status is %q", w.status.Text)
			}
			w.call("resume")
			m := w.finish()
			if len(m.Observations) != 4 || len(m.Skipped) != 0 || m.Observations[0].Target != first || len(m.Decisions) != 4 {
				t.Errorf("%d samples, %d targets skipped of %d: %s", len(m.Observations), len(m.Skipped), len(m.Decisions), m.Outcome)
			}
		})
	}
}

// A mission does not begin with a server that was found just now and is not active yet.
func TestStartBeforeNav2IsActive(t *testing.T) {
	w := newWorld(t, byAction())
	w.run(5 * time.Second)
	s := w.serve()
	w.must(s.ServeState(inactive))
	for range 30 {
		w.run(100 * time.Millisecond)
		if ok, text := w.call("start"); ok {
			t.Fatalf("start: %q, with a server that is inactive", text)
		}
	}
	if _, text := w.call("start"); text != "/robot, which serves /navigate_to_pose, is inactive and accepts goals only when it is active" {
		t.Errorf("start: %q", text)
	}
	s.Set(live)
	w.run(3 * time.Second)
	w.start()
	if w.run(time.Second); len(s.Goals) != 1 {
		t.Errorf("%d goals", len(s.Goals))
	}
}

// From where ~/keepout is occupied Nav2 plans nothing: no goal is sent, no target is blamed, and start,
// status and log say what to do. Beside the free cells goals are sent.
func TestStranded(t *testing.T) {
	const why = "where ~/keepout is occupied and Nav2 plans no path: drive it by hand to a place that keeps field.margin"
	cfg := byAction()
	w := newWorld(t, cfg)
	s := w.serve()
	w.x, w.y = 20, -3
	w.run(5 * time.Second)
	if ok, text := w.call("start"); ok || !strings.Contains(text, "at (20.00, -3.00) m, outside the field or in a keep-out, "+why) {
		t.Fatalf("start: %v, %q", ok, text)
	}
	if text := w.status.Text; !strings.HasSuffix(text, why+", then call ~/start to begin") {
		t.Errorf("before the start the status is %q", text)
	}
	w.y = 10
	w.start()
	drive := s.Accepted
	s.Accepted = func(g *nav2test.Goal) {
		if w.y > 5 {
			drive(g)
			return
		}
		w.node.After(10*time.Second, g.Abort)
	}
	w.speed = 0.5
	w.until("a goal", func() bool { return s.Goal() != nil })
	before := len(s.Goals)
	w.way, w.y = nil, 0.5 // Nav2's recoveries have moved it
	w.run(time.Second)
	s.Goals[before-1].Abort()
	w.state(mission.StateFault)
	w.run(2 * time.Minute)
	m := w.explorer.Record()
	if text := w.status.Text; len(s.Goals) != before || len(m.Skipped) != 0 || w.explorer.State() != mission.StateFault ||
		!strings.Contains(text, "/navigate_to_pose aborted the goal; the robot is at (20.") || !strings.Contains(text, "0.5 m from the edge of the field or a keep-out, "+why+"; then call ~/resume to continue") {
		t.Fatalf("%d goals, %d before; %d skipped: %s", len(s.Goals), before, len(m.Skipped), text)
	}
	log := w.log.String()
	if strings.Contains(log, "several nearer goals") || !strings.Contains(log, why) {
		t.Errorf("the log is\n%s", log)
	}
	if ok, text := w.call("resume"); ok || !strings.Contains(text, why) || len(s.Goals) != before {
		t.Errorf("resume there: %v, %q, %d goals", ok, text, len(s.Goals))
	}
	w.y = 10
	w.until("the end of its cause", func() bool { return strings.Contains(w.status.Text, "over now, waiting for resume") })
	s.Accepted = drive
	w.y = 1 // beside the free cells
	w.run(time.Second)
	w.do("resume")
	w.speed = 5
	if m := w.finish(); len(m.Observations) != 4 || len(m.Skipped) != 0 {
		t.Errorf("%d samples, %d skipped: %s", len(m.Observations), len(m.Skipped), m.Outcome)
	}
}

// Under Nav2 a target on the edge of the free cells would leave the robot in one that is not free:
// targets keep two standard deviations and a cell more than the margin, also at a probe's length.
func TestTargetsUnderNav2(t *testing.T) {
	for _, stdDev := range []float64{0.01, 0.3} {
		for _, sigmas := range []float64{0, 2} {
			cfg := byAction()
			cfg.Mission.Budget.Samples, cfg.KeepoutCell, cfg.Field.Sigmas = 8, 0.5, sigmas
			cfg.Matcher.Probe = localization.Lever{X: -0.8}
			w := newWorld(t, cfg)
			w.x, w.y = 50, 50
			w.spread(stdDev, stdDev)
			s := w.serve()
			m := w.mission()
			least, base := math.Inf(1), math.Inf(1)
			for _, o := range m.Observations {
				least = min(least, w.explorer.Region().SignedDistance(o.Target))
			}
			for _, g := range s.Goals {
				p := g.Pose.Pose.Position
				base = min(base, w.explorer.Region().SignedDistance(orb.Point{p.X, p.Y}))
			}
			if want := 2 + 0.5 + sigmas*stdDev; len(m.Observations) != 8 || least < want-1e-6 || least > want+1.5 || base < want-1e-3 {
				t.Errorf("with %g m and margin_sigmas %g: %d samples, a target %.2f m and a goal %.2f m from an edge, want %.2f m", stdDev, sigmas, len(m.Observations), least, base, want)
			}
		}
	}
}
