// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/planner/mission"
)

// TestKilled has each node in turn killed in the middle of the mission and started
// again once the others have noticed. The mission continues to its end.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		node    string
		middle  func(*observer) // waits for it; nil: while the robot drives
		noticed func(*observer)
		back    func(*observer)
	}{
		{
			// Nobody drives: the robot's own watchdog stops it.
			node:    follower.DefaultName,
			noticed: (*observer).standing,
		},
		{
			// The follower stops, and the mission stands until there are poses again. The
			// filter is given the heading of the start, which the robot still has on its
			// first way.
			node: ekf.DefaultName,
			middle: func(o *observer) {
				o.wait("the robot to drive", func() bool { return o.state() == mission.StateTravelling && o.speed() > 1 })
			},
			noticed: func(o *observer) {
				o.standing()
				o.wait("a fault", func() bool { return o.state() == mission.StateFault && strings.Contains(o.status.Text, "pose stale") })
			},
		},
		{
			// Nobody repeats the goal: the follower stops. Another mission begins, as in each
			// simulation; see TestResumed for one that is taken up.
			node:    explorer.DefaultName,
			noticed: (*observer).standing,
			back: func(o *observer) {
				o.wait("another mission", func() bool { return o.anew })
			},
		},
		{
			// The world starts again: the robot is where it started, and it is earlier than it
			// was, since the world's time was faster than the wall's. What was read at the
			// stop is not of the place where the robot is now.
			node: fieldsim.DefaultName,
			middle: func(o *observer) {
				o.wait("a stop", func() bool { return o.status.SamplesTaken > 0 && o.state() == mission.StateSampling })
			},
			back: func(o *observer) {
				before := o.clock
				o.wait("an earlier time", func() bool { return o.clock < before })
			},
		},
	} {
		t.Run(c.node, func(t *testing.T) {
			t.Parallel()
			r := newRobot(t, 40)
			o := r.observe()
			begin := time.Now()
			r.start()
			if c.middle == nil {
				c.middle = (*observer).driving
			}
			c.middle(o)
			r.kill(c.node)
			if c.noticed != nil {
				c.noticed(o)
			}
			r.start(c.node)
			if c.back != nil {
				c.back(o)
			}
			o.finish()
			t.Logf("%v; %v", time.Since(begin).Round(time.Millisecond), o)
			r.stop()
			r.check()
		})
	}
}
