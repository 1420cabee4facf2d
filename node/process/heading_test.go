//go:build fastdds

package process_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
)

// TestHeadingFromPerson has a filter that finds its heading by driving, which nobody
// does who needs poses for it. It waits for a person to tell it on initialpose, as
// RViz does: at the start, and again after the filter was killed.
func TestHeadingFromPerson(t *testing.T) {
	// Faster than this, on a busy machine the filter goes astray now and then.
	r := newRobot(t, 20, func(c *simulation.Config) { c.EKF.Heading = "drive" })
	o := r.observe()
	pub, err := ros.Advertise[geometry_msgs.PoseWithCovarianceStamped](o.n, "/initialpose", ros.DefaultQoS())
	r.must(err)
	tell := func() {
		t.Helper()
		before := o.poses
		again, err := o.n.NewTimer(50*time.Millisecond, func() { // the filter may not listen yet
			if o.poses > before {
				return
			}
			var m geometry_msgs.PoseWithCovarianceStamped // without a stamp, as from the command line
			m.Header.FrameID = "map"
			m.Pose.Pose = o.truth.Pose.Pose
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = 0.25, 0.25, math.Pow(15*math.Pi/180, 2)
			r.must(pub.Publish(&m))
		})
		r.must(err)
		o.wait("poses from the filter", func() bool { return o.poses > before })
		again.Stop()
	}
	r.start()
	o.wait("the explorer to say what it waits for", func() bool {
		return strings.Contains(o.status.Text, "waiting for a pose on /odometry/filtered")
	})
	if o.speed() > 1e-3 {
		t.Errorf("the robot drives without a pose: %v", o)
	}
	tell()
	o.driving()
	r.kill(ekf.DefaultName)
	o.standing()
	o.wait("a fault", func() bool { return o.state() == mission.StateFault })
	r.start(ekf.DefaultName)
	tell()
	o.finish()
	t.Logf("%v", o)
	if o.astray > mostAstray {
		t.Errorf("the robot was %.1f m outside of the field", o.astray)
	}
	r.stop()
	r.check()
}

// TestHeadingByDriving has a robot whose filter has no heading find it by a drive, over DDS,
// and do its mission.
func TestHeadingByDriving(t *testing.T) {
	r := newRobot(t, 10, func(c *simulation.Config) {
		c.EKF.Heading = "drive"
		c.Explorer.HeadingDrive = 9
		c.Fieldsim.Start = []float64{30, 30, 2.5}
	})
	o := r.observe()
	r.start()
	o.wait("the drive", func() bool { return strings.Contains(o.status.Text, "finding the heading: 1.") })
	if o.poses > 0 {
		t.Errorf("%d poses were heard before the drive: %v", o.poses, o)
	}
	o.driving()
	if o.astray > 0 {
		t.Errorf("the robot was %.1f m outside of the field", o.astray)
	}
	r.stop()
}
