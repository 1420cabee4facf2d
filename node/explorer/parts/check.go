// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"log/slog"

	"ugp_explorer/node/explorer/edge"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// GuardCheck is the name of the finding about the guard: how much of the field it leaves and, before the start, its other problems.
const GuardCheck = "guard"

// Check starts the checks of what the mission needs from other nodes, in the order of
// urgency.
func (p *Parts) Check() {
	w := p.Watch
	untilDone := func(want watch.Want) watch.Want {
		if p.Finished() {
			return watch.WantNothing
		}
		return want
	}
	w.Condition("other explorers", slog.LevelWarn, func() string {
		for _, o := range p.Show.Others() {
			return o.Owner() + " publishes " + o.Name + " too: two explorers have the same name, or one has just been killed; stop one or change its name or namespace"
		}
		if p.Pilot == nil { // another explorer may well drive the robot
			return ""
		}
		return p.Pilot.Rival()
	})
	p.Sense.WatchPoses(w, untilDone)
	if p.Pilot != nil {
		p.Pilot.Driver.Watch(w, func() watch.Want { return untilDone(watch.WantMatch) })
	}
	p.Sense.WatchReadings(w, untilDone)
	if p.Pilot != nil {
		w.Condition("start", slog.LevelWarn, func() string {
			if p.Mission.State() != mission.StateIdle || !p.Sense.HasPose() {
				return ""
			}
			return edge.Far(p.Config, p.Ground, p.Sense.Place())
		})
		p.Pilot.Watch(w, p.unlessOver)
		w.Condition("field.file", slog.LevelWarn, edited(p.Config.Field.File, p.Config.Field.Datum, p.Ground.Outline()))
	}
	w.Notice("samples", p.Learner.Doubted)
	w.Notice(GuardCheck, p.unlessOver(func() string {
		reach, trouble := p.Reach(), ""
		if p.Mission.State() == mission.StateIdle { // later the status says it
			trouble = p.Guard.Trouble()
		}
		return show.Clauses(trouble, reach.News())
	}))
	if len(p.Config.Team) > 0 {
		w.Condition("team", slog.LevelInfo, p.unlessOver(p.Team.Unheard))
	}
}
