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
	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

const onAction = "nothing serves the goal on the action /navigate_to_pose [nav2_msgs/action/NavigateToPose]"

func byAction() settings.Config {
	cfg := small()
	cfg.Interface = "navigate_to_pose"
	return cfg
}

// serve drives the robot by an action, as Nav2 does: straight to the goal,
// which succeeds when the robot stands there.
func (w *world) serve() *nav2test.Server {
	w.t.Helper()
	s, err := nav2test.New(w.node, nav2test.Name)
	w.must(err)
	s.Accepted = func(g *nav2test.Goal) {
		p := g.Pose.Pose.Position
		w.way = []orb.Point{{p.X, p.Y}}
		w.goalYaw, err = convert.Yaw(g.Pose.Pose.Orientation)
		w.must(err)
		if g.Pose.Header.FrameID != w.cfg.Frame {
			w.t.Errorf("goal in frame %q, want %q", g.Pose.Header.FrameID, w.cfg.Frame)
		}
	}
	s.Cancel = func(g *nav2test.Goal) bool {
		w.way = nil
		g.Drop()
		return true
	}
	_, err = w.node.NewTimer(robotStep, func() {
		if g := s.Goal(); g != nil && len(w.way) > 0 && w.way[0] == [2]float64{w.x, w.y} {
			g.Succeed()
		}
	})
	w.must(err)
	return s
}

// served returns a world with a server and a mission that has begun.
func served(t *testing.T, cfg settings.Config) (*world, *nav2test.Server) {
	t.Helper()
	w := newWorld(t, cfg)
	s := w.serve()
	w.start()
	return w, s
}

func statuses(goals []*nav2test.Goal) (all []int8) {
	for _, g := range goals {
		all = append(all, g.Status)
	}
	return all
}

// A whole mission by the action: each goal is sent once, puts the probe on the
// target, and succeeds. Nothing is said on the topics that Nav2 listens to; goal
// and plan can be seen under the explorer's own name.
func TestMissionByAction(t *testing.T) {
	cfg := byAction()
	cfg.Matcher.Probe = localization.Lever{X: 0.6, Y: -0.9}
	w := newWorld(t, cfg)
	s := w.serve()
	var plans int
	hear(w, "ugp_explorer/plan", ros.DefaultQoS(), func(m *nav_msgs.Path) {
		if len(m.Poses) > 0 {
			plans++
		}
	})
	m := w.mission()
	if len(m.Observations) != 4 || len(m.Skipped) != 0 || len(s.Goals) != 5 {
		t.Fatalf("%d observations, %d skipped, %d goals: %s", len(m.Observations), len(m.Skipped), len(s.Goals), m.Outcome)
	}
	for i, d := range m.Decisions {
		p := s.Goals[i].Pose.Pose
		yaw, err := convert.Yaw(p.Orientation)
		w.must(err)
		sin, cos := math.Sincos(yaw)
		l := w.cfg.Matcher.Probe
		// A goal on the edge of a cell of ~/keepout is moved off it by a ten-thousandth of the cell.
		near(t, "probe x", p.Position.X+cos*l.X-sin*l.Y, d.Target[0], 1e-4)
		near(t, "probe y", p.Position.Y+sin*l.X+cos*l.Y, d.Target[1], 1e-4)
	}
	for _, g := range s.Goals {
		if g.Status != action_msgs.GoalStatusStatusSucceeded {
			t.Errorf("the statuses of the goals are %v", statuses(s.Goals))
		}
	}
	if plans < 5 {
		t.Errorf("%d plans were heard", plans)
	}
	for _, topic := range []string{"/goal_pose", "/plan"} {
		for _, e := range w.node.Endpoints(topic) {
			if e.Kind == ros.PublisherEnd {
				t.Errorf("%s publishes on %s", e.Node, topic)
			}
		}
	}
	if log := w.log.String(); strings.Contains(log, "WARN") {
		t.Errorf("all is well, and the log has\n%s", log)
	}
}

// Whatever halts the robot cancels the goal, and what sets it going again sends a
// new one.
func TestHaltCancelsTheGoal(t *testing.T) {
	w, s := served(t, byAction())
	w.speed = 0.5
	w.state(mission.StateTravelling)
	w.until("a goal", func() bool { return s.Goal() != nil })
	w.call("pause")
	w.run(time.Second)
	if s.Goal() != nil || s.Goals[0].Status != action_msgs.GoalStatusStatusCanceled {
		t.Fatalf("after a pause: %v", statuses(s.Goals))
	}
	w.run(10 * time.Second)
	w.call("resume")
	w.run(time.Second)
	if len(s.Goals) != 2 || s.Goal() == nil || s.Goals[1].Pose.Pose != s.Goals[0].Pose.Pose {
		t.Fatalf("after a resume: %v", statuses(s.Goals))
	}
	w.noPoses = true
	w.state(mission.StateFault)
	w.run(time.Second)
	if s.Goal() != nil {
		t.Fatalf("without poses: %v", statuses(s.Goals))
	}
	w.noPoses = false
	w.state(mission.StateTravelling)
	w.until("some way", func() bool { return s.Goal() != nil && math.Hypot(w.x-20, w.y-10) > 5 })
	// A new goal waits for the end of the one that is being canceled.
	s.Cancel = func(g *nav2test.Goal) bool {
		w.way = nil
		w.node.After(3*time.Second, g.Drop)
		return true
	}
	before := len(s.Goals)
	w.call("home")
	w.run(2 * time.Second)
	if len(s.Goals) != before || s.Goal() == nil {
		t.Errorf("while a goal is being canceled: %v", statuses(s.Goals))
	}
	w.until("the goal home", func() bool { return len(s.Goals) == before+1 })
	if w.way == nil || math.Hypot(w.way[0][0]-20, w.way[0][1]-10) > 1e-4 {
		t.Errorf("the goal home is %v, want (20, 10)", w.way)
	}
	w.call("stop")
	w.run(5 * time.Second)
	if s.Goal() != nil || len(s.Goals) != before+1 {
		t.Errorf("after the stop: %v", statuses(s.Goals))
	}
}

// A server that does not cancel a goal lets the robot drive on: the answer of each command that halts
// it and the status say so, until the goal ends, and a new goal does not wait for that for ever.
func TestGoalThatIsNotCanceled(t *testing.T) {
	w, s := served(t, byAction())
	w.speed = 0.5
	w.until("a goal", func() bool { return s.Goal() != nil })
	w.run(time.Second)
	s.Cancel = func(*nav2test.Goal) bool { return false }
	const drivesOn = "; the robot still moves: /navigate_to_pose was asked to cancel its goal and has not confirmed that"
	says := func(d time.Duration, text string, want bool) {
		t.Helper()
		if w.run(d); strings.Contains(w.status.Text, text) != want {
			t.Errorf("%v later the status says %q", d, w.status.Text)
		}
	}
	if ok, text := w.call("pause"); !ok || !strings.HasPrefix(text, "paused while travelling") || !strings.HasSuffix(text, drivesOn) {
		t.Errorf("pause: %v, %q", ok, text)
	}
	says(0, drivesOn, true)
	if w.status.State != string(mission.StatePaused) {
		t.Errorf("the state is %s", w.status.State)
	}
	says(30*time.Second, drivesOn, true)
	way := w.way
	w.way = nil // it stands
	says(3*time.Second, "; the robot may still drive: /navigate_to_pose was asked", true)
	w.way = way
	w.run(time.Second)
	s.Goals[0].Drop()
	says(3*time.Second, "may still drive", false)
	w.call("resume")
	w.until("another goal", func() bool { return len(s.Goals) == 2 })
	w.call("pause")
	w.call("resume")
	w.until("the goal after one that has not ended", func() bool { return len(s.Goals) == 3 })
}

// The last that a server hears of an explorer that is interrupted is that the goal
// be canceled.
func TestShutDownCancelsTheGoal(t *testing.T) {
	w, s := served(t, byAction())
	w.until("a goal", func() bool { return s.Goal() != nil })
	canceled := false
	s.Cancel = func(g *nav2test.Goal) bool { canceled = true; return true }
	w.interrupted()
	if !canceled {
		t.Error("the goal was not canceled")
	}
}

// Nav2 may accept a goal and never begin it. It is sent again when there is no feedback on it,
// unless the server never sends any, or the robot drives.
func TestGoalThatDoesNotBegin(t *testing.T) {
	for name, c := range map[string]struct {
		reports, drives, again bool
	}{
		"ignored":         {reports: true, again: true},
		"without reports": {},
		"under way":       {reports: true, drives: true},
	} {
		w, s := served(t, byAction())
		w.speed = 0.5
		w.until("a goal", func() bool { return s.Goal() != nil })
		if c.reports {
			w.must(s.Goal().Feedback(50))
		}
		w.run(time.Second)
		drive := s.Accepted
		s.Accepted = func(g *nav2test.Goal) {
			if c.drives || len(s.Goals) > 2 {
				drive(g)
			}
		}
		w.call("pause")
		w.run(time.Second)
		w.call("resume")
		w.run(4 * time.Second)
		if len(s.Goals) != 2 {
			t.Fatalf("%s: %v after a resume", name, statuses(s.Goals))
		}
		w.run(3 * time.Second)
		log := w.log.String()
		if (len(s.Goals) > 2) != c.again || strings.Contains(log, "the goal is sent again") != c.again {
			t.Fatalf("%s: %v and the log\n%s", name, statuses(s.Goals), log)
		}
		if !c.again {
			continue
		}
		if s.Goals[2].Pose.Pose != s.Goals[1].Pose.Pose || s.Goal() != s.Goals[2] {
			t.Errorf("%v, and the last goal is another one", statuses(s.Goals))
		}
		w.until("a sample", func() bool { return len(w.explorer.Record().Observations) > 0 })
		if len(w.explorer.Record().Skipped) != 0 {
			t.Error("a target was given up")
		}
	}
}

// Without a server no mission begins, and it is said why.
func TestStartWaitsForTheServer(t *testing.T) {
	cfg := byAction()
	cfg.AutoStart = true
	w := newWorld(t, cfg)
	w.run(8 * time.Second)
	if ok, text := w.call("start"); ok || text != onAction+": no server" {
		t.Errorf("start: %v, %q", ok, text)
	}
	if text := w.status.Text; w.status.State != "idle" || !strings.HasSuffix(text, "; "+onAction+": no server") {
		t.Errorf("%s: %q", w.status.State, text)
	}
	if d := w.told("goal"); d.Message != onAction+": no server" || d.Level != diagnostic_msgs.DiagnosticStatusWarn {
		t.Errorf("/diagnostics says %+v", d)
	}
	if got := w.explorer.Waiting(); got != "something that drives the robot: "+onAction+": no server" {
		t.Errorf("it waits for %q", got)
	}
	elsewhere, err := nav2test.New(w.node, "/robot1/navigate_to_pose")
	w.must(err)
	w.run(2 * time.Second)
	if text := w.status.Text; !strings.HasSuffix(text, onAction+": no server; /robot1/navigate_to_pose has that type") {
		t.Errorf("with a server of another name: %q", text)
	}
	w.must(elsewhere.Close())
	s := w.serve()
	if m := w.finish(); len(m.Observations) != 4 || len(s.Goals) != 5 {
		t.Errorf("%d observations, %d goals: %s", len(m.Observations), len(s.Goals), m.Outcome)
	}
	if strings.Contains(w.status.Text, onAction) {
		t.Errorf("the status says %q", w.status.Text)
	}
}

// Someone else takes the robot: the mission doesn't take it back by itself.
func TestSomeoneElseTakesTheRobot(t *testing.T) {
	for _, c := range []struct {
		name, want string
		take       func(*world, *nav2test.Server) (give func())
	}{
		{"by canceling", "another client canceled the explorer's goal on /navigate_to_pose", func(w *world, s *nav2test.Server) func() {
			s.Goal().Drop()
			return func() {}
		}},
		{"by another goal", "another client sent a goal to /navigate_to_pose", func(w *world, s *nav2test.Server) func() {
			c, err := ros.NewActionClient(w.node, nav2test.Name)
			w.must(err)
			_, err = c.Send(&nav2_msgs.NavigateToPoseGoal{Pose: s.Goal().Pose}, ros.GoalHandlers{})
			w.must(err)
			return func() { s.Goal().Drop() }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, s := served(t, byAction())
			w.speed = 0.5
			w.until("a goal", func() bool { return s.Goal() != nil })
			give := c.take(w, s)
			w.way = nil
			w.state(mission.StateFault)
			if got := w.explorer.Status(); !strings.HasSuffix(got, c.want) {
				t.Errorf("the fault is %q", got)
			}
			before := len(s.Goals)
			w.run(time.Minute)
			if len(s.Goals) != before {
				t.Errorf("%d goals more were sent", len(s.Goals)-before)
			}
			give()
			w.speed = 5
			w.call("resume")
			if m := w.finish(); len(m.Observations) != 4 || len(m.Skipped) != 0 {
				t.Errorf("%d observations, %d skipped: %s", len(m.Observations), len(m.Skipped), m.Outcome)
			}
		})
	}
}

// Nav2 reports success at once, and the robot has not moved: that is no drive, and nothing is sampled there.
func TestSuccessWithoutADrive(t *testing.T) {
	cfg := byAction()
	cfg.Mission.GoalTimeoutBase = 20
	w := newWorld(t, cfg)
	s, err := nav2test.New(w.node, nav2test.Name)
	w.must(err)
	s.Accepted = func(*nav2test.Goal) {}
	_, err = w.node.NewTimer(robotStep, func() {
		if g := s.Goal(); g != nil {
			g.Succeed()
		}
	})
	w.must(err)
	w.start()
	w.until("the target is given up", func() bool { return len(w.explorer.Record().Skipped) > 0 || w.explorer.State() == mission.StateFault })
	if n := len(w.explorer.Record().Observations); n > 0 {
		t.Errorf("%d samples where the robot stood\n%s", n, &w.log)
	}
	if !strings.Contains(w.log.String(), "reported the success of a goal that is still") {
		t.Errorf("the log does not say why\n%s", &w.log)
	}
}
