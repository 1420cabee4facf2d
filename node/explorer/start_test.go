// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/mission"
)

// Status and log say that the mission waits for a person, once it could start, the log once. A mission
// that starts by itself does not.
func TestStartIsAskedFor(t *testing.T) {
	const call = "call ~/start to begin"
	for _, auto := range []bool{false, true} {
		cfg := small()
		cfg.AutoStart = auto
		w := newWorld(t, cfg)
		w.noPoses = true
		w.run(10 * time.Second)
		if strings.Contains(w.status.Text, call) {
			t.Errorf("without a pose the status is %q", w.status.Text)
		}
		w.noPoses = false
		w.run(3 * time.Second)
		if asks := strings.Contains(w.status.Text, call); asks == auto || strings.Count(w.log.String(), call) != map[bool]int{false: 1}[auto] {
			t.Errorf("auto_start %v: the status is %q, the log\n%s", auto, w.status.Text, w.log.String())
		}
		if !auto {
			w.start()
		}
		w.run(3 * time.Second)
		if w.explorer.State() == mission.StateIdle || strings.Contains(w.status.Text, call) {
			t.Errorf("after the start the status is %q", w.status.Text)
		}
	}
}

// Where the time comes from /clock, a pose may come before the first tick. The
// mission begins with the time, and has not lasted since 1970 then.
func TestStartBeforeTheClock(t *testing.T) {
	const now = 1_700_000_000 * int64(time.Second)
	cfg := small()
	asked := openWorldAt(t, cfg, false, 0, 50, 50)
	asked.estimate = func(p *localization.Pose) { p.Stamp = max(p.Stamp, now) }
	asked.drive()
	asked.run(0)
	if log := asked.log.String(); strings.Contains(log, "call ~/start") {
		t.Errorf("before there is a time a person is asked for the start: %s", log)
	}
	cfg.AutoStart = true
	cfg.Mission.Budget.Duration = 3600
	w := openWorldAt(t, cfg, false, 0, 50, 50)
	w.estimate = func(p *localization.Pose) { p.Stamp = max(p.Stamp, now) }
	w.drive()
	w.run(0)
	if got := w.explorer.Waiting(); got != "the start" || w.explorer.State() != mission.StateIdle {
		t.Errorf("before there is a time it waits for %q while %s", got, w.explorer.Status())
	}
	w.ex.Jump(now)
	w.until("the mission", func() bool { return w.status.State == string(mission.StateTravelling) })
	if w.status.ElapsedTime > 1 {
		t.Errorf("the mission has lasted %g s when it begins", w.status.ElapsedTime)
	}
}

// searching is a graph in which the others are found one after the other.
type searching struct {
	ros.Transport
	since time.Time
}

func (s *searching) Since() time.Time { return s.since }

// A mission that starts by itself does so only when the others in the graph have had time to be found, and not beside another explorer.
func TestStartWaitsForTheGraph(t *testing.T) {
	for _, rival := range []bool{false, true} {
		cfg := small()
		cfg.AutoStart = true
		graph := &searching{inproc.New(), time.Now().Add(time.Hour)}
		w := joinWorld(t, cfg, false, exec.NewSimulated(epoch), graph, "", 20, 10)
		w.run(5 * time.Second)
		if s := w.explorer.State(); s != mission.StateIdle {
			t.Errorf("before the others are found the mission is %s", s)
		}
		if rival {
			advertise[ugp_explorer_msgs.MissionStatus](w, "/second/status", ros.Latched())
			advertise[geometry_msgs.PoseStamped](w, "goal_pose", ros.DefaultQoS())
		}
		graph.since = time.Now().Add(-time.Hour)
		w.run(5 * time.Second)
		if started := w.explorer.State() != mission.StateIdle; started == rival {
			t.Errorf("with another explorer %v: started %v", rival, started)
		}
		if said := strings.Contains(w.log.String(), "the mission cannot start: there are two explorers"); said != rival {
			t.Errorf("with another explorer %v the log is %s", rival, w.log.String())
		}
	}
}

// Poses that are too old for the follower to drive by keep a mission from starting, which says whose they are.
func TestStartWithOldPoses(t *testing.T) {
	w := newWorld(t, small())
	behind := 800 * time.Millisecond
	w.estimate = func(p *localization.Pose) { p.Stamp -= int64(behind) }
	w.run(10 * time.Second)
	if done, text := w.call("start"); done || !strings.Contains(text, "those of /robot are 0.8 s behind") {
		t.Errorf("start: %v %q", done, text)
	}
	behind = 200 * time.Millisecond
	w.run(time.Second)
	w.start()
}

// A second explorer on the same goals does not start beside the first, whatever its name is.
func TestSecondExplorerDoesNotStart(t *testing.T) {
	w := newWorld(t, small())
	status := advertise[ugp_explorer_msgs.MissionStatus](w, "/second/status", ros.Latched())
	goal := advertise[geometry_msgs.PoseStamped](w, "goal_pose", ros.DefaultQoS())
	w.run(time.Second)
	if done, text := w.call("start"); done || !strings.Contains(text, "there are two explorers: /robot sends goals on /goal_pose too") {
		t.Errorf("start: %v %q", done, text)
	}
	w.closed(status, goal)
	w.start()
	w.do("pause")
	status, goal = advertise[ugp_explorer_msgs.MissionStatus](w, "/second/status", ros.Latched()), advertise[geometry_msgs.PoseStamped](w, "goal_pose", ros.DefaultQoS())
	w.run(time.Second)
	if done, text := w.call("resume"); done || !strings.Contains(text, "there are two explorers") {
		t.Errorf("resume: %v %q", done, text)
	}
	w.closed(status, goal)
	w.do("resume")
}
