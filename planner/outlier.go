// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"math"
	"slices"
)

// How far out a value is far out. TestFarOut counts both errors of the rule.
const (
	// farRanges is how far a value lies outside all others, in ranges of these, and farRangesOfFew with few others, which may
	// chance to be alike, and farRangesAcrossZero where some are negative: no logarithm tells then how skewed the field is.
	farRanges, farRangesOfFew, farRangesAcrossZero = 1, 10, 4
	// farNoise is the same in standard deviations of the noise: all values of a uniform field are alike.
	farNoise = 6
	// fewOthers is the number of others from which on a value can be far out. They are many from manyOthers on where
	// a second sample at the place can confirm the value, else from manyOthersAlone on.
	fewOthers, manyOthers, manyOthersAlone = 5, 8, 12
)

// FarOut reports whether a value is far outside all others, like the error code of a sensor. It must be far outside in units
// and, if all others have one sign, in their logarithms as well: the maximum of a skewed field is far outside in units only, a
// zero among values around 15 in both. noise returns the standard deviation of the noise of the others, and is called only if
// needed; the noise of the value itself is no measure, since one error code among its readings inflates it. alone says that no
// second sample at the place can confirm the value.
func FarOut(value float64, others []float64, noise func() float64, alone bool) bool {
	n := len(others)
	if n < fewOthers {
		return false
	}
	low, high := slices.Min(others), slices.Max(others)
	gap := max(value-high, low-value)
	ranges := float64(farRanges)
	if n < manyOthers || alone && n < manyOthersAlone {
		ranges = farRangesOfFew
	}
	if low <= 0 && high >= 0 {
		ranges = max(ranges, farRangesAcrossZero)
	}
	switch {
	case gap <= ranges*(high-low) || gap <= farNoise*noise():
		return false
	case low <= 0 && high >= 0 || value*low <= 0: // a value without a logarithm is far from all that have one
		return true
	}
	// The logarithms of the absolute values, which are in reverse order where all are negative.
	small, large := math.Log(min(math.Abs(low), math.Abs(high))), math.Log(max(math.Abs(low), math.Abs(high)))
	at := math.Log(math.Abs(value))
	return max(at-large, small-at) > farRanges*(large-small)
}

// Agree reports whether a second value at the same place confirms a value that is far outside: once the nearer of the two counts
// among the others, the farther one is no longer far outside.
func Agree(first, second float64, others []float64, noise func() float64) bool {
	low, high := slices.Min(others), slices.Max(others)
	out := func(v float64) float64 { return max(v-high, low-v) }
	if out(second) > out(first) {
		first, second = second, first
	}
	return !FarOut(first, append(slices.Clone(others), second), noise, false)
}
