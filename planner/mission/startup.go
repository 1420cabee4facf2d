// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import "time"

// Startup is what the first pose begins.
type Startup uint8

// What may begin.
const (
	StartByHand  Startup = iota // nothing: a person starts the mission, or goes on with it
	StartAtPose                 // the mission starts
	ResumeByHand                // nothing: the mission of an earlier run goes on with EventResume
	ResumeAtPose                // the mission of an earlier run goes on
)

// Hear returns what the first pose begins after an event. paused means that the event has done its work with that: a mission
// that waits to go on is paused already. timeless means that the time is not known, so that the mission cannot end yet: it
// stays paused.
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

// Entered returns what the first pose begins once the mission has entered a state: nothing, after a person has resumed it,
// sent it home or stopped it, or there is a fault.
func (b Startup) Entered(s State) Startup {
	if s != StatePaused && b != StartAtPose {
		return StartByHand
	}
	return b
}

// After returns what the first pose begins in a mission that an earlier run has left at a status.
func After(s *Status, byItself bool) Startup {
	switch {
	case s.Resumable() && byItself:
		return ResumeAtPose
	case s.Resumable():
		return ResumeByHand
	}
	return StartByHand
}

// Resumable reports whether a mission goes on by itself: it is under way, or in a fault that ends when its cause does.
func (s *Status) Resumable() bool { return s.State.Active() || s.FaultKind != FaultReported }

// Reported reports whether the mission is in a fault that EventFault has reported, whether it passes or not.
func (s *Status) Reported() bool {
	return s.State == StateFault && (s.FaultKind == FaultReported || s.FaultKind == FaultPassing)
}

// Passes reports whether the mission is in a fault that ends when this cause does.
func (s *Status) Passes(cause FaultCause) bool {
	return s.FaultKind == FaultPassing && s.FaultCause == cause
}

// Sampled reports whether no sample comes now for which a journal is needed, so that one that cannot be written stops nothing.
func (s *Status) Sampled() bool {
	return s.State == StateReturning || s.State == StateDone || s.State == StateFault && s.FaultKind == FaultReported
}

// Restarted returns the status at which a mission begins whose program has ended at s.
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
