// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros/param"
)

// fixRole finds NavSatFix by itself, and the positions in the map that the filter also
// takes only if they are named.
func fixRole(given string) role {
	return role{"position fixes", "--fix-topic", given, "/fix", "/gps/fix", nil, []string{navSatType, poseType}, func(t bag.Topic) bool {
		return usable(t) && (t.Type == navSatType && !strings.HasSuffix(t.Name, "/datum") || given != "" && t.Type == poseType)
	}}
}

func isIMU(t bag.Topic) bool { return usable(t) && t.Type == imuType }

// isWheels reports whether a topic may have wheel odometry.
func isWheels(t bag.Topic) bool { return isPose(t) && t.Type == odometryType }

// poses returns the topic of the poses, and notes about them. Without one in the bag the source gets a filter that
// computes them, with the given parameters, from wheel odometry and position fixes, or from fixes alone.
func (s *Source) poses(cfg *Config, given *param.Overrides) (pose bag.Topic, notes []string, err error) {
	if cfg.Pose != "" && cfg.filters() {
		return pose, nil, fmt.Errorf("%s is %s, so no filter runs: leave out --odom-topic, --fix-topic and --imu-topic", poseFlag, cfg.Pose)
	}
	if !s.Filters(cfg) {
		scratch := cfg.EKF // a wrong parameter is an error, though no filter runs
		if err := apply(given, ekf.DefaultName, scratch.Parameters()); err != nil {
			return pose, nil, err
		}
		pose, err := s.recordedPoses(cfg)
		return pose, nil, err
	}
	f := &filter{cfg: cfg.EKF, given: given, datum: cfg.Explorer.Field.Datum}
	fix, err := s.find(fixRole(cmp.Or(cfg.Fix, cfg.Pose)))
	if err != nil {
		return pose, nil, err
	}
	f.inputs = []filterInput{{fix, "fix"}}
	alone := cfg.Pose != "" || fix.Type == navSatType && cfg.Odom == "" && !slices.ContainsFunc(s.Topics, isWheels)
	if !alone {
		odom, err := s.find(role{"wheel odometry", "--odom-topic", cfg.Odom, "/odom", "", nil, []string{odometryType}, isWheels})
		if err != nil {
			return pose, nil, err
		}
		f.inputs = append([]filterInput{{odom, "odom"}}, f.inputs...)
		imu := cfg.IMU != "" || slices.ContainsFunc(s.Topics, isIMU)
		switch m := s.motion(odom); {
		case !m.speedOnly():
		case m.turns || imu:
			f.cfg.Odometry = "twist"
			notes = append(notes, fmt.Sprintf("the odometry on %s states speeds and no positions: the filter uses its speeds, as with -p ekf:odometry:=twist", odom.Name))
		case cfg.Odom == "" && fix.Type == navSatType:
			notes = append(notes, fmt.Sprintf("the odometry on %s states neither positions nor turn rates, and is not used", odom.Name))
			f.inputs, alone = f.inputs[1:], true
		}
	}
	if alone {
		f.topic = fix.Name
		notes = append(notes, fmt.Sprintf("the fixes on %s are the poses, with the covariance that the receiver states, and without a heading", fix.Name))
		_, _, err = f.settings()
		s.filter = f
		return bag.Topic{Name: f.topic, Type: poseType, Format: "cdr", Count: fix.Count}, notes, err
	}
	if fix.Type == poseType {
		f.inputs[1].to = "fix_pose"
	}
	if cfg.IMU != "" || slices.ContainsFunc(s.Topics, isIMU) {
		imu, err := s.find(role{"yaw rates", "--imu-topic", cfg.IMU, "/imu", "/imu/data", nil, []string{imuType}, isIMU})
		if err != nil {
			return pose, nil, err
		}
		f.inputs = append(f.inputs, filterInput{imu, "imu"})
		if t, ok := s.topic(tfStaticTopic); ok && t.Type == tfType && usable(t) {
			f.inputs = append(f.inputs, filterInput{t, tfStaticTopic})
		}
	}
	settings, _, err := f.settings()
	if err != nil {
		return pose, nil, err
	}
	if i := slices.IndexFunc(s.Topics, isInitialPose); i >= 0 {
		if len(settings.Datum) > 0 || fix.Type == poseType {
			f.inputs = append(f.inputs, filterInput{s.Topics[i], "initialpose"})
		} else {
			notes = append(notes, fmt.Sprintf("%s is not used: it is a place on a map whose origin is unknown; give it with --datum", s.Topics[i].Name))
		}
	}
	notes = append(notes, fmt.Sprintf("the bag has no poses: the filter computes them from %s", f.names()))
	f.topic, s.filter = filteredTopic, f
	return bag.Topic{Name: f.topic, Type: odometryType, Format: "cdr", Count: f.inputs[0].Count}, notes, nil
}

// recordedPoses returns the topic of poses in the bag.
func (s *Source) recordedPoses(cfg *Config) (bag.Topic, error) {
	r := poseRole(cfg.Pose, cfg.Explorer.PoseSource, cfg.Explorer.Record.Also)
	if !slices.ContainsFunc(s.Topics, isPose) {
		r.fits = isBarePose
	}
	t, err := s.find(r)
	switch {
	case err != nil:
		return t, err
	case t.Type == poseStampedType:
		s.bare, t.Type = t.Name, poseType
	case t.Type == odometryType && s.motion(t).speedOnly():
		return t, fmt.Errorf("the position on %s stays the same while its speed is not zero: its publisher fills in only the speed, so the positions are unknown; use a bag that also has the fixes of a receiver", t.Name)
	}
	return t, nil
}

// filters reports whether a topic is given that only a filter uses.
func (cfg *Config) filters() bool { return cfg.Odom != "" || cfg.Fix != "" || cfg.IMU != "" }

// Filters reports whether a replay of the source computes the poses, from fixes at least.
func (s *Source) Filters(cfg *Config) bool {
	if t, ok := s.topic(cfg.Pose); ok {
		return t.Type == navSatType && usable(t)
	}
	return cfg.filters() || cfg.Pose == "" && s.needsFilter(cfg.Explorer.Frame)
}

// needsFilter reports whether the bag has fixes of a satellite receiver, and nothing with the
// type of a pose but wheel odometry, which is in a frame of its own.
func (s *Source) needsFilter(frame string) bool {
	return slices.ContainsFunc(s.Topics, fixRole("").fits) && !slices.ContainsFunc(s.Topics, func(t bag.Topic) bool {
		return isPose(t) && (t.Type != odometryType || s.frame(t) == frame || strings.HasSuffix(t.Name, poseRole("", "odometry", nil).own))
	})
}

// motion is what odometry says about motion.
type motion struct {
	moves, turns bool
	speeds       int // messages with one
}

// speedOnly reports whether the publisher fills in the velocity and not the pose.
func (m motion) speedOnly() bool { return !m.moves && m.speeds > 10 }

// motion reads odometry until its position changes, but at most that of some minutes.
func (s *Source) motion(t bag.Topic) (m motion) {
	const most = 10_000 // messages
	var first, o nav_msgs.Odometry
	n := 0
	for msg, err := range s.recorded(bag.Query{Topics: []string{t.Name}}) {
		if n == most || m.moves {
			break
		}
		if err != nil || msg.Topic.Type != t.Type || o.UnmarshalCDR(msg.Data) != nil {
			continue // who reads the bag reports it
		}
		if n++; n == 1 {
			first = o
		}
		m.moves = o.Pose.Pose.Position != first.Pose.Pose.Position
		if math.Hypot(o.Twist.Twist.Linear.X, o.Twist.Twist.Linear.Y) > 0.01 {
			m.speeds++
		}
		m.turns = m.turns || o.Twist.Twist.Angular.Z != 0
	}
	return m
}

// frame returns the frame of the first message of a topic of odometry, "" if there is none.
func (s *Source) frame(t bag.Topic) string {
	for m, err := range s.recorded(bag.Query{Topics: []string{t.Name}}) {
		if errors.As(err, new(*bag.Problem)) {
			continue
		}
		var o nav_msgs.Odometry
		if err != nil || m.Topic.Type != t.Type || o.UnmarshalCDR(m.Data) != nil {
			return ""
		}
		return o.Header.FrameID
	}
	return ""
}
