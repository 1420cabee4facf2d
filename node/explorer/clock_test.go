// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/mission"
)

// clocked starts an explorer on a computer whose clock can be set. That of the robot is set with it, and is ahead by skew.
func clocked(t *testing.T, cfg settings.Config, skew time.Duration) (*world, *rostest.Clock) {
	t.Helper()
	ex := exec.NewSimulated(epoch)
	clock := &rostest.Clock{Simulated: ex}
	w := joinWorldOn(t, cfg, false, ex, clock, inproc.New(), "", 20, 10)
	w.pose = func(m *nav_msgs.Odometry) {
		m.Header.Stamp = ros.TimeMsg(ros.TimeNs(m.Header.Stamp) + clock.Set + int64(skew))
	}
	return w, clock
}

// A mission whose explorer is killed after the clock was set counts the time until it is back, and not by how much the
// clock was set.
func TestClockSetBeforeAResume(t *testing.T) {
	for _, by := range []time.Duration{0, 2 * time.Hour, -2 * time.Minute} {
		cfg := small()
		cfg.OutputDir = t.TempDir()
		cfg.Mission.Budget.Duration = 3600
		w, clock := clocked(t, cfg, 0)
		w.exactly()
		w.start()
		w.state(mission.StateTravelling)
		w.run(2 * time.Second)
		clock.Set = int64(by)
		w.run(2 * time.Second)
		before := w.status.ElapsedTime
		n := w.crashed(30*time.Second+by, func(c *settings.Config) { c.Mission.Budget.Duration = 3600 })
		n.run(2 * time.Second)
		if passed := n.status.ElapsedTime - before; math.Abs(passed-32) > 3 {
			t.Errorf("the clock was set by %v: of 32 s until 2 s after the resume %.1f s are counted", by, passed)
		}
	}
}

// Poses whose stamps are later than their arrival are not believed, whatever the seconds, nor are those that are older than
// pose.timeout: the mission does not begin, and the answer names the sender and the seconds. A clock that goes wrong in a
// mission halts it, with the same words, until it is right. A lag that pose.delay takes off is none.
func TestPosesOfAnotherClock(t *testing.T) {
	for _, c := range []struct {
		skew, known time.Duration
		want        string // "": it begins
	}{
		{0, 0, ""}, {15 * time.Millisecond, 0, ""}, {-400 * time.Millisecond, 0, ""},
		{100 * time.Millisecond, 0, "/robot publishes is refused: its stamp is 0.1 s later than its arrival"},
		{2 * time.Second, 0, "/robot publishes is refused: its stamp is 2 s later than its arrival"},
		{2 * time.Second, 0, "synchronise both clocks by NTP or PTP, or add 2 s to pose.delay"},
		{18 * time.Second, 0, "those of /robot are 18 s ahead: a clock is not set, or add 18 s to pose.delay"},
		{3 * time.Hour, 0, "those of /robot are 3h0m0s ahead"},
		{-4 * time.Second, 0, "/robot publishes is refused: its stamp is 4 s older than its arrival"},
		{-4 * time.Second, 0, "synchronise them, or add -4 s to pose.delay"},
		{18 * time.Second, 18 * time.Second, ""}, {-4 * time.Second, -4 * time.Second, ""},
		{2 * time.Second, time.Second, "add 1 s to pose.delay"},
	} {
		cfg := small()
		cfg.PoseDelay = c.known.Seconds()
		w, _ := clocked(t, cfg, c.skew)
		w.run(10 * time.Second)
		if ok, text := w.call("start"); ok != (c.want == "") || !strings.Contains(text, c.want) {
			t.Errorf("poses %v ahead: %v %q, want %q", c.skew, ok, text, c.want)
		}
	}
	w, clock := clocked(t, small(), 0)
	w.start()
	w.state(mission.StateTravelling)
	right := w.pose
	w.pose = func(m *nav_msgs.Odometry) {
		right(m)
		m.Header.Stamp = ros.TimeMsg(ros.TimeNs(m.Header.Stamp) + int64(3*time.Second))
	}
	w.state(mission.StateFault)
	w.run(6 * time.Second)
	if text := w.status.Text; !strings.Contains(text, "its stamp is 3 s later than its arrival") {
		t.Errorf("while the clock is wrong the mission is %q", text)
	}
	w.pose = right
	w.until("the mission goes on", func() bool { return w.explorer.State() == mission.StateTravelling })
	if n := len(w.observations); n != 0 || clock.Set != 0 {
		t.Errorf("%d observations", n)
	}
}

// A robot whose localisation learns nothing while it stands leaves a place near an edge although
// the clock is set meanwhile, and does not take the jump for a long wait.
func TestWaitAtTheEdgeSurvivesAClockJump(t *testing.T) {
	waits := func(jump time.Duration) (waited time.Duration) {
		cfg := small()
		cfg.Home = []float64{80, 10}
		w := newWorld(t, cfg)
		w.spread(1, 1)
		w.start()
		w.run(time.Second)
		w.call("home")
		w.until("the drive home", func() bool { return w.explorer.State() == mission.StateReturning && w.driven > 3 })
		w.estimate = func(p *localization.Pose) { p.Cov[1][1] = 36 }
		w.until("the wait", func() bool { return strings.Contains(w.explorer.Status(), "waiting") })
		w.run(2 * time.Second)
		if jump != 0 {
			w.ex.Jump(w.ex.Now() + int64(jump))
		}
		from := w.ex.Now()
		w.until("the way on", func() bool { return w.driving() })
		return time.Duration(w.ex.Now() - from)
	}
	want := waits(0)
	for _, jump := range []time.Duration{-50 * time.Second, time.Hour} {
		if got := waits(jump); got < want-2*time.Second || got > want+10*time.Second {
			t.Errorf("clock set by %v: the robot drives on after %v, want %v", jump, got, want)
		}
	}
}
