// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package parts has what an explorer is made of, and what others see of it.
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

// Parts are what an explorer is made of. Their methods change nothing.
type Parts struct {
	decide.Parts
	Decider *decide.Decider
	Gather  *gather.Gatherer
	Guard   *drive.Guard
	Watch   *watch.Watch
	Truth   *truth.Truth // nil: it is not followed

	Mission *mission.Mission
	Startup mission.Startup // what the next pose begins

	Photo   *painter.Photo      // below the maps of page and report; nil: none
	Rasters []*covariate.Raster // that the field may go with
}

// TimeKnown reports whether the time is known. With use_sim_time it is not before the
// first message on /clock; a mission that began earlier would seem decades old after it.
func (p *Parts) TimeKnown() bool { return p.Now() > 0 }

// Now returns the node's time, ns.
func (p *Parts) Now() int64 { return p.Node.Now() }

// HomeDistance returns the drivable distance home from where the robot is, m; ok is false while that
// is not known.
func (p *Parts) HomeDistance() (metres float64, ok bool) {
	return p.Ground.HomeDistance(p.Sense.Place()), p.Sense.HasPose()
}

// Reach returns how much of the field the guard leaves.
func (p *Parts) Reach() edge.Reach { return edge.Reaches(p.Ground, p.Guard) }

// Unguarded says that a guard that was there is gone, or "".
func (p *Parts) Unguarded() string { return p.UnlessOver(p.Guard.Gone)() }

// UnlessOver returns a check that finds nothing wrong any more when the mission is over.
func (p *Parts) UnlessOver(check func() string) func() string {
	return func() string {
		if p.Finished() {
			return ""
		}
		return check()
	}
}

// Finished reports whether the mission is over.
func (p *Parts) Finished() bool { return p.Mission.State() == mission.StateDone }

// Busy reports whether something is learnt, decided, mapped or written beside the callbacks.
func (p *Parts) Busy() bool { return p.Decider.Working() || p.Show.Busy() || p.Book.Writing() }

// Over reports whether the mission is over and its record written.
func (p *Parts) Over() bool { return p.Finished() && !p.Busy() }

// SetHome sets where a robot returns to that starts at a place.
func (p *Parts) SetHome(start orb.Point) {
	home := p.Config.HomeOr(start)
	if !p.Mode.Suggests {
		home = p.reachable(home)
	}
	p.Ground.SetHome(home)
	p.Book.SetHome(home)
}

// reachable returns a home, or the place nearest to it to which the robot can drive, if a robot there would not count as home. A guard lets
// the robot, and Nav2 drives it, only to places inside the field.
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
		"apart_m", d, "margin_m", p.Ground.Region().Margin(), "guard_needs_m", needs)
	return near
}
