// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"cmp"
	"log/slog"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/parts"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/planner/mission"
)

// loop is the explorer's main loop: it passes events to the mission, and carries out the commands that come back.
type loop struct {
	*parts.Parts
	view parts.View
	warn ros.Throttle

	events  []mission.Event // not yet passed to the mission, in their order
	telling bool
	sent    bool // the robot was sent to a target on its way to another, which the journal does not know yet

	mayDrive  bool // the robot may still drive to the goal of an earlier run, until it is told to stay
	startSaid bool // the log says that the mission waits for a person to start it

	clockSet int64  // total change of this computer's clock that has been logged, ns
	resuming bool   // a mission of an earlier run is being resumed, and gets no events while the time is unknown
	noPhoto  string // why an existing photo is not used; empty: it is used, or there is none
}

// tell passes an event to the mission, carries out its commands, and publishes its state. Events that commands cause are queued until then.
func (l *loop) tell(event mission.Event) {
	timeless := l.resuming && !l.TimeKnown()
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
	if l.resuming {
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
	state, sent := l.Mission.State(), l.sent
	l.telling, l.sent = false, false
	switch {
	case l.Mode.Suggests:
		if state != before && state == mission.StateDone {
			l.Show.Status()
		}
	case state != before:
		l.Startup = l.Startup.Entered(state)
		l.Gather.Entered(state)
		l.noteStatus()
	case sent:
		l.noteStatus()
	}
}

// noteStatus publishes the mission's status and writes it to the journal.
func (l *loop) noteStatus() {
	l.Show.Status()
	l.Book.NoteStatus()
}

// do carries out a command of the mission.
func (l *loop) do(command mission.Command) {
	switch c := command.(type) {
	case mission.CommandPlan:
		l.Decider.Plan(c.Plan)
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
		l.Log("%s", l.Pilot.Arrival())
		l.Gather.Begin()
	case mission.CommandStuck:
		l.Pilot.Detour()
	case mission.CommandSkipped:
		l.Pilot.Skip(c)
		l.Learner.GivenUp(c)
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

// finish ends the mission. The readings since the last observation make a last observation, and the record is written after the model has
// learnt it.
func (l *loop) finish(reason string) {
	l.Gather.End()
	switch {
	case l.Mode.Pieces:
		l.Decider.Finish()
	case l.Learner.Behind(): // of values of the second sensor on the way home
		l.Decider.Think()
	}
	l.Book.SetOutcome(reason)
	l.Log("%s", show.End(l.Book.Record(), l.Mission.Status(), reason))
	l.save()
}

// save lets the logbook write the results once the mission is over and all samples are learnt and mapped.
func (l *loop) save() {
	if l.Finished() && !l.Busy() && !l.Book.Saved() {
		l.Book.Finish()
	}
}

// located handles a pose; the first one becomes home.
func (l *loop) located(pose localization.Pose, first bool) {
	at := orb.Point{pose.X, pose.Y}
	if first && l.Book.Record().Home == nil {
		l.SetHome(at)
	}
	l.Book.Track(at, l.Sense.StdDev())
}

// newPose handles a pose; metres is the distance driven since the previous one.
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

// observed passes on an observation, with the values of other quantities there.
func (l *loop) observed(o localization.Observation, also []*record.Value) {
	l.Decider.Observed(o, also)
}

// heard passes on a value of the second sensor.
func (l *loop) heard(o localization.Observation) { l.Decider.Heard(o) }

// doAtFirstPose does what was waiting for the first pose.
func (l *loop) doAtFirstPose() {
	if l.mayDrive && !l.resuming {
		l.mayDrive = false
		if !l.Mission.State().Active() {
			l.Pilot.Halt()
		}
	}
	if !l.startSaid && l.Startup != mission.StartAtPose && l.Mission.State() == mission.StateIdle {
		_, advice, next := l.view.Lacks()
		if advice = show.Clauses(advice, show.Calls[next]); advice != "" {
			l.startSaid = true
			l.Node.Logger().Info("the mission waits for a person: " + advice)
		}
	}
	byItself := l.Startup == mission.StartAtPose || l.Startup == mission.ResumeAtPose
	if !byItself || !l.Node.Settled() || l.Guard.Lacks() != "" || l.Pilot.Driver.Missing() != "" {
		return
	}
	switch {
	case l.Startup == mission.StartAtPose && l.TimeKnown() && l.Pilot.Roomy():
		l.Startup = mission.StartByHand
		l.start()
	case l.Startup == mission.ResumeAtPose && !l.resuming && l.Pilot.Rival() == "":
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

// begin begins the mission from the robot's position, or returns why it cannot. There must be a pose. Its place becomes home, unless
// another is configured.
func (l *loop) begin() (why string) {
	idle := l.Mission.State() == mission.StateIdle // a second start has no effect
	if idle {
		if why := cmp.Or(l.Guard.Lacks(), l.Pilot.Rival(), l.Pilot.Driver.Stranded()); why != "" {
			return why
		}
		if why := l.Sense.WrongStamps(); why != "" && !l.Pilot.Driver.ByAction() { // the follower would not drive
			return why
		}
		l.Guard.Started()
		at := l.Sense.Place()
		l.SetHome(at) // not where the first pose was: that may have been wrong, or the robot was carried since
		if why := cmp.Or(l.Pilot.CutOff(), l.Pilot.Edge.Cramped(at, l.Sense.StdDev())); why != "" {
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

// tick lets time pass for the mission, unless poses are late only because of simulated time: the mission would then halt the robot. If no
// reading comes, it gives the target up.
func (l *loop) tick() {
	if l.Mode.Suggests {
		l.passTime()
		return
	}
	if why := l.Gather.LacksSample(l.Mission.Status(), l.Sense.WhyNoReading); why != "" {
		l.tell(mission.EventSampleFailed{Stamp: l.Now(), Reason: why, Cause: mission.CauseReading})
	}
	l.Pilot.Heading.Watch()
	if l.mayDrive && !l.resuming && !l.Mission.State().Active() { // and no pose has come yet
		l.Pilot.Driver.Stop()
	}
	if l.Sense.Late() {
		return
	}
	l.tell(mission.EventTick{Stamp: l.Now(), Held: l.Guard.Stops()})
	fault := func(why string, cause mission.FaultCause) {
		if why != "" && l.Mission.State().Active() {
			l.tell(mission.EventFault{Stamp: l.Now(), Reason: why, Cause: cause})
		}
	}
	if why := l.Guard.Helpless(); why != "" {
		fault(why, mission.CauseGuard)
	} else if s := l.Mission.Status(); s.Passes(mission.CauseGuard) && l.Guard.Lets() && !l.Reach().Refused {
		l.tell(mission.EventRecovered{Stamp: l.Now(), Cause: mission.CauseGuard})
	}
	fault(l.Unguarded(), mission.CauseNoGuard)
	if why := l.Gather.LacksPieces(l.Mission.State(), l.Sense.WhyNoReading); why != "" {
		l.tell(mission.EventSampleFailed{Stamp: l.Now(), Reason: why, Cause: mission.CauseReading})
	}
	fault(l.Pilot.Unmoved(), mission.CauseOther)
}

// passTime lets time pass for a mission that only observes: no rule of such a mission depends on it.
func (l *loop) passTime() {
	if l.Mode.Suggests {
		l.tell(mission.EventTick{Stamp: l.Now()})
	}
}

// jumped adjusts times after the clock was set, for example when a simulation restarts.
func (l *loop) jumped(j exec.Jump) {
	if l.resuming || j.From == 0 { // there was no time before
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
	l.Sense.ClockChanged(by)
	if by < 0 {
		l.Book.Journal.BeginBag() // time in a bag never goes back
	}
}

// watchClock logs that the clock of this computer was set, and begins another bag if it was set back. Nothing else of the
// mission depends on that clock.
func (l *loop) watchClock() {
	set := l.Node.ClockSet()
	by := set - l.clockSet
	if l.clockSet = set; by != 0 {
		l.Node.Logger().Warn("the clock of this computer was set: stamps follow it, but durations and budgets do not", "by_s", time.Duration(by).Seconds())
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

// watchJournal retries a journal that could not be written, and tells the mission when that succeeds.
func (l *loop) watchJournal() {
	l.passTime()
	if !l.Book.Watch(l.Mission.Status()) {
		return
	}
	l.Book.NoteStatus()
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
	l.Book.Save()
	l.Book.Close(!l.Finished())
}

// publish publishes status and diagnostics.
func (l *loop) publish() {
	l.Show.Status()
	if l.Show.Diagnosed() || l.Book.Journal.Bags.Status().Bag != "" {
		l.Show.Diagnostics(l.view.CloseUp())
	}
}
