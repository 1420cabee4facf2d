package journal

import (
	"ugp_explorer/node/record"
	"ugp_explorer/planner/mission"
)

// MissionState is the state of a mission as the journal keeps it, see [mission.Status]. Like all entries it is
// part of the layout that Version numbers, whatever the state machine calls its own state.
type MissionState struct {
	State             mission.State `json:"state"`
	Interrupted       mission.State `json:"interrupted"`
	Text              string        `json:"text"`
	Fault             string        `json:"fault"`
	StalePose         bool          `json:"stale_pose"`
	Cause             uint8         `json:"fault_cause,omitempty"`
	Waiting           string        `json:"waiting"`
	Ending            string        `json:"ending"`
	AfterFailures     bool          `json:"after_failures"`
	Samples           int           `json:"samples"`
	Failures          int           `json:"failures_in_row"`
	FailuresTotal     int           `json:"failures_total"`
	Skipped           int           `json:"skipped"`
	RejectedPoses     int           `json:"rejected_poses"`
	Budget            Budget        `json:"budget"`
	UsedDistance      float64       `json:"used_distance_m"`
	UsedDuration      float64       `json:"used_duration_s"`
	RemainingSamples  int           `json:"remaining_samples"`
	RemainingDistance float64       `json:"remaining_distance_m"`
	RemainingDuration float64       `json:"remaining_duration_s"`
	Plan              int           `json:"plan"`
	Target            record.Place  `json:"target_m"`
	PathLength        float64       `json:"path_length_m"`
	TargetDistance    float64       `json:"target_distance_m"`
	HomeDistance      float64       `json:"home_distance_m"`
	GaveUp            bool          `json:"gave_up"`
	DriveDone         bool          `json:"drive_done"`
	HomeFailures      int           `json:"home_failures"`
	Ahead             bool          `json:"ahead"`
	NoAhead           bool          `json:"no_ahead"`
	Stamp             int64         `json:"stamp_ns"`
	Elapsed           int64         `json:"elapsed_ns"`
	Driving           int64         `json:"driving_ns"`
	Working           int64         `json:"working_ns"`
	PhaseTime         int64         `json:"phase_time_ns"`
	PoseAge           int64         `json:"pose_age_ns"`
	Standing          bool          `json:"standing"`
	StandTime         int64         `json:"stand_time_ns"`
	WaitTime          int64         `json:"wait_time_ns"`
}

// Budget is what a mission may use, see [mission.Budget].
type Budget struct {
	Samples  int     `json:"samples"`
	Distance float64 `json:"distance_m"`
	Duration float64 `json:"duration_s"`
}

// MissionOf returns the form of a status in the journal.
func MissionOf(s mission.Status, text string) MissionState {
	return MissionState{
		State: s.State, Interrupted: s.Interrupted, Text: text, Fault: s.Fault,
		StalePose: s.FaultKind != mission.FaultReported, Cause: uint8(s.FaultCause), Waiting: s.Waiting, Ending: s.Ending,
		AfterFailures: s.AfterFailures, Samples: s.Samples, Failures: s.Failures, FailuresTotal: s.FailuresTotal,
		Skipped: s.Skipped, RejectedPoses: s.RejectedPoses, Budget: Budget(s.Budget), UsedDistance: s.UsedDistance,
		UsedDuration: s.UsedDuration, RemainingSamples: s.RemainingSamples, RemainingDistance: s.RemainingDistance,
		RemainingDuration: s.RemainingDuration, Plan: s.Plan, Target: s.Target, PathLength: s.PathLength,
		TargetDistance: s.TargetDistance, HomeDistance: s.HomeDistance, GaveUp: s.Drive == mission.DriveGivenUp, DriveDone: s.Drive == mission.DriveDone,
		HomeFailures: s.HomeFailures, Ahead: s.Next == mission.NextAsked, NoAhead: s.Next == mission.NextNone, Stamp: s.Stamp, Elapsed: s.Elapsed,
		Driving: s.Driving, Working: s.Working, PhaseTime: s.PhaseTime, PoseAge: s.PoseAge, Standing: s.Standing, StandTime: s.StandTime,
		WaitTime: s.WaitTime,
	}
}

// MoreOf returns the entry of limits that have become larger.
func MoreOf(stamp int64, added mission.Budget) More { return More{stamp, Budget(added)} }

// status is the inverse of MissionOf, but for what was added to the budget, which has entries of its own.
func (m *MissionState) status() mission.Status {
	s := mission.Status{
		State: m.State, Interrupted: m.Interrupted, Fault: m.Fault, FaultCause: mission.FaultCause(m.Cause), Waiting: m.Waiting,
		Ending: m.Ending, AfterFailures: m.AfterFailures, Samples: m.Samples, Failures: m.Failures,
		FailuresTotal: m.FailuresTotal, Skipped: m.Skipped, RejectedPoses: m.RejectedPoses,
		Budget: mission.Budget(m.Budget), UsedDistance: m.UsedDistance, UsedDuration: m.UsedDuration,
		RemainingSamples: m.RemainingSamples, RemainingDistance: m.RemainingDistance,
		RemainingDuration: m.RemainingDuration, Plan: m.Plan, Target: m.Target, PathLength: m.PathLength,
		TargetDistance: m.TargetDistance, HomeDistance: m.HomeDistance,
		HomeFailures: m.HomeFailures, Stamp: m.Stamp, Elapsed: m.Elapsed,
		Driving: m.Driving, Working: m.Working, PhaseTime: m.PhaseTime, PoseAge: m.PoseAge, Standing: m.Standing, StandTime: m.StandTime,
		WaitTime: m.WaitTime,
	}
	switch {
	case m.StalePose && m.Waiting != "":
		s.FaultKind = mission.FaultUncertain
	case m.StalePose:
		s.FaultKind = mission.FaultNoPose
	}
	switch {
	case m.GaveUp:
		s.Drive = mission.DriveGivenUp
	case m.DriveDone:
		s.Drive = mission.DriveDone
	}
	switch {
	case m.Ahead:
		s.Next = mission.NextAsked
	case m.NoAhead:
		s.Next = mission.NextNone
	}
	return s
}
