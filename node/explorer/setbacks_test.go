// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/nav2test"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/lifecycle_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
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
	if text := w.status.Text; !strings.HasSuffix(text, why+"; call ~/start to begin") {
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
		!strings.Contains(text, "/navigate_to_pose aborted the goal; the robot is at (20.") || !strings.Contains(text, "0.5 m from the edge of the field or a keep-out, "+why+"; call ~/resume to continue") {
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

// A target that is not reached is sampled from afar where the robot came nearer to it and has not sampled yet, and given up elsewhere.
func TestSamplesFromAfar(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 10
	cfg.Mission.GoalTimeoutBase, cfg.Mission.GoalTimeoutFactor = 2, 1
	w := newWorld(t, cfg)
	const ditch = 20
	_, err := w.node.NewTimer(robotStep, func() {
		w.stuck = w.x >= ditch && len(w.way) > 0 && w.way[len(w.way)-1][0] > w.x
	})
	w.must(err)
	w.start()
	var m *record.Mission
	send := func(x, y float64, samples int, skipped string) {
		t.Helper()
		w.say(fmt.Sprintf("goto %g %g", x, y))
		w.until("it is sampled or given up", func() bool {
			m = w.explorer.Record()
			return len(m.Observations) >= samples && (skipped == "" || slices.ContainsFunc(m.Skipped, func(s record.Skipped) bool {
				return s.Target == record.Place{x, y} && strings.Contains(s.Reason, skipped)
			}))
		})
		if len(m.Observations) != samples {
			t.Fatalf("on the way to (%g, %g): %d samples, want %d\n%s", x, y, len(m.Observations), samples, &w.log)
		}
	}
	send(10, 50, 1, "")
	send(60, 50, 2, "")
	if x := m.Observations[1].Belief.X; x < ditch || x > ditch+1 {
		t.Errorf("sample 2 is at x = %.2f m, and the ditch at %d m", x, ditch)
	}
	send(70, 50, 2, "no sample: the robot has come no nearer to the target")
	send(10, 50, 3, "")
	send(60, 50, 3, "no sample: the robot stands 40 m short of the target, where sample 2 was taken")
	w.say("strike 2") // a struck one says nothing about the place
	send(10, 50, 4, "")
	send(52, 50, 5, "")
}

// avoids asserts that the path from a place keeps a robot's radius, 0.8 m, away from another.
func (w *world) avoids(at, ahead orb.Point) {
	w.t.Helper()
	path := append([]orb.Point{at}, w.plans[len(w.plans)-1]...)
	for i := 1; i < len(path); i++ {
		if d := planar.DistanceFromSegment(path[i-1], path[i], ahead); d < 0.79 {
			w.t.Fatalf("the path %v leads past %v at %.2f m, where the robot was stuck", path, ahead, d)
		}
	}
}

// stalls lets a robot on a mission drive for a while, and then stay where it is while its wheels turn,
// until its target is skipped. It returns the place in front of it, and after what time that was.
func (w *world) stalls() (ahead orb.Point, took time.Duration) {
	w.t.Helper()
	w.speed = 2
	w.pose = func(m *nav_msgs.Odometry) {
		if w.stuck && len(w.way) > 0 {
			m.Twist.Twist.Linear.X = 2
		}
	}
	w.until("a drive", func() bool { return w.explorer.State() == mission.StateTravelling && w.driven > 3 })
	w.stuck = true
	from := w.ex.Now()
	w.until("a skipped target", func() bool { return len(w.explorer.Record().Skipped) > 0 })
	return orb.Point{w.x + 2*w.cfg.Radius*math.Cos(w.yaw), w.y + 2*w.cfg.Radius*math.Sin(w.yaw)}, time.Duration(w.ex.Now() - from)
}

// A robot whose wheels turn while it stays is halted after stuck.time. Its target is skipped,
// and its next path keeps away from what is in front of it.
func TestStuckRobot(t *testing.T) {
	w := newWorld(t, small())
	w.start()
	ahead, took := w.stalls()
	if took < 8*time.Second || took > 10500*time.Millisecond {
		t.Errorf("noticed after %v, stuck.time is 10 s", took)
	}
	if reason := w.explorer.Record().Skipped[0].Reason; !strings.Contains(reason, "stuck at (") {
		t.Error(reason)
	}
	w.until("the halt", func() bool { return !w.driving() })
	w.stuck = false
	w.until("another path", w.driving)
	w.avoids(orb.Point{w.x, w.y}, ahead)
	w.finish()
}

// An explorer that resumes the mission does not send the robot to where it was stuck.
func TestResumedExplorerAvoidsWhereItWasStuck(t *testing.T) {
	w := begun(t)
	ahead, _ := w.stalls()
	w.run(2 * time.Second)                                   // the journal is synced
	n := w.crashed(5*time.Second, func(c *settings.Config) { // straight through it
		c.Home = []float64{3*ahead[0] - 2*w.x, 3*ahead[1] - 2*w.y}
	})
	n.run(time.Second)
	n.do("home")
	n.until("a path", n.driving)
	n.avoids(orb.Point{n.x, n.y}, ahead)
}
