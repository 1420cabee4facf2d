// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pilot

import (
	"log/slog"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// Watch starts the checks for other nodes that may drive the robot. unlessOver returns a check that finds no problem once the mission is
// over.
func (p *Pilot) Watch(w *watch.Watch, unlessOver func(check func() string) func() string) {
	w.Condition("other goals", slog.LevelDebug, p.otherGoals)
	w.Condition("guard's input", slog.LevelWarn, unlessOver(p.guard.Missing))
}

// Rival returns a message if a second explorer sends goals to the same robot.
func (p *Pilot) Rival() string {
	for _, o := range p.Driver.Others() {
		if IsExplorer(p.node, o.Node) {
			return "there are two explorers: " + o.Node + " sends goals on " + o.Name + " too; stop one or give it another namespace"
		}
	}
	return ""
}

// otherGoals names another node that may send goals. This is only a note on /diagnostics: RViz's goal tool exists wherever RViz runs.
// Clients of the action are reported only while their goal is under way.
func (p *Pilot) otherGoals() string {
	if p.Driver.ByAction() {
		if action := p.Driver.OthersGoal(); action != "" {
			return "a goal of another client is active on " + action
		}
		return ""
	}
	for _, o := range p.Driver.Others() {
		if !IsExplorer(p.node, o.Node) {
			return o.Owner() + " may send goals on " + o.Name + " too"
		}
	}
	return ""
}

// IsExplorer reports whether a node publishes a mission status.
func IsExplorer(at *ros.Node, node string) bool {
	missionStatus := (&ugp_explorer_msgs.MissionStatus{}).TypeName()
	for _, o := range at.Endpoints("") {
		if node != "" && o.Node == node && o.Kind == ros.PublisherEnd && o.Type == missionStatus {
			return true
		}
	}
	return false
}
