// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/nav2test"
	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner/mission"
)

// killed returns a mission by the action whose explorer was killed while the robot drove, and
// the successor's world, in which change may have a server or not.
func killed(t *testing.T, change ...func(*settings.Config)) (before *nav2test.Server, n *world) {
	t.Helper()
	action := func(c *settings.Config) { c.Interface = "navigate_to_pose" }
	cfg := byAction()
	cfg.OutputDir = t.TempDir()
	w, s := served(t, cfg)
	w.exactly()
	w.speed = 0.5
	w.until("some way", func() bool { return s.Goal() != nil && w.driven > 3 })
	return s, w.crashed(time.Second, append(change, action)...)
}

// The successor of a killed explorer cancels the goal that it has left, before it says that the
// mission is paused. A resume goes on to the same target.
func TestKilledExplorersGoalIsCanceled(t *testing.T) {
	before, n := killed(t)
	s := n.serve()
	s.Take(before.Goal())
	var texts []string
	n.until("the end of the goal", func() bool {
		if k := len(texts); n.status.Text != "" && (k == 0 || texts[k-1] != n.status.Text) {
			texts = append(texts, n.status.Text)
		}
		return s.Goals[0].Status == action_msgs.GoalStatusStatusCanceled
	})
	for _, text := range texts {
		if strings.HasPrefix(text, "paused") {
			t.Errorf("while the robot was driving to the old goal, the status was %q", texts)
		}
	}
	n.run(3 * time.Second)
	if text := n.status.Text; n.explorer.State() != mission.StatePaused || !strings.HasPrefix(text, "paused while travelling") {
		t.Errorf("%s: %q", n.explorer.State(), text)
	}
	if !strings.Contains(n.log.String(), "the goal of the previous run was still active and is canceled") {
		t.Errorf("the log is\n%s", n.log.String())
	}
	n.call("resume")
	n.until("a goal", func() bool { return s.Goal() != nil })
	if s.Goals[1].Pose.Pose.Position != s.Goals[0].Pose.Pose.Position {
		t.Errorf("the goal is %+v, and was %+v", s.Goals[1].Pose.Pose, s.Goals[0].Pose.Pose)
	}
	if m := n.finish(); len(m.Observations) != 4 || len(m.Skipped) != 0 {
		t.Errorf("%d samples, %d targets skipped: %s", len(m.Observations), len(m.Skipped), m.Outcome)
	}
}

// Without a server the status says that the robot may be driving. The goal is canceled when the
// server appears. A resume before that drives to the new goal all the same.
func TestKilledExplorersServerIsAway(t *testing.T) {
	for _, resume := range []bool{false, true} {
		before, n := killed(t)
		n.run(10 * time.Second)
		const want = "the robot may still drive to the goal of the previous run, which cannot be canceled: " + onAction + ": no server"
		if !strings.HasPrefix(n.status.Text, want) {
			t.Errorf("the status is %q", n.status.Text)
		}
		if resume {
			n.call("resume")
		}
		s := n.serve()
		s.Take(before.Goal())
		n.run(4 * time.Second)
		if s.Goals[0].Status != action_msgs.GoalStatusStatusCanceled {
			t.Errorf("the goal of the previous run has the status %d", s.Goals[0].Status)
		}
		if resume != (s.Goal() != nil) || !resume && !strings.HasPrefix(n.status.Text, "paused while") {
			t.Errorf("resumed %v: a goal is active: %v, the status is %q", resume, s.Goal() != nil, n.status.Text)
		}
		if resume {
			if m := n.finish(); len(m.Observations) != 4 || len(m.Skipped) != 0 {
				t.Errorf("%d samples, %d targets skipped: %s", len(m.Observations), len(m.Skipped), m.Outcome)
			}
		}
	}
}

// A server that was started anew does not know the goal, and one that refuses to cancel it is
// asked again.
func TestKilledExplorersGoalElsewhere(t *testing.T) {
	_, n := killed(t)
	n.serve()
	n.run(3 * time.Second)
	if text := n.status.Text; !strings.HasPrefix(text, "paused while") {
		t.Errorf("the status is %q", text)
	}
	before, n := killed(t)
	s := n.serve()
	s.Take(before.Goal())
	yield := s.Cancel
	s.Cancel = func(*nav2test.Goal) bool { return false }
	n.run(5 * time.Second)
	if text := n.status.Text; !strings.HasPrefix(text, "the robot may still drive to the goal of the previous run, which is being canceled") {
		t.Errorf("the status is %q", text)
	}
	s.Cancel = yield
	n.run(3 * time.Second)
	if text := n.status.Text; !strings.HasPrefix(text, "paused while") || s.Goal() != nil {
		t.Errorf("the status is %q", text)
	}
}
