// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"

	"ugp_explorer/internal/num"
)

// uncertain halts a robot on a drive until its position is certain enough for the place.
func (m *Mission) uncertain(reason string) {
	s := &m.s
	if reason == "" {
		reason = "no reason is given"
	}
	switch {
	case s.Waiting != "":
		s.Waiting = reason
		return
	case !s.Drives():
		m.ignore("uncertain position", reason)
		return
	}
	s.Waiting, s.WaitTime = reason, 0
	m.emit(CommandHalt{})
}

// certain continues the drive.
func (m *Mission) certain() {
	s := &m.s
	if s.Waiting == "" {
		m.ignore("certain position", "")
		return
	}
	if s.State == StateFault {
		m.begin(s.Interrupted)
		return
	}
	m.begin(s.State)
}

// longestWait is how long the robot waits for a more certain position before a target is given up, in GoalTimeoutBase.
const longestWait = 10

// watchWait turns too long a wait for a more certain position into a fault, which ends like the wait. If the fault does not end either, the
// target is given up: the position may never be certain enough there. It returns false while there is nothing to do.
func watchWait(m *Mission) bool {
	s := &m.s
	waited := num.Seconds(s.WaitTime)
	switch {
	case s.Waiting == "" || waited <= m.cfg.GoalTimeoutBase:
		return false
	case s.State == StateFault && s.Interrupted == StateTravelling && !m.poseStale() && waited > longestWait*m.cfg.GoalTimeoutBase:
		m.skip(fmt.Sprintf("the position was too uncertain for %.4g s: %s", waited, s.Waiting))
		return true
	case !s.State.Active() || m.settled():
		return false
	}
	s.Interrupted, s.State = s.State, StateFault
	s.FaultKind, s.Fault = FaultUncertain, "the position is too uncertain: "+s.Waiting+"; look at the robot, and resume the mission if it may drive on nevertheless"
	m.emit(CommandHalt{})
	m.note("the position has been too uncertain for %.4g s: %s", waited, s.Waiting)
	return true
}
