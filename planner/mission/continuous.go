// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"
)

// leadTime is the driving time before the arrival at a target at which a continuous mission asks for the next one, s. A decision takes less
// time, so the robot does not stop.
const leadTime = 2.0

// Lead returns the distance from a target at which a continuous mission asks for the next one, m.
func (c Config) Lead() float64 { return c.ArrivalTolerance + leadTime*c.Speed }

// reconsider asks for the next target while the robot drives to the present one, unless it has already asked.
func (m *Mission) reconsider() {
	s := &m.s
	if !m.cfg.Mode.Ahead || s.State != StateTravelling || s.Next == NextAsked {
		return
	}
	s.Next = NextAsked
	s.Plan++
	m.emit(CommandPlan{Plan: s.Plan})
}

// turn sends the robot to the next target from wherever it is on the way to the present one.
func (m *Mission) turn(e EventPlanned) {
	s := &m.s
	if why := m.Ledger().refuses(e.Target, e.PathLength, e.HomeDistance); why != "" {
		m.keep(why)
		return
	}
	m.aim(e.Target, e.PathLength)
	s.Standing, s.StandTime, s.Next, s.Waiting = false, 0, nextLater, ""
	m.progress.reset()
	m.emit(CommandDrive{Target: s.Target})
}

// keep continues to the present target although there is no next one. The next one is requested again when the robot stands there.
func (m *Mission) keep(why string) {
	m.s.Next = NextNone
	m.note("driving on to the present target: %s", why)
}

// watchContinuous checks for the arrival and the timeout of a continuous mission. A robot that stands at its target waits
// there for the next one.
func watchContinuous(m *Mission, took float64) {
	s := &m.s
	limit := m.timeLimit()
	switch {
	case m.settled() && s.Next != NextAsked:
		m.emit(CommandHalt{})
		m.begin(StatePlanning)
	case m.overdue(took):
		m.emit(CommandHalt{})
		m.skip(fmt.Sprintf("target not reached within %.4g s, %.4g m short of it", limit, s.TargetDistance))
	}
}
