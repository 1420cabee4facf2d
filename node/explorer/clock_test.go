package explorer_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/rig/rostest"
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
		cfg.OutputDir, cfg.Report = t.TempDir(), false
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
