// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import "time"

// SetWall replaces the wall clock of a Grace.
func (g *Grace) SetWall(now func() time.Time) { g.now = now }

// LookForMismatches does so as if the last look had been that long ago.
func (n *Node) LookForMismatches(ago time.Duration) {
	for pair, since := range n.mismatched {
		if !since.IsZero() {
			n.mismatched[pair] = since.Add(-ago)
		}
	}
	n.logMismatches()
}

const LevelFatal = levelFatal

var (
	Incompatible = incompatible
	RosoutQoS    = rosoutQoS
)
