// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"log/slog"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// DrivenBy is the age of a pose with which a robot can be driven: the follower stops with an older one.
const DrivenBy = 500 * time.Millisecond

// poseDelay is the parameter with Config.PoseDelay.
const poseDelay = "pose.delay"

// Names of the checks of poses and readings.
const (
	PoseCheck       = "pose"
	TFCheck         = "pose on /tf"
	CovarianceCheck = "covariance of the pose"
	ReadingCheck    = "reading"
	SecondaryCheck  = "secondary"
	AlsoCheck       = "also " // and the topic of another quantity
)

// WatchPoses starts the checks of where poses come from. untilDone returns WantNothing when poses
// are not wanted any more.
func (s *Sense) WatchPoses(w *watch.Watch, untilDone func(watch.Want) watch.Want) {
	over := func() bool { return untilDone(watch.WantMatch) == watch.WantNothing }
	expect := watch.Expect{Name: PoseCheck, What: "a pose", Delay: poseDelay, Reasons: true, Want: func() watch.Want { return untilDone(watch.WantMessages) }}
	if !s.cfg.Headless {
		expect.Age = DrivenBy
	}
	switch s.cfg.Source {
	case TF:
		expect.Age = 0
		w.Condition(TFCheck, slog.LevelWarn, func() string {
			if over() {
				return ""
			}
			return s.tf.missing()
		})
		expect.Name, expect.What = CovarianceCheck, "a pose with covariance"
		expect.Want = func() watch.Want {
			if s.tf.track.believes() { // the next may come only when the robot has moved
				return untilDone(watch.WantMatch)
			}
			return untilDone(watch.WantMessages)
		}
	case Pose:
		w.Condition("source of the pose", slog.LevelWarn, func() string {
			if over() {
				return ""
			}
			return s.rare()
		})
	}
	s.poses = w.Input(s.poseTopic, expect)
	w.OneSender(watch.Sensor{What: "poses", Topics: []*ros.Subscription{s.poseTopic}})
}

// WrongStamps says that poses come, with stamps by which no robot can be driven, or "".
func (s *Sense) WrongStamps() string {
	if s.poses.Status().State != ugp_explorer_msgs.InputStatusStateStamps {
		return ""
	}
	return s.poses.Why()
}

// rare names a localisation that publishes its pose too seldom for pose.source pose.
func (s *Sense) rare() string {
	if s.hasPose && s.node.Now()-s.at.Stamp < int64(ros.Duration(s.cfg.PoseTimeout)) {
		return ""
	}
	topic := s.poseTopic.Info()
	for _, o := range s.node.Endpoints(topic.Name) {
		if o.Kind == ros.PublisherEnd && o.Type == topic.Type && o.QoS.TransientLocal {
			return o.Owner() + " publishes its pose on " + topic.Name + " with transient-local durability, as AMCL does, which publishes only after the robot has moved: " +
				"set pose.source to tf (pose_source:=tf in explore.launch.py), so that the pose comes from /tf and its covariance from there"
		}
	}
	return ""
}

// oldestReading is the greatest normal age of a reading's stamp, for slow probes. An older
// reading has no pose any more: see localization.PoseBuffer.
const oldestReading = 20 * time.Second

// WatchReadings starts the checks of the topics of readings. untilDone returns WantNothing when readings
// are not wanted any more.
func (s *Sense) WatchReadings(w *watch.Watch, untilDone func(watch.Want) watch.Want) {
	s.reading.watch(w, ReadingCheck, untilDone)
	if s.secondary != nil {
		s.secondary.watch(w, SecondaryCheck, untilDone)
	}
	for _, in := range s.also {
		in.watch(w, AlsoCheck+in.cfg.Topic, untilDone)
	}
}

// WhyNoReading says what is wrong with the topic of readings, "" if nothing is.
func (s *Sense) WhyNoReading() string { return s.reading.watched.Told() }

// WhyNoPose says why there are no poses now.
func (s *Sense) WhyNoPose() string {
	if s.tf != nil {
		if why := s.tf.missing(); why != "" {
			return why
		}
	}
	return s.poses.Why()
}
