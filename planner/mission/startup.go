// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import "time"

// Startup says what happens at the first pose.
type Startup uint8

// The kinds of startup.
const (
	StartByHand  Startup = iota // nothing: a person starts or resumes the mission
	StartAtPose                 // the mission starts
	ResumeByHand                // nothing: the mission of an earlier run continues with EventResume
	ResumeAtPose                // the mission of an earlier run continues
)

// Hear returns the startup after an event. paused means that the event needs no further handling, because a mission that waits to continue
// is already paused. timeless means that the time is unknown, so the mission cannot end yet and stays paused.
func (b Startup) Hear(e Event, timeless bool) (after Startup, paused bool) {
	switch e.(type) {
	case EventPause:
		if b == ResumeByHand || b == ResumeAtPose { // it does not continue by itself
			return StartByHand, true
		}
	case EventStop:
		if timeless && b == ResumeAtPose {
			return ResumeByHand, false
		}
	}
	return b, false
}

// Entered returns the startup after the mission has entered a state: nothing happens at the first pose once a person has resumed the
// mission, sent it home or stopped it, or if there is a fault.
func (b Startup) Entered(s State) Startup {
	if s != StatePaused && b != StartAtPose {
		return StartByHand
	}
	return b
}

// After returns the startup of a mission that an earlier run has left with a status.
func After(s *Status, byItself bool) Startup {
	switch {
	case s.Resumable() && byItself:
		return ResumeAtPose
	case s.Resumable():
		return ResumeByHand
	}
	return StartByHand
}

// Resumable reports whether a mission continues by itself: it is under way, or in a fault that ends with its cause.
func (s *Status) Resumable() bool { return s.State.Active() || s.FaultKind != FaultReported }

// Reported reports whether the mission is in a fault that EventFault has reported, passing or not.
func (s *Status) Reported() bool {
	return s.State == StateFault && (s.FaultKind == FaultReported || s.FaultKind == FaultPassing)
}

// Passes reports whether the mission is in a fault that ends with this cause.
func (s *Status) Passes(cause FaultCause) bool {
	return s.FaultKind == FaultPassing && s.FaultCause == cause
}

// Sampled reports whether no further sample is expected now, so that a journal that cannot be written need not stop the mission.
func (s *Status) Sampled() bool {
	return s.State == StateReturning || s.State == StateDone || s.State == StateFault && s.FaultKind == FaultReported
}

// Restarted returns the initial status of a mission whose program has ended with status s.
func Restarted(cfg Config, s Status) Status {
	if s.State == StateSampling || s.Interrupted == StateSampling {
		// The robot may have been moved in the meantime: it drives to its target again.
		if s.State == StateSampling {
			s.State = StateTravelling
		} else {
			s.Interrupted = StateTravelling
		}
		s.PhaseTime, s.Drive, s.Standing, s.StandTime = 0, DriveUnderWay, false, 0
	}
	// There is no pose of this run yet: however short the interruption was, the robot must not be
	// sent anywhere before there is one.
	s.PoseAge = max(s.PoseAge, int64(cfg.PoseTimeout*1e9)+int64(time.Millisecond))
	return s
}
