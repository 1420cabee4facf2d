package explorer_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/rig/rostest"
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
	cfg := small()
	cfg.AutoStart = true
	cfg.Mission.Budget.Duration = 3600
	ex, node, e, until := clocked(t, &cfg)
	heard := 0
	var elapsed float64
	rostest.Hear(t, node, "~/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) {
		heard++
		elapsed = m.ElapsedTime
	})
	poses := rostest.Publisher[nav_msgs.Odometry](t, node, "odometry/filtered", ros.SensorData())
	pose := func(stamp int64) {
		t.Helper()
		m := odometryOf("map", localization.Pose{Stamp: stamp, X: 50, Y: 50, Cov: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 0)
		must(t, poses.Publish(&m))
	}
	const now = 1_700_000_000 * int64(time.Second)
	pose(now)
	until("the pose", func() bool { return e.Waiting() == "the start" })
	ex.SetTime(now)
	pose(now + 1)
	before := heard
	until("the mission", func() bool { return heard > before && e.State() == mission.StateTravelling })
	if elapsed > 1 {
		t.Errorf("the mission has lasted %g s when it begins", elapsed)
	}
}
