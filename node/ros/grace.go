// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import "time"

// DefaultGrace is the wall time for which a busy machine may stall a process.
const DefaultGrace = 500 * time.Millisecond

// Grace distinguishes messages that are late only in simulated time from those that do not come.
// Where /clock runs at five times the wall clock's speed, half a second is a tenth, and a
// message may be so late because its sender had to wait for the processor.
//
// It may be used only from callbacks of its node.
type Grace struct {
	node *Node
	most time.Duration
	came time.Time // by the wall clock
	now  func() time.Time
}

// NewGrace returns a Grace for one kind of message, none of which has come. A message may be
// late by most of wall time.
func (n *Node) NewGrace(most time.Duration) Grace { return Grace{node: n, most: most, now: time.Now} }

// Came notes that a message has come.
func (g *Grace) Came() {
	if g.node.FollowsClock() {
		g.came = g.now()
	}
}

// Lasts reports whether a message that is late may still come: the node takes its time from
// /clock, and the last message has come less than the allowed wall time ago. On the wall
// clock and in a simulation in lock step it is false, since there late is late.
func (g *Grace) Lasts() bool {
	return g.node.FollowsClock() && !g.came.IsZero() && g.now().Sub(g.came) < g.most
}
