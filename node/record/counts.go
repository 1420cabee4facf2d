// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

// Names of a mission's counts of used and unused readings, and of unused covariances.
const (
	CountMatched        = "readings matched"
	CountIdle           = "readings while not sampling"
	CountNoVariance     = "readings without a variance"
	CountOutside        = "readings outside reading.min and reading.max"
	CountStrayStamp     = "readings with a stray stamp"
	CountOlderThanPoses = "readings older than every pose"
	CountGap            = "readings in a gap between poses"
	CountNoPose         = "readings whose pose never came"
	CountCovariances    = "covariances: " // of poses; a localization.CovarianceFault follows
	CountBeyondQueue    = "readings beyond the queue"
	CountReset          = "readings lost to a reset of time"
	CountBadVariance    = "readings whose variance is unusable"
)
