// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"fmt"
	"math"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
)

// mostStanding is the largest motion, m and rad together, that the odometry's velocity
// may show while its pose does not change.
const mostStanding = 1

// standing detects odometry whose publisher does not fill in the pose.
type standing struct {
	pose   geometry_msgs.Pose // the last
	stamp  int64              // its stamp, ns; 0: none yet
	motion float64            // integral of the velocity since the pose last changed
}

// check returns an error when the pose is empty, or does not change although the velocity is not
// zero. With such poses the filter would believe that the robot stands still.
func (s *standing) check(stamp int64, m *nav_msgs.Odometry) error {
	if m.Pose.Pose == (geometry_msgs.Pose{}) {
		return fmt.Errorf("the odometry's pose is empty, its orientation, too: if its publisher does not fill in the pose, set the parameter odometry to %s", odomTwist)
	}
	dt := float64(stamp-s.stamp) * 1e-9
	v := &m.Twist.Twist
	step := (math.Hypot(v.Linear.X, v.Linear.Y) + math.Abs(v.Angular.Z)) * dt
	if m.Pose.Pose != s.pose || s.stamp == 0 || !(dt > 0 && dt < 1) || math.IsNaN(step) {
		step, s.motion = 0, 0
	}
	s.pose, s.stamp, s.motion = m.Pose.Pose, stamp, s.motion+step
	if s.motion > mostStanding {
		return fmt.Errorf("the odometry's pose stays at (%g, %g) while its velocity is not zero: if its publisher sets no pose, set the parameter odometry to %s",
			s.pose.Position.X, s.pose.Position.Y, odomTwist)
	}
	return nil
}
