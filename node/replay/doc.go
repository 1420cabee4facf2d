// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package replay feeds recorded bags through the explorer's own handlers as fast as they can process them. The explorer is passive and runs
// on the in-process graph. Its time is the bag's record time or, for a simulation, the time of the stamps. The same bag and parameters give
// the same record.
//
// If a bag has no poses, the node ekf computes them from wheel odometry and position fixes, or the fixes alone are used. Differing clocks
// are detected by the ages of stamps. A bag that cannot be replayed is refused with the reason and the option that helps.
package replay
