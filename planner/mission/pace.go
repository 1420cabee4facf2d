// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import "math"

// SpendRatio returns how much faster the metres and seconds of driving are used than the samples:
//
//	(share of the driving used + 0.02) / (share of the samples used + 0.02)
//
// It is above 1 if too little of the budget is left for long paths, and below 1 if paths may be longer than before. The share of the
// driving is that of distance or time, whichever is scarcer. The time of the samples is deducted, so the share of time is (seconds -
// n·t_sample)/(budget - N·t_sample). N is the number of samples that the mission will take: its budget of samples, or the number that
// distance and time allow with density samples per metre of driving, if this is lower or there is no such budget. density must be > 0. With
// a budget of samples alone, the distance is limited to unlimited/density metres per sample. Without any budget, SpendRatio returns 1.
func (l Ledger) SpendRatio(density float64) float64 {
	b := l.Config.Budget
	samples := l.expectedSamples(density)
	if b.Distance == 0 && b.Duration == 0 {
		if b.Samples == 0 {
			return 1
		}
		b.Distance = unlimited * samples / density
	}
	driven := 0.0
	if b.Distance > 0 {
		driven = l.Distance / b.Distance
	}
	if b.Duration > 0 {
		t := l.Config.SampleTime
		driven = max(driven, (l.Duration-float64(l.Samples)*t)/(b.Duration-samples*t))
	}
	return (min(max(driven, 0), 1) + startup) / (float64(l.Samples)/samples + startup)
}

// unlimited is the driving per sample of a mission without a limit of distance, relative to that with a limit of distance alone. With a
// larger value the path was longer, and the regret of 30 samples was the same.
const unlimited = 2

// startup is added to the shares of [Ledger.SpendRatio], so that the first paths and samples alone do not determine it.
const startup = 0.02

// ExpectedSamples returns the number of samples still to be taken, at least 1: those left of the budget or, if this is lower or there is no
// budget of samples, the number that distance and time allow with density (> 0) samples per metre of driving. It is 0 without any budget.
func (l Ledger) ExpectedSamples(density float64) int {
	if l.Config.Budget == (Budget{}) {
		return 0
	}
	return max(1, int(math.Round(l.expectedSamples(density)))-l.Samples)
}

// expectedSamples returns the number of samples N that the mission will take, > 0: with density samples per metre of driving,
// N/density metres in the time that N samples leave, so that N = density·v·(budget - N·t_sample).
func (l Ledger) expectedSamples(density float64) float64 {
	c, b, v := l.Config, l.Config.Budget, l.speed()
	n := math.Inf(1)
	if b.Samples > 0 {
		n = float64(b.Samples)
	}
	if b.Distance > 0 {
		n = min(n, density*b.Distance)
	}
	if b.Duration > 0 {
		n = min(n, density*v*b.Duration/(1+density*v*c.SampleTime))
	}
	return n
}
