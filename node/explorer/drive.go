package explorer

import (
	"log/slog"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/node/journal"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/mission"
)

// tell gives an event to the mission and carries out what it commands. Commands
// may cause events in turn: those wait for their turn.
func (e *Explorer) tell(event mission.Event) {
	if e.resumption.pending && !e.timeKnown() {
		return // its stamp would be of no use
	}
	if _, pause := event.(mission.EventPause); pause && e.resumption.waiting {
		e.keepPaused()
		return
	}
	e.pending = append(e.pending, event)
	if e.telling {
		return
	}
	if e.resumption.pending && e.timeKnown() {
		e.timeCame()
	}
	e.telling = true
	before := e.State()
	for len(e.pending) > 0 {
		event := e.pending[0]
		e.pending = slices.Delete(e.pending, 0, 1)
		for _, command := range e.mission.Handle(event) {
			e.do(command)
		}
	}
	e.telling = false
	if e.State() != before {
		e.resumption.waiting = e.resumption.waiting && e.State() == mission.StatePaused
		e.publishStatus()
		e.noteStatus()
	}
}

func (e *Explorer) do(command mission.Command) {
	switch c := command.(type) {
	case mission.CommandPlan:
		e.wantPlan, e.plan, e.team.asked, e.team.held = true, c.Plan, e.node.Now(), nil
		e.think()
	case mission.CommandDrive:
		e.driveTo(c.Target)
	case mission.CommandDriveHome:
		e.driveHome()
	case mission.CommandHalt:
		e.halt()
	case mission.CommandSample:
		e.sampling = e.node.Now()
		e.stop.Reset()
	case mission.CommandSkipped:
		e.skip(c.Target, c.Reason)
	case mission.CommandFinish:
		e.finish(c.Reason)
	case mission.CommandNote:
		e.warn.Log(slog.LevelInfo, "mission", "note", c.Text)
	}
}

// driveTo sends the robot so that its probe comes to lie on the target.
func (e *Explorer) driveTo(target [2]float64) {
	path, err := e.wayTo(target)
	if err != nil {
		e.tell(mission.EventFault{Stamp: e.node.Now(), Reason: "no way to the target: " + err.Error()})
		return
	}
	e.target, e.approached = target, approachTo(append([]orb.Point{{e.pose.X, e.pose.Y}}, path...))
	e.drive(path)
}

func (e *Explorer) driveHome() {
	path, _, err := e.region.Path([2]float64{e.pose.X, e.pose.Y}, e.home)
	if err != nil {
		e.tell(mission.EventFault{Stamp: e.node.Now(), Reason: "no way home: " + err.Error()})
		return
	}
	e.drive(path)
}

func (e *Explorer) drive(path []orb.Point) {
	if len(path) == 1 {
		path = append([]orb.Point{{e.pose.X, e.pose.Y}}, path...)
	}
	e.path = path
	if e.nav != nil {
		e.nav.begin()
	}
	e.repeatGoal()
}

// halt tells whatever follows our goals to stay: an empty path for those who
// follow the plan, and the place where the robot is for those who follow the
// goal. The action's goal is canceled.
func (e *Explorer) halt() {
	e.sampling = 0
	e.path = nil
	if e.nav != nil {
		e.nav.halt()
	}
	if e.hasPose {
		e.publishGoal([]orb.Point{{e.pose.X, e.pose.Y}}, nil)
	}
}

// goalDue repeats the goal when goal.period has passed.
func (e *Explorer) goalDue() {
	if e.nav != nil {
		e.nav.tick()
	}
	e.repeatGoal()
}

// repeatGoal publishes the goal while there is one: a follower that came late
// gets it, and one that hears no more of it stops. The action gets it once.
func (e *Explorer) repeatGoal() {
	if e.path == nil {
		return
	}
	goal := e.publishGoal(e.path[len(e.path)-1:], e.path)
	if e.nav != nil {
		e.nav.toward(goal)
	}
}

// undriven says why no goal can be sent, as far as is known: who follows a topic
// may come later.
func (e *Explorer) undriven() string {
	if e.nav == nil {
		return ""
	}
	return e.nav.missing()
}

func (e *Explorer) skip(target [2]float64, reason string) {
	now := e.node.Now()
	until := int64(math.MaxInt64)
	if !math.IsInf(e.cfg.SkipTime, 1) {
		until = now + int64(seconds(e.cfg.SkipTime))
	}
	e.avoid = append(e.avoid, avoided{acquire.Disc{Centre: target[:], Radius: e.cfg.SkipRadius}, until})
	e.record.Skipped = append(e.record.Skipped, report.Skipped{Target: target, Reason: reason, Stamp: stampSeconds(now)})
	e.note(journal.Skipped{Target: target, Reason: reason, Stamp: now, Until: until})
	e.node.Logger().Warn("a target is given up", "x_m", target[0], "y_m", target[1], "reason", reason)
}

// avoided returns the discs that are still to be avoided.
func (e *Explorer) avoided() []acquire.Disc {
	now := e.node.Now()
	e.avoid = slices.DeleteFunc(e.avoid, func(a avoided) bool { return a.until <= now })
	discs := make([]acquire.Disc, len(e.avoid))
	for i, a := range e.avoid {
		discs[i] = a.disc
	}
	return discs
}

func stampSeconds(ns int64) float64 { return float64(ns) / 1e9 }
