package explorer_test

import (
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/rig/rostest"
)

// Where /clock is faster than the wall clock, poses that are late by some hundredths of a
// second are older than pose.timeout. The mission goes on, unless they are missing in wall
// time too.
func TestLatePosesInSimulatedTime(t *testing.T) {
	cfg := small()
	cfg.AutoStart = true
	ex, node, e, until := clocked(t, &cfg)
	poses := rostest.Publisher[nav_msgs.Odometry](t, node, "odometry/filtered", ros.SensorData())
	heard := 0
	rostest.Hear(t, node, "odometry/filtered", ros.SensorData(), func(*nav_msgs.Odometry) { heard++ })
	now := 100 * int64(time.Second)
	var posed time.Time
	pose := func() {
		t.Helper()
		m := odometryOf("map", localization.Pose{Stamp: now, X: 50, Y: 50, Cov: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 0)
		before := heard
		posed = time.Now()
		must(t, poses.Publish(&m))
		until("the pose", func() bool { return heard > before })
	}
	// pass lets so much simulated time pass, with every timer that is due in it.
	pass := func(d time.Duration) {
		t.Helper()
		for end := now + int64(d); now < end; {
			now += int64(100 * time.Millisecond)
			ex.SetTime(now)
			done := false
			ex.After(0, func() { done = true })
			until("the timers", func() bool { return done })
		}
	}
	ex.SetTime(now)
	pose()
	until("the mission", func() bool { return e.State() == mission.StateTravelling })

	const attempts = 20
	for attempt := 1; ; attempt++ {
		pose()
		pass(4 * time.Second)
		if time.Since(posed) < 400*time.Millisecond {
			break
		}
		if attempt == attempts { // the machine is busy
			t.Fatalf("four seconds of simulated time took more than 0.4 s, %d times", attempts)
		}
	}
	if e.State() != mission.StateTravelling {
		t.Fatalf("%s; poses are late by less than half a second of wall time", e.Status())
	}
	<-time.After(time.Until(posed.Add(600 * time.Millisecond))) // the wall clock is what counts here
	pass(time.Second)
	if e.State() != mission.StateFault {
		t.Fatalf("%s; no pose has come for 0.6 s of wall time", e.Status())
	}
	pose()
	if e.State() != mission.StateTravelling {
		t.Errorf("%s; poses have come back", e.Status())
	}
}
