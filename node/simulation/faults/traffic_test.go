// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/guard"
)

// traffic counts messages, so that a node that floods the graph is noticed.
type traffic struct {
	sent   map[string]int // by sender and topic, since
	since  float64        // s
	decode struct {
		odometry nav_msgs.Odometry
		posed    geometry_msgs.PoseWithCovarianceStamped
		twist    geometry_msgs.Twist
		goal     geometry_msgs.PoseStamped
		path     nav_msgs.Path
		number   std_msgs.Float64
		observed ugp_explorer_msgs.FieldObservation
		status   ugp_explorer_msgs.MissionStatus
		reading  ugp_explorer_msgs.FieldReading
		log      rcl_interfaces.Log
		guard    diagnostic_msgs.DiagnosticStatus
	}
}

const (
	// floodWindow is the time over which messages are counted, s, and floodRate the largest
	// rate of any topic, Hz.
	floodWindow = 20.0
	floodRate   = 40.0
)

// sent is told of each message that a node sends.
func (v *watcher) sent(from, topic string, cdr []byte) {
	d := &v.traffic.decode
	v.count(from, topic)
	switch topic {
	case "/rosout":
		if d.log.UnmarshalCDR(cdr) == nil {
			v.note("%s: %s", d.log.Name, d.log.Msg)
		}
	case "/ground_truth/odom":
		if d.odometry.UnmarshalCDR(cdr) == nil {
			v.moved(&d.odometry)
		}
	case "/odometry/filtered":
		m := &d.odometry
		if m.UnmarshalCDR(cdr) == nil {
			v.finite(topic, m.Pose.Pose, m.Twist.Twist.Linear.X, m.Twist.Twist.Linear.Y, m.Twist.Twist.Angular.Z)
			v.finiteAll(topic, m.Pose.Covariance[:])
		}
	case "/pose":
		if m := &d.posed; m.UnmarshalCDR(cdr) == nil {
			v.finite(topic, m.Pose.Pose)
			v.finiteAll(topic, m.Pose.Covariance[:])
		}
	case "/cmd_vel", "/cmd_vel_in":
		if m := &d.twist; m.UnmarshalCDR(cdr) == nil {
			v.finiteAll(topic, []float64{m.Linear.X, m.Linear.Y, m.Linear.Z, m.Angular.X, m.Angular.Y, m.Angular.Z})
		}
	case "/goal_pose", "/" + explorer.DefaultName + "/goal_pose":
		if m := &d.goal; m.UnmarshalCDR(cdr) == nil {
			v.finite(topic, m.Pose)
		}
	case "/plan", "/" + explorer.DefaultName + "/plan":
		if from == "/"+explorer.DefaultName && d.path.UnmarshalCDR(cdr) == nil {
			v.planned(topic, &d.path)
		}
	case "/heading_drive":
		if d.number.UnmarshalCDR(cdr) == nil {
			v.finiteAll(topic, []float64{d.number.Data})
		}
	case "/" + explorer.DefaultName + "/observation":
		if d.observed.UnmarshalCDR(cdr) == nil {
			v.acknowledge(&d.observed)
		}
	case "/" + guard.DefaultName + "/status":
		if d.guard.UnmarshalCDR(cdr) == nil && !strings.HasPrefix(d.guard.Message, "passes") {
			v.harmed |= harmMotion // it drives slower than it was told
		}
	case "/" + explorer.DefaultName + "/status":
		if d.status.UnmarshalCDR(cdr) == nil {
			v.told(&d.status)
		}
	}
}

// arrived is told of each message that comes through.
func (v *watcher) arrived(topic string, cdr []byte) {
	d := &v.traffic.decode
	switch topic {
	case "/odometry/filtered":
		if d.odometry.UnmarshalCDR(cdr) == nil {
			v.located(&d.odometry)
		}
		if v.trial.config.Explorer.PoseSource == "odometry" {
			v.mission.poseAt = v.seconds()
		}
	case "/pose":
		if v.trial.config.Explorer.PoseSource == "pose" {
			v.mission.poseAt = v.seconds()
		}
	case "/cmd_vel":
		if d.twist.UnmarshalCDR(cdr) == nil {
			v.motion.commanded = d.twist.Linear.X
		}
	case "/reading":
		if d.reading.UnmarshalCDR(cdr) == nil {
			v.read(d.reading.Value)
		}
	}
}

// count checks that no node floods a topic.
func (v *watcher) count(from, topic string) {
	t := &v.traffic
	if now := v.seconds(); now > t.since+floodWindow {
		clear(t.sent)
		t.since = now
	}
	if from == "/"+fieldsim.DefaultName {
		return
	}
	key := from + " " + topic
	if t.sent[key]++; float64(t.sent[key]) > floodRate*floodWindow {
		v.fail("flood", "%s has sent more than %g messages on %s within %g s", from, floodRate*floodWindow, topic, floodWindow)
	}
}

func (v *watcher) finite(topic string, p geometry_msgs.Pose, more ...float64) {
	v.finiteAll(topic, append(more, p.Position.X, p.Position.Y, p.Position.Z, p.Orientation.X, p.Orientation.Y, p.Orientation.Z, p.Orientation.W))
}

func (v *watcher) finiteAll(topic string, list []float64) {
	for _, x := range list {
		if !num.Finite(x) {
			v.fail("finite", "%s has the number %g", topic, x)
			return
		}
	}
}
