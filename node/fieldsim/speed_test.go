// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// process is a world in a process of its own, 500 times as fast as the wall clock.
type process struct {
	*testing.T
	ex     *exec.RealTime
	node   *ros.Node
	stamps []int64 // of /clock
}

func newProcess(t *testing.T) *process {
	p := &process{T: t, ex: exec.NewRealTime()}
	cfg := fieldsim.DefaultConfig()
	cfg.Speed = 500
	over := &param.Overrides{}
	if err := over.AddAssignment("use_sim_time:=true"); err != nil { // as every node of a simulation is given
		t.Fatal(err)
	}
	p.node = rostest.Node(t, inproc.New(), p.ex, "world", ros.NodeOptions{Parameters: cfg.Parameters(), Overrides: over, ClockSource: cfg.ClockSource})
	rostest.Hear(t, p.node, "/clock", ros.SensorData().WithDepth(1000), func(m *rosgraph_msgs.Clock) { p.stamps = append(p.stamps, ros.TimeNs(m.Clock)) })
	if _, err := fieldsim.New(p.node, &cfg); err != nil {
		t.Fatal(err)
	}
	return p
}

// run lets the world take a number of steps, and returns how long that took by the wall clock.
func (p *process) run(steps int) time.Duration {
	p.Helper()
	began, enough := time.Now(), len(p.stamps)+steps
	must.OK(p, p.ex.Run(context.Background(), func() bool { return len(p.stamps) >= enough }))
	return time.Since(began)
}

// In a separate process the world's clock may be faster than the wall clock. It skips no
// step, not even after a pause of the machine longer than the time that the world catches
// up at once.
func TestSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now().UnixNano()
		p := newProcess(t)
		p.run(40)
		p.ex.Post(func() { time.Sleep(5 * time.Second) }) // the pause
		p.run(200)
		for i := 1; i < len(p.stamps); i++ {
			if d := p.stamps[i] - p.stamps[i-1]; d != tick {
				t.Fatalf("step %d is %v after the one before, want %v", i, time.Duration(d), time.Duration(tick))
			}
		}
		if late := time.Duration(p.ex.Now() - p.stamps[len(p.stamps)-1]); late < 3*time.Second {
			t.Errorf("after a pause of 5 s the world is %v behind: what was to be seen did not happen", late)
		}
		if p.stamps[0] < started {
			t.Errorf("the clock begins at %d, before the node did, at %d", p.stamps[0], started)
		}
	})
}

// A fast clock waits a second for a follower that has told the robot to move, and not at
// all for one that has told it to stand: that one is silent.
func TestClockWaitsForAFollowerThatDrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProcess(t)
		drive := rostest.Publisher[geometry_msgs.Twist](t, p.node, "cmd_vel", ros.DefaultQoS())
		p.run(1)
		for _, speed := range []float64{0, 1} {
			must.OK(t, drive.Publish(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: speed}}))
			if took := p.run(100); (took >= time.Second) != (speed > 0) {
				t.Errorf("told to drive at %g m/s five simulated seconds took %v", speed, took)
			}
		}
	})
}

// A fast clock waits a minute for an explorer that has fallen silent, and not at all for one that has ended.
func TestClockWaitsForTheExplorer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProcess(t)
		status := rostest.Publisher[ugp_explorer_msgs.MissionStatus](t, p.node, "ugp_explorer/status", ros.Latched())
		p.run(1)
		must.OK(t, status.Publish(&ugp_explorer_msgs.MissionStatus{}))
		if took := p.run(40); took >= time.Second {
			t.Errorf("two simulated seconds after a status took %v", took)
		}
		if took := p.run(20); took < 50*time.Second {
			t.Errorf("the third simulated second after a status took %v, want it to wait for the next", took)
		}
		must.OK(t, status.Publish(&ugp_explorer_msgs.MissionStatus{}))
		p.run(1)
		must.OK(t, status.Close())
		if took := p.run(100); took >= time.Second {
			t.Errorf("five simulated seconds after the explorer ended took %v", took)
		}
	})
}
