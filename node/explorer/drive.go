package explorer

import (
	"log/slog"
	"math"
	"slices"

	"ugp_explorer/localization"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
)

// tell gives an event to the mission and carries out what it commands. Commands
// may cause events in turn: those wait for their turn.
func (e *Explorer) tell(event planner.Event) {
	e.pending = append(e.pending, event)
	if e.telling {
		return
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
		e.publishStatus()
	}
}

func (e *Explorer) do(command planner.Command) {
	switch c := command.(type) {
	case planner.CommandPlan:
		e.wantPlan = true
		e.think()
	case planner.CommandDrive:
		e.driveTo(c.Target)
	case planner.CommandDriveHome:
		e.driveHome()
	case planner.CommandHalt:
		e.halt()
	case planner.CommandSample:
		e.sampling = e.node.Now()
		e.stop.Reset()
	case planner.CommandSkipped:
		e.skip(c.Target, c.Reason)
	case planner.CommandFinish:
		e.finish(c.Reason)
	case planner.CommandNote:
		e.warn.Log(slog.LevelInfo, "mission", "note", c.Text)
	}
}

// driveTo sends the robot so that its probe comes to lie on the target. A target
// nearer than the probe is taken with a run-up: from further back, out of the
// field's middle, where there is room.
func (e *Explorer) driveTo(target [2]float64) {
	from := [2]float64{e.pose.X, e.pose.Y}
	path, _, err := e.region.Path(from, target)
	if err == nil {
		path = path[: len(path)-1 : len(path)-1]
		before := from
		if n := len(path); n > 0 {
			before = path[n-1]
		}
		base, ok := e.approach(before, target)
		if !ok {
			var behind [2]float64
			behind, base = e.runUp(target)
			path, _, err = e.region.Path(from, behind)
		}
		path = append(path, base)
	}
	if err != nil {
		e.tell(planner.EventFault{Stamp: e.node.Now(), Reason: "no way to the target: " + err.Error()})
		return
	}
	e.target = target
	e.drive(path)
}

const (
	// shortestLeg is the least length of the last leg of a way, m: a shorter one
	// gives the robot no heading.
	shortestLeg = 0.1
	// runUpLength is the length of a leg that is there to give the heading, m.
	runUpLength = 2.0
)

// approach returns where the base has to stand for its probe to lie on the
// target when it has come there straight: d metres on at the heading θ with
//
//	from + d·(cos θ, sin θ) + R(θ)·lever = target
//
// It is false when there is no such place ahead.
func (e *Explorer) approach(from, target [2]float64) (base [2]float64, ok bool) {
	lever := e.cfg.Matcher.Probe
	if lever == (localization.Lever{}) {
		return target, true
	}
	dx, dy := target[0]-from[0], target[1]-from[1]
	ahead2 := dx*dx + dy*dy - lever.Y*lever.Y // (d + lever.X)²
	if ahead2 < 0 || math.Sqrt(ahead2)-lever.X < shortestLeg {
		return base, false
	}
	ahead := math.Sqrt(ahead2)
	sin, cos := math.Sincos(math.Atan2(dy, dx) - math.Atan2(lever.Y, ahead))
	d := ahead - lever.X
	return [2]float64{from[0] + d*cos, from[1] + d*sin}, true
}

// runUp returns a place from which the base drives straight on to the place
// where its probe lies on the target, away from the field's centre.
func (e *Explorer) runUp(target [2]float64) (behind, base [2]float64) {
	centre := e.region.Centre()
	sin, cos := math.Sincos(math.Atan2(target[1]-centre[1], target[0]-centre[0]))
	lever := e.cfg.Matcher.Probe
	base = [2]float64{target[0] - cos*lever.X + sin*lever.Y, target[1] - sin*lever.X - cos*lever.Y}
	return [2]float64{base[0] - cos*runUpLength, base[1] - sin*runUpLength}, base
}

func (e *Explorer) driveHome() {
	path, _, err := e.region.Path([2]float64{e.pose.X, e.pose.Y}, e.home)
	if err != nil {
		e.tell(planner.EventFault{Stamp: e.node.Now(), Reason: "no way home: " + err.Error()})
		return
	}
	e.drive(path)
}

func (e *Explorer) drive(path [][2]float64) {
	if len(path) == 1 {
		path = append([][2]float64{{e.pose.X, e.pose.Y}}, path...)
	}
	e.path = path
	e.repeatGoal()
}

// halt tells whatever follows our goals to stay: an empty path for those who
// follow the plan, and the place where the robot is for those who follow the
// goal.
func (e *Explorer) halt() {
	e.sampling = 0
	e.path = nil
	if e.hasPose {
		e.publishGoal([][2]float64{{e.pose.X, e.pose.Y}}, nil)
	}
}

// repeatGoal publishes the goal while there is one: a follower that came late
// gets it, and one that hears no more of it stops.
func (e *Explorer) repeatGoal() {
	if e.path != nil {
		e.publishGoal(e.path[len(e.path)-1:], e.path)
	}
}

func (e *Explorer) skip(target [2]float64, reason string) {
	now := e.node.Now()
	until := int64(math.MaxInt64)
	if !math.IsInf(e.cfg.SkipTime, 1) {
		until = now + int64(seconds(e.cfg.SkipTime))
	}
	e.avoid = append(e.avoid, avoided{planner.Disc{Centre: target[:], Radius: e.cfg.SkipRadius}, until})
	e.record.Skipped = append(e.record.Skipped, report.Skipped{Target: target, Reason: reason, Stamp: stampSeconds(now)})
	e.node.Logger().Warn("a target is given up", "x_m", target[0], "y_m", target[1], "reason", reason)
}

// avoided returns the discs that are still to be avoided.
func (e *Explorer) avoided() []planner.Disc {
	now := e.node.Now()
	e.avoid = slices.DeleteFunc(e.avoid, func(a avoided) bool { return a.until <= now })
	discs := make([]planner.Disc, len(e.avoid))
	for i, a := range e.avoid {
		discs[i] = a.disc
	}
	return discs
}

func stampSeconds(ns int64) float64 { return float64(ns) / 1e9 }
