// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
)

// State is a state of the mission, as it appears in status messages.
type State string

// The states of a mission.
const (
	StateIdle       State = "idle"       // not started
	StatePlanning   State = "planning"   // standing, waiting for a target
	StateTravelling State = "travelling" // driving to the target
	StateSampling   State = "sampling"   // standing, waiting for the sample
	StateReturning  State = "returning"  // driving home, then done
	StateDone       State = "done"       // over
	StatePaused     State = "paused"     // halted by a person
	StatePassive    State = "passive"    // observing, moving nothing
	StateFault      State = "fault"      // halted because something is wrong
)

// Active reports whether the mission proceeds by itself in this state.
func (s State) Active() bool {
	switch s {
	case StatePlanning, StateTravelling, StateSampling, StateReturning:
		return true
	}
	return false
}

// OnTheWay reports whether the robot is on its way to a target or home in this state.
func (s State) OnTheWay() bool { return s == StateTravelling || s == StateReturning }

// needsPose reports whether the state needs fresh poses.
func (s State) needsPose() bool { return s.Active() && s != StatePlanning }

// FaultKind says what ends a fault.
type FaultKind string

// The kinds of a fault.
const (
	FaultReported  FaultKind = ""         // EventFault reported it: EventResume, EventHome or EventStop end it
	FaultNoPose    FaultKind = "no pose"  // the next pose ends it
	FaultUncertain FaultKind = "position" // the position is too uncertain: EventCertain and EventResume end it
	FaultPassing   FaultKind = "passing"  // EventFault reported it as passing: EventRecovered ends it, too
)

// DriveState is the progress of the drive to a target or home.
type DriveState string

// The states of a drive.
const (
	DriveUnderWay DriveState = ""         // or not begun
	DriveDone     DriveState = "done"     // the driver has reported its end
	DriveGivenUp  DriveState = "given up" // the robot is halted short of the target to sample there
	DriveLooks    DriveState = "looks"    // the robot is halted at home, and looks whether its position stays
)

// AheadState is the state of the target after the present one, to which a continuous mission drives on.
type AheadState string

// The states of the next target.
const (
	nextLater AheadState = ""      // not requested yet
	NextAsked AheadState = "asked" // requested while the robot drives to the present one
	NextNone  AheadState = "none"  // there was none: requested again at the present one
)

// Status is the whole state of a mission as plain data, as journals keep it. All numbers are finite, and [Mission.Restore] continues
// from it. The fields marked as derived follow from the others and from the configuration: only [Account.Status] sets them.
type Status struct {
	// What the mission does, and why.

	State       State      `json:"state"`
	Interrupted State      `json:"interrupted"`           // the state that a pause or a fault interrupted, "" in other states
	Fault       string     `json:"fault"`                 // the reason for StateFault
	FaultKind   FaultKind  `json:"fault_kind"`            // of StateFault; FaultReported in other states
	FaultCause  FaultCause `json:"fault_cause,omitempty"` // of the last fault that was reported
	FailedBy    FaultCause `json:"failed_by,omitempty"`   // cause of the last failure
	Waiting     string     `json:"waiting"`               // why the robot waits for a more certain position, on a drive or in a fault
	Ending      string     `json:"ending"`                // why the mission returns or is done

	// AfterFailures says that the robot returns home because of too many failures in a row. EventResume and EventStart then
	// continue the exploration.
	AfterFailures bool `json:"after_failures"`

	// What has happened so far.

	Samples       int `json:"samples"`         // taken
	Failures      int `json:"failures_in_row"` // failed plans, targets and samples since the last sample
	FailuresTotal int `json:"failures_total"`
	Skipped       int `json:"skipped"`        // targets without a sample
	RejectedPoses int `json:"rejected_poses"` // poses with an invalid number

	// What is spent and what is left.

	Budget            Budget  `json:"budget"`               // derived: from the configuration and More
	More              Budget  `json:"more"`                 // amounts that EventMore has added to the limits
	UsedDistance      float64 `json:"used_distance_m"`      // m on the odometer
	UsedDuration      float64 `json:"used_duration_s"`      // derived: s since the start, from Elapsed
	RemainingSamples  int     `json:"remaining_samples"`    // derived, like the next two; −1: no limit
	RemainingDistance float64 `json:"remaining_distance_m"` // m, not below 0; −1: no limit
	RemainingDuration float64 `json:"remaining_duration_s"` // s, not below 0; −1: no limit

	// The target, and the drive to it or home.

	Plan           int        `json:"plan"`              // number of the last CommandPlan, from 1
	Target         orb.Point  `json:"target_m"`          // m, the last accepted target
	PathLength     float64    `json:"path_length_m"`     // m, at the beginning of the drive to the target; on the drive home, the longest since it began
	PathSpeed      float64    `json:"path_speed_mps"`    // m/s, speed for the time limit of the drive
	TargetDistance float64    `json:"target_distance_m"` // m, at the last pose; before the first pose of a drive, the length of the path
	HomeDistance   float64    `json:"home_distance_m"`   // m, at the last pose
	Drive          DriveState `json:"drive"`             // to the present target, or home
	Next           AheadState `json:"next"`
	HomeFailures   int        `json:"home_failures"`         // failed drives since the return home began or was repeated
	HomeFailed     string     `json:"home_failed,omitempty"` // why the last of them failed
	Looked         bool       `json:"looked,omitempty"`      // on this return, the robot has been at DriveLooks
	StdDev         float64    `json:"stddev_m,omitempty"`    // m, of the position in the direction in which it is largest, at the last pose

	// Times, ns.

	Stamp     int64 `json:"stamp_ns"`      // of the latest event
	Elapsed   int64 `json:"elapsed_ns"`    // since the start
	Driving   int64 `json:"driving_ns"`    // on the way to targets and home, including waits at an edge
	Working   int64 `json:"working_ns"`    // under way: without pauses and faults
	PhaseTime int64 `json:"phase_time_ns"` // in the current or interrupted phase
	PoseAge   int64 `json:"pose_age_ns"`   // since the last pose
	Standing  bool  `json:"standing"`      // the robot stands at the target or at home
	StandTime int64 `json:"stand_time_ns"` // for how long it has stood there
	WaitTime  int64 `json:"wait_time_ns"`  // for how long it has waited for a more certain position
}

// Status returns a snapshot of the mission.
func (m *Account) Status() Status {
	s := m.s
	l := m.Ledger()
	s.Budget = l.Config.Budget
	s.UsedDuration = l.Duration
	s.RemainingSamples, s.RemainingDistance, s.RemainingDuration = -1, -1, -1
	if s.Budget.Samples > 0 {
		s.RemainingSamples = l.remainingSamples()
	}
	if s.Budget.Distance > 0 {
		s.RemainingDistance = max(0, l.remainingDistance())
	}
	if s.Budget.Duration > 0 {
		s.RemainingDuration = max(0, l.remainingDuration())
	}
	return s
}

// Text returns the status as one line for people, which names the state. It costs more than the status itself.
func (m *Account) Text() string {
	s := m.Status()
	if m.cfg.Mode.Suggests {
		switch s.State {
		case StateDone:
			return "done: " + s.Ending
		case StatePassive:
			return "passive: observing, moving nothing"
		}
		return "passive: waiting for a pose"
	}
	samples := num.Count(s.Samples, "sample")
	if s.Budget.Samples > 0 {
		samples = fmt.Sprintf("%d of %s", s.Samples, num.Count(s.Budget.Samples, "sample"))
	}
	if s.Waiting != "" && s.State != StateFault {
		return fmt.Sprintf("waiting while %s, %s: %s", s.State, samples, s.Waiting)
	}
	switch s.State {
	case StateTravelling:
		if s.Drive == DriveGivenUp {
			return fmt.Sprintf("travelling, stopping %s short of the target, %s", metres(s.TargetDistance), samples)
		}
		if m.cfg.Mode.Pieces {
			return fmt.Sprintf("travelling to the next target, %s away, %s", metres(s.TargetDistance), samples)
		}
		to := fmt.Sprintf("sample %d", s.Samples+1)
		if n := s.Budget.Samples; n > 0 {
			to += fmt.Sprintf(" of %d", n)
		}
		return fmt.Sprintf("travelling to %s, %s away", to, metres(s.TargetDistance))
	case StateReturning:
		if s.Drive == DriveLooks {
			return fmt.Sprintf("at home, waiting for %g s to see whether the position stays there, %s: %s", lookTime, samples, s.Ending)
		}
		text := fmt.Sprintf("returning home, %s to go, %s: %s", metres(s.HomeDistance), samples, s.Ending)
		if s.HomeFailures > 0 {
			text += fmt.Sprintf("; drive home %d of %d failed: %s", s.HomeFailures, m.cfg.MaxFailures, s.HomeFailed)
		}
		if m.Recallable() {
			text += "; resume continues the exploration"
		}
		return text
	case StateDone:
		return fmt.Sprintf("done, %s: %s", samples, s.Ending)
	case StatePaused:
		return fmt.Sprintf("paused while %s, %s", s.Interrupted, samples)
	case StateFault:
		return fmt.Sprintf("fault while %s, %s: %s", s.Interrupted, samples, s.Fault)
	}
	return fmt.Sprintf("%s, %s", s.State, samples)
}

// metres writes a distance for people.
func metres(m float64) string {
	if m < 10 {
		return fmt.Sprintf("%.1f m", m)
	}
	return fmt.Sprintf("%.0f m", m)
}

// Restore gives a new mission the status of an earlier run. A mission that was active, or only waited for poses, is paused, so that
// a restarted program does not drive off by itself; EventResume continues it. The rules are those of the new mission, its
// budget included, so the budget may be raised in between.
//
// The time from the status's stamp to the next event uses the budget, because a restart does not recharge the battery. If the clock was
// restarted, too, and is therefore behind the stamp, nothing is added.
func (m *Mission) Restore(s Status) error {
	if err := s.validate(); err != nil {
		return err
	}
	m.restored = true
	m.s = s
	m.s.Waiting = ""
	switch {
	case s.State.Active():
		m.s.State, m.s.Interrupted = StatePaused, s.State
	case s.FaultKind != FaultReported:
		m.s.State, m.s.FaultKind, m.s.Fault = StatePaused, FaultReported, ""
	}
	return nil
}

// ClockChanged is called after the clock was shifted by `by` ns, which do not pass as time.
func (m *Mission) ClockChanged(by int64) { m.s.Stamp += by }

// validate returns an error for an unknown state, such as in a journal of another version.
func (s *Status) validate() error {
	known := []State{StateIdle, StatePlanning, StateTravelling, StateSampling, StateReturning, StateDone, StatePaused, StateFault}
	halted := s.State == StatePaused || s.State == StateFault
	switch ok := s.Interrupted.Active() || s.State == StateFault && s.Interrupted == StateIdle; {
	case !slices.Contains(known, s.State):
		return fmt.Errorf("planner: snapshot's state is %q: must be one of %q", s.State, known)
	case halted != ok || !halted && s.Interrupted != "":
		return fmt.Errorf("planner: snapshot's state is %q and the interrupted state %q, which do not belong together", s.State, s.Interrupted)
	case s.FaultKind != FaultReported && (s.State != StateFault || !s.Interrupted.needsPose() && s.FaultKind != FaultPassing):
		return fmt.Errorf("planner: snapshot's state is %q while %q, which cannot be a fault from a lack of poses", s.State, s.Interrupted)
	}
	return nil
}

// sumNonNegative adds two numbers that are not negative. It returns the largest int64 instead of overflowing.
func sumNonNegative(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// UnderWay returns the target of a mission while the robot drives there, samples there, or waits to continue either.
func (s Status) UnderWay() (at orb.Point, ok bool) {
	state := s.State
	if state == StatePaused || s.FaultKind != FaultReported {
		state = s.Interrupted
	}
	return s.Target, state == StateTravelling || state == StateSampling
}

// Drives reports whether the robot is to drive: to a target that is not given up, or home.
func (s *Status) Drives() bool {
	return s.State.OnTheWay() && s.Drive != DriveGivenUp && s.Drive != DriveLooks
}
