package mission

import (
	"fmt"
	"math"

	"ugp_explorer/planner/internal/valid"
)

// Budget is what a mission may spend. A limit of 0 is no limit: a mission of no samples, no metres or no seconds would be
// no mission, so zero has no other meaning here.
type Budget struct {
	Samples  int     `json:"samples"`    // samples to be taken; 0: no limit
	Distance float64 `json:"distance_m"` // m on the odometer, the way home included; 0: no limit
	Duration float64 `json:"duration_s"` // s from the start to being home; 0: no limit
}

// BudgetConfig is a budget with what is needed to foresee spending.
type BudgetConfig struct {
	Budget          Budget
	ReserveFactor   float64 // ≥ 1; every way still to be driven is reckoned this much longer than planned
	ReserveDistance float64 // ≥ 0, m kept besides; see Ledger.MustReturn for how large it should be
	ReserveTime     float64 // ≥ 0, s kept besides
	Speed           float64 // > 0, m/s that the robot is expected to average over a way
	SampleTime      float64 // ≥ 0, s that one sample is expected to take
}

// Validate returns an error that names the first field outside its range, or nil.
func (c BudgetConfig) Validate() error {
	if c.Budget.Samples < 0 {
		return fmt.Errorf("planner: budget of %s: must be at least 1, or 0 for no limit", valid.Count(c.Budget.Samples, "sample"))
	}
	return valid.FirstBad(
		valid.InRange("budget distance", c.Budget.Distance, 0, false, "m, or 0 for no limit"),
		valid.InRange("budget duration", c.Budget.Duration, 0, false, "s, or 0 for no limit"),
		valid.InRange("reserve factor", c.ReserveFactor, 1, false, ""),
		valid.InRange("reserve distance", c.ReserveDistance, 0, false, "m"),
		valid.InRange("reserve time", c.ReserveTime, 0, false, "s"),
		valid.InRange("expected speed", c.Speed, 0, true, "m/s"),
		valid.InRange("sample time", c.SampleTime, 0, false, "s"),
	)
}

// Check returns an error with the numbers in it when the budget does not even cover coming home from a start that lies home
// metres of driving away, and nil otherwise. It asks what EventStart will ask, so that a program can ask before it starts.
func (c BudgetConfig) Check(home float64) error {
	if err := c.Validate(); err != nil {
		return err
	}
	if !valid.Finite(home) || home < 0 {
		return fmt.Errorf("planner: way home of %g m from the start: must be finite and not negative", home)
	}
	l := Ledger{Config: c}
	if need := l.homeDistance(home); c.Budget.Distance > 0 && need > c.Budget.Distance {
		return fmt.Errorf("planner: budget of %g m is too small to come home: %.4g m needed (%g × %.4g m way home + %g m reserve)",
			c.Budget.Distance, need, c.ReserveFactor, home, c.ReserveDistance)
	}
	if need := l.homeTime(home); c.Budget.Duration > 0 && need > c.Budget.Duration {
		return fmt.Errorf("planner: budget of %g s is too small to come home: %.4g s needed (%g × %.4g m way home at %g m/s + %g s reserve)",
			c.Budget.Duration, need, c.ReserveFactor, home, c.Speed, c.ReserveTime)
	}
	return nil
}

// Ledger is a budget and what of it has been spent. It is a plain value: a copy may be handed to a search that runs
// elsewhere, and is then read by many goroutines at once.
type Ledger struct {
	Config   BudgetConfig
	Samples  int     // taken
	Distance float64 // m driven
	Duration float64 // s since the start
}

// RemainingSamples returns the samples still to be taken, math.MaxInt without a limit.
func (l Ledger) RemainingSamples() int {
	if l.Config.Budget.Samples == 0 {
		return math.MaxInt
	}
	return max(0, l.Config.Budget.Samples-l.Samples)
}

// RemainingDistance returns the metres left, +Inf without a limit, negative when overdrawn.
func (l Ledger) RemainingDistance() float64 {
	if l.Config.Budget.Distance == 0 {
		return math.Inf(1)
	}
	return l.Config.Budget.Distance - l.Distance
}

// RemainingDuration returns the seconds left, +Inf without a limit, negative when overdrawn.
func (l Ledger) RemainingDuration() float64 {
	if l.Config.Budget.Duration == 0 {
		return math.Inf(1)
	}
	return l.Config.Budget.Duration - l.Duration
}

// Affordable reports whether the robot can drive pathTo metres to a place, sample there, and drive the homeFrom metres
// home, the reserves untouched:
//
//	r·(pathTo + homeFrom) + reserve     ≤ metres left
//	r·(pathTo + homeFrom)/v + t_sample + reserve ≤ seconds left
//
// The factor r lies on both ways, so that a robot that needs up to r·pathTo metres to get there is not called back before it
// arrives, provided that homeFrom is a shortest way: then the way home from any place between is at most the rest of the way
// there and homeFrom. Ways that are negative or not finite are not affordable.
func (l Ledger) Affordable(pathTo, homeFrom float64) bool {
	if !valid.Finite(pathTo) || !valid.Finite(homeFrom) || pathTo < 0 || homeFrom < 0 {
		return false
	}
	return l.RemainingSamples() > 0 &&
		l.homeDistance(pathTo+homeFrom) <= l.RemainingDistance() &&
		l.homeTime(pathTo+homeFrom)+l.Config.SampleTime <= l.RemainingDuration()
}

// MustReturn returns why the robot, home metres of driving away from home, has to turn back now, or "" when it need not:
// the metres or seconds left have fallen below r·home + reserve, or the samples are taken.
//
// Asked every δ metres of driving, it leaves at least the plain way home: while the answer is "", the rest R ≥ r·h + reserve;
// δ metres on, R−δ ≥ h+δ whenever reserve ≥ 2δ. A reserve distance of twice the way between two poses is enough.
func (l Ledger) MustReturn(home float64) string {
	b := l.Config.Budget
	switch {
	case l.RemainingSamples() == 0:
		return fmt.Sprintf("the budget of %s is used", valid.Count(b.Samples, "sample"))
	case l.homeDistance(home) > l.RemainingDistance():
		return fmt.Sprintf("%.1f m of the %g m are left, %.1f m of them for the way home", l.RemainingDistance(), b.Distance, l.homeDistance(home))
	case l.homeTime(home) > l.RemainingDuration():
		return fmt.Sprintf("%.1f s of the %g s are left, %.1f s of them for the way home", l.RemainingDuration(), b.Duration, l.homeTime(home))
	}
	return ""
}

func (l Ledger) homeDistance(way float64) float64 {
	return l.Config.ReserveFactor*way + l.Config.ReserveDistance
}

func (l Ledger) homeTime(way float64) float64 {
	return l.Config.ReserveFactor*way/l.Config.Speed + l.Config.ReserveTime
}

// Range returns the longest way to a place and from there home, m, that Affordable allows; +Inf without a limit, 0 when not
// even a sample here is affordable.
func (l Ledger) Range() float64 {
	c := l.Config
	metres := (l.RemainingDistance() - c.ReserveDistance) / c.ReserveFactor
	seconds := (l.RemainingDuration() - c.ReserveTime - c.SampleTime) / c.ReserveFactor
	if l.RemainingSamples() == 0 {
		return 0
	}
	return max(0, min(metres, seconds*c.Speed))
}
