package mission

import (
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/internal/valid"
)

// SkippedByPerson is the reason of CommandSkipped after EventSkip.
const SkippedByPerson = "a person skipped it"

// phase returns the state, or what a pause has interrupted.
func (s *Status) phase() State {
	if s.State == StatePaused {
		return s.Interrupted
	}
	return s.State
}

// RefusesSkip returns the reason why EventSkip would be ignored now, or "" if there is a target to skip.
func (m *Mission) RefusesSkip() string {
	switch m.s.phase() {
	case StateTravelling, StateSampling:
		return ""
	}
	return fmt.Sprintf("there is no target to skip while %s", m.s.State)
}

// skipTarget gives up the target as a person wants. It is no failure. A paused mission stays paused.
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
	m.emit(CommandSkipped{Target: s.Target, Reason: SkippedByPerson})
	if s.State == StatePaused {
		s.Interrupted, s.PhaseTime, s.Drive = StatePlanning, 0, DriveUnderWay
		return
	}
	m.begin(StatePlanning)
}

// RefusesTarget returns the reason why an EventGoTo with this target and these lengths, m, would be ignored now, or "".
func (m *Mission) RefusesTarget(target orb.Point, pathLength, homeDistance float64) string {
	s := &m.s
	switch s.phase() {
	case StateIdle:
		return "the mission has not started"
	case StatePlanning, StateTravelling, StateSampling:
	default:
		return fmt.Sprintf("no target can be given while %s", s.State)
	}
	switch l := m.Ledger(); {
	case !valid.Finite(target[0]) || !valid.Finite(target[1]):
		return fmt.Sprintf("target (%g, %g) is not finite", target[0], target[1])
	case l.mustReturn(s.HomeDistance) != "":
		return l.mustReturn(s.HomeDistance)
	case !l.Affordable(pathLength, homeDistance):
		return m.tooFar(pathLength, homeDistance)
	}
	return ""
}

// tooFar returns the reason why a target cannot be afforded.
func (m *Mission) tooFar(pathLength, homeDistance float64) string {
	l := m.Ledger()
	return fmt.Sprintf("target costs %.4g m to reach and %.4g m to return home, more than the %.4g m and %.4g s left allow",
		pathLength, homeDistance, l.remainingDistance(), l.remainingDuration())
}

// goTo makes a person's target the present one. A decision that is under way is not awaited any more. The target before is
// neither skipped nor a failure. A paused mission stays paused, and drives there when it is resumed.
func (m *Mission) goTo(e EventGoTo) {
	s := &m.s
	if why := m.RefusesTarget(e.Target, e.PathLength, e.HomeDistance); why != "" {
		m.ignore("given target", why)
		return
	}
	if s.State == StateTravelling || s.State == StateSampling {
		m.emit(CommandHalt{})
	}
	s.Target, s.PathLength, s.PhaseTime, s.Drive = e.Target, e.PathLength, 0, DriveUnderWay
	if s.State == StatePaused {
		s.Interrupted = StateTravelling
		return
	}
	m.begin(StateTravelling)
}
