package planner

import "fmt"

// TimeoutAction says what becomes of a target that was not reached in its time.
type TimeoutAction string

// The two actions: take the sample where the robot has come to stand, or leave the target out and plan on.
const (
	TimeoutSample TimeoutAction = "sample"
	TimeoutSkip   TimeoutAction = "skip"
)

// MissionConfig holds a mission's rules.
type MissionConfig struct {
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

// DefaultMissionConfig returns rules for a robot of the ATRV's size: 30 samples, no limit on metres and seconds.
func DefaultMissionConfig() MissionConfig {
	return MissionConfig{
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
func (c MissionConfig) Validate() error {
	err := firstBad(
		c.BudgetConfig.Validate(),
		inRange("arrival tolerance", c.ArrivalTolerance, 0, true, "m"),
		inRange("home tolerance", c.HomeTolerance, 0, true, "m"),
		inRange("arrival speed", c.ArrivalSpeed, 0, true, "m/s"),
		inRange("settle time", c.SettleTime, 0, false, "s"),
		inRange("goal timeout base", c.GoalTimeoutBase, 0, true, "s"),
		inRange("goal timeout factor", c.GoalTimeoutFactor, 1, false, ""),
		inRange("plan timeout", c.PlanTimeout, 0, true, "s"),
		inRange("sample timeout", c.SampleTimeout, 0, true, "s"),
		inRange("pose timeout", c.PoseTimeout, 0, true, "s"),
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
func (c MissionConfig) goalTimeout(way float64) float64 {
	return c.GoalTimeoutBase + c.GoalTimeoutFactor*way/c.Speed
}
