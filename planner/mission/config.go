// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"cmp"
	"fmt"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/internal/valid"
)

// StandingSpeed is the speed up to which a robot stands, m/s: odometry and filters do not report exactly 0 at rest.
const StandingSpeed = 0.05

// Config holds a mission's rules.
type Config struct {
	BudgetConfig

	Mode Mode

	ArrivalTolerance float64 // > 0, m, distance of the probe from the target up to which the target is reached
	HomeTolerance    float64 // > 0, m, length of the path home up to which the robot is at home
	SettleTime       float64 // ≥ 0, s for which it must stand before it has arrived

	// The time limit for a target is GoalTimeoutBase + GoalTimeoutFactor·(length of the path)/speed seconds of travelling. The speed is the
	// mean speed so far if that is lower than Speed, but at least a quarter of Speed. The drive home has the same limit. A robot
	// that does not reach its target in time, or ends short of it, samples where it stops.
	GoalTimeoutBase   float64 // > 0, s
	GoalTimeoutFactor float64 // ≥ 1

	PlanTimeout   float64 // > 0, s after which planning has failed
	SampleTimeout float64 // > 0, s after which sampling has failed
	PoseTimeout   float64 // > 0, s without a pose after which the robot is halted

	StuckTime float64 // ≥ 0, s for which the wheels of a stuck robot turn; 0: no robot is stuck

	MaxFailures int // ≥ 1; after this number of failed plans, targets and samples in a row the robot returns home
}

// DefaultConfig returns the rules for a robot of the size of an ATRV: 30 samples, and no limit on metres and seconds.
func DefaultConfig() Config {
	return Config{
		BudgetConfig: BudgetConfig{
			Budget:          Budget{Samples: 30},
			ReserveFactor:   1.25,
			ReserveDistance: 2,
			ReserveTime:     30,
			Speed:           0.5,
			SampleTime:      5,
		},
		ArrivalTolerance:  0.3,
		HomeTolerance:     0.5,
		SettleTime:        0.5,
		GoalTimeoutBase:   30,
		GoalTimeoutFactor: 3,
		PlanTimeout:       60,
		SampleTimeout:     60,
		PoseTimeout:       2,
		StuckTime:         10,
		MaxFailures:       5,
	}
}

// Validate returns an error that names the first field outside its range, or nil.
func (c Config) Validate() error {
	err := cmp.Or(
		c.BudgetConfig.validate(),
		valid.InRange("arrival tolerance", c.ArrivalTolerance, 0, true, "m"),
		valid.InRange("home tolerance", c.HomeTolerance, 0, true, "m"),
		valid.InRange("settle time", c.SettleTime, 0, false, "s"),
		valid.InRange("goal timeout base", c.GoalTimeoutBase, 0, true, "s"),
		valid.InRange("goal timeout factor", c.GoalTimeoutFactor, 1, false, ""),
		valid.InRange("plan timeout", c.PlanTimeout, 0, true, "s"),
		valid.InRange("sample timeout", c.SampleTimeout, 0, true, "s"),
		valid.InRange("pose timeout", c.PoseTimeout, 0, true, "s"),
		valid.InRange("stuck time", c.StuckTime, 0, false, "s"),
	)
	switch {
	case err != nil:
		return err
	case c.Mode != AtStops && c.Mode != WhileDriving && c.Mode != Passive:
		return fmt.Errorf("planner: mission's mode is %+v: must be AtStops, WhileDriving or Passive", c.Mode)
	case c.Mode.Pieces && !c.Mode.Suggests && (c.Budget.Samples != 0 || c.SampleTime != 0):
		return fmt.Errorf("planner: a continuous mission has a budget of %s and a sample time of %g s: must be 0 and 0, it does not stop to sample",
			num.Count(c.Budget.Samples, "sample"), c.SampleTime)
	case c.MaxFailures < 1:
		return fmt.Errorf("planner: the limit of failures in a row is %d: must be at least 1", c.MaxFailures)
	}
	return nil
}
