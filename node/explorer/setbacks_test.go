package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/lifecycle_msgs"
	"ugp_explorer/node/nav2test"
	"ugp_explorer/planner/mission"
)

const (
	inactive = lifecycle_msgs.StatePrimaryStateInactive
	live     = lifecycle_msgs.StatePrimaryStateActive
)

// A server that rejects everything for a while costs no target: the goal is sent again every
// goal.period. After goal.timeout the mission enters the fault state, which says what
// Nav2 does, once; a resume goes on to the same target.
func TestRejectionsKeepTheTarget(t *testing.T) {
	for _, c := range []struct {
		name      string
		lifecycle bool
		want      string // the fault
	}{
		{"without a lifecycle", false, "/navigate_to_pose rejects every goal: Nav2 is probably not active"},
		{"with a lifecycle", true, "/robot, which serves /navigate_to_pose, is inactive and accepts goals when it is active"},
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

// Targets on one side are aborted after the robot could have driven: each is tried in shorter
// legs, then left out for skip.time, and the mission goes on elsewhere.
func TestAbortedTargetsAreSkipped(t *testing.T) {
	const edge = 50.0
	for name, after := range map[string]time.Duration{"after recoveries": 20 * time.Second, "at once": 0} {
		t.Run(name, func(t *testing.T) {
			cfg := byAction()
			cfg.SkipRadius = 20
			cfg.Mission.MaxFailures = 20
			w := newWorld(t, cfg)
			s := w.serve()
			drive := s.Accepted
			s.Accepted = func(g *nav2test.Goal) {
				switch {
				case g.Pose.Pose.Position.X < edge:
					drive(g)
				case after == 0:
					g.Abort()
				default:
					w.way = nil
					w.node.After(after, g.Abort)
				}
			}
			m := w.mission()
			if len(m.Observations) != 4 || len(m.Skipped) == 0 {
				t.Fatalf("%d observations, %d skipped: %s", len(m.Observations), len(m.Skipped), m.Outcome)
			}
			for i, k := range m.Skipped {
				if k.Reason != "target not reached: /navigate_to_pose aborted the goal" || k.Target[0] < edge-2 {
					t.Errorf("(%g, %g) is skipped: %s", k.Target[0], k.Target[1], k.Reason)
				}
				for _, later := range m.Skipped[i+1:] {
					if d := math.Hypot(later.Target[0]-k.Target[0], later.Target[1]-k.Target[1]); d < cfg.SkipRadius && later.Stamp-k.Stamp < cfg.SkipTime {
						t.Errorf("(%g, %g) is tried again %g m from there, after %g s", k.Target[0], k.Target[1], d, later.Stamp-k.Stamp)
					}
				}
			}
			tries, row := 0, 0
			for i, g := range s.Goals {
				if g.Status != action_msgs.GoalStatusStatusAborted || g.Pose.Pose.Position.X < edge {
					row = 0
					continue
				}
				tries++
				row++
				if n := 10; row > n && float64(g.At-s.Goals[i-n].At)/1e9 < 0.8*float64(n)*cfg.GoalPeriod {
					t.Errorf("goals %d to %d were sent in %g s", i-n, i, float64(g.At-s.Goals[i-n].At)/1e9)
				}
			}
			if least := 2 * len(m.Skipped); tries < least || after > 0 && tries > 6*len(m.Skipped) {
				t.Errorf("%d goals were aborted for %d targets", tries, len(m.Skipped))
			}
		})
	}
}

// A robot that stands outside of the field, where Nav2 with the layer plans nothing, is told of as
// the reason.
func TestAbortedFromOutside(t *testing.T) {
	cfg := byAction()
	cfg.Mission.MaxFailures = 1
	w := newWorld(t, cfg)
	w.x, w.y = 20, -3
	s := w.serve()
	s.Accepted = func(g *nav2test.Goal) { w.node.After(10*time.Second, g.Abort) }
	w.start()
	w.state(mission.StateReturning)
	m := w.explorer.Record()
	if len(m.Skipped) != 1 || !strings.HasSuffix(m.Skipped[0].Reason, "aborted the goal; the robot stands where ~/keepout is occupied, and a Nav2 that reads it plans no path from there") {
		t.Errorf("skipped: %+v", m.Skipped)
	}
}

// A lifecycle reset of Nav2 aborts the goal and rejects all others. No target is given up, and
// the mission does not go home.
func TestNav2IsReset(t *testing.T) {
	w := newWorld(t, byAction())
	s := w.serve()
	w.must(s.ServeState(live))
	w.run(3 * time.Second)
	w.start()
	w.speed = 1
	w.until("some way", func() bool { return s.Goal() != nil && w.driven > 5 })
	s.Set(inactive)
	w.way = nil
	w.run(15 * time.Second)
	if w.explorer.State() != mission.StateTravelling || len(w.explorer.Record().Skipped) != 0 {
		t.Fatalf("after a reset: %s", w.explorer.Status())
	}
	s.Set(live)
	w.speed = 5
	if m := w.finish(); len(m.Observations) != 4 || len(m.Skipped) != 0 || len(m.Decisions) != 4 {
		t.Errorf("%d samples, %d targets skipped: %s", len(m.Observations), len(m.Skipped), m.Outcome)
	}
}

// At boot the action is served from configure on. The mission starts by itself when the server is
// active; a start by hand before that says why it cannot.
func TestStartBesideNav2(t *testing.T) {
	cfg := byAction()
	cfg.AutoStart = true
	w := newWorld(t, cfg)
	w.run(10 * time.Second) // the explorer is there first
	s := w.serve()
	w.must(s.ServeState(inactive))
	w.run(60 * time.Second)
	const why = "/robot, which serves /navigate_to_pose, is inactive and accepts goals when it is active"
	if ok, text := w.call("start"); ok || text != why {
		t.Errorf("start: %v, %q", ok, text)
	}
	if text := w.status.Text; w.status.State != "idle" || !strings.HasSuffix(text, why) {
		t.Errorf("%s: %q", w.status.State, text)
	}
	if got := w.explorer.Waiting(); got != "something that drives: "+why {
		t.Errorf("it waits for %q", got)
	}
	s.Set(live)
	m := w.finish()
	if len(m.Observations) != 4 || len(m.Skipped) != 0 || len(s.Goals) != 5 {
		t.Errorf("%d samples, %d targets skipped, %d goals: %s", len(m.Observations), len(m.Skipped), len(s.Goals), m.Outcome)
	}
}

// A robot that goes home because every target failed explores again when Nav2 works and
// somebody says resume, or start.
func TestExploreAgainAfterFailures(t *testing.T) {
	for _, word := range []string{"resume", "start"} {
		cfg := byAction()
		cfg.Mission.MaxFailures = 2
		cfg.Home = []float64{20, 90}
		w := newWorld(t, cfg)
		s := w.serve()
		drive := s.Accepted
		s.Accepted = func(g *nav2test.Goal) { w.node.After(10*time.Second, g.Abort) }
		w.start()
		w.state(mission.StateReturning)
		w.run(2 * time.Second)
		if text := w.status.Text; !strings.Contains(text, "2 failures in a row") || !strings.Contains(text, "resume continues the exploration") {
			t.Errorf("on the way home the status is %q", text)
		}
		s.Accepted = drive
		if ok, text := w.call(word); !ok {
			t.Fatalf("%s: %s", word, text)
		}
		if m := w.finish(); len(m.Observations) != 4 || m.Outcome != "the budget of 4 samples is used" {
			t.Errorf("after %s: %d samples: %s", word, len(m.Observations), m.Outcome)
		}
	}
}
