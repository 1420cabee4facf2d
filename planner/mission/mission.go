package mission

import (
	"fmt"

	"ugp_explorer/planner/internal/valid"
)

// Mission is the state machine of an exploration: events in, commands out. It has no clock, no goroutine and no logger, and
// its commands are a pure function of its configuration and the events so far, so that the node on the robot, the simulator
// and a replay drive the very same machine. It is for one goroutine.
//
//	idle ─start→ planning ─planned→ travelling ─arrived→ sampling ─sampled→ planning …
//	planning, travelling, sampling ─budget, home, nothing left, too many failures→ returning ─arrived→ done
//	any of them ─pause, fault→ paused, fault ─resume→ where it was;  any ─stop→ done
//
// Rules:
//   - The robot has arrived when the probe is within the tolerance of the target and the robot stands, at every pose for the
//     settle time. At home the way home takes the place of the distance.
//   - What drives the robot may say that it has done so. Where the robot then comes to a stand without having arrived, it is
//     done with the target as after the goal timeout, at once; at home that is a fault. Where it says that it cannot drive
//     there, the target is skipped; the way home is tried again, MaxFailures times, before that is a fault.
//   - The budget of seconds runs on through pauses and faults, as a battery does; the timeouts of planning, travelling and
//     sampling stand still.
//   - Metres and seconds for the way home are kept in reserve (Ledger.MustReturn). When the rest falls below that, whatever is
//     being done is broken off for the way home. A returning robot is never halted for an overdrawn budget.
//   - Without a pose for the pose timeout while travelling, sampling or returning, the robot is halted (StateFault); the
//     next pose sets it going again. From a fault told by EventFault only EventResume, EventHome and EventStop lead out.
//   - A sample interrupted by a pause or a fault is taken anew. A target is kept.
//   - CommandHalt is issued on every way out of travelling and returning, and on every pause, fault and finish.
//   - An event that has no meaning in a state changes nothing and is answered with CommandNote; poses and ticks pass in
//     silence.
type Mission struct {
	cfg Config
	s   Status // the fields that Status derives are left zero
	out []Command
}

// New returns a mission in StateIdle, or an error that names what is wrong with the configuration.
func New(cfg Config) (*Mission, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Mission{cfg: cfg, s: Status{State: StateIdle}}, nil
}

// State returns the state.
func (m *Mission) State() State { return m.s.State }

// Awaits reports whether an answer to the CommandPlan with this number is still of use: whether the mission waits for a target
// and has not asked anew since, as it does after a pause and after the plan timeout.
func (m *Mission) Awaits(plan int) bool { return m.s.State == StatePlanning && m.s.Plan == plan }

// Ledger returns the account of the budget as of the latest event.
func (m *Mission) Ledger() Ledger {
	return Ledger{Config: m.cfg.BudgetConfig, Samples: m.s.Samples, Distance: m.s.UsedDistance, Duration: seconds(m.s.Elapsed)}
}

// Handle takes one event and returns the commands that follow from it, in order. The slice is valid until the next call.
func (m *Mission) Handle(e Event) []Command {
	m.out = m.out[:0]
	if e == nil {
		m.note("no event")
		return m.out
	}
	m.advance(e.stamp())
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
			break
		}
		m.finish("stop was asked for")
	case EventHome:
		m.home()
	case EventPlanned:
		m.planned(e)
	case EventPlanFailed:
		switch {
		case !m.Awaits(e.Plan):
			m.ignore("failed plan", "")
		case e.Exhausted:
			m.goHome("no place is left to sample: " + e.Reason)
		default:
			m.fail("no plan: " + e.Reason)
		}
	case EventPose:
		m.pose(e)
	case EventDriveDone:
		if m.s.State != StateTravelling && m.s.State != StateReturning || m.s.GaveUp {
			m.ignore("end of a drive", "")
			break
		}
		m.s.DriveDone = true
	case EventDriveFailed:
		m.driveFailed(e.Reason)
	case EventSampled:
		if m.s.State != StateSampling {
			m.ignore("sample", "it is not counted")
			break
		}
		m.s.Samples++
		m.s.Failures = 0
		m.begin(StatePlanning)
	case EventSampleFailed:
		if m.s.State != StateSampling {
			m.ignore("failed sample", "")
			break
		}
		m.skip("no sample: " + e.Reason)
	case EventTick:
		m.watch()
	case EventFault:
		m.fault(e.Reason)
	case EventRecovered:
		if m.s.State != StateFault || m.s.StalePose {
			m.ignore("recovery", "")
			break
		}
		m.note("recovered from %q: waiting for resume, home or stop", m.s.Fault)
	default:
		m.note("event of type %T is passed by value only", e)
	}
	return m.out
}

func (m *Mission) start(home float64) {
	switch err := m.cfg.Check(home); {
	case m.s.State != StateIdle:
		m.ignore("start", "")
	case !valid.Finite(home) || home < 0:
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
	case m.s.State == StateFault && m.s.StalePose: // or it would drive off with the next pose
		m.s.Fault, m.s.StalePose = "", false
	case m.s.State == StateFault:
		m.ignore("pause", "the robot is halted already")
		return
	default:
		m.ignore("pause", "")
		return
	}
	m.s.State = StatePaused
	m.emit(CommandHalt{})
}

func (m *Mission) resume() {
	switch {
	case m.s.State == StateFault && m.s.StalePose:
		m.ignore("resume", "it resumes by itself with the next pose")
	case m.s.State == StatePaused || m.s.State == StateFault:
		m.begin(m.s.Interrupted)
	default:
		m.ignore("resume", "")
	}
}

func (m *Mission) home() {
	const why = "home was asked for"
	switch s := &m.s; {
	case s.State == StateFault && s.StalePose:
		s.Interrupted, s.Ending = StateReturning, why
		s.PathLength, s.PhaseTime = s.HomeDistance, 0
		m.note("going home with the next pose: %s", why)
	case s.State == StateFault && s.Interrupted == StateIdle:
		m.ignore("home", "the mission has not begun")
	case s.State.Active() && s.State != StateReturning:
		m.emit(CommandHalt{})
		m.goHome(why)
	case s.State == StatePaused || s.State == StateFault:
		m.goHome(why)
	default:
		m.ignore("home", "")
	}
}

func (m *Mission) planned(e EventPlanned) {
	l := m.Ledger()
	switch {
	case !m.Awaits(e.Plan):
		m.ignore("plan", "")
	case !valid.Finite(e.Target[0]) || !valid.Finite(e.Target[1]):
		m.fail(fmt.Sprintf("no plan: target (%g, %g) is no place", e.Target[0], e.Target[1]))
	case !l.Affordable(e.PathLength, e.HomeDistance):
		m.s.Target = e.Target
		m.skip(fmt.Sprintf("target with %.4g m to drive there and %.4g m home is beyond the %.4g m and %.4g s left",
			e.PathLength, e.HomeDistance, l.RemainingDistance(), l.RemainingDuration()))
	default:
		m.s.Target, m.s.PathLength, m.s.PhaseTime, m.s.GaveUp = e.Target, e.PathLength, 0, false
		m.begin(StateTravelling)
	}
}

func (m *Mission) driveFailed(why string) {
	s := &m.s
	switch {
	case s.State == StateTravelling && !s.GaveUp:
		m.emit(CommandHalt{})
		m.skip("target not reached: " + why)
	case s.State != StateReturning:
		m.ignore("failed drive", why)
	case s.HomeFailures+1 >= m.cfg.MaxFailures:
		failures := valid.Count(s.HomeFailures+1, "drive")
		s.HomeFailures = 0 // for other tries after EventResume
		m.fault(fmt.Sprintf("not home: %s failed, the last: %s", failures, why))
	default:
		s.HomeFailures++
		m.emit(CommandHalt{})
		m.note("drive home %d of %d failed: %s", s.HomeFailures, m.cfg.MaxFailures, why)
		m.begin(StateReturning)
	}
}

func (m *Mission) fault(reason string) {
	switch {
	case m.s.State == StateDone:
		m.ignore("fault", reason)
		return
	case m.s.State != StateFault && m.s.State != StatePaused:
		m.s.Interrupted = m.s.State
	}
	m.s.State, m.s.Fault, m.s.StalePose = StateFault, reason, false
	m.emit(CommandHalt{})
	m.note("fault: %s", reason)
}

// begin enters an active state, or goes back to idle, and issues its command. It turns to the way home when the budget asks
// for it, and to a fault when the poses are stale.
func (m *Mission) begin(state State) {
	s := &m.s
	if state.Active() && state != StateReturning {
		if why := m.Ledger().MustReturn(s.HomeDistance); why != "" {
			m.goHome(why)
			return
		}
	}
	s.State, s.Interrupted, s.Fault, s.StalePose, s.Standing, s.DriveDone = state, "", "", false, false, false
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
		if !s.GaveUp {
			m.emit(CommandDrive{Target: s.Target})
		}
	case StateSampling:
		s.PhaseTime = 0
		m.emit(CommandSample{})
	case StateReturning:
		m.emit(CommandDriveHome{})
	}
}

// goHome begins the way home, after which the mission is done for the given reason. The caller has halted the robot.
func (m *Mission) goHome(why string) {
	m.note("going home: %s", why)
	m.s.Ending = why
	m.s.PathLength, m.s.PhaseTime, m.s.HomeFailures = m.s.HomeDistance, 0, 0
	m.begin(StateReturning)
}

// skip leaves the target out and plans on.
func (m *Mission) skip(why string) {
	m.s.Skipped++
	m.emit(CommandSkipped{Target: m.s.Target, Reason: why})
	m.fail(why)
}

// fail counts a failure and plans on, or goes home after too many in a row.
func (m *Mission) fail(why string) {
	m.s.Failures++
	m.s.FailuresTotal++
	if m.s.Failures >= m.cfg.MaxFailures {
		m.goHome(fmt.Sprintf("%s in a row, the last: %s", valid.Count(m.s.Failures, "failure"), why))
		return
	}
	m.note("failure %d of %d allowed in a row: %s", m.s.Failures, m.cfg.MaxFailures-1, why)
	m.begin(StatePlanning)
}

func (m *Mission) finish(why string) {
	m.s.State, m.s.Interrupted, m.s.Fault, m.s.StalePose, m.s.Ending = StateDone, "", "", false, why
	m.emit(CommandHalt{})
	m.emit(CommandFinish{Reason: why})
}

func (m *Mission) emit(c Command) { m.out = append(m.out, c) }

func (m *Mission) note(format string, args ...any) {
	m.emit(CommandNote{Text: fmt.Sprintf(format, args...)})
}

func (m *Mission) ignore(what, why string) {
	if why != "" {
		why = ": " + why
	}
	m.note("%s ignored while %s%s", what, m.s.State, why)
}
