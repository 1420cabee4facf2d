// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"cmp"
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
)

// Mission is the state machine of an exploration. Its commands are a pure function of its configuration and the events so
// far. It is not safe for concurrent use.
//
//	idle ─start→ planning ─planned→ travelling ─arrived→ sampling ─sampled→ planning …
//	planning, travelling, sampling ─budget, home, nothing left, too many failures→ returning ─arrived→ done
//	any of them ─pause, fault→ paused, fault ─resume→ where it was;  any ─stop→ done;  returning, done ─more→ planning
//
// Rules:
//   - The robot has arrived when the probe is within the tolerance of the target and the robot stands, at every pose of the
//     settle time. On the drive home, the length of the path home replaces the distance to the target.
//   - The driver may report that a drive is done. If the robot then stands without having arrived, the mission acts at once
//     as after the goal timeout. If the driver reports that it cannot reach the target, the target is skipped. A drive home that fails,
//     ends elsewhere or takes too long is repeated; after MaxFailures of them the mission enters the fault state.
//   - A robot whose position is less certain than the tolerance is halted at home for lookTime, and drives home once more if its position turns
//     out to be another.
//   - Pauses and faults count towards the budget of seconds, as they drain the battery. The timeouts of planning,
//     travelling and sampling are suspended.
//   - Metres and seconds for the path home are kept in reserve ([Ledger.mustReturn]). When less is left, the mission breaks
//     off what it is doing and the robot returns home. A returning robot is never halted for an overdrawn budget.
//   - If no pose arrives for the pose timeout while travelling, sampling or returning, the robot is halted (StateFault) until
//     the next pose. Only EventResume, EventHome and EventStop end a fault that EventFault reported.
//   - If the position is too uncertain for the place (EventUncertain), the robot is halted until it is certain again, and the drive
//     continues; its timeout is suspended meanwhile. After GoalTimeoutBase this is a fault, which ends in the same way or by a person;
//     after ten times that, the target is given up.
//   - A robot whose wheels turn while its position stays is stuck ([Config].StuckTime): the target is skipped, or the drive home has
//     failed.
//   - A sample interrupted by a pause or a fault is repeated. A target is kept.
//   - A sample that needs confirmation ([EventSampled].Again) uses the budget, as does the second one at its place.
//   - A person may skip or replace the target while the mission plans, travels or samples, and in a pause of these. Neither is a failure.
//   - A return home that too many failures caused is not final: EventResume and EventStart continue the exploration if the
//     budget allows. A return home for another reason ends the mission.
//   - A continuous mission does not stop to sample. It asks for the next target before the robot reaches the present one, or
//     when EventReconsider says so, and CommandDrive sends the robot there from where it is. If there is no next target in
//     time, the robot stops at the present one.
//   - CommandHalt is issued whenever the mission leaves travelling or returning, and at every pause, fault and finish.
//   - An event that does not apply to the state changes nothing and is answered with CommandNote. Poses and ticks are
//     ignored silently.
type Mission struct {
	Account
	outbox

	progress progress // of the drive; a restored mission starts again
	furthest furthest // that Rest has told
	held     string   // what last held the robot since the time limit of its drive home began, see EventTick
	restored bool     // an earlier run has begun it
}

// New returns a mission in StateIdle, or an error that names the first invalid field of cfg.
func New(cfg Config) (*Mission, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Mission{Account: Account{cfg: cfg, s: Status{State: StateIdle}}}, nil
}

// Account is a mission's rules and its state. Its methods answer questions and change nothing.
type Account struct {
	cfg Config
	s   Status // without what is derived
}

// State returns the state.
func (m *Account) State() State { return m.s.State }

// EndsByItself reports whether the mission is in no fault, or in one that ends with its cause.
func (m *Account) EndsByItself() bool { return m.s.FaultKind != FaultReported }

// Awaits reports whether the mission still waits for the answer to the CommandPlan with this number. After a pause and after
// the plan timeout it issues a new CommandPlan.
func (m *Account) Awaits(plan int) bool {
	return (m.s.State == StatePlanning || m.s.State == StateTravelling && m.s.Next == NextAsked) && m.s.Plan == plan
}

// Ledger returns the ledger as of the latest event.
func (m *Account) Ledger() Ledger {
	c := m.cfg.BudgetConfig
	if c.Budget.Samples > 0 {
		c.Budget.Samples += m.s.More.Samples
	}
	if c.Budget.Distance > 0 {
		c.Budget.Distance += m.s.More.Distance
	}
	if c.Budget.Duration > 0 {
		c.Budget.Duration += m.s.More.Duration
	}
	return Ledger{Config: c, Samples: m.s.Samples, Distance: m.s.UsedDistance, Duration: num.Seconds(m.s.Elapsed), Driving: num.Seconds(m.s.Driving)}
}

// Handle processes one event and returns the resulting commands in order. The slice is valid until the next call.
func (m *Mission) Handle(e Event) []Command {
	m.out = m.out[:0]
	if e == nil {
		m.note("no event")
		return m.out
	}
	if m.cfg.Mode.Suggests {
		m.observe(e)
		return m.out
	}
	m.s.advance(e.stamp())
	switch e := e.(type) {
	case EventStart:
		m.start(e.HomeDistance)
	case EventPause:
		m.pause()
	case EventResume:
		m.resume()
	case EventStop:
		if m.s.State == StateDone {
			m.ignore("stop", "")
		} else {
			m.finish("stop was requested")
		}
	case EventHome:
		m.home()
	case EventMore:
		m.more(e)
	case EventSkip:
		m.skipTarget()
	case EventGoTo:
		m.goTo(e)
	case EventPlanned:
		m.planned(e)
	case EventPlanFailed:
		m.planFailed(e)
	case EventPose:
		m.pose(e)
	case EventPosition:
		if num.Finite(e.StdDev) {
			m.s.StdDev = e.StdDev
		}
		m.watchProgress(e)
	case EventUncertain:
		m.uncertain(e.Reason)
	case EventCertain:
		m.certain()
	case EventDriveDone:
		m.driveDone()
	case EventDriveFailed:
		m.driveFailed(e)
	case EventReconsider:
		m.reconsider()
	case EventSampled:
		m.sampled(e)
	case EventSampleFailed:
		m.sampleFailed(e)
	case EventTick:
		m.held = cmp.Or(e.Held, m.held)
		m.watch()
	case EventFault:
		if e.AtHome && m.s.State == StateReturning {
			m.finishNearHome()
		} else {
			m.fault(e.Reason, e.Cause)
		}
	case EventRecovered:
		m.recovered(e.Cause)
	default:
		m.note("event of type %T ignored: events are passed by value", e)
	}
	return m.out
}

func (m *Mission) planned(e EventPlanned) {
	switch why := m.Ledger().refuses(e.Target, e.PathLength, e.HomeDistance); {
	case !m.Awaits(e.Plan):
		m.ignore("plan", "")
	case m.s.State == StateTravelling:
		m.turn(e)
	case !num.Finite(e.Target[0]) || !num.Finite(e.Target[1]):
		m.fail("no plan: " + why)
	case why != "":
		m.s.Target = e.Target
		m.skip(why)
	default:
		m.aim(e.Target, e.PathLength)
		m.begin(StateTravelling)
	}
}

func (m *Mission) planFailed(e EventPlanFailed) {
	switch {
	case !m.Awaits(e.Plan):
		m.ignore("failed plan", "")
	case m.s.State == StateTravelling:
		m.keep(e.Reason)
	case e.Exhausted:
		m.goHome("no place is left to sample: " + e.Reason)
	default:
		m.fail("no plan: " + e.Reason)
	}
}

func (m *Mission) sampled(e EventSampled) {
	if m.s.State != StateSampling && (!m.cfg.Mode.Pieces || m.s.State == StateIdle) { // pieces count whatever the robot does
		m.ignore("sample", "it is not counted")
		return
	}
	m.s.Samples++
	m.s.Failures = 0
	switch {
	case m.cfg.Mode.Pieces:
	case e.Again:
		m.begin(StateSampling)
	default:
		m.begin(StatePlanning)
	}
}

func (m *Mission) sampleFailed(e EventSampleFailed) {
	travelling := m.cfg.Mode.Pieces && m.s.State == StateTravelling
	if m.s.State != StateSampling && !travelling {
		m.ignore("failed sample", "")
		return
	}
	if travelling {
		m.emit(CommandHalt{})
	}
	m.skip("no sample: " + e.Reason)
	m.s.FailedBy = e.Cause
}

func (m *Mission) driveDone() {
	if !m.s.Drives() {
		m.ignore("end of drive", "")
		return
	}
	m.s.Drive = DriveDone
}

func (m *Mission) driveFailed(e EventDriveFailed) {
	s := &m.s
	last := s.HomeFailures+1 >= m.cfg.MaxFailures
	switch {
	case e.AtHome && (s.State == StateReturning && last || s.FaultKind == FaultUncertain && s.Interrupted == StateReturning):
		m.finishNearHome()
	case s.State == StateTravelling && s.Drive != DriveGivenUp:
		m.emit(CommandHalt{})
		m.skip("target not reached: " + e.Reason)
	case s.State != StateReturning:
		m.ignore("failed drive", e.Reason)
	case last:
		failures := num.Count(s.HomeFailures+1, "drive")
		s.HomeFailures = 0 // for new attempts after EventResume
		m.timeHome()
		m.fault(fmt.Sprintf("cannot return home: %s failed, the last: %s", failures, e.Reason), e.Cause)
	default:
		s.HomeFailures++
		s.HomeFailed = e.Reason
		speed := s.PathSpeed
		m.timeHome()
		s.PathSpeed = speed // the failed drive was a slow one: another like it must not get more time
		m.emit(CommandHalt{})
		m.note("drive home %d of %d failed: %s", s.HomeFailures, m.cfg.MaxFailures, e.Reason)
		m.begin(StateReturning)
	}
}

// fault enters the fault state. A fault that passes ends with its cause if the mission was under way.
func (m *Mission) fault(reason string, cause FaultCause) {
	switch {
	case m.s.State == StateDone:
		m.ignore("fault", reason)
		return
	case m.s.State != StateFault && m.s.State != StatePaused:
		m.s.Interrupted = m.s.State
	}
	m.s.State, m.s.Fault, m.s.FaultKind, m.s.Waiting, m.s.FaultCause = StateFault, reason, FaultReported, "", cause
	m.emit(CommandHalt{})
	if cause.passes() && m.s.Interrupted.Active() {
		m.s.FaultKind = FaultPassing
		m.note("fault: %s; the mission continues by itself when the cause ends; resume continues it now", reason)
		return
	}
	m.note("fault: %s; resume continues the mission", reason)
}

// overFault is the beginning of the reason of a fault whose cause is gone.
const overFault = "over now, waiting for resume, home or stop: "

// recovered ends a fault whose cause is gone, if it passes; otherwise the fault waits for a person.
func (m *Mission) recovered(cause FaultCause) {
	switch s := &m.s; {
	case s.Passes(cause):
		m.note("recovered from %q", s.Fault)
		m.begin(s.Interrupted)
	case s.State != StateFault || s.FaultKind != FaultReported || cause == CauseOther || s.FaultCause != cause:
		m.ignore("recovery", "")
	default:
		m.note("recovered from %q: waiting for resume, home or stop", s.Fault)
		s.Fault, s.FaultCause = overFault+s.Fault, CauseOther
	}
}

// begin enters an active state, or idle again, and issues its command. It begins the return home instead if the budget
// requires that, and a fault if the poses are stale.
func (m *Mission) begin(state State) {
	s := &m.s
	if state.Active() && state != StateReturning {
		if why := m.Ledger().mustReturn(s.HomeDistance); why != "" {
			m.goHome(why)
			return
		}
	}
	s.State, s.Interrupted, s.Fault, s.FaultKind, s.Waiting, s.Standing, s.Next = state, "", "", FaultReported, "", false, nextLater
	s.Looked = s.Looked && state == StateReturning
	if s.Drive == DriveDone || state == StateReturning { // the drive home is another one than that to a target that was given up
		s.Drive = DriveUnderWay
	}
	m.progress.reset()
	if state.needsPose() && m.poseStale() {
		m.stale()
		return
	}
	switch state {
	case StatePlanning:
		s.PhaseTime = 0
		s.Plan++
		m.emit(CommandPlan{Plan: s.Plan})
	case StateTravelling:
		if s.Drive != DriveGivenUp {
			m.emit(CommandDrive{Target: s.Target})
		}
	case StateSampling:
		s.PhaseTime = 0
		m.emit(CommandSample{})
	case StateReturning:
		m.emit(CommandDriveHome{})
	}
}

// timeHome starts the time limit of a drive home from here.
func (m *Mission) timeHome() {
	m.setOut(m.s.HomeDistance)
	m.held = ""
}

// aim sets the target, starts the time limit of the drive there, and takes the length of the path, m.
func (m *Account) aim(target orb.Point, path float64) {
	m.setOut(path)
	m.s.Target, m.s.TargetDistance, m.s.Drive = target, path, DriveUnderWay
}

// slowest is the lowest mean speed for a time limit, as a share of the expected speed. With a lower one, a robot that never moves and does
// not report it would get hours.
const slowest = 0.25

// setOut starts the time limit of a drive along a path, m. The robot's speed on this drive does not affect the limit: a stuck robot must
// not get more time.
func (m *Account) setOut(path float64) {
	m.s.PathLength, m.s.PathSpeed, m.s.PhaseTime = path, max(m.Ledger().speed(), slowest*m.cfg.Speed), 0
}

// timeLimit returns the time limit of the present drive, s. Journals of earlier versions have no speed.
func (m *Account) timeLimit() float64 {
	return m.cfg.GoalTimeoutBase + m.cfg.GoalTimeoutFactor*m.s.PathLength/cmp.Or(m.s.PathSpeed, m.cfg.Speed)
}

// headway is the share of its way that a drive must have come nearer to its target within its time limit, so that it gets another one.
const headway = 0.25

// overdue reports whether a drive to a target has taken too long. A robot that comes nearer is slow, not stuck: it gets the time for the rest,
// by the speed that it has shown.
func (m *Account) overdue(took float64) bool {
	if took <= m.timeLimit() {
		return false
	}
	if m.s.TargetDistance > (1-headway)*m.s.PathLength {
		return true
	}
	m.setOut(m.s.TargetDistance)
	return false
}

// goHome begins the return home, after which the mission is done, for the given reason. The caller has halted the robot.
func (m *Mission) goHome(why string) {
	m.note("returning home: %s", why)
	m.s.Ending, m.s.AfterFailures = why, false
	m.s.HomeFailures = 0
	m.timeHome()
	m.begin(StateReturning)
}

// skip drops the target and begins the next plan.
func (m *Mission) skip(why string) {
	m.s.Skipped++
	m.emit(CommandSkipped{Target: m.s.Target, Reason: why})
	m.fail(why)
}

// fail counts a failure and begins the next plan, or the return home after too many failures in a row.
func (m *Mission) fail(why string) {
	m.s.Failures++
	m.s.FailuresTotal++
	m.s.FailedBy = CauseOther
	if m.s.Failures >= m.cfg.MaxFailures {
		m.goHome(fmt.Sprintf("%s in a row, the last: %s", num.Count(m.s.Failures, "failure"), why))
		m.s.AfterFailures = true
		return
	}
	m.note("failure %d in a row, %d allowed: %s", m.s.Failures, m.cfg.MaxFailures-1, why)
	m.begin(StatePlanning)
}

// finishNearHome ends the mission of a robot that may be at home already.
func (m *Mission) finishNearHome() {
	m.finish(fmt.Sprintf("%s; home is about %s away, which is within the uncertainty of the position", m.s.Ending, metres(m.s.HomeDistance)))
}

func (m *Mission) finish(why string) {
	m.s.State, m.s.Interrupted, m.s.Fault, m.s.FaultKind, m.s.Ending = StateDone, "", "", FaultReported, why
	m.s.AfterFailures, m.s.Waiting = false, ""
	m.emit(CommandHalt{})
	m.emit(CommandFinish{Reason: why})
}

// ignore notes an event that does not apply to the state.
func (m *Mission) ignore(what, why string) {
	if why != "" {
		why = ": " + why
	}
	m.note("%s ignored while %s%s", what, m.s.State, why)
}
