// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import "time"

// RepeatTime is for how long a fix that stays the same while the robot drives is taken for one that is published more often than it is measured.
// After that, its receiver is stuck.
const RepeatTime = 2500 * time.Millisecond
