// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/node/ros/exec"
)

// nodeTime is the time of a node: that of its executor when it started, and from then on steady time. A wall
// clock is set while a robot drives, by seconds or by years: stamps follow it, durations do not.
type nodeTime struct {
	since atomic.Int64 // node's time minus the executor's steady time, ns
	set   atomic.Int64 // by which the executor's clock has been set since the start, ns
}

// clockSet is the least difference, ns, by which a clock was set. Less is the way in which NTP keeps it right.
const clockSet = int64(100 * time.Millisecond)

func (t *nodeTime) start(ex exec.Executor) { t.since.Store(ahead(ex)) }

// ahead returns by how much an executor's time is ahead of its steady time, ns. Between the two questions
// the process may have been put aside.
func ahead(ex exec.Executor) int64 {
	for {
		before := ex.Steady()
		now := ex.Now()
		if after := ex.Steady(); after-before < clockSet/10 {
			return now - after
		}
	}
}

// Now returns the node's time, ns: that of its executor's clock, not counting changes of the computer's clock since the
// node started. Differences are durations. It may be called from any goroutine that may call the executor's Now.
func (n *Node) Now() int64 { return n.ex.Steady() + n.time.since.Load() }

// ClockSet returns the total by which the clock has been set since the node started, ns. It may be called like Now.
func (n *Node) ClockSet() int64 {
	set := n.time.set.Load()
	if by := ahead(n.ex) - n.time.since.Load(); magnitude(by-set) >= clockSet {
		n.time.set.Store(by)
		return by
	}
	return set
}

// Stamped returns a stamp in the node's time, ns; 0 if there is none. It assumes that the sender's clock was
// set together with that of the node.
func (n *Node) Stamped(stamp builtin_interfaces.Time) int64 {
	if stamp == (builtin_interfaces.Time{}) {
		return 0
	}
	return TimeNs(stamp) - n.ClockSet()
}

// Measured returns the time of a measurement, in the node's time, ns, from a stamp that is late by a number of seconds; 0 if there is no
// stamp.
func (n *Node) Measured(stamp builtin_interfaces.Time, late float64) int64 {
	t := n.Stamped(stamp)
	if t == 0 {
		return 0
	}
	return t - num.Nanoseconds(late)
}

// MostDelay is the largest delay of stamps that a parameter can correct, s.
const MostDelay = 60

// OrAdd names the parameter with which a node corrects stamps that should be later by this time; "" if that is more than the parameter allows.
func OrAdd(parameter string, by time.Duration) string {
	if math.Abs(by.Seconds()) > MostDelay {
		return ""
	}
	return fmt.Sprintf(", or add %.3g s to %s", by.Seconds(), parameter)
}

// StampOf returns a time of the node, ns, as others know it.
func (n *Node) StampOf(t int64) builtin_interfaces.Time { return TimeMsg(t + n.ClockSet()) }

// Stamp returns the present time as others know it.
func (n *Node) Stamp() builtin_interfaces.Time { return TimeMsg(n.ex.Now()) }
