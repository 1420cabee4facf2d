//go:build fastdds

package process_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/sim"
)

// TestFollowedRobot has the test be the simulator that moves the robot and makes the time,
// as Gazebo does over its bridge: fieldsim answers with what the probe reads at the robot's
// true place, also when that simulator is paused and when it starts over.
func TestFollowedRobot(t *testing.T) {
	r := newRobot(t, 1, func(c *simulation.Config) {
		c.Fieldsim.Source, c.Fieldsim.PublishFix, c.Fieldsim.Probe.StdDev = "odometry", false, 0
	})
	world, _, err := r.cfg.Fieldsim.Field.Open(uint64(r.cfg.Fieldsim.Seed))
	r.must(err)
	o := r.observe()
	clock, err := ros.Advertise[rosgraph_msgs.Clock](o.n, "/clock", ros.ClockQoS())
	r.must(err)
	truth, err := ros.Advertise[nav_msgs.Odometry](o.n, "/ground_truth/odom", ros.DefaultQoS())
	r.must(err)

	pose, now, paused := sim.Pose{X: 20, Y: 30, Yaw: 2}, int64(10*time.Second), false
	_, err = o.n.NewTimer(4*time.Millisecond, func() {
		if paused {
			return
		}
		now += int64(40 * time.Millisecond)
		r.must(clock.Publish(&rosgraph_msgs.Clock{Clock: ros.TimeMsg(now)}))
		var m nav_msgs.Odometry
		m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = ros.TimeMsg(now), "map", "base_link"
		m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y = pose.X, pose.Y
		m.Pose.Pose.Orientation = convert.Quaternion(pose.Yaw)
		m.Twist.Twist.Linear.X = 50 // a spike
		r.must(truth.Publish(&m))
	})
	r.must(err)

	var readings int
	var stamp int64
	hear(o, "/reading", ros.SensorData(), func(m *ugp_explorer_msgs.FieldReading) {
		readings++
		stamp = ros.TimeNs(m.Header.Stamp)
		at := pose.Point(r.cfg.Fieldsim.Probe.Forward, r.cfg.Fieldsim.Probe.Left)
		if want := world.Value(at[0], at[1]); math.Abs(m.Value-want) > 1e-9 {
			t.Errorf("the reading at %v is %g, the field has %g", at, m.Value, want)
		}
	})
	more := func(what string) {
		t.Helper()
		before := readings
		o.wait(what, func() bool { return readings > before+1 })
	}
	r.start(fieldsim.DefaultName)
	more("readings")
	paused = true
	begin := time.Now()
	o.wait("half a second of a pause", func() bool { return time.Since(begin) > 500*time.Millisecond })
	paused = false
	more("readings after the pause")
	now = 0
	more("readings after a reset")
	if stamp > now {
		t.Errorf("after the reset a reading has the stamp %d at %d", stamp, now)
	}
	r.stop()
}
