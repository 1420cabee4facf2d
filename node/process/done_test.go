// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"testing"
	"time"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/simulation"
)

// TestEndWhenDone has the explorer's program end by itself with the mission and its record,
// so that a launch file can end with it; the others continue, and the robot stands.
func TestEndWhenDone(t *testing.T) {
	t.Parallel()
	r := newRobot(t, 40, func(c *simulation.Config) {
		c.Explorer.EndWhenDone, c.Explorer.Mission.Budget.Samples = true, 2
	})
	o := r.observe()
	r.start()
	p := r.processes[explorer.DefaultName]
	delete(r.processes, explorer.DefaultName) // which must end
	t.Cleanup(func() { _ = launcher.Stop(time.Second, p) })
	o.wait("the end of the explorer's program", func() bool {
		select {
		case <-p.Done():
			return true
		default:
			return false
		}
	})
	if err := p.Err(); err != nil {
		t.Errorf("the explorer's program ends with %v", err)
	}
	r.check()
	o.standing()
	r.stop()
}
