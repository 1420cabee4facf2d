// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"
	"math"

	"ugp_explorer/internal/num"
)

// clockJitter is the largest delay, ns, of a stamp behind the latest one that is jitter: the stamps of several sources differ by less than
// a second. Such a stamp is replaced by the latest one. An older stamp means that the clock was set back, and time continues from there.
const clockJitter = 1e9

// advance lets time pass until stamp. The time of the mission begins with its start and never decreases.
func (s *Status) advance(stamp int64) {
	if s.State == StateIdle || s.State == StateDone || s.State == StateFault && s.Interrupted == StateIdle {
		s.Stamp = stamp
		return
	}
	if stamp < s.Stamp {
		if stamp < s.Stamp-clockJitter || s.Stamp < math.MinInt64+clockJitter {
			s.Stamp = stamp
		}
		return
	}
	passed := stamp - s.Stamp
	if passed < 0 { // the difference overflowed
		passed = math.MaxInt64
	}
	s.Stamp = stamp
	s.Elapsed = sumNonNegative(s.Elapsed, passed)
	s.PoseAge = sumNonNegative(s.PoseAge, passed)
	if s.State.Active() {
		s.Working = sumNonNegative(s.Working, passed)
	}
	if s.State.OnTheWay() || s.Waiting != "" && s.Interrupted.OnTheWay() {
		s.Driving = sumNonNegative(s.Driving, passed)
	}
	switch {
	case s.Waiting != "":
		s.WaitTime = sumNonNegative(s.WaitTime, passed)
	case s.State.Active():
		s.PhaseTime = sumNonNegative(s.PhaseTime, passed)
	}
	if s.State.Active() {
		if s.Standing {
			s.StandTime = sumNonNegative(s.StandTime, passed)
		}
	}
}

// pose updates the account with a pose and checks for arrival.
func (m *Mission) pose(e EventPose) {
	s := &m.s
	if s.State == StateIdle || s.State == StateDone || s.State == StateFault && s.Interrupted == StateIdle {
		return
	}
	bad := func(x float64) bool { return !num.Finite(x) || x < 0 }
	if bad(e.Odometer) || bad(e.HomeDistance) || !num.Finite(e.Speed) || s.State == StateTravelling && bad(e.TargetDistance) {
		s.RejectedPoses++
		m.note("pose rejected: odometer %g m, target distance %g m, home distance %g m, speed %g m/s",
			e.Odometer, e.TargetDistance, e.HomeDistance, e.Speed)
		m.watch()
		return
	}
	s.UsedDistance = min(s.UsedDistance+e.Odometer, math.MaxFloat64)
	s.HomeDistance = e.HomeDistance
	s.PoseAge = 0
	if s.FaultKind == FaultNoPose {
		m.note("poses arrive again")
		m.begin(s.Interrupted)
		return
	}
	switch s.State {
	case StateTravelling:
		s.TargetDistance = e.TargetDistance
	case StateReturning: // it may go round by way of places farther inside
		s.PathLength = max(s.PathLength, s.HomeDistance)
	}
	s.stand(&m.cfg, e)
	m.watch()
	if s.State == StateTravelling && s.Next != NextNone && s.TargetDistance <= m.cfg.Lead() { // the robot drives on
		m.reconsider()
	}
}

// stand updates the time for which the robot has stood at its destination.
func (s *Status) stand(cfg *Config, e EventPose) {
	there := false
	switch s.State {
	case StateTravelling:
		there = s.Drive != DriveUnderWay || e.TargetDistance <= cfg.ArrivalTolerance
	case StateReturning:
		there = s.Drive == DriveDone || e.HomeDistance <= cfg.HomeTolerance
	}
	there = there && math.Abs(e.Speed) <= StandingSpeed
	if !there || !s.Standing {
		s.StandTime = 0
	}
	s.Standing = there
}

// settled reports whether the robot had stood for the settle time at the last pose; ticks after it do not count.
func (m *Account) settled() bool {
	return m.s.Standing && m.s.PoseAge == 0 && num.Seconds(m.s.StandTime) >= m.cfg.SettleTime
}

// watch checks, in this order, for stale poses, the budget, arrival and timeouts.
func (m *Mission) watch() {
	s := &m.s
	if s.State.needsPose() && m.poseStale() {
		m.stale()
		return
	}
	if s.State.Active() && s.State != StateReturning {
		if why := m.Ledger().mustReturn(s.HomeDistance); why != "" {
			m.emit(CommandHalt{})
			m.goHome(why)
			return
		}
	}
	if watchWait(m) {
		return
	}
	if ends := watches[s.State]; ends != nil {
		ends(m, num.Seconds(s.PhaseTime))
	}
}

// watches has the rules that end a phase, by its state. Each takes the time of the phase so far, s.
var watches = map[State]func(m *Mission, took float64){
	StatePlanning: watchPlan, StateTravelling: watchTravel, StateSampling: watchSample, StateReturning: watchReturn,
}

func watchPlan(m *Mission, took float64) {
	if took > m.cfg.PlanTimeout {
		m.fail(fmt.Sprintf("no plan within %g s", m.cfg.PlanTimeout))
	}
}

func watchSample(m *Mission, took float64) {
	if took > m.cfg.SampleTimeout {
		m.emit(CommandHalt{})
		m.skip(fmt.Sprintf("no sample within %g s", m.cfg.SampleTimeout))
	}
}

// lookTime is how long a robot with an uncertain position stands at home before the mission is over, s. While it stands, its wheels show that
// fixes wander. With float solutions, whose errors come and go within a minute, the position then errs by 1.5 m instead of 2.0 m (root mean
// square), and by 1.4 m after a minute.
const lookTime = 20.0

// looks reports whether a robot that stands at home looks whether its position stays: that is known less well than the tolerance, and the robot
// has not looked yet. There must be time for it, and no drive home may have failed: the next could be the last.
func (m *Mission) looks() bool {
	return !m.s.Looked && m.s.HomeFailures == 0 && 2*m.s.StdDev > m.cfg.HomeTolerance && lookTime < m.Ledger().remainingDuration()
}

func watchReturn(m *Mission, took float64) {
	s := &m.s
	why := ""
	home := s.HomeDistance <= m.cfg.HomeTolerance
	switch {
	case s.Drive == DriveLooks && took < lookTime:
		return
	case s.Drive == DriveLooks && !home:
		m.note("the robot has stood at home for %g s, and its position shows that home is %.4g m away: it drives home again", lookTime, s.HomeDistance)
		m.timeHome()
		m.begin(StateReturning)
		return
	case s.Drive == DriveLooks, m.settled() && home && !m.looks():
		m.finish(s.Ending)
		return
	case m.settled() && home:
		s.Looked, s.Drive, s.PhaseTime = true, DriveLooks, 0
		m.emit(CommandHalt{})
		return
	case m.settled():
		why = "the drive home is done"
	case took > m.timeLimit():
		why = fmt.Sprintf("not home within the limit of %.4g s for %.4g m", m.timeLimit(), s.PathLength)
	default:
		return
	}
	why = fmt.Sprintf("%s, still %.4g m away", why, s.HomeDistance)
	if m.held != "" {
		why = m.held + "; " + why
	}
	m.driveFailed(EventDriveFailed{Reason: why})
}

func watchTravel(m *Mission, took float64) {
	if m.cfg.Mode.Pieces {
		watchContinuous(m, took)
		return
	}
	s := &m.s
	limit := m.timeLimit()
	switch {
	case m.settled():
		if s.Drive == DriveDone && s.TargetDistance > m.cfg.ArrivalTolerance {
			m.note("the drive is done, %.4g m short of the target", s.TargetDistance)
		}
		m.emit(CommandHalt{})
		m.begin(StateSampling)
	case s.Drive == DriveGivenUp && took > m.cfg.GoalTimeoutBase:
		m.emit(CommandHalt{})
		m.skip(fmt.Sprintf("the robot has not stopped within %g s", m.cfg.GoalTimeoutBase))
	case s.Drive != DriveGivenUp && m.overdue(took):
		s.Drive, s.PhaseTime = DriveGivenUp, 0
		m.emit(CommandHalt{})
		m.note("target not reached within %.4g s, halting %.4g m short of it", limit, s.TargetDistance)
	}
}

func (m *Account) poseStale() bool { return num.Seconds(m.s.PoseAge) > m.cfg.PoseTimeout }

// stale halts the robot until the next pose.
func (m *Mission) stale() {
	m.s.Interrupted, m.s.State = m.s.State, StateFault
	m.s.FaultKind, m.s.Fault, m.s.Waiting = FaultNoPose, "pose stale", ""
	m.emit(CommandHalt{})
	m.note("pose stale: no pose for %.4g s", num.Seconds(m.s.PoseAge))
}
