package explorer

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/planner/mission"
)

// loop is what an explorer does: it tells its mission events, and carries out the commands that come back.
type loop struct {
	*parts
	warn, warnPiece ros.Throttle // warnPiece: of observations while the robot drives

	events  []mission.Event // not yet told to the mission, in their order
	telling bool
	sent    bool // the robot was sent to a target on its way to another, which the journal does not know yet

	mayDrive  bool // the robot may still drive to the goal of an earlier run, until it is told to stay
	startSaid bool // the log says that the mission waits for a person to start it

	planned  int         // number of the plan that the mission asked for last
	held     *learn.Task // a decision that waits for team mates; nil: none
	wanted   bool        // a target is wanted, and none is being chosen
	unlogged bool        // the newest sample is not in the log yet
	clockSet int64       // by which the clock of this computer has been set, as it was told, ns
	heard    int64       // when a reading was taken up last, or the robot set out, ns
}

// tell gives an event to the mission and carries out its commands. Events that commands
// cause are queued until then.
func (l *loop) tell(event mission.Event) {
	timeless := l.resumption.pending && !l.timeKnown()
	switch event.(type) {
	case mission.EventResume, mission.EventHome:
		if l.pilot != nil {
			l.pilot.LetGo()
		}
	}
	var paused bool
	if l.startup, paused = l.startup.Hear(event, timeless); paused {
		l.noteStatus()
		return
	}
	if timeless {
		return // the event's stamp would be of no use
	}
	l.events = append(l.events, event)
	if l.telling {
		return
	}
	if l.resumption.pending {
		l.timeCame()
	}
	l.telling = true
	before := l.mission.State()
	for len(l.events) > 0 {
		event := l.events[0]
		l.events = slices.Delete(l.events, 0, 1)
		for _, command := range l.mission.Handle(event) {
			l.do(command)
		}
	}
	l.telling = false
	l.entered(before)
}

// entered takes up the state of the mission after events.
func (l *loop) entered(before mission.State) {
	state := l.mission.State()
	changed := state != before
	if l.mode.Suggests {
		if changed && state == mission.StateDone {
			l.publishStatus()
		}
		return
	}
	if changed {
		l.startup = l.startup.Entered(state)
	}
	if l.pieces != nil && changed {
		switch { // while the mission is interrupted nothing is observed: anybody may move the robot then
		case state.Active():
			l.heard = l.now()
			l.pieces.Ended = false
		case !l.pieces.Ended:
			l.pieces.Cut()
			l.pieces.Ended = true
		}
	}
	note := changed || l.sent
	if l.sent = false; note {
		l.noteStatus()
	}
}

// noteStatus publishes the mission's status and writes it to the journal.
func (l *loop) noteStatus() {
	l.publishStatus()
	l.book.NoteStatus(l.snapshot)
}

// do carries out a command of the mission.
func (l *loop) do(command mission.Command) {
	switch c := command.(type) {
	case mission.CommandPlan:
		l.wanted, l.planned = true, c.Plan
		l.held = nil // a held decision was for an earlier plan
		l.team.Ask()
		l.think()
	case mission.CommandDrive:
		l.sent = l.mode.Ahead
		l.pilot.DriveTo(c.Target)
	case mission.CommandDriveHome:
		l.pilot.DriveHome()
	case mission.CommandHalt:
		if l.stops != nil {
			l.stops.Cancel()
		}
		l.pilot.Halt()
	case mission.CommandSample:
		l.logLine("%s", l.arrival())
		l.stops.Begin(l.now())
	case mission.CommandStuck:
		l.pilot.Detour()
	case mission.CommandSkipped:
		l.book.Skipped(l.pilot.Skip(c))
	case mission.CommandObserve:
		l.book.Started()
		home, _ := l.homeDistance()
		l.book.Begin(home)
	case mission.CommandFinish:
		l.end()
		l.finish(c.Reason)
	case mission.CommandNote:
		l.warn.Log(slog.LevelInfo, c.Text)
	}
}

// end makes an observation of the readings since the last one, and has all learnt.
func (l *loop) end() {
	if l.pieces == nil {
		return
	}
	l.pieces.Cut()
	l.pieces.Ended = true
	if !l.mode.Suggests {
		l.learner.Asked()
		l.publishSamples()
	} else if !l.working {
		l.learner.Arrived(l.sense.Probe())
	}
	if l.learner.Len() > l.learner.Modelled() {
		l.think()
	}
}

// finish ends the mission. The record is written after the model has learnt the last
// sample.
func (l *loop) finish(reason string) {
	l.book.SetOutcome(reason)
	l.finished = true
	l.logLine("%s", l.snapshot().End(reason))
	if !l.working {
		l.save()
	}
}

// located takes up where the robot is: at the first pose, that is home.
func (l *loop) located(first bool) {
	at := l.sense.Place()
	if first && l.book.Record().Home == nil {
		l.setHome(at)
	}
	l.book.Track(at, l.sense.StdDev())
}

// newPose takes up a pose that the robot has reached by so many metres.
func (l *loop) newPose(metres float64) {
	s := l.sense
	l.learner.Moved(s.Pose(), metres)
	if l.pieces != nil {
		l.pieces.Moved(s.Pose().Stamp, s.Speed(), metres)
	}
	pose := mission.EventPose{Stamp: l.now(), Odometer: metres, Speed: s.Speed()}
	if l.mode.Suggests {
		l.tell(pose)
		return
	}
	pose.TargetDistance = l.pilot.TargetDistance()
	pose.HomeDistance, _ = l.homeDistance()
	l.tell(pose)
	l.tell(mission.EventPosition{Stamp: l.now(), Position: s.Place(), StdDev: s.StdDev(), Speed: s.Speed()})
	l.pilot.WatchEdges()
	l.pilot.Heading.Known()
	l.doAtFirstPose()
	l.pilot.Driver.Moved()
	l.pilot.WatchPath()
}

// doAtFirstPose does what waited for a pose, now that there is one.
func (l *loop) doAtFirstPose() {
	if l.mayDrive && !l.resumption.pending {
		l.mayDrive = false
		if !l.mission.State().Active() {
			l.pilot.Halt()
		}
	}
	if !l.startSaid && l.startup != mission.StartAtPose && l.mission.State() == mission.StateIdle {
		if _, advice := l.lacks(); advice != "" {
			l.startSaid = true
			l.node.Logger().Info("the mission waits for a person: " + advice)
		}
	}
	if l.startup != mission.StartAtPose && l.startup != mission.ResumeAtPose || l.pilot.Driver.Missing() != "" || !l.pilot.Driver.Settled() {
		return
	}
	switch {
	case l.startup == mission.StartAtPose && l.timeKnown() && l.roomy():
		l.startup = mission.StartByHand
		l.start()
	case l.startup == mission.ResumeAtPose && !l.resumption.pending:
		l.startup = mission.ResumeByHand
		l.tell(mission.EventResume{Stamp: l.now()})
	}
}

// roomy reports whether a mission that starts by itself may do so now.
func (l *loop) roomy() bool {
	ok, news := l.pilot.Edge.Roomy(l.now(), l.sense.Place(), l.sense.StdDev())
	if news != "" {
		l.node.Logger().Warn("the mission waits for a more certain position: " + news)
	}
	return ok
}

// start begins the mission, or warns why it cannot.
func (l *loop) start() {
	if why := l.begin(); why != "" {
		l.warn.Warn("the mission cannot start: " + why)
	}
}

// begin begins the mission from where the robot is, and returns why it cannot, "" if it can. There
// must be a pose. Its place becomes home, unless another is configured.
func (l *loop) begin() (why string) {
	idle := l.mission.State() == mission.StateIdle // a second start is none
	if idle {
		if why := cmp.Or(l.unguarded(), l.pilot.Rival(), l.pilot.Driver.Stranded()); why != "" {
			return why
		}
		at := l.sense.Place()
		if len(l.cfg.Home) == 0 {
			l.setHome(at) // not where the first pose was: that may have been wrong, or the robot was carried since
		}
		if why := cmp.Or(l.cutOff(), l.pilot.Edge.Cramped(at, l.sense.StdDev())); why != "" {
			return why
		}
	}
	home, _ := l.homeDistance()
	if idle {
		l.book.Started()
		if l.cfg.CheckBudget(home) == nil && !l.book.Begin(home) { // one that cannot begin leaves nothing
			return ""
		}
	}
	l.tell(mission.EventStart{Stamp: l.now(), HomeDistance: home})
	return ""
}

// setHome makes a place the robot's home, unless another one is configured.
func (l *loop) setHome(home orb.Point) {
	if len(l.cfg.Home) == 2 {
		home = orb.Point(l.cfg.Home)
	}
	// Nav2 drives to the free cells of ~/keepout only. Where a robot in the nearest one would not count
	// as home, that is home instead.
	if l.cfg.Interface == settings.GoalAction && !l.mode.Suggests {
		free := l.ground.Allowed(home)
		if d := distance(home, free); d > l.cfg.Mission.HomeTolerance/2 {
			l.node.Logger().Warn("home lies outside the field or within field.margin of its edge, where Nav2 does not go: the robot returns to the free place nearest to it",
				"home_x_m", home[0], "home_y_m", home[1], "x_m", free[0], "y_m", free[1], "apart_m", d)
			home = free
		}
	}
	l.ground.SetHome(home)
	l.book.SetHome(home)
}

// tick lets time pass for the mission, unless poses are late in simulated time only: then
// the mission would halt the robot. It gives a target up when no reading comes.
func (l *loop) tick() {
	if l.mode.Suggests {
		l.passTime()
		return
	}
	l.watchSample()
	l.pilot.Heading.Watch()
	if l.mayDrive && !l.resumption.pending && !l.mission.State().Active() { // and no pose has come yet
		l.pilot.Driver.Stop()
	}
	if l.sense.Late() {
		return
	}
	l.tell(mission.EventTick{Stamp: l.now()})
	if why, helpless := l.guard.Text(); helpless && l.mission.State().Active() {
		l.tell(mission.EventFault{Stamp: l.now(), Reason: why})
	}
	if why := l.unguarded(); why != "" && l.mission.State().Active() {
		l.tell(mission.EventFault{Stamp: l.now(), Reason: why + ", then call ~/resume"})
	}
	if why := l.unmoved(); why != "" {
		l.tell(mission.EventFault{Stamp: l.now(), Reason: why + ", then call ~/resume"})
	}
	l.watchPieces()
}

// unmoved names who is silent when the robot has not moved for long on a drive, or "". A guard that stops it says why by itself, and
// Nav2 repeats its goals and gives them up.
func (l *loop) unmoved() string {
	s, driver := l.mission.Status(), l.pilot.Driver
	guarded, _ := l.guard.Text()
	if onTheWay := s.State == mission.StateTravelling || s.State == mission.StateReturning; !onTheWay || s.Waiting != "" || guarded != "" || driver.ByAction() {
		driver.Moves()
		return ""
	}
	at := l.sense.Pose()
	return driver.Unmoved(drive.Motion{At: l.sense.Place(), Yaw: at.Yaw, StdDev: l.sense.StdDev(), Speed: l.sense.Speed(), Still: l.cfg.Mission.ArrivalSpeed})
}

// passTime lets time pass for a mission that only observes: no rule of such a mission depends on it.
func (l *loop) passTime() {
	if l.mode.Suggests {
		l.tell(mission.EventTick{Stamp: l.now()})
	}
}

// watchSample gives the target up with the cause when something is wrong with the readings of a stop, a second before the mission
// would give it up without.
func (l *loop) watchSample() {
	limit := l.cfg.Mission.SampleTimeout
	if now := l.mission.Status(); l.stops != nil && now.State == mission.StateSampling && time.Duration(now.PhaseTime) >= ros.Duration(limit-1) {
		if why := l.sense.WhyNoReading(); why != "" {
			l.stops.Cancel()
			l.tell(mission.EventSampleFailed{Stamp: l.now(), Reason: fmt.Sprintf("none within %g s, %s", limit, why)})
		}
	}
}

// watchPieces gives the target up when no reading has come for SampleTimeout on the way to it.
func (l *loop) watchPieces() {
	if l.pieces == nil || l.mission.State() != mission.StateTravelling {
		return
	}
	now, limit := l.now(), l.cfg.Mission.SampleTimeout
	if now-l.heard > int64(ros.Duration(limit)) {
		l.heard = now
		why := cmp.Or(l.sense.WhyNoReading(), "a probe that reads only while the robot stands needs sample.stop true")
		l.tell(mission.EventSampleFailed{Stamp: now, Reason: fmt.Sprintf("no reading within %g s of driving; %s", limit, why)})
	}
}

// jumped adjusts times after the clock was set, for example when a simulation restarts.
func (l *loop) jumped(j exec.Jump) {
	if l.resumption.pending || j.From == 0 { // there was no time before
		return
	}
	by := j.To - j.From
	if l.pilot != nil {
		l.pilot.ClockChanged(by)
	}
	l.guard.ClockChanged(by)
	l.sense.Gatherer.ClockChanged(l.now())
	l.learner.Shift(by)
	l.team.ClockChanged(by, j.To)
	if by < 0 {
		l.sense.SetBack()
		l.book.Journal.BeginBag() // in a bag time goes on
	}
}

// watchClock tells that the clock was set. Nothing else of the mission depends on that.
func (l *loop) watchClock() {
	set := l.node.ClockSet()
	by := set - l.clockSet
	if l.clockSet = set; by != 0 {
		l.node.Logger().Warn("the clock of this computer was set: stamps follow it, durations and budgets do not", "by_s", time.Duration(by).Seconds())
	}
	if by < 0 {
		l.book.Journal.BeginBag()
	}
}

// journalBroken stops the robot unless sampling is over: while the journal cannot be written,
// samples would be lost in a crash.
func (l *loop) journalBroken(reason string) {
	if s := l.mission.Status(); !l.mode.Suggests && !s.Sampled() {
		l.tell(mission.EventFault{Stamp: l.now(), Reason: reason, Cause: mission.CauseJournal})
	}
}

// watchJournal tries to write a journal that could not be written, and tells the mission when it succeeds.
func (l *loop) watchJournal() {
	l.passTime()
	if !l.book.Watch(l.mission.Status()) {
		return
	}
	l.book.NoteStatus(l.snapshot)
	if !l.book.Journal.Stuck() && !l.mode.Suggests {
		l.tell(mission.EventRecovered{Stamp: l.now(), Cause: mission.CauseJournal})
	}
}

// shutDown stops the robot and saves all samples. It is the last thing that the explorer
// does.
func (l *loop) shutDown() {
	if l.pilot != nil {
		l.pilot.Heading.End()
		if l.mission.State().Active() {
			l.pilot.Halt()
		}
	}
	l.passTime() // for the record
	if !l.book.Complete() {
		l.book.Save(l.recorded())
	}
	interrupted := l.snapshot
	if l.finished {
		interrupted = nil
	}
	l.book.Close(interrupted)
}
