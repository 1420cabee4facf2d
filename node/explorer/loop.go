package explorer

import (
	"cmp"
	"log/slog"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/parts"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/planner/mission"
)

// loop is what an explorer does: it tells its mission events, and carries out the commands that come back.
type loop struct {
	*parts.Parts
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

	resumption resumption
	ending     *logbook.Report // that is being written at the end of the mission; nil: none
	noPhoto    string
}

// tell gives an event to the mission and carries out its commands. Events that commands
// cause are queued until then.
func (l *loop) tell(event mission.Event) {
	timeless := l.resumption.pending && !l.TimeKnown()
	switch event.(type) {
	case mission.EventResume, mission.EventHome:
		if l.Pilot != nil {
			l.Pilot.LetGo()
		}
	}
	var paused bool
	if l.Startup, paused = l.Startup.Hear(event, timeless); paused {
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
	before := l.Mission.State()
	for len(l.events) > 0 {
		event := l.events[0]
		l.events = slices.Delete(l.events, 0, 1)
		for _, command := range l.Mission.Handle(event) {
			l.do(command)
		}
	}
	l.telling = false
	l.entered(before)
}

// entered takes up the state of the mission after events.
func (l *loop) entered(before mission.State) {
	state := l.Mission.State()
	changed := state != before
	if l.Mode.Suggests {
		if changed && state == mission.StateDone {
			l.publishStatus()
		}
		return
	}
	if changed {
		l.Startup = l.Startup.Entered(state)
		l.Gather.Entered(state)
	}
	note := changed || l.sent
	if l.sent = false; note {
		l.noteStatus()
	}
}

// noteStatus publishes the mission's status and writes it to the journal.
func (l *loop) noteStatus() {
	l.publishStatus()
	l.Book.NoteStatus(l.Snapshot)
}

// do carries out a command of the mission.
func (l *loop) do(command mission.Command) {
	switch c := command.(type) {
	case mission.CommandPlan:
		l.wanted, l.planned = true, c.Plan
		l.held = nil // a held decision was for an earlier plan
		l.Team.Ask()
		l.think()
	case mission.CommandDrive:
		l.sent = l.Mode.Ahead
		l.Pilot.DriveTo(c.Target)
	case mission.CommandDriveHome:
		l.Pilot.DriveHome()
	case mission.CommandHalt:
		l.Gather.Cancel()
		l.Pilot.Halt()
	case mission.CommandSample:
		if why := l.Pilot.Useless(l.Book.Record().Observations); why != "" {
			l.tell(mission.EventSampleFailed{Stamp: l.Now(), Reason: why})
			break
		}
		l.Log("%s", l.Arrival())
		l.Gather.Begin()
	case mission.CommandStuck:
		l.Pilot.Detour()
	case mission.CommandSkipped:
		l.Book.Skipped(l.Pilot.Skip(c))
	case mission.CommandObserve:
		l.Book.Started()
		home, _ := l.HomeDistance()
		l.Book.Begin(home)
	case mission.CommandFinish:
		l.finish(c.Reason)
	case mission.CommandNote:
		l.warn.Log(slog.LevelInfo, c.Text)
	}
}

// finish ends the mission. The readings since the last observation make one more, and the record is written after the
// model has learnt it.
func (l *loop) finish(reason string) {
	if l.Mode.Pieces {
		l.Gather.End()
		switch {
		case !l.Mode.Suggests:
			l.Learner.Asked()
			l.publishSamples()
		case !l.Working:
			l.Learner.Arrived(l.Sense.Probe())
		}
		if l.Learner.Behind() {
			l.think()
		}
	}
	l.Book.SetOutcome(reason)
	l.Finished = true
	l.Log("%s", l.Snapshot().End(reason))
	if !l.Working {
		l.save()
	}
}

// located takes up where the robot is: at the first pose, that is home.
func (l *loop) located(pose localization.Pose, first bool) {
	at := orb.Point{pose.X, pose.Y}
	if first && l.Book.Record().Home == nil {
		l.setHome(at)
	}
	l.Book.Track(at, l.Sense.StdDev())
}

// newPose takes up a pose that the robot has reached by so many metres.
func (l *loop) newPose(metres float64) {
	s := l.Sense
	l.Learner.Moved(s.Pose(), metres)
	l.Gather.Moved(s.Pose().Stamp, s.Speed(), metres)
	pose := mission.EventPose{Stamp: l.Now(), Odometer: metres, Speed: s.Speed()}
	if l.Mode.Suggests {
		l.tell(pose)
		return
	}
	pose.TargetDistance = l.Pilot.TargetDistance()
	pose.HomeDistance, _ = l.HomeDistance()
	l.tell(pose)
	l.tell(mission.EventPosition{Stamp: l.Now(), Position: s.Place(), StdDev: s.StdDev(), Speed: s.Speed()})
	l.Pilot.WatchEdges()
	l.Pilot.Heading.Known()
	l.doAtFirstPose()
	l.Pilot.Driver.Moved()
	l.Pilot.WatchPath()
}

// doAtFirstPose does what waited for a pose, now that there is one.
func (l *loop) doAtFirstPose() {
	if l.mayDrive && !l.resumption.pending {
		l.mayDrive = false
		if !l.Mission.State().Active() {
			l.Pilot.Halt()
		}
	}
	if !l.startSaid && l.Startup != mission.StartAtPose && l.Mission.State() == mission.StateIdle {
		if _, advice := l.Lacks(); advice != "" {
			l.startSaid = true
			l.Node.Logger().Info("the mission waits for a person: " + advice)
		}
	}
	byItself := l.Startup == mission.StartAtPose || l.Startup == mission.ResumeAtPose
	if !byItself || !l.Node.Settled() || l.Guard.Lacks() != "" || l.Pilot.Driver.Missing() != "" || !l.Pilot.Driver.Settled() {
		return
	}
	switch {
	case l.Startup == mission.StartAtPose && l.TimeKnown() && l.Pilot.Roomy(l.Guard.Needs(), l.Guard.NeedsAlways()):
		l.Startup = mission.StartByHand
		l.start()
	case l.Startup == mission.ResumeAtPose && !l.resumption.pending && l.Pilot.Rival() == "":
		l.Startup = mission.ResumeByHand
		l.tell(mission.EventResume{Stamp: l.Now()})
	}
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
	idle := l.Mission.State() == mission.StateIdle // a second start is none
	if idle {
		if why := cmp.Or(l.Guard.Lacks(), l.Pilot.Rival(), l.Pilot.Driver.Stranded()); why != "" {
			return why
		}
		if why := l.Sense.WrongStamps(); why != "" && !l.Pilot.Driver.ByAction() { // the follower would not drive
			return why
		}
		at := l.Sense.Place()
		if len(l.Config.Home) == 0 {
			l.setHome(at) // not where the first pose was: that may have been wrong, or the robot was carried since
		}
		if why := cmp.Or(l.CutOff(), l.Pilot.Edge.Cramped(at, l.Sense.StdDev(), l.Guard.Needs(), l.Guard.NeedsAlways())); why != "" {
			return why
		}
	}
	home, _ := l.HomeDistance()
	if idle {
		l.Book.Started()
		if l.Config.CheckBudget(home) == nil && !l.Book.Begin(home) { // one that cannot begin leaves nothing
			return ""
		}
	}
	l.tell(mission.EventStart{Stamp: l.Now(), HomeDistance: home})
	return ""
}

// setHome makes a place the robot's home, unless another one is configured.
func (l *loop) setHome(at orb.Point) {
	home := l.HomeAt(at)
	l.Ground.SetHome(home)
	l.Book.SetHome(home)
}

// tick lets time pass for the mission, unless poses are late in simulated time only: then
// the mission would halt the robot. It gives a target up when no reading comes.
func (l *loop) tick() {
	if l.Mode.Suggests {
		l.passTime()
		return
	}
	if why := l.Gather.LacksSample(l.Mission.Status(), l.Sense.WhyNoReading); why != "" {
		l.tell(mission.EventSampleFailed{Stamp: l.Now(), Reason: why, Cause: mission.CauseReading})
	}
	l.Pilot.Heading.Watch()
	if l.mayDrive && !l.resumption.pending && !l.Mission.State().Active() { // and no pose has come yet
		l.Pilot.Driver.Stop()
	}
	if l.Sense.Late() {
		return
	}
	l.tell(mission.EventTick{Stamp: l.Now()})
	if why, helpless := l.Guard.Trouble(); helpless && l.Mission.State().Active() {
		l.tell(mission.EventFault{Stamp: l.Now(), Reason: why, Cause: mission.CauseGuard})
	}
	if why := l.Unguarded(); why != "" && l.Mission.State().Active() {
		l.tell(mission.EventFault{Stamp: l.Now(), Reason: why, Cause: mission.CauseNoGuard})
	}
	if why := l.Gather.LacksPieces(l.Mission.State(), l.Sense.WhyNoReading); why != "" {
		l.tell(mission.EventSampleFailed{Stamp: l.Now(), Reason: why, Cause: mission.CauseReading})
	}
	if why := l.unmoved(); why != "" {
		l.tell(mission.EventFault{Stamp: l.Now(), Reason: why})
	}
}

// unmoved names who is silent when the robot has not moved for long on a drive, or "". A guard that stops it says why by itself, and
// Nav2 repeats its goals and gives them up.
func (l *loop) unmoved() string {
	s, driver := l.Mission.Status(), l.Pilot.Driver
	guarded, _ := l.Guard.Trouble()
	if onTheWay := s.State == mission.StateTravelling || s.State == mission.StateReturning; !onTheWay || s.Waiting != "" || guarded != "" && l.Guard.Stops() != "" || driver.ByAction() {
		driver.Moves()
		return ""
	}
	at := l.Sense.Pose()
	return driver.Unmoved(drive.Motion{At: l.Sense.Place(), Yaw: at.Yaw, StdDev: l.Sense.StdDev(), Speed: l.Sense.Speed(), Still: l.Config.Mission.ArrivalSpeed})
}

// passTime lets time pass for a mission that only observes: no rule of such a mission depends on it.
func (l *loop) passTime() {
	if l.Mode.Suggests {
		l.tell(mission.EventTick{Stamp: l.Now()})
	}
}

// jumped adjusts times after the clock was set, for example when a simulation restarts.
func (l *loop) jumped(j exec.Jump) {
	if l.resumption.pending || j.From == 0 { // there was no time before
		return
	}
	by := j.To - j.From
	if l.Pilot != nil {
		l.Pilot.ClockChanged(by)
	}
	l.Guard.ClockChanged(by)
	l.Gather.ClockChanged()
	l.Learner.Shift(by)
	l.Team.ClockChanged(by, j.To)
	if by < 0 {
		l.Sense.SetBack()
		l.Book.Journal.BeginBag() // in a bag time goes on
	}
}

// watchClock tells that the clock was set. Nothing else of the mission depends on that.
func (l *loop) watchClock() {
	set := l.Node.ClockSet()
	by := set - l.clockSet
	if l.clockSet = set; by != 0 {
		l.Node.Logger().Warn("the clock of this computer was set: stamps follow it, durations and budgets do not", "by_s", time.Duration(by).Seconds())
	}
	if by < 0 {
		l.Book.Journal.BeginBag()
	}
}

// journalBroken stops the robot unless sampling is over: while the journal cannot be written,
// samples would be lost in a crash.
func (l *loop) journalBroken(reason string) {
	if s := l.Mission.Status(); !l.Mode.Suggests && !s.Sampled() {
		l.tell(mission.EventFault{Stamp: l.Now(), Reason: reason, Cause: mission.CauseJournal})
	}
}

// watchJournal tries to write a journal that could not be written, and tells the mission when it succeeds.
func (l *loop) watchJournal() {
	l.passTime()
	if !l.Book.Watch(l.Mission.Status()) {
		return
	}
	l.Book.NoteStatus(l.Snapshot)
	if !l.Book.Journal.Stuck() && !l.Mode.Suggests {
		l.tell(mission.EventRecovered{Stamp: l.Now(), Cause: mission.CauseJournal})
	}
}

// shutDown stops the robot and saves all samples. It is the last thing that the explorer
// does.
func (l *loop) shutDown() {
	if l.Pilot != nil {
		l.Pilot.Heading.End()
		if l.Mission.State().Active() {
			l.Pilot.Halt()
		}
	}
	l.passTime() // for the record
	if !l.Book.Complete() {
		l.Book.Save(l.Recorded())
	}
	interrupted := l.Snapshot
	if l.Finished {
		interrupted = nil
	}
	l.Book.Close(interrupted)
}
