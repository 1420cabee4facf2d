// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package replay feeds recorded bags through the explorer's own handlers as fast as they
// can process them. The explorer is passive and runs on the in-process graph, whose time is
// the bag's record time, or that of its stamps if they are of a simulation. The same bag and parameters give the same record.
//
// The poses of a bag without them are those that the node ekf computes from its wheel odometry and
// position fixes, or the fixes alone. Clocks that differ are found by the ages of stamps. What cannot be replayed is refused with the reason and the option that helps.
package replay
