// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// Guard receives the status of the guard, which keeps the robot inside its field. Use it only from its node's executor.
type Guard struct {
	node   *ros.Node
	said   ugp_explorer_msgs.GuardStatus // last
	at     int64                         // when, node's time, ns; 0: there is none
	grace  ros.Grace                     // what is late in fast simulated time may still come
	needs  float64                       // how far inside the outline a place must be so that the guard lets the robot drive there and back, m; -Inf: unknown
	always float64                       // the largest value while errors of fixes were far larger than usual, since the mission began, m
}

// guardSilence is the time without a status after which the guard is gone. It publishes one each second.
const guardSilence = 3 * time.Second

// ListenGuard subscribes to the guard's status.
func ListenGuard(node *ros.Node) (*Guard, error) {
	g := &Guard{node: node, grace: node.NewGrace(guardSilence), needs: math.Inf(-1)}
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
	if always := m.TargetInsetAlways; always > g.always { // a receiver that was worse once will be worse again
		g.always = always
	}
}

// Trouble returns what a person should know about the guard, or "".
func (g *Guard) Trouble() string {
	if g.said.Level == ugp_explorer_msgs.GuardStatusLevelOK || g.Gone() != "" {
		return ""
	}
	return "the guard " + g.said.Text
}

// Helpless is Trouble if the guard does not let the robot drive until a person has looked at it, otherwise "".
func (g *Guard) Helpless() string {
	if g.said.Level != ugp_explorer_msgs.GuardStatusLevelError {
		return ""
	}
	return g.Trouble()
}

// Stops returns the guard's reason while the robot stands because of it, or "". A robot that is held because the mission is not under way
// does not stand because of the guard.
func (g *Guard) Stops() string {
	stands := g.said.State == ugp_explorer_msgs.GuardStatusStateStops || g.said.State == ugp_explorer_msgs.GuardStatusStateHolds
	if !stands || g.said.Reason == ugp_explorer_msgs.GuardStatusReasonMission || g.Gone() != "" {
		return ""
	}
	return "the guard " + g.said.Text
}

// Fence returns the guard's reason while it would stop the robot here unless it drives away from the edges, or "". Fixes that may still
// return within a minute are no such reason.
func (g *Guard) Fence() string {
	switch g.said.FenceReason {
	case ugp_explorer_msgs.GuardStatusReasonEdge, ugp_explorer_msgs.GuardStatusReasonDoubt, ugp_explorer_msgs.GuardStatusReasonUnmoved:
		if g.Gone() == "" {
			return "the guard " + g.said.Text
		}
	}
	return ""
}

// Lets reports whether the guard is present and would let the robot drive in any direction.
func (g *Guard) Lets() bool {
	return g.said.FenceReason == ugp_explorer_msgs.GuardStatusReasonNone && g.Lacks() == ""
}

// AtEdge reports whether the robot may be too close to an edge for its guard, while the guard has no doubt about its position.
func (g *Guard) AtEdge() bool { return g.said.FenceReason == ugp_explorer_msgs.GuardStatusReasonEdge }

// Needs returns how far inside the outline a place must be so that the guard lets the robot drive there and back, m: negative for places
// that may be outside, -Inf if no guard has said it.
func (g *Guard) Needs() float64 { return g.needs }

// NeedsAlways returns the same distance for times when errors of fixes are far larger than usual, m.
func (g *Guard) NeedsAlways() float64 { return max(g.needs, g.always) }

// Fixes returns the largest standard deviation that the position fixes have stated lately, 0 while that is not known, and
// the guard's allowance, m.
func (g *Guard) Fixes() (stdDev, allowance float64) {
	if !(g.said.FixStddev > 0) {
		return 0, 0
	}
	return g.said.FixStddev, g.said.Allowance
}

// Started is called when a mission begins: the need while the receiver warmed up is forgotten.
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

// Heard reports whether a status of a guard has ever come.
func (g *Guard) Heard() bool { return g.at != 0 }

// Gone says that a guard that was present is gone, or "".
func (g *Guard) Gone() string {
	age := time.Duration(g.node.Now() - g.at)
	if !g.Heard() || age <= guardSilence || g.grace.Lasts() {
		return ""
	}
	return fmt.Sprintf("the guard has been silent for %v, so nothing keeps the robot inside its field: start the guard again", age.Round(time.Second))
}

// Lacks says that a needed guard is missing, or "".
func (g *Guard) Lacks() string { return cmp.Or(g.Gone(), g.Missing()) }

// Blind returns the guard's reason while it knows too little about the robot to let it drive, or "".
func (g *Guard) Blind() string {
	if r := g.said.FenceReason; r != ugp_explorer_msgs.GuardStatusReasonNoFix && r != ugp_explorer_msgs.GuardStatusReasonNoOdometry {
		return ""
	}
	return "the guard " + g.said.Text
}

// Missing says that velocities are sent to a guard but none receives them, or that the guard that receives them has its status elsewhere, or
// "".
func (g *Guard) Missing() string {
	topic, err := g.node.Resolve("cmd_vel_in")
	if err != nil {
		return ""
	}
	sends, takes := ends(g.node, topic)
	switch {
	case sends == "":
		return ""
	case takes == "":
		return sends + " publishes velocities on " + topic + ", and no guard subscribes to them: start the guard, or let " + sends + " publish on cmd_vel"
	case g.Heard():
		return ""
	}
	said := takes + "/status"
	wanted, err := g.node.Resolve("guard/status")
	if err != nil || said == wanted {
		return ""
	}
	if says, _ := ends(g.node, said); says != takes {
		return ""
	}
	return takes + " subscribes to the velocities on " + topic + ", but publishes its status on " + said + " instead of " + wanted +
		", so guard and explorer do not hear each other: start both in the same namespace, and let the guard keep its name"
}
