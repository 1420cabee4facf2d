package explorer

import (
	"cmp"
	"errors"
	"log/slog"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/edge"
	"ugp_explorer/node/explorer/heading"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/pursuit"
)

// active sends the robot on a mission: what [stops] and [driving] have in common.
type active struct {
	*Explorer
	warn    ros.Throttle
	mission *mission.Mission
	obey    func(mission.Command)          // does the mode's own part of a command, before the common one
	follow  func(changed bool) (note bool) // is called after events; changed: the state is another; note: the journal must know
	events  []mission.Event                // not yet told to the mission, in their order
	telling bool
	driver  *drive.Driver
	heading *heading.Finder

	target     orb.Point       // being driven to, or sampled
	path       []orb.Point     // to the target that the mission is told of just now; nil: it is told of none
	approached record.Approach // how
	edge       *edge.Edge      // what keeps the robot away from edges while its position is uncertain
	onPath     onPath          // where on its path the robot is
	outside    edge.Outside    // whether it leaves the field
	corrected  edge.Corrections

	planned int // number of the plan that the mission asked for last

	awaited   awaited // what begins with the first pose
	mayDrive  bool    // the robot may still drive to the goal of an earlier run, until it is told to stay
	startSaid bool    // the log says that the mission waits for a person to start it
}

// endsByItself reports whether the mission is in no fault, or in one that ends when its cause does.
func (a *active) endsByItself() bool { return a.mission.Status().FaultKind != mission.FaultReported }

// awaited is what the first pose begins.
type awaited uint8

const (
	nothing    awaited = iota
	theStart           // the mission starts
	theCommand         // nothing: the mission of an earlier run goes on with the command resume
	theResume          // the mission of an earlier run goes on
)

// newActive advertises the goal.
func newActive(e *Explorer) (*active, error) {
	cfg, node, s := e.cfg, e.node, e.sense
	a := &active{Explorer: e, warn: newThrottle(node), edge: edge.New(node, cfg, e.ground)}
	if cfg.AutoStart {
		a.awaited = theStart
	}
	var err error
	if a.mission, err = mission.New(cfg.Rules()); err != nil {
		return nil, err
	}
	a.driver, err = drive.New(node, drive.Config{
		Action: cfg.Interface == settings.GoalAction, Frame: cfg.Frame, Period: cfg.GoalPeriod,
		Tolerance: cfg.Mission.ArrivalTolerance, Timeout: cfg.Mission.GoalTimeoutBase, Legs: cfg.Legs, MaxLeg: cfg.MaxLeg,
	}, e.ground, drive.Robot{At: s.Place, Yaw: func() float64 { return s.Pose().Yaw }, Tell: a.tell, Note: e.book.Journal.Note})
	if err != nil {
		return nil, err
	}
	if _, err = ros.Subscribe(node, "ekf/heading_corrected", ros.DefaultQoS(), a.onCorrection); err != nil {
		return nil, err
	}
	a.heading, err = heading.New(node, cfg, s, e.ground, heading.Mission{
		GoesOn: a.endsByItself, Starts: func() bool { return a.awaited == theStart }, Changed: a.publishStatus,
		Failed: func(reason string) { a.tell(mission.EventFault{Stamp: a.now(), Reason: reason}) },
	})
	return a, err
}

func (a *active) goalDue() { a.driver.Due() }

func (a *active) plan() []record.Place { return a.driver.Path() }

// end implements mode. The mission says why it is over in its own words.
func (a *active) end(string) { a.tell(mission.EventStop{Stamp: a.now()}) }

func (a *active) state() mission.State { return a.mission.State() }

func (a *active) status() mission.Status { return a.mission.Status() }

func (a *active) text() string {
	text, state := a.mission.Text(), a.state()
	if drive := a.heading.Drive(); drive != "" {
		text = drive
	} else if state == mission.StateFault && a.mission.Status().FaultKind == mission.FaultNoPose {
		text += ": " + a.noPose()
	}
	if why := a.driver.StaleGoal(); why != "" && state == mission.StatePaused {
		text = why // it is not true yet that the mission is paused
	}
	if why := a.driver.DrivesOn(math.Abs(a.sense.Speed()) > a.cfg.Mission.ArrivalSpeed); why != "" {
		text += "; " + why
	}
	return text
}

func (a *active) rest() (mission.Rest, bool) {
	w := mission.Way{Leg: a.cfg.Mission.ExpectedLeg(a.cfg.Pace.Density), Home: a.ground.TypicalHome()}
	if target, ok := a.mission.Status().UnderWay(); ok {
		w.ToTarget, w.HomeFromTarget = a.way(target), a.ground.HomeDistance(target)
	}
	return a.mission.Rest(w)
}

// way returns the length of the rest of the path that is driven to a target, m, or of the one that would be driven.
func (a *active) way(target orb.Point) float64 {
	at := a.sense.Place()
	if path := a.driver.Path(); path != nil {
		return planar.Length(orb.LineString(pursuit.Ahead(path, at, 0)))
	}
	_, length, err := a.ground.Region().Path(at, target)
	if err != nil {
		return planar.Distance(at, target)
	}
	return length
}

// noPose says why a mission under way has no pose, and what to do.
func (a *active) noPose() string {
	switch refusal := a.sense.Refusal(); {
	case a.heading.Lacks():
		return a.heading.Advice()
	case refusal != nil:
		return "the poses cannot be used: " + refusal.Error()
	}
	return a.sense.WhyNoPose()
}

// stateHeading is the state that others see while a drive finds the heading. The mission's is another:
// it has not begun, or waits for poses.
const stateHeading mission.State = "heading"

// publicState is stateHeading while a drive finds the heading: who reads idle or fault there would not expect
// the robot to move.
func (a *active) publicState() mission.State {
	if a.heading.Drive() != "" {
		return stateHeading
	}
	return a.state()
}

// lacks implements mode.
func (a *active) lacks() (waits, advice string) {
	const takenUp, start = "taken up after an interruption, ~/resume goes on with it", "call ~/start to begin"
	if a.heading.Lacks() && a.heading.Drive() == "" && !a.endsByItself() { // otherwise the status says it
		advice = a.heading.Advice()
	}
	switch {
	case a.awaited == theCommand && advice != "":
		return "", takenUp + "; " + advice
	case a.awaited == theCommand:
		return "", takenUp
	case a.state() != mission.StateIdle:
		return "", advice
	case a.sense.HasPose() && a.awaited == theStart && a.driver.Missing() != "":
		return "something that drives: " + a.driver.Missing(), advice
	case a.heading.Lacks():
		return "a pose: " + a.heading.Advice(), advice
	case !a.sense.HasPose():
		return a.wantedPose(), ""
	case a.awaited == theStart && a.edge.Lacks() != "":
		return "a more certain position: " + a.edge.Lacks(), a.edge.Lacks()
	case a.awaited == theStart, a.heading.Drive() != "", a.driver.Missing() != "":
		return "the start", ""
	case a.driver.Stranded() != "":
		return "the start", a.driver.Stranded() + ", then " + start
	}
	return "the start", start
}

// tell gives an event to the mission and carries out its commands. Events that commands
// cause are queued until then.
func (a *active) tell(event mission.Event) {
	timeless := a.resumption.pending && !a.timeKnown()
	switch event.(type) {
	case mission.EventPause:
		if a.awaited == theCommand || a.awaited == theResume { // it does not continue by itself
			a.awaited = nothing
			a.noteStatus()
			return
		}
	case mission.EventResume, mission.EventHome:
		a.corrected.Forget()
	case mission.EventStop:
		if timeless && a.awaited == theResume { // the mission cannot end yet, but stays paused
			a.awaited = theCommand
		}
	}
	if timeless {
		return // the event's stamp would be of no use
	}
	a.events = append(a.events, event)
	if a.telling {
		return
	}
	if a.resumption.pending {
		a.timeCame()
	}
	a.telling = true
	before := a.state()
	for len(a.events) > 0 {
		event := a.events[0]
		a.events = slices.Delete(a.events, 0, 1)
		for _, command := range a.mission.Handle(event) {
			a.obey(command)
			a.do(command)
		}
	}
	a.telling = false
	changed := a.state() != before
	if changed && a.state() != mission.StatePaused && a.awaited != theStart {
		a.awaited = nothing // a person has resumed it, sent it home or stopped it, or there is a fault
	}
	if a.follow(changed) {
		a.noteStatus()
	}
}

// tellOf gives an event about a target to the mission, to which this path leads from where the robot is.
func (a *active) tellOf(path []orb.Point, event mission.Event) {
	a.path = path
	a.tell(event)
	a.path = nil
}

// noteStatus publishes the mission's status and writes it to the journal.
func (a *active) noteStatus() {
	a.publishStatus()
	a.book.NoteStatus(a.snapshot)
}

func (a *active) do(command mission.Command) {
	switch c := command.(type) {
	case mission.CommandPlan:
		a.wanted, a.planned = true, c.Plan
		a.held = nil // a held decision was for an earlier plan
		a.team.Ask()
		a.think()
	case mission.CommandDrive:
		a.driveTo(c.Target)
	case mission.CommandDriveHome:
		a.driveHome()
	case mission.CommandHalt:
		a.halt()
	case mission.CommandStuck:
		a.detour()
	case mission.CommandSkipped:
		a.skip(c)
	case mission.CommandFinish:
		a.finish(c.Reason)
	case mission.CommandNote:
		a.warn.Log(slog.LevelInfo, c.Text)
	}
}

// doAtFirstPose does what waited for a pose, now that there is one.
func (a *active) doAtFirstPose() {
	if a.mayDrive && !a.resumption.pending {
		a.mayDrive = false
		if !a.state().Active() {
			a.halt()
		}
	}
	if !a.startSaid && a.awaited != theStart && a.state() == mission.StateIdle {
		if _, advice := a.lacks(); advice != "" {
			a.startSaid = true
			a.node.Logger().Info("the mission waits for a person: " + advice)
		}
	}
	if a.awaited != theStart && a.awaited != theResume || a.driver.Missing() != "" || !a.driver.Settled() {
		return
	}
	switch {
	case a.awaited == theStart && a.timeKnown() && a.roomy():
		a.awaited = nothing
		a.start()
	case a.awaited == theResume && !a.resumption.pending:
		a.awaited = theCommand
		a.tell(mission.EventResume{Stamp: a.now()})
	}
}

// start begins the mission, or warns why it cannot.
func (a *active) start() {
	if why := a.begin(); why != "" {
		a.warn.Warn("the mission cannot start: " + why)
	}
}

// begin begins the mission from where the robot is, and returns why it cannot, "" if it can. There
// must be a pose. Its place becomes home, unless another is configured.
func (a *active) begin() (why string) {
	idle := a.state() == mission.StateIdle // a second start is none
	if idle {
		if why := cmp.Or(a.unguarded(), a.rival(), a.driver.Stranded()); why != "" {
			return why
		}
		at := a.sense.Place()
		if len(a.cfg.Home) == 0 {
			a.setHome(at) // not where the first pose was: that may have been wrong, or the robot was carried since
		}
		if _, err := a.ground.PathHome(at); err != nil && !a.ground.AtHome(a.sense.Pose()) {
			return "the robot could not return home: " + err.Error()
		}
		if why := a.edge.Cramped(at, a.sense.StdDev()); why != "" {
			return why
		}
	}
	home, _ := a.HomeDistance()
	if idle {
		a.book.Started()
		if a.cfg.CheckBudget(home) == nil && !a.book.Begin(home) { // one that cannot begin leaves nothing
			return ""
		}
	}
	a.tell(mission.EventStart{Stamp: a.now(), HomeDistance: home})
	return ""
}

// passTime lets time pass for the mission, unless poses are late in simulated time only: then
// the mission would halt the robot.
func (a *active) passTime() bool {
	a.heading.Watch()
	if a.mayDrive && !a.resumption.pending && !a.state().Active() { // and no pose has come yet
		a.driver.Stop()
	}
	if a.sense.Late() {
		return false
	}
	a.tell(mission.EventTick{Stamp: a.now()})
	if why, helpless := a.guard.Text(); helpless && a.state().Active() {
		a.tell(mission.EventFault{Stamp: a.now(), Reason: why})
	}
	if why := a.unguarded(); why != "" && a.state().Active() {
		a.tell(mission.EventFault{Stamp: a.now(), Reason: why + ", then call ~/resume"})
	}
	if why := a.unmoved(); why != "" {
		a.tell(mission.EventFault{Stamp: a.now(), Reason: why + ", then call ~/resume"})
	}
	return true
}

// unmoved names who is silent when the robot has not moved for long on a drive, or "". A guard that stops it says why by itself, and
// Nav2 repeats its goals and gives them up.
func (a *active) unmoved() string {
	s := a.mission.Status()
	guarded, _ := a.guard.Text()
	if onTheWay := s.State == mission.StateTravelling || s.State == mission.StateReturning; !onTheWay || s.Waiting != "" || guarded != "" || a.driver.ByAction() {
		a.driver.Moves()
		return ""
	}
	at := a.sense.Pose()
	return a.driver.Unmoved(drive.Motion{At: a.sense.Place(), Yaw: at.Yaw, StdDev: a.sense.StdDev(), Speed: a.sense.Speed(), Still: a.cfg.Mission.ArrivalSpeed})
}

func (a *active) clockChanged(by int64) {
	a.heading.ClockChanged(by)
	a.guard.ClockChanged(by)
	a.sense.Gatherer.ClockChanged(a.now())
	a.edge.ClockChanged(by)
	a.ground.Shift(by)
}

func (a *active) newPose(metres float64) {
	s := a.sense
	probe := s.Probe()
	home, _ := a.HomeDistance()
	a.tell(mission.EventPose{
		Stamp:          a.now(),
		Odometer:       metres,
		TargetDistance: math.Hypot(probe[0]-a.target[0], probe[1]-a.target[1]),
		HomeDistance:   home,
		Speed:          s.Speed(),
	})
	a.tell(mission.EventPosition{Stamp: a.now(), Position: s.Place(), StdDev: s.StdDev(), Speed: s.Speed()})
	if event := a.edge.Watch(a.robot()); event != nil {
		a.tell(event)
	}
	if why := a.outside.Watch(a.robot(), a.ground.Outside(s.Place())); why != "" {
		a.tell(mission.EventFault{Stamp: a.now(), Reason: why})
	}
	a.heading.Known()
	a.doAtFirstPose()
	a.driver.Moved()
	a.watchPath()
}

// journalBroken stops the robot unless sampling is over: while the journal cannot be written,
// samples would be lost in a crash.
func (a *active) journalBroken(reason string) {
	switch s := a.mission.Status(); {
	case s.State == mission.StateReturning, s.State == mission.StateDone, s.State == mission.StateFault && s.FaultKind == mission.FaultReported:
	default:
		a.tell(mission.EventFault{Stamp: a.now(), Reason: reason, Cause: mission.CauseJournal})
	}
}

func (a *active) journalMended() {
	a.tell(mission.EventRecovered{Stamp: a.now(), Cause: mission.CauseJournal})
}

func (a *active) wish(t *task) *planner.Wish {
	t.plan = a.planned
	at, home := a.sense.Place(), a.ground.Home()
	return &planner.Wish{
		Robot: at[:],
		Price: a.cfg.Price(a.mission.Ledger()),
		Reach: acquire.Reach{
			Range: a.mission.Ledger().Range(), Home: home[:], Allowed: a.inset(),
			Avoid: append(a.ground.Skipped(a.now()), a.sampledDiscs()...),
		},
		Pending: a.team.Targets(),
	}
}

// roomy reports whether a mission that starts by itself may do so now.
func (a *active) roomy() bool {
	ok, news := a.edge.Roomy(a.now(), a.sense.Place(), a.sense.StdDev())
	if news != "" {
		a.node.Logger().Warn("the mission waits for a more certain position: " + news)
	}
	return ok
}

func (a *active) refusal() string {
	if a.awaited != theStart {
		return ""
	}
	return a.edge.Refusal(a.now(), a.sense.StdDev())
}

func (a *active) failed(t *task, wanted bool) {
	a.logSample(false)
	if wanted {
		a.tell(mission.EventPlanFailed{Stamp: a.now(), Plan: a.planned, Reason: t.Err.Error()})
	}
}

// decided carries out a decision, unless it is too late or must wait for team mates.
func (a *active) decided(t *task) {
	now := a.now()
	switch {
	case !a.mission.Awaits(t.plan): // it was made anew, or is not wanted any more
		a.node.Logger().Info("a decision comes too late and is dropped", "plan", t.plan, "state", string(a.state()))
		return
	case a.team.Awaits():
		a.held = t
		return
	case a.team.Outdated(t.Wish().Pending):
		a.wanted = true
		return
	case t.Wish().Reach.Allowed != nil && errors.Is(t.NoTarget, acquire.ErrNoTarget):
		a.edge.Bold()
		a.wanted = true
		a.think()
		return
	}
	a.optimizer.Decide(t.Job)
	number := a.optimizer.Decisions()
	if t.NoTarget != nil {
		a.book.Decided(number, nil)
		reason, exhausted := t.NoTarget.Error(), false
		if none := new(acquire.NoTargetError); errors.As(t.NoTarget, &none) {
			reason, exhausted = none.Why(), true
		}
		a.tell(mission.EventPlanFailed{Stamp: now, Plan: t.plan, Reason: reason, Exhausted: exhausted})
		return
	}
	x := orb.Point(t.Target.X)
	path, err := a.ground.PathTo(a.sense.Place(), x)
	if err != nil {
		a.book.Decided(number, nil)
		a.skip(mission.CommandSkipped{Target: x, Reason: err.Error()})
		a.tell(mission.EventPlanFailed{Stamp: now, Plan: t.plan, Reason: err.Error()})
		return
	}
	a.book.Decided(number, &record.Decision{
		Samples: t.own, Target: x, Acquisition: t.Target.Acquisition,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
	})
	a.logTarget(t)
	a.tellOf(path, mission.EventPlanned{
		Stamp: now, Plan: t.plan, Target: x, PathLength: t.Target.Length, HomeDistance: a.ground.PathLengthHome(x),
	})
}
