// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import "math"

// HeadingDistance returns the length of a drive straight ahead, m, that tells the heading of a robot whose position is
// known with a standard deviation, m. Package filter needs less in nine drives of ten at a walk, 1 m/s, with a fix a
// second; slower, and with more fixes, it needs down to half of that.
func HeadingDistance(stdDev float64) float64 { return math.Ceil(4 + 5*stdDev) }
