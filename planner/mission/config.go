package mission

import (
	"fmt"

	"ugp_explorer/planner/internal/valid"
)

// TimeoutAction says what becomes of a target that was not reached in its time.
type TimeoutAction string

// The two actions: take the sample where the robot has come to stand, or leave the target out and plan on.
const (
	TimeoutSample TimeoutAction = "sample"
	TimeoutSkip   TimeoutAction = "skip"
)

// Config holds a mission's rules.
type Config struct {
	BudgetConfig

	ArrivalTolerance float64 // > 0, m from the probe to the target at which it counts as reached
	HomeTolerance    float64 // > 0, m of way home at which the robot counts as home
	ArrivalSpeed     float64 // > 0, m/s below which the robot counts as standing
	SettleTime       float64 // ≥ 0, s that it has to stand there

	// A target is given up after GoalTimeoutBase + GoalTimeoutFactor·(way to it)/Speed seconds of travelling. The way home
	// has the same limit.
	GoalTimeoutBase   float64 // > 0, s
	GoalTimeoutFactor float64 // ≥ 1
	OnTimeout         TimeoutAction

	PlanTimeout   float64 // > 0, s after which planning counts as failed
	SampleTimeout float64 // > 0, s after which sampling counts as failed
	PoseTimeout   float64 // > 0, s without a pose after which the robot is halted

	MaxFailures int // ≥ 1; so many plans, targets and samples failed in a row send the robot home
}

// DefaultConfig returns rules for a robot of the ATRV's size: 30 samples, no limit on metres and seconds.
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
		ArrivalSpeed:      0.05,
		SettleTime:        0.5,
		GoalTimeoutBase:   30,
		GoalTimeoutFactor: 3,
		OnTimeout:         TimeoutSample,
		PlanTimeout:       60,
		SampleTimeout:     60,
		PoseTimeout:       2,
		MaxFailures:       5,
	}
}

// Validate returns an error that names the first field outside its range, or nil.
func (c Config) Validate() error {
	err := valid.FirstBad(
		c.BudgetConfig.Validate(),
		valid.InRange("arrival tolerance", c.ArrivalTolerance, 0, true, "m"),
		valid.InRange("home tolerance", c.HomeTolerance, 0, true, "m"),
		valid.InRange("arrival speed", c.ArrivalSpeed, 0, true, "m/s"),
		valid.InRange("settle time", c.SettleTime, 0, false, "s"),
		valid.InRange("goal timeout base", c.GoalTimeoutBase, 0, true, "s"),
		valid.InRange("goal timeout factor", c.GoalTimeoutFactor, 1, false, ""),
		valid.InRange("plan timeout", c.PlanTimeout, 0, true, "s"),
		valid.InRange("sample timeout", c.SampleTimeout, 0, true, "s"),
		valid.InRange("pose timeout", c.PoseTimeout, 0, true, "s"),
	)
	switch {
	case err != nil:
		return err
	case c.OnTimeout != TimeoutSample && c.OnTimeout != TimeoutSkip:
		return fmt.Errorf("planner: timeout action is %q: must be %q or %q", c.OnTimeout, TimeoutSample, TimeoutSkip)
	case c.MaxFailures < 1:
		return fmt.Errorf("planner: failures in a row is %d: must be at least 1", c.MaxFailures)
	}
	return nil
}

// goalTimeout returns the seconds of travelling granted to a way of so many metres.
func (c Config) goalTimeout(way float64) float64 {
	return c.GoalTimeoutBase + c.GoalTimeoutFactor*way/c.Speed
}
