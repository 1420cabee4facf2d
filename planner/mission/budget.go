// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"cmp"
	"fmt"
	"math"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/internal/valid"
)

// Budget limits what a mission may spend. 0 means no limit, since a mission of no samples, metres or seconds is pointless.
type Budget struct {
	Samples  int     `json:"samples"`    // samples to take; 0: no limit
	Distance float64 `json:"distance_m"` // m on the odometer, including the path home; 0: no limit
	Duration float64 `json:"duration_s"` // s from the start to the arrival at home; 0: no limit
}

// BudgetConfig is a budget and the parameters that predict the cost of a target.
type BudgetConfig struct {
	Budget          Budget
	ReserveFactor   float64 // ≥ 1, factor on the length of every path still to drive
	ReserveDistance float64 // ≥ 0, m kept in addition; see [Ledger.mustReturn] for a sufficient value
	ReserveTime     float64 // ≥ 0, s kept in addition
	Speed           float64 // > 0, m/s, expected mean speed; the speed so far replaces it if the robot is slower, see [Ledger]
	SampleTime      float64 // ≥ 0, s, expected duration of a sample
}

// validate returns an error that names the first field outside its range, or nil.
func (c BudgetConfig) validate() error {
	if c.Budget.Samples < 0 {
		return fmt.Errorf("planner: budget of %s: must be at least 1, or 0 for no limit", num.Count(c.Budget.Samples, "sample"))
	}
	return cmp.Or(
		valid.InRange("budget distance", c.Budget.Distance, 0, false, "m, or 0 for no limit"),
		valid.InRange("budget duration", c.Budget.Duration, 0, false, "s, or 0 for no limit"),
		valid.InRange("reserve factor", c.ReserveFactor, 1, false, ""),
		valid.InRange("reserve distance", c.ReserveDistance, 0, false, "m"),
		valid.InRange("reserve time", c.ReserveTime, 0, false, "s"),
		valid.InRange("expected speed", c.Speed, 0, true, "m/s"),
		valid.InRange("sample time", c.SampleTime, 0, false, "s"),
	)
}

// Check returns an error, with the numbers, if the budget does not cover the path home from the start, home metres long, or
// leaves no time for a single sample.
// [EventStart] makes the same check, so a program can use it before it starts.
func (c BudgetConfig) Check(home float64) error {
	if err := c.validate(); err != nil {
		return err
	}
	if !num.Finite(home) || home < 0 {
		return fmt.Errorf("planner: the path home from the start is %g m: must be finite and not negative", home)
	}
	l := Ledger{Config: c}
	if need := l.homeDistance(home); c.Budget.Distance > 0 && need > c.Budget.Distance {
		return fmt.Errorf("planner: budget of %g m is too small to return home: %.4g m needed (%g × %.4g m path home + %g m reserve)",
			c.Budget.Distance, need, c.ReserveFactor, home, c.ReserveDistance)
	}
	if need := l.homeTime(home); c.Budget.Duration > 0 && need > c.Budget.Duration {
		return fmt.Errorf("planner: budget of %g s is too small to return home: %.4g s needed (%g × %.4g m path home at %g m/s + %g s reserve)",
			c.Budget.Duration, need, c.ReserveFactor, home, c.Speed, c.ReserveTime)
	}
	if need := l.homeTime(home) + c.SampleTime; c.Budget.Duration > 0 && need > c.Budget.Duration {
		return fmt.Errorf("planner: budget of %g s is too small for a sample: %.4g s needed (%g s for the sample + %.4g s to return home with the reserve)",
			c.Budget.Duration, need, c.SampleTime, l.homeTime(home))
	}
	return nil
}

// Ledger is a budget and the amounts spent. It is a plain value; goroutines may share a copy for reading.
type Ledger struct {
	Config   BudgetConfig
	Samples  int     // taken
	Distance float64 // m driven
	Duration float64 // s since the start
	Driving  float64 // s of these on the way, including waits at an edge
}

// trust is the weight of the expected speed, as if it had been measured for that long, s.
const trust = 60

// speed returns the mean speed for the rest of the mission, m/s: the lower of the expected speed and the mean speed so far, averaged with
// [trust] seconds at the expected speed. A robot that is slower than expected, because of mud or waits for fixes, therefore comes home in
// time.
func (l Ledger) speed() float64 {
	v := l.Config.Speed
	return min(v, (l.Distance+v*trust)/(l.Driving+trust))
}

// remainingSamples returns the number of samples left, math.MaxInt without a limit.
func (l Ledger) remainingSamples() int {
	if l.Config.Budget.Samples == 0 {
		return math.MaxInt
	}
	return max(0, l.Config.Budget.Samples-l.Samples)
}

// remainingDistance returns the metres left, +Inf without a limit, negative when overdrawn.
func (l Ledger) remainingDistance() float64 { return left(l.Config.Budget.Distance, l.Distance) }

// remainingDuration returns the seconds left, +Inf without a limit, negative when overdrawn.
func (l Ledger) remainingDuration() float64 { return left(l.Config.Budget.Duration, l.Duration) }

func left(budget, spent float64) float64 {
	if budget == 0 {
		return math.Inf(1)
	}
	return budget - spent
}

// Affordable reports whether the robot can drive pathTo metres to a place, sample there and drive homeFrom metres home
// without using the reserves:
//
//	r·(pathTo + homeFrom) + reserve     ≤ metres left
//	r·(pathTo + homeFrom)/v + t_sample + reserve ≤ seconds left, with the speed v so far if it is below the expected one
//
// The factor r applies to both paths. A robot that needs up to r·pathTo metres to reach the place is therefore not called back before it
// arrives, provided that homeFrom is a shortest path: from any place in between, the path home is then at most the rest of the path there
// plus homeFrom. A length that is negative or not finite is not affordable.
func (l Ledger) Affordable(pathTo, homeFrom float64) bool {
	if !num.Finite(pathTo) || !num.Finite(homeFrom) || pathTo < 0 || homeFrom < 0 {
		return false
	}
	return l.remainingSamples() > 0 &&
		l.homeDistance(pathTo+homeFrom) <= l.remainingDistance() &&
		l.homeTime(pathTo+homeFrom)+l.Config.SampleTime <= l.remainingDuration()
}

// mustReturn returns the reason why the robot, home metres of driving from home, must return now, or "" if it need not. It
// must return if the metres or seconds left are less than r·home + reserve, or all samples are taken.
//
// If it is called every δ metres of driving, the metres left always suffice for the path home: while the answer is "", they are R ≥ r·h +
// reserve, and δ metres later R−δ ≥ h+δ if reserve ≥ 2δ. A reserve distance of twice the distance between two poses is therefore enough.
func (l Ledger) mustReturn(home float64) string {
	b := l.Config.Budget
	switch {
	case l.remainingSamples() == 0:
		return fmt.Sprintf("the budget of %s is used", num.Count(b.Samples, "sample"))
	case l.homeDistance(home) > l.remainingDistance():
		return shortage(b.Distance, l.remainingDistance(), l.homeDistance(home), "m")
	case l.homeTime(home) > l.remainingDuration():
		return shortage(b.Duration, l.remainingDuration(), l.homeTime(home), "s")
	}
	return ""
}

// shortage returns the reason for a return home with left of the budget when need is needed.
func shortage(budget, left, need float64, unit string) string {
	if left < 0 {
		return fmt.Sprintf("the budget of %g %s is exceeded by %.1f %s", budget, unit, -left, unit)
	}
	return fmt.Sprintf("%.1f %s of the budget of %g %s are left, and the path home needs %.1f %s with its reserve", left, unit, budget, unit, need, unit)
}

// homeDistance returns the metres to keep for a path of the given length, including the reserve.
func (l Ledger) homeDistance(length float64) float64 {
	return l.Config.ReserveFactor*length + l.Config.ReserveDistance
}

// homeTime returns the seconds to keep for a path of the given length, including the reserve.
func (l Ledger) homeTime(length float64) float64 {
	return l.Config.ReserveFactor*length/l.speed() + l.Config.ReserveTime
}

// Range returns the length of the longest path to a place and from there home, m, that Affordable allows: +Inf without a
// limit, 0 if not even a sample here is affordable.
func (l Ledger) Range() float64 {
	c := l.Config
	metres := (l.remainingDistance() - c.ReserveDistance) / c.ReserveFactor
	seconds := (l.remainingDuration() - c.ReserveTime - c.SampleTime) / c.ReserveFactor
	if l.remainingSamples() == 0 {
		return 0
	}
	return max(0, min(metres, seconds*l.speed()))
}
