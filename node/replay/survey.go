// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
)

// survey collects, by the explorer's rules, what a replay must know about a topic of poses beforehand.
type survey struct {
	cfg     *settings.Config
	topic   bag.Topic
	frame   string           // the configured frame_id if any message has it, otherwise that of the first message
	frames  map[string]int64 // messages by frame
	used    int64
	reason  error      // reason for refusing the last refused pose
	last    int64      // stamp of the last used pose, ns
	periods []float64  // between the stamps of used poses, s
	ages    [2]float64 // least and largest of the stamps at their record times, s
	path    path       // positions that are at least 1 m from the one before
	drift   drift
	checker *localization.Checker
	keep    bool  // keep the used poses
	begin   int64 // record time of the bag's first message, ns
	poses   []RecordedPose

	problems []string // found while the messages were read
}

// surveyPoses reads the poses of a topic from one record time to another. The error explains why none can
// be used.
func surveyPoses(s *Source, topic bag.Topic, cfg *settings.Config, from, to int64, keep bool, progress func(share float64) error) (*survey, error) {
	checker, err := localization.NewChecker(cfg.Sense().Covariance)
	if err != nil {
		return nil, err
	}
	v := &survey{cfg: cfg, topic: topic, frames: map[string]int64{}, checker: checker, keep: keep, begin: s.Start}
	n := 0
	for m, err := range s.missionMessages(bag.Query{Start: from, End: to, Topics: []string{topic.Name}}) {
		var p *bag.Problem
		switch {
		case errors.As(err, &p):
			v.problems = append(v.problems, p.Error())
			continue
		case err != nil:
			return nil, err
		}
		if m.Topic.Type == topic.Type {
			v.pose(m)
		}
		if n++; progress != nil && n%1024 == 0 {
			share := float64(m.LogTime-s.Start) / float64(max(s.End-s.Start, 1))
			if err := progress(min(max(share, 0), 1)); err != nil {
				return nil, err
			}
		}
	}
	wheels := strings.Contains(v.frame, "odom")
	switch {
	case s.filter != nil && len(v.frames) == 0:
		return nil, errors.New(s.filter.silent())
	case v.used == 0:
		return nil, fmt.Errorf("no pose can be used: %s", v.refused())
	case v.frame != cfg.Frame && (s.bare == "" || wheels):
		if err := v.drift.check(v.frame, v.topic.Name); err != nil {
			return nil, err
		}
		if wheels && (cfg.Field.File != "" || len(cfg.Field.Datum) > 0) {
			return nil, fmt.Errorf("the poses on %s are in the frame %q, whose origin is where the wheels began to count, so they are not places on the given outline or datum: "+
				"use a bag that also has the fixes of a receiver, or leave out the outline and the datum for a map in that frame; %s", v.topic.Name, v.frame, orMap(v.frame))
		}
	}
	return v, nil
}

// decodePose returns what messages of both types of poses state.
func decodePose(typ string, data []byte) (std_msgs.Header, geometry_msgs.PoseWithCovariance, error) {
	if typ == poseType {
		var m geometry_msgs.PoseWithCovarianceStamped
		err := m.UnmarshalCDR(data)
		return m.Header, m.Pose, err
	}
	var m nav_msgs.Odometry
	err := m.UnmarshalCDR(data)
	return m.Header, m.Pose, err
}

func (v *survey) pose(m *bag.Message) {
	header, msg, err := decodePose(m.Topic.Type, m.Data)
	if err != nil {
		v.reason = err
		return
	}
	v.frames[header.FrameID]++
	switch {
	case len(v.frames) == 1:
		v.frame = header.FrameID
	case header.FrameID == v.cfg.Frame && v.frame != header.FrameID: // the configured frame exists after all
		*v = survey{cfg: v.cfg, topic: v.topic, frame: header.FrameID, frames: v.frames, checker: v.checker, keep: v.keep, begin: v.begin, problems: v.problems}
	}
	if header.FrameID != v.frame {
		return
	}
	pose, err := convert.PlanarPose(ros.TimeNs(header.Stamp), &msg)
	if err == nil {
		err = v.checker.CheckPose(&pose)
	}
	if err != nil {
		v.reason = err
		return
	}
	if v.keep {
		v.poses = append(v.poses, RecordedPose{Pose: pose, At: num.Seconds(m.LogTime - v.begin)})
	}
	age := time.Duration(m.LogTime - pose.Stamp).Seconds()
	if v.used == 0 {
		v.ages = [2]float64{age, age}
	}
	v.ages = [2]float64{min(v.ages[0], age), max(v.ages[1], age)}
	if v.used++; v.used > 1 && pose.Stamp >= v.last {
		v.periods = append(v.periods, time.Duration(pose.Stamp-v.last).Seconds())
	}
	v.last = max(v.last, pose.Stamp)
	if n := len(v.path); n == 0 || math.Hypot(pose.X-v.path[n-2], pose.Y-v.path[n-1]) >= 1 { // smaller steps may be jitter
		if n > 0 {
			v.drift.driven += math.Hypot(pose.X-v.path[n-2], pose.Y-v.path[n-1])
		}
		v.path = append(v.path, pose.X, pose.Y)
	}
	v.drift.add(&pose)
}

// refused describes how many poses are not used, why, and what helps.
func (v *survey) refused() string {
	other := int64(0)
	for f, n := range v.frames {
		if f != v.frame {
			other += n
		}
	}
	text := fmt.Sprintf("%d of %d messages on %s are used", v.used, v.topic.Count, v.topic.Name)
	if other > 0 {
		text += fmt.Sprintf("; %d are in a frame other than %q", other, v.frame)
	}
	if v.reason != nil {
		text += "; reason of the last refusal: " + v.reason.Error()
	}
	if v.checker.Counts().ByKind[localization.ZeroCovariance] > 0 {
		text += "; -p pose.zero_stddev:=0.5 replaces covariances of zero with a standard deviation in metres"
	}
	return text
}
