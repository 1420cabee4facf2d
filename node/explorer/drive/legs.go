// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/planner/pursuit"
)

const (
	// sightShare is the share of the margin that a straight leg keeps. The rest lets a robot
	// turn towards the next corner before it has quite reached the last one.
	sightShare = 0.75
	// sameAim is the distance between two places below which a goal is not replaced, m.
	sameAim = 0.3
	// mostShort is the largest distance from its goal at which a driver may call it reached, m,
	// and shortStep the step of places along a leg.
	mostShort, shortStep = 1.0, 0.1
	// onEdge is the distance from an edge below which the robot stands on it, m.
	onEdge = 0.05
)

// legs is a path for a driver that plans by itself and may not know the field, such as
// Nav2: the path is sent as one goal after another, each in a straight line from where the
// robot is, so that a direct drive crosses no keep-out. A goal is replaced by the next as
// soon as the robot can drive straight to that, so it does not stop at corners.
type legs struct {
	ground *ground.Ground
	whole  bool        // the end is sent at once, however many corners are before it
	path   []orb.Point // its corners and its end, m
	next   int         // corners before this one are passed
	short  float64     // distance from a goal at which the driver has called it reached, m
}

// aim is a goal on the way.
type aim struct {
	corner int       // of the path, to which the goal leads
	place  orb.Point // m
	yaw    float64   // rad, along the path there
	part   bool      // the corner is farther than a leg may be long
	last   bool      // it is the end of the path
}

// to returns the goal for a robot at a place. longest is the greatest length of a leg, m; 0:
// no limit.
func (l *legs) to(at orb.Point, longest float64) aim {
	i := l.farthest(at, longest)
	if i < 0 && l.ground.Region().Clear(at, l.path[l.next], 0) {
		i = l.next
	}
	if i < 0 { // the shortest path from here, or the old one if there is none
		if path, _, err := l.ground.Region().Path(at, l.path[len(l.path)-1]); err == nil && len(path) > 1 {
			l.path, l.next = path[1:], 0
		}
		i = max(l.farthest(at, longest), l.next)
	}
	a := aim{corner: i, place: l.path[i], last: i == len(l.path)-1}
	from, to := at, a.place
	if !a.last {
		from, to = a.place, l.path[i+1]
	}
	if d := planar.Distance(at, a.place); longest > 0 && d > longest {
		from, to = at, a.place
		a.place = pursuit.Between(at, to, longest/d)
		a.part, a.last = true, false
	}
	if !a.last && !a.part && planar.Distance(at, a.place) <= l.short {
		if place, ok := l.past(at, i); ok {
			a.place = place
		}
	}
	a.yaw = math.Atan2(to[1]-from[1], to[0]-from[0])
	if !a.last { // the end is allowed already
		a.place = l.ground.Allowed(a.place)
	}
	return a
}

// farthest returns the farthest corner to which the robot can drive straight, -1 if there
// is none.
func (l *legs) farthest(at orb.Point, longest float64) int {
	last := len(l.path) - 1
	if l.whole && longest == 0 {
		return last
	}
	for i := last; i >= l.next; i-- {
		if l.ground.Region().Clear(at, l.path[i], sightShare*l.ground.Region().Margin()) {
			return i
		}
	}
	return -1
}

// past returns a place for a robot that its driver does not bring nearer to a corner: the
// farthest place on the way from there to the next one to which the robot can drive straight,
// or else the farthest one behind the corner. It is far enough away for the driver to go there.
// The robot comes no nearer to an edge than it is, or than a leg may lead, or half of that where
// there is no such place; one that stands on an edge first leaves it.
func (l *legs) past(at orb.Point, corner int) (place orb.Point, ok bool) {
	region, from, to := l.ground.Region(), l.path[corner], l.path[corner+1]
	left := max(planar.Distance(at, from), shortStep)
	start := at
	if region.SignedDistance(at) < onEdge {
		start = pursuit.Between(at, from, min(leastMove/left, 0.5))
	}
	length := planar.Distance(from, to)
	for _, share := range []float64{sightShare, sightShare / 2} { // half where a corner leaves no more
		clearance := max(0, min(share*region.Margin(), 0.9*region.SignedDistance(start)))
		fits := func(place orb.Point) bool {
			return planar.Distance(at, place) > l.short+shortStep && region.Clear(start, place, clearance)
		}
		for s := length - shortStep; s > 0; s -= shortStep {
			if place = pursuit.Between(from, to, s/length); fits(place) {
				return place, true
			}
		}
		for s := left + l.short; s > left; s -= shortStep {
			if place = pursuit.Between(at, from, s/left); fits(place) {
				return place, true
			}
		}
	}
	return place, false
}

// stops says that the driver has reached a, at a distance from it, m. It reports
// whether there is another goal, which leads the robot on.
func (l *legs) stops(at orb.Point, a aim, left, longest float64) bool {
	if left > mostShort || a.last || a.part {
		return false
	}
	l.short = max(l.short, left)
	_, ok := l.past(at, a.corner)
	return ok || l.farthest(at, longest) > a.corner
}

// beyond reports whether a robot at a place should get the next goal instead of a.
func (l *legs) beyond(at orb.Point, a aim, longest float64) bool {
	switch {
	case a.last:
		return false
	case a.part && planar.Distance(at, a.place) < longest/2:
		return true
	}
	return l.farthest(at, longest) > a.corner
}
