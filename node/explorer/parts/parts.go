// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package parts has the parts of an explorer, and the snapshot of its state that others see.
package parts

import (
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/explorer/decide"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/edge"
	"ugp_explorer/node/explorer/gather"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/truth"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/mission"
)

// Parts are the parts of an explorer. Their methods change nothing.
type Parts struct {
	decide.Parts
	Decider *decide.Decider
	Gather  *gather.Gatherer
	Guard   *drive.Guard
	Watch   *watch.Watch
	Truth   *truth.Truth // nil: it is not followed

	Mission *mission.Mission
	Startup mission.Startup // what happens at the next pose

	Photo   *painter.Photo      // the background of the maps on page and report; nil: none
	Rasters []*covariate.Raster // that the field may be correlated with
}

// TimeKnown reports whether the time is known. With use_sim_time it is unknown before the first message on /clock; a mission that began
// earlier would then seem decades old.
func (p *Parts) TimeKnown() bool { return p.Now() > 0 }

// Now returns the node's time, ns.
func (p *Parts) Now() int64 { return p.Node.Now() }

// HomeDistance returns the drivable distance home from the robot's position, m; ok is false while it is unknown.
func (p *Parts) HomeDistance() (metres float64, ok bool) {
	return p.Ground.HomeDistance(p.Sense.Place()), p.Sense.HasPose()
}

// Reach returns how much of the field the guard leaves.
func (p *Parts) Reach() edge.Reach { return edge.Reaches(p.Ground, p.Guard) }

// Unguarded says that a guard that was present is gone, or "".
func (p *Parts) Unguarded() string { return p.unlessOver(p.Guard.Gone)() }

// unlessOver returns a check that finds no problem once the mission is over.
func (p *Parts) unlessOver(check func() string) func() string {
	return func() string {
		if p.Finished() {
			return ""
		}
		return check()
	}
}

// Finished reports whether the mission is over.
func (p *Parts) Finished() bool { return p.Mission.State() == mission.StateDone }

// Busy reports whether learning, deciding, mapping or writing is under way concurrently with the callbacks.
func (p *Parts) Busy() bool { return p.Decider.Working() || p.Show.Busy() || p.Book.Writing() }

// Over reports whether the mission is over and its record written.
func (p *Parts) Over() bool { return p.Finished() && !p.Busy() }

// SetHome sets the home of a robot that starts at a place.
func (p *Parts) SetHome(start orb.Point) {
	home := p.Config.HomeOr(start)
	if !p.Mode.Suggests {
		home = p.reachable(home)
	}
	p.Ground.SetHome(home)
	p.Book.SetHome(home)
}

// reachable returns a home. A guard and Nav2 let the robot drive only to places inside the field: if the robot would not be at home in the
// nearest of these, it returns that place instead.
func (p *Parts) reachable(home orb.Point) orb.Point {
	who, needs := "the guard lets it reach", p.Guard.Needs()
	near := p.Ground.Inside(home, needs)
	if p.Config.Interface == settings.GoalAction {
		who = "Nav2 drives to"
	}
	d := planar.Distance(home, near)
	if d <= p.Config.Mission.HomeTolerance/2 {
		return home
	}
	p.Node.Logger().Warn("the robot returns to the place nearest to home that "+who, "home_x_m", home[0], "home_y_m", home[1], "x_m", near[0], "y_m", near[1],
		"apart_m", d, "margin_m", p.Ground.Region().Margin(), "guard_needs_m", max(needs, 0))
	return near
}
