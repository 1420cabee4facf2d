// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"time"
)

// Repeated returns the variance with which each of several measurements counts that are dt apart, s, and whose errors have a variance and are
// exponentially correlated over tau, s. The mean of such measurements then has its true variance.
func Repeated(variance, dt, tau float64) float64 { return variance / math.Tanh(dt/(2*tau)) }

// RepeatTime is for how long a fix that stays the same while the robot drives is taken for one that is published more often than it is measured.
// After that, its receiver is stuck.
const RepeatTime = 2500 * time.Millisecond

// MostSpeed is a speed that no robot on a field reaches, m/s.
const MostSpeed = 20.0

// HandSpeed is the speed at which a person drives a robot by hand, m/s.
const HandSpeed = 0.5

// HeadingDistance returns the length, m, of a drive straight ahead at a speed, m/s, that shows the heading of a robot whose position is known
// with a standard deviation, m. Package filter needs less in five drives of six. A slow robot must drive farther, because the error of its
// fixes changes more during the drive, but never farther than 4.5 m plus 8 standard deviations.
func HeadingDistance(stdDev, speed float64) float64 {
	return math.Ceil(4.5 + min(3*stdDev+stdDev*stdDev/speed, 8*stdDev))
}

// LeastHeadingDistance returns the length, m, that about half of such drives need: a shorter one probably does not show the heading.
func LeastHeadingDistance(stdDev, speed float64) float64 {
	return 2 + min(stdDev*stdDev/speed/2, 7*stdDev)
}
