package ekf

import (
	"fmt"
	"math"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
)

// mostStanding is the motion, m and rad together, that odometry's velocity may tell
// of while its pose stands.
const mostStanding = 1

// standing looks for odometry whose pose nobody fills in.
type standing struct {
	pose   geometry_msgs.Pose // the last
	stamp  int64              // its stamp, ns; 0: none yet
	motion float64            // since the pose last changed, by the velocity
}

// check returns an error when the pose stands still while the velocity does not: by
// such poses the robot would be taken to stand.
func (s *standing) check(stamp int64, m *nav_msgs.Odometry) error {
	dt := float64(stamp-s.stamp) * 1e-9
	v := &m.Twist.Twist
	step := (math.Hypot(v.Linear.X, v.Linear.Y) + math.Abs(v.Angular.Z)) * dt
	if m.Pose.Pose != s.pose || s.stamp == 0 || !(dt > 0 && dt < 1) || math.IsNaN(step) {
		step, s.motion = 0, 0
	}
	s.pose, s.stamp, s.motion = m.Pose.Pose, stamp, s.motion+step
	if s.motion > mostStanding {
		return fmt.Errorf("the odometry's pose stands still at (%g, %g) while its velocity is not zero: if nobody fills in the pose, set the parameter odometry to %s",
			s.pose.Position.X, s.pose.Position.Y, odomTwist)
	}
	return nil
}
