// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"cmp"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
)

// phase returns the state or, in a pause, the interrupted state.
func (s *Status) phase() State {
	if s.State == StatePaused {
		return s.Interrupted
	}
	return s.State
}

func (m *Mission) start(home float64) {
	switch err := m.cfg.Check(home); {
	case m.s.State != StateIdle && m.s.FaultKind == FaultReported && m.Recallable():
		m.explore()
	case m.s.State != StateIdle:
		m.ignore("start", "")
	case !num.Finite(home) || home < 0: // there is no pose yet
		m.ignore("start", err.Error())
	case err != nil:
		m.s.HomeDistance = home
		m.finish(err.Error())
	default:
		m.s.HomeDistance = home
		m.begin(StatePlanning)
	}
}

func (m *Mission) pause() {
	switch {
	case m.s.State.Active():
		m.s.Interrupted = m.s.State
	case m.s.FaultKind != FaultReported: // otherwise the next pose would resume the drive
		m.s.Fault, m.s.FaultKind = "", FaultReported
	case m.s.State == StateFault:
		m.ignore("pause", "the robot is halted already")
		return
	default:
		m.ignore("pause", "")
		return
	}
	m.s.State, m.s.Waiting = StatePaused, ""
	m.emit(CommandHalt{})
}

func (m *Mission) resume() {
	switch {
	case m.s.FaultKind == FaultNoPose:
		m.ignore("resume", "the mission resumes with the next pose")
	case m.s.State != StatePaused && m.Recallable():
		m.explore()
	case m.s.State == StatePaused || m.s.State == StateFault:
		m.begin(m.s.Interrupted)
	default:
		m.ignore("resume", "")
	}
}

// Recallable reports whether the robot returns home, or was interrupted on the way home, only because of failures: samples and budget are
// left, and EventResume continues the exploration.
func (m *Account) Recallable() bool {
	s := &m.s
	return s.AfterFailures && (s.State == StateReturning || s.Interrupted == StateReturning) && m.Ledger().mustReturn(s.HomeDistance) == ""
}

// explore continues the exploration instead of the return home, or after it.
func (m *Mission) explore() {
	s := &m.s
	if s.State == StateReturning {
		m.emit(CommandHalt{})
	}
	m.note("continuing the exploration after: %s", s.Ending)
	s.Ending, s.Failures, s.HomeFailures, s.AfterFailures = "", 0, 0, false
	m.begin(StatePlanning)
}

func (m *Mission) home() {
	const why = "return home was requested"
	switch s := &m.s; {
	case s.FaultKind == FaultNoPose:
		s.Interrupted, s.Ending = StateReturning, why
		m.timeHome()
		m.note("returning home with the next pose: %s", why)
	case s.State == StateFault && s.Interrupted == StateIdle:
		m.ignore("home", "the mission has not started")
	case s.State.Active() && s.State != StateReturning:
		m.emit(CommandHalt{})
		m.goHome(why)
	case s.State == StatePaused || s.State == StateFault:
		m.goHome(why)
	default:
		m.ignore("home", "")
	}
}

// RefusesSkip returns the reason why EventSkip would be ignored now, or "" if there is a target to skip.
func (m *Account) RefusesSkip() string {
	switch m.s.phase() {
	case StateTravelling, StateSampling:
		return ""
	}
	return fmt.Sprintf("the mission has no target to skip while it is %s", m.s.State)
}

// skipTarget gives up the target at a person's request. This is no failure. A paused mission stays paused.
func (m *Mission) skipTarget() {
	s := &m.s
	if why := m.RefusesSkip(); why != "" {
		m.ignore("skip", why)
		return
	}
	s.Skipped++
	if s.State != StatePaused {
		m.emit(CommandHalt{})
	}
	m.emit(CommandSkipped{Target: s.Target, Reason: "a person skipped it", ByPerson: true})
	if s.State == StatePaused {
		s.Interrupted, s.PhaseTime, s.Drive = StatePlanning, 0, DriveUnderWay
		return
	}
	m.begin(StatePlanning)
}

// mostMore is the largest share by which EventMore can increase a budget.
const mostMore = 10

// RefusesMore returns the reason why an EventMore with this share and this path home, m, would be ignored now, or "".
func (m *Account) RefusesMore(share, home float64) string {
	switch {
	case m.s.State != StateReturning && m.s.State != StateDone:
		return fmt.Sprintf("more budget can be given on the way home and after the end, but the mission is %s", m.s.State)
	case !(share > 0 && share <= mostMore):
		return fmt.Sprintf("the share of additional budget is %g: must be above 0 and at most %d", share, mostMore)
	case !num.Finite(home) || home < 0:
		return fmt.Sprintf("the path home is %g m: must be finite and not negative", home)
	}
	after := *m
	after.s.More = m.WithMore(share)
	if why := after.Ledger().mustReturn(home); why != "" {
		return "that is too little to continue: " + why
	}
	return ""
}

// WithMore returns [Status].More after an EventMore with a share. Amounts spent beyond a limit are added, too.
func (m *Account) WithMore(share float64) Budget {
	l, more := m.Ledger(), m.s.More
	now := l.Config.Budget
	more.Samples += int(math.Ceil(share * float64(now.Samples)))
	more.Distance += share*now.Distance + max(0, -l.remainingDistance())
	more.Duration += share*now.Duration + max(0, -l.remainingDuration())
	return more
}

func (m *Mission) more(e EventMore) {
	if why := m.RefusesMore(e.Share, e.HomeDistance); why != "" {
		m.ignore("more budget", why)
		return
	}
	m.s.More, m.s.HomeDistance = m.WithMore(e.Share), e.HomeDistance
	m.explore()
}

// RefusesTarget returns the reason why an EventGoTo with this target and these lengths, m, would be ignored now, or "".
func (m *Account) RefusesTarget(target orb.Point, pathLength, homeDistance float64) string {
	s := &m.s
	switch s.phase() {
	case StateIdle:
		return "the mission has not started"
	case StatePlanning, StateTravelling, StateSampling:
	default:
		return fmt.Sprintf("no target can be given while the mission is %s", s.State)
	}
	l := m.Ledger()
	return cmp.Or(l.mustReturn(s.HomeDistance), l.refuses(target, pathLength, homeDistance))
}

// refuses returns the reason why a target is invalid or cannot be afforded, or "".
func (l Ledger) refuses(target orb.Point, pathLength, homeDistance float64) string {
	switch {
	case !num.Finite(target[0]) || !num.Finite(target[1]):
		return fmt.Sprintf("target (%g, %g) is not finite", target[0], target[1])
	case !l.Affordable(pathLength, homeDistance):
		return fmt.Sprintf("the target is %.4g m away, and its path home is %.4g m long: more than the remaining %.4g m and %.4g s allow",
			pathLength, homeDistance, l.remainingDistance(), l.remainingDuration())
	}
	return ""
}

// goTo makes a person's target the present one. A pending decision is ignored. The previous target is neither skipped nor a failure. A
// paused mission stays paused, and drives to the new target when it is resumed.
func (m *Mission) goTo(e EventGoTo) {
	s := &m.s
	if why := m.RefusesTarget(e.Target, e.PathLength, e.HomeDistance); why != "" {
		m.ignore("given target", why)
		return
	}
	if s.State == StateTravelling || s.State == StateSampling {
		m.emit(CommandHalt{})
	}
	m.aim(e.Target, e.PathLength)
	if s.State == StatePaused {
		s.Interrupted = StateTravelling
		return
	}
	m.begin(StateTravelling)
}
