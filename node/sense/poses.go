// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

func (s *Sense) openPoses() (err error) {
	switch s.cfg.Source {
	case Odometry:
		s.poseTopic, err = ros.Subscribe(s.node, "odometry/filtered", ros.SensorStream(), s.onOdometry)
	case TF:
		if s.tf, err = listenTF(s.node, s.cfg.Frame, s.cfg.BaseFrame, s.cfg.PoseDelay, s.onTransform); err != nil {
			return err
		}
		s.poseTopic, err = ros.SubscribeRetained(s.node, "pose", ros.SensorStream(), s.onBelief)
	default:
		s.poseTopic, err = ros.SubscribeRetained(s.node, "pose", ros.SensorStream(), s.onPose)
	}
	return err
}

// Positions calls fn with each pose on the topic pose whose heading is unknown.
func (s *Sense) Positions(fn func(localization.Pose)) (*ros.Subscription, error) {
	return ros.Subscribe(s.node, "pose", ros.SensorData(), func(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
		pose, err := convert.PlanarPose(s.node.Measured(m.Header.Stamp, s.cfg.PoseDelay), &m.Pose)
		if err == nil && m.Header.FrameID == s.cfg.Frame && !pose.HeadingKnown() {
			fn(pose)
		}
	})
}

func (s *Sense) onOdometry(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	v := &m.Twist.Twist.Linear
	speed := math.Copysign(math.Hypot(v.X, v.Y), v.X) // an omnidirectional robot drives sideways, too
	if !num.Finite(speed) {
		s.counts.Poses++
		s.refuse(errSpeed)
		return
	}
	pose, ok := s.accept(m.Header.FrameID, s.node.Measured(m.Header.Stamp, s.cfg.PoseDelay), &m.Pose)
	if ok && s.isNewest(pose) {
		s.take(pose, s.motion.measured(pose, speed))
	}
}

func (s *Sense) onPose(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	pose, ok := s.accept(m.Header.FrameID, s.node.Measured(m.Header.Stamp, s.cfg.PoseDelay), &m.Pose)
	if ok && s.isNewest(pose) {
		s.take(pose, s.motion.inferred(pose))
	}
}

// onBelief handles a pose whose covariance is used for the poses from /tf. Its stamp may be old: a
// localisation that publishes its pose when the robot moves publishes nothing while it stands.
func (s *Sense) onBelief(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	if pose, ok := s.read(m.Header.FrameID, s.node.Measured(m.Header.Stamp, s.cfg.PoseDelay), &m.Pose, nil); ok {
		s.tf.track.addBelief(pose)
	}
}

// onTransform handles a pose by /tf. The error says why it is not used.
func (s *Sense) onTransform(at located) error {
	pose := at.Pose
	err := s.current(&s.poseStamps, pose.Stamp)
	if err != nil {
		s.counts.Poses++
	} else {
		err = s.check(&pose)
	}
	if err != nil {
		s.warnPose.Warn("a pose is not used", "error", err.Error())
		return err
	}
	switch {
	case !s.isNewest(pose):
	case at.Continuous:
		s.motion.speed, s.motion.last, s.motion.started = at.Speed, pose.Stamp, true
		s.take(pose, at.Metres)
	default:
		s.take(pose, s.motion.inferred(pose))
	}
	return nil
}

// accept reads a pose, which must be current.
func (s *Sense) accept(frame string, stamp int64, m *geometry_msgs.PoseWithCovariance) (localization.Pose, bool) {
	s.poses.Stamped(stamp)
	return s.read(frame, stamp, m, &s.poseStamps)
}

// read reads a pose and checks it, its stamp against others if there are any. An unusable one is
// counted and named in the log.
func (s *Sense) read(frame string, stamp int64, m *geometry_msgs.PoseWithCovariance, stamps *ros.Stamps) (localization.Pose, bool) {
	where := s.elsewhere
	if frame != s.cfg.Frame {
		where = &watch.FrameError{Frame: frame, Want: s.cfg.Frame}
	}
	if where != nil {
		s.counts.Frames++
		s.refuse(where)
		return localization.Pose{}, false
	}
	pose, err := convert.PlanarPose(stamp, m)
	if err == nil && stamps != nil {
		err = s.current(stamps, stamp)
	}
	if err != nil {
		s.counts.Poses++
	} else if err = s.check(&pose); err == nil && !s.cfg.Headless && !pose.HeadingKnown() {
		s.counts.Poses++
		err = errNoHeading
	}
	if err != nil {
		s.refuse(err)
	}
	return pose, err == nil
}

// current checks that a pose is current. An old one must not drive a robot; in simulated time, poses may
// merely be late.
func (s *Sense) current(stamps *ros.Stamps, stamp int64) error {
	now := s.node.Now()
	if err := stamps.Check(stamp, now); err != nil {
		return err
	}
	if age := time.Duration(now - stamp); age > ros.Duration(s.cfg.PoseTimeout) && !s.cfg.Headless && !s.node.FollowsClock() {
		return fmt.Errorf("its stamp is %s older than its arrival, but a pose may be at most %.3g s old (pose.timeout): the localisation is too slow, or the clock of its "+
			"sender is behind that of this computer: synchronise them%s", ros.Seconds(age), s.cfg.PoseTimeout, ros.OrAdd(poseDelay, -age))
	}
	return nil
}

// refuse reports a pose that is not used.
func (s *Sense) refuse(err error) {
	s.poses.Refused(err)
	s.warnPose.Warn("a pose is not used", "error", err.Error())
}

// check checks the covariance of a pose, and replaces one of zeros if configured. The error says
// why the pose cannot be used.
func (s *Sense) check(pose *localization.Pose) error {
	err := s.checker.CheckPose(pose)
	var bad *localization.CovarianceError
	if errors.As(err, &bad) {
		switch bad.Kind {
		case localization.ZeroCovariance:
			err = errZeroCovariance
		case localization.TooLarge:
			s.told.Lost(pose)
			s.motion.broken = true
			x, y, most := math.Sqrt(pose.Cov[0][0]), math.Sqrt(pose.Cov[1][1]), s.cfg.Covariance.MaxPositionStdDev
			if max(x, y) > most { // otherwise another entry is too large
				err = fmt.Errorf("its position is too uncertain: the standard deviation is %.3g m in x and %.3g m in y, but at most %g m is allowed on this field: wait for better fixes, drive the robot some metres by hand, or send /initialpose", x, y, most)
			}
		}
	}
	s.refusal = err
	return err
}

// isNewest passes a usable pose to the matchers, and reports whether it is newer than all before:
// an older one has no other use.
func (s *Sense) isNewest(pose localization.Pose) bool {
	for _, in := range s.inputs {
		in.pose(pose)
	}
	newest, ok := s.reading.matcher.Newest()
	return ok && newest.Stamp == pose.Stamp
}

// take stores the newest pose, and the distance driven to it, m.
func (s *Sense) take(pose localization.Pose, metres float64) {
	first := !s.hasPose
	s.at, s.hasPose = pose, true
	s.posing.Came()
	s.told.Located(pose, first)
	for _, in := range s.inputs {
		in.gather(in.matched)
	}
	s.told.Moved(metres)
}
