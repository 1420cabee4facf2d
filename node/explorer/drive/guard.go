// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"cmp"
	"fmt"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// Guard is what is heard of the guard, which keeps the robot inside its field. Use it only from its node's executor.
type Guard struct {
	node   *ros.Node
	said   ugp_explorer_msgs.GuardStatus // last
	at     int64                         // when, node's time, ns; 0: there is none
	grace  ros.Grace                     // what is late in fast simulated time may still come
	needs  float64                       // how far inside the outline a place must be for the guard to let the robot there and back, m
	always float64                       // the most that it was while fixes err by far more than usual, since the mission began, m
}

// guardSilence is the time without a word of the guard after which it is gone. It says something each second.
const guardSilence = 3 * time.Second

// ListenGuard listens for a guard.
func ListenGuard(node *ros.Node) (*Guard, error) {
	g := &Guard{node: node, grace: node.NewGrace(guardSilence)}
	_, err := ros.Subscribe(node, "guard/status", ros.Latched(), g.onStatus)
	return g, err
}

func (g *Guard) onStatus(m *ugp_explorer_msgs.GuardStatus, _ ros.MessageInfo) {
	g.at = g.node.Now()
	g.grace.Came()
	g.said = *m
	if needs := m.TargetInset; needs > g.needs || needs < 0.9*g.needs { // it varies from fix to fix, and is NaN while it is not known
		g.needs = needs
	}
	if always := m.TargetInsetAlways; always > g.always { // a receiver that was worse once will be so again
		g.always = always
	}
}

// Trouble returns what a person should know of the guard, or "". Helpless reports whether it does not let the
// robot drive before a person has looked at it.
func (g *Guard) Trouble() (text string, helpless bool) {
	if g.said.Level == ugp_explorer_msgs.GuardStatusLevelOK || g.Gone() != "" {
		return "", false
	}
	return "the guard " + g.said.Text, g.said.Level == ugp_explorer_msgs.GuardStatusLevelError
}

// Stops returns what the guard says while the robot stands because of it, or "". While it holds the robot because the mission
// is not under way, it is not the guard.
func (g *Guard) Stops() string {
	stands := g.said.State == ugp_explorer_msgs.GuardStatusStateStops || g.said.State == ugp_explorer_msgs.GuardStatusStateHolds
	if !stands || g.said.Reason == ugp_explorer_msgs.GuardStatusReasonMission || g.Gone() != "" {
		return ""
	}
	return "the guard " + g.said.Text
}

// Fence returns what the guard says while it would stop the robot where it is unless it drives away from the edges, or "". Fixes that may
// still come back within a minute are no reason to.
func (g *Guard) Fence() string {
	switch g.said.FenceReason {
	case ugp_explorer_msgs.GuardStatusReasonEdge, ugp_explorer_msgs.GuardStatusReasonDoubt, ugp_explorer_msgs.GuardStatusReasonUnmoved:
		if g.Gone() == "" {
			return "the guard " + g.said.Text
		}
	}
	return ""
}

// Lets reports whether the guard is there, and would let the robot drive where it wants.
func (g *Guard) Lets() bool {
	return g.said.FenceReason == ugp_explorer_msgs.GuardStatusReasonNone && g.Lacks() == ""
}

// AtEdge reports whether the robot may be too near to an edge for its guard, which is in no doubt about where it is.
func (g *Guard) AtEdge() bool { return g.said.FenceReason == ugp_explorer_msgs.GuardStatusReasonEdge }

// Needs returns how far inside the outline a place must be for the guard to let the robot there and back, m.
func (g *Guard) Needs() float64 { return g.needs }

// NeedsAlways returns the same while fixes err by far more than usual, m.
func (g *Guard) NeedsAlways() float64 { return max(g.needs, g.always) }

// Fixes returns the largest standard deviation that the position fixes have stated lately, 0 while that is not known, and
// the guard's allowance, m.
func (g *Guard) Fixes() (stdDev, allowance float64) {
	if !(g.said.FixStddev > 0) {
		return 0, 0
	}
	return g.said.FixStddev, g.said.Allowance
}

// Started takes up that a mission begins: what a receiver needed while it warmed up counts no more.
func (g *Guard) Started() {
	if g.always = 0; g.said.TargetInsetAlways > 0 {
		g.always = g.said.TargetInsetAlways
	}
}

// ClockChanged is called after the clock was shifted by a number of ns.
func (g *Guard) ClockChanged(by int64) {
	if g.Heard() {
		g.at += by
	}
}

// Heard reports whether a guard has ever said something.
func (g *Guard) Heard() bool { return g.at != 0 }

// Gone says that a guard that was there is gone, or "".
func (g *Guard) Gone() string {
	age := time.Duration(g.node.Now() - g.at)
	if !g.Heard() || age <= guardSilence || g.grace.Lasts() {
		return ""
	}
	return fmt.Sprintf("the guard has been silent for %v, so that nothing keeps the robot inside its field: start the guard again", age.Round(time.Second))
}

// Lacks says that a guard is needed which is not there, or "".
func (g *Guard) Lacks() string { return cmp.Or(g.Gone(), g.Missing()) }

// Blind returns what the guard says while it knows too little of the robot to let it drive, or "".
func (g *Guard) Blind() string {
	if r := g.said.FenceReason; r != ugp_explorer_msgs.GuardStatusReasonNoFix && r != ugp_explorer_msgs.GuardStatusReasonNoOdometry {
		return ""
	}
	return "the guard " + g.said.Text
}

// Missing says that velocities for a guard reach none, or "".
func (g *Guard) Missing() string {
	topic, err := g.node.Resolve("cmd_vel_in")
	if err != nil {
		return ""
	}
	sends, takes := ends(g.node, topic)
	if sends == "" || takes != "" {
		return ""
	}
	return sends + " sends velocities on " + topic + ", and no guard takes them: start the guard, or let velocities go to the robot"
}
